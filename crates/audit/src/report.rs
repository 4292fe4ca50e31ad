//! A score as text: for a terminal, as Markdown, as CSV. JSON is the score itself.

use crate::agreement::{Figure, Interval};
use crate::estimate::Estimate;
use crate::score::{Agreement, Compared, Question, Score};
use polc_records::audit::Mix;
use polc_records::ids::RuleId;
use std::fmt::Write;

/// A part of a report: a heading, a table, lines below it.
struct Part {
    heading: &'static str,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
}

/// The report for a terminal.
pub fn terminal(score: &Score) -> String {
    let mut text = String::new();
    for part in parts(score) {
        // Writing to a string cannot fail.
        let _written = writeln!(text, "{}", part.heading);
        let lines: Vec<&Vec<String>> = std::iter::once(&part.header).chain(&part.rows).collect();
        let widths: Vec<usize> = (0..part.header.len())
            .map(|at| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0))
            .collect();
        for line in lines {
            let cells: Vec<String> =
                line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            let _written = writeln!(text, "  {}", cells.join("  ").trim_end());
        }
        for note in part.notes {
            let _written = writeln!(text, "  {note}");
        }
        text.push('\n');
    }
    text.pop();
    text
}

/// The report as Markdown, below a heading of the first level.
pub fn markdown(score: &Score) -> String {
    let mut text = String::from("# Audit\n");
    for part in parts(score) {
        let row = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |", cells.join(" | "))
        };
        let rule: Vec<&str> = part.header.iter().map(|_| "---").collect();
        let _written = writeln!(text, "\n## {}\n\n{}\n|{}|", part.heading, row(&part.header), rule.join("|"));
        for cells in &part.rows {
            let _written = writeln!(text, "{}", row(cells));
        }
        for note in part.notes {
            let _written = writeln!(text, "\n{note}");
        }
    }
    text
}

/// Every figure on a line: what it is about, its name, its value; a figure that does not exist is empty.
pub fn csv(score: &Score) -> String {
    let mut lines = vec!["subject,figure,value".to_owned()];
    let mut add =
        |subject: &str, figure: &str, value: String| lines.push(format!("{subject},{figure},{value}"));
    for of in &score.agreement {
        add(of.question, "items", of.items.to_string());
        add(of.question, "raw_agreement", plain(&of.raw));
        add(of.question, "kappa", plain(&of.kappa));
        for (name, interval) in [("asymptotic", &of.asymptotic), ("bootstrap", &of.bootstrap)] {
            add(of.question, &format!("kappa_{name}_low"), plain(&interval.map(|interval| interval.low)));
            add(of.question, &format!("kappa_{name}_high"), plain(&interval.map(|interval| interval.high)));
        }
        add(of.question, "ac1", plain(&of.ac1));
        add(of.question, "differing", of.differing.len().to_string());
        for (row, counts) in of.table.labels.iter().zip(&of.table.counts) {
            for (column, count) in of.table.labels.iter().zip(counts) {
                add(of.question, &format!("first_{row}_second_{column}"), count.to_string());
            }
        }
    }
    add("accepted", "first", score.accepted.first.to_string());
    add("accepted", "second", score.accepted.second.to_string());
    add("accepted", "both", score.accepted.both.to_string());
    for (name, estimate) in [("mean_rater", &score.mean_rater), ("both_raters", &score.both_raters)] {
        add(name, "accept_rate", plain(&estimate.rate));
        add(name, "low", plain(&estimate.interval.map(|interval| interval.low)));
        add(name, "high", plain(&estimate.interval.map(|interval| interval.high)));
        add(name, "inclusion_weighted", plain(&estimate.inclusion_weighted));
    }
    for (name, mix) in [("sample", &score.sample_mix), ("population", &score.population_mix)] {
        for (kind, count) in kinds(mix) {
            add(name, kind, count.to_string());
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

fn plain(figure: &Figure) -> String {
    figure.map_or_else(|_| String::new(), |value| value.to_string())
}

fn percent(figure: &Figure) -> String {
    figure.map_or_else(|why| why.to_string(), |value| format!("{:.1} %", value * 100.0))
}

fn decimal(figure: &Figure) -> String {
    figure.map_or_else(|why| why.to_string(), |value| format!("{value:.2}"))
}

fn between(interval: &Figure<Interval>) -> String {
    interval
        .map_or_else(|_| "–".to_owned(), |interval| format!("{:.2} to {:.2}", interval.low, interval.high))
}

fn kinds(mix: &Mix) -> [(&'static str, usize); 5] {
    [
        ("output", mix.output),
        ("differential", mix.differential),
        ("trajectory", mix.trajectory),
        ("exact", mix.exact),
        ("approximate", mix.approximate),
    ]
}

fn listed(checks: &[RuleId]) -> String {
    if checks.is_empty() {
        return "none".to_owned();
    }
    checks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn strings<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

fn parts(score: &Score) -> Vec<Part> {
    let mut parts = vec![agreement(score), tables(score), outcome(score), projects(score), mix(score)];
    parts.extend(score.automated.as_ref().map(automated));
    parts
}

fn agreement(score: &Score) -> Part {
    let rows = Question::ALL.iter().zip(&score.agreement).map(|(question, of)| {
        vec![
            question.words().to_owned(),
            percent(&of.raw),
            decimal(&of.kappa),
            between(&of.asymptotic),
            between(&of.bootstrap),
            decimal(&of.ac1),
        ]
    });
    let [one, other] = &score.raters;
    let items = score.agreement.first().map_or(0, |of| of.items);
    let mut notes = vec![format!("{one} and {other} on {items} checkers."), score.prevalence.clone()];
    notes.extend(score.agreement.iter().filter(|of| !of.differing.is_empty()).map(|of| {
        format!("They differ in {} on {}: {}.", of.question, of.differing.len(), listed(&of.differing))
    }));
    notes.push(format!("They differ on {} across the verdict and C1 to C3.", score.differing.len()));
    Part {
        heading: "Agreement",
        header: strings(["", "raw agr.", "Cohen's κ", "95 %, asymptotic", "95 %, bootstrap", "Gwet's AC1"]),
        rows: rows.collect(),
        notes,
    }
}

/// The k×k tables, each a row: all of them have two labels.
fn tables(score: &Score) -> Part {
    let rows = score.agreement.iter().flat_map(table_rows);
    let [one, other] = &score.raters;
    Part {
        heading: "Pairs of answers",
        header: vec![String::new(), one.clone(), other.clone(), "checkers".to_owned()],
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

fn table_rows(of: &Agreement) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (row, counts) in of.table.labels.iter().zip(&of.table.counts) {
        for (column, count) in of.table.labels.iter().zip(counts) {
            rows.push(vec![
                of.question.to_owned(),
                (*row).to_owned(),
                (*column).to_owned(),
                count.to_string(),
            ]);
        }
    }
    rows
}

fn outcome(score: &Score) -> Part {
    let row = |name: &str, of: &Estimate| {
        let interval = match &of.interval {
            Ok(interval) => format!("{:.1} to {:.1} %", interval.low * 100.0, interval.high * 100.0),
            Err(why) => why.to_string(),
        };
        vec![name.to_owned(), percent(&of.rate), interval, percent(&of.inclusion_weighted)]
    };
    let accepted = score.accepted;
    let items = score.agreement.first().map_or(0, |of| of.items);
    let size: usize = score.projects.iter().map(|project| project.population).sum();
    Part {
        heading: "Accept rate",
        header: strings(["", "of the population", "95 %", "inclusion-weighted"]),
        rows: vec![row("mean rater", &score.mean_rater), row("both raters", &score.both_raters)],
        notes: vec![
            format!(
                "Of {items} checkers {} and {} were accepted, {} by both; the rates are weighted by each project's share \
                 of {size}.",
                accepted.first, accepted.second, accepted.both
            ),
            "Nothing is claimed about a checker that was not drawn.".to_owned(),
        ],
    }
}

fn projects(score: &Score) -> Part {
    let rows = score.projects.iter().map(|project| {
        vec![
            project.project.to_string(),
            project.population.to_string(),
            project.drawn.to_string(),
            project.accepted_by_both.to_string(),
            project.checkers.map_or("–".to_owned(), |digest| digest.short()),
        ]
    });
    Part {
        heading: "Projects",
        header: strings(["project", "checkers", "drawn", "accepted by both", "crate"]),
        rows: rows.collect(),
        notes: vec![format!(
            "Drawn with the seed {} from the population {}.",
            score.seed,
            score.population.short()
        )],
    }
}

fn mix(score: &Score) -> Part {
    let share = |count: usize, mix: &Mix| match mix.exact + mix.approximate {
        0 => String::new(),
        total => format!("{count} ({:.0} %)", count as f64 / total as f64 * 100.0),
    };
    let rows = kinds(&score.sample_mix).into_iter().zip(kinds(&score.population_mix)).map(
        |((kind, drawn), (_, all))| {
            vec![kind.to_owned(), share(drawn, &score.sample_mix), share(all, &score.population_mix)]
        },
    );
    Part {
        heading: "Mix",
        header: strings(["", "sample", "population"]),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

fn automated(compared: &Compared) -> Part {
    let rows = ["first rater", "second rater"].iter().zip(&compared.verdicts).map(|(name, of)| {
        vec![(*name).to_owned(), of.items.to_string(), percent(&of.raw), decimal(&of.kappa), decimal(&of.ac1)]
    });
    Part {
        heading: "The automated pass, for comparison only",
        header: strings(["", "checkers", "raw agr.", "Cohen's κ", "Gwet's AC1"]),
        rows: rows.collect(),
        notes: vec![
            format!("It accepted {} of the {} that it reviewed.", compared.accepted, compared.reviewed),
            format!("It accepted what both raters rejected: {}.", listed(&compared.missed)),
            format!("It rejected what both raters accepted: {}.", listed(&compared.raised)),
        ],
    }
}

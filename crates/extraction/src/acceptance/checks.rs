//! The ten checks.

use super::bands::Plausible;
use super::{Check, CheckName, CheckResult, Submission};
use crate::grounding::{Grounding, not_admitted};
use polc_records::corpus::{Corpus, OutOfScope};
use polc_records::extraction::SectionContext;
use polc_records::ids::RuleId;
use polc_records::ledger::{Fate, LedgerLine, RowName};
use polc_records::locator::Fidelity;
use polc_records::vocabulary::{EvidenceType, Level, ModalLevel, ScopeRoute};
use polc_text::document::fold_space;
use std::collections::{BTreeMap, BTreeSet};

fn check(name: CheckName, measured: impl Into<String>, faults: Vec<String>) -> Check {
    let result = if faults.is_empty() { CheckResult::Passed } else { CheckResult::Failed { faults } };
    Check { name, measured: measured.into(), result }
}

pub(super) fn density(submission: &Submission<'_>) -> Check {
    let name = CheckName::Density;
    let rules = submission.extraction.0.rows.len();
    if submission.words == 0 && rules > 0 {
        let faults = vec!["the sources are not held: their length is not known".to_owned()];
        return check(name, format!("{rules} rules"), faults);
    }
    match submission.bands.density(rules, submission.words) {
        Plausible::Within(measured) => check(name, measured, Vec::new()),
        Plausible::TooLittle(measured) => {
            let why = "The project is too small for the band.".to_owned();
            Check { name, measured, result: CheckResult::Warned { why } }
        }
        Plausible::Outside(measured) => check(name, measured.clone(), vec![measured]),
    }
}

/// The rows as they are spelled: id, and the cell of a column.
fn cells<'t>(submission: &'t Submission<'_>, column: &str) -> Vec<(&'t str, &'t str)> {
    let table = submission.table;
    (0..table.rows.len()).map(|row| (table.cell(row, "ID"), table.cell(row, column))).collect()
}

fn in_scope(submission: &Submission<'_>) -> Vec<bool> {
    cells(submission, "In scope").iter().map(|(_, cell)| *cell == "yes").collect()
}

pub(super) fn judgment(submission: &Submission<'_>) -> Check {
    let judged: Vec<(&str, bool)> = cells(submission, "Evidence Type")
        .into_iter()
        .zip(in_scope(submission))
        .filter(|((_, evidence), _)| *evidence == EvidenceType::Judgment.as_str())
        .map(|((id, _), in_scope)| (id, in_scope))
        .collect();
    let faults = judged
        .iter()
        .filter(|(_, in_scope)| *in_scope)
        .map(|(id, _)| format!("{id} is judgment and in scope"))
        .collect();
    check(CheckName::JudgmentOutOfScope, format!("{} rows are judgment", judged.len()), faults)
}

fn note(submission: &Submission<'_>, row: usize, field: &str) -> Option<String> {
    polc_records::corpus::note(submission.table.cell(row, "Notes"), field)
}

pub(super) fn levels(submission: &Submission<'_>) -> Check {
    let name = CheckName::LevelsDiffer;
    let (mut above, mut below, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let levels = cells(submission, "Requirement level");
    let binding = in_scope(submission);
    for (row, ((id, level), _)) in
        levels.iter().zip(&binding).enumerate().filter(|(_, (_, in_scope))| **in_scope)
    {
        let modal = note(submission, row, "Modal").and_then(|modal| modal.parse::<ModalLevel>().ok());
        match (modal, level.parse::<Level>()) {
            (Some(ModalLevel::Should), Ok(Level::Must)) => above.push(*id),
            (Some(ModalLevel::Must | ModalLevel::Prohibited), Ok(Level::Should)) => below.push(*id),
            (Some(_), Ok(_)) => {}
            _ => faults.push(format!("{id} has no level to compare, or does not say its modal level")),
        }
    }
    let rules = binding.iter().filter(|in_scope| **in_scope).count();
    let measured = format!(
        "of {rules} rules in scope the level is above the modal verb's on {}{}, below it on {}{}",
        above.len(),
        named(&above),
        below.len(),
        named(&below)
    );
    if faults.is_empty() && above.is_empty() && below.is_empty() {
        if submission.bands.should_differ(rules) {
            faults.push("no level differs: the rubric was not applied, or the verbs were copied".to_owned());
        } else {
            let why = "So few rules need not differ.".to_owned();
            return Check { name, measured, result: CheckResult::Warned { why } };
        }
    }
    check(name, measured, faults)
}

fn named(ids: &[&str]) -> String {
    if ids.is_empty() { String::new() } else { format!(" ({})", ids.join(", ")) }
}

pub(super) fn reasoning(submission: &Submission<'_>) -> Check {
    let mut seen: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (row, (id, notes)) in cells(submission, "Notes").into_iter().enumerate() {
        let parts = ["Context", "Conclusion"].map(|field| note(submission, row, field).unwrap_or_default());
        // What cannot be taken apart is compared as it stands.
        let text = if parts.iter().all(String::is_empty) { notes.to_owned() } else { parts.join(" | ") };
        seen.entry(masked(&text)).or_default().push(id);
    }
    let faults = seen
        .values()
        .filter(|ids| ids.len() > 1)
        .map(|ids| format!("{} have one line of reasoning", ids.join(", ")))
        .collect();
    check(CheckName::ReasoningDistinct, format!("{} lines of reasoning", seen.len()), faults)
}

/// A line of reasoning without its quotes and ids.
pub(crate) fn masked(text: &str) -> String {
    let unquoted: String =
        text.split('"').enumerate().map(|(index, part)| if index % 2 == 0 { part } else { "…" }).collect();
    let words = unquoted.split_whitespace().map(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if bare.parse::<RuleId>().is_ok() { "ID" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

pub(super) fn not_observable(submission: &Submission<'_>) -> Check {
    let mut counts: BTreeMap<ScopeRoute, usize> = ScopeRoute::ALL.iter().map(|route| (*route, 0)).collect();
    let mut faults = Vec::new();
    let routes = cells(submission, "Out-of-scope route").into_iter().zip(in_scope(submission));
    for ((id, route), in_scope) in routes {
        match (in_scope, route.parse::<OutOfScope>()) {
            (true, _) if route.is_empty() => {}
            (true, _) => faults.push(format!("{id} is in scope and has the route `{route}`")),
            (false, Ok(route)) => *counts.entry(route.route()).or_default() += 1,
            (false, Err(message)) => faults.push(format!("{id}: {message}")),
        }
    }
    let counted: Vec<String> = counts.iter().map(|(route, count)| format!("{route} {count}")).collect();
    check(CheckName::NotObservableApart, format!("out of scope: {}", counted.join(", ")), faults)
}

pub(super) fn schema(submission: &Submission<'_>) -> Check {
    let parsed = Corpus::parse(submission.path, submission.slug, submission.rules);
    let faults = parsed.err().map(|problem| problem.to_string()).into_iter().collect();
    check(CheckName::Schema, format!("{} rows of eleven columns", submission.table.rows.len()), faults)
}

pub(super) fn quotes(submission: &Submission<'_>) -> Check {
    let (mut exact, mut folded, mut faults) = (0, 0, Vec::new());
    for row in &submission.extraction.0.rows {
        let fault = match submission.grounds.examine(row) {
            Grounding::Stands(place) => {
                match place.locator.fidelity {
                    Fidelity::Exact => exact += 1,
                    Fidelity::Folded => folded += 1,
                }
                continue;
            }
            Grounding::NotAdmitted { source, section } => not_admitted(&source, &section, &row.original),
            Grounding::NotFound(missing) => missing.to_string(),
            Grounding::NotHeld => format!("`{}` is no source that was retrieved", row.source.url),
        };
        faults.push(format!("{}: {fault}", row.id));
    }
    faults.extend(misquoted(submission));
    check(CheckName::QuotesGrounded, format!("{exact} exact, {folded} folded, {} not", faults.len()), faults)
}

/// Lines of reasoning that quote what their rule, or its section, does not say.
fn misquoted(submission: &Submission<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    for (row, (id, original)) in cells(submission, "Original text").into_iter().enumerate() {
        let quote = note(submission, row, "Quote").unwrap_or_default();
        let quote = fold_space(quote.trim_matches('"'));
        if !fold_space(original).contains(&quote) {
            faults.push(format!("{id}: its reasoning quotes what its sentence does not say: {quote}"));
        }
    }
    let context = submission.extraction.0.rows.iter().map(|row| (row.id.to_string(), &row.context));
    let context: BTreeMap<String, &SectionContext> = context.collect();
    for (row, (id, _)) in cells(submission, "Notes").into_iter().enumerate() {
        let Some(SectionContext::Quotes(quotes)) = context.get(id) else { continue };
        if quotes.iter().any(|context| context.quote.contains('"')) {
            continue;
        }
        let said = note(submission, row, "Context").unwrap_or_default();
        for part in said.split('"').skip(1).step_by(2).filter(|part| !part.trim().is_empty()) {
            if !quotes.iter().any(|context| context.quote.contains(part)) {
                faults.push(format!(
                    "{id}: its reasoning quotes a context that its extraction does not have: {part}"
                ));
            }
        }
    }
    faults
}

pub(super) fn digests(submission: &Submission<'_>) -> Check {
    let mut faults = Vec::new();
    let (extraction, digest) = submission.extraction;
    let rules = polc_records::Digest::of(submission.rules);
    match submission.decisions.freeze() {
        Some(freeze) if freeze.extraction == digest => {}
        Some(_) => faults.push("extraction.csv is not the file that was frozen".to_owned()),
        None => faults.push("no freeze is on record".to_owned()),
    }
    match (submission.facts, submission.imported) {
        (Some(facts), _) => {
            if facts.extraction != digest {
                faults.push("the facts were answered for another extraction".to_owned());
            }
            if facts.rules != rules {
                faults.push("rules.csv is not what the tables decided".to_owned());
            }
        }
        (None, Some(imported)) if imported == rules => {}
        (None, Some(_)) => faults.push("rules.csv is not the file that was imported".to_owned()),
        (None, None) => faults.push("no facts are on record, and no import".to_owned()),
    }
    let of_rules: BTreeMap<&str, &str> = cells(submission, "Original text").into_iter().collect();
    for row in &extraction.rows {
        match of_rules.get(row.id.to_string().as_str()) {
            Some(original) if *original == row.original => {}
            Some(_) => {
                faults.push(format!("{} quotes otherwise in rules.csv than in extraction.csv", row.id))
            }
            None => faults.push(format!("{} is in extraction.csv and not in rules.csv", row.id)),
        }
    }
    check(CheckName::DigestsMatch, format!("extraction {}, rules {}", digest.short(), rules.short()), faults)
}

pub(super) fn ledger(submission: &Submission<'_>) -> Check {
    let name = CheckName::LedgerComplete;
    let Some((header, lines)) = submission.ledger else {
        return check(name, "there is no ledger", vec!["an imported extraction has no ledger".to_owned()]);
    };
    let ids: BTreeSet<&RuleId> = submission.extraction.0.rows.iter().map(|row| &row.id).collect();
    let mut faults = Vec::new();
    let mut named = BTreeSet::new();
    for line in lines {
        for name in rules_of(line) {
            match name {
                RowName::Frozen(id) if ids.contains(id) => {
                    named.insert(id);
                }
                other => faults.push(format!("a sentence is of {other}, which is no rule: {}", line.text)),
            }
        }
    }
    faults.extend(ids.difference(&named).map(|id| format!("{id} is the rule of no sentence")));
    let accounted: BTreeSet<(&str, usize, usize)> =
        lines.iter().map(|line| (line.source.as_str(), line.start, line.end)).collect();
    for sentence in submission.sentences {
        if !accounted.contains(&(sentence.source.as_str(), sentence.start, sentence.end)) {
            faults
                .push(format!("a sentence of `{}` is not accounted for: {}", sentence.source, sentence.text));
        }
    }
    for section in &header.without_rules {
        if !section.reason.starts_with("none, because ") {
            faults.push(format!("`{}` gave no rule, and nothing says why", section.section));
        }
    }
    let measured =
        format!("{} sentences; {} sections in scope gave no rule", lines.len(), header.without_rules.len());
    check(name, measured, faults)
}

fn rules_of(line: &LedgerLine) -> &[RowName] {
    match &line.outcome {
        Fate::Rule { rows, .. } => rows,
        Fate::Restates(row) => std::slice::from_ref(row),
        Fate::NoRule(_) => &[],
    }
}

pub(super) fn ids(submission: &Submission<'_>) -> Check {
    let issued = submission.decisions.issued();
    let mut faults = Vec::new();
    for (id, expected) in issued.keys().zip(1..) {
        if id.number() != expected || id.prefix() != submission.slug.prefix() {
            let expected = RuleId::new(submission.slug, expected);
            faults.push(format!("`{id}` was given where `{expected}` belongs"));
            break;
        }
    }
    let mut last: Option<RuleId> = None;
    for (row, (id, _)) in cells(submission, "ID").into_iter().enumerate() {
        match id.parse::<RuleId>() {
            Ok(id) => {
                if !issued.contains_key(&id) {
                    faults.push(format!("`{id}` was never given"));
                }
                if last.as_ref().is_some_and(|last| *last >= id) {
                    faults.push(format!("`{id}` is out of order or stands twice"));
                }
                last = Some(id);
            }
            Err(error) => faults.push(format!("row {}: {error}", row + 1)),
        }
    }
    let rows = submission.table.rows.len();
    let retired = issued.len().saturating_sub(rows);
    check(
        CheckName::IdsContiguous,
        format!("{} ids were given, {retired} of them retired", issued.len()),
        faults,
    )
}

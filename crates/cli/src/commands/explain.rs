//! `explain`: all that is known of a rule.

use crate::exit::{CliError, Exit};
use crate::session::{Session, today};
use crate::stages::classify::load_corpus;
use crate::stages::hydrate::require_whole;
use polc_compile::status::status as checker_status;
use polc_records::corpus::{CorpusRow, Verdict};
use polc_records::decisions::{Decision, Decisions};
use polc_records::facts::{RuleFacts, load_facts};
use polc_records::ids::RuleId;
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::store::load_toml;
use polc_records::vocabulary::Truth;
use polc_records::waivers::Waivers;
use serde::Serialize;

/// The project whose rule it is.
pub(super) fn project_of(root: &Root, rule: &RuleId) -> Result<Project, CliError> {
    let known = root.projects()?;
    match known.iter().find(|slug| slug.prefix() == rule.prefix()) {
        Some(slug) => {
            require_whole(root, slug)?;
            Ok(load_toml(&root.project(slug))?)
        }
        None => {
            let known: Vec<String> = known.iter().map(polc_records::ids::Slug::prefix).collect();
            Err(CliError::Misuse {
                what: format!("no project here has rules that begin with `{}`", rule.prefix()),
                help: format!(
                    "known are: {}",
                    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
                ),
            })
        }
    }
}

/// What is known, as JSON and, line by line, for people.
#[derive(Debug, Serialize)]
struct Explanation {
    schema: u32,
    rule: String,
    restatement: String,
    sentence: String,
    link: String,
    section: String,
    applies_to: Vec<&'static str>,
    category: &'static str,
    evidence: &'static str,
    /// Its level by its route, or its route out of scope.
    label: String,
    modal: &'static str,
    reasoning: String,
    /// The facts that hold or are open, each with its words.
    facts: Vec<String>,
    opens: Option<String>,
    fails_if: Option<String>,
    trigger: Option<String>,
    low_confidence: Option<String>,
    remark: Option<String>,
    /// How its checker stands.
    checker: Option<String>,
    waived: Option<String>,
    /// Who decided, and when.
    history: Vec<String>,
}

pub(super) fn run(session: &Session, rule: &RuleId) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = project_of(&root, rule)?;
    let slug = &project.slug;
    let decisions = Decisions::load(&root.decisions(slug), slug)?;
    let (corpus, _) = load_corpus(&root, &project)?;
    let Some(row) = corpus.row(rule) else {
        let what = match decisions.issued().contains_key(rule) {
            true => format!("{rule} is retired: the documentation no longer states it"),
            false => format!("{rule} was never given"),
        };
        let help = format!("the rules of {slug} are in {}", root.shown(&root.rules(slug)).display());
        return Err(CliError::Misuse { what, help });
    };
    let facts_path = root.facts(slug);
    let facts = facts_path.exists().then(|| load_facts(&facts_path)).transpose()?;
    let facts = facts.and_then(|(_, facts)| facts.into_iter().find(|facts| facts.rule == *rule));
    let checkers = match root.pack(slug).exists() {
        true => checker_status(&root.pack(slug), slug, &corpus)?,
        false => Vec::new(),
    };
    let checker = checkers.iter().find(|line| line.rule == *rule);
    let waivers = Waivers::load(&root.waivers(slug))?;
    let explanation = Explanation {
        checker: checker.map(|line| {
            let file = line.file.as_deref().map_or("no file".to_owned(), |file| file.display().to_string());
            format!("{} ({file})", line.standing.as_str())
        }),
        waived: waivers.on(rule, today()).map(|waiver| format!("until {}: {}", waiver.until, waiver.reason)),
        history: history(rule, &decisions),
        ..of(row, facts.as_ref())
    };
    if session.json {
        session.print_json(&explanation)?;
    } else {
        session.print(human(&explanation))?;
    }
    Ok(Exit::Done)
}

fn of(row: &CorpusRow, facts: Option<&RuleFacts>) -> Explanation {
    let label = match &row.verdict {
        Verdict::InScope { route, also } => {
            let also: Vec<String> = also.iter().map(|route| format!(", also {route}")).collect();
            format!("in scope, {} by {route}{}", route.level(), also.concat())
        }
        Verdict::OutOfScope { route, also } => {
            let also: Vec<String> = also.iter().map(|route| format!(", also {route}")).collect();
            format!("out of scope, {route}{}", also.concat())
        }
    };
    let words = |facts: &RuleFacts| -> Vec<String> {
        let answered = facts.facts.iter().filter(|(_, answer)| answer.holds != Truth::No);
        answered.map(|(fact, answer)| format!("{fact}: {} ({})", answer.holds, answer.words)).collect()
    };
    Explanation {
        schema: 1,
        rule: row.id.to_string(),
        restatement: row.rule.clone(),
        sentence: row.original.clone(),
        link: row.source.url.clone(),
        section: row.source.section.to_string(),
        applies_to: row.applies_to.iter().map(|value| value.as_str()).collect(),
        category: row.category.as_str(),
        evidence: row.evidence.as_str(),
        label,
        modal: row.modal.as_str(),
        reasoning: format!("{}; {}", row.reasoning.context, row.reasoning.conclusion),
        facts: facts.map(words).unwrap_or_default(),
        opens: facts.map(|facts| facts.opens.clone()),
        fails_if: facts.map(|facts| facts.failure.clone()),
        trigger: row.trigger.clone(),
        low_confidence: row.low_confidence.clone(),
        remark: row.remark.clone(),
        checker: None,
        waived: None,
        history: Vec::new(),
    }
}

/// Who froze the rule, and who changed its labels.
fn history(rule: &RuleId, decisions: &Decisions) -> Vec<String> {
    let of = |decision: &Decision| match decision {
        Decision::Freeze { ids, by, at, .. } if ids.iter().any(|issued| issued.id == *rule) => {
            Some(format!("frozen by {by}, {at}"))
        }
        Decision::Import { ids, by, at, .. } if ids.iter().any(|issued| issued.id == *rule) => {
            Some(format!("imported by {by}, {at}"))
        }
        Decision::Relabel { rule: of, by, at, .. } if of == rule => {
            Some(format!("labels changed by {by}, {at}"))
        }
        _ => None,
    };
    decisions.all.iter().filter_map(of).collect()
}

fn human(explanation: &Explanation) -> String {
    let mut text = format!("{}  {}\n", explanation.rule, explanation.restatement);
    let mut line = |name: &str, value: &str| {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        text.push_str(&format!("  {name:14} {value}\n"));
    };
    line("sentence", &explanation.sentence);
    line("documented at", &format!("{} ({})", explanation.link, explanation.section));
    line("label", &explanation.label);
    line("evidence", explanation.evidence);
    line("modal verb", explanation.modal);
    line("applies to", &explanation.applies_to.join(", "));
    line("category", explanation.category);
    line("reasoning", &explanation.reasoning);
    let optional = [
        ("opens", &explanation.opens),
        ("fails if", &explanation.fails_if),
        ("trigger", &explanation.trigger),
        ("low confidence", &explanation.low_confidence),
        ("remark", &explanation.remark),
        ("checker", &explanation.checker),
        ("waived", &explanation.waived),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            line(name, value);
        }
    }
    for (name, values) in [("fact", &explanation.facts), ("history", &explanation.history)] {
        for value in values {
            line(name, value);
        }
    }
    text
}

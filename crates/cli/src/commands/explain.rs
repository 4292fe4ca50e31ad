//! `explain`: all that is known of a rule.

mod history;

use crate::exit::{CliError, Exit};
use crate::session::{Session, today};
use crate::stages::classify::load_corpus;
use crate::stages::hydrate::require_whole;
use history::history;
use polc_compile::status::status as checker_status;
use polc_records::corpus::{CorpusRow, Verdict};
use polc_records::decisions::Decisions;
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
    /// The documentation does not state it any more: what it said is in version control alone.
    retired: bool,
    #[serde(flatten)]
    stated: Option<Stated>,
    /// How its checker stands.
    checker: Option<String>,
    waived: Option<String>,
    /// Everything that was decided on it and everything that became of it, in order.
    history: Vec<String>,
}

/// What is known of a rule that is stated.
#[derive(Debug, Serialize)]
struct Stated {
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
}

pub(super) fn run(session: &Session, rule: &RuleId) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = project_of(&root, rule)?;
    let slug = &project.slug;
    let decisions = Decisions::load(&root.decisions(slug), slug)?;
    let (corpus, _) = load_corpus(&root, &project)?;
    let row = corpus.row(rule);
    if row.is_none() && !decisions.issued().contains_key(rule) {
        let help = format!("the rules of {slug} are in {}", root.shown(&root.rules(slug)).display());
        return Err(CliError::Misuse { what: format!("{rule} was never given"), help });
    }
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
        schema: 1,
        rule: rule.to_string(),
        retired: row.is_none(),
        stated: row.map(|row| of(row, facts.as_ref())),
        checker: checker.map(|line| {
            let file = line.file.as_deref().map_or("no file".to_owned(), |file| file.display().to_string());
            format!("{} ({file})", line.standing.as_str())
        }),
        waived: waivers.on(rule, today()).map(|waiver| format!("until {}: {}", waiver.until, waiver.reason)),
        history: history(rule, &decisions)?,
    };
    if session.json {
        session.print_json(&explanation)?;
    } else {
        session.print(human(&explanation))?;
    }
    Ok(Exit::Done)
}

fn of(row: &CorpusRow, facts: Option<&RuleFacts>) -> Stated {
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
    Stated {
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
    }
}

fn human(explanation: &Explanation) -> String {
    let what = explanation.stated.as_ref().map_or(RETIRED, |stated| &stated.restatement);
    let mut text = format!("{}  {what}\n", explanation.rule);
    let mut line = |name: &str, value: &str| {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        text.push_str(&format!("  {name:14} {value}\n"));
    };
    if let Some(stated) = &explanation.stated {
        tell(stated, &mut line);
    }
    for (name, value) in [("checker", &explanation.checker), ("waived", &explanation.waived)] {
        if let Some(value) = value {
            line(name, value);
        }
    }
    for fact in explanation.stated.iter().flat_map(|stated| &stated.facts) {
        line("fact", fact);
    }
    for event in &explanation.history {
        line("history", event);
    }
    text
}

const RETIRED: &str = "retired: the documentation no longer states it";

fn tell(stated: &Stated, line: &mut impl FnMut(&str, &str)) {
    line("sentence", &stated.sentence);
    line("documented at", &format!("{} ({})", stated.link, stated.section));
    line("label", &stated.label);
    line("evidence", stated.evidence);
    line("modal verb", stated.modal);
    line("applies to", &stated.applies_to.join(", "));
    line("category", stated.category);
    line("reasoning", &stated.reasoning);
    let optional = [
        ("opens", &stated.opens),
        ("fails if", &stated.fails_if),
        ("trigger", &stated.trigger),
        ("low confidence", &stated.low_confidence),
        ("remark", &stated.remark),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            line(name, value);
        }
    }
}

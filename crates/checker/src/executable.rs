//! The executable that a crate of checkers becomes: it describes itself, runs its cases, and grades
//! evidence from standard input to standard output. All of it is JSON lines.

use crate::cases::{RuleReport, run};
use crate::declaration::{Declaration, Exemption, Ownership, Read, State};
use crate::evidence::Evidence;
use crate::explain::explain;
use crate::outcome::{Graded, Outcome};
use crate::pack::{Blunt, Entry, Pack};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::process::ExitCode;

/// What a crate says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The project.
    pub project: String,
    /// The digest of the corpus that it was rendered from.
    pub corpus: String,
    /// The version of the runtime.
    pub runtime: String,
    /// Its checkers.
    pub checkers: Vec<CheckerDescription>,
}

/// What a checker says of itself, as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckerDescription {
    /// The rule.
    pub rule: String,
    /// The digest of what it was written for.
    pub written_for: String,
    /// Its files: `git/c012`.
    pub file: String,
    /// Whether it is written.
    pub state: State,
    /// What it may hold a contributor responsible for.
    pub ownership: Ownership,
    /// What it reads.
    pub reads: Vec<Read>,
    /// Whether it decides its rule directly.
    pub exact: bool,
    /// Why it cannot have all three types of case.
    pub exemption: Option<Exemption>,
}

impl CheckerDescription {
    fn of(declaration: &Declaration, file: &str) -> Self {
        CheckerDescription {
            rule: declaration.rule.to_owned(),
            written_for: declaration.written_for.to_owned(),
            file: file.to_owned(),
            state: declaration.state,
            ownership: declaration.ownership,
            reads: declaration.reads.to_vec(),
            exact: declaration.exactness.is_exact(),
            exemption: declaration.exemption,
        }
    }
}

/// One outcome row: one rule in one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeRow {
    /// The run.
    pub run: String,
    /// The rule.
    pub rule: String,
    /// What it came to.
    #[serde(flatten)]
    pub graded: Graded,
    /// Whether the checker decides its rule directly.
    pub exact: bool,
    /// Whether the rule needs a person in the loop.
    pub human_in_the_loop: bool,
    /// The digest of the corpus.
    pub corpus: String,
    /// The version of the runtime.
    pub runtime: String,
}

impl OutcomeRow {
    /// The row of a rule of a pack on one run.
    pub(crate) fn of(pack: &Pack, entry: &Entry, evidence: &Evidence, graded: Graded) -> Self {
        OutcomeRow {
            run: evidence.run.id.clone(),
            rule: entry.declaration.rule.to_owned(),
            graded,
            exact: entry.declaration.exactness.is_exact(),
            human_in_the_loop: entry.declaration.human_in_the_loop(),
            corpus: pack.corpus.to_owned(),
            runtime: crate::VERSION.to_owned(),
        }
    }

    /// The row of a checker that could not be asked to the end, by a fault of ours.
    pub fn fault(description: &Description, checker: &CheckerDescription, run: &str, fault: Outcome) -> Self {
        OutcomeRow {
            run: run.to_owned(),
            rule: checker.rule.clone(),
            graded: Graded::without_targets(fault),
            exact: checker.exact,
            human_in_the_loop: checker.exemption == Some(Exemption::HumanInTheLoop),
            corpus: description.corpus.clone(),
            runtime: description.runtime.clone(),
        }
    }
}

/// What a pack says of itself.
pub fn describe(pack: &Pack) -> Description {
    Description {
        project: pack.project.to_owned(),
        corpus: pack.corpus.to_owned(),
        runtime: crate::VERSION.to_owned(),
        checkers: pack
            .entries
            .iter()
            .map(|entry| CheckerDescription::of(&entry.declaration, entry.file))
            .collect(),
    }
}

/// The cases of every rule.
pub fn run_cases(pack: &Pack, blunt: Blunt) -> Vec<RuleReport> {
    pack.entries.iter().map(|entry| run(pack.project, entry, blunt)).collect()
}

/// The `main` of a generated crate. Exits with 0 when it did its work, whatever that found, and with
/// 2 when it could not.
pub fn main(pack: &Pack) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut out = std::io::stdout().lock();
    let done = match arguments.as_slice() {
        ["describe"] => line(&mut out, &describe(pack)),
        ["cases"] => lines(&mut out, &run_cases(pack, Blunt::None)),
        ["cases", "--blunt", name] => match Blunt::named(name) {
            Some(blunt) => lines(&mut out, &run_cases(pack, blunt)),
            None => Err(format!("`{name}` is no blunt; allowed: satisfied, violated, nothing")),
        },
        ["grade"] => grade_input(pack.entries, pack, &mut out),
        ["grade", "--after", rule] => match pack.entries.iter().position(|entry| entry.declaration.rule == *rule) {
            Some(position) => grade_input(&pack.entries[position + 1..], pack, &mut out),
            None => Err(format!("there is no checker for `{rule}`")),
        },
        ["explain", rule] => match pack.entries.iter().find(|entry| entry.declaration.rule == *rule) {
            Some(entry) => {
                each_run(|evidence| line(&mut out, &explain(pack, entry, evidence)))
            }
            None => Err(format!("there is no checker for `{rule}`")),
        },
        _ => Err("usage: describe | cases [--blunt satisfied|violated|nothing] | grade [--after RULE] < evidence.jsonl \
                  | explain RULE < evidence.jsonl"
            .to_owned()),
    };
    match done.and_then(|()| out.flush().map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _written = writeln!(std::io::stderr(), "{}: {message}", pack.project);
            ExitCode::from(2)
        }
    }
}

fn line(out: &mut impl Write, value: &impl Serialize) -> Result<(), String> {
    let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
    writeln!(out, "{text}").map_err(|error| error.to_string())
}

fn lines(out: &mut impl Write, values: &[impl Serialize]) -> Result<(), String> {
    values.iter().try_for_each(|value| line(out, value))
}

/// Grades run after run, and tells of each rule as soon as it is graded: should a checker take the process with it,
/// whoever reads knows which one it was, and goes on after it.
fn grade_input(entries: &[Entry], pack: &Pack, out: &mut impl Write) -> Result<(), String> {
    each_run(|evidence| {
        for entry in entries {
            line(out, &OutcomeRow::of(pack, entry, evidence, entry.grade(evidence, Blunt::None)))?;
            out.flush().map_err(|error| error.to_string())?;
        }
        Ok(())
    })
}

/// Reads run after run from standard input.
fn each_run(mut take: impl FnMut(&Evidence) -> Result<(), String>) -> Result<(), String> {
    for (index, text) in std::io::stdin().lock().lines().enumerate() {
        let text = text.map_err(|error| format!("line {}: {error}", index + 1))?;
        if text.trim().is_empty() {
            continue;
        }
        let evidence =
            Evidence::from_line(&text).map_err(|message| format!("line {}: {message}", index + 1))?;
        drop(text);
        take(&evidence)?;
    }
    Ok(())
}

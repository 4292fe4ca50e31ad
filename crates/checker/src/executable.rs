//! The executable that a crate of checkers becomes: it describes itself, runs its cases, and grades
//! evidence from standard input to standard output. All of it is JSON lines.

use crate::cases::run;
use crate::declaration::{Declaration, Exemption, Ownership, Read, State};
use crate::evidence::Evidence;
use crate::explain::explain;
use crate::outcome::{Graded, Outcome};
use crate::pack::{Blunt, Entry, Pack};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, StdoutLock, Write};
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

/// The `main` of a generated crate. Exits with 0 when it did its work, whatever that found, and with
/// 2 when it could not.
pub fn main(pack: &Pack) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let sealed = arguments.pop_if(|last| *last == "--sealed").is_some();
    let answered = Answers::begin(sealed).and_then(|mut answers| {
        answer(pack, &arguments, &mut answers)?;
        answers.out.flush().map_err(|error| error.to_string())
    });
    match answered {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _written = writeln!(std::io::stderr(), "{}: {message}", pack.project);
            ExitCode::from(2)
        }
    }
}

fn answer(pack: &Pack, arguments: &[&str], answers: &mut Answers) -> Result<(), String> {
    let (arguments, after) = match arguments {
        [before @ .., "--after", rule] => (before, Some(*rule)),
        _ => (arguments, None),
    };
    let entries = match after {
        None => pack.entries,
        Some(rule) => match pack.entries.iter().position(|entry| entry.declaration.rule == rule) {
            Some(position) => &pack.entries[position + 1..],
            None => return Err(format!("there is no checker for `{rule}`")),
        },
    };
    match arguments {
        ["describe"] => answers.add(&describe(pack)),
        ["cases"] => run_cases(pack, entries, Blunt::None, answers),
        ["cases", "--blunt", name] => match Blunt::named(name) {
            Some(blunt) => run_cases(pack, entries, blunt, answers),
            None => Err(format!("`{name}` is no blunt; allowed: satisfied, violated, nothing")),
        },
        ["grade"] => grade_input(pack, entries, answers),
        ["explain", rule] => match entries.iter().find(|entry| entry.declaration.rule == *rule) {
            Some(entry) => {
                each_run(answers, |answers, evidence| answers.add(&explain(pack, entry, evidence)))
            }
            None => Err(format!("there is no checker for `{rule}`")),
        },
        _ => Err("usage: describe | cases [--blunt satisfied|violated|nothing] [--after RULE] | \
                  grade [--after RULE] < evidence.jsonl | explain RULE < evidence.jsonl; \
                  and --sealed as the last word"
            .to_owned()),
    }
}

/// Standard output. Each answer is written as soon as it is there: should a checker take the process with it,
/// whoever reads knows which one it was, and goes on after it.
struct Answers {
    out: StdoutLock<'static>,
    seal: Option<String>,
}

impl Answers {
    /// Where answers are sealed, the first line of standard input is a word that no checker is told, and each line
    /// of answers begins with it: what a checker prints by itself is no answer.
    fn begin(sealed: bool) -> Result<Answers, String> {
        let mut seal = String::new();
        if sealed {
            std::io::stdin().read_line(&mut seal).map_err(|error| error.to_string())?;
        }
        let seal = sealed.then(|| seal.trim().to_owned());
        Ok(Answers { out: std::io::stdout().lock(), seal })
    }

    /// The question was read, and the first checker is about to be asked.
    fn asked(&mut self) -> Result<(), String> {
        self.seal.clone().map_or(Ok(()), |seal| self.line(&seal))
    }

    fn add(&mut self, value: &impl Serialize) -> Result<(), String> {
        let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
        match &self.seal {
            None => self.line(&text),
            Some(seal) => self.line(&format!("{seal} {text}")),
        }
    }

    fn line(&mut self, text: &str) -> Result<(), String> {
        let written = writeln!(self.out, "{text}").and_then(|()| self.out.flush());
        written.map_err(|error| error.to_string())
    }
}

fn run_cases(pack: &Pack, entries: &[Entry], blunt: Blunt, answers: &mut Answers) -> Result<(), String> {
    answers.asked()?;
    entries.iter().try_for_each(|entry| answers.add(&run(pack.project, entry, blunt)))
}

/// Grades run after run.
fn grade_input(pack: &Pack, entries: &[Entry], answers: &mut Answers) -> Result<(), String> {
    each_run(answers, |answers, evidence| {
        entries.iter().try_for_each(|entry| {
            let graded = entry.grade(evidence, Blunt::None);
            answers.add(&OutcomeRow::of(pack, entry, evidence, graded))
        })
    })
}

/// Reads run after run from standard input.
fn each_run(
    answers: &mut Answers,
    mut take: impl FnMut(&mut Answers, &Evidence) -> Result<(), String>,
) -> Result<(), String> {
    for (index, text) in std::io::stdin().lock().lines().enumerate() {
        let text = text.map_err(|error| format!("line {}: {error}", index + 1))?;
        if text.trim().is_empty() {
            continue;
        }
        let evidence =
            Evidence::from_line(&text).map_err(|message| format!("line {}: {message}", index + 1))?;
        drop(text);
        answers.asked()?;
        take(answers, &evidence)?;
    }
    Ok(())
}

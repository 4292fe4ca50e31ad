//! A crate of checkers at work: one process that grades run after run.
//!
//! A checker may loop for ever, or take its process with it. The rule that was being graded then has an error of its
//! own, and a process that begins after it grades the others. Nothing has to be sought for that: each answer is written
//! as soon as it is there, so that the rule behind the last one is the culprit. Where a process is lost before it
//! began with the first rule, no rule is, and the run as a whole has the error.

use crate::CompileError;
use crate::build::Program;
use crate::process::{Loss, Patience, Process};
use polc_checker::Outcome;
use polc_checker::cases::RuleReport;
use polc_checker::evidence::Evidence;
use polc_checker::executable::{CheckerDescription, Description, OutcomeRow};
use polc_checker::outcome::Fault;
use polc_checker::pack::Blunt;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// How often the time may run out over one question, before the rest of its rules are given up.
const MOST_TIMEOUTS: usize = 3;

/// How long the cases of one rule may take.
const CASES: Duration = Duration::from_secs(60);

/// Grades runs, one after the other, in a process of its own.
#[derive(Debug)]
pub struct Worker<'p> {
    program: &'p Program,
    description: &'p Description,
    limit: Duration,
    process: Option<Process>,
}

impl<'p> Worker<'p> {
    /// A worker that gives each process this long for one run. Nothing is started yet.
    pub fn new(program: &'p Program, description: &'p Description, limit: Duration) -> Self {
        Worker { program, description, limit, process: None }
    }

    /// Every rule of the crate on one run, in the order of the rules.
    ///
    /// # Errors
    /// Where no process can be started at all.
    pub fn grade(&mut self, evidence: &Evidence) -> Result<Vec<OutcomeRow>, CompileError> {
        let mut line = serde_json::to_vec(evidence).map_err(|error| self.program.fault(error.to_string()))?;
        line.push(b'\n');
        let (description, run) = (self.description, evidence.run.id.as_str());
        let question = Question {
            words: &["grade"],
            input: &line,
            patience: Patience::Whole(self.limit),
            is_answer: &|checker, row: &OutcomeRow| {
                let blank = Outcome::Inapplicable;
                let facts = OutcomeRow::fault(description, checker, run, blank);
                *row == OutcomeRow { graded: row.graded.clone(), ..facts }
            },
            lost: &|checker, kind, message| {
                OutcomeRow::fault(description, checker, run, Outcome::Error { kind, message })
            },
        };
        question.put(self.program, &self.description.checkers, &mut self.process)
    }
}

/// Runs the cases of every rule. A rule whose cases do not come to an end has that as its fault.
pub(crate) fn cases(
    program: &Program,
    checkers: &[CheckerDescription],
    blunt: Blunt,
) -> Result<Vec<RuleReport>, CompileError> {
    let report = |checker: &CheckerDescription, faults| RuleReport {
        rule: checker.rule.clone(),
        file: checker.file.clone(),
        state: checker.state,
        exemption: checker.exemption,
        cases: Vec::new(),
        faults,
        unread: Vec::new(),
    };
    let question = Question {
        words: match blunt {
            Blunt::None => &["cases"],
            Blunt::Satisfied => &["cases", "--blunt", "satisfied"],
            Blunt::Violated => &["cases", "--blunt", "violated"],
            Blunt::Nothing => &["cases", "--blunt", "nothing"],
        },
        input: b"",
        patience: Patience::Each(CASES),
        is_answer: &|checker, given: &RuleReport| {
            let facts = report(checker, given.faults.clone());
            *given == RuleReport { cases: given.cases.clone(), ..facts }
        },
        lost: &|checker, _, message| {
            report(checker, vec![format!("its cases were not run to the end: {message}")])
        },
    };
    question.put(program, checkers, &mut None)
}

/// What is asked of every rule.
struct Question<'q, T> {
    /// How the executable is started.
    words: &'q [&'q str],
    input: &'q [u8],
    patience: Patience,
    /// Whether an answer is that of a checker, to this question.
    is_answer: &'q dyn Fn(&CheckerDescription, &T) -> bool,
    /// What stands for the answer of a checker that was lost.
    lost: &'q dyn Fn(&CheckerDescription, Fault, String) -> T,
}

impl<T: DeserializeOwned> Question<'_, T> {
    /// The answers of all rules, in their order.
    fn put(
        &self,
        program: &Program,
        checkers: &[CheckerDescription],
        kept: &mut Option<Process>,
    ) -> Result<Vec<T>, CompileError> {
        let mut answers: Vec<T> = Vec::with_capacity(checkers.len());
        let mut timeouts = 0;
        while let Some(missing) = checkers.get(answers.len()..).filter(|missing| !missing.is_empty()) {
            let whole = answers.is_empty();
            let last = answers.len().checked_sub(1).and_then(|last| checkers.get(last));
            let reused = kept.take().filter(|process| whole && process.has_time_for(self.patience));
            let is_reused = reused.is_some();
            let mut process = match reused {
                Some(process) => process,
                None => {
                    Process::start(program, self.words, last.map(|last| last.rule.as_str()), self.patience)
                        .map_err(|error| program.fault(error.to_string()))?
                }
            };
            match process.ask(self.input, missing, self.patience, self.is_answer, &mut answers) {
                Ok(()) if whole => *kept = Some(process),
                Ok(()) => {}
                // It ended after its last answer, to another question.
                Err(Loss { begun: false, .. }) if is_reused => {}
                Err(Loss { kind, what, begun }) => {
                    timeouts += usize::from(kind == Fault::TimedOut);
                    let what = process.end(&what);
                    let lost = checkers.get(answers.len()..).unwrap_or_default();
                    let one = begun && timeouts < MOST_TIMEOUTS;
                    let what = if begun { what } else { format!("no checker had begun: {what}") };
                    let lost = lost.iter().take(if one { 1 } else { lost.len() });
                    answers.extend(lost.map(|checker| (self.lost)(checker, kind, what.clone())));
                }
            }
        }
        Ok(answers)
    }
}

//! Outcome rows: what grading stored runs writes, line by line.
//!
//! A file of rows begins with what it was graded by, has for each run a line on the run and one for each rule, and
//! ends with what it came to. Runs stand in the order of the input, rules in the order of their ids.

mod rules;

pub use rules::Rules;

use crate::metrics::Counts;
use polc_checker::evidence::Setting;
use polc_checker::target::Place;
use polc_records::Digest;
use polc_records::vocabulary::{Category, EvidenceType};
use serde::{Deserialize, Serialize};

/// The schema version of rows.
pub const SCHEMA: u32 = 1;

/// How many targets a row names.
pub const MOST_TARGETS: usize = 20;

/// One line of a file of rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum GradeLine {
    /// The first: what the runs were graded by.
    Grade(GradeHead),
    /// Before the rows of a run: what run it is, or why it could not be read.
    Run(RunLine),
    /// One rule in one run.
    Row(Box<Row>),
    /// The last: what it came to.
    End(GradeSummary),
}

/// What runs were graded by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradeHead {
    /// Schema version.
    pub schema: u32,
    /// The project whose rules they are.
    pub project: String,
    /// How many rules there are: so many rows has every run that could be read.
    pub rules: usize,
    /// What outcomes depend on.
    #[serde(flatten)]
    pub versions: Versions,
    /// Which runs of the list these are, where they are not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<ListPart>,
}

/// The versions of what an outcome depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// The digest of the corpus.
    pub corpus: String,
    /// The digest of the crate of checkers.
    pub checkers: String,
    /// The version of the runtime.
    pub runtime: String,
}

/// Every n-th run of a list, to share one list between several processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListPart {
    /// Which part, from 1.
    pub part: u64,
    /// Of how many.
    pub of: u64,
}

impl ListPart {
    /// The whole list.
    pub const WHOLE: ListPart = ListPart { part: 1, of: 1 };

    /// Whether a run, by its ordinal, is in this part.
    pub const fn has(self, ordinal: u64) -> bool {
        ordinal % self.of == self.part % self.of
    }
}

/// A run, before its rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLine {
    /// Its number in the list of runs, from 1.
    pub ordinal: u64,
    /// Where it was read: a path, with the number of the line where one file holds many runs.
    pub source: String,
    /// What became of reading it.
    #[serde(flatten)]
    pub read: ReadRun,
}

/// What became of reading a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "read")]
pub enum ReadRun {
    /// It was read: its rows follow.
    Whole {
        /// What names the run.
        run: String,
        /// The digest of its evidence.
        evidence: Digest,
        /// What has to be said of it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remarks: Vec<String>,
    },
    /// It was not: it has no rows.
    Failed {
        /// Why.
        error: String,
    },
}

/// One outcome: one rule in one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The number of the run in the list of runs, from 1.
    pub ordinal: u64,
    /// What names the run.
    pub run: String,
    /// Its project.
    pub project: String,
    /// Its task.
    pub instance: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The scaffold around it.
    pub scaffold: Option<String>,
    /// How the project's rules reached it.
    pub setting: Setting,
    /// Which attempt at the task it is.
    pub attempt: Option<u32>,
    /// The rule.
    pub rule: String,
    /// Its category; none where the corpus has no such rule.
    pub category: Option<Category>,
    /// Its evidence type; none where the corpus has no such rule.
    pub evidence_type: Option<EvidenceType>,
    /// Whether the checker decides its rule directly; none where there is no checker.
    pub exact: Option<bool>,
    /// Whether the rule needs a person in the loop.
    pub human_in_the_loop: bool,
    /// Whether a tool repairs violations by itself.
    pub auto_fix: bool,
    /// Whether something about the rule could not be settled.
    pub low_confidence: bool,
    /// What it came to.
    pub outcome: OutcomeName,
    /// How far that goes, or what stood in the way.
    pub status: Status,
    /// How many targets were selected.
    pub selected: usize,
    /// How many of them could be judged.
    pub judged: usize,
    /// How many violate the rule.
    pub violating: usize,
    /// The first of those that decided the outcome.
    pub targets: Vec<RowTarget>,
    /// Why, in words: of a violation, what the first target is to become.
    pub reason: Option<String>,
    /// The digest of the corpus.
    pub corpus: String,
    /// The digest of the crate of checkers.
    pub checkers: String,
    /// The version of the runtime.
    pub runtime: String,
}

/// An outcome by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeName {
    /// Every target that could be judged keeps the rule, and at least one could.
    Satisfied,
    /// A target breaks it.
    Violated,
    /// There is no target.
    Inapplicable,
    /// No target could be judged.
    Withheld,
    /// A fault of ours: outside every rate.
    Error,
}

/// How far an outcome goes, or what stood in the way of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Every target was judged.
    Ok,
    /// Some of the targets could not be judged.
    Partly,
    /// Withheld: this kind of run never carries the evidence.
    NotCarried,
    /// Withheld: this run should carry it and does not.
    NotInThisRun,
    /// Withheld: it cannot be read as what it should be.
    NotParseable,
    /// Error: the checker is a stub.
    Unwritten,
    /// Error: the checker panicked.
    Panic,
    /// Error: the checker read what it does not declare.
    UndeclaredRead,
    /// Error: the checker selected what nobody answers for.
    NotOwned,
    /// Error: the checker selected, asked about or withheld by what is not of the run.
    Forged,
    /// Error: the process died at this checker.
    Died,
    /// Error: the checker did not come to an end in time.
    TimedOut,
    /// Error: the crate has no checker for the rule.
    NoChecker,
    /// Error: the checker is written for another text of the rule.
    AnotherText,
    /// Error: there is a checker, and no rule of the corpus that binds.
    NoRule,
}

/// A target, as a row names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowTarget {
    /// Where.
    pub place: Place,
    /// The first characters of what stands there.
    pub snippet: String,
    /// Why it violates the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What grading came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GradeSummary {
    /// Schema version.
    pub schema: u32,
    /// The project whose rules they are.
    pub project: String,
    /// How many runs the list has.
    pub listed: u64,
    /// The digest of the list: of the sources of all its runs, each followed by a line feed.
    pub list: Digest,
    /// How many runs of it were taken up.
    pub runs: u64,
    /// How many of them could not be read.
    pub unreadable: u64,
    /// How many rows there are.
    pub rows: u64,
    /// How many of them came to what.
    pub counts: Counts,
    /// Triggered over graded rows.
    pub triggering_rate: Option<f64>,
    /// Satisfied over judged rows.
    pub compliance_rate: Option<f64>,
}

/// The runs and rows that were counted so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Runs.
    pub runs: u64,
    /// Those of them that could not be read.
    pub unreadable: u64,
    /// What the rows came to.
    pub counts: Counts,
}

impl Tally {
    /// Counts a line.
    pub fn count(&mut self, line: &GradeLine) {
        match line {
            GradeLine::Grade(_) | GradeLine::End(_) => {}
            GradeLine::Run(run) => {
                self.runs += 1;
                self.unreadable += u64::from(matches!(run.read, ReadRun::Failed { .. }));
            }
            GradeLine::Row(row) => {
                let count = match row.outcome {
                    OutcomeName::Satisfied => &mut self.counts.satisfied,
                    OutcomeName::Violated => &mut self.counts.violated,
                    OutcomeName::Inapplicable => &mut self.counts.inapplicable,
                    OutcomeName::Withheld => &mut self.counts.withheld,
                    OutcomeName::Error => &mut self.counts.errors,
                };
                *count += 1;
            }
        }
    }

    /// Adds others.
    pub fn add(&mut self, others: Tally) {
        self.runs += others.runs;
        self.unreadable += others.unreadable;
        self.counts.add(others.counts);
    }

    /// What it comes to.
    pub fn summary(&self, project: &str, listed: u64, list: Digest) -> GradeSummary {
        GradeSummary {
            schema: SCHEMA,
            project: project.to_owned(),
            listed,
            list,
            runs: self.runs,
            unreadable: self.unreadable,
            rows: self.counts.all() as u64,
            triggering_rate: self.counts.triggering_rate(),
            compliance_rate: self.counts.compliance_rate(),
            counts: self.counts,
        }
    }
}

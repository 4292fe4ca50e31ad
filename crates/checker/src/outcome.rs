//! Outcomes and their arithmetic (B.5.1, C.4).

use crate::evidence::Absence;
use crate::target::Place;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

thread_local! {
    /// The number of the call of a checker that is under way.
    static CALL: Cell<u64> = const { Cell::new(0) };
}

/// Begins a call of a function of a checker: what was missing in an earlier one does not count in it.
pub(crate) fn begin_call() {
    CALL.set(CALL.get().wrapping_add(1));
}

/// Evidence that is not there. Only this runtime makes one, so that no checker can withhold where
/// everything it declares is present; and it counts in the call alone that it was made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    what: String,
    cause: Absence,
    call: u64,
}

impl Missing {
    pub(crate) fn new(what: &str, cause: Absence) -> Self {
        Missing { what: what.to_owned(), cause, call: CALL.get() }
    }

    /// Whether it was made since the last call of a checker began.
    pub(crate) fn is_of_this_call(&self) -> bool {
        self.call == CALL.get()
    }

    pub(crate) fn told(&self) -> String {
        format!("{} is {}", self.what, self.cause.as_str())
    }

    pub(crate) fn into_outcome(self) -> Outcome {
        Outcome::Withheld { what: self.what, cause: self.cause }
    }
}

/// What a post-condition says of one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// It keeps the rule.
    Satisfied,
    /// It breaks the rule, with the reason for the contributor who reads it.
    Violated(String),
    /// It cannot be told, for want of evidence.
    Undetermined(Missing),
}

impl Judgement {
    /// Satisfied, or violated with a reason.
    pub fn when(satisfied: bool, reason: impl FnOnce() -> String) -> Self {
        if satisfied { Judgement::Satisfied } else { Judgement::Violated(reason()) }
    }

    /// The same, where what is asked may be unknown.
    pub fn when_known(satisfied: Result<bool, Missing>, reason: impl FnOnce() -> String) -> Self {
        satisfied.map_or_else(Judgement::Undetermined, |satisfied| Judgement::when(satisfied, reason))
    }
}

/// What a rule comes to in one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// Every target that could be judged keeps it, and at least one could.
    Satisfied,
    /// A target breaks it.
    Violated,
    /// The precondition selected nothing.
    Inapplicable,
    /// No target could be judged.
    Withheld {
        /// What was not there.
        what: String,
        /// Why.
        cause: Absence,
    },
    /// A fault of ours: outside every rate.
    Error {
        /// What kind.
        kind: Fault,
        /// In words.
        message: String,
    },
}

/// A fault of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The checker is a stub.
    Unwritten,
    /// The checker panicked.
    Panic,
    /// The checker read what it does not declare.
    UndeclaredRead,
    /// The checker selected what its ownership does not own.
    NotOwned,
    /// The checker selected, asked about or withheld by what is not of this run.
    Forged,
    /// The process died while the checker was at work: its stack, its memory, or what it called.
    Died,
    /// The checker did not come to an end within the time limit.
    TimedOut,
}

/// A target that breaks the rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// Where.
    pub place: Place,
    /// The first characters of what stands there.
    pub snippet: String,
    /// Why, for the contributor.
    pub reason: String,
}

/// A target that an outcome other than violated rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Where.
    pub place: Place,
    /// The first characters of what stands there.
    pub snippet: String,
}

/// What grading one rule on one run gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graded {
    /// The outcome.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// How many targets were selected.
    pub selected: usize,
    /// How many of them could be judged.
    pub judged: usize,
    /// How many break the rule.
    pub violating: usize,
    /// Each of those.
    pub violations: Vec<Violation>,
    /// Where none does: the first targets that satisfy it or, where none could be judged, the first of those.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<Seen>,
}

/// How many characters of a snippet a row carries.
pub const MOST_SNIPPET: usize = 300;

/// How many targets are kept that violate nothing.
pub const MOST_SEEN: usize = 20;

impl Graded {
    /// An outcome without targets.
    pub fn without_targets(outcome: Outcome) -> Self {
        Graded { outcome, selected: 0, judged: 0, violating: 0, violations: Vec::new(), seen: Vec::new() }
    }

    /// What the judgements of all targets come to.
    pub fn of(judgements: Vec<(Place, String, Judgement)>) -> Self {
        let selected = judgements.len();
        let (mut kept, mut open) = (Vec::new(), Vec::new());
        let mut violations = Vec::new();
        let mut satisfied = 0;
        let mut violating = 0;
        let mut undetermined: Option<Missing> = None;
        for (place, snippet, judgement) in judgements {
            let snippet: String = snippet.chars().take(MOST_SNIPPET).collect();
            match judgement {
                Judgement::Satisfied => {
                    satisfied += 1;
                    note(&mut kept, place, snippet);
                }
                Judgement::Violated(reason) => {
                    violating += 1;
                    violations.push(Violation { place, snippet, reason });
                }
                Judgement::Undetermined(missing) => {
                    undetermined = undetermined.or(Some(missing));
                    note(&mut open, place, snippet);
                }
            }
        }
        let (outcome, seen) = match undetermined {
            _ if violating > 0 => (Outcome::Violated, Vec::new()),
            _ if satisfied > 0 => (Outcome::Satisfied, kept),
            Some(missing) => (missing.into_outcome(), open),
            None => (Outcome::Inapplicable, Vec::new()),
        };
        Graded { outcome, selected, judged: satisfied + violating, violating, violations, seen }
    }
}

fn note(seen: &mut Vec<Seen>, place: Place, snippet: String) {
    if seen.len() < MOST_SEEN {
        seen.push(Seen { place, snippet });
    }
}

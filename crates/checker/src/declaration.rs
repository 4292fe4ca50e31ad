//! What a checker says of itself.

use serde::{Deserialize, Serialize};

/// What a checker may hold a contributor responsible for (B.5.5). It is about the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ownership {
    /// Something was produced at all, present or absent: a commit, a new file, a disclosure.
    Created,
    /// Form: only lines that were written, and places where lines were deleted.
    Touched,
    /// Consistency: what surrounds a change has to agree with it.
    Enclosing,
}

/// A part of the evidence that a checker reads. It reads nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Read {
    /// The commits and their messages.
    Commits,
    /// The files that were changed, before and after.
    Files,
    /// The title and body of the pull request.
    PullRequest,
    /// The files of the tree at the end, committed or not.
    Worktree,
    /// What git said of the tree at the end.
    Status,
    /// What the agent did.
    Steps,
    /// What was recorded of the environment before the run.
    Probe,
    /// What the functional tests said.
    Evaluation,
    /// What tools that ran outside found.
    ToolRuns,
}

impl Read {
    /// All parts.
    pub const ALL: [Read; 9] = [
        Read::Commits,
        Read::Files,
        Read::PullRequest,
        Read::Worktree,
        Read::Status,
        Read::Steps,
        Read::Probe,
        Read::Evaluation,
        Read::ToolRuns,
    ];

    /// The name in files and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Read::Commits => "commits",
            Read::Files => "files",
            Read::PullRequest => "pull-request",
            Read::Worktree => "worktree",
            Read::Status => "status",
            Read::Steps => "steps",
            Read::Probe => "probe",
            Read::Evaluation => "evaluation",
            Read::ToolRuns => "tool-runs",
        }
    }
}

/// Parts of the evidence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ReadSet(u16);

impl ReadSet {
    pub(crate) fn with(self, read: Read) -> Self {
        ReadSet(self.0 | 1 << read as u16)
    }

    pub(crate) fn union(self, other: Self) -> Self {
        ReadSet(self.0 | other.0)
    }

    pub(crate) fn has(self, read: Read) -> bool {
        self.0 & 1 << read as u16 != 0
    }

    pub(crate) fn reads(self) -> Vec<Read> {
        Read::ALL.into_iter().filter(|read| self.has(*read)).collect()
    }
}

/// One of the two functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// The selection.
    Precondition,
    /// The judgement.
    Postcondition,
}

/// Which way an approximate checker errs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// It lets something through that breaks the rule, or does not select it.
    Misses,
    /// It reports something that keeps the rule, or selects what the rule does not cover.
    Alarms,
    /// Either.
    Both,
}

/// The visible trace that an approximate checker goes by (B.5.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Trace {
    /// Where it stands in for the property.
    pub layer: Layer,
    /// What is looked at.
    pub trace: &'static str,
    /// Which way it errs.
    pub errs: Direction,
}

/// Whether a checker decides its rule or a trace of it (B.5.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exactness {
    /// It decides the rule.
    Exact,
    /// It decides by these traces.
    Approximate(&'static [Trace]),
}

impl Exactness {
    /// Whether it decides its rule directly.
    pub const fn is_exact(self) -> bool {
        matches!(self, Exactness::Exact)
    }
}

/// Why a checker cannot have all three types of case (B.5.2). There are no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exemption {
    /// A person has to be in the loop: nothing in the evidence satisfies it.
    HumanInTheLoop,
    /// The evidence is never carried: a withheld case stands for the satisfying and violating ones.
    NotCarried,
    /// Only violations can be selected.
    SelectsOnlyViolations,
}

/// Whether a checker is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It is.
    Written,
    /// It is a stub: it grades as an error and fails the tests of its crate by name.
    Unwritten,
}

/// What a checker says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Declaration {
    /// The rule.
    pub rule: &'static str,
    /// The digest of what it was written for: sentence, restatement, evidence type and trigger.
    pub written_for: &'static str,
    /// Whether it is written.
    pub state: State,
    /// What it may hold a contributor responsible for.
    pub ownership: Ownership,
    /// What it reads.
    pub reads: &'static [Read],
    /// Exact, or by which trace.
    pub exactness: Exactness,
    /// Why it cannot have all three types of case.
    pub exemption: Option<Exemption>,
}

impl Declaration {
    /// The declaration of a stub.
    pub const fn unwritten(rule: &'static str, written_for: &'static str) -> Self {
        Declaration {
            rule,
            written_for,
            state: State::Unwritten,
            ownership: Ownership::Created,
            reads: &[],
            exactness: Exactness::Exact,
            exemption: None,
        }
    }

    /// The declaration of an exact checker without an exemption.
    pub const fn exact(
        rule: &'static str,
        written_for: &'static str,
        ownership: Ownership,
        reads: &'static [Read],
    ) -> Self {
        Declaration {
            rule,
            written_for,
            state: State::Written,
            ownership,
            reads,
            exactness: Exactness::Exact,
            exemption: None,
        }
    }

    /// The same, approximate: by these traces.
    #[must_use]
    pub const fn approximate(mut self, traces: &'static [Trace]) -> Self {
        self.exactness = Exactness::Approximate(traces);
        self
    }

    /// The same, exempt from a type of case.
    #[must_use]
    pub const fn exempt(mut self, exemption: Exemption) -> Self {
        self.exemption = Some(exemption);
        self
    }

    /// Whether a person has to be in the loop.
    pub const fn human_in_the_loop(&self) -> bool {
        matches!(self.exemption, Some(Exemption::HumanInTheLoop))
    }
}

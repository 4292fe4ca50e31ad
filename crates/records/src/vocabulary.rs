//! The closed vocabularies: one enum each, one spelling on disk.
//!
//! An unknown value is an error that names the value and the values allowed. Section numbers are
//! the paper's.

use crate::problem::UnknownValue;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident, $what:literal, { $($(#[$vmeta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every value, in the order of the vocabulary.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];
            /// Every spelling, in the same order.
            pub const SPELLINGS: &'static [&'static str] = &[$($text),+];

            /// The one spelling on disk.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownValue;
            fn from_str(text: &str) -> Result<Self, UnknownValue> {
                match text {
                    $($text => Ok($name::$variant),)+
                    _ => Err(UnknownValue { what: $what, value: text.to_owned(), allowed: $name::SPELLINGS }),
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

vocabulary! {
    /// The questions of a review of checkers (B.6.1).
    Criterion, "criterion", {
        /// The code encodes the rule, neither more strictly nor more loosely than its sentence.
        Encodes = "C1",
        /// The precondition selects what the rule applies to.
        Precondition = "C2",
        /// The post-condition fires on the violating case and is silent on the satisfying one.
        Postcondition = "C3",
        /// Exact or approximate.
        Exactness = "C4",
    }
}

vocabulary! {
    /// Whether a criterion is met.
    Met, "answer", {
        /// It is.
        Yes = "yes",
        /// It is not, or it cannot be settled.
        No = "no",
    }
}

vocabulary! {
    /// Whether a checker decides its rule, or a trace of it (B.5.3).
    Exactness, "exactness", {
        /// The rule itself.
        Exact = "exact",
        /// A trace.
        Approximate = "approximate",
    }
}

vocabulary! {
    /// What a rater says of a checker as a whole.
    Opinion, "verdict", {
        /// It is right.
        Accept = "accept",
        /// It is not, or that cannot be settled.
        Reject = "reject",
    }
}

vocabulary! {
    /// The eight categories, fixed (A.2).
    Category, "category", {
        /// Documentation and docstrings.
        Documentation = "Documentation and docstrings",
        /// Language and framework style.
        Style = "Language and framework style",
        /// Tests and test style.
        Tests = "Tests and test style",
        /// Deprecations, new modules and other procedures of their own.
        Specialized = "Specialized changes",
        /// Pull request text, changelog, release metadata.
        PullRequest = "PR and release metadata",
        /// Commits, branches, messages.
        Git = "Git and commit conventions",
        /// What a project asks of contributions made with AI.
        AiPolicy = "AI-assisted contribution policy",
        /// Linting, dependencies, quality gates.
        Quality = "Code and quality",
    }
}

vocabulary! {
    /// What the check has to open to decide (D.1.1).
    EvidenceType, "evidence type", {
        /// The final files or the message, read once.
        Output = "output",
        /// Two states, compared.
        Differential = "differential",
        /// A record of what was done.
        Trajectory = "trajectory",
        /// Nothing: the standard is not written down.
        Judgment = "judgment",
    }
}

vocabulary! {
    /// The final requirement level (D.1.3). Only rows in scope have one.
    Level, "requirement level", {
        /// A requirement: gets a checker.
        Must = "must",
        /// A recommendation: no checker, by design.
        Should = "should",
    }
}

vocabulary! {
    /// What the modal verb alone implies (B.3). Never reconciled with the final level.
    ModalLevel, "modal level", {
        /// Must, shall, required, or a bare imperative.
        Must = "must",
        /// Should, please, prefer, may.
        Should = "should",
        /// Must not, never, do not.
        Prohibited = "prohibited",
    }
}

vocabulary! {
    /// The route that decided the level: six to must, four to should (Tables 21 and 22).
    LevelRoute, "route of the level", {
        /// Says so outright.
        M1 = "M1",
        /// Forbids something.
        M2 = "M2",
        /// Is a condition of acceptance.
        M3 = "M3",
        /// Names an exact thing, limit, form or ordering.
        M4 = "M4",
        /// Stated non-mandatorily, but admits only one satisfying state.
        M5 = "M5",
        /// States a consequence in the source.
        M6 = "M6",
        /// Uses preference wording.
        D1 = "D1",
        /// Permits deviation in its documentation.
        D2 = "D2",
        /// Fixed form, but whether it applies is a judgment call.
        D3 = "D3",
        /// Instructs on how, not what.
        D4 = "D4",
    }
}

impl LevelRoute {
    /// The level that the route leads to.
    pub const fn level(self) -> Level {
        match self {
            LevelRoute::M1
            | LevelRoute::M2
            | LevelRoute::M3
            | LevelRoute::M4
            | LevelRoute::M5
            | LevelRoute::M6 => Level::Must,
            LevelRoute::D1 | LevelRoute::D2 | LevelRoute::D3 | LevelRoute::D4 => Level::Should,
        }
    }
}

vocabulary! {
    /// The four ways out of scope, in the order they are tried (D.1.2). Never pooled in a count.
    ScopeRoute, "out-of-scope route", {
        /// Not observable: the setting never creates the artifact.
        N1 = "N1",
        /// Subjective: what passes is not stated.
        N2 = "N2",
        /// Duplicate of another rule.
        N3 = "N3",
        /// Whether it applies turns on a fact outside the run.
        N4 = "N4",
    }
}

vocabulary! {
    /// What a rule applies to; a row names one or more.
    AppliesTo, "value of Applies to", {
        /// Source code.
        Code = "code",
        /// Tests.
        Test = "test",
        /// Documentation.
        Docs = "docs",
        /// Commits and their messages.
        Commit = "commit",
        /// The pull request's text.
        Pr = "PR",
        /// How the work is done.
        Workflow = "workflow",
        /// Continuous integration.
        Ci = "CI",
    }
}

vocabulary! {
    /// The role of a source (B.2).
    SourceRole, "source role", {
        /// Carries obligations.
        Rules = "rules",
        /// Yields no rules, makes another source decidable.
        ContextOnly = "context-only",
        /// Outside scope, with a code.
        Excluded = "excluded",
    }
}

vocabulary! {
    /// How much of a source is in scope.
    Inclusion, "inclusion", {
        /// Every section.
        Full = "full",
        /// Some sections; the headings on each side are named.
        Partial = "partial",
        /// None.
        Excluded = "excluded",
    }
}

vocabulary! {
    /// Why a source or section is out (B.2). X-ISSUE and X-NARRATIVE are never pooled.
    ExclusionCode, "exclusion code", {
        /// Install, build, environment.
        Install = "X-INSTALL",
        /// Governance, conduct.
        Governance = "X-GOV",
        /// Releasing, merging, maintainer-only.
        Maintainer = "X-MAINT",
        /// Reviewing others, triage.
        Triage = "X-TRIAGE",
        /// Obligations on a bug report.
        Issue = "X-ISSUE",
        /// No obligation.
        Narrative = "X-NARRATIVE",
        /// Could not be read at the pin.
        FetchFailed = "X-FETCH-FAILED",
        /// Served at another version than the pin.
        Version = "X-VERSION",
    }
}

vocabulary! {
    /// Why a sentence of an in-scope section is not a rule (invariant 6 of the domain page).
    LedgerReason, "ledger reason", {
        /// States a fact.
        Description = "description",
        /// Says why.
        Rationale = "rationale",
        /// Says how it came to be.
        History = "history",
        /// Tells a reviewer what to do.
        AboutReviewing = "about reviewing others",
        /// Says what maintainers do.
        MaintainerAct = "maintainer's act",
        /// Lists the members of an interface.
        Catalogue = "catalogue of an interface",
        /// Addresses users, reporters, anyone but contributors.
        NotContributors = "not addressed to contributors",
    }
}

vocabulary! {
    /// What a quoted sentence of the section does for its rule (B.3).
    ContextKind, "kind of context", {
        /// Grants an exception.
        Exception = "exception",
        /// States a consequence.
        Consequence = "consequence",
        /// Names enforcement tooling.
        Tooling = "tooling",
        /// Offers an alternative.
        Alternative = "alternative",
    }
}

vocabulary! {
    /// The form in which a source states a rule.
    Form, "form", {
        /// A sentence of running text.
        Prose = "prose",
        /// An item of a list.
        Item = "list item",
        /// An item with a check box.
        Checklist = "checklist item",
        /// A comment, which a rendered view hides.
        Comment = "comment",
        /// Not recorded, in an imported row.
        Unstated = "unstated",
    }
}

vocabulary! {
    /// Three values: a fact holds, does not hold, or could not be settled.
    Truth, "truth value", {
        /// Holds.
        Yes = "yes",
        /// Does not hold.
        No = "no",
        /// Could not be settled from the text.
        Unknown = "unknown",
    }
}

impl Truth {
    /// Kleene's conjunction.
    #[must_use]
    pub fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::No, _) | (_, Truth::No) => Truth::No,
            (Truth::Yes, Truth::Yes) => Truth::Yes,
            (Truth::Unknown, _) | (_, Truth::Unknown) => Truth::Unknown,
        }
    }

    /// Kleene's negation.
    #[must_use]
    pub fn negated(self) -> Truth {
        match self {
            Truth::Yes => Truth::No,
            Truth::No => Truth::Yes,
            Truth::Unknown => Truth::Unknown,
        }
    }
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Truth::Yes } else { Truth::No }
    }
}

vocabulary! {
    /// A fact about one rule that an engine answers and the rubric tables decide on.
    Fact, "fact", {
        /// The documentation does not say what passing looks like.
        StandardUnwritten = "standard_unwritten",
        /// Two states have to be compared.
        ComparesStates = "compares_states",
        /// The rule constrains how the work is done, or discloses it.
        ConstrainsProcess = "constrains_process",
        /// An artifact that the rule governs exists in the setting. Derived, never answered.
        ArtifactExists = "artifact_exists",
        /// The failure condition can be written without a vague word.
        FailureStatable = "failure_statable",
        /// Another rule opens the same artifact to the same verdict. Derived, never answered.
        Duplicate = "duplicate",
        /// Whether it applies turns on a fact outside the contributor's own behaviour.
        AppliesByOutsideFact = "applies_by_outside_fact",
        /// Must, required and their like.
        SaysOutright = "says_outright",
        /// Never, do not, must not.
        Forbids = "forbids",
        /// Part of a checklist before merging, or a named CI job.
        AcceptanceCondition = "acceptance_condition",
        /// Names a token, a limit, a form or an ordering.
        ExactThing = "exact_thing",
        /// Only one state of the work satisfies it.
        OneSatisfyingState = "one_satisfying_state",
        /// The source states what happens otherwise.
        Consequence = "consequence",
        /// Prefer, try to, ideally and their like.
        PreferenceWording = "preference_wording",
        /// A quoted sentence outside the rule's own grants an exception.
        DeviationPermitted = "deviation_permitted",
        /// Whether the rule applies is left to judgment.
        ApplicabilityJudged = "applicability_judged",
        /// Describes a property or a manner, names no thing.
        Manner = "manner",
    }
}

impl Fact {
    /// Whether code derives this fact from the others and the setting, so that no engine answers it.
    pub const fn is_derived(self) -> bool {
        matches!(self, Fact::ArtifactExists | Fact::Duplicate)
    }

    /// The facts that an engine answers, every one of them, for every rule.
    pub fn answered() -> impl Iterator<Item = Fact> {
        Fact::ALL.iter().copied().filter(|fact| !fact.is_derived())
    }
}

vocabulary! {
    /// Something a contribution or its process leaves behind, or does not (Table 20).
    Artifact, "artifact", {
        /// The files as they are at the end.
        Files = "files",
        /// The difference to the base.
        Diff = "diff",
        /// A commit's message.
        CommitMessage = "commit message",
        /// The title and body of the pull request, as text.
        PullRequestText = "pull request text",
        /// The commands that were run and what they printed.
        Commands = "commands",
        /// A test run on the contributor's machine.
        LocalTestRun = "local test run",
        /// The set of commits, their order and their contents.
        CommitSeries = "commit series",
        /// Branches, where they start, rebases and pushes.
        BranchHistory = "branch history",
        /// The pull request as an object: reviewers, labels, drafts, target branch.
        PullRequestObject = "pull request object",
        /// What reviewers and the contributor write to each other.
        ReviewThread = "review thread",
        /// Runs of continuous integration and coverage services.
        CiService = "CI service",
        /// Issues and their comments.
        IssueTracker = "issue tracker",
        /// The documentation as built or rendered.
        BuiltDocumentation = "built documentation",
        /// A second person.
        SecondHuman = "second human",
        /// Who the contributor is.
        ContributorIdentity = "contributor identity",
    }
}

vocabulary! {
    /// What is odd about an imported row: told, and no reason to refuse it.
    OddityKind, "oddity", {
        /// Pieces of the source are put together into one quote.
        Joined = "joined fragments",
        /// The quote leaves something out.
        Elided = "elision",
        /// Another row has the same quote.
        Reused = "reused quote",
        /// A cell says `none` where it could be empty.
        LiteralNone = "literal none",
        /// A cell is empty.
        Blank = "blank cell",
        /// A value is written otherwise than polc writes it.
        Respelled = "respelled",
        /// Ids before this one are missing.
        Gap = "id gap",
        /// A corpus does not say what the modal verb implies: it is taken from the level.
        ModalUnstated = "modal level not stated",
        /// A corpus does not say by which route: it is taken from the level or the evidence type.
        RouteUnstated = "route not stated",
        /// A corpus states no line of reasoning.
        ReasoningUnstated = "reasoning not stated",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_value_names_itself_and_the_values_allowed() {
        let error = "static".parse::<EvidenceType>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`static` is no evidence type; allowed: output, differential, trajectory, judgment"
        );
    }

    #[test]
    fn every_spelling_reads_back() {
        for category in Category::ALL {
            assert_eq!(category.as_str().parse(), Ok(*category));
        }
        for fact in Fact::ALL {
            assert_eq!(fact.as_str().parse(), Ok(*fact));
        }
        for artifact in Artifact::ALL {
            assert_eq!(artifact.as_str().parse(), Ok(*artifact));
        }
    }

    #[test]
    fn kleene_tables() {
        use Truth::{No, Unknown, Yes};
        assert_eq!(Yes.and(Unknown), Unknown);
        assert_eq!(No.and(Unknown), No);
        assert_eq!(Unknown.and(Unknown), Unknown);
        assert_eq!(Unknown.negated(), Unknown);
    }
}

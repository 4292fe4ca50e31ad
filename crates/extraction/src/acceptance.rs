//! Checkpoint 3: ten named checks on a corpus (Table 13, last row, and four of ours).
//!
//! A corpus is read leniently, so that one that breaks a check is told which, and not only that it
//! does not parse.

mod bands;
mod checks;

pub(crate) use checks::masked;

pub use bands::{Bands, Plausible};

use crate::coverage::Sentence;
use crate::grounding::Grounds;
use polc_records::Digest;
use polc_records::decisions::Decisions;
use polc_records::extraction::Extraction;
use polc_records::facts::FactsHeader;
use polc_records::ids::Slug;
use polc_records::ledger::{LedgerHeader, LedgerLine};
use polc_records::table::LooseTable;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// What is checked.
pub struct Submission<'s> {
    /// The project.
    pub slug: &'s Slug,
    /// `rules.csv`, as it is named in messages.
    pub path: &'s Path,
    /// Its text.
    pub rules: &'s str,
    /// Its rows, however they are spelled.
    pub table: &'s LooseTable,
    /// What it was classified from, with the digest of the file.
    pub extraction: (&'s Extraction, Digest),
    /// What decided it; none where the labels were imported.
    pub facts: Option<&'s FactsHeader>,
    /// The digest under which imported labels are on record.
    pub imported: Option<Digest>,
    /// Who decided what.
    pub decisions: &'s Decisions,
    /// Every sentence in scope; none where the extraction was imported.
    pub ledger: Option<(&'s LedgerHeader, &'s [LedgerLine])>,
    /// How many words the sections in scope have.
    pub words: usize,
    /// The sentences in scope, as the sources have them now.
    pub sentences: &'s [Sentence],
    /// The sources.
    pub grounds: &'s Grounds<'s>,
    /// What is plausible.
    pub bands: &'s Bands,
}

/// The checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckName {
    /// The ratio of rules to the length of their sources is in the band.
    Density,
    /// Judgment and in scope never co-occur.
    JudgmentOutOfScope,
    /// Modal and rubric levels differ on some rules, the direction recorded.
    LevelsDiffer,
    /// Reasoning is distinct across rows.
    ReasoningDistinct,
    /// What cannot be observed is counted apart from the other reasons.
    NotObservableApart,
    /// The table conforms to its schema.
    Schema,
    /// Every quote is found in its source.
    QuotesGrounded,
    /// Every artifact was made from the ones that are there.
    DigestsMatch,
    /// Every sentence in scope is in the ledger, and every rule.
    LedgerComplete,
    /// Ids are contiguous over all that were ever given.
    IdsContiguous,
}

impl CheckName {
    /// What it asks, in words.
    pub const fn asks(self) -> &'static str {
        match self {
            CheckName::Density => "the ratio of rules to the length of their sources is plausible",
            CheckName::JudgmentOutOfScope => "judgment is never in scope",
            CheckName::LevelsDiffer => "the level differs from the modal verb's on some rules",
            CheckName::ReasoningDistinct => "reasoning is distinct across rows, ids and quotes left out",
            CheckName::NotObservableApart => "every reason out of scope has its code, N1 counted apart",
            CheckName::Schema => "the table conforms to its schema",
            CheckName::QuotesGrounded => "every quote is found in its source",
            CheckName::DigestsMatch => "every artifact was made from those that are there",
            CheckName::LedgerComplete => "every sentence in scope and every rule is in the ledger",
            CheckName::IdsContiguous => "ids are contiguous, those retired included",
        }
    }
}

/// What a check came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "result")]
pub enum CheckResult {
    /// It holds.
    Passed,
    /// It says nothing here, and why.
    Warned {
        /// Why.
        why: String,
    },
    /// It does not hold.
    Failed {
        /// Each row or file that breaks it, and how.
        faults: Vec<String>,
    },
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Which.
    pub name: CheckName,
    /// What was measured, in words.
    pub measured: String,
    /// What it came to.
    #[serde(flatten)]
    pub result: CheckResult,
}

/// All ten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Acceptance {
    /// The digest of the corpus.
    pub rules: Digest,
    /// The checks, in their order.
    pub checks: Vec<Check>,
}

/// Runs every check.
pub fn accept(submission: &Submission<'_>) -> Acceptance {
    let checks = vec![
        checks::density(submission),
        checks::judgment(submission),
        checks::levels(submission),
        checks::reasoning(submission),
        checks::not_observable(submission),
        checks::schema(submission),
        checks::quotes(submission),
        checks::digests(submission),
        checks::ledger(submission),
        checks::ids(submission),
    ];
    Acceptance { rules: Digest::of(submission.rules), checks }
}

impl Acceptance {
    /// Whether no check failed.
    pub fn holds(&self) -> bool {
        !self.checks.iter().any(|check| matches!(check.result, CheckResult::Failed { .. }))
    }

    /// The report, for people: `corpora/<slug>/acceptance.md`.
    pub fn render(&self, slug: &Slug) -> String {
        let passed = self.checks.iter().filter(|check| check.result == CheckResult::Passed).count();
        let verdict = if self.holds() { "accepted" } else { "not accepted" };
        let mut text = format!(
            "# Acceptance of {slug}\n\nMade by `polc accept {slug}` from the corpus with the digest {}: {verdict}, {passed} of {} \
             checks passed.\n",
            self.rules,
            self.checks.len()
        );
        for (number, check) in (1..).zip(&self.checks) {
            let word = match &check.result {
                CheckResult::Passed => "passed",
                CheckResult::Warned { .. } => "WARNING",
                CheckResult::Failed { .. } => "FAILED",
            };
            // Writing to a string cannot fail.
            let _written =
                write!(text, "\n## {number}. {word}: {}\n\n{}\n", check.name.asks(), check.measured);
            match &check.result {
                CheckResult::Passed => {}
                CheckResult::Warned { why } => text.push_str(&format!("\n{why}\n")),
                CheckResult::Failed { faults } => {
                    text.push('\n');
                    for fault in faults {
                        text.push_str(&format!("- {}\n", fault.replace('\n', "\n  ")));
                    }
                }
            }
        }
        text
    }
}

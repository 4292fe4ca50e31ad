//! `corpora/<slug>/proposal.jsonl`: what an engine proposed, with provenance and locators.

use crate::asked::Asked;
use crate::digest::Digest;
use crate::ids::Slug;
use crate::locator::{Locator, SectionPath};
use crate::store::JsonLines;
use crate::vocabulary::{AppliesTo, Category, ContextKind, Form, ModalLevel};
use serde::{Deserialize, Serialize};

/// A sentence of the section that bears on a rule's level, quoted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextQuote {
    /// What it does for the rule.
    pub kind: ContextKind,
    /// The source's own words.
    pub quote: String,
}

/// Which of several rules drawn from one sentence this one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// From 1.
    pub index: u32,
    /// How many the sentence gave.
    pub of: u32,
}

/// One atomic obligation before it has an id: one condition, one behaviour (B.3).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The source, by its key in the manifest.
    pub source: String,
    /// The section it stands in.
    pub section: SectionPath,
    /// Which of several equal quotes of one section this is, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub occurrence: u32,
    /// The source's own text; ` [...] ` where segments do not follow each other.
    pub quote: String,
    /// The atomic restatement, one imperative sentence.
    pub rule: String,
    /// The form in which the source states it.
    pub form: Form,
    /// When the rule applies, where the source says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// What the modal verb alone implies.
    pub modal: ModalLevel,
    /// One or more, in the order of the vocabulary.
    pub applies_to: Vec<AppliesTo>,
    /// One of eight.
    pub category: Category,
    /// What the section says that the level turns on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<ContextQuote>,
    /// The subsystem or kind of change that the rule is conditional on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    /// The clause before the quote, where the quote begins mid-sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preceding: Option<String>,
    /// Which part of a bundle this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Row {
    /// The digest by which decisions name the row: of its fields, not of its position, so that a
    /// sentence that moved keeps its decision.
    ///
    /// # Errors
    /// Only where the row cannot be written as JSON at all.
    pub fn digest(&self) -> Result<Digest, serde_json::Error> {
        Digest::of_json(self)
    }

    /// The digest of what makes it this rule: source, quote and restatement. A row that is labelled
    /// otherwise, or whose section was renamed, is still the rule that has an id.
    ///
    /// # Errors
    /// As [`Row::digest`].
    pub fn identity(&self) -> Result<Digest, serde_json::Error> {
        Digest::of_json(&(&self.source, &self.quote, &self.rule, self.occurrence))
    }
}

/// The header of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProposalHeader {
    /// Schema version.
    pub schema: u32,
    /// The project.
    pub project: Slug,
    /// The engine that proposed the rows.
    pub engine: String,
    /// Its version.
    pub engine_version: String,
    /// The digest of the confirmed manifest that was read.
    pub manifest: Digest,
    /// The digest of the data that the engine went by.
    pub cues: Digest,
    /// The model that answered; none where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
}

impl ProposalHeader {
    /// The lowest schema that holds it: what no model had a part in is what older programs wrote.
    pub const fn schema_for(asked: Option<&Asked>) -> u32 {
        if asked.is_some() { ProposalFile::SCHEMA } else { ProposalFile::OLDEST }
    }
}

/// One proposed row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProposedRow {
    /// The digest of `row`.
    pub digest: Digest,
    /// The obligation.
    pub row: Row,
    /// Where its quote stands.
    pub locator: Locator,
    /// Why the engine took it for an obligation, in words.
    pub found_by: String,
}

/// The file type.
pub struct ProposalFile;

impl JsonLines for ProposalFile {
    type Header = ProposalHeader;
    type Line = ProposedRow;
    const SCHEMA: u32 = 2;
    const OLDEST: u32 = 1;
    const WHAT: &'static str = "proposal";
}

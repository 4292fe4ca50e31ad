//! `corpora/<slug>/ledger.jsonl`: what became of every sentence of every section in scope.

use crate::digest::Digest;
use crate::ids::{RuleId, Slug};
use crate::locator::SectionPath;
use crate::store::JsonLines;
use crate::vocabulary::LedgerReason;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt;

/// A row, named by its digest before the freeze and by its id after it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowName {
    /// Proposed.
    Proposed(Digest),
    /// Frozen.
    Frozen(RuleId),
}

impl RowName {
    /// The digest of a row that has no id yet.
    pub const fn proposed(&self) -> Option<Digest> {
        match self {
            RowName::Proposed(digest) => Some(*digest),
            RowName::Frozen(_) => None,
        }
    }
}

impl fmt::Display for RowName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowName::Proposed(digest) => digest.fmt(out),
            RowName::Frozen(id) => id.fmt(out),
        }
    }
}

impl Serialize for RowName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RowName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if let Ok(digest) = text.parse() {
            return Ok(RowName::Proposed(digest));
        }
        text.parse().map(RowName::Frozen).map_err(serde::de::Error::custom)
    }
}

/// What part of a rule a sentence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SentencePart {
    /// It is quoted, whole or in part.
    Quote,
    /// It introduces the items that are quoted.
    LeadIn,
    /// It is quoted as section context: an exception, a consequence, a tool, an alternative.
    Context,
}

/// What became of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fate {
    /// It belongs to these rules.
    Rule {
        /// The rules.
        rows: Vec<RowName>,
        /// What it is for them.
        part: SentencePart,
    },
    /// It is no rule, for one of the closed reasons.
    NoRule(LedgerReason),
    /// It states again what another rule states.
    Restates(RowName),
}

impl Fate {
    /// Takes proposed rows out of it that are no more; gives whether anything of it is left.
    pub fn without(&mut self, lost: &BTreeSet<Digest>) -> bool {
        let is_lost = |name: &RowName| name.proposed().is_some_and(|digest| lost.contains(&digest));
        match self {
            Fate::Rule { rows, .. } => {
                rows.retain(|name| !is_lost(name));
                !rows.is_empty()
            }
            Fate::NoRule(_) => true,
            Fate::Restates(name) => !is_lost(name),
        }
    }
}

/// One sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerLine {
    /// The source, by its key in the manifest.
    pub source: String,
    /// The section.
    pub section: SectionPath,
    /// First byte in the quoting text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The sentence, white space folded.
    pub text: String,
    /// Whether it stands in a comment, which a rendered view does not show.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// What became of it.
    pub outcome: Fate,
}

/// The header of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerHeader {
    /// Schema version.
    pub schema: u32,
    /// The project.
    pub project: Slug,
    /// The digest of the proposal that it belongs to.
    pub proposal: Digest,
    /// Sections in scope that gave no row, each with the reason.
    pub without_rules: Vec<SectionWithoutRules>,
}

/// A section in scope that gave no row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectionWithoutRules {
    /// The source.
    pub source: String,
    /// The section.
    pub section: SectionPath,
    /// Why, in words: it starts with `none, because`.
    pub reason: String,
}

/// The file type.
pub struct LedgerFile;

impl JsonLines for LedgerFile {
    type Header = LedgerHeader;
    type Line = LedgerLine;
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "ledger";
}

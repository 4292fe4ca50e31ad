//! `corpora/<slug>/facts.jsonl`: what classification found, before the tables decided.

use crate::asked::Asked;
use crate::digest::Digest;
use crate::ids::{RuleId, Slug};
use crate::layout::DataFile;
use crate::problem::Problem;
use crate::store::JsonLines;
use crate::vocabulary::{Artifact, Fact, Truth};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::Path;

/// The answer to one fact.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Whether it holds.
    pub holds: Truth,
    /// The words that make it hold, or leave it open; empty where it does not hold.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
}

/// A pair that may state one obligation: proposed by the engine, decided by code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProposedDuplicate {
    /// The other row.
    pub of: RuleId,
    /// Why they may be one.
    pub because: String,
}

/// The facts of one rule. Every answered fact is there, even after the first route that fires.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleFacts {
    /// The rule.
    pub rule: RuleId,
    /// What the rule governs, in the order of the vocabulary. One of them existing is enough.
    pub artifacts: Vec<Artifact>,
    /// What the check would open, in words (C1).
    pub opens: String,
    /// The failure condition, in words (C2).
    pub failure: String,
    /// Every answered fact.
    pub facts: BTreeMap<Fact, Answer>,
    /// Pairs with other rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<ProposedDuplicate>,
    /// A tool that repairs violations by itself, where the documentation names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_fix: Option<String>,
    /// Words with which the row speaks to whoever reads it by machine, where a model reports some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub addressed: Option<String>,
    /// The answers of a model that all this was taken from; none where no model was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Sample>,
}

/// One answer of a model on one rule, as far as it differs from what was taken of all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The digest of the request that it answers.
    pub request: Digest,
    /// Which artifacts it names, where it names others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<Vec<Artifact>>,
    /// The facts that it answers otherwise.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<Fact, Truth>,
}

impl RuleFacts {
    /// The facts as one of the samples alone has them.
    #[must_use]
    pub fn of_sample(&self, sample: &Sample) -> RuleFacts {
        let mut alone = self.clone();
        if let Some(artifacts) = &sample.artifacts {
            alone.artifacts.clone_from(artifacts);
        }
        for (fact, holds) in &sample.facts {
            alone.facts.insert(*fact, Answer { holds: *holds, words: String::new() });
        }
        alone
    }
}

/// A rubric table or a prompt that was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataVersion {
    /// The file.
    pub file: String,
    /// Its version.
    pub version: String,
    /// Its digest.
    pub digest: Digest,
}

impl DataVersion {
    /// The version of a file, as the file itself says it.
    pub fn of(data: &DataFile, version: &str) -> Self {
        let file = data.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        DataVersion { file, version: version.to_owned(), digest: data.digest() }
    }
}

/// The header of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactsHeader {
    /// Schema version.
    pub schema: u32,
    /// The project.
    pub project: Slug,
    /// The engine that answered.
    pub engine: String,
    /// Its version.
    pub engine_version: String,
    /// The model that answered; none where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// How many answers were wanted of it on each rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<NonZeroU32>,
    /// The digest of the frozen extraction that was read.
    pub extraction: Digest,
    /// The digest of the data that the engine went by.
    pub cues: Digest,
    /// The digest of the answers: what decides is what was answered.
    pub answers: Digest,
    /// The tables that decided.
    pub rubrics: Vec<DataVersion>,
    /// The setting that was decided for.
    pub setting: String,
    /// The digest of `rules.csv` as the tables decided it.
    pub rules: Digest,
}

impl FactsHeader {
    /// The lowest schema that holds it: what no model had a part in is what older programs wrote.
    pub const fn schema_for(asked: Option<&Asked>) -> u32 {
        if asked.is_some() { FactsFile::SCHEMA } else { FactsFile::OLDEST }
    }
}

/// The file type.
pub struct FactsFile;

impl JsonLines for FactsFile {
    type Header = FactsHeader;
    type Line = RuleFacts;
    const SCHEMA: u32 = 3;
    const OLDEST: u32 = 2;
    const WHAT: &'static str = "facts";
}

/// Reads the file and refuses a rule for which a fact was not answered.
///
/// # Errors
/// As [`crate::store::load_lines`]; a missing or a derived fact is named with its rule.
pub fn load_facts(path: &Path) -> Result<(FactsHeader, Vec<RuleFacts>), Problem> {
    let (header, rules) = crate::store::load_lines::<FactsFile>(path)?;
    for (index, rule) in rules.iter().enumerate() {
        let place = |message: String| {
            Problem::new(path, message, "answer every fact, even after the first route that fires")
                .at(index + 2, None)
        };
        if let Some(missing) = Fact::answered().find(|fact| !rule.facts.contains_key(fact)) {
            return Err(place(format!("{} has no answer to `{missing}`", rule.rule)));
        }
        if let Some(derived) = rule.facts.keys().find(|fact| fact.is_derived()) {
            return Err(place(format!("{} answers `{derived}`, which code derives", rule.rule)));
        }
    }
    Ok((header, rules))
}

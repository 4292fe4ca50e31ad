//! `audit/<name>/`: what is drawn for an audit, who rates it, what raters tried, what a model said.

use crate::digest::Digest;
use crate::facts::DataVersion;
use crate::ids::{RuleId, Slug};
use crate::store::JsonLines;
use crate::vocabulary::{Criterion, EvidenceType, Exactness, Met, Opinion};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One checker that an audit may draw.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditCheck {
    /// The project.
    pub project: Slug,
    /// The rule that it checks.
    pub check: RuleId,
    /// What it opens.
    pub evidence: EvidenceType,
    /// What its declaration says.
    pub exactness: Exactness,
}

/// How many checkers there are of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mix {
    /// That open what was produced.
    pub output: usize,
    /// That compare before and after.
    pub differential: usize,
    /// That read the steps.
    pub trajectory: usize,
    /// That decide their rule.
    pub exact: usize,
    /// That decide a trace of it.
    pub approximate: usize,
}

impl Mix {
    /// The kinds of some checkers.
    pub fn of<'c>(checks: impl IntoIterator<Item = &'c AuditCheck>) -> Mix {
        let mut mix = Mix::default();
        for check in checks {
            match check.evidence {
                EvidenceType::Output => mix.output += 1,
                EvidenceType::Differential => mix.differential += 1,
                EvidenceType::Trajectory => mix.trajectory += 1,
                // Never in scope, so that no checker opens it.
                EvidenceType::Judgment => {}
            }
            match check.exactness {
                Exactness::Exact => mix.exact += 1,
                Exactness::Approximate => mix.approximate += 1,
            }
        }
        mix
    }

    /// The kinds of both.
    #[must_use]
    pub fn and(self, other: Mix) -> Mix {
        Mix {
            output: self.output + other.output,
            differential: self.differential + other.differential,
            trajectory: self.trajectory + other.trajectory,
            exact: self.exact + other.exact,
            approximate: self.approximate + other.approximate,
        }
    }
}

/// A project of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnProject {
    /// The project.
    pub project: Slug,
    /// How many checkers it has.
    pub population: usize,
    /// How many of them are drawn.
    pub drawn: usize,
    /// What kinds it has.
    pub mix: Mix,
    /// The digest of its crate of checkers, where the population is one that can be built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkers: Option<Digest>,
}

/// The header of a sample: the plan and the seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleHeader {
    /// Schema version.
    pub schema: u32,
    /// The way it was drawn, which never changes under one name.
    pub method: DrawMethod,
    /// The seed.
    pub seed: u64,
    /// How many were asked for.
    pub size: usize,
    /// Projects with so many checkers or fewer are taken whole.
    pub census: usize,
    /// The fewest that are drawn from any other.
    pub floor: usize,
    /// The digest of all checkers that could have been drawn.
    pub population: Digest,
    /// The projects, by name.
    pub projects: Vec<DrawnProject>,
}

/// A way to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DrawMethod {
    /// ChaCha20 keyed by seed and project; of what is sorted; the minima first, then the rest.
    #[serde(rename = "chacha20-minima-first/1")]
    MinimaFirst1,
}

/// The file with a sample.
pub struct SampleFile;

impl JsonLines for SampleFile {
    type Header = SampleHeader;
    type Line = AuditCheck;
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "sample of an audit";
}

/// The header of the list of sheets: what every sheet of an audit shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetsHeader {
    /// Schema version.
    pub schema: u32,
    /// The digest of the sample.
    pub sample: Digest,
    /// The digest of the guidelines.
    pub guidelines: Digest,
    /// Of each checker, the digest of what is shown of it.
    pub items: Vec<ShownItem>,
}

/// What the sheets show of a checker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownItem {
    /// The checker.
    pub check: RuleId,
    /// The digest of what is shown of it.
    pub shown: Digest,
}

/// A rater and the name of the sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaterSheet {
    /// Who.
    pub rater: String,
    /// The sheet, beside this file.
    pub file: PathBuf,
}

/// The file with the list of sheets.
pub struct SheetsFile;

impl JsonLines for SheetsFile {
    type Header = SheetsHeader;
    type Line = RaterSheet;
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of the sheets of an audit";
}

/// What is answered of one checker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// C1.
    pub encodes: Met,
    /// C2.
    pub precondition: Met,
    /// C3.
    pub postcondition: Met,
    /// C4.
    pub exactness: Exactness,
    /// What is wrong with it; an accepted one has nothing wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<RatedFault>,
}

/// Why a checker is rejected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatedFault {
    /// The criterion that it fails.
    pub criterion: Criterion,
    /// The fault, in words.
    pub what: String,
}

impl Rating {
    /// Accepted, or rejected with a fault.
    pub const fn verdict(&self) -> Opinion {
        match self.fault {
            None => Opinion::Accept,
            Some(_) => Opinion::Reject,
        }
    }

    /// What contradicts itself in it, in words.
    pub fn contradictions(&self) -> Vec<String> {
        let answers = [
            (Criterion::Encodes, self.encodes),
            (Criterion::Precondition, self.precondition),
            (Criterion::Postcondition, self.postcondition),
        ];
        let failed: Vec<Criterion> =
            answers.iter().filter(|(_, met)| *met == Met::No).map(|(criterion, _)| *criterion).collect();
        match &self.fault {
            None => failed
                .iter()
                .map(|criterion| format!("{criterion} is `no`, and the verdict is `accept`"))
                .collect(),
            Some(fault) if fault.criterion == Criterion::Exactness || failed.contains(&fault.criterion) => {
                Vec::new()
            }
            Some(fault) => vec![format!("it is rejected for {0}, and {0} is `yes`", fault.criterion)],
        }
    }
}

/// A case that a rater made and ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// The checker.
    pub check: RuleId,
    /// Which case of the file.
    pub name: String,
    /// The file of the case, as it was.
    pub case: String,
    /// What the rater expected.
    pub expected: String,
    /// What the checker came to.
    pub outcome: String,
}

/// The header of what a rater tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedHeader {
    /// Schema version.
    pub schema: u32,
    /// Who.
    pub rater: String,
    /// The digest of the sample.
    pub sample: Digest,
}

/// The file with what a rater tried.
pub struct TriedFile;

impl JsonLines for TriedFile {
    type Header = TriedHeader;
    type Line = Tried;
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of what a rater tried";
}

/// What a model said of a checker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutomatedReview {
    /// The checker.
    pub check: RuleId,
    /// What it answered.
    pub rating: Rating,
    /// Its reasoning, in a line.
    pub reasoning: String,
    /// The request that this answers.
    pub request: Digest,
}

/// The header of the automated reviews.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutomatedHeader {
    /// Schema version.
    pub schema: u32,
    /// The population that was reviewed.
    pub population: Digest,
    /// The model.
    pub model: String,
    /// The prompts, with their versions.
    pub prompts: Vec<DataVersion>,
}

/// The file with the automated reviews.
pub struct AutomatedFile;

impl JsonLines for AutomatedFile {
    type Header = AutomatedHeader;
    type Line = AutomatedReview;
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of automated reviews";
}

/// Where the files of an audit lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditFolder(pub PathBuf);

impl AuditFolder {
    /// The plan and the sample.
    pub fn sample(&self) -> PathBuf {
        self.0.join("sample.jsonl")
    }

    /// The list of sheets.
    pub fn sheets(&self) -> PathBuf {
        self.0.join("sheets.jsonl")
    }

    /// What a model said.
    pub fn automated(&self) -> PathBuf {
        self.0.join("automated.jsonl")
    }

    /// What a rater tried, beside the sheet.
    pub fn tried(&self, sheet: &Path) -> PathBuf {
        self.0.join(sheet).with_extension("tried.jsonl")
    }
}

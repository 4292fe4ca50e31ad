//! `corpora/<slug>/decisions.jsonl`: who decided what, when, before and after, by row digest.

use crate::corpus::{Reasoning, Verdict};
use crate::digest::Digest;
use crate::ids::{RuleId, Slug};
use crate::proposal::Row;
use crate::store::JsonLines;
use crate::vocabulary::{EvidenceType, LedgerReason};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a decision was made: a row that a file decided may not have been seen by anyone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecidedBy {
    /// Read from a decision file.
    File,
    /// Read from a workbook.
    Workbook,
    /// Taken over from the decision on the row that it was: the sentence is the same, its place another one.
    Carried,
}

/// Why a row is no rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum DropReason {
    /// Its sentence is no obligation on a contributor.
    NoRule(LedgerReason),
    /// Its sentence states again what another proposed row states.
    Restates(Digest),
}

/// What becomes of a proposed row.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// It stands as proposed.
    Accept,
    /// It stands as given here.
    Amend(Box<Row>),
    /// These stand in its place.
    Split(Vec<Row>),
    /// It is part of another row, which stands.
    Merge(Digest),
    /// It is no rule.
    Drop(DropReason),
}

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Decision {
    /// Checkpoint 1: the manifest was confirmed as it stands.
    Manifest {
        /// The digest of `manifest.toml`.
        manifest: Digest,
        /// Who.
        by: String,
        /// When, RFC 3339.
        at: String,
    },
    /// Checkpoint 2: one row, decided beside its source.
    Row {
        /// The digest of the row as proposed.
        row: Digest,
        /// What becomes of it.
        action: Action,
        /// The clauses before quotes that begin mid-sentence, as they were acknowledged.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        acknowledged: Vec<String>,
        /// The rule of an earlier freeze that this one is, in other words: it keeps the id.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replaces: Option<RuleId>,
        /// Who.
        by: String,
        /// How.
        decided_by: DecidedBy,
        /// When, RFC 3339.
        at: String,
    },
    /// A rule that no engine proposed. A later [`Decision::Row`] that drops its digest takes it back.
    Add {
        /// The rule.
        row: Box<Row>,
        /// The clause before a quote that begins mid-sentence, as it was acknowledged.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        acknowledged: Vec<String>,
        /// Who.
        by: String,
        /// How.
        decided_by: DecidedBy,
        /// When, RFC 3339.
        at: String,
    },
    /// The rows of a freeze were taken over to sources that have changed since. The next freeze may replace
    /// the extraction.
    Carry {
        /// The digest of the proposal that they are in now.
        proposal: Digest,
        /// The ids whose rows stand elsewhere now, each with the row as it is there.
        ids: Vec<IssuedId>,
        /// The added rows whose sentence is not there any more, or stands elsewhere.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        gone: Vec<Digest>,
        /// When, RFC 3339.
        at: String,
    },
    /// The extraction was frozen; the ids were given.
    Freeze {
        /// The digest of the proposal that was decided on.
        proposal: Digest,
        /// The digest of `extraction.csv`.
        extraction: Digest,
        /// Every id of the file and the digest of its row. Ids of earlier freezes that are not among
        /// them are retired: they stay issued, and no other rule is ever given them.
        ids: Vec<IssuedId>,
        /// Who.
        by: String,
        /// When, RFC 3339.
        at: String,
    },
    /// A released extraction or corpus was read in: it is frozen as it is, and its ids stand.
    Import {
        /// The digest of the file as it was released.
        original: Digest,
        /// The digest of `extraction.csv`.
        extraction: Digest,
        /// Every id of the file and the digest of its row.
        ids: Vec<IssuedId>,
        /// Who.
        by: String,
        /// When, RFC 3339.
        at: String,
    },
    /// A person changed labels of a classified row.
    Relabel {
        /// The rule.
        rule: RuleId,
        /// What was changed.
        changes: Vec<Relabel>,
        /// Who.
        by: String,
        /// How.
        decided_by: DecidedBy,
        /// When, RFC 3339.
        at: String,
    },
    /// Checkpoint 3: somebody read the corpus and what the checks say of it.
    Accept {
        /// The digest of `rules.csv`.
        rules: Digest,
        /// The digest of the report.
        report: Digest,
        /// Who.
        by: String,
        /// When, RFC 3339.
        at: String,
    },
}

impl Decision {
    /// Who made it; what is only carried over is nobody's.
    pub fn by(&self) -> Option<&str> {
        match self {
            Decision::Manifest { by, .. }
            | Decision::Row { by, .. }
            | Decision::Add { by, .. }
            | Decision::Freeze { by, .. }
            | Decision::Import { by, .. }
            | Decision::Relabel { by, .. }
            | Decision::Accept { by, .. } => Some(by),
            Decision::Carry { .. } => None,
        }
    }

    /// The rows that a decision puts in the place of the proposed one.
    pub fn amended(&self) -> Option<&[Row]> {
        match self {
            Decision::Row { action: Action::Amend(row), .. } => Some(std::slice::from_ref(row.as_ref())),
            Decision::Row { action: Action::Split(rows), .. } => Some(rows),
            _ => None,
        }
    }
}

/// One change of a label: what it was, and what it is. Where the tables give neither later, a person
/// has to decide again.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Relabel {
    /// What the check opens.
    Evidence(Change<EvidenceType>),
    /// Scope, level and routes.
    Verdict(Change<Verdict>),
    /// The line of reasoning.
    Reasoning(Change<Reasoning>),
    /// A tool that repairs violations by itself.
    AutoFix(Change<Option<String>>),
    /// The row that states the same obligation at another level.
    Conflict(Change<Option<RuleId>>),
    /// What could not be settled.
    LowConfidence(Change<Option<String>>),
}

/// What a field was and what it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change<T> {
    /// Before.
    pub from: T,
    /// After.
    pub to: T,
}

/// An id and the row that has it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssuedId {
    /// The id.
    pub id: RuleId,
    /// The digest of the row.
    pub row: Digest,
    /// What makes it this rule: [`Row::identity`].
    pub identity: Digest,
}

impl IssuedId {
    /// Whether it was given to this very row.
    pub fn is_row(&self, row: Digest, _identity: Digest) -> bool {
        self.row == row
    }

    /// Whether it was given to a row that says the same of the same sentence.
    pub fn is_rule(&self, _row: Digest, identity: Digest) -> bool {
        self.identity == identity
    }
}

/// The header of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionsHeader {
    /// Schema version.
    pub schema: u32,
    /// The project.
    pub project: Slug,
}

/// The file type.
pub struct DecisionsFile;

impl JsonLines for DecisionsFile {
    type Header = DecisionsHeader;
    type Line = Decision;
    const SCHEMA: u32 = 3;
    const OLDEST: u32 = 2;
    const WHAT: &'static str = "decisions";
}

/// The decisions of a project, in the order they were made. The last one on a row counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decisions {
    /// The project.
    pub project: Slug,
    /// All of them.
    pub all: Vec<Decision>,
}

impl Decisions {
    /// Reads the file, or starts with none.
    ///
    /// # Errors
    /// As [`crate::store::load_lines`]; the decisions of another project are refused.
    pub fn load(path: &std::path::Path, project: &Slug) -> Result<Self, crate::Problem> {
        let Some(text) = crate::store::read_text_if_there(path)? else {
            return Ok(Decisions { project: project.clone(), all: Vec::new() });
        };
        let (header, all) = crate::store::parse_lines::<DecisionsFile>(path, &text)?;
        if header.project != *project {
            return Err(crate::Problem::new(
                path,
                format!("these are decisions on `{}`, not on `{project}`", header.project),
                "restore the file from version control",
            )
            .at(1, None)
            .field("project"));
        }
        Ok(Decisions { project: header.project, all })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// As [`crate::store::save_lines`].
    pub fn save(&self, path: &std::path::Path) -> Result<(), crate::Problem> {
        let header = DecisionsHeader { schema: self.schema(), project: self.project.clone() };
        crate::store::save_lines::<DecisionsFile>(path, &header, &self.all)
    }

    /// The lowest schema that holds the decisions, so that older programs read what they can.
    fn schema(&self) -> u32 {
        let is_new = |decision: &Decision| match decision {
            Decision::Carry { .. } => true,
            Decision::Row { decided_by, .. } | Decision::Add { decided_by, .. } => {
                *decided_by == DecidedBy::Carried
            }
            _ => false,
        };
        if self.all.iter().any(is_new) { DecisionsFile::SCHEMA } else { DecisionsFile::OLDEST }
    }

    /// Who confirmed the manifest with this digest, and when.
    pub fn manifest_confirmation(&self, digest: Digest) -> Option<(&str, &str)> {
        self.all.iter().rev().find_map(|decision| match decision {
            Decision::Manifest { manifest, by, at } if *manifest == digest => {
                Some((by.as_str(), at.as_str()))
            }
            _ => None,
        })
    }

    /// The last decision on a proposed row.
    pub fn on_row(&self, digest: Digest) -> Option<&Decision> {
        self.all.iter().rev().find(|decision| matches!(decision, Decision::Row { row, .. } if *row == digest))
    }

    /// The added rows that were not taken back, each with the clauses acknowledged, in the order of
    /// their last addition.
    ///
    /// # Errors
    /// As [`Row::digest`].
    pub fn added(&self) -> Result<Vec<AddedRow<'_>>, serde_json::Error> {
        let mut added: Vec<AddedRow<'_>> = Vec::new();
        for decision in &self.all {
            match decision {
                Decision::Add { row, acknowledged, .. } => {
                    let digest = row.digest()?;
                    added.retain(|earlier| earlier.digest != digest);
                    added.push(AddedRow { digest, row, acknowledged });
                }
                Decision::Row { row, action: Action::Drop(_), .. } => {
                    added.retain(|earlier| earlier.digest != *row);
                }
                Decision::Carry { gone, .. } => added.retain(|earlier| !gone.contains(&earlier.digest)),
                _ => {}
            }
        }
        Ok(added)
    }

    /// Whether a decision is in force already: recording it again would change nothing.
    ///
    /// # Errors
    /// As [`Row::digest`].
    pub fn holds(&self, decision: &Decision) -> Result<bool, serde_json::Error> {
        let added = |digest: Digest| -> Result<Option<AddedRow<'_>>, serde_json::Error> {
            Ok(self.added()?.into_iter().find(|added| added.digest == digest))
        };
        Ok(match decision {
            Decision::Row { row, action, acknowledged, replaces, .. } => {
                let dropped_again = matches!(action, Action::Drop(_)) && added(*row)?.is_some();
                let earlier = self.on_row(*row).and_then(|earlier| match earlier {
                    Decision::Row { action, acknowledged, replaces, .. } => {
                        Some((action, acknowledged, replaces))
                    }
                    _ => None,
                });
                !dropped_again && earlier == Some((action, acknowledged, replaces))
            }
            Decision::Add { row, acknowledged, .. } => {
                added(row.digest()?)?.is_some_and(|added| added.acknowledged == acknowledged)
            }
            Decision::Carry { proposal, .. } => self.carried_to(*proposal),
            _ => self.all.contains(decision),
        })
    }

    /// Whether the rows of the last freeze were taken over to a proposal.
    pub fn carried_to(&self, digest: Digest) -> bool {
        let is_freeze =
            |decision: &&Decision| matches!(decision, Decision::Freeze { .. } | Decision::Import { .. });
        let mut since = self.all.iter().rev().take_while(|decision| !is_freeze(decision));
        since.any(|decision| matches!(decision, Decision::Carry { proposal, .. } if *proposal == digest))
    }

    /// Every id that any freeze gave, with the row that has it, or had it last: those retired since too.
    pub fn issued(&self) -> BTreeMap<&RuleId, &IssuedId> {
        let freezes = self.all.iter().filter_map(|decision| match decision {
            Decision::Freeze { ids, .. } | Decision::Import { ids, .. } | Decision::Carry { ids, .. } => {
                Some(ids)
            }
            _ => None,
        });
        freezes.flatten().map(|issued| (&issued.id, issued)).collect()
    }

    /// The last freeze, or the import that stands for one.
    pub fn freeze(&self) -> Option<Freeze<'_>> {
        self.all.iter().rev().find_map(|decision| match decision {
            Decision::Freeze { proposal, extraction, ids, by, at } => Some(Freeze {
                made_from: MadeFrom::Proposal(*proposal),
                extraction: *extraction,
                ids,
                by,
                at,
            }),
            Decision::Import { original, extraction, ids, by, at } => {
                Some(Freeze { made_from: MadeFrom::Import(*original), extraction: *extraction, ids, by, at })
            }
            _ => None,
        })
    }

    /// What was changed in the labels of a rule, in the order it was done.
    pub fn relabels<'d>(&'d self, rule: &'d RuleId) -> impl Iterator<Item = &'d Relabel> {
        let of = move |decision: &'d Decision| match decision {
            Decision::Relabel { rule: of, changes, .. } if of == rule => changes.as_slice(),
            _ => &[],
        };
        self.all.iter().flat_map(of)
    }

    /// Who accepted a corpus with this digest, and when.
    pub fn acceptance(&self, rules: Digest, report: Digest) -> Option<(&str, &str)> {
        self.all.iter().rev().find_map(|decision| match decision {
            Decision::Accept { rules: of, report: read, by, at } if *of == rules && *read == report => {
                Some((by.as_str(), at.as_str()))
            }
            _ => None,
        })
    }
}

/// A row that a person added, as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddedRow<'d> {
    /// The digest of the row.
    pub digest: Digest,
    /// The row.
    pub row: &'d Row,
    /// The clauses before its quote that were acknowledged.
    pub acknowledged: &'d [String],
}

/// What a frozen extraction was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MadeFrom {
    /// The proposal with this digest.
    Proposal(Digest),
    /// The released file with this digest.
    Import(Digest),
}

/// A freeze, as it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freeze<'d> {
    /// What it was made from.
    pub made_from: MadeFrom,
    /// The frozen file.
    pub extraction: Digest,
    /// The ids given.
    pub ids: &'d [IssuedId],
    /// Who.
    pub by: &'d str,
    /// When.
    pub at: &'d str,
}

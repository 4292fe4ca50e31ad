//! `corpora/<slug>/by-reference/references.toml`: which files of a project stand by reference, and what
//! they refer to.

use crate::digest::Digest;
use crate::ids::Slug;
use crate::store::{TomlFile, TomlRecord};
use serde::{Deserialize, Serialize};

/// The record of a corpus by reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct References {
    /// Schema version.
    pub schema: u32,
    /// The project.
    pub project: Slug,
    /// What the files refer to.
    #[serde(default, rename = "source", skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<ReferredSource>,
    /// The files, by path.
    #[serde(default, rename = "file", skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ReferringFile>,
}

/// A source in one of its voices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferredSource {
    /// By which references name it.
    pub id: usize,
    /// Its bytes.
    pub snapshot: Digest,
    /// The source, by its key in the manifest.
    pub key: String,
    /// Where it can be read.
    pub url: String,
    /// The kind of source, as the manifest has it.
    pub kind: String,
    /// The function that made the text of the bytes.
    pub derivation: String,
    /// Which text of it.
    pub voice: Voice,
}

/// Which text of a source a reference points into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Voice {
    /// Its blocks one after the other as they are quoted.
    Quoted,
    /// Its blocks one after the other without any marks.
    Words,
    /// Its bytes.
    Raw,
}

/// A file that is restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferringFile {
    /// Its path below the root.
    pub path: String,
    /// The digest of its bytes as they are restored.
    pub digest: Digest,
    /// How it comes back.
    pub restored: Restored,
}

/// How a file comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restored {
    /// From its form with references, which lies under the same path beside the record.
    FromReferences,
    /// By making it again: it is a workbook.
    Made,
}

impl TomlFile for References {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "record of a corpus by reference";
}

impl TomlRecord for References {
    const HEADER: &'static str =
        "Written by `polc dehydrate`. `polc hydrate` restores each file from the snapshots of its sources.";
}

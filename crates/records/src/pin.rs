//! `manifests/<slug>/pin.toml`: the commit and the blobs that every source is read at.

use crate::ids::ObjectId;
use crate::store::{TomlFile, TomlRecord};
use serde::{Deserialize, Serialize};

/// The pin of a project.
///
/// Any commit that holds the same blobs at the same paths satisfies it: the blobs decide, the
/// commit is where they were found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Schema version.
    pub schema: u32,
    /// The repository side.
    pub repository: RepositoryPin,
}

/// A commit, never a branch name, and the policy files in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepositoryPin {
    /// The commit that was resolved.
    pub commit: ObjectId,
    /// Its committer date, RFC 3339 in UTC: the one time that artifacts may show.
    pub date: String,
    /// What was asked for and resolved to the commit.
    pub resolved_from: String,
    /// Every policy file that discovery found in the tree, by path.
    #[serde(default, rename = "file", skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PinnedFile>,
    /// What a pattern found that is no file: symbolic links and submodules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<SkippedEntry>,
}

/// An entry of the tree that a pattern found and that has no text of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkippedEntry {
    /// Path from the top of the repository.
    pub path: String,
    /// Why, in words.
    pub reason: String,
}

/// One policy file of the tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedFile {
    /// Path from the top of the repository.
    pub path: String,
    /// What holds its bytes.
    pub blob: ObjectId,
    /// The kind of file that the pattern names, of `stages/discovery.toml`.
    pub kind: String,
    /// The pattern that found it.
    pub pattern: String,
}

impl RepositoryPin {
    /// The pinned file at `path`.
    pub fn file(&self, path: &str) -> Option<&PinnedFile> {
        self.files.iter().find(|file| file.path == path)
    }
}

impl TomlFile for Pin {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "pin";
}

impl TomlRecord for Pin {
    const HEADER: &'static str = "Written by `polc pin`. Every source of the project is read at these blobs.";
}

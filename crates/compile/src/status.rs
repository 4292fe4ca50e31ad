//! `compile status`: what has become of every checker since its rule was compiled.

use crate::CompileError;
use crate::files::{CheckerFile, Progress, read_crate};
use crate::render::{orphans, rule_digest};
use polc_records::Digest;
use polc_records::corpus::Corpus;
use polc_records::ids::{RuleId, Slug};
use std::path::{Path, PathBuf};

/// What has become of a checker since its rule was compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckerStanding {
    /// Written for the rule as it is.
    Written,
    /// Not written yet.
    Stub,
    /// Written for another text of the rule.
    Changed,
    /// There is no file.
    Absent,
    /// Its rule does not bind any more.
    Orphaned,
}

impl CheckerStanding {
    /// In one word.
    pub const fn as_str(self) -> &'static str {
        match self {
            CheckerStanding::Written => "written",
            CheckerStanding::Stub => "stub",
            CheckerStanding::Changed => "changed",
            CheckerStanding::Absent => "absent",
            CheckerStanding::Orphaned => "orphaned",
        }
    }
}

/// One line of `compile status`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusLine {
    /// The rule.
    pub rule: RuleId,
    /// What has become of its checker.
    pub standing: CheckerStanding,
    /// Its file below the crate, where there is one.
    pub file: Option<PathBuf>,
    /// The digest that its declaration should name.
    pub digest: Option<Digest>,
}

/// What has become of every checker of a project.
///
/// # Errors
/// As [`crate::files::read_crate`].
pub fn status(pack: &Path, slug: &Slug, corpus: &Corpus) -> Result<Vec<StatusLine>, CompileError> {
    let files = read_crate(pack, slug)?;
    let mut lines = Vec::new();
    for row in corpus.binding() {
        let digest = rule_digest(pack, row)?;
        let file = files.iter().find(|file| file.rule == row.id);
        let standing = match file {
            None => CheckerStanding::Absent,
            Some(CheckerFile { progress: Progress::Rendered, .. }) => CheckerStanding::Stub,
            Some(file) if file.written_for != digest => CheckerStanding::Changed,
            Some(CheckerFile { progress: Progress::Begun, .. }) => CheckerStanding::Stub,
            Some(CheckerFile { progress: Progress::Written, .. }) => CheckerStanding::Written,
        };
        lines.push(StatusLine {
            rule: row.id.clone(),
            standing,
            file: file.map(CheckerFile::source),
            digest: Some(digest),
        });
    }
    for orphan in orphans(pack, slug)? {
        lines.push(StatusLine {
            rule: orphan.0,
            standing: CheckerStanding::Orphaned,
            file: Some(orphan.1),
            digest: None,
        });
    }
    let gone = files.iter().filter(|file| corpus.row(&file.rule).is_none_or(|row| !row.is_binding()));
    for file in gone {
        lines.push(StatusLine {
            rule: file.rule.clone(),
            standing: CheckerStanding::Orphaned,
            file: Some(file.source()),
            digest: None,
        });
    }
    Ok(lines)
}

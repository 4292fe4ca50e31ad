//! What a run handed in: files, tree, commits and status.

use super::beside::Beside;
use super::remark::Remark;
use super::scraped::{self, Scraped};
use crate::base::Base;
use crate::files;
use crate::sections::{self, SectionError, Sections};
use crate::transcript::Transcript;
use polc_checker::evidence::{Absence, Content, Evidence, FileChange, Part, Probe, Run, Step};
use polc_checker::patch::{self, FilePatch};
use std::path::Path;

/// The patches of a run. None was not recorded.
#[derive(Debug, Default)]
pub(super) struct Patches<'p> {
    pub(super) committed: Option<&'p str>,
    pub(super) tree: Option<&'p str>,
}

impl<'p> Patches<'p> {
    /// By the sections, or else by the files beside the run. A run without either handed in a patch.
    pub(super) fn of(transcript: &'p Transcript, sections: Option<&'p Sections>, beside: &'p Beside) -> Self {
        let in_sections = |patch: fn(&Sections) -> &Option<String>| {
            sections.and_then(|sections| patch(sections).as_deref())
        };
        let handed_in = transcript.submission.as_deref().filter(|_| sections.is_none());
        // Scaffolds keep an empty one after every step until something is handed in.
        let handed_in = handed_in.filter(|patch| !patch.trim().is_empty() || has_ended(transcript));
        Patches {
            committed: in_sections(|it| &it.patch_committed).or(beside.patch_committed.as_deref()),
            tree: in_sections(|it| &it.patch)
                .or(beside.patch.as_deref())
                .or(handed_in)
                .or(transcript.patch.as_deref()),
        }
    }
}

/// Whether a run came to an end that its scaffold recorded.
fn has_ended(transcript: &Transcript) -> bool {
    transcript.ending.as_deref().is_some_and(|ending| !ending.is_empty())
}

/// Fills in files and tree.
pub(super) fn files(
    evidence: &mut Evidence,
    patches: &Patches<'_>,
    clone: Option<&Path>,
    remarks: &mut Vec<Remark>,
) {
    let committed = patches.committed.map(|text| parsed("the committed patch", text, remarks));
    let tree = patches.tree.map(|text| parsed("the patch of the tree", text, remarks));
    let needs_texts = [&committed, &tree].into_iter().flatten().any(|patches| match patches {
        Part::Recorded(patches) => patches.iter().any(FilePatch::changes_text),
        Part::Missing(_) => false,
    });
    let mut base = clone.filter(|_| needs_texts).and_then(|clone| {
        let opened = base(clone, &evidence.run);
        opened.map_err(|why| remarks.push(Remark::NoBase { why })).ok()
    });
    let mut make = |patches: Option<Part<Vec<FilePatch>>>, remarks: &mut Vec<Remark>| match patches {
        None => Part::Missing(Absence::NotInThisRun),
        Some(Part::Missing(absence)) => Part::Missing(absence),
        Some(Part::Recorded(patches)) => match files::changes(&patches, base.as_mut(), remarks) {
            Ok(files) => Part::Recorded(files),
            Err(remark) => {
                remarks.push(remark);
                Part::Missing(Absence::NotParseable)
            }
        },
    };
    evidence.worktree = make(tree, remarks);
    evidence.files = if committed.is_none() {
        if evidence.worktree != Part::Missing(Absence::NotInThisRun) {
            remarks.push(Remark::NotToldApart);
        }
        evidence.worktree.clone()
    } else {
        make(committed, remarks)
    };
    let without_text = |part: &Part<Vec<FileChange>>| match part {
        Part::Recorded(files) => files.iter().filter(|file| file.head == Content::NotRecorded).count(),
        Part::Missing(_) => 0,
    };
    let files = without_text(&evidence.files).max(without_text(&evidence.worktree));
    if clone.is_none() && files > 0 {
        remarks.push(Remark::NoClone { files });
    }
    remarks.dedup();
}

/// Opens a clone where a run starts, or says why that is not possible.
fn base(clone: &Path, run: &Run) -> Result<Base, String> {
    let (commit, or_else) = match (run.start.as_deref(), run.base.as_deref()) {
        (Some(start), base) => (start, base),
        (None, Some(base)) => (base, None),
        (None, None) => return Err("the run does not say from which commit it starts".to_owned()),
    };
    Base::open(clone, commit, or_else).map_err(|error| error.to_string())
}

fn parsed(what: &'static str, text: &str, remarks: &mut Vec<Remark>) -> Part<Vec<FilePatch>> {
    let why = match patch::parse(text) {
        Ok(files) if files.is_empty() && !text.trim().is_empty() => "it changes no file".to_owned(),
        Ok(files) => return Part::Recorded(files),
        Err(error) => error.to_string(),
    };
    remarks.push(Remark::Unreadable { what, why });
    Part::Missing(Absence::NotParseable)
}

/// Fills in commits and status.
pub(super) fn history(
    evidence: &mut Evidence,
    steps: &[Step],
    sections: Option<&Sections>,
    branch: Option<&Probe>,
    remarks: &mut Vec<Remark>,
) {
    let log = sections.and_then(|sections| sections.log.as_deref());
    let status = sections.and_then(|sections| sections.status.as_deref());
    evidence.commits = read("the section LOG", log, sections::log, remarks);
    evidence.status = read("the section STATUS", status, sections::status, remarks);
    let Part::Recorded(commits) = &evidence.commits else {
        if log.is_none() {
            match scraped::commits(steps) {
                Scraped::Nothing => remarks.push(Remark::NoLog),
                Scraped::Unknown => remarks.push(Remark::NotScraped),
                Scraped::Commits(commits) => {
                    remarks.push(Remark::Scraped { commits: commits.len() });
                    evidence.commits = Part::Recorded(commits);
                }
            }
        }
        return;
    };
    let counted = branch.and_then(|branch| branch.get("n_commits"));
    if let Some(counted) = counted.filter(|counted| **counted != commits.len().to_string()) {
        remarks.push(Remark::Differs {
            what: "number of commits",
            taken: (commits.len().to_string(), "the section LOG"),
            other: (counted.to_owned(), "the section BRANCH"),
        });
    }
}

fn read<T>(
    what: &'static str,
    text: Option<&str>,
    read: fn(&str) -> Result<T, SectionError>,
    remarks: &mut Vec<Remark>,
) -> Part<T> {
    match text.map(read) {
        None => Part::Missing(Absence::NotInThisRun),
        Some(Ok(value)) => Part::Recorded(value),
        Some(Err(error)) => {
            remarks.push(Remark::Unreadable { what, why: error.to_string() });
            Part::Missing(Absence::NotParseable)
        }
    }
}

//! What a checker is shown of the evidence: what it declares, and nothing else.

use crate::declaration::{Declaration, Read};
use crate::diff::lines;
use crate::evidence::{Absence, Commit, Content, Evidence, FileChange, Part, PullRequest};
use crate::outcome::Missing;
use crate::target::Line;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The targets that a precondition selects, or the evidence that it lacks.
pub type Selection<T> = Result<Vec<T>, Missing>;

/// The evidence as one checker sees it.
#[derive(Debug)]
pub struct View<'e> {
    evidence: &'e Evidence,
    declared: &'static [Read],
    undeclared: RefCell<BTreeSet<Read>>,
}

impl<'e> View<'e> {
    pub(crate) fn new(evidence: &'e Evidence, declaration: &Declaration) -> Self {
        View { evidence, declared: declaration.reads, undeclared: RefCell::new(BTreeSet::new()) }
    }

    /// What was read without being declared.
    pub(crate) fn undeclared(&self) -> Vec<Read> {
        self.undeclared.borrow().iter().copied().collect()
    }

    fn part<T>(&self, read: Read, part: &'e Part<T>) -> Result<&'e T, Missing> {
        if !self.declared.contains(&read) {
            self.undeclared.borrow_mut().insert(read);
        }
        match part {
            Part::Recorded(value) => Ok(value),
            Part::Missing(cause) => Err(Missing::new(read.as_str(), *cause)),
        }
    }

    /// The commits, oldest first.
    ///
    /// # Errors
    /// Where they were not recorded.
    pub fn commits(&self) -> Result<&'e [Commit], Missing> {
        self.part(Read::Commits, &self.evidence.commits).map(Vec::as_slice)
    }

    /// The files that were changed, sorted by path.
    ///
    /// # Errors
    /// Where they were not recorded.
    pub fn files(&self) -> Result<&'e [FileChange], Missing> {
        self.part(Read::Files, &self.evidence.files).map(Vec::as_slice)
    }

    /// The pull request's text.
    ///
    /// # Errors
    /// Where none was recorded.
    pub fn pull_request(&self) -> Result<&'e PullRequest, Missing> {
        self.part(Read::PullRequest, &self.evidence.pull_request)
    }

    /// The text of a file after the change; none where the file is gone or is no text.
    ///
    /// # Errors
    /// Where it is a text that was not kept.
    pub fn head_text(&self, file: &'e FileChange) -> Result<Option<&'e str>, Missing> {
        match &file.head {
            Content::Text(text) => Ok(Some(text)),
            Content::TooLarge => Err(Missing::new(&file.path, Absence::NotInThisRun)),
            Content::Absent | Content::Binary | Content::Link(_) | Content::Submodule(_) => Ok(None),
        }
    }

    /// The lines that were written in the files that are wanted.
    ///
    /// # Errors
    /// Where the files were not recorded, or a wanted one was not kept.
    pub fn lines_written(&self, wanted: impl Fn(&FileChange) -> bool) -> Selection<Line<'e>> {
        let mut written = Vec::new();
        for file in self.files()?.iter().filter(|file| wanted(file)) {
            written.extend(self.authored_lines(file)?);
        }
        Ok(written)
    }

    /// The paths that a commit changes.
    ///
    /// # Errors
    /// Where they were not recorded.
    pub fn paths(&self, commit: &'e Commit) -> Result<&'e [String], Missing> {
        let missing = || Missing::new("paths of a commit", Absence::NotInThisRun);
        commit.paths.as_deref().ok_or_else(missing)
    }

    /// The lines that were written in a file, with their numbers.
    ///
    /// # Errors
    /// As [`View::head_text`].
    pub fn authored_lines(&self, file: &'e FileChange) -> Result<Vec<Line<'e>>, Missing> {
        let Some(text) = self.head_text(file)? else { return Ok(Vec::new()) };
        let all = lines(text);
        let authored = file.diff().authored().iter();
        Ok(authored
            .filter_map(|number| Some(Line { file, number: *number, text: all.get(number.checked_sub(1)?)? }))
            .collect())
    }
}

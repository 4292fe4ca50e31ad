//! What readers find, as targets: a heading, a directive or a link in a file, a trailer of a commit, a section
//! of a pull request.

use crate::declaration::Ownership;
use crate::diff::lines;
use crate::evidence::{Absence, Commit, FileChange, PullRequest};
use crate::outcome::Missing;
use crate::rst::Rst;
use crate::target::origin::{Origin, Source};
use crate::target::{Place, Target, owns_lines};
use crate::view::{Selection, View};
use std::fmt::Display;
use std::ops::RangeInclusive;

/// What stands on lines of a text.
pub trait Spanned {
    /// Its lines, from 1.
    fn span(&self) -> RangeInclusive<usize>;
}

/// Something found in a file after the change. It is owned as its lines are: created where all were written,
/// touched where one was.
///
/// ```ignore
/// let written = InFile::all(file, file.rst().headings());
/// ```
#[derive(Debug)]
pub struct InFile<'e, T> {
    /// The file.
    pub file: &'e FileChange,
    /// What was found.
    pub found: &'e T,
}

impl<T> Clone for InFile<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for InFile<'_, T> {}

impl<'e, T: Spanned> InFile<'e, T> {
    /// Everything that a reader found in a file.
    pub fn all(file: &'e FileChange, found: impl IntoIterator<Item = &'e T>) -> Vec<Self> {
        found.into_iter().map(|found| InFile { file, found }).collect()
    }
}

impl<T: Spanned> Origin for InFile<'_, T> {
    fn source(&self) -> Source<'_> {
        Source::File(self.file)
    }
}

impl<T: Spanned> Target for InFile<'_, T> {
    fn place(&self) -> Place {
        let span = self.found.span();
        Place::Lines { path: self.file.path.clone(), first: *span.start(), last: *span.end() }
    }

    fn snippet(&self) -> String {
        let span = self.found.span();
        let all = lines(self.file.head_text().unwrap_or_default());
        let end = all.len().min(*span.end());
        all.get(span.start().saturating_sub(1)..end).unwrap_or_default().join("\n")
    }

    fn is_owned(&self, ownership: Ownership) -> bool {
        owns_lines(self.file, &self.found.span(), ownership)
    }
}

/// Something found in the message of a commit: a trailer, an issue reference. The contributor wrote it.
#[derive(Debug, Clone)]
pub struct InCommit<'e, T> {
    /// The commit.
    pub commit: &'e Commit,
    /// What was found.
    pub found: T,
}

impl<T: Display> Origin for InCommit<'_, T> {
    fn source(&self) -> Source<'_> {
        Source::Commit(self.commit)
    }
}

impl<T: Display> Target for InCommit<'_, T> {
    fn place(&self) -> Place {
        Place::Commit { id: self.commit.id.clone() }
    }

    fn snippet(&self) -> String {
        self.found.to_string()
    }

    fn is_owned(&self, _ownership: Ownership) -> bool {
        true
    }
}

/// Something found in the text of a pull request: a section, a check box, an issue reference.
#[derive(Debug, Clone)]
pub struct InProposal<'e, T> {
    /// The pull request.
    pub pull_request: &'e PullRequest,
    /// What was found.
    pub found: T,
}

impl<T: Display> Origin for InProposal<'_, T> {
    fn source(&self) -> Source<'_> {
        Source::PullRequest(self.pull_request)
    }
}

impl<T: Display> Target for InProposal<'_, T> {
    fn place(&self) -> Place {
        Place::PullRequest
    }

    fn snippet(&self) -> String {
        self.found.to_string()
    }

    fn is_owned(&self, _ownership: Ownership) -> bool {
        true
    }
}

impl<'e> View<'e> {
    /// A file after the change, read as reStructuredText; none where the file is gone or is no text. For a
    /// post-condition, which asks for one file at a time.
    ///
    /// # Errors
    /// Where it is a text that was not kept or cannot be read, or is nested too deeply to be read.
    pub fn rst(&self, file: &'e FileChange) -> Result<Option<&'e Rst>, Missing> {
        if self.head_text(file)?.is_none() {
            return Ok(None);
        }
        let rst = file.rst();
        match rst.too_deep() {
            Some(_) => Err(Missing::new(&file.path, Absence::NotParseable)),
            None => Ok(Some(rst)),
        }
    }

    /// What a reader finds in the wanted files: `view.in_rst(|file| file.ends_in("rst"), Rst::headings)`, whoever
    /// owns it: keep what `is_owned` says. A file that cannot be read is counted as [`View::texts`] counts it.
    ///
    /// # Errors
    /// As [`View::files`].
    pub fn in_rst<T: Spanned + 'e>(
        &self,
        wanted: impl Fn(&FileChange) -> bool,
        found: impl Fn(&'e Rst) -> &'e [T],
    ) -> Selection<InFile<'e, T>> {
        let mut all = Vec::new();
        for text in self.texts(wanted)? {
            match self.rst(text.file) {
                Ok(rst) => all.extend(rst.into_iter().flat_map(|rst| InFile::all(text.file, found(rst)))),
                Err(missing) => self.leave_unread(text.file, missing),
            }
        }
        Ok(all)
    }
}

macro_rules! spanned {
    (lines: $($with_lines:ty),+; line: $($with_line:ty),+ $(,)?) => {
        $(impl Spanned for $with_lines {
            fn span(&self) -> RangeInclusive<usize> {
                self.lines.clone()
            }
        })+
        $(impl Spanned for $with_line {
            fn span(&self) -> RangeInclusive<usize> {
                self.line..=self.line
            }
        })+
    };
}

spanned! {
    lines: crate::rst::Heading, crate::rst::Directive, crate::rst::Item, crate::rst::Note, crate::rst::Block,
        crate::rst::LinkTarget, crate::markdown::Item, crate::markdown::Block, crate::markdown::Admonition,
        crate::markdown::Comment, crate::fragment::Section, crate::fragment::Entry;
    line: crate::rst::Field, crate::rst::Role, crate::rst::Link, crate::rst::Marked, crate::markdown::Heading,
        crate::markdown::CheckBox, crate::markdown::Link, crate::markdown::Code, crate::markdown::Fence,
}

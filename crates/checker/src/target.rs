//! What a precondition may select, and who owns it.

use crate::declaration::Ownership;
use crate::evidence::{Commit, FileChange, PullRequest};
use crate::rust::RustLine;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Where a target stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "in", rename_all = "kebab-case")]
pub enum Place {
    /// A commit.
    Commit {
        /// Its id.
        id: String,
    },
    /// A file as a whole.
    File {
        /// Its path.
        path: String,
    },
    /// Lines of a file, after the change.
    Lines {
        /// The path.
        path: String,
        /// The first line, from 1.
        first: usize,
        /// The last line.
        last: usize,
    },
    /// What an agent did in one step.
    Step {
        /// Its number, from 0.
        index: usize,
    },
    /// The pull request's text.
    PullRequest,
    /// The contribution as a whole.
    Contribution,
}

/// What of the evidence a target is made of. No checker can name this module: targets are the runtime's alone.
pub(crate) mod origin {
    use crate::evidence::{Commit, FileChange, PullRequest, Step};

    /// What a target is made of.
    #[derive(Debug, Clone, Copy)]
    pub enum Source<'t> {
        /// A file, or something in one.
        File(&'t FileChange),
        /// A commit, or something in one.
        Commit(&'t Commit),
        /// The pull request, or something in it.
        PullRequest(&'t PullRequest),
        /// A step, or something done in it.
        Step(&'t Step),
        /// The contribution as a whole.
        Whole,
    }

    /// Something that is made of a part of the evidence.
    pub trait Origin {
        /// Which one: the value in the evidence, and no copy of it.
        fn source(&self) -> Source<'_>;

        /// Whether what it carries beside that is what stands there.
        fn is_faithful(&self) -> bool {
            true
        }
    }
}

use origin::{Origin, Source};

/// Something a precondition can select.
pub trait Target: Origin {
    /// Where it stands.
    fn place(&self) -> Place;
    /// What stands there, for the reader of a violation.
    fn snippet(&self) -> String;
    /// Whether a contributor answers for it under an ownership.
    fn is_owned(&self, ownership: Ownership) -> bool;
}

impl Origin for &Commit {
    fn source(&self) -> Source<'_> {
        Source::Commit(self)
    }
}

impl Target for &Commit {
    fn place(&self) -> Place {
        Place::Commit { id: self.id.clone() }
    }

    fn snippet(&self) -> String {
        self.message.first_line().to_owned()
    }

    /// Every commit of the contribution was made by the contributor.
    fn is_owned(&self, _ownership: Ownership) -> bool {
        true
    }
}

impl Origin for &PullRequest {
    fn source(&self) -> Source<'_> {
        Source::PullRequest(self)
    }
}

impl Target for &PullRequest {
    fn place(&self) -> Place {
        Place::PullRequest
    }

    fn snippet(&self) -> String {
        self.title.clone()
    }

    fn is_owned(&self, _ownership: Ownership) -> bool {
        true
    }
}

impl Origin for &FileChange {
    fn source(&self) -> Source<'_> {
        Source::File(self)
    }
}

impl Target for &FileChange {
    fn place(&self) -> Place {
        Place::File { path: self.path.clone() }
    }

    fn snippet(&self) -> String {
        self.path.clone()
    }

    fn is_owned(&self, ownership: Ownership) -> bool {
        ownership == Ownership::Enclosing || self.is_new() || self.is_renamed()
    }
}

/// One line of a file after the change.
#[derive(Debug, Clone, Copy)]
pub struct Line<'e> {
    /// The file.
    pub file: &'e FileChange,
    /// Its number, from 1.
    pub number: usize,
    /// Its text, without the line end.
    pub text: &'e str,
}

impl<'e> Line<'e> {
    /// The line as Rust, with literals and comments told from code.
    pub fn rust(&self) -> Option<&'e RustLine> {
        self.file.rust().line(self.number)
    }

    /// Its Rust code, without literals and comments.
    pub fn code(&self) -> &'e str {
        self.rust().map_or("", |line| line.code.as_str())
    }

    /// Whether it holds Rust code that belongs to a test, or code that belongs to none.
    pub fn is_code(&self, in_test: bool) -> bool {
        self.rust().is_some_and(|line| line.in_test == in_test && !line.code.trim().is_empty())
    }
}

impl Origin for Line<'_> {
    fn source(&self) -> Source<'_> {
        Source::File(self.file)
    }

    /// Its text is that of its line, where the text of the file is known.
    fn is_faithful(&self) -> bool {
        self.file.head_text().is_none() || self.file.head_line(self.number) == Some(self.text)
    }
}

impl Target for Line<'_> {
    fn place(&self) -> Place {
        Place::Lines { path: self.file.path.clone(), first: self.number, last: self.number }
    }

    fn snippet(&self) -> String {
        self.text.to_owned()
    }

    fn is_owned(&self, ownership: Ownership) -> bool {
        owns_lines(self.file, &(self.number..=self.number), ownership)
    }
}

/// Several lines of a file after the change.
#[derive(Debug, Clone)]
pub struct Span<'e> {
    /// The file.
    pub file: &'e FileChange,
    /// The numbers of its lines, from 1.
    pub lines: RangeInclusive<usize>,
    /// Their text.
    pub text: String,
}

impl Origin for Span<'_> {
    fn source(&self) -> Source<'_> {
        Source::File(self.file)
    }
}

impl Target for Span<'_> {
    fn place(&self) -> Place {
        Place::Lines { path: self.file.path.clone(), first: *self.lines.start(), last: *self.lines.end() }
    }

    fn snippet(&self) -> String {
        self.text.clone()
    }

    fn is_owned(&self, ownership: Ownership) -> bool {
        owns_lines(self.file, &self.lines, ownership)
    }
}

pub(crate) fn owns_lines(file: &FileChange, lines: &RangeInclusive<usize>, ownership: Ownership) -> bool {
    file.diff().is_some_and(|diff| match ownership {
        Ownership::Created => diff.authors_all(lines),
        Ownership::Touched | Ownership::Enclosing => diff.touches(lines),
    })
}

/// The contribution as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole;

impl Origin for Whole {
    fn source(&self) -> Source<'_> {
        Source::Whole
    }
}

impl Target for Whole {
    fn place(&self) -> Place {
        Place::Contribution
    }

    fn snippet(&self) -> String {
        String::new()
    }

    fn is_owned(&self, ownership: Ownership) -> bool {
        ownership == Ownership::Created
    }
}

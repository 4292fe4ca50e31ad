//! A file that a contribution changes, on both sides.

use super::Absence;
use crate::diff::{Diff, Hunk};
use crate::markdown::Markdown;
use crate::python::{Lazy, Python, SyntaxFault};
use crate::rst::Rst;
use crate::rust::Rust;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;

/// The text of a file on one side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Content {
    /// There is no file.
    Absent,
    /// Text.
    Text(String),
    /// Not text.
    Binary,
    /// A symbolic link, with its target.
    Link(String),
    /// A commit of another repository.
    Submodule(String),
    /// More than the recorder keeps.
    TooLarge,
    /// Text in another encoding than UTF-8.
    NotUtf8,
    /// There is a file, and only what changed in it was recorded.
    NotRecorded,
}

impl Content {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Content::Text(text) => Some(text),
            Content::Absent
            | Content::Binary
            | Content::Link(_)
            | Content::Submodule(_)
            | Content::TooLarge
            | Content::NotUtf8
            | Content::NotRecorded => None,
        }
    }

    /// Why the text is not here, where there is one.
    pub fn withheld(&self) -> Option<Absence> {
        match self {
            Content::TooLarge | Content::NotRecorded => Some(Absence::NotInThisRun),
            Content::NotUtf8 => Some(Absence::NotParseable),
            Content::Absent
            | Content::Text(_)
            | Content::Binary
            | Content::Link(_)
            | Content::Submodule(_) => None,
        }
    }
}

/// A file that the contribution changes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileChange {
    /// The path after the change; before it, for a deleted file.
    pub path: String,
    /// The path before the change, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    /// Before.
    pub base: Content,
    /// After.
    pub head: Content,
    /// Whether it can be run, before and after.
    #[serde(default, skip_serializing_if = "<[bool; 2]>::is_empty_pair")]
    pub executable: [bool; 2],
    /// What changed, as a patch has it, where the run carries one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<Vec<Hunk>>,
    #[serde(skip)]
    line_starts: OnceCell<Vec<usize>>,
    #[serde(skip)]
    diff: OnceCell<Diff>,
    #[serde(skip)]
    rust: OnceCell<Rust>,
    #[serde(skip)]
    markdown: OnceCell<Markdown>,
    #[serde(skip)]
    rst: OnceCell<Rst>,
    #[serde(skip)]
    python: [Lazy; 2],
}

trait EmptyPair {
    fn is_empty_pair(&self) -> bool;
}

impl EmptyPair for [bool; 2] {
    fn is_empty_pair(&self) -> bool {
        *self == [false, false]
    }
}

impl PartialEq for FileChange {
    fn eq(&self, other: &Self) -> bool {
        (&self.path, &self.old_path, &self.base, &self.head, self.executable, &self.patch)
            == (&other.path, &other.old_path, &other.base, &other.head, other.executable, &other.patch)
    }
}

impl FileChange {
    /// A change from one content to another.
    pub fn new(path: impl Into<String>, base: Content, head: Content) -> Self {
        FileChange {
            path: path.into(),
            old_path: None,
            base,
            head,
            executable: [false, false],
            patch: None,
            line_starts: OnceCell::new(),
            diff: OnceCell::new(),
            rust: OnceCell::new(),
            markdown: OnceCell::new(),
            rst: OnceCell::new(),
            python: [Lazy::default(), Lazy::default()],
        }
    }

    /// Whether the file is new.
    pub fn is_new(&self) -> bool {
        self.base == Content::Absent
    }

    /// Whether the file is gone.
    pub fn is_deleted(&self) -> bool {
        self.head == Content::Absent
    }

    /// Whether the file had another path.
    pub fn is_renamed(&self) -> bool {
        self.old_path.is_some()
    }

    /// The text after the change, if there is one.
    pub fn head_text(&self) -> Option<&str> {
        self.head.text()
    }

    /// A line of the text after the change by its number, from 1, without its line end.
    pub fn head_line(&self, number: usize) -> Option<&str> {
        let text = self.head_text()?;
        let starts = self.line_starts.get_or_init(|| {
            let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(ends).filter(|start| *start < text.len()).collect()
        });
        let first = *starts.get(number.checked_sub(1)?)?;
        let line = text.get(first..starts.get(number).copied().unwrap_or(text.len()))?;
        Some(line.strip_suffix('\n').unwrap_or(line))
    }

    /// The text before the change, if there is one.
    pub fn base_text(&self) -> Option<&str> {
        self.base.text()
    }

    /// What changed: as the patch has it, or else the difference between the texts. None where there
    /// is no patch and a text is withheld. What is no text counts as empty.
    pub fn diff(&self) -> Option<&Diff> {
        if let Some(hunks) = &self.patch {
            return Some(self.diff.get_or_init(|| Diff::of_hunks(hunks.clone())));
        }
        if self.base.withheld().or(self.head.withheld()).is_some() {
            return None;
        }
        let (base, head) = (self.base_text().unwrap_or_default(), self.head_text().unwrap_or_default());
        Some(self.diff.get_or_init(|| Diff::between(base, head)))
    }

    /// The text after the change, read as Rust. What is no text counts as empty.
    pub fn rust(&self) -> &Rust {
        self.rust.get_or_init(|| Rust::new(&self.path, self.head_text().unwrap_or_default()))
    }

    /// The text after the change, read as Markdown. What is no text counts as empty.
    pub fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| Markdown::new(self.head_text().unwrap_or_default()))
    }

    /// The text after the change, read as reStructuredText. What is no text counts as empty.
    pub fn rst(&self) -> &Rst {
        self.rst.get_or_init(|| Rst::new(self.head_text().unwrap_or_default()))
    }

    /// The text after the change, read as Python: none where there is no text.
    ///
    /// # Errors
    /// Inside: where it does not parse, with the first fault and its line.
    pub fn python(&self) -> Option<Result<Python<'_>, &SyntaxFault>> {
        Some(self.python[1].read(&self.path, self.head_text()?))
    }

    /// The text before the change, read as Python: none where there is no text.
    ///
    /// # Errors
    /// Inside: where it does not parse, with the first fault and its line.
    pub fn python_before(&self) -> Option<Result<Python<'_>, &SyntaxFault>> {
        let path = self.old_path.as_deref().unwrap_or(&self.path);
        Some(self.python[0].read(path, self.base_text()?))
    }

    /// Whether the file lies below a folder, given from the top of the repository.
    pub fn is_below(&self, folder: &str) -> bool {
        self.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether the name has this ending, given in lower case without the dot.
    pub fn ends_in(&self, extension: &str) -> bool {
        self.extension().as_deref() == Some(extension)
    }

    /// Whether the file is a page in Markdown, below a folder or at the top of the repository.
    pub fn is_page(&self, folder: &str) -> bool {
        self.ends_in("md") && (self.is_below(folder) || !self.path.contains('/'))
    }

    /// The name without folders.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The ending of the name, in lower case, without the dot.
    pub fn extension(&self) -> Option<String> {
        let (stem, extension) = self.name().rsplit_once('.')?;
        (!stem.is_empty()).then(|| extension.to_ascii_lowercase())
    }
}

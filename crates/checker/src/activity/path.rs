//! Paths in commands and calls of tools.

use crate::shell::{Command, Folder, Word};

/// A file or folder as an agent named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePath {
    /// As it was written.
    pub written: String,
    /// Where that leads, as far as the step itself says.
    folder: Folder,
}

/// Where a path is, seen from the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whereabouts {
    /// In it: the path from its top, empty for the top itself.
    Inside(String),
    /// Elsewhere.
    Outside,
    /// It cannot be told.
    Unknown,
}

impl FilePath {
    /// The path of a tool: absolute, or from where the agent is.
    pub(super) fn of_tool(path: &str) -> FilePath {
        let folder = Folder::FromStart(String::new()).enter(path);
        FilePath { written: path.to_owned(), folder }
    }

    /// A word of a command. What cannot be known keeps how it was written.
    pub(super) fn of_word(word: &Word, command: &Command) -> FilePath {
        FilePath::of_word_in(word, &command.folder)
    }

    /// The folder that a command runs in.
    pub(super) fn of_folder(command: &Command) -> FilePath {
        FilePath { written: ".".to_owned(), folder: command.folder.clone() }
    }

    pub(super) fn of_word_in(word: &Word, folder: &Folder) -> FilePath {
        match word.pattern() {
            Some(path) => FilePath { written: path.to_owned(), folder: folder.enter(path) },
            None => FilePath { written: word.source().to_owned(), folder: Folder::Unknown },
        }
    }

    /// The path from where the step starts, where nothing more is known.
    pub(super) fn relative(&self) -> Option<&str> {
        match &self.folder {
            Folder::FromStart(path) if !path.is_empty() => Some(path),
            Folder::FromStart(_) | Folder::Known(_) | Folder::Unknown => None,
        }
    }

    /// The path from the top of the machine.
    pub(super) fn absolute(&self) -> Option<&str> {
        self.folder.path()
    }

    /// The path up to a mark that no path holds.
    pub(super) fn before(self, mark: &str) -> FilePath {
        let cut = |path: String| path.split(mark).next().unwrap_or_default().to_owned();
        let folder = match self.folder {
            Folder::Known(path) => Folder::Known(cut(path)),
            Folder::FromStart(path) => Folder::FromStart(cut(path)),
            Folder::Unknown => Folder::Unknown,
        };
        FilePath { written: cut(self.written), folder }
    }

    /// Where it is, in a step that starts in a folder, of a repository whose top is known or not.
    pub(super) fn seen_from(&self, start: &Folder, top: Option<&str>) -> Whereabouts {
        match (self.folder.from_start(start), top) {
            (Folder::Known(path), Some(top)) => match below(&path, top) {
                Some(path) => Whereabouts::Inside(path.to_owned()),
                None => Whereabouts::Outside,
            },
            // Nothing is known but that the agent starts at the top.
            (Folder::FromStart(path), None) if !path.starts_with("..") => Whereabouts::Inside(path),
            (Folder::Known(_) | Folder::FromStart(_) | Folder::Unknown, _) => Whereabouts::Unknown,
        }
    }
}

/// The rest of a path below a folder.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(folder.trim_end_matches('/'))?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}

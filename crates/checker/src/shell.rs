//! Shell commands as argv: what a text runs, in order, each command with its words and its folder.
//!
//! Nothing is run here, so some of it cannot be known: what a variable holds, what a pattern matches, where a
//! `cd` into a variable leads. Such a word has no text and such a folder is unknown; neither is guessed. A `cd`
//! that is known is taken to succeed.

mod command;
mod compound;
mod git;
mod lex;
mod options;
mod parse;
mod tree;
mod variables;
mod walk;
mod word;

pub use command::{Assignment, Command, Ended, Reach, Redirection, RedirectionKind};
pub use git::{CommitMessage, GitCall, GitCommit, Standing, standing};
pub use word::Word;

pub(crate) use options::{Options, Takes};

use std::fmt;

/// The longest path, in bytes.
const LONGEST: usize = 4096;

/// A folder that a command runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folder {
    /// An absolute path, without `.` and `..`.
    Known(String),
    /// A path from the folder that the script starts in, which is not known: empty for that folder itself.
    FromStart(String),
    /// It cannot be told from the text.
    Unknown,
}

impl Folder {
    /// The folder that a path leads to from this one.
    #[must_use]
    pub fn enter(&self, path: &str) -> Folder {
        let (Folder::Known(here) | Folder::FromStart(here)) = self else {
            return if path.starts_with('/') {
                Folder::Known(format!("/{}", join("", path)))
            } else {
                Folder::Unknown
            };
        };
        // No system has a longer path.
        if here.len() + path.len() > LONGEST {
            return Folder::Unknown;
        }
        match self {
            _ if path.starts_with('/') => Folder::Known(format!("/{}", join("", path))),
            Folder::Known(folder) => Folder::Known(format!("/{}", join(folder, path))),
            Folder::FromStart(folder) => Folder::FromStart(join(folder, path)),
            Folder::Unknown => Folder::Unknown,
        }
    }

    /// The same for a script that starts in a folder.
    #[must_use]
    pub fn from_start(&self, start: &Folder) -> Folder {
        match self {
            Folder::FromStart(path) => start.enter(path),
            Folder::Known(_) | Folder::Unknown => self.clone(),
        }
    }

    /// The path, where it is known.
    pub fn path(&self) -> Option<&str> {
        match self {
            Folder::Known(path) => Some(path),
            Folder::FromStart(_) | Folder::Unknown => None,
        }
    }
}

/// Two paths as one, without `.` and, as far as that can be, without `..`.
fn join(first: &str, then: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let is_absolute = first.is_empty() && then.starts_with('/') || first.starts_with('/');
    for part in first.split('/').chain(then.split('/')) {
        match part {
            "" | "." => {}
            ".." if is_absolute || parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

impl fmt::Display for Folder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.path().unwrap_or("a folder that is not known"))
    }
}

/// A text for a shell, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    commands: Vec<Command>,
    whole: bool,
    end: Folder,
}

impl Script {
    /// Reads a text that starts in a folder that is not known. There is no text that it fails on.
    pub fn parse(text: &str) -> Script {
        Script::parse_in(text, &Folder::FromStart(String::new()))
    }

    /// Reads a text that starts in a folder.
    pub fn parse_in(text: &str, folder: &Folder) -> Script {
        walk::script(text, folder)
    }

    /// The simple commands in the order in which they are run: those of a substitution before the command that
    /// it stands in, those of a `bash -c` or an `eval` after it. Of branches and bodies of functions every
    /// command is here, whether it is run or not.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// The folder that the shell is in at the end.
    pub fn end(&self) -> &Folder {
        &self.end
    }

    /// Whether the text was read to its end. Where it was not, as it is no shell from somewhere on or nests
    /// deeper than anybody writes, the commands before that place are here and nothing is known of the rest.
    pub fn is_whole(&self) -> bool {
        self.whole
    }
}

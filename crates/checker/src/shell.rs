//! Shell commands as argv: what a text runs, in order, each command with its words and its folder.
//!
//! Nothing is run here, so some of it cannot be known: what a variable holds, what a pattern matches, where a
//! `cd` into a variable leads. Such a word has no text and such a folder is unknown; neither is guessed. A `cd`
//! that is known is taken to succeed.

mod command;
mod git;
mod lex;
mod parse;
mod tree;
mod walk;
mod word;

pub use command::{Assignment, Command, Redirection, RedirectionKind};
pub use git::{CommitMessage, GitCall, GitCommit, Standing, standing};
pub use word::Word;

use std::fmt;

/// A folder that a command runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folder {
    /// An absolute path, without `.` and `..`.
    Known(String),
    /// It cannot be told from the text.
    Unknown,
}

impl Folder {
    /// The folder that a path leads to from this one.
    #[must_use]
    pub fn enter(&self, path: &str) -> Folder {
        let whole = match (self, path.starts_with('/')) {
            (_, true) => path.to_owned(),
            (Folder::Known(folder), false) => format!("{folder}/{path}"),
            (Folder::Unknown, false) => return Folder::Unknown,
        };
        let mut parts: Vec<&str> = Vec::new();
        for part in whole.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        Folder::Known(format!("/{}", parts.join("/")))
    }

    /// The path, where it is known.
    pub fn path(&self) -> Option<&str> {
        match self {
            Folder::Known(path) => Some(path),
            Folder::Unknown => None,
        }
    }
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
}

impl Script {
    /// Reads a text that starts in a folder that is not known. There is no text that it fails on.
    pub fn parse(text: &str) -> Script {
        Script::parse_in(text, &Folder::Unknown)
    }

    /// Reads a text that starts in a folder.
    pub fn parse_in(text: &str, folder: &Folder) -> Script {
        let (commands, whole) = walk::commands(text, folder);
        Script { commands, whole }
    }

    /// The simple commands in the order in which they are run: those of a substitution before the command that
    /// it stands in, those of a `bash -c` or an `eval` after it. Of branches and bodies of functions every
    /// command is here, whether it is run or not.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// Whether the text was read to its end. Where it was not, as it is no shell from somewhere on or nests
    /// deeper than anybody writes, the commands before that place are here and nothing is known of the rest.
    pub fn is_whole(&self) -> bool {
        self.whole
    }
}

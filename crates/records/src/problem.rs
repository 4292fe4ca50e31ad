//! What is wrong with a file, told to the person who has to mend it.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where in a file something stands. Lines and columns count from 1; a column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1, where it is known.
    pub column: Option<usize>,
}

/// A fault in a file: which file, where, what stands there, what was expected, what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    // Boxed: an error is rare and every function here returns one.
    details: Box<Details>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Details {
    file: PathBuf,
    place: Option<Place>,
    field: Option<String>,
    message: String,
    allowed: Vec<String>,
    help: String,
}

impl Problem {
    /// A problem with the file as a whole: what is wrong, with the offending value in backticks,
    /// and what the reader can do.
    pub fn new(file: &Path, message: impl Into<String>, help: impl Into<String>) -> Self {
        let details = Details {
            file: file.to_path_buf(),
            place: None,
            field: None,
            message: message.into(),
            allowed: Vec::new(),
            help: help.into(),
        };
        Problem { details: Box::new(details) }
    }

    /// The operating system refused to `verb` the file.
    pub fn io(file: &Path, verb: &str, error: &std::io::Error) -> Self {
        let help = match error.kind() {
            std::io::ErrorKind::NotFound => "check the path, or run the stage that writes this file",
            std::io::ErrorKind::PermissionDenied => "check the permissions of the file and its folder",
            std::io::ErrorKind::StorageFull => "free some disk space and run the command again",
            _ => "check the file and its folder, then run the command again",
        };
        Problem::new(file, format!("cannot {verb} it: {error}"), help)
    }

    /// The same problem, at a place.
    #[must_use]
    pub fn at(mut self, line: usize, column: Option<usize>) -> Self {
        self.details.place = Some(Place { line, column });
        self
    }

    /// The same problem, about one field or column.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>) -> Self {
        self.details.field = Some(name.into());
        self
    }

    /// The same problem, with the values that would have been accepted.
    #[must_use]
    pub fn allowed<T: fmt::Display>(mut self, values: impl IntoIterator<Item = T>) -> Self {
        self.details.allowed = values.into_iter().map(|value| value.to_string()).collect();
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let details = &self.details;
        write!(out, "{}", details.file.display())?;
        if let Some(place) = details.place {
            write!(out, ":{}", place.line)?;
            if let Some(column) = place.column {
                write!(out, ":{column}")?;
            }
        }
        if let Some(field) = &details.field {
            write!(out, ": `{field}`")?;
        }
        write!(out, ": {}", details.message)?;
        if !details.allowed.is_empty() {
            write!(out, "\nallowed: {}", details.allowed.join(", "))?;
        }
        if !details.help.is_empty() {
            write!(out, "\nhelp: {}", details.help)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

/// A value that is not one of a closed vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{value}` is no {what}; allowed: {}", allowed.join(", "))]
pub struct UnknownValue {
    /// What kind of value was expected, in words.
    pub what: &'static str,
    /// The value that was found.
    pub value: String,
    /// Every value that would have been accepted.
    pub allowed: &'static [&'static str],
}

/// A value that does not have the form its type asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{value}` is no {what}: {why}")]
pub struct Malformed {
    /// What kind of value was expected, in words.
    pub what: &'static str,
    /// The value that was found.
    pub value: String,
    /// What a right one looks like.
    pub why: &'static str,
}

/// Line and column (both from 1, the column in characters) of a byte offset in `text`.
pub fn line_and_column(text: &str, offset: usize) -> Place {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Place { line: before.matches('\n').count() + 1, column: Some(before[line_start..].chars().count() + 1) }
}

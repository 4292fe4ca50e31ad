//! The text after a change, from the text before it and the hunks.

use crate::diff::{Hunk, HunkLine};
use std::fmt;

/// Where hunks do not fit a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RebuildError {
    /// The line of the text before, from 1.
    pub line: usize,
    /// What the hunks expect there.
    pub expected: String,
    /// What is there. None behind the last line.
    pub found: Option<String>,
}

impl fmt::Display for RebuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RebuildError { line, expected, found } = self;
        match found {
            Some(found) => write!(f, "line {line} before the change: expected {expected}, found `{found}`"),
            None => write!(f, "line {line} before the change: expected {expected}, and the text ends"),
        }
    }
}

impl std::error::Error for RebuildError {}

/// Applies hunks to the text before. Every line that they keep or remove has to be there, where they
/// say that it is.
///
/// # Errors
/// At the first line that differs, and where hunks overlap.
pub fn rebuild(base: &str, hunks: &[Hunk]) -> Result<String, RebuildError> {
    let old: Vec<&str> = base.split_inclusive('\n').collect();
    let mut head = String::with_capacity(base.len());
    let mut lines_of_head = 0;
    let mut at = 0;
    for hunk in hunks {
        let error = |at: usize, expected: &str| RebuildError {
            line: at + 1,
            expected: expected.to_owned(),
            found: old.get(at).map(|line| line.trim_end_matches('\n').to_owned()),
        };
        let start = hunk.old_start.saturating_sub(1);
        let Some(before) = old.get(at..start) else {
            return Err(error(
                at.max(old.len().min(start)),
                "a hunk behind the one before it, within the text",
            ));
        };
        head.extend(before.iter().copied());
        lines_of_head += before.len();
        at = start;
        if hunk.new_start != lines_of_head + 1 {
            return Err(error(at, &format!("line {} after the change", hunk.new_start)));
        }
        if !head.is_empty() && !head.ends_with('\n') {
            return Err(error(at, "a line end before the lines that follow"));
        }
        let last_old = hunk.lines.iter().rposition(|line| !matches!(line, HunkLine::Added(_)));
        let last_new = hunk.lines.iter().rposition(|line| !matches!(line, HunkLine::Removed(_)));
        for (index, line) in hunk.lines.iter().enumerate() {
            if let HunkLine::Context(text) | HunkLine::Removed(text) = line {
                let end = if hunk.old_unended && last_old == Some(index) { "" } else { "\n" };
                let is_there = old.get(at).and_then(|there| there.strip_prefix(text.as_str()));
                if is_there != Some(end) {
                    let how = if end.is_empty() { " without a line end" } else { "" };
                    return Err(error(at, &format!("`{text}`{how}")));
                }
                at += 1;
            }
            if let HunkLine::Context(text) | HunkLine::Added(text) = line {
                let is_unended = hunk.new_unended && last_new == Some(index);
                if is_unended && text.is_empty() {
                    return Err(error(at, "text in a line without a line end"));
                }
                head.push_str(text);
                lines_of_head += 1;
                if !is_unended {
                    head.push('\n');
                }
            }
        }
    }
    let rest = &old[at..];
    if !rest.is_empty() && !head.is_empty() && !head.ends_with('\n') {
        let found = rest.first().map(|line| line.trim_end_matches('\n').to_owned());
        return Err(RebuildError { line: at + 1, expected: "the end of the text".to_owned(), found });
    }
    head.extend(rest.iter().copied());
    Ok(head)
}

/// The hunks that lead back.
pub fn reversed(hunks: &[Hunk]) -> Vec<Hunk> {
    let line = |line: &HunkLine| match line {
        HunkLine::Context(text) => HunkLine::Context(text.clone()),
        HunkLine::Added(text) => HunkLine::Removed(text.clone()),
        HunkLine::Removed(text) => HunkLine::Added(text.clone()),
    };
    hunks
        .iter()
        .map(|hunk| Hunk {
            old_start: hunk.new_start,
            new_start: hunk.old_start,
            lines: hunk.lines.iter().map(line).collect(),
            old_unended: hunk.new_unended,
            new_unended: hunk.old_unended,
        })
        .collect()
}

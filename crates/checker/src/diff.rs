//! The difference between two texts: hunks, authored lines, deletion anchors.
//!
//! Lines end at `\n` and nowhere else: a carriage return, a form feed or a line separator is part of
//! its line. Numbers count from 1.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// How many unchanged lines a hunk carries on each side.
const CONTEXT: usize = 3;

/// What changed between two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    hunks: Vec<Hunk>,
    authored: BTreeSet<usize>,
    anchors: BTreeSet<usize>,
    /// Whether the new text ends with a line end, or is empty.
    ends_with_newline: bool,
}

/// Lines that changed together, with a few around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The first line on the old side.
    pub old_start: usize,
    /// The first line on the new side.
    pub new_start: usize,
    /// The lines.
    pub lines: Vec<HunkLine>,
}

/// A line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HunkLine {
    /// In both texts.
    Context(String),
    /// Only in the new one.
    Added(String),
    /// Only in the old one.
    Removed(String),
}

/// The lines of a text, without their line ends. A carriage return stays.
pub fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    lines
}

impl Diff {
    /// Compares two texts, line by line.
    pub fn between(base: &str, head: &str) -> Diff {
        // Compared with their line ends, so that a last line which only lost its end is a change.
        let old: Vec<&str> = base.split_inclusive('\n').collect();
        let new: Vec<&str> = head.split_inclusive('\n').collect();
        let operations = capture_diff_slices(Algorithm::Histogram, &old, &new);
        let mut diff = Diff {
            hunks: Vec::new(),
            authored: BTreeSet::new(),
            anchors: BTreeSet::new(),
            ends_with_newline: head.is_empty() || head.ends_with('\n'),
        };
        for operation in &operations {
            let (removed, added) = (operation.old_range(), operation.new_range());
            match operation {
                DiffOp::Equal { .. } => {}
                DiffOp::Delete { .. } => {
                    // Where code was removed now stands the next line; at the end, the last one.
                    diff.anchors.insert((added.start + 1).min(new.len()).max(1));
                }
                DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                    diff.authored.extend(added.start + 1..=added.end);
                    if removed.len() > added.len() {
                        diff.anchors.insert(added.end.max(1));
                    }
                }
            }
        }
        diff.hunks = hunks(&operations, &old, &new);
        diff
    }

    /// The hunks.
    pub fn hunks(&self) -> &[Hunk] {
        &self.hunks
    }

    /// The numbers of the lines that were written.
    pub fn authored(&self) -> &BTreeSet<usize> {
        &self.authored
    }

    /// The numbers of the lines that now stand where lines were deleted.
    pub fn anchors(&self) -> &BTreeSet<usize> {
        &self.anchors
    }

    /// Whether any line of a range was written, or stands where lines were deleted.
    pub fn touches(&self, lines: &RangeInclusive<usize>) -> bool {
        let within = |set: &BTreeSet<usize>| set.range(lines.clone()).next().is_some();
        !lines.is_empty() && (within(&self.authored) || within(&self.anchors))
    }

    /// Whether every line of a range was written.
    pub fn authors_all(&self, lines: &RangeInclusive<usize>) -> bool {
        lines.clone().all(|line| self.authored.contains(&line))
    }

    /// Whether the new text ends with a line end.
    pub fn ends_with_newline(&self) -> bool {
        self.ends_with_newline
    }

    /// The lines that were taken out, in order.
    pub fn removed(&self) -> impl Iterator<Item = &str> {
        self.hunks.iter().flat_map(|hunk| &hunk.lines).filter_map(|line| match line {
            HunkLine::Removed(text) => Some(text.as_str()),
            HunkLine::Context(_) | HunkLine::Added(_) => None,
        })
    }
}

fn hunks(operations: &[DiffOp], old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let bare = |line: &str| line.strip_suffix('\n').unwrap_or(line).to_owned();
    let mut hunks = Vec::new();
    for group in similar::group_diff_ops(operations.to_vec(), CONTEXT) {
        let Some(first) = group.first() else { continue };
        let mut lines = Vec::new();
        for operation in &group {
            if let DiffOp::Equal { .. } = operation {
                lines.extend(old[operation.old_range()].iter().map(|line| HunkLine::Context(bare(line))));
            } else {
                lines.extend(old[operation.old_range()].iter().map(|line| HunkLine::Removed(bare(line))));
                lines.extend(new[operation.new_range()].iter().map(|line| HunkLine::Added(bare(line))));
            }
        }
        hunks.push(Hunk {
            old_start: first.old_range().start + 1,
            new_start: first.new_range().start + 1,
            lines,
        });
    }
    hunks
}

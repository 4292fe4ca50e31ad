//! The difference between two texts: hunks, authored lines, deletion anchors.
//!
//! Lines end at `\n` and nowhere else: a carriage return, a form feed or a line separator is part of
//! its line. Numbers count from 1.

use serde::{Deserialize, Serialize};
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hunk {
    /// The first line on the old side; where there is none, the one that would follow.
    pub old_start: usize,
    /// The first line on the new side; where there is none, the one that would follow.
    pub new_start: usize,
    /// The lines.
    pub lines: Vec<HunkLine>,
    /// Whether the last line on the old side ends the text without a line end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub old_unended: bool,
    /// Whether the last line on the new side ends the text without a line end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub new_unended: bool,
}

/// A line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HunkLine {
    /// In both texts.
    Context(String),
    /// Only in the new one.
    Added(String),
    /// Only in the old one.
    Removed(String),
}

impl HunkLine {
    fn is_context(&self) -> bool {
        matches!(self, HunkLine::Context(_))
    }
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

    /// What hunks of a patch say, where the texts may be unknown.
    pub fn of_hunks(hunks: Vec<Hunk>) -> Diff {
        let mut diff = Diff {
            ends_with_newline: !hunks.iter().any(|hunk| hunk.new_unended),
            hunks: Vec::new(),
            authored: BTreeSet::new(),
            anchors: BTreeSet::new(),
        };
        for hunk in &hunks {
            diff.read_lines(hunk);
        }
        diff.hunks = hunks;
        diff
    }

    fn read_lines(&mut self, hunk: &Hunk) {
        let has_context = hunk.lines.iter().any(|line| matches!(line, HunkLine::Context(_)));
        let mut number = hunk.new_start;
        for run in hunk.lines.chunk_by(|a, b| a.is_context() == b.is_context()) {
            let added = run.iter().filter(|line| matches!(line, HunkLine::Added(_))).count();
            let removed = run.iter().filter(|line| matches!(line, HunkLine::Removed(_))).count();
            self.authored.extend(number..number + added);
            let is_last = hunk.lines.as_ptr_range().end == run.as_ptr_range().end;
            if removed > added {
                self.anchors.insert(match added {
                    // Behind the last lines of a text stands nothing.
                    0 if is_last && has_context => (number - 1).max(1),
                    0 => number,
                    _ => number + added - 1,
                });
            }
            number += run.len() - removed;
        }
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
        !lines.is_empty() && lines.clone().all(|line| self.authored.contains(&line))
    }

    /// Whether the new text ends with a line end.
    pub fn ends_with_newline(&self) -> bool {
        self.ends_with_newline
    }

    /// The lines that were written, in order, with their numbers.
    pub fn added(&self) -> impl Iterator<Item = (usize, &str)> {
        self.hunks.iter().flat_map(|hunk| {
            let new = hunk.lines.iter().filter(|line| !matches!(line, HunkLine::Removed(_)));
            new.zip(hunk.new_start..).filter_map(|(line, number)| match line {
                HunkLine::Added(text) => Some((number, text.as_str())),
                HunkLine::Context(_) | HunkLine::Removed(_) => None,
            })
        })
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
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let unended = |text: &[&str], end: usize| {
            end == text.len() && text.last().is_some_and(|line| !line.ends_with('\n'))
        };
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
            old_unended: unended(old, last.old_range().end),
            new_unended: unended(new, last.new_range().end),
        });
    }
    hunks
}

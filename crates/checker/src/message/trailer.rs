//! Trailers, found as git finds them.

use std::fmt;

/// A trailer: the last paragraph of a message may hold some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trailer {
    /// The name before the separator.
    pub name: String,
    /// The value, folded lines joined.
    pub value: String,
    /// The number of its first line, from 1.
    pub line: usize,
}

impl fmt::Display for Trailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.value)
    }
}

/// How git is told to read trailers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrailerSyntax<'s> {
    /// The characters that part a name from its value: `trailer.separators`.
    pub separators: &'s str,
    /// Whether a line of `---` ends the message, as it does in a patch that is mailed.
    pub has_divider: bool,
}

impl Default for TrailerSyntax<'_> {
    /// As `git log` reads the message of a commit.
    fn default() -> Self {
        TrailerSyntax { separators: ":", has_divider: false }
    }
}

/// Lines that git writes itself: with one of them a paragraph may hold other lines too.
const GIT_WRITES: [&str; 2] = ["Signed-off-by: ", "(cherry picked from commit "];

/// Below this line nothing is of the message.
const SCISSORS: &str = "# ------------------------ >8 ------------------------";

/// What git takes for white space.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// The trailers among the lines of a message.
pub(super) fn trailers(lines: &[&str], syntax: &TrailerSyntax<'_>) -> Vec<Trailer> {
    let block = block(lines, syntax);
    let mut found: Vec<(Trailer, usize)> = Vec::new();
    let mut is_open = false;
    for index in block {
        let line = lines[index];
        if is_open && line.chars().next().is_none_or(is_blank) {
            if let Some((last, _)) = found.last_mut() {
                last.value.push('\n');
                last.value.push_str(line);
            }
            continue;
        }
        let at = separator(line, syntax.separators).filter(|at| *at > 0);
        is_open = at.is_some();
        if let Some(at) = at {
            let end = at + line[at..].chars().next().map_or(0, char::len_utf8);
            let trailer = Trailer {
                name: trim(&line[..at]).to_owned(),
                value: line[end..].to_owned(),
                line: index + 1,
            };
            found.push((trailer, index));
        }
    }
    found
        .into_iter()
        .map(|(mut trailer, _)| {
            trailer.value = unfolded(trim(&trailer.value));
            trailer
        })
        .collect()
}

/// A value on one line: the end of a line and the blanks behind it become one blank.
fn unfolded(value: &str) -> String {
    let mut lines = value.split('\n');
    let mut unfolded = lines.next().unwrap_or_default().to_owned();
    let mut is_broken = false;
    for line in lines {
        let line = line.trim_start_matches(is_blank);
        if !is_broken {
            unfolded.push(' ');
        }
        // White space alone goes with the line end before it.
        is_broken = line.is_empty();
        unfolded.push_str(line);
    }
    trim(&unfolded).to_owned()
}

/// The indices of the lines of the trailers; empty, at the end of the lines, where there are none. It is the
/// last paragraph, if all of it is trailers, or if git wrote one of its lines and at least a quarter are
/// trailers. The first paragraph never is.
pub(super) fn block(lines: &[&str], syntax: &TrailerSyntax<'_>) -> std::ops::Range<usize> {
    let none = lines.len()..lines.len();
    let end = end(lines, syntax.has_divider);
    let lines = &lines[..end];
    let title_end = lines.iter().position(|line| !line.starts_with('#') && trim(line).is_empty());
    let Some(title_end) = title_end else { return none };
    let (mut trailers, mut others, mut continuations) = (0_usize, 0_usize, 0_usize);
    let (mut git_wrote, mut only_blanks) = (false, true);
    for index in (title_end..end).rev() {
        let line = lines[index];
        if line.starts_with('#') {
            // A comment, to git.
            others += continuations;
            continuations = 0;
        } else if trim(line).is_empty() {
            if only_blanks {
                continue;
            }
            others += continuations;
            let is_block = (git_wrote && trailers * 3 >= others) || (trailers > 0 && others == 0);
            return if is_block { index + 1..end } else { none };
        } else {
            only_blanks = false;
            if GIT_WRITES.iter().any(|prefix| line.starts_with(prefix)) {
                trailers += 1;
                continuations = 0;
                git_wrote = true;
            } else if line.starts_with(is_blank) {
                continuations += 1;
            } else if separator(line, syntax.separators).is_some_and(|at| at > 0) {
                trailers += 1;
                continuations = 0;
            } else {
                others += 1 + continuations;
                continuations = 0;
            }
        }
    }
    none
}

/// Where the message ends: at the divider, at the scissors, or at the comments and old conflicts behind it.
fn end(lines: &[&str], has_divider: bool) -> usize {
    let divides = |line: &&str| {
        line.strip_prefix("---").is_some_and(|rest| rest.is_empty() || rest.starts_with(is_blank))
    };
    let end = lines.iter().position(divides).filter(|_| has_divider).unwrap_or(lines.len());
    let cutoff = lines[..end].iter().position(|line| *line == SCISSORS).unwrap_or(end);
    let (mut ignored, mut in_conflicts) = (None, false);
    for (index, line) in lines[..cutoff].iter().enumerate() {
        if line.starts_with('#') || line.is_empty() {
            // The first line counts for nothing, as it does to git.
            ignored = ignored.or((index > 0).then_some(index));
        } else if *line == "Conflicts:" {
            in_conflicts = true;
            ignored = ignored.or((index > 0).then_some(index));
        } else if !(in_conflicts && line.starts_with('\t')) {
            ignored = None;
            in_conflicts = false;
        }
    }
    ignored.unwrap_or(cutoff)
}

/// Where a name ends: letters, digits and hyphens before it, then blanks.
fn separator(line: &str, separators: &str) -> Option<usize> {
    let mut blank = false;
    for (index, c) in line.char_indices() {
        match c {
            _ if separators.contains(c) => return Some(index),
            _ if !blank && (c.is_ascii_alphanumeric() || c == '-') => {}
            ' ' | '\t' if index > 0 => blank = true,
            _ => return None,
        }
    }
    None
}

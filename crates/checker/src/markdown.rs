//! Markdown as checkers need it: headings, lines of prose, check boxes; comments and code left out.

use crate::diff::lines;

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading<'t> {
    /// From 1.
    pub level: usize,
    /// Without its marks.
    pub text: &'t str,
    /// The number of its line, from 1.
    pub line: usize,
}

/// A check box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckBox<'t> {
    /// What stands behind it.
    pub text: &'t str,
    /// Whether it is ticked.
    pub ticked: bool,
    /// The number of its line, from 1.
    pub line: usize,
}

/// A fenced block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence<'t> {
    /// What stands behind the opening marks.
    pub info: &'t str,
    /// The number of the line with the opening marks, from 1.
    pub line: usize,
    /// The lines between the marks.
    pub body: Vec<&'t str>,
}

/// A text in Markdown.
#[derive(Debug, Clone)]
pub struct Markdown<'t> {
    /// The lines, each with whether it is prose: outside fences, comments and front matter.
    lines: Vec<(&'t str, bool)>,
}

impl<'t> Markdown<'t> {
    /// Reads a text.
    pub fn new(text: &'t str) -> Self {
        let mut fence: Option<&str> = None;
        let mut comment = false;
        let lines = lines(text)
            .into_iter()
            .map(|line| {
                let trimmed = line.trim_start();
                if let Some(open) = fence {
                    if trimmed.starts_with(open)
                        && trimmed.trim_end().trim_start_matches(&open[..1]).is_empty()
                    {
                        fence = None;
                    }
                    return (line, false);
                }
                if comment {
                    comment = !trimmed.contains("-->");
                    return (line, false);
                }
                let marks = trimmed.bytes().take_while(|byte| matches!(byte, b'`' | b'~')).count();
                if marks >= 3 {
                    fence = Some(&trimmed[..marks]);
                    return (line, false);
                }
                if let Some(rest) = trimmed.strip_prefix("<!--") {
                    comment = !rest.contains("-->");
                    return (line, false);
                }
                (line, true)
            })
            .collect();
        Markdown { lines }
    }

    /// The lines of prose, with their numbers from 1.
    pub fn prose(&self) -> impl Iterator<Item = (usize, &'t str)> + '_ {
        self.lines.iter().zip(1..).filter(|((_, prose), _)| *prose).map(|((line, _), number)| (number, *line))
    }

    /// Whether a line, from 1, is prose.
    pub fn is_prose(&self, line: usize) -> bool {
        line.checked_sub(1).and_then(|index| self.lines.get(index)).is_some_and(|(_, prose)| *prose)
    }

    /// The headings with number signs.
    pub fn headings(&self) -> Vec<Heading<'t>> {
        self.prose()
            .filter_map(|(number, line)| {
                let level = line.bytes().take_while(|byte| *byte == b'#').count();
                let text = line.get(level..)?.strip_prefix(' ')?;
                (1..=6).contains(&level).then(|| Heading {
                    level,
                    text: text.trim().trim_end_matches('#').trim_end(),
                    line: number,
                })
            })
            .collect()
    }

    /// The prose below a heading, up to the next one of its level or above. The heading is compared
    /// without regard to case.
    pub fn section(&self, heading: &str) -> Option<Vec<&'t str>> {
        let headings = self.headings();
        let at = headings.iter().position(|found| found.text.eq_ignore_ascii_case(heading))?;
        let end = headings[at + 1..]
            .iter()
            .find(|next| next.level <= headings[at].level)
            .map_or(usize::MAX, |next| next.line);
        Some(
            self.prose()
                .filter(|(number, _)| *number > headings[at].line && *number < end)
                .map(|(_, line)| line)
                .collect(),
        )
    }

    /// The check boxes.
    pub fn check_boxes(&self) -> Vec<CheckBox<'t>> {
        self.prose()
            .filter_map(|(number, line)| {
                let item = line.trim_start();
                let item = item.strip_prefix("- ").or_else(|| item.strip_prefix("* "))?.trim_start();
                let (ticked, text) = match item.get(..4)? {
                    "[ ] " => (false, &item[4..]),
                    "[x] " | "[X] " => (true, &item[4..]),
                    _ => return None,
                };
                Some(CheckBox { text: text.trim(), ticked, line: number })
            })
            .collect()
    }

    /// The fenced blocks of code.
    pub fn fences(&self) -> Vec<Fence<'t>> {
        let mut fences: Vec<Fence<'t>> = Vec::new();
        let mut open: Option<&str> = None;
        for ((line, prose), number) in self.lines.iter().zip(1..) {
            let trimmed = line.trim_start();
            let marks = trimmed.bytes().take_while(|byte| matches!(byte, b'`' | b'~')).count();
            match open {
                Some(mark) if trimmed.trim_end() == mark => open = None,
                Some(_) => {
                    if let Some(last) = fences.last_mut() {
                        last.body.push(line);
                    }
                }
                // A line that is no prose and opens a fence: one in a comment does not.
                None if marks >= 3 && !prose => {
                    open = Some(&trimmed[..marks]);
                    fences.push(Fence { info: trimmed[marks..].trim(), line: number, body: Vec::new() });
                }
                None => {}
            }
        }
        fences
    }

    /// The words of the prose: what is left when comments, code and headings are.
    pub fn words(&self) -> Vec<&'t str> {
        self.prose()
            .filter(|(_, line)| !line.starts_with('#'))
            .flat_map(|(_, line)| line.split(|c: char| !c.is_alphanumeric() && c != '\''))
            .filter(|word| !word.is_empty())
            .collect()
    }
}

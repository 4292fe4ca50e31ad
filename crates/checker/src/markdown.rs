//! Markdown as checkers need it: headings, lines of prose, check boxes, links, fences; comments, code and
//! front matter left out. Marks count wherever a line begins, since a list or a quotation may hold them.

use crate::diff::lines;
use crate::pattern::Pattern;

static LINK: Pattern = Pattern::new(r"(?:\]\(|^\s*\[[^\]]+\]:\s*)<?([^\s)>#]+)");

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// From 1.
    pub level: usize,
    /// Without its marks.
    pub text: String,
    /// The number of its line, from 1: the last one of its text, where it is underlined.
    pub line: usize,
}

/// A check box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckBox {
    /// What stands behind it.
    pub text: String,
    /// Whether it is ticked.
    pub ticked: bool,
    /// The number of its line, from 1.
    pub line: usize,
}

/// A fenced block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// What stands behind the opening marks.
    pub info: String,
    /// The number of the line with the opening marks, from 1.
    pub line: usize,
    /// The lines between the marks.
    pub body: Vec<String>,
}

/// A text in Markdown.
#[derive(Debug, Clone, Default)]
pub struct Markdown {
    /// The lines of prose, with their numbers from 1.
    prose: Vec<(usize, String)>,
    headings: Vec<Heading>,
    fences: Vec<Fence>,
}

impl Markdown {
    /// Reads a text.
    pub fn new(text: &str) -> Self {
        let mut markdown = Markdown::default();
        let all = lines(text);
        let mut open: Option<&str> = None;
        let mut comment = false;
        for (line, number) in all.iter().copied().zip(1..).skip(front_matter(&all)) {
            let trimmed = line.trim();
            if let Some(marks) = open {
                if closes(trimmed, marks) {
                    open = None;
                } else if let Some(fence) = markdown.fences.last_mut() {
                    fence.body.push(line.to_owned());
                }
            } else if comment {
                comment = !trimmed.contains("-->");
            } else if let Some((marks, info)) = opening(trimmed) {
                open = Some(marks);
                markdown.fences.push(Fence { info: info.to_owned(), line: number, body: Vec::new() });
            } else if let Some(rest) = trimmed.strip_prefix("<!--") {
                comment = !rest.contains("-->");
            } else {
                let above = markdown.prose.last().filter(|(above, _)| above + 1 == number);
                markdown.headings.extend(heading(line, number, above.map(|(_, above)| above.as_str())));
                markdown.prose.push((number, line.to_owned()));
            }
        }
        markdown
    }

    /// The lines of prose, with their numbers from 1.
    pub fn prose(&self) -> impl Iterator<Item = (usize, &str)> + '_ {
        self.prose.iter().map(|(number, line)| (*number, line.as_str()))
    }

    /// Whether a line, from 1, is prose.
    pub fn is_prose(&self, line: usize) -> bool {
        self.prose.binary_search_by_key(&line, |(number, _)| *number).is_ok()
    }

    /// The headings.
    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// The heading on a line, from 1.
    pub fn heading_at(&self, line: usize) -> Option<&Heading> {
        self.headings.binary_search_by_key(&line, |heading| heading.line).ok().map(|at| &self.headings[at])
    }

    /// The fenced blocks of code.
    pub fn fences(&self) -> &[Fence] {
        &self.fences
    }

    /// The fenced block that opens on a line, from 1.
    pub fn fence_at(&self, line: usize) -> Option<&Fence> {
        self.fences.binary_search_by_key(&line, |fence| fence.line).ok().map(|at| &self.fences[at])
    }

    /// The line that a page begins with, from 1: the first that is neither blank, nor a comment, nor front
    /// matter.
    pub fn first_line(&self) -> Option<usize> {
        let prose = self.prose.iter().find(|(_, line)| !line.trim().is_empty()).map(|(number, _)| *number);
        prose.into_iter().chain(self.fences.first().map(|fence| fence.line)).min()
    }

    /// The prose below a heading, up to the next one of its level or above. The heading is compared
    /// without regard to case.
    pub fn section(&self, heading: &str) -> Option<Vec<&str>> {
        let at = self.headings.iter().position(|found| found.text.eq_ignore_ascii_case(heading))?;
        let (heading, behind) = (&self.headings[at], &self.headings[at + 1..]);
        let next = behind.iter().find(|next| next.level <= heading.level);
        let end = next.map_or(usize::MAX, |next| next.line);
        let inside = self.prose().filter(|(number, _)| *number > heading.line && *number < end);
        Some(inside.map(|(_, line)| line).collect())
    }

    /// Whether any word stands below a heading.
    pub fn is_filled(&self, heading: &str) -> bool {
        self.section(heading)
            .is_some_and(|lines| lines.iter().any(|line| line.contains(char::is_alphanumeric)))
    }

    /// The check boxes.
    pub fn check_boxes(&self) -> Vec<CheckBox> {
        self.prose()
            .filter_map(|(line, text)| {
                let item = text.trim_start();
                let item = item.strip_prefix("- ").or_else(|| item.strip_prefix("* "))?.trim_start();
                let (ticked, text) = match item.get(..4)? {
                    "[ ] " => (false, &item[4..]),
                    "[x] " | "[X] " => (true, &item[4..]),
                    _ => return None,
                };
                Some(CheckBox { text: text.trim().to_owned(), ticked, line })
            })
            .collect()
    }

    /// Whether a box is ticked that says this.
    pub fn is_ticked(&self, text: &str) -> bool {
        self.check_boxes().iter().any(|found| found.ticked && found.text.contains(text))
    }

    /// Where the links of the prose go, without what follows a number sign.
    pub fn links(&self) -> Vec<&str> {
        self.prose().flat_map(|(_, line)| LINK.groups(line)).collect()
    }
}

/// A line of prose without what stands in spans of code.
pub fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// How many lines of front matter there are, marks included.
fn front_matter(lines: &[&str]) -> usize {
    if lines.first().is_none_or(|line| line.trim_end() != "---") {
        return 0;
    }
    let end = lines.iter().skip(1).position(|line| matches!(line.trim_end(), "---" | "..."));
    end.map_or(0, |end| end + 2)
}

/// The marks that open a fence, and what stands behind them.
fn opening(line: &str) -> Option<(&str, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = line.trim_start_matches(mark);
    let marks = &line[..line.len() - info.len()];
    (marks.len() >= 3 && !(mark == '`' && info.contains('`'))).then(|| (marks, info.trim()))
}

/// A fence is closed by as many of its marks or more, and nothing behind them.
fn closes(line: &str, marks: &str) -> bool {
    line.starts_with(marks) && line.trim_start_matches(&marks[..1]).is_empty()
}

/// The heading that a line is, or underlines.
fn heading(line: &str, number: usize, above: Option<&str>) -> Option<Heading> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&level) {
        let text = line[level..].strip_prefix(' ')?.trim().trim_end_matches('#').trim_end();
        return Some(Heading { level, text: text.to_owned(), line: number });
    }
    let level = match line.trim_end().as_bytes() {
        [b'=', rest @ ..] if rest.iter().all(|byte| *byte == b'=') => 1,
        [b'-', rest @ ..] if rest.iter().all(|byte| *byte == b'-') => 2,
        _ => return None,
    };
    let text = above?.trim();
    let is_paragraph = !text.is_empty() && !text.starts_with(['#', '>', '|', '-', '*', '+', '=']);
    is_paragraph.then(|| Heading { level, text: text.to_owned(), line: number - 1 })
}

//! Sections of a docstring: underlined ones as numpydoc has them, and Google's that end in a colon.

use super::DocLine;
use super::entries::{self, Entry};
use std::ops::RangeInclusive;

/// How a section is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Its title is underlined.
    Underlined,
    /// Its title ends in a colon, and what belongs to it is indented.
    Google,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its title, without the colon.
    pub title: String,
    /// How it is marked.
    pub style: Style,
    /// Its lines in the file, from its title to the last that is not blank.
    pub lines: RangeInclusive<usize>,
    /// The marks below its title.
    pub underline: Option<String>,
    /// What it lists, where it lists anything: parameters, results, exceptions.
    pub entries: Vec<Entry>,
    /// The text of its body, without the indentation of Google's.
    pub body: Vec<String>,
}

/// The titles of Google's sections; a line that ends in a colon is none by that alone.
const GOOGLE: [&str; 33] = [
    "args",
    "arguments",
    "attention",
    "attributes",
    "caution",
    "danger",
    "error",
    "example",
    "examples",
    "hint",
    "important",
    "keyword args",
    "keyword arguments",
    "methods",
    "note",
    "notes",
    "other parameters",
    "parameters",
    "params",
    "raise",
    "raises",
    "references",
    "return",
    "returns",
    "see also",
    "tip",
    "todo",
    "warn",
    "warning",
    "warnings",
    "warns",
    "yield",
    "yields",
];

const PARAMETERS: [&str; 7] =
    ["args", "arguments", "keyword args", "keyword arguments", "other parameters", "parameters", "params"];

/// The titles of sections that list things with names and types.
const LISTS: [&str; 14] = [
    "attributes",
    "methods",
    "raise",
    "raises",
    "receives",
    "return",
    "returns",
    "warn",
    "warns",
    "yield",
    "yields",
    "see also",
    "other parameters",
    "parameters",
];

impl Section {
    /// Whether it lists parameters.
    pub fn is_of_parameters(&self) -> bool {
        PARAMETERS.contains(&self.title.to_ascii_lowercase().as_str())
    }

    /// Whether the marks below its title are as long as it.
    pub fn is_underlined_to_measure(&self) -> bool {
        self.underline.as_ref().is_none_or(|marks| marks.len() == self.title.chars().count())
    }
}

/// Where a section begins: its index, title, style, and how many lines its head takes.
struct Head<'d> {
    at: usize,
    title: &'d str,
    style: Style,
    underline: Option<&'d str>,
}

fn head<'d>(lines: &'d [DocLine], at: usize) -> Option<Head<'d>> {
    let line = lines.get(at).filter(|line| !line.is_example && !line.is_blank())?;
    let text = line.text.trim();
    if let Some(below) = lines.get(at + 1).filter(|below| !below.is_example) {
        let marks = below.text.trim();
        let same =
            ["-", "="].iter().any(|mark| marks.len() >= 3 && marks.trim_start_matches(mark).is_empty());
        let is_marks = |text: &str| text.chars().all(|c| !c.is_alphanumeric());
        if same && below.indent() == line.indent() && !is_marks(text) {
            return Some(Head { at, title: text, style: Style::Underlined, underline: Some(marks) });
        }
    }
    let title = text.strip_suffix(':')?.trim_end();
    let known = GOOGLE.contains(&title.to_ascii_lowercase().as_str());
    let below = lines[at + 1..].iter().find(|below| !below.is_blank());
    let holds = below.is_some_and(|below| below.indent() > line.indent());
    (known && holds).then_some(Head { at, title, style: Style::Google, underline: None })
}

pub(super) fn read(lines: &[DocLine]) -> Vec<Section> {
    let heads: Vec<Head<'_>> = (0..lines.len()).filter_map(|at| head(lines, at)).collect();
    let mut sections = Vec::new();
    for (index, head) in heads.iter().enumerate() {
        let first = head.at + if head.underline.is_some() { 2 } else { 1 };
        let next = heads.get(index + 1).map_or(lines.len(), |next| next.at);
        let title = &lines[head.at];
        let inside = |line: &&DocLine| {
            head.style == Style::Underlined || line.is_blank() || line.indent() > title.indent()
        };
        let body = lines.get(first..next.max(first)).unwrap_or_default();
        let mut body = &body[..body.iter().take_while(inside).count()];
        while let [rest @ .., last] = body {
            if !last.is_blank() {
                break;
            }
            body = rest;
        }
        let last = body.last().map_or(lines[(first - 1).min(lines.len() - 1)].number, |line| line.number);
        let lower = head.title.to_ascii_lowercase();
        let lists = LISTS.contains(&lower.as_str()) || PARAMETERS.contains(&lower.as_str());
        let margin = body.iter().filter(|line| !line.is_blank()).map(DocLine::indent).min().unwrap_or(0);
        sections.push(Section {
            title: head.title.to_owned(),
            style: head.style,
            lines: title.number..=last,
            underline: head.underline.map(str::to_owned),
            entries: if lists { entries::read(body, head.style, margin) } else { Vec::new() },
            body: body.iter().map(|line| line.text.get(margin..).unwrap_or_default().to_owned()).collect(),
        });
    }
    sections
}

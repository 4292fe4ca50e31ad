//! What a section lists: names, types, what is said of them.

use super::DocLine;
use super::sections::Style;

/// One thing that a docstring lists: a parameter, a result, an exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its names, without stars and marks: several where they are described together.
    pub names: Vec<String>,
    /// Its type, as it is written.
    pub annotation: Option<String>,
    /// What is said of it.
    pub text: String,
    /// Its line in the file, from 1.
    pub line: usize,
}

/// A name without stars, backslashes and quotation marks of code.
pub(super) fn bare(name: &str) -> String {
    name.trim().trim_matches(['`', '*', '\\', '\'', '"']).trim().to_owned()
}

fn names(text: &str) -> Vec<String> {
    text.split(',').map(bare).filter(|name| !name.is_empty()).collect()
}

pub(super) fn read(body: &[DocLine], style: Style, margin: usize) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in body.iter().filter(|line| !line.is_blank()) {
        let is_head = line.indent() == margin && !line.is_example;
        match entries.last_mut() {
            _ if is_head => entries.push(head(line, style)),
            Some(entry) => {
                if !entry.text.is_empty() {
                    entry.text.push(' ');
                }
                entry.text.push_str(line.text.trim());
            }
            None => {}
        }
    }
    entries
}

fn head(line: &DocLine, style: Style) -> Entry {
    let text = line.text.trim();
    let entry = |named: &str, annotation: Option<&str>, said: &str| Entry {
        names: names(named),
        annotation: annotation.map(str::trim).filter(|typed| !typed.is_empty()).map(str::to_owned),
        text: said.trim().to_owned(),
        line: line.number,
    };
    match style {
        Style::Underlined => match text.split_once(" :").or_else(|| text.split_once(':')) {
            Some((named, annotation)) => entry(named, Some(annotation), ""),
            None => entry(text, None, ""),
        },
        Style::Google => {
            let (head, said) = colon(text).map_or((text, ""), |at| (&text[..at], &text[at + 1..]));
            match head
                .split_once('(')
                .and_then(|(named, rest)| Some((named, rest.trim_end().strip_suffix(')')?)))
            {
                Some((named, annotation)) if !named.trim().is_empty() => entry(named, Some(annotation), said),
                _ => entry(head, None, said),
            }
        }
    }
}

/// The colon that ends the head of an entry: the first outside of brackets.
fn colon(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

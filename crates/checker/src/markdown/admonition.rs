//! What stands around CommonMark in a page, taken away line for line before it is read: front matter, and the
//! marks of admonitions.

use super::Admonition;
use super::read::{closes, opening};

/// How far the text of `!!! note` is indented.
const INDENT: &str = "    ";

/// A page as CommonMark.
pub(super) struct Plain<'t> {
    /// As many lines as there were.
    pub(super) lines: Vec<&'t str>,
    /// How many of them are front matter.
    pub(super) skipped: usize,
    pub(super) admonitions: Vec<Admonition>,
}

/// The lines of a page without what is no CommonMark.
pub(super) fn plain<'t>(all: &[&'t str]) -> Plain<'t> {
    let mut lines = Vec::with_capacity(all.len());
    let mut admonitions: Vec<Admonition> = Vec::new();
    // Which are open: by indentation the innermost last, and behind colons.
    let (mut indented, mut fenced): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut open: Option<&str> = None;
    // The last line that is not blank.
    let mut last = 0;
    let skipped = front_matter(all);
    lines.extend(std::iter::repeat_n("", skipped));
    for (line, number) in all.iter().copied().zip(1..).skip(skipped) {
        let (text, depth) = unindented(line, indented.len());
        if !line.trim().is_empty() {
            for at in indented.drain(depth..) {
                end_at(&mut admonitions[at], last);
            }
            last = number;
        }
        let trimmed = text.trim();
        if let Some(marks) = open {
            open = if closes(trimmed, marks) { None } else { open };
        } else if let Some((marks, _)) = opening(trimmed) {
            open = Some(marks);
        } else if let Some((kind, title)) = marked(text) {
            indented.push(admonitions.len());
            admonitions.push(Admonition { kind, title, lines: number..=number });
            lines.push("");
            continue;
        } else if let Some(rest) = trimmed.strip_prefix(":::") {
            let kind = rest.trim_start_matches(':').trim();
            if kind.is_empty() {
                if let Some(at) = fenced.pop() {
                    end_at(&mut admonitions[at], number);
                }
            } else {
                let (kind, title) = named(kind);
                fenced.push(admonitions.len());
                admonitions.push(Admonition { kind, title, lines: number..=number });
            }
            lines.push("");
            continue;
        }
        lines.push(text);
    }
    for at in indented.into_iter().chain(fenced) {
        end_at(&mut admonitions[at], last);
    }
    Plain { lines, skipped, admonitions }
}

fn end_at(admonition: &mut Admonition, line: usize) {
    admonition.lines = *admonition.lines.start()..=line.max(*admonition.lines.start());
}

/// A line without the indentation of the admonitions around it, and in how many it stands.
fn unindented(line: &str, most: usize) -> (&str, usize) {
    let (mut text, mut depth) = (line, 0);
    while let Some(rest) = text.strip_prefix(INDENT).or(text.strip_prefix('\t')).filter(|_| depth < most) {
        text = rest;
        depth += 1;
    }
    (text, depth)
}

/// `!!! kind "title"`, and the forms that fold.
fn marked(line: &str) -> Option<(String, Option<String>)> {
    let rest = ["!!!", "???+", "???"].iter().find_map(|mark| line.strip_prefix(mark))?;
    let rest = rest.strip_prefix(' ')?.trim();
    let starts = rest.starts_with(|c: char| c.is_alphabetic());
    starts.then(|| match rest.split_once('"') {
        Some((kind, title)) => (kind.trim().to_owned(), Some(title.trim_end_matches('"').to_owned())),
        None => (rest.to_owned(), None),
    })
}

/// `kind title`, or `{kind} title`.
fn named(text: &str) -> (String, Option<String>) {
    let (kind, title) = match text.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some(parts) => parts,
        None => text.split_once([' ', '[']).unwrap_or((text, "")),
    };
    let title = title.trim().trim_matches(['[', ']', '"']);
    (kind.to_owned(), Some(title.to_owned()).filter(|title| !title.is_empty()))
}

/// How many lines of front matter there are, marks included.
fn front_matter(lines: &[&str]) -> usize {
    let Some(mark) = lines.first().map(|line| line.trim_end()).filter(|line| matches!(*line, "---" | "+++"))
    else {
        return 0;
    };
    let end = lines.iter().skip(1).position(|line| {
        let line = line.trim_end();
        line == mark || (mark == "---" && line == "...")
    });
    end.map_or(0, |end| end + 2)
}

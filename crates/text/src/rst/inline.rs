//! Inline markup of reStructuredText, parsed by its start and end rules.

use super::Line;
use crate::document::{Prose, RunKind};
use std::ops::Range;

/// Roles whose text is literal.
const LITERAL_ROLES: &[&str] = &[
    "code",
    "literal",
    "file",
    "samp",
    "kbd",
    "command",
    "program",
    "option",
    "envvar",
    "mod",
    "func",
    "class",
    "meth",
    "attr",
    "exc",
    "data",
    "const",
    "obj",
    "setting",
    "djadmin",
    "lookup",
    "tfilter",
    "ttag",
    "confval",
    "fixture",
    "hook",
    "globalvar",
    "rst:dir",
    "rst:role",
    "dudir",
    "durole",
    "py:func",
    "py:class",
    "py:meth",
    "py:mod",
    "py:attr",
    "py:exc",
    "py:data",
    "py:obj",
];

/// The prose of consecutive lines, markup parsed away.
pub(super) fn inline(lines: &[Line<'_>]) -> Prose {
    let mut joined = String::new();
    let mut starts = Vec::new();
    for line in lines.iter().filter(|line| !line.is_blank()) {
        if !joined.is_empty() {
            joined.push('\n');
        }
        starts.push((joined.len(), line.at));
        joined.push_str(line.text);
    }
    let mut reader = Reader { text: &joined, starts, marks: Marks::All, prose: Prose::default() };
    reader.read();
    reader.prose
}

/// The words of one line, markup parsed away.
pub(crate) fn words(text: &str) -> String {
    inline(&[Line { at: 0, indent: 0, text }]).plain
}

/// The words of a quote as [`Prose::quote`] writes it: only literals still have their marks.
pub(crate) fn unmarked(quote: &str) -> String {
    let mut reader =
        Reader { text: quote, starts: vec![(0, 0)], marks: Marks::Literals, prose: Prose::default() };
    reader.read();
    reader.prose.plain
}

/// Roles of every reStructuredText whose words a page shows after a word of the role's own.
const SHOWN_ROLES: &[(&str, &str)] = &[(":pep:`", "PEP "), (":rfc:`", "RFC ")];

/// A quote with those roles written as a page shows them.
pub(crate) fn with_roles_shown(quote: &str) -> String {
    let mut shown = String::new();
    let mut rest = quote;
    while let Some((at, (role, word))) =
        SHOWN_ROLES.iter().filter_map(|role| Some((rest.find(role.0)?, *role))).min()
    {
        let body = &rest[at + role.len()..];
        let number = body.split_once('`').filter(|(number, _)| number.bytes().all(|c| c.is_ascii_digit()));
        shown.push_str(&rest[..at]);
        match number {
            Some((number, after)) => {
                shown.push_str(word);
                shown.push_str(number);
                rest = after;
            }
            None => {
                shown.push_str(role);
                rest = body;
            }
        }
    }
    shown + rest
}

/// Which marks are parsed away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    All,
    Literals,
}

struct Reader<'t> {
    text: &'t str,
    /// Where each line starts in `text` and in the source.
    starts: Vec<(usize, usize)>,
    marks: Marks,
    prose: Prose,
}

impl Reader<'_> {
    fn read(&mut self) {
        let mut at = 0;
        let mut plain = 0;
        while at < self.text.len() {
            let rest = &self.text[at..];
            let found = if self.may_start(at) { self.markup(at, rest) } else { None };
            match found {
                Some(end) => {
                    self.text_run(plain..at);
                    self.markup_run(at, end);
                    at = end;
                    plain = at;
                }
                None if rest.starts_with('\\') && self.marks == Marks::All => {
                    self.text_run(plain..at);
                    let escaped = rest[1..].chars().next().map_or(0, char::len_utf8);
                    let keep = !rest[1..].starts_with([' ', '\n']);
                    plain = at + if keep { 1 } else { 1 + escaped };
                    at += 1 + escaped;
                }
                None => at += rest.chars().next().map_or(1, char::len_utf8),
            }
        }
        self.text_run(plain..self.text.len());
    }

    /// Whether markup may start here, by what stands before.
    fn may_start(&self, at: usize) -> bool {
        match self.text[..at].chars().next_back() {
            None => true,
            Some(before) => before.is_whitespace() || "'\"([{<-/:;.,!?’“‘«¿¡".contains(before),
        }
    }

    /// The end of the markup that starts here.
    fn markup(&self, at: usize, rest: &str) -> Option<usize> {
        let close = |mark: &str| -> Option<usize> {
            let body = &rest[mark.len()..];
            if body.starts_with(|c: char| c.is_whitespace()) || body.is_empty() {
                return None;
            }
            let mut from = 1;
            while let Some(found) = body.get(from..).and_then(|tail| tail.find(mark)) {
                let end = from + found;
                let after = body[end + mark.len()..].chars().next();
                let spaced = body[..end].ends_with(|c: char| c.is_whitespace() || c == '\\');
                let parted = after.is_none_or(|c| c.is_whitespace() || !c.is_alphanumeric());
                if !spaced && parted {
                    return Some(at + mark.len() + end + mark.len());
                }
                from = end + mark.len();
                while !body.is_char_boundary(from) {
                    from += 1;
                }
            }
            None
        };
        if rest.starts_with("``") {
            close("``")
        } else if self.marks == Marks::Literals {
            self.role(at, rest).filter(|(role, _)| LITERAL_ROLES.contains(role)).map(|(_, end)| end)
        } else if rest.starts_with("**") {
            close("**")
        } else if rest.starts_with('*') {
            close("*")
        } else if rest.starts_with('`') {
            close("`")
                .map(|end| end + self.text[end..].bytes().take_while(|byte| *byte == b'_').take(2).count())
        } else if rest.starts_with(':') {
            self.role(at, rest).map(|(_, end)| end)
        } else if rest.starts_with('|') {
            close("|")
        } else {
            None
        }
    }

    /// The name of the role that starts here, and where its text ends.
    fn role<'r>(&self, at: usize, rest: &'r str) -> Option<(&'r str, usize)> {
        let named = rest.strip_prefix(':')?;
        let role = named.find(":`").filter(|end| {
            *end > 0 && named[..*end].chars().all(|c| c.is_ascii_alphanumeric() || "-_+.:".contains(c))
        })?;
        let start = at + role + 2;
        let length = self.text[start + 1..].find('`').filter(|length| *length > 0)?;
        Some((&named[..role], start + 1 + length + 1))
    }

    /// Appends the words of a piece of markup.
    fn markup_run(&mut self, start: usize, end: usize) {
        let piece = &self.text[start..end];
        let outer = start..end;
        if piece.starts_with("``") {
            self.run(start + 2..end - 2, outer, RunKind::Code);
        } else if piece.starts_with("**") {
            self.run(start + 2..end - 2, outer, RunKind::Text);
        } else if piece.starts_with('*') || piece.starts_with('|') {
            self.run(start + 1..end - 1, outer, RunKind::Text);
        } else if piece.starts_with('`') {
            let closing = start + piece.rfind('`').unwrap_or(piece.len());
            self.reference(start + 1..closing, outer, RunKind::Text);
        } else {
            let open = start + piece.find('`').unwrap_or(0);
            let role = &self.text[start + 1..open - 1];
            let kind = if LITERAL_ROLES.contains(&role) { RunKind::Code } else { RunKind::Text };
            self.reference(open + 1..end - 1, outer, kind);
        }
    }

    /// Interpreted text: a title before its target in angle brackets, or a shortened name.
    fn reference(&mut self, inner: Range<usize>, outer: Range<usize>, kind: RunKind) {
        let text = &self.text[inner.clone()];
        if let (Some(open), true) = (text.rfind('<'), text.ends_with('>')) {
            let title = text[..open].trim_end();
            let target = text[open + 1..text.len() - 1].to_owned();
            let from = self.prose.plain.len();
            if title.is_empty() {
                self.run(inner.start + open + 1..inner.end - 1, outer, kind);
            } else {
                self.run(inner.start..inner.start + title.len(), outer, kind);
            }
            self.prose.links.push((from..self.prose.plain.len(), target));
        } else if let Some(name) = text.strip_prefix('~') {
            let skipped = name.rfind('.').map_or(1, |dot| dot + 2);
            self.run(inner.start + skipped..inner.end, outer, kind);
        } else {
            let skipped = usize::from(text.starts_with('!'));
            self.run(inner.start + skipped..inner.end, outer, kind);
        }
    }

    /// Appends plain text; a reference such as `name_` loses its mark.
    fn text_run(&mut self, range: Range<usize>) {
        let mut start = range.start;
        let text = &self.text[range.clone()];
        let marks = self.marks;
        let references = text.match_indices('_').filter(|_| marks == Marks::All);
        for (index, _) in references {
            let at = range.start + index;
            let before = self.text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
            let after = self.text[at + 1..].chars().next();
            let ends = after.is_none_or(|c| c.is_whitespace() || ".,;:!?)]}'\"".contains(c));
            if before && ends {
                self.run(start..at, start..at, RunKind::Text);
                start = at + 1;
            }
        }
        self.run(start..range.end, start..range.end, RunKind::Text);
    }

    /// Appends words, line by line, so that each run is one stretch of the source.
    fn run(&mut self, inner: Range<usize>, outer: Range<usize>, kind: RunKind) {
        let many = self.text[inner.clone()].contains('\n');
        let mut at = inner.start;
        let text = self.text;
        for line in text[inner].split_inclusive('\n') {
            let source = self.source(at)..self.source(at) + line.trim_end_matches('\n').len();
            let whole = if many || kind == RunKind::Text {
                source.clone()
            } else {
                self.source(outer.start)..self.source(outer.end - 1) + 1
            };
            let kind = if many { RunKind::Text } else { kind };
            let words = line.trim_end_matches('\n');
            self.prose.push(words, source.clone(), whole, kind);
            if line.ends_with('\n') {
                self.prose.push("\n", source.end..source.end + 1, source.end..source.end + 1, RunKind::Text);
            }
            at += line.len();
        }
    }

    /// The source offset of an offset of `text`.
    fn source(&self, at: usize) -> usize {
        let line = self.starts.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        self.starts.get(line).map_or(at, |(start, source)| source + (at - start))
    }
}

//! A line of text: white space, code spans and the characters that Markdown would take for marks.

use super::{Cell, Lead, Plain};
use crate::dom::{Element, Piece};
use crate::page::{is_code, is_inline};
use crate::reading::markup;

/// A line of text that is being written.
#[derive(Default)]
pub(super) struct Line {
    /// What closes it.
    close: String,
    /// The character before, where any stands in the line as it will be laid out.
    last: Option<char>,
    /// Whether something other than digits stands in it.
    worded: bool,
    /// A code span that may go on.
    code: String,
    /// Whether the line breaks before the next word.
    breaks: bool,
}

impl Plain<'_, '_> {
    pub(super) fn begin(&mut self, open: &str, close: &str) {
        self.at.head = false;
        self.out.push_str(open);
        self.line = Some(Line { close: close.to_owned(), ..Line::default() });
        match self.at.lead.take() {
            None => {}
            Some(Lead::Bullet) => self.out.push_str("• "),
            Some(Lead::Number(number)) => self.out.push_str(&markup::raw(&format!("{number}. "))),
            Some(Lead::Task { done }) => self.out.push_str(&markup::raw(if done { "[x] " } else { "[ ] " })),
        }
    }

    /// The line that is being written, a new one where there is none, after the break that is due in it.
    pub(super) fn line(&mut self) -> &mut Line {
        match self.at.cell {
            _ if self.line.is_some() => {}
            Some(Cell::Begun) => self.begin(&markup::raw("<br>"), ""),
            Some(Cell::Empty) => {
                self.at.cell = Some(Cell::Begun);
                self.begin("", "");
            }
            None if self.at.head => self.begin("", ""),
            None => self.begin("<p>", "</p>"),
        }
        let line = self.line.get_or_insert_default();
        if std::mem::take(&mut line.breaks) {
            line.last = None;
            line.worded = false;
            self.out.push_str(&markup::raw(if self.at.cell.is_some() { "<br>" } else { "\\\n" }));
        }
        line
    }

    pub(super) fn last(&self) -> Option<char> {
        self.line.as_ref().and_then(|line| line.last)
    }

    pub(super) fn ends_with(&mut self, c: char) {
        let line = self.line();
        line.last = Some(c);
        line.worded = true;
    }

    /// Writes the code span that was gathered.
    pub(super) fn settle(&mut self) {
        if let Some(line) = &mut self.line
            && !line.code.is_empty()
        {
            let code = std::mem::take(&mut line.code);
            self.out.push_str(&markup::raw(&markup::code_span(&code)));
        }
    }

    /// Ends the line.
    pub(super) fn flush(&mut self) {
        self.settle();
        if let Some(line) = self.line.take() {
            self.out.push_str(&line.close);
        }
    }

    /// Text, white space as a page folds it.
    pub(super) fn text(&mut self, text: &str) {
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            if c.is_ascii_whitespace() {
                let opens = self.line.as_ref().is_none_or(|line| line.breaks);
                if !opens && !matches!(self.last(), None | Some(' ')) {
                    self.settle();
                    self.out.push(' ');
                    self.line().last = Some(' ');
                }
                continue;
            }
            self.settle();
            let heading = self.at.heading;
            let line = self.line();
            if is_mark(line, heading, c, rest.peek().copied()) {
                line.last = Some(c);
                line.worded = true;
                self.out.push_str(&markup::raw(&format!("\\{c}")));
            } else {
                line.last = Some(c);
                line.worded |= !c.is_ascii_digit();
                markup::push_text(&mut self.out, c);
            }
        }
    }

    pub(super) fn code_span(&mut self, words: &str) {
        let code = words.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        if code.is_empty() {
            return self.text(words);
        }
        self.space_before(words);
        let gap = if self.last() == Some(' ') { "" } else { " " };
        let line = self.line();
        if line.code.is_empty() {
            line.code = code;
        } else {
            // Two code spans side by side would run into each other.
            line.code.push_str(if words.starts_with(|c: char| c.is_ascii_whitespace()) { gap } else { "" });
            line.code.push_str(&code);
        }
        line.last = Some('`');
        line.worded = true;
        if words.ends_with(|c: char| c.is_ascii_whitespace()) {
            self.text(" ");
        }
    }

    pub(super) fn line_break(&mut self) {
        if self.at.heading {
            self.text(" ");
        } else if let Some(line) = &mut self.line {
            line.breaks = line.last.is_some();
        }
    }

    /// A space, where the words begin with one.
    pub(super) fn space_before(&mut self, words: &str) {
        if words.starts_with(|c: char| c.is_ascii_whitespace()) {
            self.text(" ");
        }
    }
}

/// Whether a character would be read as a mark where it stands. `htmd` sees to those that are marks
/// wherever they stand.
fn is_mark(line: &Line, heading: bool, c: char, next: Option<char>) -> bool {
    let starts = line.last.is_none();
    let ends_a_mark = next.is_none_or(|next| next.is_whitespace() || next == c);
    match c {
        '~' => true,
        '<' => next.is_none_or(|next| next.is_ascii_alphabetic() || "/!?".contains(next)),
        '&' => next.is_none_or(|next| next.is_ascii_alphanumeric() || next == '#'),
        '#' | '{' | '}' if heading => true,
        '=' | '>' | '|' => starts,
        '-' | '+' | '#' => starts && ends_a_mark,
        ':' => starts && next == Some('-'),
        '.' | ')' => !line.worded && !starts && !heading,
        _ => false,
    }
}

/// The character that follows an element in its line.
pub(super) fn following(element: Element<'_>) -> Option<char> {
    let mut at = element;
    loop {
        match at.next() {
            Some(Piece::Text(text)) => return text.chars().next(),
            Some(Piece::Element(next)) if matches!(next.name(), "b" | "strong" | "em" | "i") => {
                return Some('*');
            }
            Some(Piece::Element(next)) if is_code(next) => return Some('`'),
            Some(Piece::Element(next)) if is_inline(next) => {
                let first = next.pieces().find_map(|piece| match piece {
                    Piece::Text(text) => text.chars().next(),
                    Piece::Element(_) | Piece::Comment(_) => None,
                });
                if first.is_some() {
                    return first;
                }
                at = next;
            }
            Some(Piece::Element(_) | Piece::Comment(_)) => return None,
            None => at = at.parent().filter(|parent| is_inline(*parent))?,
        }
    }
}

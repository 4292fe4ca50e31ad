//! What two full stops introduce: directives, notes, targets, substitutions, and comments.

use super::block::{Reader, last_filled};
use super::frame::{Frame, Indented};
use super::{Destination, Directive, Field, LinkTarget, Note, list};

/// Where a directive stands, and what is known of it before its body is read.
struct Opening<'n> {
    name: &'n str,
    substitutes: Option<&'n str>,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    /// A construct that `..` or `__` introduces.
    pub(super) fn explicit(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        line: &str,
        depth: usize,
    ) -> Option<usize> {
        if line == "__" || line.starts_with("__ ") {
            return Some(self.anonymous(frame, at, 2));
        }
        let rest = line.strip_prefix("..").filter(|rest| rest.is_empty() || rest.starts_with(' '))?;
        let text = rest.trim_start_matches(' ');
        let start = line.len() - text.len();
        let next = match text.chars().next() {
            Some('[') => self.note(frame, at, text, start, depth),
            Some('_') => self.target(frame, at, text, start),
            Some('|') => self.substitution(frame, at, text, start, depth),
            Some(_) => directive_name(text).map(|(name, bytes)| {
                let opening = Opening { name, substitutes: None, at, depth };
                self.directive(frame, &opening, frame.below(at, start + bytes))
            }),
            None => None,
        };
        Some(next.unwrap_or_else(|| self.comment(frame, at, depth)))
    }

    fn note(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        text: &str,
        start: usize,
        depth: usize,
    ) -> Option<usize> {
        let end = text.find(']')?;
        let label = &text[1..end];
        let behind = &text[end + 1..];
        let is_label = matches!(label, "#" | "*")
            || simple_name(label.trim_start_matches('#')) == Some(label.trim_start_matches('#').len());
        if !is_label || !(behind.is_empty() || behind.starts_with(' ')) {
            return None;
        }
        let blanks = behind.len() - behind.trim_start_matches(' ').len();
        let body = frame.below(at, start + end + 1 + blanks);
        let lines = frame.number(at)..=frame.number(last_filled(frame, at, body.next));
        self.rst.notes.push(Note { label: label.to_owned(), lines });
        self.read(&body.frame, depth + 1);
        Some(body.next)
    }

    fn target(&mut self, frame: &Frame<'_>, at: usize, text: &str, start: usize) -> Option<usize> {
        let name = &text[1..];
        if name.is_empty() || name.starts_with(' ') {
            return None;
        }
        if let Some(rest) = name.strip_prefix("_:") {
            return (rest.is_empty() || rest.starts_with(' ')).then(|| self.anonymous(frame, at, start + 3));
        }
        let body = frame.below(at, start + 1);
        let text = body.frame.text();
        let (name, to) = match text.strip_prefix('`') {
            Some(quoted) => quoted.split_once("`:")?,
            None => split_at_colon(&text)?,
        };
        let lines = frame.number(at)..=frame.number(last_filled(frame, at, body.next));
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "");
        self.rst.targets.push(LinkTarget { name: Some(name), to: destination(to), lines });
        Some(body.next)
    }

    fn anonymous(&mut self, frame: &Frame<'_>, at: usize, bytes: usize) -> usize {
        let body = frame.below(at, bytes);
        let lines = frame.number(at)..=frame.number(last_filled(frame, at, body.next));
        self.rst.targets.push(LinkTarget { name: None, to: destination(&body.frame.text()), lines });
        body.next
    }

    fn substitution(
        &mut self,
        frame: &Frame<'_>,
        at: usize,
        text: &str,
        start: usize,
        depth: usize,
    ) -> Option<usize> {
        let end = text[1..].find('|')? + 1;
        let substitutes = text[1..end].trim();
        let behind = text[end + 1..].trim_start_matches(' ');
        let (name, bytes) = directive_name(behind)?;
        let opening = Opening { name, substitutes: Some(substitutes), at, depth };
        Some(self.directive(frame, &opening, frame.below(at, start + text.len() - behind.len() + bytes)))
    }

    fn directive(&mut self, frame: &Frame<'_>, opening: &Opening<'_>, inside: Indented<'_>) -> usize {
        let Opening { name, at, depth, .. } = *opening;
        let Indented { frame: inside, next } = inside;
        let inside = inside.without_blank_start();
        let has_argument = !self.dialect.is_unargued(name);
        let head = inside.end_of_paragraph(0);
        let first_option =
            (0..head).find(|index| inside.line(*index).is_some_and(|line| list::field(line).is_some()));
        let (argument, options) = match (has_argument, first_option) {
            (true, option) => (0..option.unwrap_or(head), option.unwrap_or(head)..head),
            (false, Some(option)) if (0..option).all(|index| inside.is_blank(index)) => (0..0, option..head),
            (false, _) => (0..0, 0..0),
        };
        let options_end = options.end;
        let first = (options_end.max(argument.end)..inside.len()).find(|index| !inside.is_blank(*index));
        let body = first.map(|first| inside.number(first)..=inside.number(inside.len() - 1));
        let body_frame = Frame::new(first.map_or(&[][..], |first| inside.slice(first..inside.len())));
        let text = inside.slice(argument).iter().map(|(line, _)| line.trim()).collect::<Vec<_>>().join(" ");
        let is_verbatim = self.dialect.is_verbatim(name);
        self.rst.directives.push(Directive {
            name: name.to_owned(),
            argument: text.trim().to_owned(),
            options: fields(&inside, options),
            body,
            text: body_frame.text(),
            substitutes: opening.substitutes.map(str::to_owned),
            line: frame.number(at),
            lines: frame.number(at)..=frame.number(last_filled(frame, at, next)),
            depth,
        });
        if !is_verbatim {
            self.read(&body_frame, depth + 1);
        }
        next
    }
}

/// The options of a directive: what is indented below one belongs to it.
fn fields(inside: &Frame<'_>, range: std::ops::Range<usize>) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for index in range {
        let line = inside.line(index).unwrap_or_default();
        if let Some((name, bytes)) = list::field(line) {
            let value = line.get(bytes..).unwrap_or_default().trim().to_owned();
            fields.push(Field { name: name.to_owned(), value, line: inside.number(index) });
        } else if let Some(last) = fields.last_mut() {
            if !last.value.is_empty() {
                last.value.push(' ');
            }
            last.value.push_str(line.trim());
        }
    }
    fields
}

fn destination(text: &str) -> Destination {
    let words = text.split_whitespace().collect::<Vec<_>>();
    if words.is_empty() {
        return Destination::Here;
    }
    let joined = words.join(" ");
    match joined.strip_suffix('_').filter(|name| !name.ends_with('\\') && !name.contains("//")) {
        Some(name) if name.starts_with('`') => Destination::Name(name.trim_matches('`').to_owned()),
        Some(name) if simple_name(name) == Some(name.len()) => Destination::Name(name.to_owned()),
        Some(_) | None => Destination::Address(words.concat()),
    }
}

/// The parts of `name: address`, at the first colon that is not escaped and that a blank or nothing follows.
fn split_at_colon(text: &str) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    for (index, c) in text.char_indices() {
        let ends = text[index + c.len_utf8()..].chars().next().is_none_or(char::is_whitespace);
        if c == ':' && !is_escaped && ends && index > 0 {
            return Some((&text[..index], &text[index + 1..]));
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

/// The name of a directive, and how many bytes there are before what follows it.
fn directive_name(text: &str) -> Option<(&str, usize)> {
    let length = simple_name(text)?;
    let behind = &text[length..];
    let behind = behind.strip_prefix(' ').unwrap_or(behind).strip_prefix("::")?;
    if !(behind.is_empty() || behind.starts_with(' ')) {
        return None;
    }
    Some((&text[..length], text.len() - behind.trim_start_matches(' ').len()))
}

/// How many bytes of a text are a simple name: words, joined by single marks.
pub(super) fn simple_name(text: &str) -> Option<usize> {
    let mut length = None;
    let mut was_word = false;
    for (index, c) in text.char_indices() {
        if c.is_alphanumeric() {
            length = Some(index + c.len_utf8());
            was_word = true;
        } else if was_word && matches!(c, '-' | '.' | '_' | '+' | ':') {
            was_word = false;
        } else {
            break;
        }
    }
    length
}

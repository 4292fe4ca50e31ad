//! A word: what was written, and what it comes to where that can be known.

use super::Assignment;
use std::iter::Peekable;
use std::str::Chars;

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    source: String,
    text: Option<String>,
    pattern: bool,
}

impl Word {
    pub(super) fn new(source: &str, value: Value) -> Word {
        let source = source.to_owned();
        match value {
            Value::Text(text) => Word { source, text: Some(text), pattern: false },
            Value::Pattern(text) => Word { source, text: Some(text), pattern: true },
            Value::Unknown => Word { source, text: None, pattern: false },
        }
    }

    /// As it was written, quotes included.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What a program is handed. None where an expansion makes that unknowable.
    pub fn text(&self) -> Option<&str> {
        if self.pattern { None } else { self.text.as_deref() }
    }

    /// The same, and for a pattern of file names the pattern: a program is handed that where nothing matches.
    pub fn pattern(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The variable that it would set as an argument of `env`.
    pub(super) fn assigns(&self) -> Option<Assignment> {
        let (name, _) = self.source.split_once('=')?;
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(fits) {
            return None;
        }
        let value = match self.text().and_then(|text| text.split_once('=')) {
            Some((_, value)) => Value::Text(value.to_owned()),
            None => Value::Unknown,
        };
        Some(Assignment { name: name.to_owned(), value: Word::new(&self.source[name.len() + 1..], value) })
    }
}

/// What a word, or a part of one, comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    /// File names are matched against it.
    Pattern(String),
    Unknown,
}

impl Value {
    /// This part, and then another.
    pub(super) fn then(self, next: Value) -> Value {
        match (self, next) {
            (Value::Text(first), Value::Text(next)) => Value::Text(first + &next),
            (Value::Text(first) | Value::Pattern(first), Value::Text(next) | Value::Pattern(next)) => {
                Value::Pattern(first + &next)
            }
            (Value::Unknown, _) | (_, Value::Unknown) => Value::Unknown,
        }
    }
}

/// What stands between `$'` and `'`.
pub(super) fn ansi_c(source: &str) -> Value {
    let mut text = String::new();
    let mut rest = source.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        if rest.peek().is_some_and(|c| c.is_digit(8)) {
            match byte(number(&mut rest, 8, 3)) {
                Some(c) => text.push(c),
                None => return Value::Unknown,
            }
            continue;
        }
        let escaped = match rest.next() {
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some('a') => Some('\u{7}'),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            Some('v') => Some('\u{b}'),
            Some('e' | 'E') => Some('\u{1b}'),
            Some('x') => byte(number(&mut rest, 16, 2)),
            Some('u') => number(&mut rest, 16, 4).and_then(char::from_u32),
            Some('U') => number(&mut rest, 16, 8).and_then(char::from_u32),
            Some(other @ ('\\' | '\'' | '"' | '?')) => Some(other),
            Some(_) | None => None,
        };
        match escaped {
            Some(c) => text.push(c),
            None => return Value::Unknown,
        }
    }
    Value::Text(text)
}

/// The number that comes next, of so many digits at the most.
fn number(rest: &mut Peekable<Chars<'_>>, radix: u32, most: usize) -> Option<u32> {
    let mut number = None;
    for _ in 0..most {
        let Some(digit) = rest.peek().and_then(|c| c.to_digit(radix)) else { break };
        number = Some(number.unwrap_or(0) * radix + digit);
        rest.next();
    }
    number
}

/// The character of a byte, where it is one by itself. NUL ends a word in a way that nobody means.
fn byte(number: Option<u32>) -> Option<char> {
    number.filter(|number| (1..0x80).contains(number)).and_then(char::from_u32)
}

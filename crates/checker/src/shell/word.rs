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
    /// What it is made of, where variables are among that.
    pieces: Vec<Piece>,
}

/// A part of a word that variables are in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// File names are matched against it.
    Pattern(String),
    Variable {
        name: String,
        quoted: bool,
    },
}

impl Word {
    pub(super) fn new(source: &str, value: Value) -> Word {
        let source = source.to_owned();
        let (text, pattern, pieces) = match value {
            Value::Text(text) => (Some(text), false, Vec::new()),
            Value::Pattern(text) => (Some(text), true, Vec::new()),
            Value::Open(pieces) => (None, false, pieces),
            Value::Unknown => (None, false, Vec::new()),
        };
        Word { source, text, pattern, pieces }
    }

    /// The word with the values of its variables, where all of them are known. An unquoted value that a shell
    /// would take apart stays unknown.
    pub(super) fn resolved<'v>(&self, value_of: impl Fn(&str) -> Option<&'v str>) -> Word {
        if self.pieces.is_empty() {
            return self.clone();
        }
        let mut value = Value::Text(String::new());
        for piece in &self.pieces {
            let next = match piece {
                Piece::Text(text) => Value::Text(text.clone()),
                Piece::Pattern(text) => Value::Pattern(text.clone()),
                Piece::Variable { name, quoted } => match value_of(name) {
                    Some(text) if *quoted || is_whole(text) => Value::Text(text.to_owned()),
                    Some(_) | None => Value::Unknown,
                },
            };
            value = value.then(next);
        }
        Word::new(&self.source, value)
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
        let (name, _) = self.source.split_once('=').filter(|(name, _)| is_name(name))?;
        let value = match self.text().and_then(|text| text.split_once('=')) {
            Some((_, value)) => Value::Text(value.to_owned()),
            None => Value::Unknown,
        };
        Some(Assignment { name: name.to_owned(), value: Word::new(&self.source[name.len() + 1..], value) })
    }
}

/// Whether a shell leaves a value that is not quoted as it is.
fn is_whole(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "*?[".contains(c))
}

/// Whether a text can name a variable.
pub(super) fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(fits)
}

/// What a word, or a part of one, comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    /// File names are matched against it.
    Pattern(String),
    /// Variables are in it.
    Open(Vec<Piece>),
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
            (first, next) => {
                let mut pieces = first.pieces();
                pieces.append(&mut next.pieces());
                Value::Open(pieces)
            }
        }
    }

    fn pieces(self) -> Vec<Piece> {
        match self {
            Value::Text(text) if text.is_empty() => Vec::new(),
            Value::Text(text) => vec![Piece::Text(text)],
            Value::Pattern(text) => vec![Piece::Pattern(text)],
            Value::Open(pieces) => pieces,
            Value::Unknown => Vec::new(),
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

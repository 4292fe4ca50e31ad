//! Words: quotes, escapes, expansions.

use super::RedirectionKind;
use super::parse::{Parser, Read, Trouble};
use super::tree::{Document, Node, Sequence, Target};
use super::word::{Piece, Value, Word, ansi_c, is_name};

/// Characters that end a word where they are not quoted.
pub(super) const ENDS: &str = " \t\n\r;&|<>()";

/// A word that is being read.
#[derive(Debug)]
struct Draft {
    value: Value,
    runs: Vec<Sequence>,
    /// Unquoted braces so far: none, open, open with a comma or two dots in them, or closed after these.
    braces: u8,
    bracket: bool,
    /// Whether it stands between double quotes here.
    quoted: bool,
}

impl Draft {
    fn new(value: Value) -> Draft {
        Draft { value, runs: Vec::new(), braces: 0, bracket: false, quoted: false }
    }

    fn variable(&mut self, name: &str) {
        self.push(Value::Open(vec![Piece::Variable { name: name.to_owned(), quoted: self.quoted }]));
    }

    fn push(&mut self, value: Value) {
        let before = std::mem::replace(&mut self.value, Value::Unknown);
        self.value = before.then(value);
    }

    fn text(&mut self, text: &str) {
        match &mut self.value {
            Value::Text(before) | Value::Pattern(before) => before.push_str(text),
            Value::Open(pieces) => match pieces.last_mut() {
                Some(Piece::Text(before) | Piece::Pattern(before)) => before.push_str(text),
                Some(Piece::Variable { .. }) | None => pieces.push(Piece::Text(text.to_owned())),
            },
            Value::Unknown => {}
        }
    }

    fn pattern(&mut self) {
        self.push(Value::Pattern(String::new()));
    }
}

impl Parser<'_> {
    /// The word that begins here, and what it runs.
    pub(super) fn word(&mut self) -> Read<(Word, Vec<Sequence>)> {
        let start = self.at;
        let mut draft = Draft::new(Value::Text(String::new()));
        if self.peek() == Some('~') {
            draft.value = Value::Unknown;
        }
        while let Some(c) = self.peek() {
            if matches!(c, '<' | '>') && self.at == start && self.rest()[1..].starts_with('(') {
                self.at += 2;
                draft.runs.push(self.until_closed()?);
                draft.value = Value::Unknown;
                continue;
            }
            if ENDS.contains(c) {
                break;
            }
            self.piece(c, &mut draft)?;
        }
        if self.at == start {
            return Err(Trouble);
        }
        if draft.braces == 3 {
            draft.value = Value::Unknown;
        }
        Ok((Word::new(&self.text[start..self.at], draft.value), draft.runs))
    }

    fn piece(&mut self, c: char, draft: &mut Draft) -> Read<()> {
        match c {
            '\\' => {
                self.at += 1;
                match self.next() {
                    Some('\n') | None => {}
                    Some(c) => draft.text(c.encode_utf8(&mut [0; 4])),
                }
            }
            '\'' => {
                self.at += 1;
                let text = self.up_to('\'')?;
                draft.text(text);
            }
            '"' => {
                self.at += 1;
                self.double_quoted(draft, Some('"'))?;
            }
            '$' if self.rest().starts_with("$'") => {
                self.at += 2;
                let start = self.at;
                while self.peek().ok_or(Trouble)? != '\'' {
                    if self.next() == Some('\\') {
                        self.next();
                    }
                }
                let value = ansi_c(&self.text[start..self.at]);
                self.at += 1;
                draft.push(value);
            }
            '$' if self.rest().starts_with("$\"") => self.at += 1,
            '$' | '`' => self.expansion(draft)?,
            _ => {
                self.at += c.len_utf8();
                match c {
                    '*' | '?' => draft.pattern(),
                    '[' => draft.bracket = true,
                    ']' if draft.bracket => draft.pattern(),
                    '{' if draft.braces != 3 => draft.braces = 1,
                    ',' if draft.braces == 1 => draft.braces = 2,
                    '.' if draft.braces == 1 && self.peek() == Some('.') => draft.braces = 2,
                    '}' if draft.braces == 2 => draft.braces = 3,
                    _ => {}
                }
                draft.text(c.encode_utf8(&mut [0; 4]));
            }
        }
        Ok(())
    }

    /// What stands between double quotes, or in a document, up to its end.
    fn double_quoted(&mut self, draft: &mut Draft, end: Option<char>) -> Read<()> {
        let before = std::mem::replace(&mut draft.quoted, true);
        let done = self.between_quotes(draft, end);
        draft.quoted = before;
        done
    }

    fn between_quotes(&mut self, draft: &mut Draft, end: Option<char>) -> Read<()> {
        loop {
            match self.peek() {
                c if c == end => {
                    self.at += end.map_or(0, char::len_utf8);
                    return Ok(());
                }
                None => return Err(Trouble),
                Some('\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some('\n') => self.at += 1,
                        Some(c) if matches!(c, '$' | '`' | '\\') || Some(c) == end => {
                            self.at += 1;
                            draft.text(c.encode_utf8(&mut [0; 4]));
                        }
                        _ => draft.text("\\"),
                    }
                }
                Some('$' | '`') => self.expansion(draft)?,
                Some(c) => {
                    self.at += c.len_utf8();
                    draft.text(c.encode_utf8(&mut [0; 4]));
                }
            }
        }
    }

    /// A dollar or a backtick, and what belongs to it.
    fn expansion(&mut self, draft: &mut Draft) -> Read<()> {
        let rest = self.rest();
        if rest.starts_with('`') {
            self.at += 1;
            let (inner, _) = self.backticked()?;
            draft.runs.push(inner);
        } else if rest.starts_with("$((") && self.is_sum(3) {
            self.at += 3;
            self.sum(&mut draft.runs)?;
        } else if rest.starts_with("$(") {
            self.at += 2;
            let inner = self.until_closed()?;
            let printed = self.printed(&inner);
            draft.runs.push(inner);
            draft.push(printed);
            return Ok(());
        } else if let Some(name) = braced_name(rest) {
            draft.variable(name);
            self.at += name.len() + "${}".len();
            return Ok(());
        } else if rest.starts_with("${") {
            self.at += 2;
            self.deeper(|parser| parser.braces(&mut draft.runs))?;
        } else {
            self.at += 1;
            match self.peek() {
                Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    let rest = self.rest();
                    let name = &rest[..rest.find(|c| !fits(c)).unwrap_or(rest.len())];
                    draft.variable(name);
                    self.at += name.len();
                    return Ok(());
                }
                Some(c) if c.is_ascii_digit() || "@*#?-$!".contains(c) => self.at += 1,
                _ => {
                    draft.text("$");
                    return Ok(());
                }
            }
        }
        draft.value = Value::Unknown;
        Ok(())
    }

    /// What stands up to the brace that closes an expansion.
    fn braces(&mut self, runs: &mut Vec<Sequence>) -> Read<()> {
        let mut draft = Draft::new(Value::Unknown);
        loop {
            match self.peek().ok_or(Trouble)? {
                '}' => {
                    self.at += 1;
                    runs.append(&mut draft.runs);
                    return Ok(());
                }
                c => self.piece(c, &mut draft)?,
            }
        }
    }

    /// Whether the two parentheses that were opened are closed by two: then it is a sum.
    pub(super) fn is_sum(&self, skipped: usize) -> bool {
        let mut open = 2_usize;
        let mut last = ' ';
        for c in self.rest()[skipped..].chars() {
            match c {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                return last == ')';
            }
            last = c;
        }
        false
    }

    /// A sum, up to the two parentheses that close it.
    pub(super) fn sum(&mut self, runs: &mut Vec<Sequence>) -> Read<()> {
        let mut draft = Draft::new(Value::Unknown);
        let mut open = 2_usize;
        while open > 0 {
            match self.peek().ok_or(Trouble)? {
                '$' | '`' => self.deeper(|parser| parser.expansion(&mut draft))?,
                c => {
                    self.at += c.len_utf8();
                    match c {
                        '(' => open += 1,
                        ')' => open -= 1,
                        _ => {}
                    }
                }
            }
        }
        runs.append(&mut draft.runs);
        Ok(())
    }

    /// A script between backticks, in which a backslash hides a few characters.
    fn backticked(&mut self) -> Read<(Sequence, usize)> {
        let mut inner = String::new();
        loop {
            match self.next().ok_or(Trouble)? {
                '`' => break,
                '\\' => match self.next().ok_or(Trouble)? {
                    c @ ('`' | '\\' | '$') => inner.push(c),
                    c => inner.extend(['\\', c]),
                },
                c => inner.push(c),
            }
        }
        let sequence = self.nested(&inner)?;
        Ok((sequence, inner.len()))
    }

    /// What a substitution prints, where it is a `cat` of a document: that is how messages of several lines are
    /// written.
    fn printed(&self, inner: &Sequence) -> Value {
        let [item] = &inner[..] else { return Value::Unknown };
        let Node::Simple(simple) = &item.node else { return Value::Unknown };
        let [(RedirectionKind::HereDocument, None, Target::Document(number))] = &simple.redirections[..]
        else {
            return Value::Unknown;
        };
        let is_cat = matches!(&simple.words[..], [word] if word.text() == Some("cat"));
        let held = self.documents.get(*number).and_then(Option::as_ref).and_then(|held| held.word.text());
        match held.filter(|_| is_cat && simple.assignments.is_empty() && !item.in_background) {
            Some(text) => Value::Text(text.trim_end_matches('\n').to_owned()),
            None => Value::Unknown,
        }
    }

    /// A document of which only expansions count.
    pub(super) fn expanded(&mut self, held: &str) -> Read<Document> {
        let mut draft = Draft::new(Value::Text(String::new()));
        self.aside(held, |parser| parser.double_quoted(&mut draft, None))?;
        Ok(Document { word: Word::new(held, draft.value), runs: draft.runs })
    }
}

/// The variable in an expansion that does nothing but name it.
fn braced_name(rest: &str) -> Option<&str> {
    let name = rest.strip_prefix("${")?;
    let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?];
    (is_name(name) && rest["${".len() + name.len()..].starts_with('}')).then_some(name)
}

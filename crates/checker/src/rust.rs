//! Rust as checkers need it: what of each line is code, what is comment, what belongs to a test.
//!
//! A scanner, not a parser: literals and comments are told apart from code, tests by their attributes
//! and by the folders that cargo gives them.

use crate::diff::lines;

/// One line of a Rust file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RustLine {
    /// The line with literals and comments blanked out.
    pub code: String,
    /// The text of its comments, marks included.
    pub comment: String,
    /// Whether it belongs to a test, a benchmark or a helper of one.
    pub in_test: bool,
}

/// A Rust file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rust {
    lines: Vec<RustLine>,
}

/// What the scanner is inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Code,
    Line,
    /// A block comment, with how deep they are nested.
    Block(usize),
    /// A string; a raw one has this many number signs.
    Text(Option<usize>),
}

impl Rust {
    /// Reads a file. The path says whether all of it is a test.
    pub fn new(path: &str, text: &str) -> Self {
        let mut scanned = scan(text);
        let folder =
            |name: &str| path.starts_with(&format!("{name}/")) || path.contains(&format!("/{name}/"));
        if folder("tests") || folder("benches") {
            scanned.iter_mut().for_each(|line| line.in_test = true);
        } else {
            mark_tests(&mut scanned);
        }
        Rust { lines: scanned }
    }

    /// A line, from 1.
    pub fn line(&self, number: usize) -> Option<&RustLine> {
        number.checked_sub(1).and_then(|index| self.lines.get(index))
    }

    /// The lines.
    pub fn lines(&self) -> &[RustLine] {
        &self.lines
    }

    /// The first line, from 1, of the attributes and comments that stand above a line.
    pub fn head_of(&self, number: usize) -> usize {
        let mut first = number;
        let mut open = 0_usize;
        for (index, line) in self.lines.iter().enumerate().take(number.saturating_sub(1)).rev() {
            let code = line.code.trim();
            let is_comment = code.is_empty() && !line.comment.is_empty();
            if open == 0 && !is_comment && (!code.ends_with(']') || code.starts_with("#!")) {
                break;
            }
            open = (open + code.matches(']').count()).saturating_sub(code.matches('[').count());
            first = index + 1;
        }
        first
    }

    /// The code of the attributes, and of the line itself, that stand together with a line, above and below.
    pub fn attributes_with(&self, number: usize) -> impl Iterator<Item = &str> {
        let goes_on = |line: &&RustLine| {
            line.code.trim_start().starts_with('#') || line.code.trim().is_empty() && !line.comment.is_empty()
        };
        let above = self.lines.iter().take(number).skip(self.head_of(number).saturating_sub(1));
        let below = self.lines.iter().skip(number).take_while(goes_on);
        above.chain(below).map(|line| line.code.as_str())
    }

    /// The code of the attributes that hold at a line: those of the items around it, and of the file.
    pub fn attributes_over(&self, number: usize) -> Vec<String> {
        let mut found = Vec::new();
        for (index, line) in self.lines.iter().enumerate().take(number) {
            let code = line.code.trim_start();
            if !code.starts_with("#[") && !code.starts_with("#![") {
                continue;
            }
            let last = self.closing_line(index + 1, '[', ']');
            if code.starts_with("#!") || number <= block_end(&self.lines, last - 1) + 1 {
                found.push(self.lines[index..last].iter().map(|line| line.code.trim()).collect());
            }
        }
        found
    }

    /// The last line of what opens with a bracket on a line, from 1: of an attribute, a call, a block.
    pub fn closing_line(&self, number: usize, open: char, close: char) -> usize {
        let mut depth = 0_usize;
        for (index, line) in self.lines.iter().enumerate().skip(number.saturating_sub(1)) {
            for c in line.code.chars() {
                if c == open {
                    depth += 1;
                } else if c == close && depth > 0 {
                    depth -= 1;
                    if depth == 0 {
                        return index + 1;
                    }
                }
            }
            if depth == 0 {
                return index + 1;
            }
        }
        self.lines.len().max(number)
    }
}

fn scan(text: &str) -> Vec<RustLine> {
    let mut inside = Inside::Code;
    let mut scanned = Vec::new();
    for line in lines(text) {
        let mut code = String::new();
        let mut comment = String::new();
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let (next, length) = step(inside, rest, &code);
            match (inside, next) {
                (Inside::Code, Inside::Code) if c == '\'' && length > 1 => code.push_str("' '"),
                (Inside::Code, Inside::Code) => code.push_str(&rest[..length]),
                (Inside::Line | Inside::Block(_), _) | (Inside::Code, Inside::Line | Inside::Block(_)) => {
                    comment.push_str(&rest[..length]);
                    code.push(' ');
                }
                _ => code.push(' '),
            }
            inside = next;
            rest = &rest[length..];
        }
        if inside == Inside::Line {
            inside = Inside::Code;
        }
        scanned.push(RustLine { code, comment, in_test: false });
    }
    scanned
}

/// What comes after the next characters, and how many bytes they are.
fn step(inside: Inside, rest: &str, before: &str) -> (Inside, usize) {
    let one = rest.chars().next().map_or(1, char::len_utf8);
    match inside {
        Inside::Code => {
            let word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if rest.starts_with("//") {
                return (Inside::Line, 2);
            }
            if rest.starts_with("/*") {
                return (Inside::Block(1), 2);
            }
            if rest.starts_with('"') {
                return (Inside::Text(None), 1);
            }
            let raw = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('r').filter(|_| !word);
            if let Some(raw) = raw {
                let signs = raw.bytes().take_while(|byte| *byte == b'#').count();
                if raw[signs..].starts_with('"') {
                    return (Inside::Text(Some(signs)), rest.len() - raw.len() + signs + 1);
                }
            }
            (Inside::Code, character_literal(rest).unwrap_or(one))
        }
        Inside::Line => (Inside::Line, one),
        Inside::Block(depth) if rest.starts_with("*/") => {
            (if depth == 1 { Inside::Code } else { Inside::Block(depth - 1) }, 2)
        }
        Inside::Block(depth) if rest.starts_with("/*") => (Inside::Block(depth + 1), 2),
        Inside::Block(depth) => (Inside::Block(depth), one),
        Inside::Text(None) if rest.starts_with('\\') => {
            (inside, 1 + rest[1..].chars().next().map_or(0, char::len_utf8))
        }
        Inside::Text(None) if rest.starts_with('"') => (Inside::Code, 1),
        Inside::Text(Some(signs)) if rest.starts_with('"') && rest[1..].starts_with(&"#".repeat(signs)) => {
            (Inside::Code, 1 + signs)
        }
        Inside::Text(_) => (inside, one),
    }
}

/// The bytes of a character literal, told from a lifetime.
fn character_literal(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix('\'')?;
    let mut chars = body.char_indices();
    let (_, first) = chars.next()?;
    if first == '\\' {
        let end = body.char_indices().skip(2).find(|(_, c)| *c == '\'')?;
        return Some(1 + end.0 + 1);
    }
    let (at, second) = chars.next()?;
    (second == '\'').then_some(1 + at + 1)
}

/// Marks what stands below `#[test]` and `#[cfg(test)]`, to the end of its block.
fn mark_tests(scanned: &mut [RustLine]) {
    let mut index = 0;
    while index < scanned.len() {
        let code = scanned[index].code.trim();
        if !(code.starts_with("#[test]") || code.starts_with("#[cfg(test)]") || code.contains("::test]")) {
            index += 1;
            continue;
        }
        let end = block_end(scanned, index);
        for line in &mut scanned[index..=end] {
            line.in_test = true;
        }
        index = end + 1;
    }
}

/// The line on which the block that follows a line ends; an item without one ends at its semicolon.
fn block_end(scanned: &[RustLine], start: usize) -> usize {
    let mut depth = 0_usize;
    for (index, line) in scanned.iter().enumerate().skip(start) {
        for c in line.code.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth <= 1 => return index,
                '}' => depth -= 1,
                ';' if depth == 0 && index > start => return index,
                _ => {}
            }
        }
    }
    scanned.len().saturating_sub(1)
}

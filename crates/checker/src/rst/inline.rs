//! The marks within the lines of a paragraph, matched as docutils matches them: a mark opens behind white
//! space or punctuation and closes before it.

use super::explicit::simple_name;
use super::frame::Piece;
use super::{Destination, Link, LinkTarget, Marked, Role, Rst};

const PAIRS: [(char, char); 11] = [
    ('"', '"'),
    ('\'', '\''),
    ('(', ')'),
    ('<', '>'),
    ('[', ']'),
    ('{', '}'),
    ('\u{201c}', '\u{201d}'),
    ('\u{2018}', '\u{2019}'),
    ('\u{ab}', '\u{bb}'),
    ('\u{201e}', '\u{201c}'),
    ('\u{bb}', '\u{ab}'),
];

/// A name of more characters is none.
const LONGEST_NAME: usize = 300;

/// What may stand before an opening mark and behind a closing one.
fn is_delimiter(c: char) -> bool {
    matches!(c, '-' | '/' | ':' | '\u{2010}'..='\u{2015}' | '\u{a1}' | '\u{b7}' | '\u{bf}' | '\u{2020}'..='\u{2027}' | '\u{2030}'..='\u{2038}'
        | '\u{3001}'..='\u{3003}' | '\u{ff0c}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff01}' | '\u{ff1f}' | '\u{a7}' | '\u{b6}')
}

fn is_opener(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '(' | '<' | '[' | '{' | '\u{ab}' | '\u{bb}' | '\u{2018}'
            ..='\u{201f}' | '\u{2039}' | '\u{203a}' | '\u{300c}' | '\u{300e}' | '\u{3010}' | '\u{ff08}'
    )
}

fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | ')'
            | '>'
            | ']'
            | '}'
            | '\\'
            | '.'
            | ','
            | ';'
            | '!'
            | '?'
            | '\u{ab}'
            | '\u{bb}'
            | '\u{2018}'
            ..='\u{201f}' | '\u{2039}' | '\u{203a}' | '\u{300d}' | '\u{300f}' | '\u{3011}' | '\u{ff09}'
    )
}

/// A mark that both opens and closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Strong,
    Emphasis,
    Literal,
    Target,
    Substitution,
    Backquote,
}

impl Mark {
    fn opening(self) -> usize {
        match self {
            Mark::Strong | Mark::Literal | Mark::Target => 2,
            Mark::Emphasis | Mark::Substitution | Mark::Backquote => 1,
        }
    }

    fn closing(self) -> (char, usize) {
        match self {
            Mark::Strong => ('*', 2),
            Mark::Emphasis => ('*', 1),
            Mark::Literal => ('`', 2),
            Mark::Target | Mark::Backquote => ('`', 1),
            Mark::Substitution => ('|', 1),
        }
    }
}

/// What stands behind a closing mark and belongs to it: underscores, or a role.
struct Behind {
    underscores: usize,
    role: Option<String>,
    end: usize,
}

struct Scanner<'r> {
    text: Vec<char>,
    /// Whether a backslash stands before a character and takes its meaning.
    escaped: Vec<bool>,
    /// Where each line begins, and its number.
    starts: Vec<(usize, usize)>,
    /// For each mark, whether no closing one is left.
    spent: Vec<Mark>,
    rst: &'r mut Rst,
}

/// Reads lines that belong together.
pub(super) fn read(lines: &[Piece<'_>], rst: &mut Rst) {
    let is_marked = |line: &str| line.contains(['*', '`', '|', '_', ':', '@']);
    if !lines.iter().any(|(line, _)| is_marked(line)) {
        return;
    }
    let (mut text, mut starts) = (Vec::new(), Vec::new());
    for (line, number) in lines {
        starts.push((text.len(), *number));
        text.extend(line.chars());
        text.push('\n');
    }
    text.pop();
    let mut escaped = vec![false; text.len()];
    for at in 1..text.len() {
        escaped[at] = text[at - 1] == '\\' && !escaped[at - 1];
    }
    Scanner { text, escaped, starts, spent: Vec::new(), rst }.scan();
}

impl Scanner<'_> {
    fn scan(&mut self) {
        let mut at = 0;
        while let Some(c) = self.at(at) {
            at = if self.escaped[at] || c.is_whitespace() || !self.may_open(at) {
                at + 1
            } else {
                self.construct(at, c)
            };
        }
    }

    fn at(&self, at: usize) -> Option<char> {
        self.text.get(at).copied()
    }

    fn line(&self, at: usize) -> usize {
        let behind = self.starts.partition_point(|(start, _)| *start <= at);
        self.starts.get(behind.saturating_sub(1)).map_or(1, |(_, number)| *number)
    }

    fn slice(&self, from: usize, to: usize) -> String {
        self.text.get(from..to).unwrap_or_default().iter().collect()
    }

    fn starts_with(&self, at: usize, text: &str) -> bool {
        text.chars().zip(at..).all(|(c, at)| self.at(at) == Some(c))
    }

    fn may_open(&self, at: usize) -> bool {
        at == 0 || self.at(at - 1).is_some_and(|c| c.is_whitespace() || is_opener(c) || is_delimiter(c))
    }

    fn may_close(&self, end: usize) -> bool {
        self.at(end).is_none_or(|c| c.is_whitespace() || is_closer(c) || is_delimiter(c))
    }

    /// Whether a mark stands alone between quotation marks or brackets, and marks nothing.
    fn is_quoted(&self, at: usize, length: usize) -> bool {
        let pair = at.checked_sub(1).and_then(|before| self.at(before)).zip(self.at(at + length));
        pair.is_some_and(|pair| PAIRS.contains(&pair))
    }

    /// Reads what begins at a place where a mark may open, and says where to go on.
    fn construct(&mut self, at: usize, c: char) -> usize {
        let mark = match c {
            '*' if self.starts_with(at, "**") => Mark::Strong,
            '*' => Mark::Emphasis,
            '`' if self.starts_with(at, "``") => Mark::Literal,
            '`' => Mark::Backquote,
            '_' if self.starts_with(at, "_`") => Mark::Target,
            '|' if !self.starts_with(at, "||") => Mark::Substitution,
            ':' => return self.role(at),
            '[' => return self.reference(at),
            _ if c.is_alphanumeric() => return self.word(at),
            _ => return at + 1,
        };
        self.marked(at, at + mark.opening(), mark, None)
    }

    /// Text between marks, `at` where it all begins and `from` where the text does.
    fn marked(&mut self, at: usize, from: usize, mark: Mark, role: Option<String>) -> usize {
        let opens = self.at(from).is_some_and(|c| !c.is_whitespace());
        if !opens || self.is_quoted(from - mark.opening(), mark.opening()) || self.spent.contains(&mark) {
            return from;
        }
        let Some((end, behind)) = self.closing(from, mark) else {
            self.spent.push(mark);
            return from;
        };
        let (text, line) = (self.slice(from, end), self.line(at));
        match mark {
            Mark::Strong => self.rst.strong.push(Marked { text, line }),
            Mark::Emphasis => self.rst.emphasis.push(Marked { text, line }),
            Mark::Literal => self.rst.literals.push(Marked { text, line }),
            Mark::Substitution => {
                if behind.underscores > 0 {
                    let (is_anonymous, to) = (behind.underscores == 2, Destination::Name(text.clone()));
                    self.rst.links.push(Link { text: text.clone(), to, is_anonymous, line });
                }
                self.rst.substitutions.push(Marked { text, line });
            }
            Mark::Target => {
                let lines = line..=self.line(end);
                self.rst.targets.push(LinkTarget {
                    name: Some(unfolded(&text)),
                    to: Destination::Here,
                    lines,
                });
            }
            Mark::Backquote if behind.underscores > 0 && role.is_none() => self.phrase(&text, &behind, line),
            Mark::Backquote => self.interpreted(&text, role.or(behind.role), line),
        }
        behind.end
    }

    fn closing(&self, from: usize, mark: Mark) -> Option<(usize, Behind)> {
        let (c, length) = mark.closing();
        (from + 1..self.text.len()).find_map(|at| {
            let closes = self.at(at) == Some(c) && (length == 1 || self.at(at + 1) == Some(c));
            let before = self.at(at - 1)?;
            let stands = (mark == Mark::Literal || !self.escaped[at])
                && (!before.is_whitespace() || (mark == Mark::Backquote && self.escaped[at - 1]));
            if !closes || !stands {
                return None;
            }
            let behind = self.behind(at + length, mark);
            self.may_close(behind.end).then_some((at, behind))
        })
    }

    fn behind(&self, end: usize, mark: Mark) -> Behind {
        let bare = Behind { underscores: 0, role: None, end };
        if !matches!(mark, Mark::Backquote | Mark::Substitution) {
            return bare;
        }
        let underscores = (end..end + 2).take_while(|at| self.at(*at) == Some('_')).count();
        if underscores > 0 {
            return Behind { underscores, role: None, end: end + underscores };
        }
        match self.role_name(end).filter(|_| mark == Mark::Backquote) {
            Some((name, end)) => Behind { underscores: 0, role: Some(name), end },
            None => bare,
        }
    }

    /// The name of a role between two colons, and where it ends.
    fn role_name(&self, at: usize) -> Option<(String, usize)> {
        if self.at(at) != Some(':') {
            return None;
        }
        let is_named = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_' | '+' | ':');
        let run: String =
            self.text.get(at + 1..)?.iter().take(LONGEST_NAME).copied().take_while(is_named).collect();
        let length = simple_name(&run)?;
        let name = &run[..length];
        run[length..].starts_with(':').then(|| (name.to_owned(), at + 2 + name.chars().count()))
    }

    fn role(&mut self, at: usize) -> usize {
        match self.role_name(at) {
            Some((name, end)) if self.at(end) == Some('`') && self.at(end + 1) != Some('`') => {
                self.marked(at, end + 1, Mark::Backquote, Some(name))
            }
            Some(_) | None => at + 1,
        }
    }

    fn interpreted(&mut self, text: &str, name: Option<String>, line: usize) {
        let text = unfolded(text);
        let (text, target) = match parted(&text) {
            Some((text, target)) => (text.to_owned(), Some(target.to_owned())),
            None => (text, None),
        };
        self.rst.roles.push(Role { name, text, target, line });
    }

    fn phrase(&mut self, text: &str, behind: &Behind, line: usize) {
        let text = unfolded(text);
        let is_anonymous = behind.underscores == 2;
        let (text, to) = match parted(&text) {
            Some((text, target)) => {
                match target.strip_suffix('_').filter(|name| !name.contains(['/', ':'])) {
                    Some(name) => (text.to_owned(), Destination::Name(name.to_owned())),
                    None => (text.to_owned(), Destination::Address(target.replace(' ', ""))),
                }
            }
            None if is_anonymous => (text, Destination::Here),
            None => (text.clone(), Destination::Name(text)),
        };
        let text = if text.is_empty() { address(&to).to_owned() } else { text };
        self.rst.links.push(Link { text, to, is_anonymous, line });
    }

    /// `[label]_`, a footnote or a citation.
    fn reference(&mut self, at: usize) -> usize {
        let label: String =
            self.text[at + 1..].iter().take(LONGEST_NAME).take_while(|c| !matches!(c, ']' | '\n')).collect();
        let end = at + 1 + label.chars().count();
        let bare = label.strip_prefix('#').unwrap_or(&label);
        let is_label = label == "#" || label == "*" || simple_name(bare) == Some(bare.len());
        if is_label && self.starts_with(end, "]_") && self.may_close(end + 2) {
            let line = self.line(at);
            self.rst.references.push(Marked { text: label, line });
            return end + 2;
        }
        at + 1
    }

    /// A word: an address, or `name_`.
    fn word(&mut self, at: usize) -> usize {
        if let Some(end) = self.bare_address(at) {
            let (text, line) = (self.slice(at, end), self.line(at));
            let to = Destination::Address(text.clone());
            self.rst.links.push(Link { text, to, is_anonymous: false, line });
            return end;
        }
        if let Some(end) = self.mail_address(at) {
            let (text, line) = (self.slice(at, end), self.line(at));
            let to = Destination::Address(format!("mailto:{text}"));
            self.rst.links.push(Link { text, to, is_anonymous: false, line });
            return end;
        }
        let mut end = at;
        while let Some(c) = self.at(end).filter(|_| end - at < LONGEST_NAME) {
            let joins = matches!(c, '-' | '.' | '_' | '+' | ':')
                && self.at(end + 1).is_some_and(char::is_alphanumeric)
                && !self.escaped[end];
            if !c.is_alphanumeric() && !joins {
                break;
            }
            end += 1;
        }
        let underscores = (end..end + 2).take_while(|at| self.at(*at) == Some('_')).count();
        if underscores > 0 && self.may_close(end + underscores) {
            let (text, line) = (self.slice(at, end), self.line(at));
            let is_anonymous = underscores == 2;
            let to = if is_anonymous { Destination::Here } else { Destination::Name(text.clone()) };
            self.rst.links.push(Link { text, to, is_anonymous, line });
            return end + underscores;
        }
        // A mark may open behind a joint of the word.
        (at + 1..end).find(|at| !self.text[*at].is_alphanumeric()).unwrap_or(end)
    }

    /// Where an address of mail ends that begins here: `name@host.tld`.
    fn mail_address(&self, at: usize) -> Option<usize> {
        let run = |from: usize, inside: fn(char) -> bool| {
            let most = self.text.len().min(from + LONGEST_NAME);
            (from..most).find(|at| !inside(self.text[*at])).unwrap_or(most)
        };
        let name = run(at, |c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '+'));
        if self.at(name) != Some('@') {
            return None;
        }
        let mut end = run(name + 1, |c| c.is_alphanumeric() || matches!(c, '.' | '-'));
        while end > name && !self.text[end - 1].is_alphanumeric() {
            end -= 1;
        }
        let is_host = self.text.get(name + 1..end).is_some_and(|host| host.contains(&'.'));
        (is_host && self.may_close(end)).then_some(end)
    }

    /// Where an address ends that begins here.
    fn bare_address(&self, at: usize) -> Option<usize> {
        let is_address =
            ["http://", "https://", "ftp://", "mailto:"].iter().any(|scheme| self.starts_with(at, scheme));
        if !is_address {
            return None;
        }
        let stops = |c: &char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '\\');
        let mut end = at + self.text[at..].iter().take_while(|c| !stops(c)).count();
        let run = &self.text[at..end];
        let is_open = run.iter().filter(|c| **c == '(').count() >= run.iter().filter(|c| **c == ')').count();
        while end > at
            && (matches!(
                self.text[end - 1],
                '.' | ',' | ';' | ':' | '!' | '?' | '\'' | ']' | '}' | '*' | '|'
            ) || (self.text[end - 1] == ')' && !is_open))
        {
            end -= 1;
        }
        (end > at + 7).then_some(end)
    }
}

fn address(to: &Destination) -> &str {
    match to {
        Destination::Address(text) | Destination::Name(text) => text,
        Destination::Here => "",
    }
}

/// The parts of `text <target>`.
fn parted(text: &str) -> Option<(&str, &str)> {
    let (before, target) = text.strip_suffix('>')?.rsplit_once('<')?;
    let stands = !target.is_empty() && !before.ends_with('\\');
    stands.then(|| (before.trim_end(), target.trim()))
}

/// Text on one line.
fn unfolded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

//! The grammar of a shell: lists, pipelines, compound commands, redirections.
//!
//! Written here because no parser that others keep reads every text: of three that were tried, one lost its way
//! in documents, one overflowed its stack and one read memory that was not its own.

use super::lex::ENDS;
use super::tree::{Document, Item, Link, Node, Sequence, Simple, Target};
use super::word::{Value, Word};
use super::{Assignment, RedirectionKind};

/// The text is no shell here.
#[derive(Debug)]
pub(super) struct Trouble;

pub(super) type Read<T> = Result<T, Trouble>;

/// How deep scripts nest. Deeper than this nobody writes.
const DEEPEST: usize = 50;

/// Words that end a sequence.
const CLOSERS: [&str; 7] = ["then", "do", "done", "fi", "elif", "else", "esac"];

/// Operators of redirections, the longer ones first.
const REDIRECTIONS: [(&str, RedirectionKind); 12] = [
    ("<<<", RedirectionKind::HereString),
    ("<<-", RedirectionKind::HereDocument),
    ("<<", RedirectionKind::HereDocument),
    ("<>", RedirectionKind::ReadWrite),
    ("<&", RedirectionKind::Duplicate),
    ("<", RedirectionKind::Read),
    ("&>>", RedirectionKind::Append),
    ("&>", RedirectionKind::Write),
    (">>", RedirectionKind::Append),
    (">&", RedirectionKind::Duplicate),
    (">|", RedirectionKind::Write),
    (">", RedirectionKind::Write),
];

/// A document that is announced and stands below the line.
#[derive(Debug)]
struct Announced {
    number: usize,
    end: String,
    is_text: bool,
    strips_tabs: bool,
}

/// A text on its way to statements.
#[derive(Debug)]
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    announced: Vec<Announced>,
    pub(super) documents: Vec<Option<Document>>,
    depth: usize,
}

/// The statements of a text, its documents, and whether it was read to its end.
pub(super) fn parse(text: &str) -> (Sequence, Vec<Option<Document>>, bool) {
    let mut parser = Parser { text, at: 0, announced: Vec::new(), documents: Vec::new(), depth: 0 };
    let mut sequence = Sequence::new();
    while parser.skip_lines().is_ok() {
        if parser.at == text.len() {
            return (sequence, parser.documents, true);
        }
        // A shell reads a line whole before it runs any of it.
        match parser.line() {
            Ok(line) => sequence.extend(line),
            Err(Trouble) => break,
        }
    }
    (sequence, parser.documents, false)
}

impl Parser<'_> {
    pub(super) fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// The text up to a character, which is passed over.
    pub(super) fn up_to(&mut self, end: char) -> Read<&str> {
        let start = self.at;
        let length = self.rest().find(end).ok_or(Trouble)?;
        self.at = start + length + end.len_utf8();
        Ok(&self.text[start..start + length])
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST {
            return Err(Trouble);
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    /// Reads another text with the same documents.
    pub(super) fn aside<T>(&mut self, text: &str, read: impl FnOnce(&mut Parser<'_>) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST {
            return Err(Trouble);
        }
        let documents = std::mem::take(&mut self.documents);
        let mut parser = Parser { text, at: 0, announced: Vec::new(), documents, depth: self.depth + 1 };
        let done = read(&mut parser);
        self.documents = parser.documents;
        done
    }

    /// A whole script that is part of this one.
    pub(super) fn nested(&mut self, text: &str) -> Read<Sequence> {
        self.aside(text, |parser| {
            let sequence = parser.sequence()?;
            parser.take_documents()?;
            if parser.at == text.len() { Ok(sequence) } else { Err(Trouble) }
        })
    }

    /// Statements up to a closing parenthesis, which is passed over.
    pub(super) fn until_closed(&mut self) -> Read<Sequence> {
        self.deeper(|parser| {
            // A line end inside has the documents of the inside below it; what was announced before waits.
            let mut announced = std::mem::take(&mut parser.announced);
            let sequence = parser.sequence()?;
            announced.append(&mut parser.announced);
            parser.announced = announced;
            if parser.take(")") { Ok(sequence) } else { Err(Trouble) }
        })
    }

    pub(super) fn take(&mut self, token: &str) -> bool {
        let is_here = self.rest().starts_with(token);
        if is_here {
            self.at += token.len();
        }
        is_here
    }

    /// Blanks, continued lines and a comment.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('\\') if self.rest().starts_with("\\\n") => self.at += 2,
                Some('#') => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                _ => return,
            }
        }
    }

    /// Blanks and line ends, with the documents that stand below them.
    pub(super) fn skip_lines(&mut self) -> Read<()> {
        loop {
            self.skip_blanks();
            if self.peek() != Some('\n') {
                return Ok(());
            }
            self.at += 1;
            self.take_documents()?;
        }
    }

    fn take_documents(&mut self) -> Read<()> {
        for announced in std::mem::take(&mut self.announced) {
            let (mut held, mut ended) = (String::new(), false);
            while !ended && self.at < self.text.len() {
                let line = self.rest().split_inclusive('\n').next().unwrap_or_default();
                let length = line.len();
                let line = if announced.strips_tabs { line.trim_start_matches('\t') } else { line };
                ended = line.trim_end_matches('\n') == announced.end;
                // In a substitution the parenthesis may stand right behind the end.
                let closes = self.depth > 0
                    && line.strip_prefix(announced.end.as_str()).is_some_and(|rest| rest.starts_with(')'));
                if closes {
                    self.at += announced.end.len();
                    break;
                }
                if !ended {
                    held.push_str(line);
                }
                self.at += length;
            }
            let document = if announced.is_text {
                Document { word: Word::new(&held, Value::Text(held.clone())), runs: Vec::new() }
            } else {
                self.expanded(&held)?
            };
            self.documents[announced.number] = Some(document);
        }
        Ok(())
    }

    /// The word that stands here, if it is one without quotes.
    pub(super) fn plain(&self) -> &str {
        let rest = self.rest();
        let end = rest.find(|c| ENDS.contains(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    fn is_closed(&self) -> bool {
        let plain = self.plain();
        matches!(self.peek(), None | Some(')'))
            || self.rest().starts_with(";;")
            || CLOSERS.contains(&plain)
            || plain == "}"
    }

    /// Statements up to what closes them.
    pub(super) fn sequence(&mut self) -> Read<Sequence> {
        let mut sequence = Sequence::new();
        loop {
            self.skip_lines()?;
            if self.is_closed() {
                return Ok(sequence);
            }
            sequence.extend(self.line()?);
        }
    }

    /// The statements of a line, with the documents below it.
    fn line(&mut self) -> Read<Sequence> {
        let mut sequence = Sequence::new();
        loop {
            let node = self.list()?;
            self.skip_blanks();
            let in_background = !self.rest().starts_with("&&") && self.take("&");
            let goes_on = in_background || (!self.rest().starts_with(";;") && self.take(";"));
            sequence.push(Item { node, in_background });
            self.skip_blanks();
            match self.peek() {
                Some('\n') => {
                    self.at += 1;
                    self.take_documents()?;
                    return Ok(sequence);
                }
                None => {
                    self.take_documents()?;
                    return Ok(sequence);
                }
                Some(_) if self.depth > 0 && self.is_closed() => return Ok(sequence),
                Some(_) if goes_on => {}
                Some(_) => return Err(Trouble),
            }
        }
    }

    fn list(&mut self) -> Read<Node> {
        let first = self.pipeline()?;
        let mut others = Vec::new();
        loop {
            self.skip_blanks();
            let link = match () {
                () if self.take("&&") => Link::And,
                () if self.take("||") => Link::Or,
                () => break,
            };
            self.skip_lines()?;
            others.push((link, self.pipeline()?));
        }
        Ok(if others.is_empty() { first } else { Node::List(Box::new(first), others) })
    }

    fn pipeline(&mut self) -> Read<Node> {
        let mut negated = false;
        self.skip_blanks();
        while matches!(self.plain(), "!" | "time") {
            negated ^= self.plain() == "!";
            self.at += self.plain().len();
            self.skip_blanks();
            if self.plain() == "-p" {
                self.at += 2;
                self.skip_blanks();
            }
        }
        let mut stages = vec![self.deeper(Self::command)?];
        loop {
            self.skip_blanks();
            if self.rest().starts_with("||") || !self.take("|") {
                break;
            }
            self.take("&");
            self.skip_lines()?;
            stages.push(self.deeper(Self::command)?);
        }
        let node = match stages.pop() {
            Some(only) if stages.is_empty() => only,
            last => {
                stages.extend(last);
                Node::Pipeline(stages)
            }
        };
        Ok(if negated { Node::Not(Box::new(node)) } else { node })
    }

    fn command(&mut self) -> Read<Node> {
        let keyword = self.plain().to_owned();
        let node = match keyword.as_str() {
            "" if self.rest().starts_with("((") && self.is_sum(2) => {
                self.at += 2;
                let mut runs = Vec::new();
                self.sum(&mut runs)?;
                Node::Words(runs)
            }
            "" if self.take("(") => Node::Subshell(self.until_closed()?),
            "{" => {
                self.at += 1;
                let sequence = self.sequence()?;
                self.expect("}")?;
                Node::Group(sequence)
            }
            "if" => self.branches()?,
            "while" | "until" => {
                self.at += keyword.len();
                let mut round = self.sequence()?;
                round.extend(self.body()?);
                Node::Loop { sets: None, once: Vec::new(), round }
            }
            "for" | "select" => self.each()?,
            "case" => self.case()?,
            "[[" => self.test()?,
            "function" => {
                self.at += keyword.len();
                self.skip_blanks();
                self.at += self.plain().len();
                self.skip_blanks();
                self.take("()");
                self.skip_lines()?;
                Node::Function(Box::new(self.deeper(Self::command)?))
            }
            _ => return self.simple(),
        };
        let mut redirections = Simple::default();
        while self.redirection(&mut redirections)? {}
        if redirections.redirections.is_empty() {
            return Ok(node);
        }
        let documents = redirections.redirections.iter().filter_map(|(_, _, target)| match target {
            Target::Document(number) => Some(*number),
            Target::Word(_) => None,
        });
        let documents = documents.collect();
        Ok(Node::Redirected { runs: redirections.runs, documents, node: Box::new(node) })
    }

    pub(super) fn expect(&mut self, keyword: &str) -> Read<()> {
        self.skip_lines()?;
        if self.plain() != keyword {
            return Err(Trouble);
        }
        self.at += keyword.len();
        Ok(())
    }

    fn simple(&mut self) -> Read<Node> {
        let mut simple = Simple::default();
        loop {
            self.skip_blanks();
            if self.redirection(&mut simple)? {
                continue;
            }
            match self.peek() {
                Some('(') if simple.words.len() == 1 && self.rest().starts_with("()") => {
                    self.at += 2;
                    self.skip_lines()?;
                    return Ok(Node::Function(Box::new(self.deeper(Self::command)?)));
                }
                Some(c) if !ENDS.contains(c) || self.starts_process() => {}
                _ => break,
            }
            if simple.words.is_empty() && self.assignment(&mut simple)? {
                continue;
            }
            let (word, mut runs) = self.word()?;
            simple.words.push(word);
            simple.runs.append(&mut runs);
        }
        let is_empty =
            simple.words.is_empty() && simple.assignments.is_empty() && simple.redirections.is_empty();
        if is_empty { Err(Trouble) } else { Ok(Node::Simple(simple)) }
    }

    fn starts_process(&self) -> bool {
        self.rest().starts_with("<(") || self.rest().starts_with(">(")
    }

    /// `NAME=value` in front of a command.
    fn assignment(&mut self, simple: &mut Simple) -> Read<bool> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let rest = self.rest();
        let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let name = rest[..length].to_owned();
        let after = &rest[length..];
        let sign = if after.starts_with("+=") { 2 } else { usize::from(after.starts_with('=')) };
        if sign == 0 || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(false);
        }
        self.at += length + sign;
        let start = self.at;
        let value = match self.peek() {
            Some('(') => {
                self.at += 1;
                loop {
                    self.skip_lines()?;
                    if self.take(")") {
                        break;
                    }
                    simple.runs.append(&mut self.word()?.1);
                }
                Word::new(&self.text[start..self.at], Value::Unknown)
            }
            Some(c) if !ENDS.contains(c) => {
                let (word, mut runs) = self.word()?;
                simple.runs.append(&mut runs);
                if sign == 1 { word } else { Word::new(word.source(), Value::Unknown) }
            }
            _ => Word::new("", Value::Text(String::new())),
        };
        simple.assignments.push(Assignment { name, value });
        Ok(true)
    }

    /// A redirection, if one begins here.
    fn redirection(&mut self, simple: &mut Simple) -> Read<bool> {
        self.skip_blanks();
        let digits = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        let operators = &self.rest()[digits..];
        let found = REDIRECTIONS.iter().find(|(operator, _)| operators.starts_with(operator));
        let Some((operator, kind)) = found.copied() else { return Ok(false) };
        if digits == 0 && self.starts_process() || (digits > 0 && operator.starts_with('&')) {
            return Ok(false);
        }
        let descriptor = self.rest()[..digits].parse().ok();
        self.at += digits + operator.len();
        self.skip_blanks();
        if kind == RedirectionKind::Duplicate && self.take("-") {
            let closed = Target::Word(Word::new("-", Value::Text("-".to_owned())));
            simple.redirections.push((kind, descriptor, closed));
            return Ok(true);
        }
        let (word, mut runs) = self.word()?;
        let target = if kind == RedirectionKind::HereDocument {
            let number = self.documents.len();
            self.documents.push(None);
            let is_text = word.source().contains(['\'', '"', '\\']);
            let end = word.pattern().unwrap_or(word.source()).to_owned();
            self.announced.push(Announced { number, end, is_text, strips_tabs: operator == "<<-" });
            Target::Document(number)
        } else {
            simple.runs.append(&mut runs);
            Target::Word(word)
        };
        simple.redirections.push((kind, descriptor, target));
        Ok(true)
    }
}

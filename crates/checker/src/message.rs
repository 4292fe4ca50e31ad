//! Commit messages, read as git reads them.

mod subject;
mod trailer;
mod verb;

pub use subject::{Conventional, Prefix, Subject};
pub use trailer::{Trailer, TrailerSyntax};
pub use verb::{VerbForm, verb_form};

use crate::issue::{IssueReference, in_text};
use crate::pattern::Pattern;
use serde::{Deserialize, Serialize};
use unicode_width::UnicodeWidthStr;

/// A reference to an issue: `#12`, `GH-12`, `zoo/ark#12` or its address. [`crate::issue`] says what is referred
/// to, and leaves code out.
pub static ISSUE: Pattern = Pattern::new(r"\B#\d+\b|\bGH-\d+\b|\b[\w.-]+/[\w.-]+#\d+\b|\S+/issues/\d+\b");

/// The name of a known AI tool.
pub static AI_TOOL: Pattern =
    Pattern::new(r"(?i)\b(claude|copilot|chatgpt|codex|gemini|cursor|devin|gpt-\d\w*)\b");

/// The first word of a line, where it is a past tense, a participle or a third person.
pub fn not_imperative(line: &str) -> Option<&str> {
    let word = subject::first_word(line)?;
    match verb_form(word) {
        VerbForm::Past | VerbForm::ThirdPerson | VerbForm::Gerund => Some(word),
        VerbForm::Imperative | VerbForm::Unknown => None,
    }
}

/// A commit message, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Message(String);

/// What a line of a body is, for rules on how it is wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BodyKind {
    /// Prose.
    Prose,
    /// Behind `>`.
    Quoted,
    /// Indented by four blanks or a tab, or between fences.
    Code,
    /// With an address that cannot be broken.
    Link,
}

/// A line of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyLine<'t> {
    /// What it is.
    pub kind: BodyKind,
    /// Its text, without white space at the end.
    pub text: &'t str,
    /// Its number in the message, from 1.
    pub line: usize,
}

impl BodyLine<'_> {
    /// How many columns it takes.
    pub fn width(&self) -> usize {
        self.text.width()
    }
}

impl Message {
    /// A message.
    pub fn new(raw: impl Into<String>) -> Self {
        Message(raw.into())
    }

    /// As it is stored.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// The first line that is not blank: what a log of one line a commit begins with.
    pub fn first_line(&self) -> &str {
        self.0.lines().map(str::trim_end).find(|line| !line.is_empty()).unwrap_or_default()
    }

    /// The first line, with its length, its prefixes and its verb.
    pub fn subject_line(&self) -> Subject<'_> {
        Subject::new(self.first_line())
    }

    /// The first paragraph as one line, as `git log --format=%s` shows it.
    pub fn subject(&self) -> String {
        let lines = self.lines();
        let title = lines.iter().skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
        title.copied().collect::<Vec<_>>().join(" ")
    }

    /// The lines after the first one, without the blank lines at either end and without trailers.
    /// A body that no blank line parts from the subject is a body all the same.
    pub fn body(&self) -> Vec<&str> {
        self.numbered_body().into_iter().map(|(line, _)| line).collect()
    }

    /// The lines of the body that are not blank, told apart for rules on how they are wrapped: quotations,
    /// code and links may be longer.
    pub fn body_lines(&self) -> Vec<BodyLine<'_>> {
        let mut fenced = false;
        let told = self.numbered_body().into_iter().map(|(text, line)| {
            let is_fence = text.trim_start().starts_with("```");
            let is_code = fenced || is_fence || text.starts_with("    ") || text.starts_with('\t');
            fenced ^= is_fence;
            let kind = match text {
                _ if is_code => BodyKind::Code,
                _ if text.starts_with('>') => BodyKind::Quoted,
                _ if text.contains("://") => BodyKind::Link,
                _ => BodyKind::Prose,
            };
            BodyLine { kind, text, line }
        });
        told.filter(|line| !line.text.is_empty()).collect()
    }

    /// The lines of prose in the body that take more columns than a limit.
    pub fn overlong(&self, limit: usize) -> Vec<BodyLine<'_>> {
        let is_long = |line: &BodyLine<'_>| line.kind == BodyKind::Prose && line.width() > limit;
        self.body_lines().into_iter().filter(is_long).collect()
    }

    /// The paragraphs of the body.
    pub fn body_paragraphs(&self) -> Vec<String> {
        let body = self.body();
        body.split(|line| line.is_empty())
            .filter(|paragraph| !paragraph.is_empty())
            .map(|paragraph| paragraph.join("\n"))
            .collect()
    }

    /// Whether a blank line, or nothing, follows the first line.
    pub fn is_parted_from_its_body(&self) -> bool {
        let lines = self.lines();
        let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
        lines.get(first + 1).is_none_or(|line| line.is_empty())
    }

    /// The trailers, as `git interpret-trailers --parse --no-divider` lists them, and `git log` too.
    pub fn trailers(&self) -> Vec<Trailer> {
        self.trailers_as(&TrailerSyntax::default())
    }

    /// The trailers, as git lists them where it is told to read them in another way.
    pub fn trailers_as(&self, syntax: &TrailerSyntax<'_>) -> Vec<Trailer> {
        trailer::trailers(&self.0.split('\n').collect::<Vec<_>>(), syntax)
    }

    /// The values of the trailers with a name, in whatever case it is written.
    pub fn trailer(&self, name: &str) -> Vec<String> {
        self.trailers()
            .into_iter()
            .filter(|trailer| trailer.name.eq_ignore_ascii_case(name))
            .map(|trailer| trailer.value)
            .collect()
    }

    /// The issues that it refers to, in its trailers too.
    pub fn issues(&self) -> Vec<IssueReference> {
        in_text(&self.0)
    }

    fn numbered_body(&self) -> Vec<(&str, usize)> {
        let lines = self.lines();
        let raw: Vec<_> = self.0.split('\n').collect();
        let end = trailer::block(&raw, &TrailerSyntax::default()).start;
        let start = lines.iter().position(|line| !line.is_empty()).map_or(end, |first| first + 1).min(end);
        let body = &lines[start..end];
        let first = body.iter().position(|line| !line.is_empty()).unwrap_or(body.len());
        let last = body.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
        body[first..last].iter().copied().zip(start + first + 1..).collect()
    }

    fn lines(&self) -> Vec<&str> {
        self.0.split('\n').map(str::trim_end).collect()
    }
}

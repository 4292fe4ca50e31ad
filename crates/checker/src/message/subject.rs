//! The first line of a message: what stands before its sentence, and the parts of a conventional one.

use super::verb::{VerbForm, verb_form};
use crate::pattern::Pattern;
use unicode_width::UnicodeWidthStr;

static CONVENTIONAL: Pattern = Pattern::new(r"^([A-Za-z][\w-]*)(?:\(([^()]*)\))?(!)?: +");
static TOPIC: Pattern = Pattern::new(r"^[\w./+*{}~@-]+(?:, ?[\w./+*{}~@-]+)*: +");
static BRACKET: Pattern = Pattern::new(r"^\[[^\[\]]*\]:? *");
static ISSUE: Pattern = Pattern::new(
    r"(?i)^(?:(?:fix|fixe[sd]|refs?|close[sd]?|resolve[sd]?|revert(?:ed|s)?|see)[ :]+)?(?:#|GH-)\d+(?:(?:, | and | & )(?:#|GH-)?\d+)*(?: +--?| *[:\u{2013}\u{2014}])? +",
);

/// What may stand before the sentence of a first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix<'p> {
    /// A type with a colon, its scope in brackets: `feat(scope)!: `.
    Conventional,
    /// A topic or a path with a colon: `ENH: `, `doc: `, `net/http: `.
    Topic,
    /// Text in square brackets: `[MRG] `.
    Bracket,
    /// An issue: `Fixed #12 -- `, `#12: `.
    Issue,
    /// These very characters.
    Exact(&'p str),
}

impl Prefix<'_> {
    fn length(self, text: &str) -> Option<usize> {
        match self {
            Prefix::Conventional => CONVENTIONAL.first(text).map(str::len),
            Prefix::Topic => TOPIC.first(text).map(str::len),
            Prefix::Bracket => BRACKET.first(text).map(str::len),
            Prefix::Issue => ISSUE.first(text).map(str::len),
            Prefix::Exact(prefix) => text.starts_with(prefix).then_some(prefix.len()),
        }
    }
}

/// The parts of a conventional first line: `feat(scope)!: description`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conventional<'t> {
    /// `feat`.
    pub kind: &'t str,
    /// `scope`, where there are brackets.
    pub scope: Option<&'t str>,
    /// Whether an exclamation mark stands before the colon.
    pub is_breaking: bool,
    /// What stands behind the colon.
    pub description: &'t str,
}

/// A first line, or a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject<'t> {
    /// Its text.
    pub text: &'t str,
}

impl<'t> Subject<'t> {
    /// A line.
    pub fn new(text: &'t str) -> Self {
        Subject { text: text.trim() }
    }

    /// How many characters it has.
    pub fn length(&self) -> usize {
        self.text.chars().count()
    }

    /// How many columns it takes: a wide character takes two.
    pub fn width(&self) -> usize {
        self.text.width()
    }

    /// What stands before its sentence, in order, without blanks at the end: `["[MRG]", "ENH:"]`.
    pub fn prefixes(&self, known: &[Prefix<'_>]) -> Vec<&'t str> {
        self.parted(known).0
    }

    /// Its sentence: what stands behind the prefixes.
    pub fn sentence(&self, known: &[Prefix<'_>]) -> &'t str {
        self.parted(known).1
    }

    fn parted(&self, known: &[Prefix<'_>]) -> (Vec<&'t str>, &'t str) {
        let (mut prefixes, mut rest) = (Vec::new(), self.text);
        while let Some(length) =
            known.iter().find_map(|prefix| prefix.length(rest).filter(|length| *length > 0))
        {
            prefixes.push(rest[..length].trim_end());
            rest = rest[length..].trim_start();
        }
        (prefixes, rest)
    }

    /// The first word of its sentence, where the sentence begins with a word.
    pub fn verb(&self, known: &[Prefix<'_>]) -> Option<&'t str> {
        first_word(self.sentence(known))
    }

    /// The form of its first word: `subject.verb_form(&[Prefix::Bracket]) == VerbForm::Imperative`.
    pub fn verb_form(&self, known: &[Prefix<'_>]) -> VerbForm {
        self.verb(known).map_or(VerbForm::Unknown, verb_form)
    }

    /// Its parts, where it is a conventional one.
    pub fn conventional(&self) -> Option<Conventional<'t>> {
        let found = CONVENTIONAL.regex().captures(self.text)?;
        let part = |group: usize| found.get(group).map(|part| &self.text[part.range()]);
        let end = found.get(0)?.end();
        Some(Conventional {
            kind: part(1)?,
            scope: part(2),
            is_breaking: part(3).is_some(),
            description: self.text[end..].trim(),
        })
    }
}

/// The first word of a text, marks before it left out.
pub(super) fn first_word(text: &str) -> Option<&str> {
    let start = text.find(|c: char| c.is_alphanumeric())?;
    let rest = &text[start..];
    let inside = |c: char| c.is_alphabetic() || c == '-';
    let end = rest.find(|c: char| !inside(c)).unwrap_or(rest.len());
    Some(rest[..end].trim_end_matches('-')).filter(|word| !word.is_empty())
}

//! Regular expressions for checkers, compiled once and matched in linear time.

use std::sync::OnceLock;

/// A pattern in the syntax of the regex crate.
///
/// ```ignore
/// static ISSUE: Pattern = Pattern::new(r"#\d+");
/// ```
#[derive(Debug)]
pub struct Pattern {
    text: &'static str,
    compiled: OnceLock<regex::Regex>,
}

impl Pattern {
    /// A pattern.
    pub const fn new(text: &'static str) -> Self {
        Pattern { text, compiled: OnceLock::new() }
    }

    /// A malformed pattern is a fault of its checker: the runtime contains the panic and reports it.
    #[expect(clippy::panic, reason = "a checker that panics is graded as an error, with this message")]
    pub(crate) fn regex(&self) -> &regex::Regex {
        self.compiled.get_or_init(|| match regex::Regex::new(self.text) {
            Ok(regex) => regex,
            Err(error) => panic!("`{}` is no pattern: {error}", self.text),
        })
    }

    /// Whether it matches anywhere.
    pub fn is_in(&self, text: &str) -> bool {
        self.regex().is_match(text)
    }

    /// What it matches first.
    pub fn first<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.regex().find(text).map(|found| found.as_str())
    }

    /// Everything it matches.
    pub fn all<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.regex().find_iter(text).map(|found| found.as_str()).collect()
    }

    /// The text without what it matches.
    pub fn without(&self, text: &str) -> String {
        self.regex().replace_all(text, "").into_owned()
    }

    /// What its first group matches, for each match.
    pub fn groups<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.regex()
            .captures_iter(text)
            .filter_map(|found| found.get(1))
            .map(|group| group.as_str())
            .collect()
    }
}

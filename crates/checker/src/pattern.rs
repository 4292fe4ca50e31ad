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
    compiled: OnceLock<Option<regex::Regex>>,
}

impl Pattern {
    /// A pattern. One that is malformed matches nothing, which its cases show.
    pub const fn new(text: &'static str) -> Self {
        Pattern { text, compiled: OnceLock::new() }
    }

    fn regex(&self) -> Option<&regex::Regex> {
        self.compiled.get_or_init(|| regex::Regex::new(self.text).ok()).as_ref()
    }

    /// Whether it matches anywhere.
    pub fn is_in(&self, text: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }

    /// What it matches first.
    pub fn first<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.regex()?.find(text).map(|found| found.as_str())
    }

    /// Everything it matches.
    pub fn all<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.regex()
            .map_or_else(Vec::new, |regex| regex.find_iter(text).map(|found| found.as_str()).collect())
    }

    /// What its first group matches, for each match.
    pub fn groups<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.regex().map_or_else(Vec::new, |regex| {
            regex.captures_iter(text).filter_map(|found| found.get(1)).map(|group| group.as_str()).collect()
        })
    }
}

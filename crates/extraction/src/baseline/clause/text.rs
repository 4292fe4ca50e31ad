//! A sentence as tokens.

use crate::lexis::{Token, TokenKind, covered, tokens};
use std::ops::Range;

/// A text with its tokens.
pub(super) struct Text<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token>,
}

impl<'t> Text<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Text { text, tokens: tokens(text) }
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'t str {
        covered(self.text, &self.tokens, range)
    }

    pub(super) fn lower(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| token.lower.as_str())
    }

    pub(super) fn is_mark(&self, index: usize, mark: &str) -> bool {
        self.tokens.get(index).is_some_and(|token| token.kind == TokenKind::Mark && token.lower == mark)
    }

    /// The tokens of a range that stand outside parentheses.
    pub(super) fn outside(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let mut depth = 0_i32;
        range.filter(move |index| {
            if self.is_mark(*index, "(") || self.is_mark(*index, "[") {
                depth += 1;
            } else if self.is_mark(*index, ")") || self.is_mark(*index, "]") {
                depth -= 1;
                return false;
            }
            depth <= 0
        })
    }
}

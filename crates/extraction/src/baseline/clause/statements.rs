//! Statements that oblige without a verb of obligation.

use super::Reader;
use super::forms::{Clause, Form, is_relative};
use super::text::Text;
use polc_records::vocabulary::ModalLevel;
use std::ops::Range;

impl Reader<'_> {
    /// `The tables are generated from the data by running …`: made again, not edited.
    pub(super) fn generated(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let tokens = &text.tokens[range.clone()];
        let found = self.cues.imperative.generated.find(tokens)?;
        let file = tokens[..found.start].iter().any(|token| self.cues.norm.artifacts.is_word(&token.lower));
        let means = tokens[found.end..].iter().any(|token| matches!(token.lower.as_str(), "by" | "using"));
        (file && means).then(|| Clause {
            range: range.clone(),
            modal: ModalLevel::Must,
            found_by: format!(
                "generated, `{}`",
                text.slice(range.start + found.start..range.start + found.end)
            ),
            form: Form::Norm,
        })
    }

    /// `No merge commits`: a sentence without any verb.
    pub(super) fn bare_no(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let emphatic = matches!(text.lower(range.start), "absolutely" | "strictly");
        let no = range.start + usize::from(emphatic);
        let what = no + 1..range.end;
        let exclaims = self.cues.norm.exclaims.is_word(text.lower(what.start));
        let verb = |index: usize| {
            let word = text.lower(index);
            self.cues.imperative.finite.is_word(word)
                || is_relative(word)
                || self.cues.norm.verbs.is_word(word)
                || self.modal_at(text, index).is_some()
                || self.permission_at(text, index)
        };
        let whole = range.start == 0 && self.trim(text, 0..text.tokens.len()).end == range.end;
        let stands = text.lower(no) == "no" && whole && !exclaims && what.len() > 1;
        (stands && !what.clone().any(verb)).then(|| Clause {
            range: range.clone(),
            modal: ModalLevel::Prohibited,
            found_by: "prohibition `no` without a verb".to_owned(),
            form: Form::Forbidden { what, rest: 0..0 },
        })
    }
}

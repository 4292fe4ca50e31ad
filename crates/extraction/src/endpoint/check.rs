//! What of an answer can be taken, and what is to be said of the rest.

mod accounts;
mod rule;

use super::answer::PassageAnswer;
use super::catalogue::catalogues;
use super::passage::Text;
use crate::baseline::clause::{Obligation, Reader, Reading};
use crate::lexis::{TokenKind, tokens};
use polc_records::ledger::SentencePart;
use polc_records::locator::Locator;
use polc_records::proposal::ContextQuote;
use polc_records::vocabulary::LedgerReason;
use polc_text::document::fold_space;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

/// A rule of an answer that can be taken.
#[derive(Debug, Clone)]
pub(super) struct Good {
    /// Which of the answer it is.
    pub(super) index: usize,
    /// Where its quote stands.
    pub(super) locator: Locator,
    /// The sentences that the quote has words of. Never empty.
    pub(super) quoted: BTreeSet<usize>,
    /// Those that introduce them and are not quoted.
    pub(super) lead_ins: BTreeSet<usize>,
    /// The sentences on which its strength turns.
    pub(super) context: Vec<(usize, ContextQuote)>,
    /// What speaks against it.
    pub(super) doubts: Vec<String>,
}

/// What became of a sentence that was asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Account {
    /// It belongs to these rules of the answer.
    Rules(BTreeSet<usize>, SentencePart),
    /// It is no rule.
    NoRule(LedgerReason),
    /// It states again what a rule of the answer states.
    Restates(usize),
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Complaint {
    /// What it is about is not taken.
    Refused(String),
    /// It is asked about once, and taken where the model stands by it.
    Doubtful(String),
    /// A sentence that obliges by its words is called no rule where that is not for the model to say.
    Contested(String),
}

impl fmt::Display for Complaint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Complaint::Refused(what) => out.write_str(what),
            Complaint::Contested(what) => {
                write!(out, "{what}; the source also speaks to models, which takes nothing back")
            }
            Complaint::Doubtful(what) => {
                write!(out, "{what}; if it is right all the same, answer it again as it is")
            }
        }
    }
}

/// An answer that was looked at.
#[derive(Debug, Clone, Default)]
pub(super) struct Checked {
    /// The rules that can be taken, in their order in the answer.
    pub(super) good: Vec<Good>,
    /// What became of each sentence; the others are open.
    pub(super) accounts: BTreeMap<usize, Account>,
    /// Sentences that oblige by their words and are called no rule, where the source speaks to models.
    pub(super) contested: BTreeMap<usize, LedgerReason>,
    /// The sentences that speak to a model, as it says.
    pub(super) addressed: Vec<usize>,
    /// What is wrong.
    pub(super) complaints: Vec<Complaint>,
}

/// Looks at an answer to a question about a passage.
pub(super) fn check(
    text: &Text<'_>,
    reader: Reader<'_>,
    passage: &Range<usize>,
    answer: &PassageAnswer,
) -> Checked {
    let mut check = Check { text, reader, passage, answer, checked: Checked::default() };
    check.rules();
    check.same_rules();
    check.catalogues();
    check.accounts();
    check.contested();
    check.addressed();
    check.checked
}

struct Check<'c> {
    text: &'c Text<'c>,
    reader: Reader<'c>,
    passage: &'c Range<usize>,
    answer: &'c PassageAnswer,
    checked: Checked,
}

impl Check<'_> {
    fn refuse(&mut self, what: String) {
        self.checked.complaints.push(Complaint::Refused(what));
    }

    /// The sentence with a number, if it was asked about.
    fn unit(&self, number: u32) -> Option<usize> {
        let unit = usize::try_from(number).ok()?.checked_sub(1)?;
        self.passage.contains(&unit).then_some(unit)
    }

    /// The rules that can be taken, each by itself.
    fn rules(&mut self) {
        let answer = self.answer;
        for (index, rule) in answer.rules.iter().enumerate() {
            match self.rule(index, rule) {
                Ok(good) => {
                    let doubts = good.doubts.iter().cloned().map(Complaint::Doubtful);
                    self.checked.complaints.extend(doubts);
                    self.checked.good.push(good);
                }
                Err(faults) => {
                    faults.into_iter().for_each(|fault| self.refuse(format!("rule {}: {fault}", index + 1)))
                }
            }
        }
    }

    fn not_asked(&self, number: u32) -> String {
        format!(
            "sentence {number} was not asked about; those are {} to {}",
            self.passage.start + 1,
            self.passage.end
        )
    }

    /// Two entries with the same quote and the same words are one.
    fn same_rules(&mut self) {
        let mut seen = BTreeSet::new();
        let mut kept = Vec::new();
        for good in std::mem::take(&mut self.checked.good) {
            let places: Vec<(usize, usize)> =
                good.locator.segments.iter().map(|segment| (segment.start, segment.end)).collect();
            let said: Vec<String> = tokens(&self.answer.rules[good.index].rule)
                .into_iter()
                .filter(|token| token.kind != TokenKind::Mark)
                .map(|token| token.lower)
                .collect();
            if seen.insert((places, said)) {
                kept.push(good);
            } else {
                self.refuse(format!("rule {} stands there twice; give each rule once", good.index + 1));
            }
        }
        self.checked.good = kept;
    }

    fn catalogues(&mut self) {
        let rules: Vec<(usize, usize, &str)> = self
            .checked
            .good
            .iter()
            .filter_map(|good| {
                let list = self.text.list_of_members(*good.quoted.last()?)?;
                Some((good.index, list, self.answer.rules[good.index].rule.as_str()))
            })
            .collect();
        for members in catalogues(&rules) {
            self.checked.good.retain(|good| !members.contains(&good.index));
            let named: Vec<String> = members.iter().map(|rule| (rule + 1).to_string()).collect();
            self.refuse(format!(
                "rules {} restate the members of one list: make them one rule, that an implementation conforms to the \
                 whole list, or report the list as `{}`",
                named.join(", "),
                LedgerReason::Catalogue
            ));
        }
    }

    /// What the sentence says to a reader who knows words alone.
    fn obligations(&self, unit: usize) -> Vec<Obligation> {
        match self.reader.read(&self.text.units[unit].quote) {
            Reading::Rules(obligations) => obligations,
            Reading::NoRule(_) => Vec::new(),
        }
    }

    fn addressed(&mut self) {
        for number in &self.answer.addressed_to_models {
            match self.unit(*number) {
                Some(unit) => self.checked.addressed.push(unit),
                None => self.refuse(format!("`addressed_to_models`: {}", self.not_asked(*number))),
            }
        }
    }
}

/// The sentence that is a rule's own: a lead-in is shared by all items.
pub(super) fn own(quoted: &BTreeSet<usize>) -> usize {
    quoted.last().copied().unwrap_or_default()
}

/// The beginning of a text, on one line.
pub(super) fn short(text: &str) -> String {
    const SHOWN: usize = 120;
    let text = fold_space(text);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

//! Which obligations a sentence states: by modal verbs, imperatives, prohibitions and norms.
//!
//! The text is the source's own, code spans with their marks. Bundles are split where a
//! coordinator joins two verbs; a condition stays with each of the rules that it governs.

mod forms;
mod restate;
mod statements;
mod text;

use crate::cues::Cues;
use crate::lexis::TokenKind;
use forms::{Clause, Form};
use polc_records::vocabulary::ModalLevel;
pub(super) use restate::lower_first;
use restate::{imperative, sentence};
use std::ops::Range;
use text::Text;

/// One obligation of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obligation {
    /// The atomic restatement.
    pub rule: String,
    /// When it applies, where the sentence says so.
    pub condition: Option<String>,
    /// What the modal verb alone implies.
    pub modal: ModalLevel,
    /// Why it was taken for an obligation.
    pub found_by: String,
}

/// What a sentence comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// It obliges contributors.
    Rules(Vec<Obligation>),
    /// It speaks of somebody else, or obliges nobody.
    NoRule(Speech),
}

/// Of whom or what a sentence that is no rule speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speech {
    /// Of how things are.
    Description,
    /// Of what contributors may do.
    Permission,
    /// Of what maintainers do.
    Maintainer,
    /// To those who review.
    Reviewer,
    /// To those who use or report.
    User,
}

/// What a lead-in gives to the items of its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadIn {
    /// Words that each item completes: `you must`, `A pull request must include`.
    pub frame: Option<String>,
    /// The condition under which the items hold.
    pub condition: Option<String>,
    /// Whether it is a rule that the items only spell out: `Use one of these prefixes`.
    pub spelled_out: bool,
}

/// Reads sentences by the cues.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'c> {
    cues: &'c Cues,
}

impl<'c> Reader<'c> {
    /// A reader by these cues.
    pub fn new(cues: &'c Cues) -> Self {
        Reader { cues }
    }

    /// Reads one sentence.
    pub fn read(&self, sentence: &str) -> Reading {
        let text = Text::new(sentence);
        if sentence.trim_end().ends_with('?') {
            return Reading::NoRule(Speech::Description);
        }
        let mut rules = Vec::new();
        let mut speech = Speech::Description;
        for part in self.independent_parts(&text) {
            match self.read_part(&text, part) {
                Reading::Rules(more) => rules.extend(more),
                Reading::NoRule(other) if speech == Speech::Description => speech = other,
                Reading::NoRule(_) => {}
            }
        }
        if rules.is_empty() { Reading::NoRule(speech) } else { Reading::Rules(rules) }
    }

    /// The parts between semicolons, and behind a colon that a clause of its own follows.
    fn independent_parts(&self, text: &Text<'_>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = 0;
        let end = text.tokens.len();
        let parts_here = |index: &usize| {
            text.is_mark(*index, ";")
                || (text.is_mark(*index, ":") && self.begins_clause(text, index + 1, end))
        };
        for index in text.outside(0..end).filter(parts_here) {
            parts.push(start..index);
            start = index + 1;
        }
        parts.push(start..text.tokens.len());
        parts.retain(|part| !part.is_empty());
        parts
    }

    fn read_part(&self, text: &Text<'_>, part: Range<usize>) -> Reading {
        let (condition, main) = self.leading_condition(text, part.clone());
        if let Some(speech) = self.speech(text, part, &main) {
            return Reading::NoRule(speech);
        }
        if condition.is_none() && self.is_told_when(text, &main) {
            return Reading::NoRule(Speech::Description);
        }
        let mut obligations = Vec::new();
        for clause in self.clauses(text, main) {
            let trailing = self.trailing_condition(text, &clause);
            let leading = condition.clone().map(|range| text.slice(range).to_owned());
            let rule = self.restate(text, &clause, leading.as_deref());
            let condition = match (leading, trailing) {
                (Some(leading), Some(trailing)) => Some(format!("{leading}; {trailing}")),
                (leading, trailing) => leading.or(trailing),
            };
            obligations.push(Obligation { rule, condition, modal: clause.modal, found_by: clause.found_by });
        }
        if obligations.is_empty() {
            Reading::NoRule(Speech::Description)
        } else {
            Reading::Rules(obligations)
        }
    }

    /// Skips words that only join a sentence to the one before.
    fn skip_openers(&self, text: &Text<'_>, range: Range<usize>) -> Range<usize> {
        let mut start = range.start;
        while start < range.end {
            let opener = self.cues.imperative.openers.at(&text.tokens[..range.end], start);
            let mark = ["*", "\"", "“", "'", ">", "-"].iter().any(|mark| text.is_mark(start, mark));
            match opener {
                Some(length) => start += length + usize::from(text.is_mark(start + length, ",")),
                None if mark => start += 1,
                None => break,
            }
        }
        start.min(range.end)..range.end
    }

    /// The condition that a part begins with, and what follows it.
    fn leading_condition(&self, text: &Text<'_>, part: Range<usize>) -> (Option<Range<usize>>, Range<usize>) {
        let start = self.skip_openers(text, part.clone()).start;
        if self.cues.conditions.leading.at(&text.tokens, start).is_none() {
            return (None, part);
        }
        let obliging: Vec<usize> = text
            .outside(start..part.end)
            .filter(|index| *index > start + 1)
            // `Unless it is trivial please add …`: asking ends the condition as a comma does.
            .filter(|index| text.is_mark(*index, ",") || text.lower(*index) == "please")
            .filter(|comma| !self.goes_on_with_or(text, *comma, part.end))
            .filter(|comma| !self.clauses(text, comma + 1..part.end).is_empty())
            .collect();
        // `If you add a file, a page or a flag, update the index`: the main clause begins with its verb.
        let begins = |comma: &&usize| {
            let main = self.skip_openers(text, **comma + 1..part.end);
            let addressed = self.cues.audience.contributor.at(&text.tokens, main.start).is_some();
            addressed || self.bare_imperative(text, &main).is_some()
        };
        match obliging.iter().find(begins).or(obliging.first()) {
            Some(comma) => (Some(start..*comma), comma + 1..part.end),
            None => (None, part),
        }
    }

    /// `When the zoo no longer needs a fence, it is sold`: the modal verb says when, and the main clause
    /// obliges nobody.
    fn is_told_when(&self, text: &Text<'_>, part: &Range<usize>) -> bool {
        let main = self.skip_openers(text, part.clone());
        let told =
            matches!(text.lower(main.start), "when" | "while" | "as" | "since" | "although" | "though");
        let Some(comma) = text.outside(main.clone()).find(|index| text.is_mark(*index, ",")) else {
            return false;
        };
        let finite = |index: usize| self.cues.imperative.finite.is_word(text.lower(index));
        told && text.outside(comma + 1..main.end).any(finite)
            && self.clauses(text, comma + 1..main.end).is_empty()
    }

    /// `If you add, remove or rename …`: the comma stands in a list of verbs.
    fn goes_on_with_or(&self, text: &Text<'_>, comma: usize, end: usize) -> bool {
        self.is_verb(text.lower(comma - 1))
            && (comma + 1..end.min(comma + 4)).any(|index| text.lower(index) == "or")
    }

    /// Somebody else than the contributor of whom the main clause speaks.
    fn speech(&self, text: &Text<'_>, part: Range<usize>, main: &Range<usize>) -> Option<Speech> {
        let main = self.skip_openers(text, main.clone());
        if self.cues.audience.reviewer.any(&text.tokens[part.start..main.start]) {
            return Some(Speech::Reviewer);
        }
        let subject = self.subject(text, &main);
        let words = &text.tokens[subject.clone()];
        let contributor = self.cues.audience.contributor.any(words) && text.lower(subject.start) != "we";
        // Without a finite verb that is known, the first words stand for the subject.
        let words =
            if subject.is_empty() { &text.tokens[main.start..main.end.min(main.start + 3)] } else { words };
        if !contributor && !self.is_verb(text.lower(main.start)) {
            for (list, speech) in [
                (&self.cues.audience.maintainer, Speech::Maintainer),
                (&self.cues.audience.reviewer, Speech::Reviewer),
                (&self.cues.audience.user, Speech::User),
            ] {
                if list.find(words).is_some_and(|found| found.start <= 1) {
                    return Some(speech);
                }
            }
        }
        let by = |index: usize| {
            text.lower(index) == "by" && self.cues.audience.maintainer.at(&text.tokens, index + 1).is_some()
        };
        if !text.outside(main.clone()).any(|index| self.modal_at(text, index).is_some())
            && text.outside(main.clone()).any(by)
        {
            return Some(Speech::Maintainer);
        }
        let we = text.lower(main.start) == "we";
        let ours = main.start + 1..main.end.min(main.start + 5);
        if we && self.cues.audience.maintainer_verbs.any(&text.tokens[ours]) {
            return Some(Speech::Maintainer);
        }
        // `Use spaces, except where tabs are fine`: the permission is of an exception.
        let imperative = self.bare_imperative(text, &main).is_some();
        let permits =
            self.permission_at(text, main.start) || (!imperative && self.permission_at(text, subject.end));
        // `A change that nobody can explain is closed`: the permission is of the relative clause.
        let relative = subject.clone().any(|index| forms::is_relative(text.lower(index)));
        // `You may submit it, but you must say so`: the permission has a price.
        let price = |index: usize| {
            text.lower(index) == "but"
                && text.outside(index..main.end).any(|later| self.modal_at(text, later).is_some())
        };
        let free = permits && !relative && !text.outside(main.clone()).any(price);
        free.then_some(Speech::Permission)
    }

    /// Whether a token permits something and does not forbid it: `may`, but not `may not`.
    fn permission_at(&self, text: &Text<'_>, index: usize) -> bool {
        let permits = self.cues.modal.permission.at(&text.tokens, index);
        permits > self.cues.modal.prohibited.at(&text.tokens, index)
    }

    /// The tokens before the first finite or modal verb of a clause.
    fn subject(&self, text: &Text<'_>, clause: &Range<usize>) -> Range<usize> {
        let end = text.outside(clause.clone()).find(|index| {
            let word = text.lower(*index);
            self.modal_at(text, *index).is_some()
                || self.permission_at(text, *index)
                || (*index > clause.start && self.cues.imperative.finite.is_word(word))
        });
        clause.start..end.unwrap_or(clause.start)
    }

    /// The condition at the end of a clause.
    fn trailing_condition(&self, text: &Text<'_>, clause: &Clause) -> Option<String> {
        let start = clause.range.start + 2;
        let at = text.outside(start.min(clause.range.end)..clause.range.end).find(|index| {
            let even = matches!(text.lower(index - 1), "even" | "as" | "know" | "see");
            !even && self.cues.conditions.trailing.at(&text.tokens, *index).is_some()
        })?;
        let words = clause.range.end - at;
        (words >= 2).then(|| text.slice(at..clause.range.end).to_owned())
    }

    /// A clause without the reason at its end: `…, because`, `…, so that`, or behind a colon.
    fn without_reason(&self, text: &Text<'_>, clause: &Clause) -> Range<usize> {
        let range = clause.range.clone();
        let reason = |index: &usize| {
            let after = |skip: usize| text.lower(index + skip);
            let comma = text.is_mark(*index, ",");
            let because = after(0) == "because"
                || (comma
                    && (matches!(after(1), "because" | "since") || (after(1) == "so" && after(2) == "that")));
            let finite = |at: usize| self.cues.imperative.finite.is_word(text.lower(at));
            let explains = text.is_mark(*index, ":") && (index + 2..range.end.min(index + 6)).any(finite);
            because || explains
        };
        let start = (range.start + 2).min(range.end);
        let end = text.outside(start..range.end).find(reason).unwrap_or(range.end);
        range.start..end
    }

    fn restate(&self, text: &Text<'_>, clause: &Clause, condition: Option<&str>) -> String {
        let range = self.without_reason(text, clause);
        let words = match &clause.form {
            Form::Imperative | Form::Gate => imperative(text.slice(range)),
            Form::Norm => sentence(text.slice(range)),
            Form::TurnedAway { what, rest } => {
                format!("do not submit {}", forbidden_thing(text, what, rest, range.end))
            }
            Form::Forbidden { what, rest } => {
                restate::forbidden(&forbidden_thing(text, what, rest, range.end))
            }
            Form::Modal { phrase } => {
                let subject = text.slice(range.start..phrase.start);
                let predicate = text.slice(phrase.end..range.end);
                let named = text.tokens[range.start..phrase.start].len() <= 3
                    && self
                        .cues
                        .audience
                        .contributor
                        .find(&text.tokens[range.start..phrase.start])
                        .is_some_and(|found| found.start <= 1);
                restate::modal(named, subject, text.slice(phrase.clone()), predicate, clause.modal)
            }
        };
        restate::with_condition(&words, condition)
    }

    /// What a lead-in gives to its items. The text is the sentence before the list, with its colon.
    pub fn lead_in(&self, sentence: &str) -> LeadIn {
        let text = Text::new(sentence);
        let all = self.trim(&text, 0..text.tokens.len());
        let start = self.skip_openers(&text, all.clone()).start;
        let comma = text.outside(start..all.end).filter(|index| text.is_mark(*index, ",")).last();
        let conditional = self.cues.conditions.leading.at(&text.tokens, start).is_some();
        let (condition, main) = match comma {
            Some(comma) if conditional => (Some(start..comma), comma + 1..all.end),
            _ if conditional => (Some(start..all.end), all.end..all.end),
            _ => (None, 0..all.end),
        };
        let condition = condition.map(|range| text.slice(range).to_owned());
        let points =
            |index: usize| matches!(text.lower(index), "following" | "these" | "below" | "follows" | "this");
        let introduces = main.clone().any(points);
        let obliges = !self.clauses(&text, main.clone()).is_empty();
        let ends_in_modal = self.ends_in_modal(&text, &main);
        let frame = (ends_in_modal || (obliges && !introduces)).then(|| text.slice(main).to_owned());
        LeadIn { frame, condition, spelled_out: introduces && obliges }
    }

    /// Whether a lead-in stops at its modal verb, or is no more than a word of asking.
    fn ends_in_modal(&self, text: &Text<'_>, main: &Range<usize>) -> bool {
        let asks = main
            .clone()
            .all(|index| text.lower(index) == "please" || text.tokens[index].kind == TokenKind::Mark);
        let modal = main.clone().any(|index| {
            self.modal_at(text, index).is_some_and(|(end, _)| end == main.end)
                || (index == main.start
                    && self.cues.imperative.infinitive_openers.at(&text.tokens, index) == Some(main.len()))
        });
        !main.is_empty() && (asks || modal)
    }
}

/// What must not be, with what is said of it behind the verb.
fn forbidden_thing(text: &Text<'_>, what: &Range<usize>, rest: &Range<usize>, end: usize) -> String {
    let what = lower_first(text.slice(what.start..what.end.min(end)));
    let rest = rest.start..rest.end.min(end);
    if rest.is_empty() { what } else { format!("{what} {}", text.slice(rest)) }
}

//! Which obligations a sentence states: by modal verbs, imperatives, prohibitions and norms.
//!
//! The text is the source's own, code spans with their marks. Bundles are split where a
//! coordinator joins two verbs; a condition stays with each of the rules that it governs.

mod restate;

use crate::cues::Cues;
use crate::lexis::{Token, TokenKind, covered, tokens};
use polc_records::vocabulary::ModalLevel;
pub(super) use restate::lower_first;
use restate::{imperative, sentence};
use std::ops::Range;

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

/// A text with its tokens.
struct Text<'t> {
    text: &'t str,
    tokens: Vec<Token>,
}

impl<'t> Text<'t> {
    fn new(text: &'t str) -> Self {
        Text {
            text,
            tokens: tokens(text),
        }
    }

    fn slice(&self, range: Range<usize>) -> &'t str {
        covered(self.text, &self.tokens, range)
    }

    fn lower(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| token.lower.as_str())
    }

    fn is_mark(&self, index: usize, mark: &str) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|token| token.kind == TokenKind::Mark && token.lower == mark)
    }

    /// The tokens of a range that stand outside parentheses.
    fn outside(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
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

/// How a clause obliges.
enum Form {
    /// A bare verb: the clause from there on.
    Imperative,
    /// A modal verb, with the tokens before it as subject and those after it as predicate.
    Modal { phrase: Range<usize> },
    /// The present tense of something that a contribution is made of.
    Norm,
    /// Something with a fault is turned away: `Pull requests without a test are closed`.
    TurnedAway { subject_end: usize },
}

struct Clause {
    range: Range<usize>,
    modal: ModalLevel,
    form: Form,
    found_by: String,
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
        if rules.is_empty() {
            Reading::NoRule(speech)
        } else {
            Reading::Rules(rules)
        }
    }

    /// The parts between semicolons.
    fn independent_parts(&self, text: &Text<'_>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = 0;
        for index in text
            .outside(0..text.tokens.len())
            .filter(|index| text.is_mark(*index, ";"))
        {
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
        let mut obligations = Vec::new();
        for clause in self.clauses(text, main) {
            let trailing = self.trailing_condition(text, &clause);
            let leading = condition.clone().map(|range| text.slice(range).to_owned());
            let rule = self.restate(text, &clause, leading.as_deref());
            let condition = match (leading, trailing) {
                (Some(leading), Some(trailing)) => Some(format!("{leading}; {trailing}")),
                (leading, trailing) => leading.or(trailing),
            };
            obligations.push(Obligation {
                rule,
                condition,
                modal: clause.modal,
                found_by: clause.found_by,
            });
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
            let mark = ["*", "\"", "“", "'", ">", "-"]
                .iter()
                .any(|mark| text.is_mark(start, mark));
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
        let commas: Vec<usize> = text
            .outside(start..part.end)
            .filter(|index| text.is_mark(*index, ","))
            .collect();
        for comma in commas {
            let main = comma + 1..part.end;
            // `If you add, remove or rename a file, …`: the first comma is inside the condition.
            let in_a_list = self.is_verb(text.lower(comma - 1))
                && (comma + 1..main.end.min(comma + 4)).any(|index| text.lower(index) == "or");
            if !in_a_list && comma > start + 1 && !self.clauses(text, main.clone()).is_empty() {
                return (Some(start..comma), main);
            }
        }
        (None, part)
    }

    /// Somebody else than the contributor of whom the main clause speaks.
    fn speech(&self, text: &Text<'_>, part: Range<usize>, main: &Range<usize>) -> Option<Speech> {
        let main = self.skip_openers(text, main.clone());
        if self
            .cues
            .audience
            .reviewer
            .any(&text.tokens[part.start..main.start])
        {
            return Some(Speech::Reviewer);
        }
        let subject = self.subject(text, &main);
        let words = &text.tokens[subject.clone()];
        let contributor = self.cues.audience.contributor.any(words) && text.lower(subject.start) != "we";
        // Without a finite verb that is known, the first words stand for the subject.
        let words = if subject.is_empty() {
            &text.tokens[main.start..main.end.min(main.start + 3)]
        } else {
            words
        };
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
        let we = text.lower(main.start) == "we";
        let ours = main.start + 1..main.end.min(main.start + 5);
        if we && self.cues.audience.maintainer_verbs.any(&text.tokens[ours]) {
            return Some(Speech::Maintainer);
        }
        let permits = self.permission_at(text, subject.end) || self.permission_at(text, main.start);
        permits.then_some(Speech::Permission)
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

    /// The clauses of a main part that oblige.
    fn clauses(&self, text: &Text<'_>, main: Range<usize>) -> Vec<Clause> {
        let main = self.trim(text, self.skip_openers(text, main));
        if main.is_empty() {
            return Vec::new();
        }
        for cut in self.cuts(text, &main) {
            let right = self.clauses(text, cut.right.clone());
            if right.is_empty() {
                continue;
            }
            let left = self.clauses(text, cut.left.clone());
            if !left.is_empty() {
                return left.into_iter().chain(right).collect();
            }
        }
        self.clause(text, main).into_iter().collect()
    }

    fn trim(&self, text: &Text<'_>, range: Range<usize>) -> Range<usize> {
        let mut end = range.end;
        while end > range.start
            && [".", "!", ",", ";", ":"]
                .iter()
                .any(|mark| text.is_mark(end - 1, mark))
        {
            end -= 1;
        }
        range.start..end
    }

    /// Where a clause may be two: at a coordinator with a clause of its own on either side. What `or`
    /// joins is one rule with a choice in it.
    fn cuts(&self, text: &Text<'_>, main: &Range<usize>) -> Vec<Cut> {
        let mut cuts = Vec::new();
        for index in text.outside(main.clone()) {
            if !matches!(text.lower(index), "and" | "but" | "then") || index < main.start + 2 {
                continue;
            }
            let comma = text.is_mark(index - 1, ",");
            let left = main.start..index - usize::from(comma);
            let mut right = index + 1;
            while matches!(text.lower(right), "then" | "also" | "please" | "always") {
                right += 1;
            }
            let begins = self.begins_clause(text, right, main.end);
            // A new subject needs the comma: `use tabs and every file ends …` is rarely two rules.
            let own_subject = comma && !begins;
            if begins || own_subject {
                cuts.push(Cut {
                    left,
                    right: right..main.end,
                });
            }
        }
        cuts
    }

    /// Whether a verb without a subject begins here, past doubt.
    fn begins_clause(&self, text: &Text<'_>, at: usize, end: usize) -> bool {
        if at >= end {
            return false;
        }
        if self.cues.modal.prohibited.at(&text.tokens[..end], at).is_some() {
            return true;
        }
        if !self.is_verb(text.lower(at)) || text.tokens[at].kind != TokenKind::Word {
            return false;
        }
        let last = at + 1 == end || text.tokens[at + 1].kind == TokenKind::Mark;
        let next = text.tokens.get(at + 1);
        let object = next.is_some_and(|next| {
            next.kind == TokenKind::Code || self.cues.imperative.after_verb.is_word(&next.lower)
        });
        object || (last && self.cues.imperative.verbs.is_word(text.lower(at)))
    }

    fn is_verb(&self, word: &str) -> bool {
        self.cues.imperative.verbs.is_word(word) || self.cues.imperative.ambiguous.is_word(word)
    }

    /// How one clause obliges, if it does.
    fn clause(&self, text: &Text<'_>, range: Range<usize>) -> Option<Clause> {
        self.opened_infinitive(text, &range)
            .or_else(|| self.turned_away(text, &range))
            .or_else(|| self.bare_imperative(text, &range))
            .or_else(|| self.modal(text, &range))
            .or_else(|| self.norm(text, &range))
    }

    /// `Make sure to run …`, `We ask you to sign …`.
    fn opened_infinitive(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let tokens = &text.tokens[..range.end];
        let length = self.cues.imperative.infinitive_openers.at(tokens, range.start)?;
        let opener = range.start..range.start + length;
        let soft = self.cues.modal.should.any(&text.tokens[opener.clone()]);
        let rest = opener.end..range.end;
        let negated = text.lower(rest.start) == "not";
        (!rest.is_empty()).then(|| Clause {
            found_by: format!("infinitive after `{}`", text.slice(opener)),
            modal: level(negated, soft),
            form: Form::Imperative,
            range: rest,
        })
    }

    fn bare_imperative(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let tokens = &text.tokens[..range.end];
        let first = &tokens[range.start];
        if first.kind != TokenKind::Word {
            return None;
        }
        let prohibition = self.cues.modal.prohibited.at(tokens, range.start);
        if let Some(length) = prohibition.filter(|length| range.start + length < range.end) {
            let phrase = text.slice(range.start..range.start + length);
            if !matches!(first.lower.as_str(), "do" | "don't" | "never" | "under") {
                return None;
            }
            return Some(Clause {
                range: range.clone(),
                modal: ModalLevel::Prohibited,
                form: Form::Imperative,
                found_by: format!("prohibition `{phrase}`"),
            });
        }
        let next = tokens
            .get(range.start + 1)
            .filter(|_| range.start + 1 < range.end);
        let sure = self.cues.imperative.verbs.is_word(&first.lower);
        let follows = next.is_some_and(|next| {
            next.kind == TokenKind::Code || self.cues.imperative.after_verb.is_word(&next.lower)
        });
        // A finite verb before any relative clause: the word at the start was its subject.
        let finite = tokens[range.start + 1..]
            .iter()
            .take_while(|token| !matches!(token.lower.as_str(), "that" | "which" | "who" | "if" | "when"))
            .any(|token| self.cues.imperative.finite.is_word(&token.lower));
        let ambiguous =
            self.cues.imperative.ambiguous.is_word(&first.lower) && next.is_some() && (follows || !finite);
        if !sure && !ambiguous {
            return None;
        }
        let polite = range.start > 0
            && text.tokens[..range.start]
                .iter()
                .any(|token| token.lower == "please");
        let soft = polite || self.cues.modal.should.at(tokens, range.start).is_some();
        Some(Clause {
            range: range.clone(),
            modal: level(false, soft),
            form: Form::Imperative,
            found_by: format!("imperative `{}`", first.lower),
        })
    }

    /// Something with a fault that is turned away.
    fn turned_away(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let found = self.cues.context.consequence.find(&text.tokens[range.clone()])?;
        let verb = range.start + found.start;
        let fault = ["without", "that", "which", "whose", "with"].iter().any(|word| {
            text.tokens[range.start..verb]
                .iter()
                .skip(1)
                .any(|token| token.lower == *word)
        });
        let artifact = text.tokens[range.start..verb.min(range.start + 4)]
            .iter()
            .any(|token| self.cues.norm.artifacts.is_word(&token.lower) || token.lower == "contributions");
        let subject_end = self.subject(text, range).end.clamp(range.start, verb);
        (fault && artifact && subject_end > range.start).then(|| Clause {
            range: range.clone(),
            modal: ModalLevel::Prohibited,
            form: Form::TurnedAway { subject_end },
            found_by: format!("consequence `{}`", text.slice(verb..range.start + found.end)),
        })
    }

    /// The modal phrase at a token: its end, and what it implies.
    fn modal_at(&self, text: &Text<'_>, index: usize) -> Option<(usize, ModalLevel)> {
        let tokens = &text.tokens;
        let before = if index == 0 { "" } else { text.lower(index - 1) };
        if self.permission_at(text, index) {
            return None;
        }
        if let Some(length) = self.cues.modal.prohibited.at(tokens, index) {
            return Some((index + length, ModalLevel::Prohibited));
        }
        if let Some(length) = self.cues.modal.must.at(tokens, index) {
            let noun = matches!(text.lower(index), "need" | "needs")
                && matches!(before, "" | "the" | "no" | "a" | "any");
            let adjective =
                text.lower(index) == "required" && length == 1 && !matches!(before, "is" | "are" | "be");
            let passive = text.lower(index) == "expected" && !matches!(before, "is" | "are" | "be");
            return (!noun && !adjective && !passive).then_some((index + length, ModalLevel::Must));
        }
        let length = self.cues.modal.should.at(tokens, index)?;
        let unsure = matches!(text.lower(index), "want" | "need") && before != "you";
        (!unsure && index > 0).then_some((index + length, ModalLevel::Should))
    }

    fn modal(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let (index, (end, modal)) = text
            .outside(range.clone())
            .filter(|index| *index > range.start)
            .find_map(|index| Some((index, self.modal_at(text, index)?)))?;
        let subject = range.start..index;
        let pronoun = subject.len() == 1
            && matches!(
                text.lower(subject.start),
                "it" | "this" | "that" | "there" | "they"
            );
        if end > range.end || (pronoun && modal == ModalLevel::Should) {
            return None;
        }
        // `which you must`, in a sentence that is about something else.
        let relative = text.tokens[subject.clone()]
            .iter()
            .any(|token| matches!(token.lower.as_str(), "which" | "who"));
        let main_verb = text.tokens[subject.clone()].iter().any(|token| {
            matches!(
                token.lower.as_str(),
                "is" | "are" | "was" | "were" | "has" | "will" | "can"
            )
        });
        let passive = matches!(text.lower(index - 1), "is" | "are" | "be");
        if relative || (main_verb && !passive) {
            return None;
        }
        Some(Clause {
            range: range.clone(),
            modal,
            found_by: format!("modal `{}`", text.slice(index..end)),
            form: Form::Modal { phrase: index..end },
        })
    }

    fn norm(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let tokens = &text.tokens[range.clone()];
        let quantified = self.cues.norm.quantifiers.at(tokens, 0).is_some();
        if self.cues.norm.not_norms.any(tokens) {
            return None;
        }
        let head = match text.lower(range.start) {
            "the" | "a" | "an" | "new" | "your" => 1,
            _ => 0,
        };
        let artifact = tokens.get(head).is_some_and(|token| {
            token.kind == TokenKind::Word && self.cues.norm.artifacts.is_word(&token.lower)
        });
        if !quantified && !artifact {
            return None;
        }
        let verb = tokens
            .iter()
            .enumerate()
            .skip(head + 1)
            .take(9)
            .find(|(index, token)| {
                let next = tokens.get(index + 1).map_or("", |next| next.lower.as_str());
                let copula = matches!(token.lower.as_str(), "is" | "are");
                let states =
                    copula && (quantified || self.cues.norm.participles.at(tokens, index + 1).is_some());
                let present =
                    self.cues.norm.verbs.is_word(&token.lower) || (quantified && third_person(&token.lower));
                token.kind == TokenKind::Word && (states || (present && next != "to"))
            });
        let (_, verb) = verb?;
        // A singular head takes a third person: `the file name` has no verb yet.
        let negative = text.lower(range.start) == "no" || tokens.iter().any(|token| token.lower == "never");
        Some(Clause {
            range: range.clone(),
            modal: level(negative, false),
            found_by: format!("norm in the present tense, `{}`", verb.lower),
            form: Form::Norm,
        })
    }

    /// The condition at the end of a clause.
    fn trailing_condition(&self, text: &Text<'_>, clause: &Clause) -> Option<String> {
        let start = clause.range.start + 2;
        let at = text
            .outside(start.min(clause.range.end)..clause.range.end)
            .find(|index| {
                let even = matches!(text.lower(index - 1), "even" | "as" | "know" | "see");
                !even && self.cues.conditions.trailing.at(&text.tokens, *index).is_some()
            })?;
        let words = clause.range.end - at;
        (words >= 2).then(|| text.slice(at..clause.range.end).to_owned())
    }

    fn restate(&self, text: &Text<'_>, clause: &Clause, condition: Option<&str>) -> String {
        let range = clause.range.clone();
        let words = match &clause.form {
            Form::Imperative => imperative(text.slice(range)),
            Form::Norm => sentence(text.slice(range)),
            Form::TurnedAway { subject_end } => {
                format!(
                    "do not submit {}",
                    lower_first(text.slice(range.start..*subject_end))
                )
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
                restate::modal(
                    named,
                    subject,
                    text.slice(phrase.clone()),
                    predicate,
                    clause.modal,
                )
            }
        };
        restate::with_condition(&words, condition)
    }

    /// What a lead-in gives to its items. The text is the sentence before the list, with its colon.
    pub fn lead_in(&self, sentence: &str) -> LeadIn {
        let text = Text::new(sentence);
        let all = self.trim(&text, 0..text.tokens.len());
        let start = self.skip_openers(&text, all.clone()).start;
        let comma = text
            .outside(start..all.end)
            .filter(|index| text.is_mark(*index, ","))
            .last();
        let conditional = self.cues.conditions.leading.at(&text.tokens, start).is_some();
        let (condition, main) = match comma {
            Some(comma) if conditional => (Some(start..comma), comma + 1..all.end),
            _ if conditional => (Some(start..all.end), all.end..all.end),
            _ => (None, 0..all.end),
        };
        let condition = condition.map(|range| text.slice(range).to_owned());
        let points = |index: usize| {
            matches!(
                text.lower(index),
                "following" | "these" | "below" | "follows" | "this"
            )
        };
        let introduces = main.clone().any(points);
        let obliges = !self.clauses(&text, main.clone()).is_empty();
        let ends_in_modal = self.ends_in_modal(&text, &main);
        let frame = (ends_in_modal || (obliges && !introduces)).then(|| text.slice(main).to_owned());
        LeadIn {
            frame,
            condition,
            spelled_out: introduces && obliges,
        }
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

struct Cut {
    left: Range<usize>,
    right: Range<usize>,
}

fn level(negated: bool, soft: bool) -> ModalLevel {
    match (negated, soft) {
        (true, _) => ModalLevel::Prohibited,
        (false, true) => ModalLevel::Should,
        (false, false) => ModalLevel::Must,
    }
}

/// Whether a word may be the third person of a verb: the cue list cannot know them all.
fn third_person(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us")
}

//! How a clause obliges: bare verbs, modal verbs, norms, things that are turned away.

use super::Reader;
use super::text::Text;
use crate::lexis::{Token, TokenKind};
use polc_records::vocabulary::ModalLevel;
use std::ops::Range;

/// How a clause obliges.
pub(super) enum Form {
    /// A bare verb: the clause from there on.
    Imperative,
    /// A modal verb, with the tokens before it as subject and those after it as predicate.
    Modal { phrase: Range<usize> },
    /// The present tense of something that a contribution is made of.
    Norm,
    /// Something is turned away until a condition holds: `It will not be merged until CI passes`.
    Gate,
    /// Something is turned away: `Pull requests without a test are closed`, `We do not accept …`.
    TurnedAway { what: Range<usize>, rest: Range<usize> },
    /// Something is forbidden: `Tabs are not allowed in headings`.
    Forbidden { what: Range<usize>, rest: Range<usize> },
}

pub(super) struct Clause {
    pub(super) range: Range<usize>,
    pub(super) modal: ModalLevel,
    pub(super) form: Form,
    pub(super) found_by: String,
}

impl Reader<'_> {
    /// The clauses of a main part that oblige.
    pub(super) fn clauses(&self, text: &Text<'_>, main: Range<usize>) -> Vec<Clause> {
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

    pub(super) fn trim(&self, text: &Text<'_>, range: Range<usize>) -> Range<usize> {
        let mut end = range.end;
        while end > range.start && [".", "!", ",", ";", ":"].iter().any(|mark| text.is_mark(end - 1, mark)) {
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
                cuts.push(Cut { left, right: right..main.end });
            }
        }
        cuts
    }

    /// Whether a verb without a subject begins here, past doubt.
    pub(super) fn begins_clause(&self, text: &Text<'_>, at: usize, end: usize) -> bool {
        if at >= end {
            return false;
        }
        if self.cues.modal.prohibited.at(&text.tokens[..end], at).is_some() {
            return true;
        }
        let next = text.tokens.get(at + 1).filter(|_| at + 1 < end);
        if !self.is_verb(text.lower(at)) || text.tokens[at].kind != TokenKind::Word {
            return false;
        }
        let last = next.is_none_or(|next| next.kind == TokenKind::Mark);
        let object = next.is_some_and(|next| {
            next.kind == TokenKind::Code || self.cues.imperative.after_verb.is_word(&next.lower)
        });
        object || (last && self.cues.imperative.verbs.is_word(text.lower(at)))
    }

    pub(super) fn is_verb(&self, word: &str) -> bool {
        self.cues.imperative.verbs.is_word(word) || self.cues.imperative.ambiguous.is_word(word)
    }

    /// How one clause obliges, if it does.
    fn clause(&self, text: &Text<'_>, range: Range<usize>) -> Option<Clause> {
        self.opened_infinitive(text, &range)
            .or_else(|| self.turned_away(text, &range))
            .or_else(|| self.bare_imperative(text, &range))
            .or_else(|| self.turned_away_by_us(text, &range))
            .or_else(|| self.forbidden(text, &range))
            .or_else(|| self.modal(text, &range))
            .or_else(|| self.norm(text, &range))
            .or_else(|| self.generated(text, &range))
            .or_else(|| self.bare_no(text, &range))
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

    pub(super) fn bare_imperative(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let tokens = &text.tokens[..range.end];
        let first = tokens.get(range.start)?;
        // `Note`: a word that is all there is heads what follows.
        if first.kind != TokenKind::Word || text.tokens.len() == 1 {
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
        let next = tokens.get(range.start + 1).filter(|_| range.start + 1 < range.end);
        let sure = self.cues.imperative.verbs.is_word(&first.lower);
        let follows = next.is_some_and(|next| {
            next.kind == TokenKind::Code || self.cues.imperative.after_verb.is_word(&next.lower)
        });
        // A finite verb before any subordinate clause: the word at the start was its subject.
        let finite = tokens[range.start + 1..]
            .iter()
            .take_while(|token| !is_relative(&token.lower) && !is_subordinator(&token.lower))
            .any(|token| self.cues.imperative.finite.is_word(&token.lower));
        let goes_on = next.is_some_and(|next| next.kind != TokenKind::Mark);
        let ambiguous =
            self.cues.imperative.ambiguous.is_word(&first.lower) && goes_on && (follows || !finite);
        let unknown = || !finite && self.is_unknown_verb(first, next);
        if !sure && !ambiguous && !unknown() {
            return None;
        }
        let polite =
            text.tokens[..range.start].iter().any(|token| self.cues.imperative.polite.is_word(&token.lower));
        let soft = polite || self.cues.modal.should.at(tokens, range.start).is_some();
        Some(Clause {
            range: range.clone(),
            modal: level(false, soft),
            form: Form::Imperative,
            found_by: format!("imperative `{}`", first.lower),
        })
    }

    /// Whether a word that no list has is a verb by what follows it: `Feed the lion`.
    fn is_unknown_verb(&self, word: &Token, next: Option<&Token>) -> bool {
        let bare = |ending: &str| !word.lower.ends_with(ending);
        let looks_like_one = word.lower.len() > 2
            && word.lower.chars().all(char::is_alphabetic)
            && ["ly", "ing", "s"].into_iter().all(bare)
            && (bare("ed") || word.lower.ends_with("eed"))
            && !self.cues.imperative.not_verbs.is_word(&word.lower);
        looks_like_one && next.is_some_and(|next| self.cues.imperative.objects.is_word(&next.lower))
    }

    /// Something with a fault that is turned away.
    fn turned_away(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let found = self.cues.context.consequence.find(&text.tokens[range.clone()])?;
        let verb = range.start + found.start;
        let gate = (verb..range.end).any(|index| matches!(text.lower(index), "until" | "unless"));
        let fault = ["without", "that", "which", "whose", "with"]
            .iter()
            .any(|word| text.tokens[range.start..verb].iter().skip(1).any(|token| token.lower == *word));
        let artifact = text.tokens[range.start..verb.min(range.start + 4)].iter().any(|token| {
            self.cues.norm.artifacts.is_word(&token.lower) || token.lower.starts_with("contribution")
        });
        let auxiliary = |index: usize| {
            matches!(text.lower(index), "will" | "may" | "can" | "would" | "might" | "is" | "are")
        };
        let last = (range.start..verb).rev().find(|index| !auxiliary(*index));
        let subject_end = last.map_or(range.start, |last| last + 1);
        let of_a_kind = self.is_of_a_kind(text, range.start..subject_end);
        ((fault || gate || of_a_kind) && artifact && subject_end > range.start).then(|| Clause {
            range: range.clone(),
            modal: if gate { ModalLevel::Must } else { ModalLevel::Prohibited },
            form: if gate {
                Form::Gate
            } else {
                Form::TurnedAway { what: range.start..subject_end, rest: 0..0 }
            },
            found_by: format!("consequence `{}`", text.slice(verb..range.start + found.end)),
        })
    }

    /// Whether a subject is of a kind: `Generated pull requests`, but neither `Pull requests` nor `Your
    /// pull request`.
    fn is_of_a_kind(&self, text: &Text<'_>, subject: Range<usize>) -> bool {
        let first = text.lower(subject.start);
        subject.len() > 1
            && !self.cues.norm.artifacts.is_word(first)
            && !self.cues.imperative.objects.is_word(first)
            && text.tokens[subject].iter().all(|token| token.kind == TokenKind::Word)
    }

    /// `We do not accept …`, `We reject …`.
    fn turned_away_by_us(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let tokens = &text.tokens[..range.end];
        if text.lower(range.start) != "we" {
            return None;
        }
        let start = range.start + 1;
        let rejected = self.cues.modal.rejected.at(tokens, start);
        let length = rejected.or_else(|| self.cues.modal.prohibited.at(tokens, start))?;
        let phrase = start..start + length;
        let verb = match rejected {
            Some(_) => 0,
            None => self.cues.modal.turned_away.at(tokens, phrase.end)?,
        };
        let what = phrase.end + verb..range.end;
        (!what.is_empty()).then(|| Clause {
            range: range.clone(),
            modal: ModalLevel::Prohibited,
            found_by: format!("turned away, `{}`", text.slice(phrase.start..what.start)),
            form: Form::TurnedAway { what, rest: 0..0 },
        })
    }

    /// `Generated code is not accepted`, `Tabs are not allowed`.
    fn forbidden(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let tokens = &text.tokens[range.clone()];
        let of_contribution = self.cues.modal.unaccepted.find(tokens);
        let found = of_contribution.clone().or_else(|| self.cues.modal.forbidden.find(tokens))?;
        let copula = |index: &usize| matches!(text.lower(*index), "is" | "are" | "be" | "will");
        let phrase = range.start + found.start;
        let end = (range.start..phrase).rev().find(|index| !copula(index))? + 1;
        let (what, rest) = (range.start..end, range.start + found.end..range.end);
        let pronoun =
            what.len() == 1 && matches!(text.lower(what.start), "it" | "this" | "that" | "there" | "they");
        let modal = what.clone().any(|index| self.modal_at(text, index).is_some());
        (!pronoun && !modal).then(|| Clause {
            range: range.clone(),
            modal: ModalLevel::Prohibited,
            found_by: format!("prohibition `{}`", text.slice(phrase..range.start + found.end)),
            form: if of_contribution.is_some() {
                Form::TurnedAway { what, rest }
            } else {
                Form::Forbidden { what, rest }
            },
        })
    }

    /// The modal phrase at a token: its end, and what it implies.
    pub(super) fn modal_at(&self, text: &Text<'_>, index: usize) -> Option<(usize, ModalLevel)> {
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
            let short = before.ends_with("'re") || before.ends_with("’re");
            let passive = text.lower(index) == "expected" && !matches!(before, "is" | "are" | "be") && !short;
            return (!noun && !adjective && !passive).then_some((index + length, ModalLevel::Must));
        }
        let length = self.cues.modal.should.at(tokens, index)?;
        // `You want to` and `you'll want to` ask; in `the page that you want to see` it is your own wish.
        let opens = index < 2 || text.tokens[index - 2].kind == TokenKind::Mark;
        let asks = (before == "you" && opens)
            || before.ends_with("'ll")
            || before.ends_with("’ll")
            || matches!(before, "will" | "may");
        let unsure = text.lower(index) == "want" && !asks;
        (!unsure && index > 0).then_some((index + length, ModalLevel::Should))
    }

    fn modal(&self, text: &Text<'_>, range: &Range<usize>) -> Option<Clause> {
        let phrases: Vec<(usize, usize, ModalLevel)> = text
            .outside(range.clone())
            .filter(|index| *index > range.start)
            .filter_map(|index| self.modal_at(text, index).map(|(end, modal)| (index, end, modal)))
            .collect();
        // `A test that needs data must skip`: a modal behind a relative pronoun gives way to a later one.
        let in_relative = |at: usize| (range.start..at).any(|index| is_relative(text.lower(index)));
        let first = phrases.first()?;
        let later = phrases.iter().find(|phrase| phrase.0 > first.0).filter(|_| in_relative(first.0));
        // `It returns what it has to say`: the modal is of the object.
        let of_object =
            |at: usize| (range.start + 1..at).any(|index| matches!(text.lower(index), "what" | "whatever"));
        if later.is_none() && of_object(first.0) {
            return None;
        }
        let (index, end, modal) = *later.unwrap_or(first);
        // A clause joined on has a subject of its own: `it takes long, and it should`.
        let start = (range.start + 1..index)
            .rev()
            .find(|at| {
                let parted = [",", "–", "—", "-"].iter().any(|mark| text.is_mark(at - 1, mark));
                matches!(text.lower(*at), "and" | "but" | "so") && parted
            })
            .map_or(range.start, |at| at + 1);
        let subject = start..index;
        let phrase = text.slice(index..end).to_lowercase();
        let pronoun = subject.len() == 1
            && matches!(text.lower(subject.start), "it" | "this" | "that" | "there" | "they");
        let negation = matches!(phrase.as_str(), "do not" | "don't" | "never");
        if end > range.end || subject.is_empty() || (pronoun && (modal == ModalLevel::Should || negation)) {
            return None;
        }
        // `The parser is responsible for comments`: not a person.
        let role = phrase.ends_with("responsible for")
            && !self.cues.audience.contributor.any(&text.tokens[subject.clone()]);
        if role
            || is_there(text, &subject)
            || self.is_about_us(text, &subject, index..end, range.end)
            || self.is_about_a_thing(text, &subject, &phrase)
        {
            return None;
        }
        // Another verb before the modal: the sentence is about something else.
        let is_verb = |index: usize| {
            matches!(text.lower(index), "is" | "are" | "was" | "were" | "has" | "will" | "can")
        };
        let passive = matches!(text.lower(index - 1), "is" | "are" | "be");
        if subject.clone().any(is_verb) && !passive && !in_relative(index) {
            return None;
        }
        Some(Clause {
            range: start..range.end,
            modal,
            found_by: format!("modal `{}`", text.slice(index..end)),
            form: Form::Modal { phrase: index..end },
        })
    }

    /// What we do, or wish without asking anyone for it.
    fn is_about_us(&self, text: &Text<'_>, subject: &Range<usize>, phrase: Range<usize>, end: usize) -> bool {
        let us = |index: usize| matches!(text.lower(index), "we" | "i");
        // `For both reasons, we have to …`: the subject follows what comes before it.
        let last = (subject.end.saturating_sub(2).max(subject.start)..subject.end).find(|index| us(*index));
        let opens = last.is_some_and(|at| at == subject.start || text.is_mark(at - 1, ","));
        if !opens {
            return subject
                .clone()
                .any(|at| us(at) && self.cues.audience.opinion.is_word(text.lower(at + 1)));
        }
        let asks = ["you", "contributors", "everyone", "that", "all", "people", "authors"];
        let asked = (phrase.start..end.min(phrase.end + 3)).any(|index| asks.contains(&text.lower(index)));
        let firm = matches!(text.lower(phrase.start), "must" | "require" | "expect" | "need" | "shall");
        !asked && !firm
    }

    /// `The tool needs a browser`: a need of something that no contribution is made of.
    fn is_about_a_thing(&self, text: &Text<'_>, subject: &Range<usize>, phrase: &str) -> bool {
        let words = &text.tokens[subject.clone()];
        let of_contribution = words.iter().any(|token| {
            self.cues.norm.artifacts.is_word(&token.lower) || self.cues.norm.quantifiers.is_word(&token.lower)
        });
        matches!(phrase, "need" | "needs" | "require" | "requires")
            && !of_contribution
            && !self.cues.audience.contributor.any(words)
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
        // A relative clause has verbs of its own, and what follows a copula is none of these.
        let relative = |token: &Token| {
            let modal = matches!(token.lower.as_str(), "will" | "can" | "may" | "might" | "could" | "would");
            is_relative(&token.lower) || token.lower == "where" || modal
        };
        let end = tokens.iter().position(relative).unwrap_or(tokens.len()).min(head + 10);
        let verb = tokens[..end].iter().enumerate().skip(head + 1).find(|(index, token)| {
            let next = tokens.get(index + 1).map_or("", |next| next.lower.as_str());
            let before = tokens[index - 1].lower.as_str();
            if matches!(before, "is" | "are" | "was" | "were" | "be" | "not") {
                return false;
            }
            let copula = matches!(token.lower.as_str(), "is" | "are");
            let states = copula && (quantified || self.cues.norm.participles.at(tokens, index + 1).is_some());
            let present = self.cues.norm.verbs.is_word(&token.lower)
                || (quantified && *index >= 2 && third_person(&token.lower));
            token.kind == TokenKind::Word && (states || (present && next != "to"))
        });
        let (_, verb) = verb?;
        let negative = text.lower(range.start) == "no" || tokens.iter().any(|token| token.lower == "never");
        Some(Clause {
            range: range.clone(),
            modal: level(negative, false),
            found_by: format!("norm in the present tense, `{}`", verb.lower),
            form: Form::Norm,
        })
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

pub(super) fn is_relative(word: &str) -> bool {
    matches!(word, "that" | "which" | "who" | "what" | "whatever" | "whoever")
}

/// `Here is a list of what should …`: the sentence shows something.
fn is_there(text: &Text<'_>, subject: &Range<usize>) -> bool {
    matches!(text.lower(subject.start), "here" | "there")
        && matches!(text.lower(subject.start + 1), "is" | "are")
}

/// Whether a word begins a clause that has a verb of its own.
fn is_subordinator(word: &str) -> bool {
    matches!(word, "if" | "when" | "once" | "until" | "unless" | "because" | "while" | "where")
}

/// Whether a word may be the third person of a verb: the cue list cannot know them all.
fn third_person(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us")
}

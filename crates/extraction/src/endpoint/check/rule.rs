//! Whether one rule of an answer can be taken.

use super::{Check, Good, own, short};
use crate::baseline::clause::Reading;
use crate::endpoint::answer::FoundRule;
use crate::lexis::{TokenKind, tokens};
use polc_records::locator::Locator;
use polc_records::proposal::ContextQuote;
use polc_records::vocabulary::ModalLevel;
use polc_text::BlockKind;
use polc_text::document::fold_space;
use polc_text::locate::Wanted;
use std::collections::BTreeSet;
use std::ops::Range;

/// So many words that its section does not have make a restatement doubtful.
const MANY_WORDS: usize = 4;

/// Fewer words than these are no quote, unless they are a whole sentence.
const LEAST_WORDS: usize = 3;

impl Check<'_> {
    pub(super) fn rule(&self, index: usize, rule: &FoundRule) -> Result<Good, Vec<String>> {
        let mut faults = Vec::new();
        let mut named = BTreeSet::new();
        for number in &rule.sentences {
            match self.unit(*number) {
                Some(unit) => drop(named.insert(unit)),
                None => faults.push(self.not_asked(*number)),
            }
        }
        let words = tokens(&rule.rule).iter().filter(|token| token.kind == TokenKind::Word).count();
        if rule.rule.lines().count() != 1 || words < 2 {
            faults.push("`rule` has to be one sentence on one line".to_owned());
        }
        let located = self.locate(rule, &named);
        let (locator, quoted) = match located {
            Ok(located) if faults.is_empty() => located,
            Ok(_) => return Err(faults),
            Err(fault) => {
                faults.push(fault);
                return Err(faults);
            }
        };
        if self.is_scrap(&locator, &quoted) {
            faults.push(format!("its quote is too short to say what the rule says: {}", short(&rule.quote)));
        }
        let mut lead_ins: BTreeSet<usize> =
            quoted.iter().filter_map(|unit| self.text.units[*unit].lead_in).collect();
        lead_ins.retain(|unit| !quoted.contains(unit));
        for unit in named.iter().filter(|unit| !quoted.contains(*unit) && !lead_ins.contains(*unit)) {
            faults.push(format!("it names sentence {}, but its quote has no word of it", unit + 1));
        }
        let context = self.context(rule, &quoted, &mut faults);
        let own: BTreeSet<usize> =
            quoted.iter().chain(&lead_ins).copied().chain(context.iter().map(|(unit, _)| *unit)).collect();
        faults.extend(self.strange(rule, &own));
        if !faults.is_empty() {
            return Err(faults);
        }
        let doubts = self.doubts(index, rule, &quoted);
        Ok(Good { index, locator, quoted, lead_ins, context, doubts })
    }

    /// What a rule says and the source does not: a number, a name, a command or an address that stands neither in its own
    /// sentences nor beside them where a reader sees it. Where the source speaks to models, what stands beside them is
    /// not enough, and other words count too.
    fn strange(&self, rule: &FoundRule, own: &BTreeSet<usize>) -> Vec<String> {
        let mut known = self.text.words(own.iter().copied());
        let addressed = self.text.addressed;
        if let (Some(unit), false) = (own.last(), addressed) {
            known.push_str(&self.text.words(self.text.beside(*unit)));
        }
        let fields = [
            ("rule", Some(&rule.rule)),
            ("condition", rule.condition.as_ref()),
            ("trigger", rule.trigger.as_ref()),
        ];
        let numbers: BTreeSet<String> = tokens(&known).into_iter().map(|token| token.lower).collect();
        let stands = |word: &str| {
            let is_number = word.chars().all(|c| c.is_ascii_digit());
            if is_number { numbers.contains(word) } else { known.contains(word) }
        };
        let mut strange = Vec::new();
        for (field, text) in fields.into_iter().filter_map(|(field, text)| Some((field, text?))) {
            let literal = literals(text).find(|word| !stands(word));
            strange
                .extend(literal.map(|word| format!("`{field}` names `{word}`, which its sentences do not")));
        }
        let own = self.text.words(own.iter().copied());
        let (said, foreign) = (self.unknown_words(&rule.rule, ""), self.unknown_words(&rule.rule, &own));
        if !said.is_empty() && said.len() == foreign.len() {
            strange.push("`rule` has no word of the sentences that it names".to_owned());
        }
        let unknown = self.unknown_words(&rule.rule, &known);
        if addressed && unknown.len() > 1 {
            strange.push(format!("`rule` says what its sentences do not ({})", unknown.join(", ")));
        }
        strange
    }

    /// The words of a restatement that its source has in no form.
    fn unknown_words(&self, text: &str, known: &str) -> Vec<String> {
        const STEM: usize = 4;
        let words =
            tokens(text).into_iter().filter(|token| token.kind == TokenKind::Word).map(|token| token.lower);
        words
            .filter(|word| !self.text.suspicions.is_familiar(word))
            .filter(|word| {
                let stem: String = word.chars().take(STEM).collect();
                !known.contains(stem.as_str())
            })
            .collect()
    }

    /// Where the quote of a rule stands: in the sentences that it names, and what introduces them, and nowhere else.
    fn locate(
        &self,
        rule: &FoundRule,
        named: &BTreeSet<usize>,
    ) -> Result<(Locator, BTreeSet<usize>), String> {
        let wanted = Wanted { quote: &rule.quote, ..Wanted::default() };
        let Some(found) = self.text.index.seek(wanted) else {
            return Err(format!(
                "its quote stands nowhere in the source, letter by letter: {}",
                short(&rule.quote)
            ));
        };
        let mut elsewhere = BTreeSet::new();
        let mut best: Option<(Locator, BTreeSet<usize>)> = None;
        for locator in found.candidates {
            let Some(quoted) = self.quoted(&locator) else { continue };
            let own = quoted.iter().any(|unit| named.contains(unit));
            let known = quoted.iter().all(|unit| named.contains(unit) || self.introduces(*unit, named));
            if !own || !known {
                elsewhere.extend(quoted);
            } else if best.as_ref().is_none_or(|(_, most)| quoted.len() > most.len()) {
                best = Some((locator, quoted));
            }
        }
        best.ok_or_else(|| match elsewhere.is_empty() {
            true => format!(
                "its quote does not stand in the sentences that were asked about: {}",
                short(&rule.quote)
            ),
            false => format!(
                "its quote stands in {}, not only in the sentences that it names",
                numbers(&elsewhere)
            ),
        })
    }

    /// Whether a quote is a few words out of a sentence.
    fn is_scrap(&self, locator: &Locator, quoted: &BTreeSet<usize>) -> bool {
        let whole = |unit: &usize| {
            let range = &self.text.ranges[*unit];
            locator.segments.iter().any(|segment| segment.start <= range.start && range.end <= segment.end)
        };
        let words = self.text.document().quote(locator);
        words.split_whitespace().count() < LEAST_WORDS && !quoted.iter().any(whole)
    }

    fn introduces(&self, unit: usize, named: &BTreeSet<usize>) -> bool {
        named.iter().any(|item| self.text.units[*item].lead_in == Some(unit))
    }

    /// The sentences that a place has words of; none where any word of it is of no sentence that is shown.
    fn quoted(&self, locator: &Locator) -> Option<BTreeSet<usize>> {
        let mut quoted = BTreeSet::new();
        for segment in &locator.segments {
            let place = segment.start..segment.end;
            let touched: Vec<usize> =
                (0..self.text.units.len()).filter(|unit| overlap(&self.text.ranges[*unit], &place)).collect();
            let shown =
                touched.iter().all(|unit| self.passage.contains(unit) || self.text.lead_ins.contains(unit));
            if touched.is_empty() && !self.is_code_of_the_passage(&place) || !shown {
                return None;
            }
            quoted.extend(touched);
        }
        (!quoted.is_empty()).then_some(quoted)
    }

    /// Whether a place lies in code that a sentence of the passage introduces.
    fn is_code_of_the_passage(&self, place: &Range<usize>) -> bool {
        let document = self.text.document();
        let codes = self.passage.clone().filter_map(|unit| self.text.units[unit].code.as_ref());
        codes.map(|(code, _)| &document.blocks[*code]).any(|block| {
            block.kind == BlockKind::Code && block.range.start <= place.start && place.end <= block.range.end
        })
    }

    fn context(
        &self,
        rule: &FoundRule,
        quoted: &BTreeSet<usize>,
        faults: &mut Vec<String>,
    ) -> Vec<(usize, ContextQuote)> {
        let mut context = Vec::new();
        let hidden = quoted.iter().all(|unit| self.text.units[*unit].hidden);
        for found in &rule.context {
            match self.unit(found.sentence) {
                // What a rule's own sentence grants is part of its condition.
                Some(unit) if quoted.contains(&unit) => {}
                Some(unit) if self.text.units[unit].hidden && !hidden => faults.push(format!(
                    "`context`: sentence {} is hidden from readers, and changes nothing of what they see",
                    found.sentence
                )),
                Some(unit) => {
                    let quote = self.text.units[unit].quote.clone();
                    context.push((unit, ContextQuote { kind: found.kind, quote }));
                }
                None => faults.push(format!("`context`: {}", self.not_asked(found.sentence))),
            }
        }
        context.dedup();
        context
    }

    /// What speaks against a rule without settling it.
    fn doubts(&self, index: usize, rule: &FoundRule, quoted: &BTreeSet<usize>) -> Vec<String> {
        let mut doubts = Vec::new();
        if let Reading::Rules(obligations) = self.reader.read(&rule.rule) {
            if obligations.len() > 1 {
                let several: Vec<&str> = obligations.iter().map(|one| one.rule.as_str()).collect();
                doubts.push(format!(
                    "rule {} may state several obligations ({}): split it",
                    index + 1,
                    several.join(" / ")
                ));
            }
            let conditions = obligations.iter().filter_map(|one| one.condition.as_deref());
            if let Some(both) = conditions.into_iter().find(|condition| condition.contains("; ")) {
                doubts.push(format!("rule {} may have two conditions (`{both}`)", index + 1));
            }
        }
        if quoted.iter().any(|unit| self.text.suspicions.speaks_to_a_model(&self.text.units[*unit].quote)) {
            doubts.push(format!("rule {} is drawn from a sentence that speaks to a model", index + 1));
        }
        let unknown = self.unknown_words(
            &rule.rule,
            &self.text.words(quoted.iter().copied().chain(self.text.beside(own(quoted)))),
        );
        if unknown.len() >= MANY_WORDS {
            doubts.push(format!("rule {} says more than its section ({})", index + 1, unknown.join(", ")));
        }
        let said: BTreeSet<ModalLevel> = quoted
            .iter()
            .flat_map(|unit| self.obligations(*unit))
            .map(|obligation| obligation.modal)
            .collect();
        if let (1, Some(modal)) = (said.len(), said.first())
            && *modal != rule.modal
        {
            doubts.push(format!(
                "rule {} has the modal level `{}`, and its sentence reads as `{modal}`",
                index + 1,
                rule.modal
            ));
        }
        doubts
    }
}

/// The numbers, names, commands and addresses of a text, without the marks around them.
fn literals(text: &str) -> impl Iterator<Item = String> {
    let literal = |kind: TokenKind, word: &str| {
        kind == TokenKind::Code || word.chars().any(|c| c.is_ascii_digit() || matches!(c, '_' | '/' | '@'))
    };
    let tokens = tokens(text).into_iter().filter(move |token| literal(token.kind, &token.lower));
    tokens.map(|token| fold_space(&token.lower.replace('`', ""))).filter(|word| !word.is_empty())
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

fn numbers(units: &BTreeSet<usize>) -> String {
    let numbers: Vec<String> = units.iter().map(|unit| (unit + 1).to_string()).collect();
    format!("sentence{} {}", if numbers.len() == 1 { "" } else { "s" }, numbers.join(", "))
}

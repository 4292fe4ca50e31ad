//! The answer on one rule, held against the row that was shown. Nothing is taken on trust.

use super::answer::RuleAnswer;
use super::shown::{Shown, fold, names};
use crate::classify::definitions::Definitions;
use crate::classify::facts::{failure, opens};
use crate::cues::Cues;
use crate::lexis::{covered, tokens};
use polc_records::extraction::ExtractionRow;
use polc_records::facts::{Answer, ProposedDuplicate, RuleFacts};
use polc_records::ids::RuleId;
use polc_records::vocabulary::{ContextKind, Fact, ModalLevel, Truth};
use std::collections::{BTreeMap, BTreeSet};

/// What answers are held against.
pub(super) struct Check<'s> {
    pub(super) cues: &'s Cues,
    pub(super) definitions: &'s Definitions,
    /// Every rule there is.
    pub(super) index: BTreeSet<&'s RuleId>,
    /// The names that stand in any row.
    pub(super) names: BTreeSet<String>,
}

/// An answer on one rule, as far as it can be used.
#[derive(Debug, Clone)]
pub(super) struct Checked {
    /// What can be used of it: a fact that was not shown is open, and what was invented is left out.
    pub(super) facts: RuleFacts,
    /// Why the rule is not answered at all.
    pub(super) unusable: Vec<String>,
    /// What of it was not taken as it was answered.
    pub(super) refused: Vec<String>,
}

impl Checked {
    /// Everything that is wrong with it.
    pub(super) fn faults(&self) -> impl Iterator<Item = &String> {
        self.unusable.iter().chain(&self.refused)
    }

    /// Whether another answer would not be better.
    pub(super) fn is_good(&self) -> bool {
        self.faults().next().is_none()
    }

    /// Whether it is at least as good as another answer.
    pub(super) fn is_no_worse_than(&self, other: &Checked) -> bool {
        let key = |checked: &Checked| (checked.unusable.len(), checked.refused.len());
        key(self) <= key(other)
    }
}

impl Check<'_> {
    /// Checks the answer on a rule.
    pub(super) fn of(&self, row: &ExtractionRow, shown: &Shown, answer: &RuleAnswer) -> Checked {
        let rule = &row.id;
        let mut unusable = Vec::new();
        let mut refused = Vec::new();
        for (field, text) in [("opens", &answer.opens), ("failure", &answer.failure)] {
            if text.trim().is_empty() {
                unusable.push(format!("`{field}` is empty"));
            }
        }
        if answer.artifacts.is_empty() {
            unusable.push("no artifact is named".to_owned());
        }
        let mut facts = BTreeMap::new();
        for fact in Fact::answered() {
            match answer.facts.get(&fact) {
                Some(given) => drop(facts.insert(fact, self.shown(fact, given, shown, &mut refused))),
                None => unusable.push(format!("`{fact}` is not answered")),
            }
        }
        self.overlooked(row, &mut facts, &mut refused);
        self.contradictions(&mut facts, &answer.failure, &mut refused);
        let mut artifacts = answer.artifacts.clone();
        artifacts.sort();
        artifacts.dedup();
        let facts = RuleFacts {
            rule: rule.clone(),
            opens: self.own("opens", &answer.opens, opens(&artifacts), shown, &mut refused),
            failure: self.own("failure", &answer.failure, failure(row), shown, &mut refused),
            artifacts,
            facts,
            duplicates: self.duplicates(rule, answer, &mut refused),
            auto_fix: standing("auto_fix", answer.auto_fix.as_deref(), shown, &mut refused),
            addressed: standing("addressed", answer.addressed.as_deref(), shown, &mut refused),
            samples: Vec::new(),
        };
        Checked { facts, unusable, refused }
    }

    /// A fact as it was answered, where words of the row show it; else it is open.
    fn shown(&self, fact: Fact, given: &Answer, shown: &Shown, refused: &mut Vec<String>) -> Answer {
        let words = given.words.trim();
        if given.holds != self.definitions.shown_by(fact) && given.holds != Truth::Unknown {
            return Answer { holds: given.holds, words: String::new() };
        }
        let why = if words.is_empty() {
            "without words of the row"
        } else if !shown.has(words) {
            "with words that do not stand in the row"
        } else if names_a_fact(words) {
            "with words that name a fact: no contributor is told so"
        } else if fact == Fact::DeviationPermitted && !shown.has_around(words) {
            "with words that do not stand in a line `context`: an exception in the rule's own sentence is its condition"
        } else {
            return Answer { holds: given.holds, words: words.to_owned() };
        };
        let told = if words.is_empty() { String::new() } else { format!(", `{words}`") };
        refused.push(format!("`{fact}` is answered `{}` {why}{told}", given.holds));
        Answer { holds: Truth::Unknown, words: format!("the model answered `{}` {why}", given.holds) }
    }

    /// What stands in the frozen row is not denied: a `no` needs no words, and would pass.
    fn overlooked(&self, row: &ExtractionRow, facts: &mut BTreeMap<Fact, Answer>, refused: &mut Vec<String>) {
        let quoted = |kind: ContextKind| {
            row.context
                .quotes()
                .iter()
                .find(|context| context.kind == kind)
                .map(|context| context.quote.clone())
        };
        let words = tokens(&row.original);
        let outright = self.cues.facts.outright.find(&words).filter(|_| row.modal == ModalLevel::Must);
        let stands = [
            (Fact::Forbids, (row.modal == ModalLevel::Prohibited).then(|| format!("modal: {}", row.modal))),
            (Fact::SaysOutright, outright.map(|range| covered(&row.original, &words, range).to_owned())),
            (Fact::DeviationPermitted, quoted(ContextKind::Exception)),
            (Fact::Consequence, quoted(ContextKind::Consequence)),
        ];
        for (fact, what) in stands {
            let Some(what) = what else { continue };
            if facts.get(&fact).is_some_and(|answer| answer.holds == Truth::No) {
                refused.push(format!("`{fact}` is answered `no`, and the row has `{what}`"));
                let words = format!("the model answered `no`, and the row has `{what}`");
                facts.insert(fact, Answer { holds: Truth::Unknown, words });
            }
        }
    }

    /// Answers that cannot both be right leave both open; a vague word in what would be wrong leaves open whether it
    /// can be stated (Table 19, C2).
    fn contradictions(&self, facts: &mut BTreeMap<Fact, Answer>, failure: &str, refused: &mut Vec<String>) {
        let is_yes = |facts: &BTreeMap<Fact, Answer>, fact| {
            facts.get(&fact).is_some_and(|answer: &Answer| answer.holds == Truth::Yes)
        };
        let open = |why: &str| Answer { holds: Truth::Unknown, words: why.to_owned() };
        if !is_yes(facts, Fact::FailureStatable) {
            return;
        }
        if is_yes(facts, Fact::StandardUnwritten) {
            let why = "the model answered that nothing says what passing is, and that failing can be stated";
            refused.push(format!(
                "`{}` and `{}` cannot both hold",
                Fact::StandardUnwritten,
                Fact::FailureStatable
            ));
            for fact in [Fact::StandardUnwritten, Fact::FailureStatable] {
                facts.insert(fact, open(why));
            }
            return;
        }
        let words = tokens(failure);
        if let Some(range) = self.cues.facts.vague.find(&words) {
            let vague = covered(failure, &words, range);
            refused.push(format!(
                "`failure` needs the vague word `{vague}`, and `{}` is answered `yes`",
                Fact::FailureStatable
            ));
            facts
                .insert(Fact::FailureStatable, open(&format!("the model states the failure with `{vague}`")));
        }
    }

    /// What is said in a sentence, where it is about this row; else what code says in its place.
    fn own(
        &self,
        field: &str,
        said: &str,
        instead: String,
        shown: &Shown,
        refused: &mut Vec<String>,
    ) -> String {
        let is_foreign = |name: &&str| self.names.contains(&fold(name)) && !shown.has(name);
        let Some(foreign) = names(said).find(is_foreign) else { return said.trim().to_owned() };
        refused.push(format!(
            "`{field}` has the name `{foreign}`, which stands in another row and not in this one"
        ));
        instead
    }

    fn duplicates(
        &self,
        rule: &RuleId,
        answer: &RuleAnswer,
        refused: &mut Vec<String>,
    ) -> Vec<ProposedDuplicate> {
        let mut pairs: BTreeMap<RuleId, String> = BTreeMap::new();
        for pair in &answer.duplicates {
            let of: Option<RuleId> = pair.of.parse().ok();
            let why = match of {
                None => "which is no id",
                Some(of) if of == *rule => "which is the rule itself",
                Some(of) if !self.index.contains(&of) => "which is not in the index",
                Some(_) if pair.because.trim().is_empty() => "and does not say why",
                Some(of) => {
                    pairs.entry(of).or_insert_with(|| pair.because.trim().to_owned());
                    continue;
                }
            };
            refused.push(format!("`duplicates` names `{}`, {why}", pair.of));
        }
        pairs.into_iter().map(|(of, because)| ProposedDuplicate { of, because }).collect()
    }
}

/// Whether words use the name of a fact, which nobody but polc and those who write for it knows.
fn names_a_fact(words: &str) -> bool {
    let words = words.to_lowercase();
    Fact::SPELLINGS.iter().any(|name| name.contains('_') && words.contains(name))
}

/// Words that are only taken where they stand in the row.
fn standing(field: &str, words: Option<&str>, shown: &Shown, refused: &mut Vec<String>) -> Option<String> {
    let words = words.map(str::trim).filter(|words| !words.is_empty())?;
    if shown.has(words) {
        return Some(words.to_owned());
    }
    refused.push(format!("`{field}` gives words that do not stand in the row, `{words}`"));
    None
}

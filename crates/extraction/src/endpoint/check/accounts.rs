//! What became of every sentence that was asked about.

use super::{Account, Check, Complaint, Good, short};
use polc_records::ledger::SentencePart;
use polc_records::vocabulary::ModalLevel;
use std::collections::{BTreeMap, BTreeSet};

impl Check<'_> {
    /// Every sentence in exactly one place.
    pub(super) fn accounts(&mut self) {
        let mut claims: BTreeMap<usize, Vec<Account>> = BTreeMap::new();
        let answer = self.answer;
        for group in &answer.no_rule {
            for number in &group.sentences {
                self.claim(&mut claims, "no_rule", *number, Account::NoRule(group.reason));
            }
        }
        for restated in &answer.restates {
            match usize::try_from(restated.rule)
                .ok()
                .and_then(|rule| rule.checked_sub(1))
                .filter(|rule| *rule < answer.rules.len())
            {
                Some(rule) => self.claim(&mut claims, "restates", restated.sentence, Account::Restates(rule)),
                None => self.refuse(format!("`restates`: there is no rule {} in the answer", restated.rule)),
            }
        }
        // Sentences of a rule that is not taken are open, whatever else is said of them.
        let taken: BTreeSet<usize> = self.checked.good.iter().map(|good| good.index).collect();
        let refused: BTreeSet<usize> = (answer.rules.iter().enumerate())
            .filter(|(index, _)| !taken.contains(index))
            .flat_map(|(_, rule)| rule.sentences.iter().filter_map(|number| self.unit(*number)))
            .collect();
        for unit in self.passage.clone() {
            let claimed = claims.remove(&unit).unwrap_or_default();
            let ruled = self.ruled(unit);
            match (ruled, claimed.as_slice()) {
                (Some(ruled), others) => {
                    if let (Account::Rules(_, SentencePart::Quote | SentencePart::LeadIn), Some(_)) =
                        (&ruled, others.first())
                    {
                        self.refuse(format!("sentence {} is in a rule and in another place", unit + 1));
                    }
                    self.checked.accounts.insert(unit, ruled);
                }
                (None, [Account::Restates(rule)]) if !taken.contains(rule) => {}
                (None, [only]) if !refused.contains(&unit) => {
                    drop(self.checked.accounts.insert(unit, only.clone()))
                }
                (None, []) if refused.contains(&unit) => {}
                (None, []) => self.refuse(format!(
                    "sentence {} is in no place: {}",
                    unit + 1,
                    short(&self.text.units[unit].quote)
                )),
                (None, _) => self.refuse(format!("sentence {} is in several places", unit + 1)),
            }
        }
    }

    fn claim(
        &mut self,
        claims: &mut BTreeMap<usize, Vec<Account>>,
        field: &str,
        number: u32,
        account: Account,
    ) {
        let Some(unit) = self.unit(number) else {
            return self.refuse(format!("`{field}`: {}", self.not_asked(number)));
        };
        let claimed = claims.entry(unit).or_default();
        if !claimed.contains(&account) {
            claimed.push(account);
        }
    }

    /// What a sentence is for the rules that are taken.
    fn ruled(&self, unit: usize) -> Option<Account> {
        let of = |belongs: &dyn Fn(&Good) -> bool| -> BTreeSet<usize> {
            self.checked.good.iter().filter(|good| belongs(good)).map(|good| good.index).collect()
        };
        let parts = [
            (SentencePart::Quote, of(&|good| good.quoted.contains(&unit))),
            (SentencePart::LeadIn, of(&|good| good.lead_ins.contains(&unit))),
            (SentencePart::Context, of(&|good| good.context.iter().any(|(context, _)| *context == unit))),
        ];
        parts
            .into_iter()
            .find(|(_, rules)| !rules.is_empty())
            .map(|(part, rules)| Account::Rules(rules, part))
    }

    /// A sentence that obliges by its words alone is no rule only where the model stands by it, and not at all where
    /// the source speaks to models.
    pub(super) fn contested(&mut self) {
        for unit in self.passage.clone() {
            let Some(Account::NoRule(reason)) = self.checked.accounts.get(&unit) else { continue };
            // What nobody sees in a sentence takes nothing from what it says.
            if self.text.suspicions.is_said_to_a_model(&self.text.units[unit].quote) {
                continue;
            }
            let obliges =
                self.obligations(unit).into_iter().find(|obligation| obligation.modal != ModalLevel::Should);
            let Some(obligation) = obliges.filter(|_| !self.text.units[unit].heading) else { continue };
            let what = format!(
                "sentence {} is given as `{reason}`, and reads as a rule ({}): {}",
                unit + 1,
                obligation.found_by,
                short(&self.text.units[unit].quote)
            );
            if self.text.addressed {
                self.checked.contested.insert(unit, *reason);
                self.checked.accounts.remove(&unit);
                self.checked.complaints.push(Complaint::Contested(what));
            } else {
                self.checked.complaints.push(Complaint::Doubtful(what));
            }
        }
    }
}

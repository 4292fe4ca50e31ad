//! Labels that a person changed, laid over those that the tables decide.

use polc_records::corpus::Corpus;
use polc_records::decisions::{Decisions, Relabel};
use polc_records::ids::RuleId;
use polc_records::labels::Standing;
use std::fmt;

/// A label that a person changed from what the tables do not decide any more: somebody has to decide
/// again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsettled {
    /// The rule.
    pub rule: RuleId,
    /// What was changed.
    pub change: Relabel,
    /// From what it was changed to, to what the tables decide.
    pub decided: Relabel,
}

impl fmt::Display for Unsettled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{}: `{}` was changed by a person, and the tables decide otherwise now\n  changed from  {}\n  changed to    {}\n  decided now   {}",
            self.rule,
            self.change.label(),
            self.change.before(),
            self.change.after(),
            self.decided.after()
        )
    }
}

/// Applies to each row the changes that were recorded of its labels, in the order they were recorded. A
/// change holds where the row has what it was made from, and where the row has its outcome already.
/// Where neither is so, the label stays as the tables decide it, and is unsettled until a later change
/// holds.
pub fn relabel(corpus: &mut Corpus, decisions: &Decisions) -> Vec<Unsettled> {
    let mut all = Vec::new();
    for row in &mut corpus.rows {
        let mut open: Vec<&Relabel> = Vec::new();
        let rule = row.id.clone();
        for change in decisions.relabels(&rule) {
            open.retain(|earlier| earlier.label() != change.label());
            match change.standing(row) {
                Standing::Before => change.apply(row),
                Standing::After => {}
                Standing::Neither => open.push(change),
            }
        }
        all.extend(open.into_iter().map(|change| Unsettled {
            rule: rule.clone(),
            change: change.clone(),
            decided: change.onwards(row),
        }));
    }
    all
}

//! Triggering and compliance rate, always as a pair.

use polc_checker::Outcome;
use serde::{Deserialize, Serialize};

/// How many rules came to what, in one run or over several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Satisfied.
    pub satisfied: usize,
    /// Violated.
    pub violated: usize,
    /// Inapplicable.
    pub inapplicable: usize,
    /// Withheld: triggered, and left out of compliance.
    pub withheld: usize,
    /// Errors of ours: outside every rate.
    pub errors: usize,
}

impl Counts {
    /// Counts outcomes.
    pub fn of<'o>(outcomes: impl IntoIterator<Item = &'o Outcome>) -> Self {
        let mut counts = Counts::default();
        for outcome in outcomes {
            match outcome {
                Outcome::Satisfied => counts.satisfied += 1,
                Outcome::Violated => counts.violated += 1,
                Outcome::Inapplicable => counts.inapplicable += 1,
                Outcome::Withheld { .. } => counts.withheld += 1,
                Outcome::Error { .. } => counts.errors += 1,
            }
        }
        counts
    }

    /// Adds those of others.
    pub fn add(&mut self, others: Counts) {
        self.satisfied += others.satisfied;
        self.violated += others.violated;
        self.inapplicable += others.inapplicable;
        self.withheld += others.withheld;
        self.errors += others.errors;
    }

    /// All of them.
    pub fn all(&self) -> usize {
        self.triggered() + self.inapplicable + self.errors
    }

    /// Rules whose precondition selected something.
    pub fn triggered(&self) -> usize {
        self.satisfied + self.violated + self.withheld
    }

    /// Triggered rules over binding rules that could be graded. None where there are none.
    pub fn triggering_rate(&self) -> Option<f64> {
        ratio(self.triggered(), self.triggered() + self.inapplicable)
    }

    /// Satisfied rules over those that were graded. Where nothing was, there is no rate: not 0, not 1.
    pub fn compliance_rate(&self) -> Option<f64> {
        ratio(self.satisfied, self.satisfied + self.violated)
    }
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "counts of rules and runs are far below 2^52")]
    let rate = part as f64 / whole as f64;
    (whole > 0).then_some(rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_two_submissions() {
        // C.4: six triggered and six passed, against 24 triggered and 23 passed.
        let small = Counts { satisfied: 6, inapplicable: 94, ..Counts::default() };
        let large = Counts { satisfied: 23, violated: 1, inapplicable: 76, ..Counts::default() };
        assert_eq!((small.triggered(), small.compliance_rate()), (6, Some(1.0)));
        assert_eq!(
            (large.triggered(), large.compliance_rate().map(|rate| (rate * 100.0).round())),
            (24, Some(96.0))
        );
    }

    #[test]
    fn withheld_triggers_and_does_not_comply_and_errors_are_outside() {
        let counts = Counts { satisfied: 1, violated: 1, withheld: 2, inapplicable: 4, errors: 7 };
        assert_eq!(counts.triggering_rate(), Some(0.5));
        assert_eq!(counts.compliance_rate(), Some(0.5));
        let nothing = Counts { withheld: 1, ..Counts::default() };
        assert_eq!(nothing.compliance_rate(), None);
        assert_eq!(Counts::default().triggering_rate(), None);
    }
}

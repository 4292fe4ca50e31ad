//! The automated pass: what a model is asked for of one checker, by the criteria that raters go by.
//!
//! What comes of it is kept apart and stands beside the raters' figures for comparison. No figure of an audit rests on
//! it.

use polc_records::audit::{RatedFault, Rating};
use polc_records::vocabulary::{Criterion, Exactness, Met};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a model answers of a checker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewAnswer {
    /// Whether the code encodes the rule, neither more strictly nor more loosely than the quoted sentence.
    pub c1: YesNo,
    /// Whether the precondition selects what the rule applies to.
    pub c2: YesNo,
    /// Whether the post-condition fires on the violating cases and is silent on the satisfying ones.
    pub c3: YesNo,
    /// Whether the check decides its rule or a trace of it.
    pub c4: ExactOrNot,
    /// The verdict.
    pub verdict: AcceptReject,
    /// The criterion that fails, where it is rejected.
    pub failing: Option<FailingCriterion>,
    /// The fault where it is rejected, else why it is accepted: one line.
    pub reasoning: String,
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum YesNo {
    /// The criterion is met.
    Yes,
    /// It is not, or it cannot be settled.
    No,
}

/// Exact or approximate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExactOrNot {
    /// It decides its rule.
    Exact,
    /// It decides a trace of it.
    Approximate,
}

/// Accept or reject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AcceptReject {
    /// It is right.
    Accept,
    /// It is not, or that cannot be settled.
    Reject,
}

/// The criterion that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum FailingCriterion {
    /// The code encodes another rule.
    C1,
    /// The precondition.
    C2,
    /// The post-condition.
    C3,
    /// Exact or approximate.
    C4,
}

impl From<YesNo> for Met {
    fn from(answer: YesNo) -> Met {
        match answer {
            YesNo::Yes => Met::Yes,
            YesNo::No => Met::No,
        }
    }
}

impl ReviewAnswer {
    /// The answer as a rating.
    ///
    /// # Errors
    /// What contradicts itself in it, in words for the model.
    pub fn rating(&self) -> Result<Rating, Vec<String>> {
        let fault = match (self.verdict, self.failing) {
            (AcceptReject::Accept, None) => None,
            (AcceptReject::Reject, Some(failing)) => {
                let criterion = match failing {
                    FailingCriterion::C1 => Criterion::Encodes,
                    FailingCriterion::C2 => Criterion::Precondition,
                    FailingCriterion::C3 => Criterion::Postcondition,
                    FailingCriterion::C4 => Criterion::Exactness,
                };
                Some(RatedFault { criterion, what: self.reasoning.trim().to_owned() })
            }
            (AcceptReject::Accept, Some(_)) => {
                return Err(vec!["it is accepted, and `failing` names a criterion".to_owned()]);
            }
            (AcceptReject::Reject, None) => {
                return Err(vec!["it is rejected, and `failing` names no criterion".to_owned()]);
            }
        };
        let rating = Rating {
            encodes: self.c1.into(),
            precondition: self.c2.into(),
            postcondition: self.c3.into(),
            exactness: match self.c4 {
                ExactOrNot::Exact => Exactness::Exact,
                ExactOrNot::Approximate => Exactness::Approximate,
            },
            fault,
        };
        let mut faults = rating.contradictions();
        if self.reasoning.trim().is_empty() {
            faults.push("`reasoning` is empty".to_owned());
        }
        if faults.is_empty() { Ok(rating) } else { Err(faults) }
    }
}

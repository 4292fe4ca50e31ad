//! The labels of a classified row that a person may change, and what became of them.

use crate::corpus::{CorpusRow, Reasoning, Verdict};
use crate::decisions::{Change, Relabel};
use crate::ids::RuleId;
use crate::vocabulary::EvidenceType;

/// How a row stands to a change of one of its labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It has what the label was before.
    Before,
    /// It has what the label was changed to.
    After,
    /// It has neither.
    Neither,
}

/// Does the same with whichever label a relabel is about: with its change, and with that field of a row.
macro_rules! with_field {
    ($relabel:expr, |$change:ident, $field:ident| $body:expr, $($row:tt)+) => {
        match $relabel {
            Relabel::Evidence($change) => { let $field = $($row)+.evidence; $body }
            Relabel::Verdict($change) => { let $field = $($row)+.verdict; $body }
            Relabel::Reasoning($change) => { let $field = $($row)+.reasoning; $body }
            Relabel::AutoFix($change) => { let $field = $($row)+.auto_fix; $body }
            Relabel::Conflict($change) => { let $field = $($row)+.conflict; $body }
            Relabel::LowConfidence($change) => { let $field = $($row)+.low_confidence; $body }
        }
    };
}

impl Relabel {
    /// Every label on which two versions of a row differ, from the one to the other.
    pub fn between(from: &CorpusRow, to: &CorpusRow) -> Vec<Relabel> {
        let changes = [
            change(&from.evidence, &to.evidence).map(Relabel::Evidence),
            change(&from.verdict, &to.verdict).map(Relabel::Verdict),
            change(&from.reasoning, &to.reasoning).map(Relabel::Reasoning),
            change(&from.auto_fix, &to.auto_fix).map(Relabel::AutoFix),
            change(&from.conflict, &to.conflict).map(Relabel::Conflict),
            change(&from.low_confidence, &to.low_confidence).map(Relabel::LowConfidence),
        ];
        changes.into_iter().flatten().collect()
    }

    /// How a row stands to the change.
    pub fn standing(&self, row: &CorpusRow) -> Standing {
        with_field!(self, |change, field| standing(change, field), &row)
    }

    /// Gives a row the label that it was changed to.
    pub fn apply(&self, row: &mut CorpusRow) {
        with_field!(self, |change, field| field.clone_from(&change.to), &mut row);
    }

    /// The column or the field of `Notes` that the label stands in.
    pub const fn label(&self) -> &'static str {
        match self {
            Relabel::Evidence(_) => "Evidence Type",
            Relabel::Verdict(_) => "scope and level",
            Relabel::Reasoning(_) => "Quote, Context and Conclusion",
            Relabel::AutoFix(_) => "Auto-fix",
            Relabel::Conflict(_) => "Conflict",
            Relabel::LowConfidence(_) => "Low confidence",
        }
    }

    /// What it was, in words.
    pub fn before(&self) -> String {
        match self {
            Relabel::Evidence(change) => change.from.words(),
            Relabel::Verdict(change) => change.from.words(),
            Relabel::Reasoning(change) => change.from.words(),
            Relabel::AutoFix(change) | Relabel::LowConfidence(change) => change.from.words(),
            Relabel::Conflict(change) => change.from.words(),
        }
    }

    /// What it was changed to, in words.
    pub fn after(&self) -> String {
        match self {
            Relabel::Evidence(change) => change.to.words(),
            Relabel::Verdict(change) => change.to.words(),
            Relabel::Reasoning(change) => change.to.words(),
            Relabel::AutoFix(change) | Relabel::LowConfidence(change) => change.to.words(),
            Relabel::Conflict(change) => change.to.words(),
        }
    }

    /// What a row has there, in words.
    pub fn words_of(&self, row: &CorpusRow) -> String {
        with_field!(self, |_change, field| field.words(), &row)
    }

    /// The change from what this one ended with to what a row has.
    #[must_use]
    pub fn onwards(&self, row: &CorpusRow) -> Relabel {
        let mut from = row.clone();
        self.apply(&mut from);
        Relabel::between(&from, row).pop().unwrap_or_else(|| self.clone())
    }
}

fn change<T: Clone + PartialEq>(from: &T, to: &T) -> Option<Change<T>> {
    (from != to).then(|| Change { from: from.clone(), to: to.clone() })
}

fn standing<T: PartialEq>(change: &Change<T>, value: &T) -> Standing {
    if *value == change.to {
        Standing::After
    } else if *value == change.from {
        Standing::Before
    } else {
        Standing::Neither
    }
}

/// A label in words, for whoever has to decide between two of them.
trait Words {
    fn words(&self) -> String;
}

impl Words for EvidenceType {
    fn words(&self) -> String {
        self.to_string()
    }
}

impl Words for Verdict {
    fn words(&self) -> String {
        let also = |names: Vec<&str>| {
            if names.is_empty() { String::new() } else { format!(", also {}", names.join(", ")) }
        };
        match self {
            Verdict::InScope { route, also: others } => {
                let others = others.iter().map(|route| route.as_str()).collect();
                format!("in scope, {} by {route}{}", route.level(), also(others))
            }
            Verdict::OutOfScope { route, also: others } => {
                let others = others.iter().map(|route| route.as_str()).collect();
                format!("out of scope, {route}{}", also(others))
            }
        }
    }
}

impl Words for Reasoning {
    fn words(&self) -> String {
        format!("\"{}\" | {} | {}", self.quote, self.context, self.conclusion)
    }
}

impl Words for Option<String> {
    fn words(&self) -> String {
        self.clone().unwrap_or_else(|| NOTHING.to_owned())
    }
}

impl Words for Option<RuleId> {
    fn words(&self) -> String {
        self.as_ref().map_or_else(|| NOTHING.to_owned(), RuleId::to_string)
    }
}

const NOTHING: &str = "nothing";

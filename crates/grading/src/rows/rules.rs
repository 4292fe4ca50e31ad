//! From what a crate of checkers says of a run to its rows.

use super::{GradeHead, ListPart, MOST_TARGETS, OutcomeName, Row, RowTarget, SCHEMA, Status, Versions};
use crate::check::{BindingRule, NO_CHECKER, NO_RULE, another_text};
use polc_checker::evidence::{Absence, Run};
use polc_checker::executable::{CheckerDescription, Description, OutcomeRow};
use polc_checker::outcome::{Fault, Graded, Outcome};
use polc_records::Digest;
use polc_records::ids::RuleId;
use polc_records::vocabulary::{Category, EvidenceType};

/// What a row says of its rule, whatever the run.
#[derive(Debug, Clone)]
struct RuleColumns {
    rule: String,
    category: Option<Category>,
    evidence_type: Option<EvidenceType>,
    auto_fix: bool,
    low_confidence: bool,
    /// Why no outcome of its checker is believed.
    fault: Option<(Status, String)>,
}

/// The rules that every run is graded by.
#[derive(Debug, Clone)]
pub struct Rules {
    columns: Vec<RuleColumns>,
    versions: Versions,
}

impl Rules {
    /// Every binding rule of a corpus, and every checker that has none: in the order of the ids.
    pub fn new(rules: &[BindingRule<'_>], description: &Description, checkers: Digest) -> Self {
        let checker_of = |id: &str| description.checkers.iter().find(|checker| checker.rule == id);
        let mut columns: Vec<RuleColumns> =
            rules.iter().map(|rule| bound(rule, checker_of(&rule.row.id.to_string()))).collect();
        for checker in &description.checkers {
            if columns.iter().all(|column| column.rule != checker.rule) {
                columns.push(unbound(checker));
            }
        }
        columns.sort_by_cached_key(|column| (column.rule.parse::<RuleId>().ok(), column.rule.clone()));
        let versions = Versions {
            corpus: description.corpus.clone(),
            checkers: checkers.to_string(),
            runtime: description.runtime.clone(),
        };
        Rules { columns, versions }
    }

    /// The first line of a file of rows.
    pub fn head(&self, project: &str, part: ListPart) -> GradeHead {
        GradeHead {
            schema: SCHEMA,
            project: project.to_owned(),
            rules: self.columns.len(),
            versions: self.versions.clone(),
            part: (part != ListPart::WHOLE).then_some(part),
        }
    }

    /// The rows of one run.
    pub fn rows(&self, ordinal: u64, run: &Run, outcomes: &[OutcomeRow]) -> Vec<Row> {
        self.columns
            .iter()
            .map(|columns| {
                let outcome = outcomes.iter().find(|outcome| outcome.rule == columns.rule);
                self.row(ordinal, run, columns, outcome)
            })
            .collect()
    }

    fn row(&self, ordinal: u64, run: &Run, columns: &RuleColumns, outcome: Option<&OutcomeRow>) -> Row {
        let nothing = Graded::without_targets(Outcome::Inapplicable);
        let graded = outcome.map_or(&nothing, |outcome| &outcome.graded);
        let unwritten = matches!(graded.outcome, Outcome::Error { kind: Fault::Unwritten, .. });
        let (name, status, reason) = match (&columns.fault, outcome) {
            // A stub is a stub, whatever text it was rendered for.
            (Some((status, message)), _) if !unwritten => {
                (OutcomeName::Error, *status, Some(message.clone()))
            }
            (_, None) => (OutcomeName::Error, Status::NoChecker, Some(NO_CHECKER.to_owned())),
            _ => said(graded),
        };
        let graded = if name == OutcomeName::Error { &nothing } else { graded };
        Row {
            ordinal,
            run: run.id.clone(),
            project: run.project.clone(),
            instance: run.instance.clone(),
            model: run.model.clone(),
            scaffold: run.scaffold.clone(),
            setting: run.setting,
            attempt: run.attempt,
            rule: columns.rule.clone(),
            category: columns.category,
            evidence_type: columns.evidence_type,
            exact: outcome.map(|outcome| outcome.exact),
            human_in_the_loop: outcome.is_some_and(|outcome| outcome.human_in_the_loop),
            auto_fix: columns.auto_fix,
            low_confidence: columns.low_confidence,
            outcome: name,
            status,
            selected: graded.selected,
            judged: graded.judged,
            violating: graded.violating,
            targets: targets(graded),
            reason,
            corpus: self.versions.corpus.clone(),
            checkers: self.versions.checkers.clone(),
            runtime: self.versions.runtime.clone(),
        }
    }
}

fn bound(rule: &BindingRule<'_>, checker: Option<&CheckerDescription>) -> RuleColumns {
    let fault = match checker {
        None => Some((Status::NoChecker, NO_CHECKER.to_owned())),
        Some(checker) if checker.written_for != rule.digest.to_string() => {
            Some((Status::AnotherText, another_text(rule, checker)))
        }
        Some(_) => None,
    };
    RuleColumns {
        rule: rule.row.id.to_string(),
        category: Some(rule.row.category),
        evidence_type: Some(rule.row.evidence),
        auto_fix: rule.row.auto_fix.is_some(),
        low_confidence: rule.row.low_confidence.is_some(),
        fault,
    }
}

fn unbound(checker: &CheckerDescription) -> RuleColumns {
    RuleColumns {
        rule: checker.rule.clone(),
        category: None,
        evidence_type: None,
        auto_fix: false,
        low_confidence: false,
        fault: Some((Status::NoRule, NO_RULE.to_owned())),
    }
}

/// The name of an outcome, how far it goes, and why.
fn said(graded: &Graded) -> (OutcomeName, Status, Option<String>) {
    let whole = if graded.judged == graded.selected { Status::Ok } else { Status::Partly };
    match &graded.outcome {
        Outcome::Satisfied => (OutcomeName::Satisfied, whole, None),
        Outcome::Violated => {
            let first = graded.violations.first().map(|violation| violation.reason.clone());
            (OutcomeName::Violated, whole, first)
        }
        Outcome::Inapplicable => (OutcomeName::Inapplicable, Status::Ok, None),
        Outcome::Withheld { what, cause } => {
            let status = match cause {
                Absence::NotCarried => Status::NotCarried,
                Absence::NotInThisRun => Status::NotInThisRun,
                Absence::NotParseable => Status::NotParseable,
            };
            (OutcomeName::Withheld, status, Some(format!("{what} is {}", cause.as_str())))
        }
        Outcome::Error { kind, message } => {
            let status = match kind {
                Fault::Unwritten => Status::Unwritten,
                Fault::Panic => Status::Panic,
                Fault::UndeclaredRead => Status::UndeclaredRead,
                Fault::NotOwned => Status::NotOwned,
                Fault::Forged => Status::Forged,
                Fault::Died => Status::Died,
                Fault::TimedOut => Status::TimedOut,
            };
            (OutcomeName::Error, status, Some(message.clone()))
        }
    }
}

fn targets(graded: &Graded) -> Vec<RowTarget> {
    let violating = graded.violations.iter().map(|violation| RowTarget {
        place: violation.place.clone(),
        snippet: violation.snippet.clone(),
        reason: Some(violation.reason.clone()),
    });
    let others = graded.seen.iter().map(|seen| RowTarget {
        place: seen.place.clone(),
        snippet: seen.snippet.clone(),
        reason: None,
    });
    violating.chain(others).take(MOST_TARGETS).collect()
}

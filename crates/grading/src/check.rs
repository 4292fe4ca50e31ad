//! The verdict on one contribution: what was violated, and which documented sentence says so.

use crate::metrics::Counts;
use polc_checker::Outcome;
use polc_checker::executable::{CheckerDescription, OutcomeRow};
use polc_checker::outcome::{Fault, Violation};
use polc_records::Digest;
use polc_records::corpus::CorpusRow;
use polc_records::waivers::Waiver;
use serde::Serialize;

/// Which violations fail a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailOn {
    /// Those of exact checkers.
    #[default]
    Exact,
    /// Those of approximate ones too.
    All,
    /// None.
    None,
}

/// How a check is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CheckOptions {
    /// Which violations fail it.
    pub fail_on: FailOn,
    /// Whether rules for a person can fail it.
    pub include_human: bool,
    /// Whether stubs leave it complete.
    pub allow_stubs: bool,
}

/// A binding rule, as the corpus has it.
#[derive(Debug, Clone, Copy)]
pub struct BindingRule<'c> {
    /// Its row.
    pub row: &'c CorpusRow,
    /// The digest of what its checker has to be written for.
    pub digest: Digest,
    /// The waiver that holds for it now.
    pub waiver: Option<&'c Waiver>,
}

/// A crate of checkers on one run.
#[derive(Debug, Clone, Copy)]
pub struct PackOutcomes<'p> {
    /// What each checker says of itself.
    pub checkers: &'p [CheckerDescription],
    /// What each came to.
    pub rows: &'p [OutcomeRow],
}

/// A rule that is violated, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule.
    pub rule: String,
    /// Its category.
    pub category: &'static str,
    /// The documented sentence.
    pub sentence: String,
    /// Where it can be read.
    pub link: String,
    /// The section it stands in.
    pub section: String,
    /// Whether the checker decides its rule directly.
    pub exact: bool,
    /// Whether the rule needs a person in the loop.
    pub human_in_the_loop: bool,
    /// Whether it fails the check.
    pub fails: bool,
    /// The waiver that keeps it from failing the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waived: Option<Waiver>,
    /// How many targets violate it.
    pub violating: usize,
    /// Each of them: where, what stands there, and why, for the contributor.
    pub places: Vec<Violation>,
}

/// Why a rule could not be graded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Its checker is not written.
    Stub,
    /// Its checker is written for another text of the rule.
    AnotherText,
    /// The crate has no checker for it.
    NoChecker,
    /// There is a checker, but no rule of the corpus that binds.
    NoRule,
    /// Its checker failed.
    Fault,
}

/// A rule that could not be graded, by a fault of ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ungraded {
    /// The rule.
    pub rule: String,
    /// Why.
    pub cause: Cause,
    /// What happened, and what to do.
    pub message: String,
}

/// A rule whose verdict is withheld.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Withheld {
    /// The rule.
    pub rule: String,
    /// What was not there.
    pub what: String,
    /// Why.
    pub cause: &'static str,
}

/// What a check came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckVerdict {
    /// Every rule was graded, and nothing that fails the check was found.
    Passed,
    /// Every rule was graded, and something was found.
    Failed,
    /// A rule could not be graded, whatever was found on the others.
    Incomplete,
}

/// The report on one contribution.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckReport {
    /// Schema version.
    pub schema: u32,
    /// The project.
    pub project: String,
    /// The run.
    pub run: String,
    /// What it came to.
    pub verdict: CheckVerdict,
    /// How many rules came to what.
    pub counts: Counts,
    /// Triggered over graded rules.
    pub triggering_rate: Option<f64>,
    /// Satisfied over judged rules.
    pub compliance_rate: Option<f64>,
    /// Violated rules, those that fail the check first.
    pub findings: Vec<Finding>,
    /// Verdicts withheld.
    pub withheld: Vec<Withheld>,
    /// Rules that could not be graded.
    pub ungraded: Vec<Ungraded>,
}

/// The version of the report's fields.
const SCHEMA: u32 = 3;

/// Judges one run: every binding rule of a project, by the outcome of its checker.
pub fn report(
    project: &str,
    rules: &[BindingRule<'_>],
    pack: PackOutcomes<'_>,
    options: CheckOptions,
) -> CheckReport {
    let mut graded: Vec<(&BindingRule<'_>, &OutcomeRow)> = Vec::new();
    let mut ungraded = Vec::new();
    for rule in rules {
        match outcome_of(rule, pack) {
            Ok(row) => graded.push((rule, row)),
            Err((cause, message)) => {
                ungraded.push(Ungraded { rule: rule.row.id.to_string(), cause, message });
            }
        }
    }
    let binds = |row: &OutcomeRow| rules.iter().any(|rule| rule.row.id.to_string() == row.rule);
    ungraded.extend(pack.rows.iter().filter(|row| !binds(row)).map(|row| Ungraded {
        rule: row.rule.clone(),
        cause: Cause::NoRule,
        message: NO_RULE.to_owned(),
    }));
    let mut findings: Vec<Finding> = graded
        .iter()
        .filter(|(_, row)| row.graded.outcome == Outcome::Violated)
        .map(|(rule, row)| finding(rule, row, options))
        .collect();
    findings.sort_by_key(|finding| !finding.fails);
    let complete = ungraded.iter().all(|rule| options.allow_stubs && rule.cause == Cause::Stub);
    let verdict = match (complete, findings.iter().any(|finding| finding.fails)) {
        (false, _) => CheckVerdict::Incomplete,
        (true, true) => CheckVerdict::Failed,
        (true, false) => CheckVerdict::Passed,
    };
    let counts =
        Counts { errors: ungraded.len(), ..Counts::of(graded.iter().map(|(_, row)| &row.graded.outcome)) };
    CheckReport {
        schema: SCHEMA,
        project: project.to_owned(),
        run: pack.rows.first().map_or(String::new(), |row| row.run.clone()),
        verdict,
        triggering_rate: counts.triggering_rate(),
        compliance_rate: counts.compliance_rate(),
        counts,
        findings,
        withheld: graded.iter().filter_map(|(_, row)| withheld(row)).collect(),
        ungraded,
    }
}

/// What a rule came to, or why it could not be graded.
fn outcome_of<'p>(rule: &BindingRule<'_>, pack: PackOutcomes<'p>) -> Result<&'p OutcomeRow, (Cause, String)> {
    let id = rule.row.id.to_string();
    let checker = pack.checkers.iter().find(|checker| checker.rule == id);
    let row = pack.rows.iter().find(|row| row.rule == id);
    let (Some(checker), Some(row)) = (checker, row) else {
        return Err((Cause::NoChecker, NO_CHECKER.to_owned()));
    };
    match &row.graded.outcome {
        Outcome::Error { kind: Fault::Unwritten, message } => Err((Cause::Stub, message.clone())),
        _ if checker.written_for != rule.digest.to_string() => {
            Err((Cause::AnotherText, another_text(rule, checker)))
        }
        Outcome::Error { message, .. } => Err((Cause::Fault, message.clone())),
        Outcome::Satisfied | Outcome::Violated | Outcome::Inapplicable | Outcome::Withheld { .. } => Ok(row),
    }
}

pub(crate) const NO_CHECKER: &str = "the crate of checkers has none for it";

pub(crate) const NO_RULE: &str = "it has a checker, but no rule of the corpus binds by this id";

pub(crate) fn another_text(rule: &BindingRule<'_>, checker: &CheckerDescription) -> String {
    format!(
        "its checker is written for another text, {}; the rule is now {}: read both again, correct checker and \
         cases, and put the digest of the rule into the declaration",
        checker.written_for, rule.digest
    )
}

fn withheld(row: &OutcomeRow) -> Option<Withheld> {
    let Outcome::Withheld { what, cause } = &row.graded.outcome else { return None };
    Some(Withheld { rule: row.rule.clone(), what: what.clone(), cause: cause.as_str() })
}

fn finding(rule: &BindingRule<'_>, row: &OutcomeRow, options: CheckOptions) -> Finding {
    let by_exactness = match options.fail_on {
        FailOn::Exact => row.exact,
        FailOn::All => true,
        FailOn::None => false,
    };
    let of = rule.row;
    Finding {
        rule: row.rule.clone(),
        category: of.category.as_str(),
        sentence: of.original.clone(),
        link: of.source.url.clone(),
        section: of.source.section.to_string(),
        exact: row.exact,
        human_in_the_loop: row.human_in_the_loop,
        fails: by_exactness && rule.waiver.is_none() && (options.include_human || !row.human_in_the_loop),
        waived: rule.waiver.cloned(),
        violating: row.graded.violating,
        places: row.graded.violations.clone(),
    }
}

//! The verdict on one contribution: what was violated, and which documented sentence says so.

use crate::metrics::Counts;
use polc_checker::Outcome;
use polc_checker::executable::OutcomeRow;
use polc_checker::outcome::Fault;
use polc_checker::target::Place;
use polc_records::corpus::Corpus;
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
pub struct Policy {
    /// Which violations fail it.
    pub fail_on: FailOn,
    /// Whether rules for a person can fail it.
    pub include_human: bool,
    /// Whether stubs leave it complete.
    pub allow_stubs: bool,
}

/// A place at which a rule is violated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule.
    pub rule: String,
    /// Its category.
    pub category: &'static str,
    /// Where.
    pub place: Place,
    /// What stands there.
    pub snippet: String,
    /// Why, for the contributor.
    pub reason: String,
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
}

/// A rule that could not be graded, by a fault of ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ungraded {
    /// The rule.
    pub rule: String,
    /// Whether its checker is a stub.
    pub is_stub: bool,
    /// What happened.
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
pub enum Verdict {
    /// Nothing that fails it was found.
    Clean,
    /// Something was.
    Violated,
    /// Nothing was, but a rule could not be graded.
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
    pub verdict: Verdict,
    /// How many rules came to what.
    pub counts: Counts,
    /// Triggered over graded rules.
    pub triggering_rate: Option<f64>,
    /// Satisfied over judged rules.
    pub compliance_rate: Option<f64>,
    /// Violations, those that fail the check first.
    pub findings: Vec<Finding>,
    /// Verdicts withheld.
    pub withheld: Vec<Withheld>,
    /// Faults of ours.
    pub ungraded: Vec<Ungraded>,
}

/// Judges the outcome rows of one run.
pub fn report(corpus: &Corpus, project: &str, rows: &[OutcomeRow], policy: Policy) -> CheckReport {
    let counts = Counts::of(rows.iter().map(|row| &row.graded.outcome));
    let mut findings = Vec::new();
    let mut withheld = Vec::new();
    let mut ungraded = Vec::new();
    for row in rows {
        match &row.graded.outcome {
            Outcome::Violated => findings.extend(findings_of(corpus, row, policy)),
            Outcome::Withheld { what, cause } => {
                withheld.push(Withheld { rule: row.rule.clone(), what: what.clone(), cause: cause.as_str() });
            }
            Outcome::Error { kind, message } => ungraded.push(Ungraded {
                rule: row.rule.clone(),
                is_stub: *kind == Fault::Unwritten,
                message: message.clone(),
            }),
            Outcome::Satisfied | Outcome::Inapplicable => {}
        }
    }
    findings.sort_by_key(|finding: &Finding| !finding.fails);
    let failed = findings.iter().any(|finding| finding.fails);
    let incomplete = ungraded.iter().any(|ungraded| !(policy.allow_stubs && ungraded.is_stub));
    let verdict = match (failed, incomplete) {
        (true, _) => Verdict::Violated,
        (false, true) => Verdict::Incomplete,
        (false, false) => Verdict::Clean,
    };
    CheckReport {
        schema: 1,
        project: project.to_owned(),
        run: rows.first().map_or(String::new(), |row| row.run.clone()),
        verdict,
        triggering_rate: counts.triggering_rate(),
        compliance_rate: counts.compliance_rate(),
        counts,
        findings,
        withheld,
        ungraded,
    }
}

fn findings_of(corpus: &Corpus, row: &OutcomeRow, policy: Policy) -> Vec<Finding> {
    let rule = corpus.rows.iter().find(|rule| rule.id.to_string() == row.rule);
    let by_exactness = match policy.fail_on {
        FailOn::Exact => row.exact,
        FailOn::All => true,
        FailOn::None => false,
    };
    let fails = by_exactness && (policy.include_human || !row.human_in_the_loop);
    row.graded
        .violations
        .iter()
        .map(|violation| Finding {
            rule: row.rule.clone(),
            category: rule.map_or("", |rule| rule.category.as_str()),
            place: violation.place.clone(),
            snippet: violation.snippet.clone(),
            reason: violation.reason.clone(),
            sentence: rule.map_or(String::new(), |rule| rule.original.clone()),
            link: rule.map_or(String::new(), |rule| rule.source.url.clone()),
            section: rule.map_or(String::new(), |rule| rule.source.section.to_string()),
            exact: row.exact,
            human_in_the_loop: row.human_in_the_loop,
            fails,
        })
        .collect()
}

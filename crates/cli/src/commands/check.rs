//! `check`: one contribution, here and now.

use crate::arguments::{Check, FailOnName, Format};
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::compile::{Contribution, check};
use polc_checker::target::Place;
use polc_evidence::range::pull_request_text;
use polc_grading::check::{CheckReport, FailOn, Finding, Policy, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) fn run(session: &Session, given: &Check) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.project(&root, &given.slug)?;
    let pull_request = given.pr_text.as_deref().map(pull_request_text).transpose()?;
    let policy = Policy {
        fail_on: match given.fail_on {
            FailOnName::Exact => FailOn::Exact,
            FailOnName::All => FailOn::All,
            FailOnName::None => FailOn::None,
        },
        include_human: given.include_human,
        allow_stubs: given.allow_stubs,
    };
    let contribution =
        Contribution { base: &given.base, head: &given.head, pull_request: pull_request.as_ref() };
    session.tell(format!("building the checkers of {} …", given.slug));
    let report = check(&root, &project, contribution, policy)?;
    if session.json || given.format == Format::Json {
        session.print_json(&report)?;
    } else {
        session.print(human(&report, PLACES))?;
    }
    Ok(match report.verdict {
        Verdict::Clean => Exit::Done,
        Verdict::Violated => Exit::Found,
        Verdict::Incomplete => Exit::Failed,
    })
}

/// How many places of one rule the report for people lists; `--json` has them all.
const PLACES: usize = 20;

/// The report for people: rule by rule, each with at most this many places.
pub(crate) fn human(report: &CheckReport, places: usize) -> String {
    let mut text = String::new();
    for findings in report.findings.chunk_by(|one, next| one.rule == next.rule) {
        text.push_str(&one_rule(findings, places));
    }
    let rate = |rate: Option<f64>| rate.map_or("none".to_owned(), |rate| format!("{:.1} %", rate * 100.0));
    let counts = report.counts;
    // Writing to a string cannot fail.
    let _written = writeln!(
        text,
        "{}: {} satisfied, {} violated, {} withheld, {} inapplicable; triggering rate {}, compliance rate {}",
        report.project,
        counts.satisfied,
        counts.violated,
        counts.withheld,
        counts.inapplicable,
        rate(report.triggering_rate),
        rate(report.compliance_rate)
    );
    let mut withheld: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for one in &report.withheld {
        withheld.entry(format!("{} is {}", one.what, one.cause)).or_default().push(&one.rule);
    }
    for (cause, rules) in withheld {
        let _written = writeln!(text, "withheld, {cause}: {}", rules.join(", "));
    }
    let stubs: Vec<&str> =
        report.ungraded.iter().filter(|rule| rule.is_stub).map(|rule| rule.rule.as_str()).collect();
    if !stubs.is_empty() {
        let _written =
            writeln!(text, "not graded, {} not written: {}", count(stubs.len(), "checker"), stubs.join(", "));
    }
    for rule in report.ungraded.iter().filter(|rule| !rule.is_stub) {
        let _written = writeln!(text, "not graded {}: {}", rule.rule, rule.message);
    }
    text
}

/// What was found on one rule: the documented sentence, the places, the link.
fn one_rule(findings: &[Finding], places: usize) -> String {
    let Some(first) = findings.first() else { return String::new() };
    let severity = if first.fails { "violated" } else { "noted" };
    let kind = match (first.exact, first.human_in_the_loop) {
        (_, true) => " (for a person)",
        (true, false) => "",
        (false, false) => " (approximate)",
    };
    let sentence = first.sentence.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = format!("{severity} {}{kind}: {sentence}\n", first.rule);
    for finding in findings.iter().take(places) {
        let _written = writeln!(text, "  {}: {}", shown(&finding.place), finding.reason);
        if !finding.snippet.is_empty() && !matches!(finding.place, Place::File { .. }) {
            let _written = writeln!(text, "    | {}", finding.snippet.trim_end());
        }
    }
    if findings.len() > places {
        let _written =
            writeln!(text, "  and {}; --json has them all", count(findings.len() - places, "other place"));
    }
    let _written = writeln!(text, "  documented at {} ({})", first.link, first.section);
    text
}

fn shown(place: &Place) -> String {
    match place {
        Place::Commit { id } => format!("commit {}", id.get(..12).unwrap_or(id)),
        Place::File { path } => path.clone(),
        Place::Lines { path, first, last } if first == last => format!("{path}:{first}"),
        Place::Lines { path, first, last } => format!("{path}:{first}-{last}"),
        Place::PullRequest => "pull request".to_owned(),
        Place::Contribution => "contribution".to_owned(),
    }
}

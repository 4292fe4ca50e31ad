//! `check`: one contribution, here and now.

use crate::arguments::{CheckArguments, FailOnName, ReportFormat};
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::compile::{Contribution, check};
use polc_checker::target::Place;
use polc_evidence::range::pull_request_text;
use polc_grading::check::{Cause, CheckOptions, CheckReport, CheckVerdict, FailOn, Finding, Ungraded};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) fn run(session: &Session, given: &CheckArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.project(&root, &given.slug)?;
    let pull_request = given.pr_text.as_deref().map(pull_request_text).transpose()?;
    let options = CheckOptions {
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
    let report = check(session, &root, &project, contribution, options)?;
    if session.json || given.format == ReportFormat::Json {
        session.print_json(&report)?;
    } else {
        session.print(human(&report, PLACES))?;
    }
    Ok(match report.verdict {
        CheckVerdict::Passed => Exit::Done,
        CheckVerdict::Failed => Exit::Found,
        CheckVerdict::Incomplete => Exit::Failed,
    })
}

/// How many places of one rule the report for people lists.
const PLACES: usize = 20;

/// The report for people: rule by rule, each with at most this many places.
pub(crate) fn human(report: &CheckReport, places: usize) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        text.push_str(&one_rule(finding, places));
    }
    let rate = |rate: Option<f64>| rate.map_or("none".to_owned(), |rate| format!("{:.1} %", rate * 100.0));
    let counts = report.counts;
    // Writing to a string cannot fail.
    let _written = writeln!(
        text,
        "{}: {} satisfied, {} violated, {} withheld, {} inapplicable, {} not graded; triggering rate {}, \
         compliance rate {}",
        report.project,
        counts.satisfied,
        counts.violated,
        counts.withheld,
        counts.inapplicable,
        counts.errors,
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
    text.push_str(&not_graded(report));
    text
}

/// The rules that could not be graded: named together where there is nothing to say of each.
fn not_graded(report: &CheckReport) -> String {
    let of = |cause: Cause| report.ungraded.iter().filter(move |rule| rule.cause == cause);
    let named =
        |rules: &[&Ungraded]| rules.iter().map(|rule| rule.rule.as_str()).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    let stubs: Vec<&Ungraded> = of(Cause::Stub).collect();
    if !stubs.is_empty() {
        let checkers = count(stubs.len(), "checker");
        let _written = writeln!(text, "not graded, {checkers} not written: {}", named(&stubs));
    }
    let absent: Vec<&Ungraded> = of(Cause::NoChecker).collect();
    if !absent.is_empty() {
        let _written = writeln!(
            text,
            "not graded, {} without a checker: {}; run `polc compile {} --stubs`",
            count(absent.len(), "rule"),
            named(&absent),
            report.project
        );
    }
    for rule in [Cause::AnotherText, Cause::NoRule, Cause::Fault].into_iter().flat_map(of) {
        let _written = writeln!(text, "not graded {}: {}", rule.rule, rule.message);
    }
    text
}

/// What was found on one rule: the documented sentence, the places, the link.
fn one_rule(finding: &Finding, places: usize) -> String {
    let severity = match (finding.fails, &finding.waived) {
        (true, _) => "violated",
        (false, None) => "noted",
        (false, Some(_)) => "waived",
    };
    let kind = match (finding.exact, finding.human_in_the_loop) {
        (_, true) => " (for a person)",
        (true, false) => "",
        (false, false) => " (approximate)",
    };
    let sentence = finding.sentence.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = format!("{severity} {}{kind}: {sentence}\n", finding.rule);
    let shown_places = &finding.places[..places.min(finding.places.len())];
    for violation in shown_places {
        let _written = writeln!(text, "  {}: {}", shown(&violation.place), violation.reason);
        if !violation.snippet.is_empty() && !matches!(violation.place, Place::File { .. }) {
            let _written = writeln!(text, "    | {}", violation.snippet.trim_end());
        }
    }
    let more = finding.violating.saturating_sub(shown_places.len());
    if more > 0 {
        let all = finding.places.len() == finding.violating;
        let hint = if all { "; `polc check --json` has them all" } else { "" };
        let _written = writeln!(text, "  and {more} more{hint}");
    }
    if let Some(waiver) = &finding.waived {
        let _written = writeln!(text, "  waived until {}: {}", waiver.until, waiver.reason);
    }
    let _written = writeln!(text, "  documented at {} ({})", finding.link, finding.section);
    text
}

fn shown(place: &Place) -> String {
    match place {
        Place::Commit { id } => format!("commit {}", id.get(..12).unwrap_or(id)),
        Place::File { path } => path.clone(),
        Place::Lines { path, first, last } if first == last => format!("{path}:{first}"),
        Place::Lines { path, first, last } => format!("{path}:{first}-{last}"),
        Place::Step { index } => format!("step {index}"),
        Place::PullRequest => "pull request".to_owned(),
        Place::Contribution => "contribution".to_owned(),
    }
}

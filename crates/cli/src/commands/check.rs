//! `check`: one contribution, here and now.

use crate::arguments::{Check, FailOnName, Format};
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::compile::{Contribution, check};
use polc_checker::target::Place;
use polc_evidence::range::pull_request_text;
use polc_grading::check::{CheckReport, FailOn, Finding, Policy, Verdict};
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
        session.print(human(&report))?;
    }
    Ok(match report.verdict {
        Verdict::Clean => Exit::Done,
        Verdict::Violated => Exit::Found,
        Verdict::Incomplete => Exit::Failed,
    })
}

/// The report for people.
pub(crate) fn human(report: &CheckReport) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        // Writing to a string cannot fail.
        let _written = write!(text, "{}", one_finding(finding));
    }
    let rate = |rate: Option<f64>| rate.map_or("none".to_owned(), |rate| format!("{:.1} %", rate * 100.0));
    let counts = report.counts;
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
    for withheld in &report.withheld {
        let _written = writeln!(text, "withheld {}: {} is {}", withheld.rule, withheld.what, withheld.cause);
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

fn one_finding(finding: &Finding) -> String {
    let place = match &finding.place {
        Place::Commit { id } => format!("commit {}", id.get(..12).unwrap_or(id)),
        Place::File { path } => path.clone(),
        Place::Lines { path, first, last } if first == last => format!("{path}:{first}"),
        Place::Lines { path, first, last } => format!("{path}:{first}-{last}"),
        Place::PullRequest => "pull request".to_owned(),
        Place::Contribution => "contribution".to_owned(),
    };
    let kind = match (finding.exact, finding.human_in_the_loop) {
        (_, true) => " (for a person)",
        (true, false) => "",
        (false, false) => " (approximate)",
    };
    let severity = if finding.fails { "violated" } else { "noted" };
    let snippet = if finding.snippet.is_empty() {
        String::new()
    } else {
        format!("  | {}\n", finding.snippet.trim_end())
    };
    format!(
        "{place}: {severity} {}{kind}: {}\n{snippet}  says: {}\n  at:   {} ({})\n",
        finding.rule, finding.reason, finding.sentence, finding.link, finding.section
    )
}

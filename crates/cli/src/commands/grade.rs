//! `grade`: stored runs against a project's checkers.

mod explain;

use crate::arguments::{GradeArguments, RowFormat, RunsArguments};
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::grade::{Grading, explain as explained, grade, merge};
use polc_evidence::run::Options;
use polc_grading::rows::{GradeSummary, ListPart, OutcomeName};
use polc_records::ids::Slug;
use std::num::NonZeroUsize;
use std::time::Duration;

pub(super) fn run(session: &Session, given: &GradeArguments) -> Result<Exit, CliError> {
    if let Some([run, rule]) = given.explain.as_deref() {
        return explain_one(session, given, run, rule);
    }
    if session.json && given.output.is_none() {
        return Err(CliError::Misuse {
            what: "the rows go to standard output, where the summary would be JSON among them".to_owned(),
            help: "write the rows to a file with --output, or leave --json away".to_owned(),
        });
    }
    let RowFormat::Jsonl = given.format;
    let root = session.root()?;
    let project = session.project(&root, &given.slug)?;
    let output = given.output.as_deref();
    let summary = if given.merge {
        merge(project.slug.as_str(), &given.runs.runs, output)?
    } else {
        session.tell(format!("building the checkers of {} …", given.slug));
        grade(session, &root, &project, &grading(given))?
    };
    if session.json {
        session.print_json(&summary)?;
    } else {
        session.tell(human(&summary));
    }
    let whole = summary.unreadable == 0 && summary.counts.errors == 0;
    Ok(if whole { Exit::Done } else { Exit::Failed })
}

fn grading(given: &GradeArguments) -> Grading<'_> {
    let threads = given.threads.or_else(|| std::thread::available_parallelism().ok());
    Grading {
        runs: &given.runs.runs,
        options: options(&given.runs, Some(&given.slug)),
        part: given.part.unwrap_or(ListPart::WHOLE),
        threads: threads.map_or(1, NonZeroUsize::get),
        limit: Duration::from_secs(given.time_limit.get().into()),
        output: given.output.as_deref(),
    }
}

fn explain_one(session: &Session, given: &GradeArguments, run: &str, rule: &str) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.project(&root, &given.slug)?;
    session.tell(format!("building the checkers of {} …", given.slug));
    let row = explained(session, &root, &project, &grading(given), run, rule)?;
    if session.json {
        session.print_json(&row)?;
    } else {
        session.print(explain::human(&row))?;
    }
    Ok(if row.row.outcome == OutcomeName::Error { Exit::Failed } else { Exit::Done })
}

/// What the caller knows of the runs.
pub(super) fn options(given: &RunsArguments, project: Option<&Slug>) -> Options {
    Options {
        adapter: given.adapter,
        clone: given.clone.clone(),
        project: project.map(Slug::to_string),
        ..Options::default()
    }
}

fn human(summary: &GradeSummary) -> String {
    let rate = |rate: Option<f64>| rate.map_or("none".to_owned(), |rate| format!("{:.1} %", rate * 100.0));
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let counts = summary.counts;
    let mut text = format!(
        "{}: {}, {} not read; {}: {} satisfied, {} violated, {} withheld, {} inapplicable, {} not graded; \
         triggering rate {}, compliance rate {}",
        summary.project,
        count(number(summary.runs), "run"),
        summary.unreadable,
        count(number(summary.rows), "row"),
        counts.satisfied,
        counts.violated,
        counts.withheld,
        counts.inapplicable,
        counts.errors,
        rate(summary.triggering_rate),
        rate(summary.compliance_rate)
    );
    if summary.unreadable > 0 {
        text.push_str("\nthe lines of the kind `run` say why a run was not read");
    }
    if counts.errors > 0 {
        text.push_str("\nrows with the outcome `error` say why a rule was not graded");
    }
    text
}

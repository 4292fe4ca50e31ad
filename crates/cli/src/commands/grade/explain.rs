//! An explained row, for people.

use crate::session::count;
use crate::stages::grade::ExplainedRow;
use polc_checker::evidence::Absence;
use polc_checker::explain::{Considered, FileSeen, ReadTrace, Said, TargetTrace};
use polc_checker::target::Place;
use polc_checker::{Layer, Ownership};
use serde::Serialize;
use std::fmt::Write as _;

/// The text, with a line feed at its end.
pub(super) fn human(explained: &ExplainedRow) -> String {
    let ExplainedRow { row, explanation, .. } = explained;
    let mut text = format!("{} in {}: {}", row.rule, row.run, word(&row.outcome));
    if let Some(reason) = &row.reason {
        let _written = write!(text, ": {reason}");
    }
    let ownership = match explanation.ownership {
        Ownership::Created => "created: what was produced, whole",
        Ownership::Touched => "touched: lines that were written, and places where lines were deleted",
        Ownership::Enclosing => "enclosing: what surrounds a change",
    };
    let _written = writeln!(text, "\n\nownership {ownership}\n\nevidence");
    for read in &explanation.reads {
        let _written = writeln!(text, "  {}", reading(read));
    }
    if !explanation.considered.is_empty() {
        text.push_str("\nfiles that the precondition asked about\n");
    }
    for file in &explanation.considered {
        let _written = writeln!(text, "  {}: {}", file.path, considered(file));
    }
    let _written = writeln!(text, "\n{}", count(explanation.targets.len(), "target"));
    for target in &explanation.targets {
        text.push_str(&told(target));
    }
    let _written = writeln!(text, "\n{}", explanation.arithmetic);
    text
}

/// The name that a value has in rows.
fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn reading(read: &ReadTrace) -> String {
    let by = match read.by.as_slice() {
        [] => "read by nothing",
        [Layer::Precondition] => "read by the precondition",
        [Layer::Postcondition] => "read by the post-condition",
        _ => "read by both conditions",
    };
    let declared = if read.declared { "declared" } else { "NOT declared" };
    let held = read.missing.map_or("recorded", Absence::as_str);
    format!("{}: {declared}, {by}; {held}", read.read.as_str())
}

fn considered(file: &Considered) -> String {
    match &file.seen {
        FileSeen::NotWanted => "left out by the rule's condition".to_owned(),
        FileSeen::NoText => "no text after the change".to_owned(),
        FileSeen::Missing { cause } => format!("its lines are {}", cause.as_str()),
        FileSeen::Lines { lines, written, anchors } => {
            let of = lines.map_or(String::new(), |lines| format!(" of {lines}"));
            let runs = written.iter().map(|(first, last)| match first == last {
                true => first.to_string(),
                false => format!("{first}-{last}"),
            });
            let written: usize = written.iter().map(|(first, last)| last - first + 1).sum();
            let mut text = format!("{written}{of} lines written");
            if written > 0 {
                let _written = write!(text, " ({})", runs.collect::<Vec<_>>().join(", "));
            }
            if !anchors.is_empty() {
                let anchors: Vec<String> = anchors.iter().map(ToString::to_string).collect();
                let _written = write!(text, ", lines deleted at {}", anchors.join(", "));
            }
            text + "; the others were there before"
        }
    }
}

fn told(target: &TargetTrace) -> String {
    let place = match &target.place {
        Place::Commit { id } => format!("commit {id}"),
        Place::File { path } => path.clone(),
        Place::Lines { path, first, last } if first == last => format!("{path}:{first}"),
        Place::Lines { path, first, last } => format!("{path}:{first}-{last}"),
        Place::Step { index } => format!("step {index}"),
        Place::PullRequest => "the pull request".to_owned(),
        Place::Contribution => "the contribution".to_owned(),
    };
    let owned = if target.owned { "owned" } else { "NOT owned" };
    let mut text = format!("  {place}\n");
    let first = target.snippet.lines().next().unwrap_or_default();
    if !first.is_empty() {
        let _written = writeln!(text, "    | {first}");
    }
    let _written = writeln!(text, "    {owned}: {}", target.why);
    let said = match &target.said {
        None => "not judged".to_owned(),
        Some(Said::Satisfied) => "satisfied".to_owned(),
        Some(Said::Violated { reason }) => format!("violated: {reason}"),
        Some(Said::Undetermined { missing }) => format!("undetermined: {missing}"),
    };
    let reads: Vec<&str> = target.reads.iter().map(|read| read.as_str()).collect();
    let reads =
        if reads.is_empty() { String::new() } else { format!(" (after reading {})", reads.join(", ")) };
    let _written = writeln!(text, "    {said}{reads}");
    text
}

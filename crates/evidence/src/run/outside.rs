//! What others found of a run: functional tests and linters.

use super::beside::Beside;
use super::remark::Remark;
use crate::reports::{self, Class, Report};
use polc_checker::evidence::{Absence, Evaluation, Evidence, FileChange, Part};

/// Fills in evaluation and tool runs.
pub(super) fn reports(evidence: &mut Evidence, beside: &Beside, remarks: &mut Vec<Remark>) {
    let nothing = |files: &Part<Vec<FileChange>>| *files == Part::Recorded(Vec::new());
    let is_empty = nothing(&evidence.worktree);
    evidence.evaluation = match &beside.report {
        Some(text) => evaluation(text, evidence.run.instance.as_deref(), is_empty, remarks),
        None => {
            if is_empty {
                remarks.push(Remark::NothingToGrade);
            }
            Part::Missing(Absence::NotInThisRun)
        }
    };
    evidence.tool_runs = match beside.lint_report.as_deref().map(reports::lint_report) {
        None => Part::Missing(Absence::NotInThisRun),
        Some(Ok(runs)) => Part::Recorded(runs),
        Some(Err(error)) => {
            remarks.push(Remark::Unreadable { what: "the report of linters", why: error.to_string() });
            Part::Missing(Absence::NotParseable)
        }
    };
}

/// What a report says of this run. A summary is believed where the run does not speak against it.
fn evaluation(
    text: &str,
    instance: Option<&str>,
    is_empty: bool,
    remarks: &mut Vec<Remark>,
) -> Part<Evaluation> {
    let (remark, part) = match reports::report(text, instance) {
        Ok(Report::OfTheTask(evaluation)) => return Part::Recorded(evaluation),
        Ok(Report::Summary(class)) => match class.evaluation() {
            Some(_) if (class == Class::EmptyPatch) != is_empty => {
                (Remark::Contradicted { class }, Part::Missing(Absence::NotInThisRun))
            }
            Some(evaluation) => (Remark::BySummary { class }, Part::Recorded(evaluation)),
            None => (Remark::NotGraded { class }, Part::Missing(Absence::NotInThisRun)),
        },
        Ok(Report::OfOthers { tasks }) => {
            (Remark::ReportOfOthers { tasks: tasks.len() }, Part::Missing(Absence::NotInThisRun))
        }
        Err(error) => {
            let what = "the report of the functional tests";
            (Remark::Unreadable { what, why: error.to_string() }, Part::Missing(Absence::NotParseable))
        }
    };
    remarks.push(remark);
    part
}

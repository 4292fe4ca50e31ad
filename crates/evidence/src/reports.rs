//! What others found after a run: reports of functional tests, and of linters.

use polc_checker::evidence::{Evaluation, Findings, TestChanges, ToolFinding, ToolRun};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What a report of functional tests says of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// It is of this task, test by test.
    OfTheTask(Evaluation),
    /// It sums up many runs, and puts the task into a class.
    Summary(Class),
    /// It is of other tasks.
    OfOthers {
        /// Which.
        tasks: Vec<String>,
    },
}

/// What a summary says of a task. A task that it leaves out was not handed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// It is resolved.
    Resolved,
    /// It was tested and is not resolved.
    Unresolved,
    /// There was no patch to test.
    EmptyPatch,
    /// The tests could not be run.
    Error,
    /// Its tests did not come to an end.
    Incomplete,
}

impl Class {
    /// In words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Class::Resolved => "resolved",
            Class::Unresolved => "not resolved",
            Class::EmptyPatch => "empty patch",
            Class::Error => "the tests could not be run",
            Class::Incomplete => "the tests did not come to an end",
        }
    }

    /// What it says in the words of evidence. None where the task was not graded.
    pub fn evaluation(self) -> Option<Evaluation> {
        let (patch, resolved) = match self {
            Class::Resolved => (true, true),
            Class::Unresolved => (true, false),
            Class::EmptyPatch => (false, false),
            Class::Error | Class::Incomplete => return None,
        };
        Some(Evaluation { patch, applied: patch, resolved, tests: None })
    }
}

/// Why a report cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// It is not JSON, or JSON of another shape.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It has no key that a report has.
    #[error("this is no report; found: {}", found.join(", "))]
    Unknown {
        /// The keys that were found.
        found: Vec<String>,
    },
}

/// A report of one task.
#[derive(Deserialize)]
struct OneTask {
    #[serde(rename = "patch_is_None", default)]
    is_none: bool,
    #[serde(rename = "patch_exists", default = "yes")]
    exists: bool,
    #[serde(rename = "patch_successfully_applied")]
    applied: bool,
    resolved: bool,
    tests_status: Option<BTreeMap<String, Bucket>>,
}

fn yes() -> bool {
    true
}

/// Tests with one expectation: those that meet it, and those that do not.
#[derive(Deserialize, Default, Clone)]
struct Bucket {
    success: Vec<String>,
    failure: Vec<String>,
}

impl From<OneTask> for Evaluation {
    fn from(task: OneTask) -> Evaluation {
        let tests = task.tests_status.map(|mut tests| {
            // A bucket is named after what was expected of its tests: one that should go on passing
            // and failed is a regression.
            let fixes = tests.remove("FAIL_TO_PASS").unwrap_or_default();
            let keeps = tests.remove("PASS_TO_PASS").unwrap_or_default();
            TestChanges {
                fixed: fixes.success,
                not_fixed: fixes.failure,
                kept: keeps.success,
                broken: keeps.failure,
            }
        });
        Evaluation {
            patch: task.exists && !task.is_none,
            applied: task.applied,
            resolved: task.resolved,
            tests,
        }
    }
}

/// A summary of many runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Summary {
    /// How many tasks were planned.
    #[serde(rename = "total_instances")]
    pub total: usize,
    /// How many were handed in.
    #[serde(rename = "submitted_instances")]
    pub submitted: usize,
    /// How many were tested to the end.
    #[serde(rename = "completed_instances")]
    pub completed: usize,
    /// How many of those are resolved.
    #[serde(rename = "resolved_instances")]
    pub resolved: usize,
    /// How many of those are not.
    #[serde(rename = "unresolved_instances", default)]
    pub unresolved: usize,
    /// How many had no patch.
    #[serde(rename = "empty_patch_instances", default)]
    pub empty_patch: usize,
    /// How many could not be tested.
    #[serde(rename = "error_instances", default)]
    pub error: usize,
    #[serde(default)]
    submitted_ids: BTreeSet<String>,
    #[serde(default)]
    resolved_ids: BTreeSet<String>,
    #[serde(default)]
    unresolved_ids: BTreeSet<String>,
    #[serde(default)]
    empty_patch_ids: BTreeSet<String>,
    #[serde(default)]
    error_ids: BTreeSet<String>,
}

impl Summary {
    /// Whether its counts add up: the tested ones are resolved or not, and those handed in were
    /// tested, were empty or could not be.
    pub fn adds_up(&self) -> bool {
        self.completed == self.resolved + self.unresolved
            && self.submitted == self.completed + self.empty_patch + self.error
    }

    /// How many were planned and not handed in.
    pub fn not_submitted(&self) -> usize {
        self.total.saturating_sub(self.submitted)
    }

    /// In which class a task is. None where it is not among those handed in.
    pub fn class(&self, task: &str) -> Option<Class> {
        let classes = [
            (&self.resolved_ids, Class::Resolved),
            (&self.unresolved_ids, Class::Unresolved),
            (&self.empty_patch_ids, Class::EmptyPatch),
            (&self.error_ids, Class::Error),
            (&self.submitted_ids, Class::Incomplete),
        ];
        classes.into_iter().find(|(ids, _)| ids.contains(task)).map(|(_, class)| class)
    }

    fn tasks(&self) -> Vec<String> {
        let all = [&self.submitted_ids, &self.resolved_ids, &self.unresolved_ids, &self.empty_patch_ids];
        let all: BTreeSet<&String> = all.into_iter().chain([&self.error_ids]).flatten().collect();
        all.into_iter().cloned().collect()
    }
}

/// Reads what a report says of a task: one of this task, flat or below its name, or a summary.
///
/// # Errors
/// Where it is none of these.
pub fn report(text: &str, task: Option<&str>) -> Result<Report, ReportError> {
    let mut report: Map<String, Value> = serde_json::from_str(text)?;
    if report.contains_key("total_instances") {
        let summary: Summary = serde_json::from_value(Value::Object(report))?;
        return Ok(match task.and_then(|task| summary.class(task)) {
            Some(class) => Report::Summary(class),
            None => Report::OfOthers { tasks: summary.tasks() },
        });
    }
    let is_one = |value: &Value| value.get("resolved").is_some();
    if report.contains_key("resolved") {
        return Ok(Report::OfTheTask(serde_json::from_value::<OneTask>(Value::Object(report))?.into()));
    }
    let tasks: Vec<String> = report.keys().cloned().collect();
    if tasks.is_empty() || !report.values().all(is_one) {
        return Err(ReportError::Unknown { found: tasks });
    }
    let this = match (task, tasks.as_slice()) {
        (Some(task), _) => report.remove(task),
        (None, [only]) => report.remove(only),
        (None, _) => None,
    };
    match this {
        Some(this) => Ok(Report::OfTheTask(serde_json::from_value::<OneTask>(this)?.into())),
        None => Ok(Report::OfOthers { tasks }),
    }
}

#[derive(Deserialize)]
struct LintReport {
    tools: BTreeMap<String, Tool>,
}

#[derive(Deserialize)]
struct Tool {
    available: bool,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    n_findings_base: usize,
    #[serde(default)]
    n_findings_head: usize,
    #[serde(default)]
    new_findings: Vec<Finding>,
    #[serde(default)]
    files: Vec<String>,
}

/// A finding of a linter, which may say more than is kept.
#[derive(Deserialize)]
struct Finding {
    path: String,
    code: String,
    message: String,
}

/// Reads a report of linters that were run outside.
///
/// # Errors
/// Where it is none.
pub fn lint_report(text: &str) -> Result<Vec<ToolRun>, ReportError> {
    let report: LintReport = serde_json::from_str(text)?;
    let run = |(name, tool): (String, Tool)| ToolRun {
        tool: name,
        version: None,
        configuration: None,
        files: tool.files,
        findings: tool.available.then(|| Findings::New {
            base: tool.n_findings_base,
            head: tool.n_findings_head,
            new: tool.new_findings.into_iter().map(ToolFinding::from).collect(),
        }),
        note: tool.note.unwrap_or_default(),
    };
    Ok(report.tools.into_iter().map(run).collect())
}

impl From<Finding> for ToolFinding {
    fn from(finding: Finding) -> ToolFinding {
        ToolFinding { path: finding.path, code: finding.code, message: finding.message }
    }
}

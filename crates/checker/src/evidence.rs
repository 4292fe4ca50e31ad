//! Everything a checker may look at for one run. What is not in it does not exist.
//!
//! Missing is not empty: that no pull request text was recorded and that an empty one was written
//! are two things, and every part says which.

mod file;
mod outside;
mod step;

pub use file::{Content, FileChange};
pub use outside::{Evaluation, Findings, Probe, TestChanges, ToolFinding, ToolRun};
pub use step::{Action, Derived, Output, Step};

use crate::declaration::Read;
use crate::message::Message;
use serde::{Deserialize, Serialize};

/// The schema version of evidence in JSON.
pub const SCHEMA: u32 = 2;

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Schema version.
    pub schema: u32,
    /// What run it is.
    pub run: Run,
    /// The files that the contribution changes: what was committed, or all of the tree where nothing
    /// tells the two apart. Sorted by path.
    pub files: Part<Vec<FileChange>>,
    /// The same for everything in the tree at the end, committed or not.
    pub worktree: Part<Vec<FileChange>>,
    /// The commits of the contribution, oldest first.
    pub commits: Part<Vec<Commit>>,
    /// What git said of the tree at the end.
    pub status: Part<Vec<StatusEntry>>,
    /// Its pull request, as text.
    pub pull_request: Part<PullRequest>,
    /// What the agent did, in order.
    pub steps: Part<Vec<Step>>,
    /// What was recorded of the environment before the run.
    pub probe: Part<Probe>,
    /// Which tests were expected to change state, and did.
    pub evaluation: Part<Evaluation>,
    /// What tools that ran outside found.
    pub tool_runs: Part<Vec<ToolRun>>,
}

impl Evidence {
    /// Evidence of a run of a kind that carries nothing.
    pub fn of_nothing(run: Run) -> Self {
        let absent = Absence::NotCarried;
        Evidence {
            schema: SCHEMA,
            run,
            files: Part::Missing(absent),
            worktree: Part::Missing(absent),
            commits: Part::Missing(absent),
            status: Part::Missing(absent),
            pull_request: Part::Missing(absent),
            steps: Part::Missing(absent),
            probe: Part::Missing(absent),
            evaluation: Part::Missing(absent),
            tool_runs: Part::Missing(absent),
        }
    }

    /// Reads a run from a line of JSON.
    ///
    /// # Errors
    /// In words: it is no JSON, no evidence, or evidence of another schema.
    pub fn from_line(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Version {
            schema: u32,
        }
        let version: Version = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if version.schema != SCHEMA {
            return Err(format!(
                "evidence of schema {}; this version of polc reads schema {SCHEMA}",
                version.schema
            ));
        }
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// Takes a part out, as if this run had lost it.
    pub fn forget(&mut self, part: Read) {
        let absent = Absence::NotInThisRun;
        match part {
            Read::Commits => self.commits = Part::Missing(absent),
            Read::Files => self.files = Part::Missing(absent),
            Read::PullRequest => self.pull_request = Part::Missing(absent),
            Read::Worktree => self.worktree = Part::Missing(absent),
            Read::Status => self.status = Part::Missing(absent),
            Read::Steps => self.steps = Part::Missing(absent),
            Read::Probe => self.probe = Part::Missing(absent),
            Read::Evaluation => self.evaluation = Part::Missing(absent),
            Read::ToolRuns => self.tool_runs = Part::Missing(absent),
        }
    }
}

/// What run it is: project, scaffold, model, instance, setting and attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// What names it for good.
    pub id: String,
    /// The project's slug.
    pub project: String,
    /// The task that was set, where one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The commit of the project that the task is set at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The commit that the contribution starts from. Images that are built for a task put one of
    /// their own on top of the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The last commit of the contribution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// The branch at the end, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The scaffold around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaffold: Option<String>,
    /// How the project's rules reached it.
    #[serde(default)]
    pub setting: Setting,
    /// Which attempt at the task it is, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// How the run ended, in the scaffold's words. An empty one was recorded: the run was cut off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
}

impl Run {
    /// A run of a project, by its name, of which nothing else is known.
    pub fn new(id: impl Into<String>, project: impl Into<String>) -> Self {
        Run {
            id: id.into(),
            project: project.into(),
            instance: None,
            base: None,
            start: None,
            head: None,
            branch: None,
            model: None,
            scaffold: None,
            setting: Setting::None,
            attempt: None,
            ending: None,
        }
    }
}

/// How a project's rules reached the agent (3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// As the project publishes them.
    Native,
    /// In one file that holds all of them.
    Consolidated,
    /// There was no agent, or nothing is known of it.
    #[default]
    None,
}

/// A part of the evidence, or why it is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part<T> {
    /// It was recorded; it may be empty.
    Recorded(T),
    /// It was not.
    Missing(Absence),
}

/// Why something is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Absence {
    /// This kind of run never carries it.
    NotCarried,
    /// This run should carry it and does not.
    NotInThisRun,
    /// It is there and cannot be read as what it should be.
    NotParseable,
}

impl Absence {
    /// In words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Absence::NotCarried => "not carried by this kind of run",
            Absence::NotInThisRun => "missing from this run",
            Absence::NotParseable => "not parseable",
        }
    }
}

/// A commit of the contribution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commit {
    /// Its id; of a commit that only a command of the agent tells of, `command:` and the index of that step.
    pub id: String,
    /// The ids of its parents.
    pub parents: Vec<String>,
    /// Who wrote it, where that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Person>,
    /// Who committed it, where that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committer: Option<Person>,
    /// Its message, as it is stored.
    pub message: Message,
    /// The paths that it changes against its first parent, where that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
}

impl Commit {
    /// Whether it joins several lines of history.
    pub fn is_merge(&self) -> bool {
        self.parents.len() > 1
    }
}

/// A name with an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// The name; bytes that are no UTF-8 are replaced.
    pub name: String,
    /// The address.
    pub email: String,
    /// The line as it is stored, in hexadecimal, where it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
}

/// A pull request as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PullRequest {
    /// Its title.
    pub title: String,
    /// Its body, in Markdown.
    pub body: String,
}

/// A line of what git said of the tree: porcelain, first version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusEntry {
    /// The two letters: the index, then the tree. A blank is a blank.
    pub code: String,
    /// The path; of a renamed file, the new one.
    pub path: String,
    /// The path before, of a renamed file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
}

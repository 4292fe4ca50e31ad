//! What others recorded of a run: the harness before it, tests and tools after it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a harness recorded of the environment before a run, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Probe(pub BTreeMap<String, String>);

impl Probe {
    /// What was recorded by a name. An empty value was recorded.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// What the functional tests said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// Whether there was a patch to apply.
    pub patch: bool,
    /// Whether it applied.
    pub applied: bool,
    /// Whether the task counts as resolved.
    pub resolved: bool,
    /// Test by test, where that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<TestChanges>,
}

/// Tests by what they were expected to do and did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestChanges {
    /// They failed, should pass, and do.
    pub fixed: Vec<String>,
    /// They failed, should pass, and do not.
    pub not_fixed: Vec<String>,
    /// They passed, and still do.
    pub kept: Vec<String>,
    /// They passed, and do not any more: regressions.
    pub broken: Vec<String>,
}

/// A tool that was run outside every checker (B.5.5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolRun {
    /// Its name.
    pub tool: String,
    /// Its version, where it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The digest of its configuration, where it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<String>,
    /// The files that it looked at.
    pub files: Vec<String>,
    /// What it found. None where it was not there to be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Findings>,
    /// What was said beside it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// What a tool found before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Findings {
    /// All of it on both sides.
    Both {
        /// Before.
        base: Vec<ToolFinding>,
        /// After.
        head: Vec<ToolFinding>,
    },
    /// How many on each side, and those that are new.
    New {
        /// How many before.
        base: usize,
        /// How many after.
        head: usize,
        /// Those that are new.
        new: Vec<ToolFinding>,
    },
}

/// One finding. Its line is left out: a line moves, what was found does not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolFinding {
    /// The file.
    pub path: String,
    /// The tool's name for the kind of finding.
    pub code: String,
    /// In words.
    pub message: String,
}

impl Findings {
    /// What was found after and not before, as often as it is more.
    pub fn new_ones(&self) -> Vec<&ToolFinding> {
        match self {
            Findings::New { new, .. } => new.iter().collect(),
            Findings::Both { base, head } => {
                let mut known: BTreeMap<&ToolFinding, usize> = BTreeMap::new();
                for finding in base {
                    *known.entry(finding).or_default() += 1;
                }
                let mut new = Vec::new();
                for finding in head {
                    match known.get_mut(finding) {
                        Some(left) if *left > 0 => *left -= 1,
                        _ => new.push(finding),
                    }
                }
                new
            }
        }
    }
}

//! What an agent did.

use crate::activity::{self, Activity};
use crate::shell::{Folder, Script};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;

/// One action of an agent, with what came back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What was done.
    pub action: Action,
    /// What came back, as the model saw it. None where nothing was recorded, as after a last step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Output>,
    /// With what a command ended, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// In which turn of the agent, from 1. One turn may do several things.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// What was derived from it.
    #[serde(skip)]
    pub derived: Derived,
}

/// What is derived from a step once, for all that ask. It is no part of what was recorded: it is neither stored
/// nor compared, and a copy of a step, which may be changed, derives its own.
#[derive(Debug, Default)]
pub struct Derived {
    script: OnceCell<Script>,
    activities: OnceCell<Vec<Activity>>,
}

impl Clone for Derived {
    fn clone(&self) -> Self {
        Derived::default()
    }
}

impl PartialEq for Derived {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for Derived {}

/// What an agent can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// It ran a command in a shell.
    Shell {
        /// The command, whole.
        command: String,
        /// The folder it was run in, where the call names one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        folder: Option<String>,
    },
    /// It read a file or a folder with a tool.
    Read {
        /// Which.
        path: String,
        /// The first and the last line, where it asked for some alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<(usize, usize)>,
    },
    /// It wrote files with a tool.
    Edit {
        /// Which.
        paths: Vec<String>,
        /// What it wrote: the text of a new file, what replaced a passage, or a patch.
        text: String,
    },
    /// It asked for a page with a tool.
    Fetch {
        /// Its address.
        url: String,
    },
    /// It used another tool.
    Tool {
        /// The name of the tool.
        name: String,
        /// What was handed to it, as it was recorded.
        input: String,
    },
}

/// What came back from an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The text, without what the scaffold wraps around it.
    pub text: String,
    /// Whether the scaffold cut it. What is not in a cut text may have been in the whole one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

impl Step {
    /// A command, of which nothing else is known.
    pub fn shell(command: impl Into<String>) -> Self {
        Step::of(Action::Shell { command: command.into(), folder: None })
    }

    /// An action, of which nothing else is known.
    pub fn of(action: Action) -> Self {
        Step { action, output: None, exit: None, turn: None, derived: Derived::default() }
    }

    /// The command, if the step is one in a shell.
    pub fn command(&self) -> Option<&str> {
        match &self.action {
            Action::Shell { command, .. } => Some(command),
            Action::Read { .. } | Action::Edit { .. } | Action::Fetch { .. } | Action::Tool { .. } => None,
        }
    }

    /// The command, read, if the step is one in a shell: its programs with their words, in order.
    pub fn script(&self) -> Option<&Script> {
        let Action::Shell { command, folder } = &self.action else { return None };
        Some(self.derived.script.get_or_init(|| {
            let start = Folder::FromStart(String::new());
            Script::parse_in(command, &folder.as_deref().map_or(start.clone(), |folder| start.enter(folder)))
        }))
    }

    /// What was done in it, in order: tests run, files edited, commits made.
    pub fn activities(&self) -> &[Activity] {
        self.derived.activities.get_or_init(|| activity::of_step(self))
    }
}

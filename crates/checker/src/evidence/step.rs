//! What an agent did.

use serde::{Deserialize, Serialize};

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
}

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
        Step { action, output: None, exit: None, turn: None }
    }

    /// The command, if the step is one in a shell.
    pub fn command(&self) -> Option<&str> {
        match &self.action {
            Action::Shell { command, .. } => Some(command),
            Action::Read { .. } | Action::Edit { .. } | Action::Fetch { .. } | Action::Tool { .. } => None,
        }
    }
}

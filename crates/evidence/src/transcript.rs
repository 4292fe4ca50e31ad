//! What a scaffold wrote of one run, in the words of evidence. One file per format reads it.

use crate::sample::Sample;
use polc_checker::evidence::Step;

/// What the file of a scaffold says of one run. Everything is empty for an agent that did nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transcript {
    /// What the agent did, in order.
    pub steps: Vec<Step>,
    /// What the agent said in its own words, in order. Neither prompts nor outputs of tools are in it.
    pub said: Vec<String>,
    /// What it handed in at the end: a patch, or what the collect script printed.
    pub submission: Option<String>,
    /// A patch that the scaffold took itself.
    pub patch: Option<String>,
    /// The task.
    pub instance: Option<String>,
    /// The commit of the project that the task is set at.
    pub base: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The setting, in the scaffold's words.
    pub setting: Option<String>,
    /// Its own text of a pull request, where the format has a place for one.
    pub pull_request: Option<String>,
    /// How the run ended. An empty one was recorded: the run was cut off.
    pub ending: Option<String>,
    /// Values that the caller put into the environment of the run, by name.
    pub environment: Vec<(String, String)>,
}

/// Why a file is not a transcript of a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    /// It is not JSON, or not JSON lines.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// It has other keys than this format, or nothing of what an agent does.
    #[error("{message}; found: {}", found.join(", "))]
    Another {
        /// What was looked for.
        message: String,
        /// The keys that were found.
        found: Vec<String>,
    },
}

impl TranscriptError {
    /// What serde says of a text: that it is no JSON, or JSON of another shape.
    pub(crate) fn of_json(error: &serde_json::Error, text: &str) -> Self {
        match error.classify() {
            serde_json::error::Category::Data => {
                TranscriptError::another(error.to_string(), &Sample::of(text))
            }
            serde_json::error::Category::Syntax
            | serde_json::error::Category::Eof
            | serde_json::error::Category::Io => TranscriptError::Syntax {
                line: error.line(),
                column: error.column(),
                message: "this is not JSON".to_owned() + &reason(error),
            },
        }
    }

    /// That a text has another shape.
    pub(crate) fn another(message: impl Into<String>, sample: &Sample) -> Self {
        TranscriptError::Another { message: message.into(), found: sample.keys() }
    }
}

/// What serde says, without the place that the error names anyhow.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let bare = text.rsplit_once(" at line ").map_or(text.as_str(), |(bare, _)| bare);
    format!(": {bare}")
}

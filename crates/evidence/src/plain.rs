//! The plain format: one JSON object a run, for any harness that has no format of its own here.
//!
//! Every key but `steps` may be left out.

use crate::foreign::mended;
use crate::sample::Sample;
use crate::transcript::{Transcript, TranscriptError};
use polc_checker::evidence::{Action, Output, Step};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct File {
    #[serde(alias = "instance")]
    instance_id: Option<String>,
    base_commit: Option<String>,
    model: Option<String>,
    setting: Option<String>,
    exit_status: Option<String>,
    steps: Vec<PlainStep>,
    pr_text: Option<String>,
    submission: Option<String>,
    /// What the agent said in its own words, in order.
    #[serde(default)]
    said: Vec<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct PlainStep {
    /// A command of a shell, or else an action in the words of evidence.
    command: Option<String>,
    action: Option<Action>,
    folder: Option<String>,
    output: Option<String>,
    #[serde(default)]
    truncated: bool,
    #[serde(alias = "exit")]
    returncode: Option<i32>,
    turn: Option<u32>,
}

pub(crate) fn recognises(sample: &Sample) -> bool {
    sample.has(&["steps"])
}

pub(crate) fn read(text: &str) -> Result<Transcript, TranscriptError> {
    let text = &*mended(text);
    let file: File = serde_json::from_str(text).map_err(|error| TranscriptError::of_json(&error, text))?;
    let mut steps = Vec::new();
    for (step, number) in file.steps.into_iter().zip(1_usize..) {
        let action = match (step.command, step.action) {
            (Some(command), None) => Action::Shell { command, folder: step.folder },
            (None, Some(action)) => action,
            (Some(_), Some(_)) | (None, None) => {
                let message = format!("step {number}: expected either `command` or `action`");
                return Err(TranscriptError::another(message, &Sample::of(text)));
            }
        };
        steps.push(Step {
            output: step.output.map(|text| Output { text, truncated: step.truncated }),
            exit: step.returncode,
            turn: step.turn,
            ..Step::of(action)
        });
    }
    Ok(Transcript {
        steps,
        said: file.said,
        submission: file.submission,
        patch: None,
        instance: file.instance_id,
        base: file.base_commit,
        model: file.model,
        setting: file.setting,
        pull_request: file.pr_text,
        ending: file.exit_status,
        environment: file.environment.into_iter().collect(),
    })
}

//! The events of OpenHands' first version: what was called joins what came back by the id of the event.

use super::needed;
use crate::foreign::{
    Calls, Content, Turns, clipped, command_of, fetch, lenient, lines, not_done, patched, say, text_of, tool,
    typed,
};
use crate::transcript::{Transcript, TranscriptError};
use polc_checker::evidence::{Action, Output, Step};
use serde::Deserialize;
use serde_json::{Map, Value};

/// An event, as far as a run is told by it.
#[derive(Deserialize)]
#[serde(tag = "kind")]
enum Event {
    #[serde(rename = "ActionEvent")]
    Called(Call),
    #[serde(rename = "ObservationEvent")]
    Answered(Answer),
    #[serde(rename = "UserRejectObservation")]
    Rejected {
        action_id: String,
        #[serde(default)]
        rejection_reason: String,
    },
    #[serde(rename = "AgentErrorEvent")]
    Failed { tool_call_id: String, error: String },
    #[serde(rename = "ACPToolCallEvent")]
    Foreign(ForeignCall),
    #[serde(rename = "MessageEvent")]
    Said {
        source: String,
        llm_message: Message,
        #[serde(default)]
        llm_response_id: Option<String>,
    },
    #[serde(rename = "ConversationStateUpdateEvent")]
    State {
        key: String,
        #[serde(default)]
        value: Value,
    },
    #[serde(rename = "ConversationErrorEvent")]
    Broken { code: String },
    #[serde(rename = "PauseEvent")]
    Paused,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Call {
    id: String,
    #[serde(default)]
    thought: Vec<Thought>,
    /// None where the arguments could not be understood: then nothing was done.
    action: Option<Value>,
    tool_name: String,
    tool_call_id: String,
    #[serde(default, deserialize_with = "lenient")]
    tool_call: Option<Written>,
    #[serde(default)]
    llm_response_id: Option<String>,
}

#[derive(Deserialize)]
struct Thought {
    #[serde(default)]
    text: String,
}

/// A call as the model wrote it.
#[derive(Deserialize)]
struct Written {
    arguments: String,
}

#[derive(Deserialize)]
struct Answer {
    action_id: String,
    tool_name: String,
    observation: Observation,
}

#[derive(Deserialize)]
struct Observation {
    #[serde(default, deserialize_with = "lenient")]
    content: Option<Content>,
    /// Where older events keep what is `content` in later ones.
    #[serde(default, deserialize_with = "lenient")]
    output: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    command: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    exit_code: Option<i32>,
    #[serde(default, deserialize_with = "lenient")]
    metadata: Option<Exit>,
}

#[derive(Deserialize)]
struct Exit {
    exit_code: i32,
}

#[derive(Deserialize)]
struct Message {
    content: Content,
}

/// A call that another agent made for OpenHands. It is told of several times.
#[derive(Deserialize)]
struct ForeignCall {
    tool_call_id: String,
    title: String,
    #[serde(default)]
    tool_kind: Option<String>,
    #[serde(default)]
    raw_input: Value,
    #[serde(default)]
    raw_output: Value,
    #[serde(default)]
    content: Option<Vec<Value>>,
}

/// Whether a record is an event.
pub(super) fn is_event(record: &Map<String, Value>) -> bool {
    let text = |key| record.get(key).and_then(Value::as_str);
    let is_kind = |kind: &str| {
        kind.ends_with("Event") || kind.ends_with("Observation") || kind.starts_with("Condensation")
    };
    text("kind").is_some_and(is_kind) && text("source").is_some()
}

pub(super) fn read(values: &[Value]) -> Result<Transcript, TranscriptError> {
    let mut reading = Reading::default();
    for (at, value) in values.iter().enumerate() {
        reading.take(typed(&format!("event {}", at + 1), value)?)?;
    }
    reading.transcript.steps = reading.calls.into_steps();
    Ok(reading.transcript)
}

#[derive(Default)]
struct Reading {
    transcript: Transcript,
    calls: Calls,
    turns: Turns,
    /// The command that was still running when its output was taken.
    running: Option<String>,
}

impl Reading {
    fn take(&mut self, event: Event) -> Result<(), TranscriptError> {
        match event {
            Event::Called(call) => self.call(call)?,
            Event::Answered(answer) => self.answer(answer),
            Event::Rejected { action_id, rejection_reason } => {
                if let Some(step) = self.calls.named(&action_id) {
                    step.action = not_done(&step.action);
                    step.output = Some(Output { text: rejection_reason, truncated: false });
                }
            }
            Event::Failed { tool_call_id, error } => {
                if let Some(step) = self.calls.named(&tool_call_id) {
                    step.output = Some(Output { text: error, truncated: false });
                }
            }
            Event::Foreign(call) => self.foreign(&call),
            Event::Said { source, llm_message, llm_response_id } if source == "agent" => {
                self.turns.of(llm_response_id.as_deref());
                say(&mut self.transcript.said, &llm_message.content.joined());
            }
            Event::State { key, value } => self.state(&key, &value),
            Event::Broken { code } => self.transcript.ending = Some(code),
            Event::Paused => self.transcript.ending = Some("paused".to_owned()),
            Event::Said { .. } | Event::Other => {}
        }
        Ok(())
    }

    fn call(&mut self, call: Call) -> Result<(), TranscriptError> {
        for thought in &call.thought {
            say(&mut self.transcript.said, &thought.text);
        }
        let action = match &call.action {
            Some(action) => self.action(&call.tool_name, action)?,
            None => {
                let input = call.tool_call.map(|written| written.arguments).unwrap_or_default();
                Action::Tool { name: call.tool_name, input }
            }
        };
        let turn = self.turns.of(call.llm_response_id.as_deref());
        self.calls.add(Some(&call.id), Step { turn, ..Step::of(action) });
        self.calls.alias(&call.tool_call_id, &call.id);
        Ok(())
    }

    fn action(&mut self, name: &str, action: &Value) -> Result<Action, TranscriptError> {
        let kind = text_of(action, "kind").unwrap_or_default();
        let of = |key| needed(action, key, kind);
        let number = |key: &str| action.get(key).and_then(Value::as_i64);
        Ok(match kind {
            "TerminalAction" | "ExecuteBashAction" | "BashAction" => {
                let is_input = action.get("is_input").and_then(Value::as_bool).unwrap_or_default();
                let command = of("command")?;
                // An empty command asks for more of the output of the last one.
                if is_input || command.trim().is_empty() {
                    tool(name, action)
                } else {
                    Action::Shell { command: command.to_owned(), folder: None }
                }
            }
            "FileEditorAction" | "StrReplaceEditorAction" | "PlanningFileEditorAction" => {
                edited(of("command")?, of("path")?, action)
            }
            "BrowserNavigateAction" => fetch(of("url")?),
            "ApplyPatchAction" => {
                let text = of("patch")?.to_owned();
                Action::Edit { paths: patched(&text), text }
            }
            "ReadFileAction" => {
                let path = of("file_path")?.to_owned();
                let from = number("offset").map_or(1, |offset| offset.saturating_add(1));
                let to = number("limit").map_or(-1, |limit| from.saturating_add(limit) - 1);
                Action::Read { path, lines: lines(from, to) }
            }
            "ListDirectoryAction" => {
                let path = text_of(action, "dir_path").unwrap_or(".").to_owned();
                Action::Read { path, lines: None }
            }
            "WriteFileAction" => {
                Action::Edit { paths: vec![of("file_path")?.to_owned()], text: of("content")?.to_owned() }
            }
            "EditAction" => {
                Action::Edit { paths: vec![of("file_path")?.to_owned()], text: of("new_string")?.to_owned() }
            }
            "MCPToolAction" if name == "fetch" => {
                match action.get("data").and_then(|data| text_of(data, "url")) {
                    Some(url) => fetch(url),
                    None => tool(name, action),
                }
            }
            "FinishAction" => {
                let message = of("message")?;
                say(&mut self.transcript.said, message);
                self.transcript.ending = Some("finish".to_owned());
                tool(name, action)
            }
            _ => tool(name, action),
        })
    }

    fn answer(&mut self, answer: Answer) {
        let Answer { action_id, tool_name, observation } = answer;
        let code = observation.exit_code.or(observation.metadata.map(|metadata| metadata.exit_code));
        let exit = code.filter(|code| *code >= 0);
        let text =
            observation.content.map(|content| content.joined()).or(observation.output).unwrap_or_default();
        if self.calls.named(&action_id).is_none() {
            // The call is not in the file, but what a terminal gives back repeats its command.
            match observation.command.filter(|command| tool_name == "terminal" && !command.trim().is_empty())
            {
                Some(command) => self.calls.add(Some(&action_id), Step::shell(command)),
                None => return,
            }
        }
        let Some(step) = self.calls.named(&action_id) else { return };
        step.output = Some(clipped(&text));
        if step.command().is_some() {
            step.exit = exit;
            self.running = (code == Some(-1)).then_some(action_id);
        } else if let Some(running) = exit.and(self.running.take())
            && let Some(step) = self.calls.named(&running)
        {
            step.exit = exit;
        }
    }

    fn foreign(&mut self, call: &ForeignCall) {
        let id = &call.tool_call_id;
        let action = foreign_action(call);
        match self.calls.named(id) {
            Some(step) if !call.raw_input.is_null() || call.content.is_some() => step.action = action,
            Some(_) => {}
            None => self.calls.add(Some(id), Step::of(action)),
        }
        let blocks = call.content.iter().flatten().filter_map(|block| text_of(block.get("content")?, "text"));
        let shown: Vec<&str> = blocks.collect();
        let text = match &call.raw_output {
            Value::String(text) => Some(text.clone()),
            Value::Null => (!shown.is_empty()).then(|| shown.join("\n")),
            other => Some(other.to_string()),
        };
        if let (Some(text), Some(step)) = (text, self.calls.named(id)) {
            step.output = Some(clipped(&text));
        }
    }

    fn state(&mut self, key: &str, value: &Value) {
        match (key, value.as_str()) {
            ("execution_status", Some("running")) => self.transcript.ending = None,
            // What went wrong was said before, and says more.
            ("execution_status", Some("error")) if self.transcript.ending.is_some() => {}
            ("execution_status", Some(status)) => self.transcript.ending = Some(status.to_owned()),
            ("stats", None) => {
                let usage = value.get("usage_to_metrics");
                let named = ["agent", "default"].iter().find_map(|of| text_of(usage?.get(of)?, "model_name"));
                if let Some(model) = named {
                    self.transcript.model = Some(model.to_owned());
                }
            }
            _ => {}
        }
    }
}

/// What the editor does. What it took back is written to no event.
pub(super) fn edited(command: &str, path: &str, of: &Value) -> Action {
    let text = match command {
        "view" => {
            let range = of.get("view_range").and_then(Value::as_array).map(Vec::as_slice);
            let lines = match range {
                Some([from, to]) => lines(from.as_i64().unwrap_or(1), to.as_i64().unwrap_or(-1)),
                _ => None,
            };
            return Action::Read { path: path.to_owned(), lines };
        }
        "create" => text_of(of, "file_text"),
        _ => text_of(of, "new_str"),
    };
    Action::Edit { paths: vec![path.to_owned()], text: text.unwrap_or_default().to_owned() }
}

fn foreign_action(call: &ForeignCall) -> Action {
    let input = &call.raw_input;
    let path = || ["path", "file_path", "filePath", "abs_path"].iter().find_map(|key| text_of(input, key));
    let other = || tool(&call.title, input);
    match call.tool_kind.as_deref() {
        Some("execute") => {
            let arguments = |list: &Vec<Value>| {
                let words: Option<Vec<String>> =
                    list.iter().map(|word| word.as_str().map(str::to_owned)).collect();
                words.map(|words| command_of(&words))
            };
            let command = match input.get("command") {
                Some(Value::String(command)) => Some(command.clone()),
                Some(Value::Array(list)) => arguments(list),
                _ => None,
            };
            let folder = text_of(input, "cwd").map(str::to_owned);
            command.map_or_else(other, |command| Action::Shell { command, folder })
        }
        Some("read") => path().map_or_else(other, |path| Action::Read { path: path.to_owned(), lines: None }),
        Some("fetch") => text_of(input, "url").map_or_else(other, fetch),
        Some("edit" | "delete") => {
            let blocks = call.content.iter().flatten();
            let (mut paths, mut texts) = (Vec::new(), Vec::new());
            for block in blocks.filter(|block| text_of(block, "type") == Some("diff")) {
                paths.extend(text_of(block, "path").map(str::to_owned));
                texts.extend(text_of(block, "new_text").or(text_of(block, "newText")).map(str::to_owned));
            }
            if paths.is_empty() {
                let text = text_of(input, "new_string").or(text_of(input, "content")).unwrap_or_default();
                return path().map_or_else(other, |path| Action::Edit {
                    paths: vec![path.to_owned()],
                    text: text.to_owned(),
                });
            }
            Action::Edit { paths, text: texts.join("\n") }
        }
        _ => other(),
    }
}

//! The stream of events: an item is begun, changed and completed under one id.

use crate::foreign::{Calls, command_of, fetch, lenient, say, text_of, tool, typed, words};
use crate::transcript::{Transcript, TranscriptError};
use polc_checker::evidence::{Action, Output, Step};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Event {
    #[serde(rename = "thread.started")]
    Begun,
    #[serde(rename = "turn.started")]
    Started,
    #[serde(rename = "turn.completed")]
    Completed,
    #[serde(rename = "turn.failed")]
    Failed { error: Failure },
    #[serde(rename = "item.started", alias = "item.updated", alias = "item.completed")]
    Item { item: Value },
    #[serde(rename = "error")]
    Error(Failure),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Failure {
    message: String,
}

/// An item. Older streams call an agent's message an assistant's.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item {
    #[serde(alias = "assistant_message")]
    AgentMessage {
        id: String,
        text: String,
    },
    CommandExecution(Command),
    FileChange {
        id: String,
        changes: Vec<Change>,
        #[serde(default)]
        status: Status,
    },
    McpToolCall(ServerCall),
    WebSearch {
        id: String,
        #[serde(default)]
        query: String,
        #[serde(default, deserialize_with = "lenient")]
        action: Option<Visit>,
    },
    #[serde(alias = "collab_tool_call", alias = "plan_update")]
    TodoList {
        id: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Command {
    id: String,
    command: String,
    #[serde(default)]
    aggregated_output: Option<String>,
    #[serde(default)]
    exit_code: Option<i32>,
    #[serde(default)]
    status: Status,
}

#[derive(Deserialize)]
struct Change {
    path: String,
}

#[derive(Deserialize)]
struct ServerCall {
    id: String,
    server: String,
    tool: String,
    #[serde(default)]
    arguments: Value,
    #[serde(default)]
    result: Option<ServerResult>,
    #[serde(default)]
    error: Option<Failure>,
}

#[derive(Deserialize)]
struct ServerResult {
    #[serde(default)]
    content: Vec<Value>,
}

#[derive(Deserialize)]
struct Visit {
    url: String,
}

#[derive(Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    #[default]
    InProgress,
    Completed,
    Failed,
    Declined,
    #[serde(other)]
    Other,
}

pub(super) fn read(values: &[Value]) -> Result<Transcript, TranscriptError> {
    let mut transcript = Transcript::default();
    let mut calls = Calls::default();
    let mut last_message = String::new();
    for (at, value) in values.iter().enumerate() {
        match typed(&format!("event {}", at + 1), value)? {
            Event::Begun => {
                calls.forget_names();
                last_message.clear();
            }
            Event::Started => transcript.ending = None,
            Event::Completed => transcript.ending = Some("turn.completed".to_owned()),
            Event::Failed { error } => transcript.ending = Some(format!("turn.failed: {}", error.message)),
            Event::Error(error) => transcript.ending = Some(format!("error: {}", error.message)),
            Event::Item { item } => {
                let item = of_this_shape(item);
                match typed(&format!("the item of event {}", at + 1), &item)? {
                    Item::AgentMessage { id, text } => {
                        // What is begun and then completed is one message.
                        if last_message == id {
                            transcript.said.pop();
                        }
                        say(&mut transcript.said, &text);
                        last_message = if text.trim().is_empty() { String::new() } else { id };
                    }
                    other => take(&mut calls, other, &item),
                }
            }
            Event::Other => {}
        }
    }
    transcript.steps = calls.into_steps();
    Ok(transcript)
}

/// Older streams name the kind of an item `item_type`.
fn of_this_shape(mut item: Value) -> Value {
    if let Some(map) = item.as_object_mut()
        && !map.contains_key("type")
        && let Some(kind) = map.remove("item_type")
    {
        map.insert("type".to_owned(), kind);
    }
    item
}

fn take(calls: &mut Calls, item: Item, written: &Value) {
    match item {
        Item::CommandExecution(of) => {
            let command =
                words(&of.command).map_or_else(|| of.command.clone(), |words| shown(&of.command, &words));
            let action = if of.status == Status::Declined {
                Action::Tool { name: "command_execution".to_owned(), input: command }
            } else {
                Action::Shell { command, folder: None }
            };
            let step = put(calls, &of.id, action);
            if let Some(step) = step
                && of.status != Status::InProgress
            {
                step.output = of.aggregated_output.map(|text| Output { text, truncated: false });
                step.exit = of.exit_code;
            }
        }
        Item::FileChange { id, changes, status } => {
            let paths: Vec<String> = changes.into_iter().map(|change| change.path).collect();
            let action = if matches!(status, Status::Failed | Status::Declined) {
                Action::Tool { name: "file_change".to_owned(), input: paths.join("\n") }
            } else {
                Action::Edit { paths, text: String::new() }
            };
            put(calls, &id, action);
        }
        Item::McpToolCall(of) => {
            let action = match text_of(&of.arguments, "url") {
                Some(url) if of.tool == "fetch" => fetch(url),
                _ => tool(&format!("mcp__{}__{}", of.server, of.tool), &of.arguments),
            };
            let texts = |result: ServerResult| {
                let texts: Vec<&str> =
                    result.content.iter().filter_map(|block| text_of(block, "text")).collect();
                texts.join("\n")
            };
            let text = of.result.map(texts).or(of.error.map(|error| error.message));
            if let (Some(step), Some(text)) = (put(calls, &of.id, action), text) {
                step.output = Some(Output { text, truncated: false });
            }
        }
        Item::WebSearch { id, query, action } => {
            let action = match action {
                Some(visit) => fetch(&visit.url),
                None => tool("web_search", &json!(query)),
            };
            put(calls, &id, action);
        }
        Item::TodoList { id } => drop(put(calls, &id, tool("todo_list", written))),
        Item::AgentMessage { .. } | Item::Other => {}
    }
}

/// The call with an id, as it was told of last.
fn put<'c>(calls: &'c mut Calls, id: &str, action: Action) -> Option<&'c mut Step> {
    calls.add(Some(id), Step::of(action.clone()));
    let step = calls.named(id)?;
    step.action = action;
    Some(step)
}

/// The script that a shell was called for, or the command as it stands.
fn shown(command: &str, words: &[String]) -> String {
    let script = command_of(words);
    if words.last() == Some(&script) && words.len() == 3 { script } else { command.to_owned() }
}

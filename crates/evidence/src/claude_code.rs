//! Claude Code: the log of a session, or the stream of messages that it prints. A message is spread over lines, one block
//! each; results name the call that they answer.

use crate::foreign::{
    Calls, Content, Turns, another, fetch, lenient, lines, not_done, say, text_of, tool, typed, values,
};
use crate::sample::Sample;
use crate::transcript::{Transcript, TranscriptError};
use polc_checker::evidence::{Action, Output, Step};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// What is looked for.
const LOOKED_FOR: &str =
    "no session of Claude Code: no line of `type` `assistant` or `user` with a `message` and a session";

/// How the answer to a call begins that a person turned down.
const TURNED_DOWN: &str = "The user doesn't want to proceed with this tool use.";

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    Assistant(Said),
    User(Given),
    /// The last line of a stream.
    Result {
        subtype: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Said {
    message: Message,
    #[serde(default)]
    uuid: Option<String>,
    #[serde(default, rename = "isSidechain")]
    is_sidechain: bool,
    /// In a stream, the call that a helper works for.
    #[serde(default)]
    parent_tool_use_id: Option<String>,
    #[serde(default, rename = "isApiErrorMessage")]
    is_error: bool,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    model: Option<String>,
    content: Blocks,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Blocks {
    Text(String),
    List(Vec<Value>),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
        #[serde(default)]
        input: Value,
    },
    ToolResult {
        tool_use_id: String,
        #[serde(default)]
        content: Option<Content>,
        #[serde(default)]
        is_error: Option<bool>,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Given {
    message: Message,
    #[serde(default, rename = "toolUseResult", deserialize_with = "lenient")]
    result: Option<Read>,
}

/// What is kept of a file that was read.
#[derive(Deserialize)]
struct Read {
    file: Part,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    start_line: usize,
    num_lines: usize,
    total_lines: usize,
}

pub(crate) fn recognises(sample: &Sample) -> bool {
    let of_one = |key| sample.has(&["type", "message", key]);
    ["sessionId", "session_id"].into_iter().any(of_one) || sample.records().iter().any(is_of_session)
}

/// Whether a record is a line of a session: something said, or what only this scaffold notes.
fn is_of_session(record: &Map<String, Value>) -> bool {
    let has = |key: &str| record.contains_key(key);
    let has_session = has("sessionId") || has("session_id");
    match record.get("type").and_then(Value::as_str) {
        Some("assistant" | "user") => has_session && record.get("message").is_some_and(Value::is_object),
        Some("summary") => has("leafUuid"),
        Some("file-history-snapshot") => has("messageId"),
        Some("queue-operation" | "system" | "attachment" | "progress") => has_session,
        _ => false,
    }
}

/// Reads one session.
///
/// # Errors
/// Where it is another format.
pub(crate) fn read(text: &str) -> Result<Transcript, TranscriptError> {
    let values = values(text)?;
    if !values.iter().filter_map(Value::as_object).any(is_of_session) {
        return Err(another(LOOKED_FOR, &values));
    }
    let mut reading = Reading::default();
    for (at, value) in values.iter().enumerate() {
        let what = format!("line {}", at + 1);
        match typed(&what, value)? {
            Line::Assistant(said) => reading.said(&what, said)?,
            Line::User(given) => reading.given(&what, given)?,
            Line::Result { subtype } => reading.transcript.ending = Some(subtype),
            Line::Other => {}
        }
    }
    reading.transcript.steps = reading.calls.into_steps();
    Ok(reading.transcript)
}

#[derive(Default)]
struct Reading {
    transcript: Transcript,
    calls: Calls,
    turns: Turns,
    /// The lines that were read: a session that was taken up again repeats the one before.
    known: HashSet<String>,
}

impl Reading {
    fn said(&mut self, what: &str, said: Said) -> Result<(), TranscriptError> {
        if said.uuid.is_some_and(|uuid| !self.known.insert(uuid)) || said.is_error {
            return Ok(());
        }
        let is_helper = said.is_sidechain || said.parent_tool_use_id.is_some();
        let Message { id, model, content } = said.message;
        if !is_helper && let Some(model) = model.filter(|model| !model.starts_with('<')) {
            self.transcript.model = Some(model);
        }
        let turn = self.turns.of(id.as_deref());
        let blocks = match content {
            Blocks::Text(text) => vec![serde_json::json!({"type": "text", "text": text})],
            Blocks::List(blocks) => blocks,
        };
        for block in &blocks {
            match typed(&format!("a block of {what}"), block)? {
                Block::Text { text } if !is_helper => say(&mut self.transcript.said, &text),
                Block::ToolUse { id, name, input } => {
                    let action = action(&name, &input).unwrap_or_else(|| tool(&name, &input));
                    let step = Step { turn, ..Step::of(action) };
                    self.calls.add(Some(&id), step);
                }
                Block::Text { .. } | Block::ToolResult { .. } | Block::Other => {}
            }
        }
        Ok(())
    }

    fn given(&mut self, what: &str, given: Given) -> Result<(), TranscriptError> {
        let Blocks::List(blocks) = given.message.content else { return Ok(()) };
        for block in &blocks {
            let Block::ToolResult { tool_use_id, content, is_error } =
                typed(&format!("a block of {what}"), block)?
            else {
                continue;
            };
            let Some(step) = self.calls.named(&tool_use_id) else { continue };
            let text = content.map(|content| content.joined()).unwrap_or_default();
            let is_error = is_error.unwrap_or_default();
            if is_error && text.starts_with(TURNED_DOWN) {
                step.action = not_done(&step.action);
            }
            let (exit, text) =
                if is_error && step.command().is_some() { exit(&text) } else { (None, text.as_str()) };
            step.exit = exit;
            let mut output = output(text);
            if let (Action::Read { lines: None, .. }, Some(Read { file })) = (&step.action, &given.result) {
                output.truncated |= file.start_line > 1 || file.num_lines < file.total_lines;
            }
            step.output = Some(output);
        }
        Ok(())
    }
}

/// What a tool does, if it has a kind of its own and was called as it has to be.
fn action(name: &str, input: &Value) -> Option<Action> {
    let text = |key: &str| text_of(input, key).map(str::to_owned);
    let edit = |path, text| Some(Action::Edit { paths: vec![path], text });
    let number = |key| input.get(key).and_then(Value::as_i64);
    match name {
        "Bash" => Some(Action::Shell { command: text("command")?, folder: None }),
        "Read" => {
            let from = number("offset").unwrap_or(1).max(1);
            let to = number("limit").map_or(-1, |limit| from.saturating_add(limit) - 1);
            Some(Action::Read { path: text("file_path")?, lines: lines(from, to) })
        }
        "NotebookRead" => Some(Action::Read { path: text("notebook_path")?, lines: None }),
        "LS" => Some(Action::Read { path: text("path")?, lines: None }),
        "Edit" => edit(text("file_path")?, text("new_string")?),
        "MultiEdit" => {
            let edits = input.get("edits")?.as_array()?;
            let texts: Vec<&str> = edits.iter().filter_map(|edit| text_of(edit, "new_string")).collect();
            edit(text("file_path")?, texts.join("\n"))
        }
        "Write" => edit(text("file_path")?, text("content")?),
        "NotebookEdit" => edit(text("notebook_path")?, text("new_source").unwrap_or_default()),
        "WebFetch" => Some(fetch(&text("url")?)),
        _ => None,
    }
}

/// With what a command ended that failed, and what it wrote: newer logs say so on the first line.
fn exit(text: &str) -> (Option<i32>, &str) {
    let (first, below) = text.split_once('\n').unwrap_or((text, ""));
    match first.strip_prefix("Exit code ").and_then(|code| code.parse().ok()) {
        Some(code) => (Some(code), below),
        None => (None, text),
    }
}

/// What the model saw, without reminders behind it. An output that was too long is told by its beginning, in a frame, or
/// by a last line that counts what is missing.
fn output(text: &str) -> Output {
    const FRAME: [&str; 2] = ["<persisted-output>\n", "</persisted-output>"];
    let mut text = text;
    while let Some((kept, reminder)) = text.trim_end().rsplit_once("<system-reminder>")
        && reminder.ends_with("</system-reminder>")
    {
        text = kept.trim_end_matches('\n');
    }
    if let Some(within) = text.strip_prefix(FRAME[0]).and_then(|text| text.trim_end().strip_suffix(FRAME[1]))
    {
        let preview = within.split_once("\n\nPreview (").and_then(|(_, rest)| rest.split_once("):\n"));
        let preview = preview.map_or("", |(_, preview)| preview);
        let preview = preview.strip_suffix("\n...\n").or(preview.strip_suffix('\n')).unwrap_or(preview);
        return Output { text: preview.to_owned(), truncated: true };
    }
    let missing = text.rsplit_once("\n\n... [").filter(|(_, rest)| {
        rest.strip_suffix(" lines truncated] ...").is_some_and(|number| number.parse::<usize>().is_ok())
    });
    match missing {
        Some((kept, _)) => Output { text: kept.to_owned(), truncated: true },
        None => Output { text: text.to_owned(), truncated: false },
    }
}

//! The rollout of a session: what the model answered, and what it was given back, joined by the id of the call.

use crate::foreign::{
    Calls, Content, command_of, fetch, lenient, lines, mended, patched, say, text_of, tool, typed,
    without_lines,
};
use crate::transcript::{Transcript, TranscriptError};
use polc_checker::evidence::{Action, Output, Step};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    payload: Value,
}

#[derive(Deserialize)]
struct Context {
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item {
    Message {
        role: String,
        content: Content,
    },
    FunctionCall {
        name: String,
        arguments: String,
        call_id: String,
    },
    CustomToolCall {
        name: String,
        input: String,
        call_id: String,
    },
    LocalShellCall {
        #[serde(default)]
        call_id: Option<String>,
        #[serde(default)]
        id: Option<String>,
        action: Execution,
    },
    WebSearchCall {
        #[serde(default, deserialize_with = "lenient")]
        id: Option<String>,
        #[serde(default)]
        action: Value,
    },
    #[serde(alias = "custom_tool_call_output", alias = "local_shell_call_output")]
    FunctionCallOutput {
        call_id: String,
        output: Answer,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Execution {
    command: Vec<String>,
    #[serde(default)]
    working_directory: Option<String>,
}

/// What was given back: a text, blocks of text, or either within a record.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Content(Content),
    Record { content: Content },
}

/// What a shell gave back, where it was written as JSON.
#[derive(Deserialize)]
struct Executed {
    output: String,
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    exit_code: i32,
}

pub(super) fn read(values: &[Value]) -> Result<Transcript, TranscriptError> {
    let mut reading = Reading::default();
    for (at, value) in values.iter().enumerate() {
        let Line { kind, payload } = typed(&format!("line {}", at + 1), value)?;
        match kind.as_str() {
            "turn_context" => {
                let context: Context = typed(&format!("the context of line {}", at + 1), &payload)?;
                reading.transcript.model = context.model.or(reading.transcript.model.take());
            }
            "response_item" => reading.take(typed(&format!("the item of line {}", at + 1), &payload)?),
            "event_msg" => reading.event(&payload),
            _ => {}
        }
    }
    reading.transcript.steps = reading.calls.into_steps();
    Ok(reading.transcript)
}

#[derive(Default)]
struct Reading {
    transcript: Transcript,
    calls: Calls,
    /// The calls whose command goes on, by the session it goes on in.
    sessions: HashMap<i64, String>,
    /// The calls that ask after such a session.
    polls: HashMap<String, i64>,
}

impl Reading {
    fn take(&mut self, item: Item) {
        match item {
            Item::Message { role, content } if role == "assistant" => {
                say(&mut self.transcript.said, &content.joined());
            }
            Item::FunctionCall { name, arguments, call_id } => {
                let read: Option<Value> = serde_json::from_str(&mended(&arguments)).ok();
                if let Some(session) =
                    read.as_ref().and_then(|read| read.get("session_id")).and_then(Value::as_i64)
                    && name == "write_stdin"
                {
                    self.polls.insert(call_id.clone(), session);
                }
                let input = Value::String(arguments);
                let action =
                    read.and_then(|read| called(&name, &read)).unwrap_or_else(|| tool(&name, &input));
                self.calls.add(Some(&call_id), Step::of(action));
            }
            Item::CustomToolCall { name, input, call_id } => {
                let action = if name == "apply_patch" { patch(input) } else { Action::Tool { name, input } };
                self.calls.add(Some(&call_id), Step::of(action));
            }
            Item::LocalShellCall { call_id, id, action } => {
                let folder = action.working_directory;
                let step = Step::of(run(&action.command, folder));
                self.calls.add(call_id.or(id).as_deref(), step);
            }
            Item::WebSearchCall { id, action } => {
                let action = match text_of(&action, "url") {
                    Some(url) => fetch(url),
                    None => tool("web_search", action.get("query").unwrap_or(&action)),
                };
                self.calls.add(id.as_deref(), Step::of(action));
            }
            Item::FunctionCallOutput { call_id, output } => self.answer(&call_id, &output),
            Item::Message { .. } | Item::Other => {}
        }
    }

    fn answer(&mut self, call_id: &str, answer: &Answer) {
        let (Answer::Content(content) | Answer::Record { content }) = answer;
        let text = content.joined();
        let poll = self.polls.get(call_id).copied();
        let Some(step) = self.calls.named(call_id) else { return };
        let is_run = step.command().is_some() || matches!(step.action, Action::Edit { .. }) || poll.is_some();
        let back = if is_run { Back::of(&text) } else { Back::plain(&text) };
        step.output = Some(back.output);
        match poll {
            // It is the command that ended, not the question after it.
            Some(session) => {
                if let Some(exit) = back.exit
                    && let Some(call) = self.sessions.remove(&session)
                    && let Some(step) = self.calls.named(&call)
                {
                    step.exit = Some(exit);
                }
            }
            None => {
                step.exit = back.exit;
                if let Some(session) = back.session {
                    self.sessions.insert(session, call_id.to_owned());
                }
            }
        }
    }

    fn event(&mut self, event: &Value) {
        match text_of(event, "type") {
            Some("task_started" | "turn_started") => self.transcript.ending = None,
            Some(kind @ ("task_complete" | "turn_complete")) => {
                self.transcript.ending = Some(kind.to_owned())
            }
            Some(kind @ "turn_aborted") => {
                let reason = text_of(event, "reason");
                self.transcript.ending =
                    Some(reason.map_or(kind.to_owned(), |reason| format!("{kind}: {reason}")));
            }
            _ => {}
        }
    }
}

fn patch(text: String) -> Action {
    Action::Edit { paths: patched(&text), text }
}

fn run(command: &[String], folder: Option<String>) -> Action {
    match command {
        [program, text] if program == "apply_patch" => patch(text.clone()),
        _ => Action::Shell { command: command_of(command), folder },
    }
}

/// What a function does, if it has a kind of its own and the arguments that it needs.
fn called(name: &str, of: &Value) -> Option<Action> {
    let text = |key| text_of(of, key).map(str::to_owned);
    Some(match name {
        "shell" | "container.exec" | "exec_command" | "shell_command" | "local_shell" => {
            let folder = text("workdir");
            let command = of.get("cmd").or(of.get("command"))?;
            match command {
                Value::String(command) => Action::Shell { command: command.clone(), folder },
                other => run(&Vec::<String>::deserialize(other).ok()?, folder),
            }
        }
        "apply_patch" => patch(text("input")?),
        "read_file" => {
            let from = of.get("offset").and_then(Value::as_i64).unwrap_or(1);
            let to =
                of.get("limit").and_then(Value::as_i64).map_or(-1, |limit| from.saturating_add(limit) - 1);
            Action::Read { path: text("file_path")?, lines: lines(from, to) }
        }
        "view_image" => Action::Read { path: text("path")?, lines: None },
        "list_dir" => Action::Read { path: text("dir_path")?, lines: None },
        _ if name.starts_with("mcp__") && name.ends_with("__fetch") => fetch(text_of(of, "url")?),
        _ => return None,
    })
}

/// What came back from a shell.
struct Back {
    output: Output,
    exit: Option<i32>,
    session: Option<i64>,
}

impl Back {
    fn plain(text: &str) -> Self {
        Back { output: cut(text, None, false), exit: None, session: None }
    }

    /// The wrapper is JSON, or lines down to `Output:`, each of them known.
    fn of(text: &str) -> Self {
        if let Ok(Executed { output, metadata }) = serde_json::from_str(&mended(text)) {
            return Back { exit: Some(metadata.exit_code), ..Back::plain(&output) };
        }
        let (mut exit, mut session, mut tokens, mut total) = (None, None, None, false);
        let mut rest = text;
        while let Some((line, below)) = rest.split_once('\n').or((rest == "Output:").then_some((rest, ""))) {
            rest = below;
            if line == "Output:" {
                return Back { output: cut(rest, tokens, total), exit, session };
            } else if let Some(code) = after(line, &["Exit code: ", "Process exited with code "]) {
                exit = code.parse().ok();
            } else if let Some(number) = after(line, &["Process running with session ID "]) {
                session = number.parse().ok();
            } else if let Some(count) = after(line, &["Original token count: "]) {
                tokens = count.parse().ok();
            } else if after(line, &["Total output lines: "]).is_some() {
                total = true;
            } else if after(line, &["Chunk ID: ", "Wall time: "]).is_none() {
                break;
            }
        }
        Back::plain(text)
    }
}

fn after<'t>(line: &'t str, heads: &[&str]) -> Option<&'t str> {
    heads.iter().find_map(|head| line.strip_prefix(head))
}

/// The bytes that every output has that was cut, where nothing counts what there was.
const LEAST_OF_CUT: usize = 4_000;

/// An output whose middle was cut out says so on its first lines, which are taken off; by a line of its own; or amid a
/// line, where only its length, or a count of what there was, tells the mark from a text that quotes one.
fn cut(text: &str, tokens: Option<usize>, is_counted: bool) -> Output {
    let below = below_head(text);
    let headed = is_counted || below.is_some();
    let rest = below.unwrap_or(text);
    let is_line = |line: &str| {
        let Some(within) = line.strip_prefix("[... ").and_then(|line| line.strip_suffix(" ...]")) else {
            return false;
        };
        let words: Vec<&str> = within.split(' ').collect();
        let number = |word: &str| word.parse::<usize>().is_ok();
        match words.as_slice() {
            ["omitted", some, "of", all, "lines"] => number(some) && number(all),
            ["output", "truncated", "to", "fit", most, "bytes"] => number(most),
            _ => false,
        }
    };
    let mut output =
        without_lines(rest, is_line).unwrap_or_else(|| Output { text: rest.to_owned(), truncated: headed });
    let is_long = tokens.map_or(rest.len() >= LEAST_OF_CUT, |tokens| tokens > rest.len().div_ceil(4));
    if (headed || is_long)
        && let Some(text) = without_elisions(&output.text)
    {
        output = Output { text, truncated: true };
    }
    output
}

/// What stands below the first lines of an output that was cut, and the blank one behind them.
fn below_head(text: &str) -> Option<&str> {
    let number =
        |line: &str, head: &str, end: &str| line.strip_prefix(head)?.strip_suffix(end)?.parse::<usize>().ok();
    let (first, below) = text.split_once('\n')?;
    let is_warning = number(first, "Warning: truncated output (original token count: ", ")").is_some();
    let (counted, below) = if is_warning { below.split_once('\n')? } else { (first, below) };
    number(counted, "Total output lines: ", "")?;
    below.strip_prefix('\n')
}

/// A text without `…12 tokens truncated…`; none if there is no such mark.
fn without_elisions(text: &str) -> Option<String> {
    let is_mark = |part: &str| {
        let number = part.strip_suffix(" tokens truncated").or(part.strip_suffix(" chars truncated"));
        number.is_some_and(|number| number.parse::<usize>().is_ok())
    };
    let mut kept = String::new();
    let mut parts = text.split('…').peekable();
    let mut found = false;
    while let Some(part) = parts.next() {
        kept.push_str(part);
        let Some(next) = parts.peek() else { break };
        if is_mark(next) {
            parts.next();
            found = true;
            kept.push('\n');
        } else {
            kept.push('…');
        }
    }
    found.then_some(kept)
}

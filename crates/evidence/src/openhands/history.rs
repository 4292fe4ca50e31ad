//! The history of OpenHands' version 0: actions and observations. A benchmark numbers them and says what caused what; the
//! resolver writes them bare, one behind the other; an older benchmark writes pairs.

use super::event::edited;
use super::needed;
use crate::foreign::{
    Calls, Turns, another, clipped, fetch, lenient, lines, say, text_of, tool, typed, without_lines,
};
use crate::transcript::{Transcript, TranscriptError};
use polc_checker::evidence::{Action, Output, Step};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The line that stands where the middle of an output was cut out.
const CUT: &str = "[... Observation truncated due to length ...]";

/// How the line begins that stands before the prompt.
const INTERPRETER: &str = "[Python Interpreter: ";

#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    id: Option<i64>,
    #[serde(default)]
    cause: Option<i64>,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    action: Option<String>,
    #[serde(default)]
    observation: Option<String>,
    #[serde(default)]
    args: Option<Value>,
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    exit_code: Option<i32>,
    #[serde(default, deserialize_with = "lenient")]
    extras: Option<Extras>,
    #[serde(default, deserialize_with = "lenient")]
    tool_call_metadata: Option<CallMetadata>,
}

#[derive(Deserialize)]
struct Extras {
    #[serde(default, deserialize_with = "lenient")]
    metadata: Option<Exit>,
    #[serde(default, deserialize_with = "lenient")]
    exit_code: Option<i32>,
    #[serde(default, deserialize_with = "lenient")]
    agent_state: Option<String>,
}

#[derive(Deserialize)]
struct Exit {
    exit_code: i32,
}

#[derive(Deserialize)]
struct CallMetadata {
    model_response: ModelResponse,
}

#[derive(Deserialize)]
struct ModelResponse {
    id: String,
}

/// Whether a record is an event.
pub(super) fn is_event(record: &Map<String, Value>) -> bool {
    let is_named = ["action", "observation"].iter().any(|key| record.get(*key).is_some_and(Value::is_string));
    let is_told =
        ["args", "content", "extras", "command", "thought"].iter().any(|key| record.contains_key(*key));
    is_named && is_told
}

/// Whether there are events among values, or in pairs among them.
pub(super) fn has_events(values: &[Value]) -> bool {
    flat(values).filter_map(Value::as_object).any(is_event)
}

fn flat(values: &[Value]) -> impl Iterator<Item = &Value> {
    values.iter().flat_map(|value| match value {
        Value::Array(pair) => pair.as_slice(),
        value => std::slice::from_ref(value),
    })
}

pub(super) fn read(values: &[Value]) -> Result<Transcript, TranscriptError> {
    let mut reading = Reading::default();
    for (at, value) in flat(values).enumerate() {
        let event: Event = typed(&format!("event {}", at + 1), value)?;
        match (&event.action, &event.observation) {
            (Some(name), _) => reading.action(name, &event, value)?,
            (None, Some(name)) => reading.observation(name, &event),
            (None, None) => {
                return Err(another("neither an action nor an observation", std::slice::from_ref(value)));
            }
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
    /// The command that was still running when its output was taken.
    running: Option<String>,
    /// Whether the last call waits for what comes next, where nothing has an id.
    waits: bool,
}

impl Reading {
    fn action(&mut self, name: &str, event: &Event, value: &Value) -> Result<(), TranscriptError> {
        self.waits = false;
        if event.source.as_deref().is_some_and(|source| source != "agent") {
            return Ok(());
        }
        let of = event.args.as_ref().unwrap_or(value);
        if name == "message" {
            say(&mut self.transcript.said, text_of(of, "content").unwrap_or_default());
            return Ok(());
        }
        let Some(action) = action(name, of)? else { return Ok(()) };
        // What a tool is for saying is said by the tool.
        if name != "think" {
            say(&mut self.transcript.said, text_of(of, "thought").unwrap_or_default());
        }
        if name == "finish" {
            say(&mut self.transcript.said, text_of(of, "final_thought").unwrap_or_default());
            self.transcript.ending = Some(name.to_owned());
        }
        let response = event.tool_call_metadata.as_ref().map(|metadata| metadata.model_response.id.as_str());
        let step = Step { turn: self.turns.of(response), ..Step::of(action) };
        self.calls.add(event.id.map(|id| id.to_string()).as_deref(), step);
        self.waits = event.id.is_none();
        Ok(())
    }

    fn observation(&mut self, name: &str, event: &Event) {
        let extras = event.extras.as_ref();
        if name == "agent_state_changed" {
            let state = extras.and_then(|extras| extras.agent_state.clone());
            self.transcript.ending = state.filter(|state| state != "running");
            return;
        }
        let cause = event.cause.map(|cause| cause.to_string());
        let waits = std::mem::take(&mut self.waits);
        let step = match &cause {
            Some(cause) => self.calls.named(cause),
            None if waits => self.calls.last(),
            None => None,
        };
        let Some(step) = step else { return };
        let content = event.content.as_deref().unwrap_or_default();
        if name != "run" {
            step.output = Some(output(content));
            return;
        }
        let within = extras
            .and_then(|extras| extras.metadata.as_ref().map(|exit| exit.exit_code).or(extras.exit_code));
        let code = within.or(event.exit_code);
        let exit = code.filter(|code| *code >= 0);
        step.output = Some(output(without_prompt(content)));
        if step.command().is_some() {
            step.exit = exit;
            self.running = cause.filter(|_| code == Some(-1));
        } else if let Some(running) = exit.and(self.running.take())
            && let Some(step) = self.calls.named(&running)
        {
            step.exit = exit;
        }
    }
}

/// What an action does; none of those that concern the scaffold alone.
fn action(name: &str, of: &Value) -> Result<Option<Action>, TranscriptError> {
    let what = format!("the action `{name}`");
    let needed = |key| needed(of, key, &what);
    let number = |key: &str, otherwise| of.get(key).and_then(Value::as_i64).unwrap_or(otherwise);
    Ok(Some(match name {
        "run" => {
            let command = needed("command")?;
            let is_input = of.get("is_input").and_then(Value::as_bool).unwrap_or_default();
            if is_input || command.trim().is_empty() {
                tool(name, of)
            } else {
                let folder = text_of(of, "cwd").map(str::to_owned);
                Action::Shell { command: command.to_owned(), folder }
            }
        }
        "read" => {
            let path = needed("path")?;
            if of.get("view_range").is_some_and(Value::is_array) {
                edited("view", path, of)
            } else {
                // Lines count from 0 here, and the end is one behind.
                let lines = lines(number("start", 0).saturating_add(1), number("end", -1));
                Action::Read { path: path.to_owned(), lines }
            }
        }
        "edit" | "write" => {
            let path = needed("path")?;
            match text_of(of, "command").filter(|command| !command.is_empty()) {
                Some(command) => edited(command, path, of),
                None => {
                    let text = text_of(of, "content").unwrap_or_default().to_owned();
                    Action::Edit { paths: vec![path.to_owned()], text }
                }
            }
        }
        "browse" => fetch(needed("url")?),
        "browse_interactive" => gone_to(of).map_or_else(|| tool(name, of), fetch),
        "call_tool_mcp" | "mcp" => {
            let called = needed("name")?;
            let input = of.get("arguments").unwrap_or(&Value::Null);
            match text_of(input, "url") {
                Some(url) if called == "fetch" => fetch(url),
                _ => tool(called, input),
            }
        }
        "system"
        | "recall"
        | "change_agent_state"
        | "null"
        | "pause"
        | "resume"
        | "stop"
        | "start"
        | "condensation"
        | "condensation_request"
        | "loop_recovery" => return Ok(None),
        _ => tool(name, of),
    }))
}

/// The address, where a browser is told to go to one and nothing else.
fn gone_to(of: &Value) -> Option<&str> {
    let within = text_of(of, "browser_actions")?.trim().strip_prefix("goto(")?.strip_suffix(')')?.trim();
    let quote = within.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let url = within.strip_prefix(quote)?.strip_suffix(quote)?;
    (!url.contains(quote)).then_some(url)
}

fn output(text: &str) -> Output {
    let text = text.replace("\r\n", "\n");
    without_lines(&text, |line| line == CUT).unwrap_or_else(|| clipped(&text))
}

/// The output without the prompt that the terminal showed behind it.
fn without_prompt(text: &str) -> &str {
    let Some((above, last)) = text.rsplit_once('\n') else {
        return if is_prompt(text) { "" } else { text };
    };
    if !is_prompt(last) {
        return text;
    }
    let above = above.trim_end_matches('\r');
    let (kept, interpreter) = above.rsplit_once('\n').unwrap_or(("", above));
    let is_interpreter = interpreter.starts_with(INTERPRETER) && interpreter.ends_with(']');
    let kept = if is_interpreter { kept } else { above };
    kept.trim_end_matches(['\r', '\n'])
}

/// `user@host:/folder $ `, with a blank at the end.
fn is_prompt(line: &str) -> bool {
    let Some(before) = line.strip_suffix("$ ").or(line.strip_suffix("# ")) else { return false };
    let Some((who, folder)) = before.trim_end().split_once(':') else { return false };
    who.contains('@') && !who.contains(char::is_whitespace) && folder.starts_with(['/', '~'])
}

//! mini-swe-agent: a bare list of messages, formats 1 and 1.1, observations in tags and as JSON, and
//! items of the Responses API.
//!
//! Actions stand beside an answer of the model, in its calls of a tool, or in a fenced block of its
//! text. Results are joined to them by id; only where neither has one, by position.

mod observation;

use crate::foreign::mended;
use crate::sample::Sample;
use crate::transcript::{Transcript, TranscriptError};
use observation::Observation;
use polc_checker::evidence::{Action, Step};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a command prints first to hand in what it prints after it.
const SUBMITS: [&str; 2] = ["COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT"];

/// How a fenced block that is to be run begins. The first of them that a text has counts.
const FENCES: [&str; 2] = ["```mswea_bash_command", "```bash"];

#[derive(Deserialize)]
struct File {
    messages: Vec<Message>,
    info: Option<Info>,
    instance_id: Option<String>,
}

#[derive(Deserialize, Default)]
struct Info {
    exit_status: Option<String>,
    submission: Option<String>,
    config: Option<Config>,
}

#[derive(Deserialize, Default)]
struct Config {
    model: Option<Model>,
    environment: Option<Environment>,
}

#[derive(Deserialize)]
struct Model {
    model_name: Option<String>,
}

#[derive(Deserialize)]
struct Environment {
    env: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct Message {
    role: Option<String>,
    content: Option<Text>,
    tool_calls: Option<Vec<ToolCall>>,
    tool_call_id: Option<String>,
    extra: Option<Extra>,
    /// `response` for an answer of the Responses API.
    object: Option<String>,
    /// `function_call_output` for a result of the Responses API.
    r#type: Option<String>,
    call_id: Option<String>,
    output: Option<Text>,
}

/// A text, whole or in parts. The parts of an answer of the Responses API are its items.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Whole(String),
    Parts(Vec<Item>),
}

#[derive(Deserialize)]
struct Item {
    r#type: Option<String>,
    text: Option<String>,
    content: Option<Vec<Piece>>,
    name: Option<String>,
    arguments: Option<String>,
    call_id: Option<String>,
}

#[derive(Deserialize)]
struct Piece {
    text: Option<String>,
}

#[derive(Deserialize)]
struct ToolCall {
    id: Option<String>,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
struct Extra {
    actions: Option<Vec<RecordedAction>>,
    returncode: Option<i32>,
    exception_info: Option<String>,
    submission: Option<String>,
}

#[derive(Deserialize)]
struct RecordedAction {
    command: String,
    tool_call_id: Option<String>,
}

/// An action, and the id that its result has.
struct Call {
    action: Action,
    id: Option<String>,
}

pub(crate) fn recognises(sample: &Sample) -> bool {
    let is_message = |record: &serde_json::Map<String, serde_json::Value>| {
        record.contains_key("content") && record.contains_key("role")
    };
    match sample {
        Sample::Object(_) => sample.has(&["messages"]),
        Sample::List(records) => records.first().is_some_and(is_message),
        Sample::Lines(_) | Sample::Empty | Sample::Other => false,
    }
}

pub(crate) fn read(text: &str) -> Result<Transcript, TranscriptError> {
    let text = &*mended(text);
    let of_json = |error: serde_json::Error| TranscriptError::of_json(&error, text);
    let file = if text.trim_start().starts_with('[') {
        File { messages: serde_json::from_str(text).map_err(of_json)?, info: None, instance_id: None }
    } else {
        serde_json::from_str(text).map_err(of_json)?
    };
    if let Some(first) = file.messages.first()
        && first.role.is_none()
        && first.object.is_none()
    {
        return Err(TranscriptError::another("the messages have no `role`", &Sample::of(text)));
    }
    Ok(transcript(file))
}

fn transcript(file: File) -> Transcript {
    let mut read = Transcript::default();
    let mut turn = 0;
    let by_id = results_by_id(&file.messages);
    for (at, message) in file.messages.iter().enumerate() {
        if !message.is_of_the_agent() {
            continue;
        }
        turn += 1;
        let said = message.said();
        let calls = message.calls(&said);
        let said = without_actions(&said, &calls);
        if !said.trim().is_empty() {
            read.said.push(said);
        }
        let mut by_position = file.messages[at + 1..]
            .iter()
            .take_while(|message| !message.is_of_the_agent())
            .filter(|message| message.is_a_result() && message.result_id().is_none());
        for call in calls {
            let result = match &call.id {
                Some(id) => by_id.get(id.as_str()).copied(),
                None => by_position.next(),
            };
            let submits = match &call.action {
                Action::Shell { command, .. } => SUBMITS.iter().any(|mark| command.contains(mark)),
                _ => false,
            };
            let observation = result.map(Message::observation).unwrap_or_default();
            if submits && observation.is_bare() && read.submission.is_none() {
                // Format 1 keeps what was handed in where the result of a command would stand.
                read.submission = observation.text.clone();
            }
            let (output, exit) = observation.of_a_step(submits);
            read.steps.push(Step { output, exit, turn: Some(turn), ..Step::of(call.action) });
        }
    }
    let info = file.info.unwrap_or_default();
    let handed_in = file.messages.iter().rev().find_map(|message| message.extra.as_ref()?.submission.clone());
    read.submission = info.submission.or(handed_in).or(read.submission);
    read.ending = info.exit_status;
    read.instance = file.instance_id;
    let config = info.config.unwrap_or_default();
    read.model = config.model.and_then(|model| model.model_name);
    read.environment = config.environment.and_then(|it| it.env).unwrap_or_default().into_iter().collect();
    read
}

fn results_by_id(messages: &[Message]) -> BTreeMap<&str, &Message> {
    let mut results = BTreeMap::new();
    for message in messages.iter().filter(|message| message.is_a_result()) {
        if let Some(id) = message.result_id() {
            results.entry(id).or_insert(message);
        }
    }
    results
}

impl Message {
    fn is_of_the_agent(&self) -> bool {
        self.role.as_deref() == Some("assistant") || self.object.as_deref() == Some("response")
    }

    fn is_a_result(&self) -> bool {
        matches!(self.role.as_deref(), Some("tool" | "user"))
            || self.r#type.as_deref() == Some("function_call_output")
    }

    fn result_id(&self) -> Option<&str> {
        self.tool_call_id.as_deref().or(self.call_id.as_deref())
    }

    /// What the agent said, thoughts that nobody was shown left out.
    fn said(&self) -> String {
        match (&self.content, &self.output) {
            (Some(text), _) => text.joined(),
            (None, Some(Text::Parts(items))) => {
                let messages = items.iter().filter(|item| item.r#type.as_deref() == Some("message"));
                let texts = messages.flat_map(|item| item.content.iter().flatten());
                texts.filter_map(|piece| piece.text.as_deref()).collect::<Vec<_>>().join("\n")
            }
            (None, Some(Text::Whole(_)) | None) => String::new(),
        }
    }

    fn calls(&self, said: &str) -> Vec<Call> {
        if let Some(actions) = self.extra.as_ref().and_then(|extra| extra.actions.as_ref()) {
            return actions.iter().map(RecordedAction::call).collect();
        }
        if let Some(calls) = self.tool_calls.as_ref().filter(|calls| !calls.is_empty()) {
            let call = |call: &ToolCall| Call { action: call.function.action(), id: call.id.clone() };
            return calls.iter().map(call).collect();
        }
        if let (Some("response"), Some(Text::Parts(items))) = (self.object.as_deref(), &self.output) {
            return items.iter().filter_map(Item::call).collect();
        }
        // One block is an action. With none or several the scaffold asks again.
        match blocks(said).as_slice() {
            [one] => vec![Call {
                action: Action::Shell { command: one.command.to_owned(), folder: None },
                id: None,
            }],
            _ => Vec::new(),
        }
    }

    fn observation(&self) -> Observation {
        let text = self.content.as_ref().or(self.output.as_ref()).map(Text::joined).unwrap_or_default();
        let (code, exception) = match &self.extra {
            Some(extra) => (extra.returncode, extra.exception_info.as_deref()),
            None => (None, None),
        };
        Observation::of(text, code, exception)
    }
}

impl Text {
    fn joined(&self) -> String {
        match self {
            Text::Whole(text) => text.clone(),
            Text::Parts(parts) => {
                parts.iter().filter_map(|part| part.text.as_deref()).collect::<Vec<_>>().join("\n")
            }
        }
    }
}

impl RecordedAction {
    fn call(&self) -> Call {
        let action = Action::Shell { command: self.command.clone(), folder: None };
        Call { action, id: self.tool_call_id.clone() }
    }
}

impl Item {
    fn call(&self) -> Option<Call> {
        let (Some("function_call"), Some(name), Some(arguments)) =
            (self.r#type.as_deref(), &self.name, &self.arguments)
        else {
            return None;
        };
        let function = Function { name: name.clone(), arguments: arguments.clone() };
        Some(Call { action: function.action(), id: self.call_id.clone() })
    }
}

impl Function {
    fn action(&self) -> Action {
        #[derive(Deserialize)]
        struct Arguments {
            command: String,
        }
        match serde_json::from_str::<Arguments>(&mended(&self.arguments)) {
            Ok(arguments) if self.name == "bash" => {
                Action::Shell { command: arguments.command, folder: None }
            }
            Ok(_) | Err(_) => Action::Tool { name: self.name.clone(), input: self.arguments.clone() },
        }
    }
}

/// A fenced block of a text, from its first to its last backtick.
struct Block<'t> {
    range: std::ops::Range<usize>,
    command: &'t str,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    for fence in FENCES {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = text[from..].find(fence).map(|at| from + at) {
            from = at + fence.len();
            let Some(line_end) = text[from..].find('\n').map(|end| from + end) else { break };
            if !text[from..line_end].trim().is_empty() {
                continue;
            }
            let Some(end) = text[line_end..].find("\n```").map(|end| line_end + end) else { break };
            let command = text.get(line_end + 1..end).unwrap_or_default();
            found.push(Block { range: at..end + 4, command });
            from = end + 4;
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// A text without the blocks that are its actions.
fn without_actions(text: &str, calls: &[Call]) -> String {
    let is_run = |command: &str| {
        calls.iter().any(
            |call| matches!(&call.action, Action::Shell { command: run, .. } if run.trim() == command.trim()),
        )
    };
    let mut kept = String::new();
    let mut from = 0;
    for block in blocks(text).into_iter().filter(|block| is_run(block.command)) {
        kept.push_str(&text[from..block.range.start]);
        from = block.range.end;
    }
    kept.push_str(&text[from..]);
    kept
}

//! Messages.

use super::{Wire, parse};
use crate::fault::Fault;
use polc_records::endpoint::Structure;
use polc_records::recording::{ModelAnswer, ModelRequest, Speaker, Stopped, Text, Usage};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

const VERSION: &str = "2023-06-01";

pub(super) fn headers(key: Option<&str>) -> Vec<(&'static str, String)> {
    let key = key.map(|key| ("x-api-key", key.to_owned()));
    key.into_iter().chain([("anthropic-version", VERSION.to_owned())]).collect()
}

pub(super) fn body(wire: Wire, request: &ModelRequest, schema: &Value) -> Value {
    let turns = request.turns.iter().map(|turn| {
        let role = match turn.by {
            Speaker::Polc => "user",
            Speaker::Model => "assistant",
        };
        json!({"role": role, "content": turn.text.0})
    });
    let turns: Vec<Value> = turns.collect();
    let mut body = json!({
        "model": request.model,
        "max_tokens": request.answer_tokens,
        "system": request.system.0,
        "messages": turns,
    });
    if let Some(temperature) = request.temperature {
        body["temperature"] = json!(temperature);
    }
    match wire.structure {
        Structure::ResponseFormat => {
            body["output_config"] = json!({"format": {"type": "json_schema", "schema": schema}});
        }
        Structure::ForcedTool => {
            let name = &request.form.name;
            let description = "Gives the answer. Call it once, with the whole answer.";
            body["tools"] = json!([{"name": name, "description": description, "input_schema": schema}]);
            body["tool_choice"] = json!({"type": "tool", "name": name, "disable_parallel_tool_use": true});
        }
    }
    body
}

#[derive(Deserialize)]
struct Message {
    model: Option<String>,
    content: Vec<Block>,
    stop_reason: Option<String>,
    usage: Option<Tokens>,
}

/// A part of the content: a text, a call of a tool, or something that is none of our concern.
#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    name: Option<String>,
    // As it was written: a key that stands twice must be seen.
    input: Option<Box<RawValue>>,
}

/// Some servers count only a part.
#[derive(Deserialize)]
struct Tokens {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
}

pub(super) fn read(body: &[u8], request: &ModelRequest) -> Result<ModelAnswer, Fault> {
    let message: Message = parse("message", body)?;
    let usage = message.usage.and_then(|tokens| {
        let cached = [tokens.cache_creation_input_tokens, tokens.cache_read_input_tokens];
        let input = cached.into_iter().flatten().fold(tokens.input_tokens?, u64::saturating_add);
        Some(Usage { input, output: tokens.output_tokens? })
    });
    let stopped = match message.stop_reason.as_deref() {
        Some("max_tokens" | "model_context_window_exceeded") => Stopped::Truncated,
        Some("refusal") => Stopped::Refused,
        Some("end_turn" | "tool_use") => Stopped::Complete,
        other => Stopped::Otherwise(other.unwrap_or("none").to_owned()),
    };
    let mut calls = Vec::new();
    let mut words = String::new();
    for block in message.content {
        match block.kind.as_str() {
            "tool_use" if block.name.as_ref() == Some(&request.form.name) => calls.extend(block.input),
            "text" => words.push_str(&block.text.unwrap_or_default()),
            _ => {}
        }
    }
    if calls.len() > 1 {
        return Err(Fault::Several { count: calls.len() });
    }
    // Words before the call are no part of the answer.
    let text = calls.pop().map_or(words, |input| input.get().to_owned());
    if stopped == Stopped::Complete && text.trim().is_empty() {
        return Err(Fault::Empty);
    }
    Ok(ModelAnswer { stopped, model: message.model, usage, text: Text(text) })
}

//! Chat completions.

use super::{Wire, parse};
use crate::fault::Fault;
use polc_records::endpoint::Structure;
use polc_records::recording::{ModelAnswer, ModelRequest, Speaker, Stopped, Text, Usage};
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) fn headers(key: Option<&str>) -> Vec<(&'static str, String)> {
    key.map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect()
}

pub(super) fn body(wire: Wire, request: &ModelRequest, schema: &Value) -> Value {
    let turns = request.turns.iter().map(|turn| {
        let role = match turn.by {
            Speaker::Polc => "user",
            Speaker::Model => "assistant",
        };
        json!({"role": role, "content": turn.text.0})
    });
    let system = json!({"role": "system", "content": request.system.0});
    let messages: Vec<Value> = std::iter::once(system).chain(turns).collect();
    let limit = if wire.of_the_makers { "max_completion_tokens" } else { "max_tokens" };
    let mut body = json!({"model": request.model, "messages": messages, limit: request.answer_tokens});
    if let Some(temperature) = request.temperature {
        body["temperature"] = json!(temperature);
    }
    let name = &request.form.name;
    let strict = wire.dialect == polc_records::endpoint::SchemaDialect::Strict;
    match wire.structure {
        Structure::ResponseFormat => {
            let form = json!({"name": name, "strict": strict, "schema": schema});
            body["response_format"] = json!({"type": "json_schema", "json_schema": form});
        }
        Structure::ForcedTool => {
            let function = json!({"name": name, "strict": strict, "parameters": schema});
            body["tools"] = json!([{"type": "function", "function": function}]);
            body["tool_choice"] = json!({"type": "function", "function": {"name": name}});
            body["parallel_tool_calls"] = json!(false);
        }
    }
    body
}

#[derive(Deserialize)]
struct Completion {
    model: Option<String>,
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    refusal: Option<String>,
    tool_calls: Option<Vec<Call>>,
}

#[derive(Deserialize)]
struct Call {
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    arguments: String,
}

/// Some servers count only a part.
#[derive(Deserialize)]
struct Tokens {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

pub(super) fn read(body: &[u8], request: &ModelRequest) -> Result<ModelAnswer, Fault> {
    let completion: Completion = parse("chat completion", body)?;
    let usage = completion
        .usage
        .and_then(|tokens| Some(Usage { input: tokens.prompt_tokens?, output: tokens.completion_tokens? }));
    let count = completion.choices.len();
    let mut choices = completion.choices.into_iter();
    let (Some(choice), None) = (choices.next(), choices.next()) else {
        return Err(if count == 0 { Fault::Empty } else { Fault::Several { count } });
    };
    let Choice { message, finish_reason } = choice;
    let refusal = message.refusal.filter(|words| !words.is_empty());
    let stopped = match finish_reason.as_deref() {
        _ if refusal.is_some() => Stopped::Refused,
        Some("length") => Stopped::Truncated,
        Some("content_filter") => Stopped::Filtered,
        Some("stop" | "tool_calls" | "function_call") => Stopped::Complete,
        other => Stopped::Otherwise(other.unwrap_or("none").to_owned()),
    };
    let mut calls: Vec<_> = message
        .tool_calls
        .into_iter()
        .flatten()
        .map(|call| call.function)
        .filter(|function| function.name == request.form.name)
        .collect();
    if calls.len() > 1 {
        return Err(Fault::Several { count: calls.len() });
    }
    // Words before the call are no part of the answer.
    let text =
        refusal.or_else(|| calls.pop().map(|call| call.arguments)).or(message.content).unwrap_or_default();
    if stopped == Stopped::Complete && text.trim().is_empty() {
        return Err(Fault::Empty);
    }
    Ok(ModelAnswer { stopped, model: completion.model, usage, text: Text(text) })
}

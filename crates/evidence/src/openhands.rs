//! OpenHands: events of its first version, an event log or its folder; `output.jsonl` of version 0, as a benchmark and as
//! the resolver write it.

mod event;
mod history;

use crate::foreign::{another, lenient, text_of, typed, values};
use crate::sample::Sample;
use crate::transcript::{Transcript, TranscriptError};
use serde::Deserialize;
use serde_json::Value;

/// What is looked for.
const LOOKED_FOR: &str = "no events of OpenHands: neither `kind` with an `id`, nor `action` or `observation`, \
                          nor records with a `history`";

/// A record of a run has one of these beside its `history`.
const RECORD_KEYS: [&str; 3] = ["test_result", "git_patch", "instruction"];

/// One line of `output.jsonl`: a task, and what came of it.
#[derive(Deserialize)]
struct Record {
    #[serde(default)]
    instance_id: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    instance: Option<Instance>,
    #[serde(default, deserialize_with = "lenient")]
    issue: Option<Issue>,
    #[serde(default)]
    base_commit: Option<String>,
    #[serde(default)]
    git_patch: Option<String>,
    #[serde(default)]
    test_result: Option<TestResult>,
    #[serde(default, deserialize_with = "lenient")]
    metadata: Option<Metadata>,
    #[serde(default)]
    history: Option<Vec<Value>>,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Deserialize)]
struct Instance {
    base_commit: Option<String>,
}

#[derive(Deserialize)]
struct Issue {
    owner: String,
    repo: String,
    number: u64,
}

#[derive(Deserialize)]
struct TestResult {
    #[serde(default)]
    git_patch: Option<String>,
}

/// How the benchmark was set up. The older one calls its model `llm_config`.
#[derive(Deserialize)]
struct Metadata {
    #[serde(alias = "llm_config")]
    llm: Llm,
}

#[derive(Deserialize)]
struct Llm {
    model: String,
}

/// What a conversation was started with.
#[derive(Deserialize)]
struct BaseState {
    agent: Agent,
}

#[derive(Deserialize)]
struct Agent {
    llm: Llm,
}

pub(crate) fn recognises(sample: &Sample) -> bool {
    let is_record = RECORD_KEYS.iter().any(|key| sample.has(&["history", key]));
    let is_event = sample.has(&["kind", "source", "timestamp"]);
    is_record
        || is_event
        || sample.records().iter().any(|record| event::is_event(record) || history::is_event(record))
}

fn is_record(value: &Value) -> bool {
    let is_list = value.get("history").is_some_and(|history| history.is_array() || history.is_null());
    is_list && RECORD_KEYS.iter().any(|key| value.get(key).is_some())
}

/// Reads one run: an event log, or one record of `output.jsonl`.
pub(crate) fn read(text: &str) -> Result<Transcript, TranscriptError> {
    let values = values(text)?;
    match values.as_slice() {
        [record] if is_record(record) => of_record(record),
        [record, ..] if is_record(record) => {
            let named =
                values.iter().map(|record| text_of(record, "instance_id").unwrap_or("(no name)").to_owned());
            Err(TranscriptError::Another {
                message: "several runs in one text; give each record on its own".to_owned(),
                found: named.collect(),
            })
        }
        events => of_events(events),
    }
}

/// Reads the folder that a conversation is kept in: its `base_state.json`, and its events by the names of their files,
/// `event-00012-….json`, in any order.
///
/// # Errors
/// Where one of the files is something else.
pub fn read_folder(base_state: Option<&str>, events: &[(&str, &str)]) -> Result<Transcript, TranscriptError> {
    let mut numbered = Vec::new();
    for (name, text) in events {
        let number =
            name.strip_prefix("event-").and_then(|rest| rest.split(['-', '.']).next()?.parse::<u64>().ok());
        let Some(number) = number else {
            let message = "a folder of events has files named `event-<number>-<id>.json`";
            return Err(TranscriptError::Another {
                message: message.to_owned(),
                found: vec![(*name).to_owned()],
            });
        };
        numbered.push((number, values(text)?));
    }
    numbered.sort_by_key(|(number, _)| *number);
    let all: Vec<Value> = numbered.into_iter().flat_map(|(_, values)| values).collect();
    let mut transcript =
        if all.is_empty() && base_state.is_some() { Transcript::default() } else { of_events(&all)? };
    if let Some(base_state) = base_state {
        let values = values(base_state)?;
        let Some(value) = values.first() else { return Err(another("`base_state.json` is empty", &values)) };
        let state: BaseState = typed("`base_state.json`", value)?;
        transcript.model.get_or_insert(state.agent.llm.model);
    }
    Ok(transcript)
}

fn of_events(values: &[Value]) -> Result<Transcript, TranscriptError> {
    if values.iter().filter_map(Value::as_object).any(event::is_event) {
        return event::read(values);
    }
    if history::has_events(values) {
        return history::read(values);
    }
    Err(another(LOOKED_FOR, values))
}

fn of_record(value: &Value) -> Result<Transcript, TranscriptError> {
    let record: Record = typed("a record of `output.jsonl`", value)?;
    let history = record.history.unwrap_or_default();
    let mut transcript = if history.is_empty() { Transcript::default() } else { of_events(&history)? };
    transcript.instance = record
        .instance_id
        .or_else(|| record.issue.map(|of| format!("{}/{}#{}", of.owner, of.repo, of.number)));
    transcript.base = record.base_commit.or_else(|| record.instance?.base_commit);
    transcript.patch = record.test_result.and_then(|result| result.git_patch).or(record.git_patch);
    if let Some(metadata) = record.metadata {
        transcript.model = Some(metadata.llm.model);
    }
    if let Some(error) = record.error.filter(|error| !error.is_empty()) {
        transcript.ending = Some(error);
    }
    Ok(transcript)
}

/// The value of a key that a call cannot do without.
fn needed<'v>(value: &'v Value, key: &str, what: &str) -> Result<&'v str, TranscriptError> {
    text_of(value, key).ok_or_else(|| another(format!("{what} has no `{key}`"), std::slice::from_ref(value)))
}

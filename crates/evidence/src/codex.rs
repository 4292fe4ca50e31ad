//! Codex: the stream that `codex exec --json` prints, and the rollout that a session leaves behind.

mod rollout;
mod stream;

use crate::foreign::{another, values};
use crate::sample::Sample;
use crate::transcript::{Transcript, TranscriptError};
use serde_json::{Map, Value};

/// What is looked for.
const LOOKED_FOR: &str = "no session of Codex: neither `type` with a `thread.`, `turn.` or `item.` event, nor lines with \
                          `timestamp`, `type` and `payload`";

pub(crate) fn recognises(sample: &Sample) -> bool {
    let is_one = sample.has(&["timestamp", "type", "payload"]) || sample.has(&["type", "thread_id"]);
    is_one || sample.records().iter().any(|record| is_event(record) || is_line(record))
}

/// Reads one run.
///
/// # Errors
/// Where it is another format.
pub(crate) fn read(text: &str) -> Result<Transcript, TranscriptError> {
    let values = values(text)?;
    let records = || values.iter().filter_map(Value::as_object);
    if records().any(is_line) {
        return rollout::read(&values);
    }
    if records().any(is_event) {
        return stream::read(&values);
    }
    Err(another(LOOKED_FOR, &values))
}

/// An event of the stream.
fn is_event(record: &Map<String, Value>) -> bool {
    kind(record).is_some_and(|kind| ["thread.", "turn.", "item."].iter().any(|of| kind.starts_with(of)))
}

/// A line of a rollout.
fn is_line(record: &Map<String, Value>) -> bool {
    let known = ["session_meta", "turn_context", "response_item", "event_msg", "compacted"];
    kind(record).is_some_and(|kind| known.contains(&kind))
        && record.get("payload").is_some_and(Value::is_object)
}

fn kind(record: &Map<String, Value>) -> Option<&str> {
    record.get("type")?.as_str()
}

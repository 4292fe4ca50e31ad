//! Codex: the stream that `codex exec --json` prints, and the rollout that a session leaves behind.

mod rollout;
mod stream;

use crate::foreign::{another, text_of, values};
use crate::transcript::{Transcript, TranscriptError};
use serde_json::Value;

/// What is looked for.
const LOOKED_FOR: &str = "no session of Codex: neither `type` with a `thread.`, `turn.` or `item.` event, nor lines with \
                          `timestamp`, `type` and `payload`";

/// Whether the beginning of a file is one of this format.
pub fn recognises(beginning: &[Value]) -> bool {
    beginning.iter().any(|value| is_event(value) || is_line(value))
}

/// Reads one run.
///
/// # Errors
/// Where it is another format.
pub fn read(text: &str) -> Result<Transcript, TranscriptError> {
    let values = values(text)?;
    if values.iter().any(is_line) {
        return rollout::read(&values);
    }
    if values.iter().any(is_event) {
        return stream::read(&values);
    }
    Err(another(LOOKED_FOR, &values))
}

/// An event of the stream.
fn is_event(value: &Value) -> bool {
    text_of(value, "type")
        .is_some_and(|kind| ["thread.", "turn.", "item."].iter().any(|of| kind.starts_with(of)))
}

/// A line of a rollout.
fn is_line(value: &Value) -> bool {
    let known = ["session_meta", "turn_context", "response_item", "event_msg", "compacted"];
    text_of(value, "type").is_some_and(|kind| known.contains(&kind))
        && value.get("payload").is_some_and(Value::is_object)
}

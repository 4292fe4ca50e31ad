//! JSON as scaffolds write it.

use crate::transcript::TranscriptError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How many values are looked at for the keys that a message names.
const MOST_VALUES: usize = 8;

/// How many keys a message names at most.
const MOST_KEYS: usize = 24;

/// The values of a file: the elements of a list, or one value after another, as in JSON lines.
///
/// # Errors
/// Where it is no JSON.
pub(crate) fn values(text: &str) -> Result<Vec<Value>, TranscriptError> {
    let text = mended(text.trim_start_matches('\u{feff}'));
    let read = serde_json::Deserializer::from_str(&text).into_iter().collect::<Result<Vec<Value>, _>>();
    Ok(elements(read.map_err(|error| TranscriptError::Syntax {
        line: error.line(),
        column: error.column(),
        message: without_place(&error),
    })?))
}

fn elements(mut values: Vec<Value>) -> Vec<Value> {
    match values.as_mut_slice() {
        [Value::Array(list)] => std::mem::take(list),
        _ => values,
    }
}

/// Half a surrogate pair, as an escape that JSON forbids and Python and JavaScript write where they cut a text, becomes
/// the replacement character. Nothing moves.
pub(crate) fn mended(text: &str) -> Cow<'_, str> {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Cow::Borrowed(text);
    }
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut mended = String::with_capacity(text.len());
    let mut rest = 0;
    while let Some(found) = text[rest..].find('\\') {
        let at = rest + found;
        mended.push_str(&text[rest..at]);
        let length = match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                mended.push_str("\\ufffd");
                rest = at + 6;
                continue;
            }
            _ => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
        mended.push_str(&text[at..at + length]);
        rest = at + length;
    }
    mended.push_str(&text[rest..]);
    Cow::Owned(mended)
}

fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.rfind(" at line ").map_or(message.clone(), |at| message[..at].to_owned())
}

/// The error for values that are something else than was looked for.
pub(crate) fn another(message: impl Into<String>, values: &[Value]) -> TranscriptError {
    let mut found = BTreeSet::new();
    for value in values.iter().take(MOST_VALUES) {
        match value {
            Value::Object(map) => found.extend(map.keys().cloned()),
            Value::Array(_) => drop(found.insert("a list".to_owned())),
            Value::String(_) => drop(found.insert("a text".to_owned())),
            Value::Null | Value::Bool(_) | Value::Number(_) => drop(found.insert(value.to_string())),
        }
    }
    let mut found: Vec<String> = found.into_iter().take(MOST_KEYS).collect();
    if found.is_empty() {
        found.push("nothing".to_owned());
    }
    TranscriptError::Another { message: message.into(), found }
}

/// A value as a part of a format.
///
/// # Errors
/// Where something is missing or of another type; the keys are named.
pub(crate) fn typed<T: DeserializeOwned>(what: &str, value: &Value) -> Result<T, TranscriptError> {
    T::deserialize(value)
        .map_err(|error| another(format!("{what} cannot be read: {error}"), std::slice::from_ref(value)))
}

/// For what is good to know and needed by nobody: another type is as good as nothing.
///
/// # Errors
/// Where the value itself cannot be read.
pub(crate) fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    from: D,
) -> Result<Option<T>, D::Error> {
    Ok(T::deserialize(Value::deserialize(from)?).ok())
}

/// The text of a key, if it is one.
pub(crate) fn text_of<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

/// A text, or blocks of which some are texts.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Content {
    /// One text.
    Text(String),
    /// Several blocks.
    Blocks(Vec<Block>),
}

/// A block of a message.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Block {
    /// The text; none of an image.
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) text: Option<String>,
}

impl Content {
    /// The texts, one below another.
    pub(crate) fn joined(&self) -> String {
        match self {
            Content::Text(text) => text.clone(),
            Content::Blocks(blocks) => {
                let texts: Vec<&str> = blocks.iter().filter_map(|block| block.text.as_deref()).collect();
                texts.join("\n")
            }
        }
    }
}

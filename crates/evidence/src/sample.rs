//! As much of a file as telling formats apart needs.

use crate::foreign::mended;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// How many records of a list or of lines are looked at.
const RECORDS: usize = 8;

/// The outside of a file: its keys, or those of its first records.
#[derive(Debug, Clone, PartialEq)]
pub enum Sample {
    /// One JSON object, by its keys.
    Object(BTreeSet<String>),
    /// A JSON list, by its first records that are objects.
    List(Vec<Map<String, Value>>),
    /// JSON lines, by the first of them that are objects.
    Lines(Vec<Map<String, Value>>),
    /// Nothing but white space.
    Empty,
    /// Something else.
    Other,
}

impl Sample {
    /// Looks at a text.
    pub fn of(text: &str) -> Sample {
        let text = &mended(text.trim_start_matches('\u{feff}'));
        match text.trim_start().as_bytes().first() {
            None => Sample::Empty,
            Some(b'[') => records(text).map_or(Sample::Other, Sample::List),
            Some(b'{') => keys(text).map_or_else(|| lines(text), Sample::Object),
            Some(_) => Sample::Other,
        }
    }

    /// Whether it is one object with all of these keys.
    pub fn has(&self, keys: &[&str]) -> bool {
        matches!(self, Sample::Object(found) if keys.iter().all(|key| found.contains(*key)))
    }

    /// The first records of a list or of lines.
    pub fn records(&self) -> &[Map<String, Value>] {
        match self {
            Sample::List(records) | Sample::Lines(records) => records,
            Sample::Object(_) | Sample::Empty | Sample::Other => &[],
        }
    }

    /// The keys that were found, for a message.
    pub fn keys(&self) -> Vec<String> {
        match self {
            Sample::Object(keys) => keys.iter().cloned().collect(),
            Sample::List(records) | Sample::Lines(records) => {
                let keys: BTreeSet<&String> = records.iter().flat_map(Map::keys).collect();
                keys.into_iter().cloned().collect()
            }
            Sample::Empty | Sample::Other => Vec::new(),
        }
    }
}

/// The keys of a text that is one object and nothing else.
fn keys(text: &str) -> Option<BTreeSet<String>> {
    struct Keys;
    impl<'de> Visitor<'de> for Keys {
        type Value = BTreeSet<String>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut keys = BTreeSet::new();
            while let Some((key, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
                keys.insert(key);
            }
            Ok(keys)
        }
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let keys = reader.deserialize_map(Keys).ok()?;
    reader.end().ok().map(|()| keys)
}

/// The first records of a text that is a list.
fn records(text: &str) -> Option<Vec<Map<String, Value>>> {
    struct Records;
    impl<'de> Visitor<'de> for Records {
        type Value = Vec<Map<String, Value>>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut records = Vec::new();
            while records.len() < RECORDS {
                match list.next_element::<Value>()? {
                    Some(Value::Object(record)) => records.push(record),
                    Some(_) => {}
                    None => return Ok(records),
                }
            }
            while let Some(IgnoredAny) = list.next_element()? {}
            Ok(records)
        }
    }
    serde_json::Deserializer::from_str(text).deserialize_seq(Records).ok()
}

fn lines(text: &str) -> Sample {
    let mut records = Vec::new();
    for line in text.split('\n').filter(|line| !line.trim().is_empty()).take(RECORDS) {
        if let Ok(Value::Object(record)) = serde_json::from_str(line) {
            records.push(record);
        }
    }
    if records.is_empty() { Sample::Other } else { Sample::Lines(records) }
}

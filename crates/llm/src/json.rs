//! JSON as a model wrote it: a key that stands twice is refused, at any depth.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// What is wrong with a text that should be JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// It is none.
    NotJson(String),
    /// A key stands twice in one object.
    DuplicateKey {
        key: String,
        /// The object, as a JSON pointer; empty for the whole.
        at: String,
    },
}

/// Reads a text.
pub(crate) fn parse(text: &str) -> Result<Value, Malformed> {
    let mut duplicate = None;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let seed = Reader { at: String::new(), duplicate: &mut duplicate };
    let value = seed.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    match (duplicate, value) {
        (Some((key, at)), _) => Err(Malformed::DuplicateKey { key, at }),
        (None, Ok(value)) => Ok(value),
        (None, Err(error)) => Err(Malformed::NotJson(error.to_string())),
    }
}

struct Reader<'a> {
    at: String,
    duplicate: &'a mut Option<(String, String)>,
}

impl Reader<'_> {
    fn below(&mut self, step: impl fmt::Display) -> Reader<'_> {
        Reader { at: format!("{}/{step}", self.at), duplicate: self.duplicate }
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(item) = items.next_element_seed(self.below(read.len()))? {
            read.push(item);
        }
        Ok(Value::Array(read))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if read.contains_key(&key) {
                *self.duplicate = Some((key, self.at.clone()));
                return Err(A::Error::custom("a key stands twice"));
            }
            let value = entries.next_value_seed(self.below(&key))?;
            read.insert(key, value);
        }
        Ok(Value::Object(read))
    }
}

//! The two wire formats: what is sent, and what an answer says before its words are looked at.

mod chat;
mod messages;

use crate::fault::Fault;
use crate::form;
use polc_records::endpoint::{SchemaDialect, Structure, WireFormat};
use polc_records::recording::{ModelAnswer, ModelRequest};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How much of a body that is not in the format is shown.
const SHOWN: usize = 80;

/// A wire format as one endpoint wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wire {
    pub(crate) format: WireFormat,
    pub(crate) structure: Structure,
    pub(crate) dialect: SchemaDialect,
    /// Whether the endpoint is that of those who made the format, which has moved on a little since.
    pub(crate) of_the_makers: bool,
}

/// What an endpoint says in place of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// The kind, in the provider's word.
    pub(crate) kind: String,
    pub(crate) message: String,
}

impl Wire {
    /// The path below the base address.
    pub(crate) fn path(self) -> &'static [&'static str] {
        match self.format {
            WireFormat::ChatCompletions => &["chat", "completions"],
            WireFormat::Messages => &["messages"],
        }
    }

    /// The headers that carry the key and the version of the format.
    pub(crate) fn headers(self, key: Option<&str>) -> Vec<(&'static str, String)> {
        match self.format {
            WireFormat::ChatCompletions => chat::headers(key),
            WireFormat::Messages => messages::headers(key),
        }
    }

    /// The document to send.
    pub(crate) fn body(self, request: &ModelRequest) -> Value {
        let schema = form::sent(&request.form, self.dialect);
        match self.format {
            WireFormat::ChatCompletions => chat::body(self, request, &schema),
            WireFormat::Messages => messages::body(self, request, &schema),
        }
    }

    /// What an answer says.
    pub(crate) fn read(self, body: &[u8], request: &ModelRequest) -> Result<ModelAnswer, Fault> {
        match self.format {
            WireFormat::ChatCompletions => chat::read(body, request),
            WireFormat::Messages => messages::read(body, request),
        }
    }
}

/// The complaint in a body, whichever of their forms providers chose; the beginning of the body where it is none.
pub(crate) fn complaint(body: &[u8]) -> Complaint {
    #[derive(Deserialize)]
    struct Outer {
        error: Inner,
    }
    #[derive(Deserialize)]
    struct Inner {
        #[serde(default, rename = "type")]
        kind: Option<String>,
        #[serde(default)]
        code: Option<Value>,
        #[serde(default)]
        message: Option<String>,
    }
    let Ok(Outer { error }) = serde_json::from_slice(body) else {
        return Complaint { kind: String::new(), message: beginning(body) };
    };
    // A code that is a word says more than the type; one that is a number repeats the status.
    let code = error.code.and_then(|code| code.as_str().map(str::to_owned));
    Complaint { kind: code.or(error.kind).unwrap_or_default(), message: error.message.unwrap_or_default() }
}

fn beginning(body: &[u8]) -> String {
    String::from_utf8_lossy(body)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(SHOWN)
        .collect()
}

fn parse<T: DeserializeOwned>(format: &'static str, body: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(body).map_err(|error| Fault::NotTheFormat {
        format,
        why: error.to_string(),
        beginning: beginning(body),
    })
}

//! What was asked of a language model and what it answered: one file for each request, named by its digest.
//!
//! A request is recorded whole, but for the key and the address, which are no part of it: the same request to
//! another server is the same request. Texts are lists of lines, and every field has a line of its own, so that a
//! changed prompt is a few changed lines for git.

use crate::digest::Digest;
use crate::endpoint::Temperature;
use crate::problem::Problem;
use crate::store::{check_schema, read_text, write_once};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::path::{Path, PathBuf};

const SCHEMA: u32 = 1;
const WHAT: &str = "recorded answer";

/// A text, written as a list of its lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Text(pub String);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.split('\n'))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Text(Vec::<String>::deserialize(deserializer)?.join("\n")))
    }
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speaker {
    /// Polc.
    Polc,
    /// The model, in an answer that is asked for again.
    Model,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Who speaks.
    pub by: Speaker,
    /// What is said.
    pub text: Text,
}

/// The form of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerForm {
    /// What an answer is called: letters, digits and underscores.
    pub name: String,
    /// The whole JSON schema.
    pub schema: Value,
}

/// Everything on which an answer depends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelRequest {
    /// The model.
    pub model: String,
    /// How many tokens the answer may have.
    pub answer_tokens: u64,
    /// How freely the model chooses, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Temperature>,
    /// Which of several answers to the same question this is, from 0. It is not sent.
    #[serde(default, skip_serializing_if = "is_first")]
    pub sample: u32,
    /// The form of the answer.
    pub form: AnswerForm,
    /// What the model is told first.
    pub system: Text,
    /// What is said then. The last one to speak is polc.
    pub turns: Vec<Turn>,
}

fn is_first(sample: &u32) -> bool {
    *sample == 0
}

impl ModelRequest {
    /// The digest that names it.
    pub fn digest(&self) -> Digest {
        // Strings, numbers and JSON can always be written as JSON.
        Digest::of(serde_json::to_vec(self).unwrap_or_default())
    }

    /// The lines in which it is recorded, to compare it by.
    pub fn lines(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// It had said everything.
    Complete,
    /// It had no tokens left.
    Truncated,
    /// It refused.
    Refused,
    /// A filter of the provider took the answer away.
    Filtered,
    /// For another reason, in the word of the provider.
    Otherwise(String),
}

/// How many tokens were read and written, as the provider counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Read, from a cache or not.
    pub input: u64,
    /// Written.
    pub output: u64,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelAnswer {
    /// Why it stopped.
    pub stopped: Stopped,
    /// The name by which the model calls itself, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What was counted, where the provider says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Its words, as they came.
    pub text: Text,
}

/// A request and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// Schema version.
    schema: u32,
    /// What the request was for, in words. It names the request to a person and is no part of it.
    pub label: String,
    /// What was asked.
    pub request: ModelRequest,
    /// What was answered.
    pub answer: ModelAnswer,
}

impl Recorded {
    /// A request with its answer.
    pub fn new(label: String, request: ModelRequest, answer: ModelAnswer) -> Self {
        Recorded { schema: SCHEMA, label, request, answer }
    }

    /// Where it lies in a folder of recordings.
    pub fn path(folder: &Path, digest: &Digest) -> PathBuf {
        folder.join(format!("{}.json", digest.hex()))
    }

    /// Reads one.
    ///
    /// # Errors
    /// Where the file cannot be read or holds no recording, or its name is not the digest of the request in it.
    pub fn load(path: &Path) -> Result<Self, Problem> {
        let recorded = Self::parse(path, &read_text(path)?)?;
        let digest = recorded.request.digest().hex();
        if path.file_stem().is_some_and(|stem| stem == digest.as_str()) {
            return Ok(recorded);
        }
        let message = format!("the digest of the request in it is `{digest}`, which is not its name");
        Err(Problem::new(path, message, "remove the file: the request is then asked again"))
    }

    fn parse(path: &Path, text: &str) -> Result<Self, Problem> {
        #[derive(Deserialize)]
        struct Version {
            schema: Option<i64>,
        }
        let fault = |error: serde_json::Error| {
            let message = error.to_string();
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
            Problem::new(path, message, "remove the file: the request is then asked again")
                .at(error.line(), Some(error.column()))
        };
        let version: Version = serde_json::from_str(text).map_err(fault)?;
        check_schema(path, WHAT, SCHEMA, version.schema)?;
        serde_json::from_str(text).map_err(fault)
    }

    /// Writes it into a folder, whole or not at all. An answer that is there already stays: gives whether this one
    /// was written.
    ///
    /// # Errors
    /// As [`write_once`].
    pub fn save(&self, folder: &Path) -> Result<bool, Problem> {
        let path = Self::path(folder, &self.request.digest());
        let text = serde_json::to_string_pretty(self).map_err(|error| {
            Problem::new(&path, format!("cannot be written as JSON: {error}"), "report this as a bug")
        })?;
        write_once(&path, format!("{text}\n").as_bytes())
    }
}

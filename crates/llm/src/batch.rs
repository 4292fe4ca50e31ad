//! Requests in a file, and answers from one: the batch forms of both wire formats.
//!
//! A request is one line, named by its digest:
//!
//! ```text
//! {"custom_id":"<64 digits>","method":"POST","url":"/v1/chat/completions","body":{…}}
//! {"custom_id":"<64 digits>","params":{…}}
//! ```
//!
//! An answer is one line, in any order, in the provider's form or in the plain one:
//!
//! ```text
//! {"custom_id":"<64 digits>","response":{"status_code":200,"body":{…}}}
//! {"custom_id":"<64 digits>","result":{"type":"succeeded","message":{…}}}
//! {"custom_id":"<64 digits>","answer":{…}}
//! ```

use crate::failure::Failure;
use crate::wire::{self, Wire};
use polc_records::endpoint::WireFormat;
use polc_records::recording::{ModelAnswer, ModelRequest, Stopped, Text};
use polc_records::store::{read_text, write_atomically};
use polc_records::{Digest, Problem};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A batch to be written.
#[derive(Debug)]
pub(crate) struct BatchOut {
    path: PathBuf,
    lines: Mutex<Lines>,
}

#[derive(Debug, Default)]
struct Lines {
    text: String,
    digests: BTreeSet<Digest>,
}

impl BatchOut {
    pub(crate) fn new(path: PathBuf) -> Self {
        BatchOut { path, lines: Mutex::default() }
    }

    /// Adds a request, unless it is there already.
    pub(crate) fn add(&self, wire: Wire, digest: Digest, request: &ModelRequest) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if !lines.digests.insert(digest) {
            return;
        }
        let (id, body) = (digest.hex(), wire.body(request));
        let line = match wire.format {
            WireFormat::ChatCompletions => {
                json!({"custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": body})
            }
            WireFormat::Messages => json!({"custom_id": id, "params": body}),
        };
        lines.text.push_str(&format!("{line}\n"));
    }

    /// Writes the file, and gives how many requests are in it.
    pub(crate) fn write(&self) -> Result<usize, Problem> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        write_atomically(&self.path, lines.text.as_bytes())?;
        Ok(lines.digests.len())
    }
}

/// A batch that was answered.
#[derive(Debug)]
pub(crate) struct BatchIn {
    answers: BTreeMap<String, Answered>,
    used: Mutex<BTreeSet<String>>,
}

#[derive(Debug)]
enum Answered {
    Wire(WireFormat, Box<RawValue>),
    Plain(Box<RawValue>),
    Failed(String),
}

/// One line. Providers add fields of their own.
#[derive(Deserialize)]
struct Line {
    custom_id: String,
    response: Option<Response>,
    result: Option<BatchResult>,
    answer: Option<Box<RawValue>>,
    error: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Response {
    status_code: u16,
    body: Box<RawValue>,
}

#[derive(Deserialize)]
struct BatchResult {
    #[serde(rename = "type")]
    kind: String,
    message: Option<Box<RawValue>>,
    error: Option<Box<RawValue>>,
}

impl BatchIn {
    /// Reads the file.
    pub(crate) fn load(path: &Path) -> Result<Self, Problem> {
        let mut answers = BTreeMap::new();
        for (index, text) in read_text(path)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
        {
            let wrong = |what: String| {
                let help = "correct the line, or take it out: what is missing can be asked again";
                Problem::new(path, what, help).at(index + 1, None)
            };
            let line: Line = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
            let id = line.custom_id.clone();
            let answered = line.answered().ok_or_else(|| {
                wrong("there is neither `response` nor `result` nor `answer` in it".to_owned())
            })?;
            if answers.insert(id.clone(), answered).is_some() {
                return Err(wrong(format!("`{id}` is answered twice")));
            }
        }
        Ok(BatchIn { answers, used: Mutex::default() })
    }

    /// The answer to a request.
    pub(crate) fn answer(
        &self,
        wire: Wire,
        label: &str,
        digest: Digest,
        request: &ModelRequest,
    ) -> Result<ModelAnswer, Failure> {
        let missing =
            |why: &str| Failure::NotInBatch { label: label.to_owned(), digest, why: why.to_owned() };
        let id = digest.hex();
        let answered = self.answers.get(&id).ok_or_else(|| missing(""))?;
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
        match answered {
            Answered::Wire(format, body) => {
                Ok(Wire { format: *format, ..wire }.read(body.get().as_bytes(), request)?)
            }
            Answered::Plain(answer) => Ok(ModelAnswer {
                stopped: Stopped::Complete,
                model: None,
                usage: None,
                text: Text(answer.get().to_owned()),
            }),
            Answered::Failed(why) => Err(missing(why)),
        }
    }

    /// The ids of answers that nobody asked for: of another batch, or of prompts that have changed since.
    pub(crate) fn unused(&self) -> Vec<String> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        self.answers.keys().filter(|id| !used.contains(*id)).cloned().collect()
    }
}

impl Line {
    fn answered(self) -> Option<Answered> {
        if let Some(answer) = self.answer {
            return Some(Answered::Plain(answer));
        }
        if let Some(Response { status_code, body }) = self.response {
            let complaint = || wire::complaint(body.get().as_bytes()).message;
            return Some(match status_code {
                200..300 => Answered::Wire(WireFormat::ChatCompletions, body),
                _ => Answered::Failed(format!("status {status_code}: {}", complaint())),
            });
        }
        if let Some(BatchResult { kind, message, error }) = self.result {
            return Some(match message.filter(|_| kind == "succeeded") {
                Some(message) => Answered::Wire(WireFormat::Messages, message),
                None => Answered::Failed(format!("{kind} {}", in_short(error)).trim_end().to_owned()),
            });
        }
        self.error.map(|error| Answered::Failed(in_short(Some(error))))
    }
}

fn in_short(error: Option<Box<RawValue>>) -> String {
    error.map(|error| error.get().to_owned()).unwrap_or_default()
}

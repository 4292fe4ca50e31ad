//! A language model on this machine that says what it is told to say, also wrongly, in both wire formats.
//!
//! What it says is one script for all requests, in the order in which they come; after the script, or without
//! one, a function makes the answer of the request, so that a test can have a model which obeys what it reads.
//!
//! ```
//! use polc_testkit::{ModelServer, Said};
//!
//! let server = ModelServer::start();
//! server.script([Said::Status(529), Said::answer("{\"lions\":2}")]);
//! server.obey(|asked| Said::answer(format!("{{\"words\":{}}}", asked.text().split_whitespace().count())));
//! assert!(server.base_url().starts_with("http://127.0.0.1:"));
//! ```
#![expect(clippy::expect_used, reason = "a test helper fails its test")]

use crate::server::{Received, Reply, Server};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const CHAT: &str = "/v1/chat/completions";
const MESSAGES: &str = "/v1/messages";

/// What the model says to one request.
#[derive(Debug, Clone)]
pub enum Said {
    /// An answer in the form that was asked for: the text of a JSON document, right or wrong.
    Answer(String),
    /// The same, with a text before the call of the tool.
    AfterWords(String, String),
    /// Words in place of the call of a tool, or in place of JSON.
    Words(String),
    /// An answer without an account of its tokens.
    Uncounted(String),
    /// An answer that ends where the tokens end, whether it is JSON by then or not.
    Truncated(String),
    /// A refusal, in these words.
    Refused(String),
    /// An answer that a filter took away.
    Filtered,
    /// A stop for a reason that nobody knows.
    StoppedBy(String),
    /// An answer without an answer in it.
    Empty,
    /// Two answers where one was asked for.
    Twice(String),
    /// A page of a proxy, with status 200.
    Html,
    /// A status with an error in the format's own form.
    Error(u16, String, String),
    /// A status with nothing.
    Status(u16),
    /// Status 429 that asks for a pause.
    RetryAfter(String),
    /// An answer whose connection breaks in the middle.
    Dropped(String),
    /// An answer that comes byte by byte.
    Dripping(String, Duration),
    /// No answer, for as long as the client waits.
    Silence,
    /// Not before so many requests are open.
    Together(usize, Box<Said>),
    /// Whatever reply this is.
    Raw(Reply),
}

impl Said {
    /// An answer.
    pub fn answer(text: impl Into<String>) -> Self {
        Said::Answer(text.into())
    }

    /// An answer as a value.
    pub fn json(value: &Value) -> Self {
        Said::Answer(value.to_string())
    }
}

/// The blocks of a question, in which polc shows what others wrote, each with its label.
pub fn blocks(question: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut rest = question;
    while let Some((_, block)) = rest.split_once("<<<block ") {
        let (head, block) = block.split_once('\n').expect("a block has a head");
        let (mark, label) = head.split_once(' ').expect("a block has a label");
        let (inside, after) = block.split_once(&format!("\nblock {mark}>>>")).expect("a block has an end");
        blocks.push((label.trim_matches('"').to_owned(), inside.to_owned()));
        rest = after;
    }
    blocks
}

/// The two formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Chat,
    Messages,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The headers, their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The whole document.
    pub body: Value,
    format: Format,
}

impl Asked {
    fn of(format: Format, request: &Received) -> Self {
        let body = serde_json::from_slice(&request.body).expect("a request is JSON");
        Asked { headers: request.headers.clone(), body, format }
    }

    /// Everything that the model reads, each message on lines of its own.
    pub fn text(&self) -> String {
        let system = self.body["system"].as_str().into_iter();
        let turns = self.body["messages"].as_array().into_iter().flatten();
        system.chain(turns.filter_map(|turn| turn["content"].as_str())).collect::<Vec<_>>().join("\n")
    }

    /// What was asked first: the question, before any of its repairs.
    pub fn question(&self) -> &str {
        let turns = self.body["messages"].as_array().into_iter().flatten();
        let mut asked = turns.filter(|turn| turn["role"] == "user");
        asked.next().and_then(|turn| turn["content"].as_str()).unwrap_or_default()
    }

    /// What was said last.
    pub fn last(&self) -> &str {
        self.body["messages"]
            .as_array()
            .and_then(|turns| turns.last()?["content"].as_str())
            .unwrap_or_default()
    }

    /// The schema that the answer must have, as it was sent.
    pub fn schema(&self) -> &Value {
        let places = [
            "/response_format/json_schema/schema",
            "/output_config/format/schema",
            "/tools/0/function/parameters",
            "/tools/0/input_schema",
        ];
        places.iter().find_map(|place| self.body.pointer(place)).unwrap_or(&Value::Null)
    }

    fn tool(&self) -> Option<&str> {
        let places = ["/tools/0/function/name", "/tools/0/name"];
        places.iter().find_map(|place| self.body.pointer(place)?.as_str())
    }

    /// The reply that says it.
    fn reply(&self, said: &Said) -> Reply {
        let body = match said {
            Said::Answer(text) | Said::Dropped(text) | Said::Dripping(text, _) => self.answer(text, None),
            Said::Uncounted(text) => self.uncounted(text),
            Said::AfterWords(words, text) => self.answer(text, Some(words)),
            Said::Words(words) => self.words(words, ("stop", "end_turn")),
            Said::Truncated(text) => self.words(text, ("length", "max_tokens")),
            Said::StoppedBy(reason) => self.words("{}", (reason, reason)),
            Said::Filtered => self.words("", ("content_filter", "refusal")),
            Said::Refused(words) => self.refusal(words),
            Said::Empty => match self.format {
                Format::Chat => json!({"object": "chat.completion", "choices": []}).to_string(),
                Format::Messages => {
                    json!({"type": "message", "content": [], "stop_reason": "end_turn"}).to_string()
                }
            },
            Said::Twice(text) => self.twice(text),
            Said::Error(status, kind, message) => {
                let error = json!({"type": kind, "message": message, "code": kind});
                return json_reply(*status, &json!({"type": "error", "error": error}).to_string());
            }
            Said::Html => {
                return Reply::html("<!doctype html><title>Sign in</title><p>Sign in to the network");
            }
            Said::Status(status) => return Reply::status(*status),
            Said::RetryAfter(after) => return Reply::status(429).header("retry-after", after),
            Said::Silence => return Reply::silence(),
            Said::Together(requests, said) => return self.reply(said).together(*requests),
            Said::Raw(reply) => return reply.clone(),
        };
        match said {
            Said::Dropped(_) => json_reply(200, &body).cut_after(body.len() / 2),
            Said::Dripping(_, pause) => json_reply(200, &body).drip(*pause),
            _ => json_reply(200, &body),
        }
    }

    fn answer(&self, text: &str, before: Option<&str>) -> String {
        let Some(tool) = self.tool() else {
            let words = before.map(|before| format!("{before}\n{text}"));
            return self.words(words.as_deref().unwrap_or(text), ("stop", "end_turn"));
        };
        let call = self.call(tool, text);
        match self.format {
            Format::Chat => self.chat(&json!({"content": before}), Some(&call), "tool_calls"),
            Format::Messages => {
                let before = before.map(|before| json!({"type": "text", "text": before}).to_string());
                let content: Vec<String> = before.into_iter().chain([call]).collect();
                self.message(&content.join(","), "tool_use")
            }
        }
    }

    fn twice(&self, text: &str) -> String {
        let Some(tool) = self.tool() else {
            let choice = json!({"message": {"content": text}, "finish_reason": "stop"});
            return json!({"choices": [choice, choice]}).to_string();
        };
        let call = self.call(tool, text);
        let calls = format!("{call},{call}");
        match self.format {
            Format::Chat => self.chat(&json!({"content": null}), Some(&calls), "tool_calls"),
            Format::Messages => self.message(&calls, "tool_use"),
        }
    }

    /// The call of the tool. Its input may be no JSON at all in one format, and any in the other.
    fn call(&self, tool: &str, text: &str) -> String {
        match self.format {
            Format::Chat => {
                let function = json!({"name": tool, "arguments": text});
                json!({"id": "call_1", "type": "function", "function": function}).to_string()
            }
            Format::Messages => {
                format!(r#"{{"type":"tool_use","id":"toolu_1","name":{},"input":{text}}}"#, json!(tool))
            }
        }
    }

    fn words(&self, words: &str, (chat, messages): (&str, &str)) -> String {
        match self.format {
            Format::Chat => self.chat(&json!({"content": words}), None, chat),
            Format::Messages => self.message(&json!({"type": "text", "text": words}).to_string(), messages),
        }
    }

    fn refusal(&self, words: &str) -> String {
        match self.format {
            Format::Chat => self.chat(&json!({"content": null, "refusal": words}), None, "stop"),
            Format::Messages => self.message(&json!({"type": "text", "text": words}).to_string(), "refusal"),
        }
    }

    fn uncounted(&self, text: &str) -> String {
        let mut answer: Value = serde_json::from_str(&self.answer(text, None)).expect("an answer is JSON");
        answer.as_object_mut().expect("an answer is an object").remove("usage");
        answer.to_string()
    }

    fn chat(&self, message: &Value, calls: Option<&str>, reason: &str) -> String {
        let mut message = message.clone();
        message["role"] = json!("assistant");
        let mut message = message.to_string();
        if let Some(calls) = calls {
            message.truncate(message.len() - 1);
            message.push_str(&format!(",\"tool_calls\":[{calls}]}}"));
        }
        let (input, output) = (self.tokens(), message.len() / 4);
        format!(
            r#"{{"id":"chatcmpl-1","object":"chat.completion","model":{},"choices":[{{"index":0,"message":{message},"finish_reason":{}}}],"usage":{{"prompt_tokens":{input},"completion_tokens":{output},"total_tokens":{}}}}}"#,
            self.body["model"],
            json!(reason),
            input + output
        )
    }

    fn message(&self, content: &str, reason: &str) -> String {
        format!(
            r#"{{"id":"msg_1","type":"message","role":"assistant","model":{},"content":[{content}],"stop_reason":{},"usage":{{"input_tokens":{},"output_tokens":{}}}}}"#,
            self.body["model"],
            json!(reason),
            self.tokens(),
            content.len() / 4
        )
    }

    /// What the server counts: four bytes of what is read are a token.
    fn tokens(&self) -> usize {
        self.text().len() / 4
    }
}

fn json_reply(status: u16, body: &str) -> Reply {
    Reply::status(status).header("content-type", "application/json").body(body)
}

type Answerer = Box<dyn Fn(&Asked) -> Said + Send + Sync>;

struct Model {
    script: Mutex<VecDeque<Said>>,
    asked: Mutex<Vec<Asked>>,
    obeys: Mutex<Arc<Answerer>>,
}

impl Model {
    fn reply(&self, asked: &Asked) -> Reply {
        self.asked.lock().expect("no other thread has panicked").push(asked.clone());
        let next = self.script.lock().expect("no other thread has panicked").pop_front();
        let said = next.unwrap_or_else(|| {
            let obeys = Arc::clone(&self.obeys.lock().expect("no other thread has panicked"));
            obeys(asked)
        });
        asked.reply(&said)
    }
}

/// A server that speaks for a model, until it is dropped.
pub struct ModelServer {
    server: Server,
    model: Arc<Model>,
}

impl ModelServer {
    /// A model that has nothing to say yet: it answers 404.
    pub fn start() -> Self {
        let silent: Answerer =
            Box::new(|_| Said::Error(404, "not_found_error".into(), "no such model".into()));
        let model = Arc::new(Model {
            script: Mutex::default(),
            asked: Mutex::default(),
            obeys: Mutex::new(Arc::new(silent)),
        });
        let server = Server::start();
        for (path, format) in [(CHAT, Format::Chat), (MESSAGES, Format::Messages)] {
            let model = Arc::clone(&model);
            server.answer(path, move |request| model.reply(&Asked::of(format, request)));
        }
        Self { server, model }
    }

    /// What it says next, in order.
    pub fn script(&self, said: impl IntoIterator<Item = Said>) -> &Self {
        self.model.script.lock().expect("no other thread has panicked").extend(said);
        self
    }

    /// What it says once the script is over.
    pub fn obey(&self, answer: impl Fn(&Asked) -> Said + Send + Sync + 'static) -> &Self {
        *self.model.obeys.lock().expect("no other thread has panicked") = Arc::new(Box::new(answer));
        self
    }

    /// The address below which both formats have their paths.
    pub fn base_url(&self) -> String {
        self.server.url("/v1")
    }

    /// Everything that was asked so far, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.model.asked.lock().expect("no other thread has panicked").clone()
    }

    /// How many requests were open at once, at most.
    pub fn most_open(&self) -> usize {
        self.server.most_open()
    }
}

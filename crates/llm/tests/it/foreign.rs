//! Two servers that others wrote to break clients, where `POLC_TEST_SERVERS` is set: they are installed below the build
//! folder, by the ordinary clients of their registries, and listen on this machine only.

use crate::{FORMATS, LIONS, at, question, run_with};
use polc_llm::{Engine, Failure, Fault, Run, Settings};
use polc_records::endpoint::WireFormat;
use polc_testkit::shared::skip;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

const NODE_SERVER: &str = "@copilotkit/aimock@1.43.0";
const PYTHON_SERVER: &str = "llmock==0.2.2";

/// A server of somebody else, until it is dropped.
struct Foreign {
    child: Child,
    port: u16,
}

impl Foreign {
    /// Starts a program that says in one of its lines where it listens.
    fn start(program: &mut Command, port: u16, says: &str) -> Option<Self> {
        let mut child = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (ready, waits) = std::sync::mpsc::channel();
        // Both are read to their end: a program whose words nobody reads stands still.
        for stream in [Box::new(out) as Box<dyn Read + Send>, Box::new(err)] {
            let (ready, says) = (ready.clone(), says.to_owned());
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if line.contains(&says) {
                        let _nobody_waits_any_more = ready.send(());
                    }
                }
            });
        }
        drop(ready);
        let foreign = Foreign { child, port };
        if waits.recv_timeout(Duration::from_secs(60)).is_ok() {
            return Some(foreign);
        }
        skip(&format!("{program:?} ended before it listened"));
        None
    }

    fn run(&self, path: &str, wire: WireFormat, folder: &Path) -> Run {
        let patient = Settings {
            longest_wait: Duration::from_secs(5),
            ..at(&format!("http://127.0.0.1:{}{path}", self.port), wire, None)
        };
        run_with(patient, Engine::Endpoint, folder)
    }

    /// A document of the server about itself.
    fn tell(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let body = body.to_string();
        let head = "host: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json";
        write!(stream, "{method} {path} HTTP/1.1\r\n{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let _gone = (self.child.kill(), self.child.wait());
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A program that a server comes with, installed unless it is there; else a loud SKIP.
fn installed(folder: &str, program: &str, install: &[&[&str]]) -> Option<PathBuf> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    if std::env::var_os("POLC_TEST_SERVERS").is_none() {
        skip("set POLC_TEST_SERVERS to install and start servers that others wrote to break clients");
        return None;
    }
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let program = folder.join(program);
    if program.exists() {
        return Some(program);
    }
    std::fs::create_dir_all(&folder).unwrap();
    for step in install {
        let done = Command::new(step[0]).args(&step[1..]).current_dir(&folder).output();
        if !done.as_ref().is_ok_and(|done| done.status.success()) {
            skip(&format!("`{}` did not succeed: {done:?}", step.join(" ")));
            return None;
        }
    }
    Some(program)
}

/// What the first server answers, by the words of the question: once wrong, then right; or always wrong.
fn script(wire: WireFormat) -> Value {
    let said = |text: &str, why: Option<&str>| match wire {
        WireFormat::ChatCompletions => json!({"content": text, "finishReason": why.unwrap_or("stop")}),
        WireFormat::Messages if why.is_some() => json!({"content": text, "finishReason": why}),
        WireFormat::Messages => json!({"toolCalls": [{"name": "found", "arguments": text}]}),
    };
    let status = |status: u16| json!({"error": {"message": "not now", "type": "overloaded_error"}, "status": status, "retryAfter": 1});
    let once = |words: &str, response: Value| json!({"match": {"userMessage": words, "sequenceIndex": 0}, "response": response});
    let always =
        |words: &str, response: Value| json!({"match": {"userMessage": words}, "response": response});
    json!({"fixtures": [
        once("429", status(429)),
        once("500", status(500)),
        once("529", status(529)),
        {"match": {"userMessage": "dropped", "sequenceIndex": 0}, "response": said(LIONS, None), "chaos": {"disconnectRate": 1}},
        {"match": {"userMessage": "malformed"}, "response": said(LIONS, None), "chaos": {"malformedRate": 1}},
        always("cut off", said("{\"animals\":[", Some("length"))),
        always("filtered", said("", Some("content_filter"))),
        always("no key", json!({"error": {"message": "who are you", "type": "authentication_error"}, "status": 401})),
        always("lions", said(LIONS, None)),
    ]})
}

#[tokio::test]
async fn a_server_that_others_wrote_in_javascript_is_borne() {
    let install: &[&[&str]] = &[&["npm", "install", "--no-audit", "--no-fund", "--prefix", ".", NODE_SERVER]];
    let Some(program) = installed("aimock", "node_modules/.bin/llmock", install) else { return };
    for wire in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let fixtures = folder.path().join("fixtures.json");
        std::fs::write(&fixtures, script(wire).to_string()).unwrap();
        let port = free_port();
        let mut start = Command::new("node");
        start.arg(&program).args(["-p", &port.to_string(), "-f"]).arg(&fixtures);
        let Some(server) = Foreign::start(&mut start, port, "listening on") else { return };
        let run = server.run("/v1", wire, &folder.path().join("answers"));
        for passes in ["429", "500", "529", "dropped"] {
            let found = run.ask(&question(&format!("{passes}, then lions"))).await;
            assert_eq!(found.unwrap_or_else(|why| panic!("{passes}: {why}")).value.animals, ["lion"]);
        }
        assert_eq!(run.tally().answered, 4);
        for (wrong, expected) in [
            ("malformed", (|why| matches!(why, Fault::NotTheFormat { .. })) as fn(&Fault) -> bool),
            ("cut off", |why| matches!(why, Fault::Truncated { .. })),
            ("filtered", |why| matches!(why, Fault::Filtered | Fault::Stopped { .. })),
        ] {
            match run.ask(&question(wrong)).await {
                Err(Failure::Fault(why)) if expected(&why) => {}
                other => panic!("{wrong}: {other:?}"),
            }
        }
        assert!(run.ended().is_none());
        let refused = run.ask(&question("no key")).await.unwrap_err();
        assert!(matches!(refused, Failure::KeyRefused { status: 401, .. }), "{refused}");
    }
}

#[tokio::test]
async fn a_server_that_others_wrote_in_python_finds_nothing_to_blame() {
    let install: &[&[&str]] =
        &[&["python3", "-m", "venv", "."], &["bin/pip", "install", "--quiet", PYTHON_SERVER]];
    let Some(program) = installed("llmock", "bin/llmock", install) else { return };
    let port = free_port();
    let mut start = Command::new(program);
    start.args(["serve", "--host", "127.0.0.1", "--port", &port.to_string()]);
    let Some(server) = Foreign::start(&mut start, port, "running on") else { return };
    for (path, wire) in ["/v1", "/anthropic/v1"].into_iter().zip(FORMATS) {
        let folder = tempfile::tempdir().unwrap();
        let run = server.run(path, wire, folder.path());
        let queue = |behaviors: Value| {
            server.tell("POST", "/_llmock/reset", &json!({}));
            server.tell("POST", "/_llmock/scenario", &json!({"behaviors": behaviors}));
        };
        let blameless = |what: &str| {
            let verdict = server.tell("GET", "/_llmock/verdict", &json!({}));
            let errors = verdict["findings"].as_array().unwrap();
            assert!(errors.is_empty() && verdict["passed"] == true, "{wire:?}, {what}: {verdict}");
        };
        for trouble in [
            json!({"type": "fail", "status": 429, "retry_after": 1, "times": 1}),
            json!({"type": "fail", "status": 500, "retry_after": 1, "times": 2}),
            json!({"type": "fail", "status": 529, "retry_after": 1, "times": 1}),
            json!({"type": "delay", "seconds": 1, "times": 1}),
        ] {
            queue(json!([trouble]));
            // It makes an answer of the schema that it is sent.
            let found = run.ask(&question(&trouble.to_string())).await;
            assert!(found.is_ok(), "{wire:?}, {trouble}: {found:?}");
            blameless(&trouble.to_string());
        }
        queue(json!([{"type": "fail", "status": 401, "times": null}]));
        let refused = server.run(path, wire, folder.path()).ask(&question("whoever")).await.unwrap_err();
        assert!(matches!(refused, Failure::KeyRefused { .. }), "{refused}");
        blameless("a key that is refused");
        queue(json!([{"type": "fail", "status": 400, "times": null}]));
        let wrong = server.run(path, wire, folder.path()).ask(&question("whatever")).await.unwrap_err();
        assert!(matches!(wrong, Failure::Rejected { .. }), "{wrong}");
        blameless("a request that is wrong");
    }
}

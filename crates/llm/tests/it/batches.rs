use crate::{FORMATS, Found, LIONS, question, repair, run_with, settings};
use polc_llm::{Engine, Failure, Run, Settings, Unsettled};
use polc_records::endpoint::WireFormat;
use polc_testkit::{ModelServer, Reply, Said};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const PAGES: [&str; 4] = ["lions", "seals", "oxen", "owls"];

struct Zoo {
    folder: tempfile::TempDir,
    settings: Settings,
    wire: WireFormat,
}

impl Zoo {
    fn new(wire: WireFormat) -> Self {
        let settings = settings(&ModelServer::start(), wire);
        Zoo { folder: tempfile::tempdir().unwrap(), settings, wire }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, engine: Engine) -> Run {
        run_with(self.settings.clone(), engine, &self.path("answers"))
    }

    /// Writes what is not answered yet, and gives the lines.
    async fn out(&self) -> Vec<Value> {
        let path = self.path("out.jsonl");
        let run = self.run(Engine::BatchOut(path.clone()));
        let answers = settle(&run).await;
        let waiting = answers.iter().filter(|answer| waits(answer)).count();
        let number = run.write_batch().unwrap().unwrap();
        let lines = lines(&path);
        assert_eq!((number, lines.len()), (waiting, waiting));
        lines
    }

    async fn read(&self, answers: &[Value]) -> (Run, Vec<Result<Found, Unsettled<Found>>>) {
        let path = self.path("in.jsonl");
        let text: String = answers.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, text).unwrap();
        let run = self.run(Engine::BatchIn(path));
        let answers = settle(&run).await;
        (run, answers)
    }
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn waits(answer: &Result<Found, Unsettled<Found>>) -> bool {
    matches!(answer, Err(Unsettled { failure: Some(Failure::Written { .. }), .. }))
}

/// Lions are not accepted the first time.
async fn settle(run: &Run) -> Vec<Result<Found, Unsettled<Found>>> {
    let check = |found: &Found| {
        let roars = found.animals.iter().any(|animal| animal == "lions");
        if roars { vec!["`lions` roar".to_owned()] } else { Vec::new() }
    };
    let answers = run.each(&PAGES, |page| async move {
        run.settle(&question(page), &repair(1, &check)).await.map(|answer| answer.value)
    });
    answers.await
}

/// What a provider does with a line: the model names the page, or what is left of it when it is told off.
fn answered(wire: WireFormat, line: &Value) -> Value {
    let body = if wire == FORMATS[0] { &line["body"] } else { &line["params"] };
    let turns = body["messages"].as_array().unwrap();
    let mut said: Vec<&str> = turns.iter().map(|turn| turn["content"].as_str().unwrap()).collect();
    let name = if said.pop().unwrap().contains("roar") {
        "quiet lions"
    } else {
        turns.last().unwrap()["content"].as_str().unwrap()
    };
    let found = json!({"animals": [name], "noise": "quiet", "note": null});
    match wire {
        WireFormat::ChatCompletions => {
            let choice = json!({"index": 0, "message": {"role": "assistant", "content": found.to_string()}, "finish_reason": "stop"});
            let body = json!({"id": "1", "model": "zoo-1", "choices": [choice]});
            json!({"id": "batch_1", "custom_id": line["custom_id"], "error": null,
                   "response": {"status_code": 200, "request_id": "1", "body": body}})
        }
        WireFormat::Messages => {
            let content = json!([{"type": "tool_use", "id": "1", "name": "found", "input": found}]);
            let message = json!({"type": "message", "content": content, "stop_reason": "tool_use"});
            json!({"custom_id": line["custom_id"], "result": {"type": "succeeded", "message": message}})
        }
    }
}

#[tokio::test]
async fn a_batch_goes_out_and_comes_in_with_what_the_endpoint_would_have_said() {
    for wire in FORMATS {
        let zoo = Zoo::new(wire);
        let out = zoo.out().await;
        assert_eq!(out.len(), 4);
        let mut answers: Vec<Value> = out.iter().map(|line| answered(wire, line)).collect();
        answers.reverse();
        let (run, read) = zoo.read(&answers).await;
        assert!(read[1..].iter().all(Result::is_ok) && run.unused().is_empty());
        // Lions are asked for again: in a second batch, which holds nothing else.
        let Err(unsettled) = &read[0] else { panic!() };
        assert!(
            matches!(unsettled.failure, Some(Failure::NotInBatch { .. })) && unsettled.attempts.len() == 1
        );
        let out = zoo.out().await;
        assert_eq!(out.len(), 1);
        let (run, read) = zoo.read(&[answered(wire, &out[0])]).await;
        let tally = run.tally();
        assert_eq!((tally.answered, tally.batched, tally.recorded), (0, 1, 4));
        let by_batch: Vec<Found> = read.into_iter().map(Result::unwrap).collect();
        assert_eq!(zoo.out().await, Vec::<Value>::new());

        // The endpoint, which is sent the same documents.
        let server = ModelServer::start();
        server.obey(move |asked| {
            let line = json!({"custom_id": "", "body": asked.body, "params": asked.body});
            let answer = answered(wire, &line);
            let places = ["/response/body", "/result/message"];
            let body = places.iter().find_map(|place| answer.pointer(place)).unwrap();
            Said::Raw(Reply::status(200).body(body.to_string()))
        });
        let folder = tempfile::tempdir().unwrap();
        let run = run_with(settings(&server, wire), Engine::Endpoint, folder.path());
        let by_endpoint: Vec<Found> = settle(&run).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(by_endpoint, by_batch);
    }
}

#[tokio::test]
async fn each_line_is_in_the_providers_form_and_needs_nothing_else() {
    for wire in FORMATS {
        let zoo = Zoo::new(wire);
        let (server, folder) = (ModelServer::start(), tempfile::tempdir().unwrap());
        server.obey(|_| Said::answer(LIONS));
        let run = run_with(settings(&server, wire), Engine::Endpoint, folder.path());
        for (line, page) in zoo.out().await.iter().zip(PAGES) {
            run.ask(&question(page)).await.unwrap();
            let id = line["custom_id"].as_str().unwrap();
            assert_eq!(id, run.request(&question(page)).digest().hex());
            assert!(id.len() <= 64, "no provider takes a longer one");
            let body = &server.asked().last().unwrap().body.clone();
            match wire {
                WireFormat::ChatCompletions => {
                    assert_eq!(
                        (&line["method"], &line["url"]),
                        (&json!("POST"), &json!("/v1/chat/completions"))
                    );
                    assert_eq!(&line["body"], body);
                }
                WireFormat::Messages => assert_eq!(&line["params"], body),
            }
        }
    }
}

#[tokio::test]
async fn a_person_may_answer_in_the_plain_form() {
    let zoo = Zoo::new(FORMATS[1]);
    let out = zoo.out().await;
    let answer = |line: &Value, answer: Value| json!({"custom_id": line["custom_id"], "answer": answer});
    let good = json!({"animals": ["an owl"], "noise": "quiet"});
    let (_, read) = zoo.read(&[answer(&out[3], good), answer(&out[2], json!({"animals": "oxen"}))]).await;
    assert_eq!(read[3].as_ref().unwrap().animals, ["an owl"]);
    let wrong = read[2].as_ref().unwrap_err().to_string();
    assert!(
        wrong.contains("missing key `noise`"),
        "what a person answers is checked like everything else: {wrong}"
    );
}

#[tokio::test]
async fn what_is_missing_or_failed_is_told_and_goes_into_the_next_batch() {
    for wire in FORMATS {
        let zoo = Zoo::new(wire);
        let out = zoo.out().await;
        let id = &out[1]["custom_id"];
        let failed = match wire {
            WireFormat::ChatCompletions => {
                let body = json!({"error": {"message": "too many tokens"}});
                json!({"custom_id": id, "response": {"status_code": 400, "body": body}})
            }
            WireFormat::Messages => json!({"custom_id": id, "result": {"type": "expired"}}),
        };
        let stranger = json!({"custom_id": "0".repeat(64), "answer": {}});
        let (run, read) = zoo.read(&[answered(wire, &out[3]), failed, stranger]).await;
        let good: Vec<bool> = read.iter().map(Result::is_ok).collect();
        assert_eq!(good, [false, false, false, true]);
        let told = read[1].as_ref().unwrap_err().to_string();
        assert!(told.contains("too many tokens") || told.contains("expired"), "{told}");
        assert_eq!(run.unused(), ["0".repeat(64)]);
        let next = zoo.out().await;
        assert_eq!(next, out[..3], "the same lines again");
    }
}

#[test]
fn a_file_that_is_no_batch_is_refused_with_the_line() {
    let zoo = Zoo::new(FORMATS[0]);
    let good = json!({"custom_id": "1", "answer": {}}).to_string();
    for (line, expected) in [
        ("not JSON", ":2: expected"),
        ("{\"custom_id\":\"2\"}", ":2: there is neither `response`"),
        (good.as_str(), ":2: `1` is answered twice"),
    ] {
        let path = zoo.path("in.jsonl");
        std::fs::write(&path, format!("{good}\n{line}\n")).unwrap();
        let made = Run::new(
            zoo.settings.clone(),
            Engine::BatchIn(path),
            polc_llm::Store::new(zoo.path("answers")),
            &crate::known_prices(),
        );
        let error = made.err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(zoo.wire, FORMATS[0]);
}

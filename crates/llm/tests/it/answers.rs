use crate::{FORMATS, Found, LIONS, Noise, failure, found, question, run};
use polc_llm::{Failure, Fault, Form};
use polc_testkit::{ModelServer, Said, shared};
use serde_json::{Value, json};

fn lions() -> Found {
    Found { animals: vec!["lion".to_owned()], noise: Noise::Loud, note: None }
}

#[tokio::test]
async fn an_answer_is_a_value_of_the_type_that_was_asked_for() {
    for wire in FORMATS {
        let server = ModelServer::start();
        server.script([Said::answer(LIONS)]);
        let (run, _folder) = run(&server, wire);
        let answer = run.ask(&question("the page")).await.unwrap();
        assert_eq!((answer.asked(), answer.value), (1, lions()));
        assert_eq!(answer.model.as_deref(), Some("zoo-1"));
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_fence_around_the_answer_and_words_before_a_call_are_borne() {
    let fenced = format!("```json\n{LIONS}\n```\n");
    for wire in FORMATS {
        let server = ModelServer::start();
        // A call of the tool cannot be fenced, so the model answers with words alone.
        server.script([Said::Words(fenced.clone()), Said::Words(format!("```\n{LIONS}\n```"))]);
        let (asking, _folder) = run(&server, wire);
        for page in ["one", "two"] {
            assert_eq!(asking.ask(&question(page)).await.unwrap().value, lions());
        }
        let server = ModelServer::start();
        server.script([Said::AfterWords(fenced.clone(), LIONS.to_owned())]);
        let (asking, _folder) = run_with_tool(&server, wire);
        assert_eq!(asking.ask(&question("the page")).await.unwrap().value, lions());
        assert!(server.asked()[0].body.get("tools").is_some());
    }
}

fn run_with_tool(
    server: &ModelServer,
    wire: polc_records::endpoint::WireFormat,
) -> (polc_llm::Run, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let base_url = server.base_url();
    let mut config = crate::config(wire);
    config.structure = Some(polc_records::endpoint::Structure::ForcedTool);
    let settings =
        polc_llm::Settings::of(&config, |name| (name == "POLC_BASE_URL").then(|| base_url.clone())).unwrap();
    (crate::run_with(settings, polc_llm::Engine::Endpoint, folder.path()), folder)
}

/// What came back, by the kind of fault; the kinds are the closed list.
fn kind(failure: &Failure) -> &'static str {
    let Failure::Fault(fault) = failure else { panic!("{failure}") };
    match fault {
        Fault::Truncated { .. } => "truncated",
        Fault::Refused { .. } => "refused",
        Fault::Filtered => "filtered",
        Fault::Stopped { .. } => "stopped",
        Fault::Empty => "empty",
        Fault::Several { .. } => "several",
        Fault::NotTheFormat { .. } => "not the format",
        Fault::NotJson { .. } => "not JSON",
        Fault::DuplicateKey { .. } => "duplicate key",
        Fault::Form { .. } => "form",
        Fault::Type { .. } => "type",
        Fault::Checked { .. } => "checked",
    }
}

#[tokio::test]
async fn what_is_no_answer_is_told_by_its_kind_and_never_read() {
    let half = r#"{"animals":["lion""#;
    let cases = [
        (Said::Truncated(half.into()), "truncated"),
        // Whole by accident, and the list may still be short.
        (Said::Truncated(LIONS.into()), "truncated"),
        (Said::Refused("I cannot help with that.".into()), "refused"),
        (Said::StoppedBy("pause_turn".into()), "stopped"),
        (Said::Empty, "empty"),
        (Said::Twice(LIONS.into()), "several"),
        (Said::Html, "not the format"),
        (Said::Words(format!("Here it is: {LIONS}")), "not JSON"),
        (Said::Words(format!("```json\n{LIONS}\n```\n```json\n{LIONS}\n```")), "not JSON"),
        (Said::Words(half.into()), "not JSON"),
        (Said::answer(r#"{"animals":[],"animals":[],"noise":"loud"}"#), "duplicate key"),
        (Said::answer(r#"{"animals":[],"noise":"loud","sound":1}"#), "form"),
        (Said::answer(r#"{"animals":[],"noise":"deafening"}"#), "form"),
        (Said::answer(r#"{"animals":[]}"#), "form"),
        (Said::answer(r#"{"animals":[7],"noise":"loud"}"#), "form"),
        (Said::answer("[]"), "form"),
    ];
    for wire in FORMATS {
        for (said, expected) in cases.clone() {
            let server = ModelServer::start();
            server.script([said.clone()]);
            let failure = failure(&server, wire).await;
            assert_eq!(kind(&failure), expected, "{wire:?} {said:?}: {failure}");
            assert_eq!(server.asked().len(), 1, "{said:?} is not asked again");
            assert!(!failure.ends_the_run());
        }
    }
    let server = ModelServer::start();
    server.script([Said::Filtered]);
    assert_eq!(kind(&failure(&server, FORMATS[0]).await), "filtered");
    server.script([Said::Error(400, "content_filter".into(), "filtered".into())]);
    assert_eq!(kind(&failure(&server, FORMATS[0]).await), "filtered");
}

#[tokio::test]
async fn the_example_of_the_documentation_works() {
    use crate::example::{Animals, ask_all, dry_run, new_run, questions};
    let (server, folder) = (ModelServer::start(), tempfile::tempdir().unwrap());
    server.obey(|asked| match asked.last().contains("faults") {
        true => Said::answer(r#"{"animals":["seal"]}"#),
        false => Said::answer(r#"{"animals":["seal","lion"]}"#),
    });
    let root = polc_records::layout::Root::new(folder.path());
    let base_url = server.base_url();
    let environment = |name: &str| (name == "POLC_BASE_URL").then(|| base_url.clone());
    let config =
        polc_records::endpoint::EndpointConfig { model: "gpt-4o".to_owned(), ..crate::config(FORMATS[0]) };
    let slug = "zoo".parse().unwrap();
    let run = new_run(&root, &slug, &config, polc_llm::Engine::Endpoint, environment).unwrap();
    let form = Form::<Animals>::of("animals").unwrap();
    let questions = questions(&form, &["A seal and a lion.".to_owned(), "A seal.".to_owned()]);
    assert_eq!((dry_run(&run, &questions).unwrap().requests, server.asked().len()), (2, 0));
    let answers = ask_all(&run, &questions).await;
    let told: Vec<_> = answers
        .iter()
        .map(|answer| answer.as_ref().unwrap())
        .map(|a| (a.value.animals.len(), a.asked()))
        .collect();
    assert_eq!(told, [(2, 1), (1, 2)]);
}

#[tokio::test]
async fn a_slow_answer_holds_up_no_other() {
    let (server, (sender, receiver)) = (ModelServer::start(), std::sync::mpsc::channel());
    let receiver = std::sync::Mutex::new(receiver);
    server.obey(move |asked| {
        if asked.last() == "0" {
            // The first is answered when the last one is.
            receiver.lock().unwrap().recv().unwrap();
        }
        if asked.last() == "9" {
            sender.send(()).unwrap();
        }
        Said::answer(LIONS)
    });
    let (run, _folder) = run(&server, FORMATS[0]);
    let pages: Vec<String> = (0..10).map(|number| number.to_string()).collect();
    let run = &run;
    let answers = run.each(&pages, |page| async move { (page, run.ask(&question(page)).await.is_ok()) });
    let answers = answers.await;
    let expected: Vec<_> = pages.iter().map(|page| (page, true)).collect();
    assert_eq!(answers, expected);
}

#[tokio::test]
async fn the_stop_reason_is_looked_at_before_the_words() {
    let Some(case) = shared::case("ll1") else { return };
    for (name, message) in case["input"].as_object().unwrap() {
        let (wire, body) = match message.get("finish_reason") {
            Some(reason) => {
                let message = json!({"content": message["content"], "refusal": message.get("refusal")});
                let choice = json!({"message": message, "finish_reason": reason});
                (FORMATS[0], json!({"choices": [choice]}))
            }
            None => {
                let content = match message["content"].as_str() {
                    Some(text) => json!([{"type": "text", "text": text}]),
                    None => message["content"].clone(),
                };
                (FORMATS[1], json!({"content": content, "stop_reason": message["stop_reason"]}))
            }
        };
        let server = ModelServer::start();
        let reply = polc_testkit::Reply::status(200).body(body.to_string());
        server.script([Said::Raw(reply)]);
        assert_eq!(case["expected"][name], kind(&failure(&server, wire).await), "{name}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn a_key_that_stands_twice_or_is_unknown_is_refused_at_any_depth() {
    let Some(case) = shared::case("ll3") else { return };
    let text = json!({"type": "string"});
    let rule = json!({"type": "object", "properties": {"id": text}, "required": ["id"]});
    let rules = json!({"type": "array", "items": rule});
    let properties = json!({"verdict": text, "rules": rules});
    let form: Form<Value> =
        Form::with("verdicts", json!({"type": "object", "properties": properties})).unwrap();
    for (name, answer) in case["input"].as_object().unwrap() {
        let fault = form.read(answer.as_str().unwrap()).unwrap_err();
        let found = match &fault {
            Fault::DuplicateKey { key, at } if at.is_empty() => format!("error: duplicate key {key}"),
            Fault::DuplicateKey { key, at } => {
                assert_eq!(at, "/rules/0");
                format!("error: duplicate key {key} (nested)")
            }
            Fault::Form { faults } => format!("error: {}", faults.join("; ").replace('`', "")),
            other => panic!("{other}"),
        };
        assert_eq!(case["expected"][name], found);
    }
}

#[test]
fn the_whole_schema_is_checked_here_whatever_was_sent() {
    let Some(case) = shared::case("ll4") else { return };
    let form: Form<Value> = Form::with("rules", case["input"]["schema"].clone()).unwrap();
    let fault = form.read(&case["input"]["answer"].to_string()).unwrap_err();
    let Fault::Form { faults } = fault else { panic!("{fault}") };
    assert_eq!(
        faults,
        [
            "at `/rules`: minimum 2 items required, but got 1 items",
            "at `/rules/0`: length must be >=3, but got 1"
        ]
    );
    // A strict mode has no other way to leave a key out.
    let good = form.read(r#"{"rules":["one","two"],"note":null}"#).unwrap();
    assert_eq!(good, json!({"rules": ["one", "two"]}));
    assert!(form.read(r#"{"rules":null,"note":"x"}"#).is_err(), "what is required is not left out");
}

#[test]
fn no_text_is_read_as_something_that_it_does_not_say() {
    let form = found();
    for wrong in ["", "null", "{", "{}{}", "NaN", "\u{feff}{}", "{'animals':[]}"] {
        assert!(form.read(wrong).is_err(), "{wrong}");
    }
    let deep = "[".repeat(100_000);
    assert!(matches!(form.read(&deep), Err(Fault::NotJson { .. })), "a deep text is no overflow");
}

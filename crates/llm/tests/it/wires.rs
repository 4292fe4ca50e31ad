use crate::{FORMATS, LIONS, at, config, question, run, run_with};
use polc_llm::{Engine, Settings};
use polc_records::endpoint::{EndpointConfig, Structure, Temperature};
use polc_testkit::{ModelServer, Said};
use serde_json::Value;

/// What is sent for one question, the schema left out.
async fn sent(config: &EndpointConfig) -> Value {
    let server = ModelServer::start();
    server.script([Said::answer(LIONS)]);
    let (folder, base_url) = (tempfile::tempdir().unwrap(), server.base_url());
    let settings = Settings::of(config, |name| (name == "POLC_BASE_URL").then(|| base_url.clone())).unwrap();
    run_with(settings, Engine::Endpoint, folder.path()).ask(&question("the page")).await.unwrap();
    let mut body = server.asked()[0].body.clone();
    for place in [
        "/response_format/json_schema/schema",
        "/output_config/format/schema",
        "/tools/0/function/parameters",
        "/tools/0/input_schema",
    ] {
        if let Some(schema) = body.pointer_mut(place) {
            assert_eq!(schema["type"], "object");
            *schema = "the schema".into();
        }
    }
    body
}

#[tokio::test]
async fn each_format_is_spoken_as_its_makers_wrote_it() {
    let with = |structure| move |wire| EndpointConfig { structure, ..config(wire) };
    let [chat, messages] = FORMATS.map(with(None));
    let chat = EndpointConfig { temperature: Some(Temperature::ZERO), ..chat };
    insta::assert_snapshot!("chat", format!("{:#}", sent(&chat).await));
    insta::assert_snapshot!("messages", format!("{:#}", sent(&messages).await));
    let [chat, _] = FORMATS.map(with(Some(Structure::ForcedTool)));
    let [_, messages] = FORMATS.map(with(Some(Structure::ResponseFormat)));
    insta::assert_snapshot!("chat with a tool", format!("{:#}", sent(&chat).await));
    insta::assert_snapshot!("messages with a format", format!("{:#}", sent(&messages).await));
}

#[tokio::test]
async fn those_who_made_a_format_are_asked_in_its_strictest_way() {
    for (wire, place) in
        FORMATS.into_iter().zip(["/body/response_format/type", "/params/output_config/format/type"])
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("batch.jsonl");
        let settings = Settings::of(&config(wire), |_| None).unwrap();
        let run = run_with(settings, Engine::BatchOut(path.clone()), folder.path());
        run.ask(&question("the page")).await.unwrap_err();
        run.write_batch().unwrap();
        let line: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(line.pointer(place), Some(&"json_schema".into()), "{line:#}");
        assert_eq!((line.pointer("/body/tools"), line.pointer("/params/tools")), (None, None));
    }
}

#[tokio::test]
async fn what_the_endpoint_counts_is_what_is_counted() {
    for wire in FORMATS {
        let server = ModelServer::start();
        let half = r#"{"choices":[{"message":{"content":"{}"},"finish_reason":"stop"}],"content":[{"type":"text","text":"{}"}],"stop_reason":"end_turn","usage":{"total_tokens":9}}"#;
        let half = Said::Raw(polc_testkit::Reply::status(200).body(half));
        server.script([Said::answer(LIONS), Said::Uncounted(LIONS.into()), half]);
        let (run, _folder) = run(&server, wire);
        run.ask(&question("counted")).await.unwrap();
        let tally = run.tally();
        let read = u64::try_from(server.asked()[0].text().len() / 4).unwrap();
        assert_eq!((tally.answered, tally.usage.input, tally.uncounted), (1, read, 0));
        assert!(tally.usage.output > 10);
        run.ask(&question("not counted")).await.unwrap();
        let after = run.tally();
        assert_eq!((after.answered, after.usage, after.uncounted), (2, tally.usage, 1));
        assert!(after.possible > tally.possible, "an answer that is not counted is not free");
        let failure = run.ask(&question("counted in another way")).await.unwrap_err();
        assert!(failure.to_string().contains("missing key"), "{failure}");
        assert_eq!(run.tally().uncounted, 2);
    }
}

#[tokio::test]
async fn tokens_from_a_cache_are_tokens_that_were_read() {
    let server = ModelServer::start();
    let usage = r#"{"input_tokens":5,"output_tokens":7,"cache_read_input_tokens":100,"cache_creation_input_tokens":20}"#;
    let body = format!(
        r#"{{"content":[{{"type":"thinking","thinking":"…"}},{{"type":"tool_use","name":"found","input":{LIONS}}}],"stop_reason":"tool_use","usage":{usage}}}"#
    );
    server.script([Said::Raw(polc_testkit::Reply::status(200).body(body))]);
    let (run, _folder) = run(&server, FORMATS[1]);
    run.ask(&question("the page")).await.unwrap();
    assert_eq!((run.tally().usage.input, run.tally().usage.output), (125, 7));
}

#[tokio::test]
async fn the_path_is_put_below_whatever_address_is_given() {
    for slash in ["", "/"] {
        let server = ModelServer::start();
        server.script([Said::answer(LIONS)]);
        let settings = at(&format!("{}{slash}", server.base_url()), FORMATS[0], None);
        let folder = tempfile::tempdir().unwrap();
        run_with(settings, Engine::Endpoint, folder.path()).ask(&question("the page")).await.unwrap();
    }
}

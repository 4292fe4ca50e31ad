use crate::{FORMATS, LIONS, at, config, question, repair, run_with, with_key};
use polc_llm::{AccessError, Engine, Run, Settings, Store};
use polc_records::config::Config;
use polc_records::endpoint::{EndpointConfig, WireFormat};
use polc_records::store::parse_toml;
use polc_testkit::server::closed_url;
use polc_testkit::shared::files_below;
use polc_testkit::{ModelServer, Reply, Said, Server};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const KEY: &str = "sk-zoo-9f8e7d6c5b4a";

#[tokio::test]
async fn the_key_is_sent_and_is_in_nothing_that_is_shown_or_written() {
    for wire in FORMATS {
        let server = ModelServer::start();
        let folder = tempfile::tempdir().unwrap();
        let settings = with_key(&server, wire, Some(KEY));
        let mut shown = format!("{settings:?}");
        // An endpoint that says back what it was sent, in answers and in errors.
        let said = format!(r#"{{"animals":["{KEY}"],"noise":"loud","note":null}}"#);
        let wrong = format!(r#"{{"animals":["{KEY}"],"noise":"{KEY}"}}"#);
        let with_an_error =
            |status| Said::Error(status, "authentication_error".into(), format!("`{KEY}` is wrong"));
        server.script([
            Said::answer(said),
            Said::answer(wrong.clone()),
            Said::answer(wrong),
            Said::Refused(format!("I know your key {KEY}")),
            Said::Raw(Reply::html(format!("<p>{KEY}"))),
            with_an_error(400),
            with_an_error(401),
            with_an_error(404),
            with_an_error(429),
            with_an_error(429),
            with_an_error(429),
        ]);
        let run = || run_with(settings.clone(), Engine::Endpoint, folder.path());
        let first = run();
        write!(shown, "{:?}", first.ask(&question("0")).await.unwrap()).unwrap();
        let check = |_: &crate::Found| Vec::new();
        let unsettled = first.settle(&question("1"), &repair(1, &check)).await.unwrap_err();
        write!(shown, "{unsettled}{unsettled:?}").unwrap();
        for number in 2..8 {
            let failure = run().ask(&question(&number.to_string())).await.unwrap_err();
            write!(shown, "{failure}{failure:?}").unwrap();
        }
        assert_eq!(server.asked().len(), 11);
        for failing in [closed_url().as_str(), "http://127.0.0.1:1/v1"] {
            let settings = at(failing, wire, Some(KEY));
            let failure =
                run_with(settings, Engine::Endpoint, folder.path()).ask(&question("9")).await.unwrap_err();
            write!(shown, "{failure}{failure:?}").unwrap();
        }
        let batch = folder.path().join("batch.jsonl");
        let writing = run_with(settings.clone(), Engine::BatchOut(batch), folder.path());
        let failure = writing.ask(&question("9")).await.unwrap_err();
        writing.write_batch().unwrap();
        let request = writing.request(&question("9"));
        write!(
            shown,
            "{failure}{failure:?}{}{}{request:?}",
            writing.plan(std::slice::from_ref(&request)).unwrap(),
            writing.tally()
        )
        .unwrap();
        let files = files_below(folder.path());
        assert!(files.len() >= 5, "{files:?}");
        for file in &files {
            shown.push_str(&std::fs::read_to_string(file).unwrap());
        }
        assert!(!shown.contains(KEY), "{}", &shown[shown.find(KEY).unwrap() - 200..]);
        assert!(shown.contains("[key]"), "where it stood one can see that it did");
        for asked in server.asked() {
            let expected = match wire {
                WireFormat::ChatCompletions => ("authorization", format!("Bearer {KEY}")),
                WireFormat::Messages => ("x-api-key", KEY.to_owned()),
            };
            assert_eq!(asked.headers[expected.0], expected.1);
            assert!(!asked.body.to_string().contains(KEY));
        }
    }
}

/// A text as an encoder of JSON may write it that escapes what it need not.
fn escaped(text: &str, escape: impl Fn(char) -> bool) -> String {
    let unit = |c: char| if escape(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    text.chars().map(unit).collect()
}

#[tokio::test]
async fn a_key_is_hidden_however_it_is_spelled() {
    let key = r#"sk/zoo+9f"8e7d6c=="#;
    let as_json = |text: &str| serde_json::to_string(text).unwrap().trim_matches('"').to_owned();
    let spellings = [
        as_json(key),
        as_json(key).replace('/', "\\/"),
        escaped(key, |c| !c.is_ascii_alphanumeric()),
        escaped(key, |_| true),
    ];
    for wire in FORMATS {
        for spelling in &spellings {
            let folder = tempfile::tempdir().unwrap();
            let server = ModelServer::start();
            let settings = with_key(&server, wire, Some(key));
            let answer = format!(r#"{{"animals":["{spelling}"],"noise":"loud","note":null}}"#);
            let error = format!(r#"{{"error":{{"type":"{spelling}","message":"`{spelling}` is wrong"}}}}"#);
            server.script([Said::answer(answer), Said::Raw(Reply::status(400).body(error.as_str()))]);
            let run = run_with(settings, Engine::Endpoint, folder.path());
            let found = run.ask(&question("0")).await.unwrap();
            assert_eq!(found.value.animals, ["[key]"], "{wire:?} {spelling}");
            let failure = run.ask(&question("1")).await.unwrap_err();
            assert!(failure.to_string().contains("`[key]` is wrong"), "{failure}");
            for file in files_below(folder.path()) {
                let text = std::fs::read_to_string(file).unwrap();
                assert!(
                    text.contains("[key]") && !text.contains("zoo+9f") && !text.contains("7d6c"),
                    "{text}"
                );
            }
        }
    }
}

/// The settings of an environment, for an address.
fn of(wire: WireFormat, base_url: Option<&str>, variables: &[(&str, &str)]) -> Result<Settings, AccessError> {
    let base_url = base_url.map(|address| address.parse().unwrap());
    let config = EndpointConfig { base_url, ..config(wire) };
    let variables: Vec<(String, String)> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Settings::of(&config, |wanted| {
        variables.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone())
    })
}

fn refused(settings: Settings) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let made = Run::new(settings, Engine::Endpoint, Store::new(folder.path()), &crate::known_prices());
    made.err().map(|failure| failure.to_string())
}

#[test]
fn a_key_goes_to_nobody_but_those_it_is_meant_for() {
    let own = [("OPENAI_API_KEY", KEY), ("ANTHROPIC_API_KEY", KEY)];
    for (wire, variable) in FORMATS.into_iter().zip(["OPENAI_API_KEY", "ANTHROPIC_API_KEY"]) {
        let settings = of(wire, None, &own).unwrap();
        assert!(format!("{settings:?}").contains(&format!("[key] of {variable}")));
        assert_eq!(refused(settings), None);
        let elsewhere = refused(of(wire, Some("https://llm.example/v1"), &own).unwrap()).unwrap();
        assert!(elsewhere.contains("no key for `llm.example`: set POLC_API_KEY in"), "{elsewhere}");
        let all = [own.as_slice(), &[("POLC_API_KEY", "another")]].concat();
        let settings = of(wire, None, &all).unwrap();
        assert!(format!("{settings:?}").contains("[key] of POLC_API_KEY"), "ours comes first");
    }
    let nobody = refused(of(FORMATS[0], None, &[("OPENAI_API_KEY", " ")]).unwrap()).unwrap();
    assert!(nobody.contains("set POLC_API_KEY or OPENAI_API_KEY in the environment"), "{nobody}");
    let ours = [("POLC_API_KEY", KEY)];
    let clear = refused(of(FORMATS[1], Some("http://llm.example/v1"), &ours).unwrap()).unwrap();
    assert!(clear.contains("unencrypted to `llm.example`") && !clear.contains(KEY), "{clear}");
    assert_eq!(refused(of(FORMATS[0], Some("http://[::1]:8080/v1"), &[]).unwrap()), None, "our own machine");
    let odd = refused(of(FORMATS[0], None, &[("POLC_API_KEY", "two words")]).unwrap()).unwrap();
    assert!(odd.contains("`POLC_API_KEY`") && !odd.contains("two words"), "{odd}");
}

#[test]
fn an_address_that_holds_a_secret_is_refused_without_showing_it() {
    for address in [
        "https://me:hunter2@llm.example/v1",
        "https://llm.example/v1?key=hunter2",
        "hunter2",
        "ftp://hunter2",
    ] {
        let error = of(FORMATS[0], None, &[("POLC_BASE_URL", address)]).unwrap_err().to_string();
        assert!(error.contains("from POLC_BASE_URL"), "{error}");
        assert!(address.starts_with("ftp") || !error.contains("hunter2"), "{error}");
    }
    let by_variable =
        of(FORMATS[0], Some("https://file.example/"), &[("POLC_BASE_URL", "https://env.example/")]);
    assert_eq!(
        by_variable.unwrap().access.base_url().as_str(),
        "https://env.example/",
        "the environment wins"
    );
}

#[test]
fn a_key_in_the_file_is_refused_without_showing_it() {
    let text =
        format!("schema = 2\n[endpoint]\nwire = \"messages\"\nmodel = \"zoo-1\"\napi_key = \"{KEY}\"\n");
    let error = parse_toml::<Config>(Path::new("polc.toml"), &text).unwrap_err().to_string();
    assert!(error.contains("unknown field `api_key`") && !error.contains(KEY), "{error}");
}

const CHILD: &str = "POLC_TEST_CHILD_OF_KEYS";

/// What the process of the test below does. On its own it has nothing to do.
#[tokio::test]
async fn a_process_of_another_test() {
    let Ok(base_url) = std::env::var(CHILD) else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = of(FORMATS[0], Some(&base_url), &[]).unwrap();
    run_with(settings, Engine::Endpoint, folder.path()).ask(&question("the page")).await.unwrap();
}

#[test]
fn a_proxy_of_the_environment_is_used() {
    let proxy = Server::start();
    let base_url = format!("{}v1", closed_url());
    let completion = serde_json::json!({
        "choices": [{"message": {"content": LIONS}, "finish_reason": "stop"}]
    });
    let target = format!("{base_url}/chat/completions");
    proxy.at(&target, [Reply::status(200).body(completion.to_string())]);
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "keys::a_process_of_another_test"])
        .env(CHILD, &base_url)
        .env("HTTP_PROXY", proxy.url(""))
        .env("http_proxy", proxy.url(""))
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .status()
        .unwrap();
    assert!(done.success());
    assert_eq!(proxy.requests(&target).len(), 1);
}

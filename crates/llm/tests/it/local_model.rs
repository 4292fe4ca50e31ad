//! A real model on this machine, where `POLC_TEST_LLM` is set: `../shared/tools/local-llm` is started, which takes
//! many minutes the first time.

use crate::{FORMATS, Found, config, question, repair, run_with};
use polc_llm::{Engine, Failure, Fault, Question, Run, Settings, estimate};
use polc_records::endpoint::{EndpointConfig, Structure, Temperature, WireFormat};
use polc_testkit::shared::{shared, skip};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const PAGE: &str = "Lions roar loudly. Seals bark. Name every animal of this page.";

struct LocalModel {
    child: Child,
    base_url: String,
    model: String,
}

impl LocalModel {
    /// The model, or a loud SKIP.
    fn start() -> Option<Self> {
        if std::env::var_os("POLC_TEST_LLM").is_none() {
            skip(
                "set POLC_TEST_LLM to start a real model on this machine, for which it needs 1.2 GB of disk",
            );
            return None;
        }
        let program = shared("tools/local-llm")?;
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut child = match Command::new(program).arg(port.to_string()).stdout(Stdio::piped()).spawn() {
            Ok(child) => child,
            Err(error) => {
                skip(&format!("the local model cannot be started: {error}"));
                return None;
            }
        };
        let stdout = child.stdout.take().unwrap();
        let model = std::env::var("LLM_MODEL").unwrap_or_else(|_| "qwen1.5b".to_owned());
        let started = LocalModel { child, base_url: format!("http://127.0.0.1:{port}/v1"), model };
        if BufReader::new(stdout).lines().any(|line| line.unwrap() == "READY") {
            return Some(started);
        }
        skip("the local model ended before it was ready; it says why above");
        None
    }

    fn settings(&self, wire: WireFormat, structure: Option<Structure>, answer_tokens: u64) -> Settings {
        let config = EndpointConfig {
            model: self.model.clone(),
            structure,
            answer_tokens: NonZeroU64::new(answer_tokens),
            temperature: Some(Temperature::ZERO),
            concurrency: NonZeroU32::new(1),
            ..config(wire)
        };
        let environment = |name: &str| (name == "POLC_BASE_URL").then(|| self.base_url.clone());
        Settings::of(&config, environment).unwrap()
    }
}

impl Drop for LocalModel {
    fn drop(&mut self) {
        // Not killed, but told to end: it ends the server that it started.
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        if told.is_ok_and(|status| status.success()) {
            let _ended = self.child.wait();
        }
    }
}

/// Every way in which this server can be made to answer in a form.
const WAYS: [(WireFormat, Option<Structure>); 3] = [
    (WireFormat::ChatCompletions, None),
    (WireFormat::ChatCompletions, Some(Structure::ForcedTool)),
    (WireFormat::Messages, None),
];

#[tokio::test]
async fn a_real_model_answers_is_bounded_and_is_replayed() {
    let Some(model) = LocalModel::start() else { return };
    for (wire, structure) in WAYS {
        let folder = tempfile::tempdir().unwrap();
        let settings = model.settings(wire, structure, 200);
        let run = run_with(settings.clone(), Engine::Endpoint, folder.path());
        let good = answers_in_the_form(&run).await;
        let replay = run_with(settings, Engine::Replay, folder.path());
        assert_eq!(answers_in_the_form(&replay).await, good, "{wire:?} {structure:?}");
        assert_eq!(replay.tally().answered, 0);
        has_no_more_tokens_than_bytes(&run).await;
        println!("{wire:?} {structure:?}: {}", run.tally());
    }
    for wire in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        is_cut_off_where_its_tokens_end(&model.settings(wire, None, 4), folder.path()).await;
        refuses_what_is_too_long(&model.settings(wire, None, 50), folder.path()).await;
    }
}

async fn answers_in_the_form(run: &Run) -> Found {
    let check = |found: &Found| {
        let strangers =
            found.animals.iter().filter(|animal| !PAGE.to_lowercase().contains(&animal.to_lowercase()));
        strangers.map(|animal| format!("`{animal}` is not on the page")).collect()
    };
    let answer =
        run.settle(&question(PAGE), &repair(2, &check)).await.unwrap_or_else(|error| panic!("{error}"));
    assert!(!answer.value.animals.is_empty());
    answer.value
}

/// What is set aside for a request is enough, by the count of a real model.
async fn has_no_more_tokens_than_bytes(run: &Run) {
    for text in
        ["{}[]();:,.<>!?~^%$#@", "𝔭𝔬𝔩𝔦𝔠𝔶 🦭🦭🦭", "\u{1}\u{2}\u{3}", "Donaudampfschiffahrtsgesellschaft"]
    {
        let question = question(text);
        let before = run.tally().usage.input;
        let _whatever_it_says = run.ask(&question).await;
        let read = run.tally().usage.input - before;
        let request = run.request(&question);
        assert!(read > 0 && read <= estimate::most_input_tokens(&request), "{text}: {read}");
    }
}

async fn is_cut_off_where_its_tokens_end(settings: &Settings, folder: &Path) {
    let run = run_with(settings.clone(), Engine::Endpoint, folder);
    let failure = run.ask(&question(PAGE)).await.unwrap_err();
    assert!(matches!(failure, Failure::Fault(Fault::Truncated { limit: 4 })), "{failure}");
}

async fn refuses_what_is_too_long(settings: &Settings, folder: &Path) {
    let run = run_with(settings.clone(), Engine::Endpoint, folder);
    let long = Question { label: "a long page".to_owned(), ..question(&"Seals bark. ".repeat(8_000)) };
    let failure = run.ask(&long).await.unwrap_err();
    assert!(matches!(failure, Failure::TooLong { .. }) && !failure.ends_the_run(), "{failure}");
    assert_eq!((run.tally().answered, run.tally().lost), (0, 0));
}

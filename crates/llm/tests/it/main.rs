//! Asking, of models that are right, wrong, busy, slow or gone, in both wire formats.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails its test")]

mod answers;
mod batches;
mod example;
mod foreign;
mod forms;
mod keys;
mod limits;
mod local_model;
mod messages;
mod recordings;
mod repairs;
mod stopping;
mod trouble;
mod wires;

use polc_llm::{Engine, Failure, Form, Question, Repair, Run, Settings, Store};
use polc_records::endpoint::{EndpointConfig, WireFormat};
use polc_records::prices::Prices;
use polc_testkit::ModelServer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;
use std::time::Duration;

const FORMATS: [WireFormat; 2] = [WireFormat::ChatCompletions, WireFormat::Messages];

/// What most tests ask for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Found {
    /// Every animal, by its name.
    animals: Vec<String>,
    /// How loud it is.
    noise: Noise,
    /// What else there is to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Noise {
    Quiet,
    Loud,
}

/// A right answer.
const LIONS: &str = r#"{"animals":["lion"],"noise":"loud","note":null}"#;

fn found() -> Form<Found> {
    Form::of("found").unwrap()
}

fn question(text: &str) -> Question<Found> {
    Question::new(format!("animals of {text}"), "You name animals.", text, &found())
}

fn config(wire: WireFormat) -> EndpointConfig {
    EndpointConfig {
        wire,
        model: "zoo-1".to_owned(),
        base_url: None,
        structure: None,
        schema: polc_records::endpoint::SchemaDialect::Strict,
        context_tokens: None,
        answer_tokens: NonZeroU64::new(1000),
        temperature: None,
        concurrency: None,
        requests_per_minute: None,
        tokens_per_minute: None,
        timeout_seconds: None,
        max_cost: None,
    }
}

/// Settings for a server on this machine, which needs no patience.
fn settings(server: &ModelServer, wire: WireFormat) -> Settings {
    with_key(server, wire, None)
}

fn with_key(server: &ModelServer, wire: WireFormat, key: Option<&str>) -> Settings {
    at(&server.base_url(), wire, key)
}

fn at(base_url: &str, wire: WireFormat, key: Option<&str>) -> Settings {
    let environment = |name: &str| match name {
        "POLC_BASE_URL" => Some(base_url.to_owned()),
        "POLC_API_KEY" => key.map(str::to_owned),
        _ => None,
    };
    Settings {
        longest_wait: Duration::from_millis(20),
        attempts: NonZeroU32::new(3).unwrap(),
        ..Settings::of(&config(wire), environment).unwrap()
    }
}

/// One dollar for a million tokens read, ten for a million written.
fn known_prices() -> Prices {
    let text = "schema = 1\n[[model]]\nname = \"zoo-1\"\ninput = \"1.00\"\noutput = \"10.00\"\nas_of = \"2025-01-02\"\n";
    polc_records::store::parse_toml(Path::new("prices.toml"), text).unwrap()
}

fn run_with(settings: Settings, engine: Engine, folder: &Path) -> Run {
    Run::new(settings, engine, Store::new(folder), &known_prices()).unwrap()
}

/// A run that asks the server, and records into a folder of its own.
fn run(server: &ModelServer, wire: WireFormat) -> (Run, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (run_with(settings(server, wire), Engine::Endpoint, folder.path()), folder)
}

/// The failure of one question to a server with this script.
async fn failure(server: &ModelServer, wire: WireFormat) -> Failure {
    let (run, _folder) = run(server, wire);
    run.ask(&question("the page")).await.unwrap_err()
}

fn ask_again(faults: &[String]) -> String {
    format!("Answer again. Wrong was: {}", faults.join("; "))
}

fn repair<T>(most: u32, check: &dyn Fn(&T) -> Vec<String>) -> Repair<'_, T> {
    Repair { most, check, ask_again: &ask_again }
}

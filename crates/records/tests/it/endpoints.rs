//! The files of an endpoint: its table in the configuration, recorded answers, and money.

use polc_records::config::{CheckerSource, Config};
use polc_records::endpoint::{EndpointConfig, SchemaDialect, Structure, WireFormat};
use polc_records::money::Money;
use polc_records::prices::Prices;
use polc_records::recording::{
    AnswerForm, ModelAnswer, ModelRequest, Recorded, Speaker, Stopped, Text, Turn, Usage,
};
use polc_records::store::{parse_toml, render_toml, write_once};
use proptest::option;
use proptest::prelude::*;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;

fn text() -> impl Strategy<Value = Text> {
    "[a-z \"\\\\\n\r\t\u{e9}\u{2028}\u{1f9ad}]{0,12}".prop_map(Text)
}

fn money() -> impl Strategy<Value = Money> {
    (0..5_000_000_000u64).prop_map(Money::micros)
}

fn temperature() -> impl Strategy<Value = polc_records::endpoint::Temperature> {
    (0..=200u8)
        .prop_map(|hundredths| serde_json::from_str(&(f64::from(hundredths) / 100.0).to_string()).unwrap())
}

fn endpoint() -> impl Strategy<Value = EndpointConfig> {
    let wire = prop_oneof![Just(WireFormat::ChatCompletions), Just(WireFormat::Messages)];
    let structure = prop_oneof![Just(Structure::ResponseFormat), Just(Structure::ForcedTool)];
    let schema = prop_oneof![Just(SchemaDialect::Strict), Just(SchemaDialect::Full)];
    let number = || option::of((1..9_000_000u64).prop_map(|number| NonZeroU64::new(number).unwrap()));
    let small = || option::of((1..9_000u32).prop_map(|number| NonZeroU32::new(number).unwrap()));
    let url = option::of(Just("https://llm.example/v1".parse().unwrap()));
    let first = (wire, "[a-z0-9./:-]{1,9}", url, option::of(structure), schema, option::of(temperature()));
    let limits = (number(), number(), number(), small(), small(), small(), option::of(money()));
    (first, limits).prop_map(|(first, limits)| {
        let (wire, model, base_url, structure, schema, temperature) = first;
        let (
            context_tokens,
            answer_tokens,
            tokens_per_minute,
            concurrency,
            requests,
            timeout_seconds,
            max_cost,
        ) = limits;
        EndpointConfig {
            wire,
            model,
            base_url,
            structure,
            schema,
            context_tokens,
            answer_tokens,
            temperature,
            concurrency,
            requests_per_minute: requests,
            tokens_per_minute,
            timeout_seconds,
            max_cost,
        }
    })
}

fn stopped() -> impl Strategy<Value = Stopped> {
    prop_oneof![
        Just(Stopped::Complete),
        Just(Stopped::Truncated),
        Just(Stopped::Refused),
        Just(Stopped::Filtered),
        "[a-z]{1,5}".prop_map(Stopped::Otherwise),
    ]
}

fn recorded() -> impl Strategy<Value = Recorded> {
    let by = prop_oneof![Just(Speaker::Polc), Just(Speaker::Model)];
    let turn = (by, text()).prop_map(|(by, text)| Turn { by, text });
    let schema = Just(serde_json::json!({"type": "object", "properties": {"b": {}, "a": {}}}));
    let form = ("[a-z_]{1,5}", schema).prop_map(|(name, schema)| AnswerForm { name, schema });
    let request = (text(), option::of(temperature()), 0..3u32, form, proptest::collection::vec(turn, 1..4))
        .prop_map(|(system, temperature, sample, form, turns)| ModelRequest {
            model: "zoo-1".to_owned(),
            answer_tokens: 100,
            temperature,
            sample,
            form,
            system,
            turns,
        });
    let usage = option::of((0..9u64, 0..9u64).prop_map(|(input, output)| Usage { input, output }));
    let answer = (stopped(), option::of("[a-z]{1,5}"), usage, text())
        .prop_map(|(stopped, model, usage, text)| ModelAnswer { stopped, model, usage, text });
    ("[a-z \u{a7}]{0,9}", request, answer)
        .prop_map(|(label, request, answer)| Recorded::new(label, request, answer))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_configuration_with_an_endpoint(endpoint in endpoint(), path in option::of("[a-z/]{1,5}")) {
        let config = Config::new(path.map(|path| CheckerSource { path }), Some(endpoint));
        let path = Path::new("polc.toml");
        let text = render_toml(path, &config).unwrap();
        let read: Config = parse_toml(path, &text).unwrap();
        prop_assert_eq!(&read, &config);
        prop_assert_eq!(render_toml(path, &read).unwrap(), text);
    }

    #[test]
    fn a_recorded_answer(recorded in recorded()) {
        let folder = tempfile::tempdir().unwrap();
        prop_assert!(recorded.save(folder.path()).unwrap());
        let path = Recorded::path(folder.path(), &recorded.request.digest());
        let bytes = std::fs::read(&path).unwrap();
        let read = Recorded::load(&path).unwrap();
        prop_assert_eq!(&read, &recorded);
        std::fs::remove_file(&path).unwrap();
        read.save(folder.path()).unwrap();
        prop_assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn money_is_what_it_is_written_as(amount in money(), other in money(), tokens in 0..10_000_000u64, more in 0..10_000_000u64) {
        prop_assert_eq!(amount.to_string().parse(), Ok(amount));
        prop_assert_eq!(amount + other, other + amount);
        prop_assert_eq!((amount + other).less(other), amount);
        let (apart, together) = (amount.for_tokens(tokens) + amount.for_tokens(more), amount.for_tokens(tokens + more));
        prop_assert!(together <= apart && apart <= together + Money::micros(1), "rounded up, once for each");
    }
}

#[test]
fn a_configuration_of_the_first_schema_is_read() {
    let path = Path::new("polc.toml");
    let old: Config = parse_toml(path, "schema = 1\n\n[checker]\npath = \"checker\"\n").unwrap();
    assert_eq!(old, Config::new(Some(CheckerSource { path: "checker".to_owned() }), None));
}

#[test]
fn an_amount_that_is_none_is_told() {
    for wrong in ["", "1,50", "-1", "$2", ".5", "1.", "1.0000001", "99999999999999999999", "1e3", " 1"] {
        let error = wrong.parse::<Money>().unwrap_err().to_string();
        assert!(error.contains(&format!("`{wrong}`")) && error.contains("`2.50`"), "{error}");
    }
    for wrong in ["-0.1", "2.01", "0.005", "true"] {
        assert!(serde_json::from_str::<polc_records::endpoint::Temperature>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn of_many_who_write_at_once_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/file");
    let wrote: Vec<bool> = std::thread::scope(|scope| {
        let writing: Vec<_> = (0..16u8)
            .map(|number| {
                scope.spawn({
                    let path = path.clone();
                    move || write_once(&path, &[number; 1000]).unwrap()
                })
            })
            .collect();
        writing.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let winner = wrote.iter().position(|wrote| *wrote).unwrap();
    assert_eq!(wrote.iter().filter(|wrote| **wrote).count(), 1);
    assert_eq!(std::fs::read(&path).unwrap(), [u8::try_from(winner).unwrap(); 1000]);
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn the_prices_that_are_built_in_are_read() {
    let text = include_str!("../../../../stages/prices.toml");
    let prices: Prices = parse_toml(Path::new("stages/prices.toml"), text).unwrap();
    let mut names: Vec<_> = prices.model.iter().map(|price| &price.name).collect();
    assert!(prices.model.iter().all(|price| price.output >= price.input));
    names.sort();
    names.dedup();
    assert_eq!(names.len(), prices.model.len(), "one price for each");
}

use polc_llm::{AccessError, Failure, Fault, FormError, Nearest};
use polc_records::{Digest, Problem};
use std::path::Path;
use std::time::Duration;

#[test]
fn every_failure_says_what_where_why_and_what_to_do() {
    let message = || "Too many people.".to_owned();
    let label = || "extract guide.md § Seals".to_owned();
    let money = |text: &str| text.parse().unwrap();
    let nearest = Nearest {
        label: label(),
        digest: Digest::of("nearest"),
        difference: (0..50).map(|line| format!("+ line {line}\n")).collect(),
    };
    let digest = Digest::of("asked");
    let failures: Vec<Failure> = vec![
        Failure::Busy { status: 529, message: message(), attempts: 5, asked: None },
        Failure::Busy {
            status: 429,
            message: String::new(),
            attempts: 1,
            asked: Some(Duration::from_secs(3600)),
        },
        Failure::KeyRefused { status: 401, message: message() },
        Failure::NoCredit { message: message() },
        Failure::ModelUnknown {
            address: "https://llm.example/v1/messages".into(),
            model: "zoo-1".into(),
            message: message(),
        },
        Failure::TooLong { why: message() },
        Failure::Rejected { status: 400, message: message() },
        Failure::Budget {
            limit: money("1"),
            spent: money("0.95"),
            open: money("0"),
            next: money("0.123456"),
        },
        Failure::NoPrice { model: "zoo-1".into(), limit: money("2.5") },
        Failure::Interrupted,
        Failure::Missing { label: label(), digest, recorded: 0, nearest: None },
        Failure::Missing { label: label(), digest, recorded: 7, nearest: Some(Box::new(nearest)) },
        Failure::Written { label: label() },
        Failure::NotInBatch { label: label(), digest, why: String::new() },
        Failure::NotInBatch { label: label(), digest, why: "expired".into() },
        Failure::Network { why: "no certificates".into() },
        Failure::File(Problem::new(Path::new("stages/prices.toml"), "it is wrong", "correct it")),
    ];
    let faults = vec![
        Fault::Truncated { limit: 8192 },
        Fault::Refused { words: "I cannot help with that.".into() },
        Fault::Refused { words: String::new() },
        Fault::Filtered,
        Fault::Stopped { reason: "pause_turn".into() },
        Fault::Empty,
        Fault::Several { count: 2 },
        Fault::NotTheFormat {
            format: "chat completion",
            why: "expected value at line 1 column 1".into(),
            beginning: "<!doctype html><title>Sign in</title>".into(),
        },
        Fault::NotJson { why: "expected value at line 1 column 1".into(), beginning: "Here it is".into() },
        Fault::DuplicateKey { key: "id".into(), at: "/rules/0".into() },
        Fault::DuplicateKey { key: "id".into(), at: String::new() },
        Fault::Form { faults: vec!["unknown key `verdcit`".into(), "at `/rules`: want array".into()] },
        Fault::Type { why: "invalid date".into() },
        Fault::Checked { faults: vec!["`ZOO-C004` is missing".into()] },
    ];
    let settings = [
        AccessError::BaseUrl {
            address: "ftp://llm.example/".into(),
            from: "POLC_BASE_URL",
            why: "it is no URL",
        },
        AccessError::NoKey { host: "llm.example".into(), variables: "POLC_API_KEY".into() },
        AccessError::InTheClear { host: "llm.example".into() },
        AccessError::BadKey { variable: "POLC_API_KEY" },
    ];
    let forms = [
        FormError::Unusable { name: "rules".into(), why: "it is none".into() },
        FormError::FreeKeys { name: "rules".into(), at: "/properties/counts".into() },
    ];
    let all = failures.iter().map(ToString::to_string);
    let all = all.chain(faults.iter().map(ToString::to_string));
    let all =
        all.chain(settings.iter().map(ToString::to_string)).chain(forms.iter().map(ToString::to_string));
    insta::assert_snapshot!(all.collect::<Vec<_>>().join("\n\n"));
}

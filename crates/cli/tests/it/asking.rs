//! The stages that ask a language model, by the program: who answers, what it takes, how it ends and what is kept.

use crate::polc::{Ran, Zoo, polc};
use polc_testkit::reading::honest;
use polc_testkit::{Asked, ModelServer, Said};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;

const PAGE: &str = "# Contributing to the zoo\n\n\
    Every file ends with a newline. We are happy about every animal.\n\n\
    ## Walruses\n\nNever commit a walrus, since walruses do not merge.\n";

/// A model that reads.
fn reader() -> ModelServer {
    let server = ModelServer::start();
    server.obey(|asked| Said::json(&honest(asked.question())));
    server
}

/// Lets the root ask a server.
fn configure(zoo: &Zoo, server: &ModelServer, more: &str) {
    let address = server.base_url();
    let text = format!(
        "schema = 2\n\n[endpoint]\nwire = \"chat-completions\"\nmodel = \"zoo-1\"\nbase_url = \"{address}\"\n{more}"
    );
    zoo.repository.write("polc.toml", text);
}

/// A zoo with a confirmed manifest and an endpoint.
fn zoo(server: &ModelServer) -> Zoo {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_manifest();
    configure(&zoo, server, "");
    zoo
}

const PROPOSAL: &str = "corpora/zoo/proposal.jsonl";
const LEDGER: &str = "corpora/zoo/ledger.jsonl";

fn recorded(zoo: &Zoo, stage: &str) -> usize {
    let folder = zoo.path().join("corpora/zoo/recording").join(stage);
    std::fs::read_dir(folder).map(Iterator::count).unwrap_or_default()
}

#[test]
fn rows_of_an_endpoint_are_kept_with_their_answers_and_replayed_to_the_byte() {
    let server = reader();
    let zoo = zoo(&server);
    let ran = zoo.polc(&["extract", "zoo"]).exits(0);
    assert!(ran.err.contains("asking `zoo-1` at http://127.0.0.1"), "{}", ran.err);
    assert!(ran.err.contains("[1/1] CONTRIBUTING.md, sentences 1 to 3"), "{}", ran.err);
    assert!(
        ran.err.contains("2 rows from 1 source; 3 sentences in the ledger: 1 description, 2 of rules"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("1 answered, 0 recorded before"), "{}", ran.err);
    let (proposal, ledger) = (zoo.read(PROPOSAL), zoo.read(LEDGER));
    assert!(proposal.starts_with("{\"schema\":2,\"project\":\"zoo\",\"engine\":\"endpoint\""), "{proposal}");
    assert_eq!(recorded(&zoo, "extract"), 1);

    drop(server);
    std::fs::remove_dir_all(zoo.path().join(".polc/answers")).unwrap();
    std::fs::remove_file(zoo.path().join(PROPOSAL)).unwrap();
    for engine in ["replay", "endpoint"] {
        let ran = zoo.polc(&["extract", "zoo", "--engine", engine]).exits(0);
        assert!(ran.err.contains("0 answered, 1 recorded before"), "{}", ran.err);
        assert_eq!((zoo.read(PROPOSAL), zoo.read(LEDGER)), (proposal.clone(), ledger.clone()));
    }

    let ran = zoo.polc(&["extract", "zoo", "--engine", "baseline"]).exits(0);
    assert!(ran.err.contains("every row was proposed by the baseline"), "{}", ran.err);
    assert!(zoo.read(PROPOSAL).starts_with("{\"schema\":1,"));
}

#[test]
fn one_changed_word_of_a_prompt_names_the_request_that_changed() {
    let server = reader();
    let zoo = zoo(&server);
    zoo.does(&["extract zoo"]);
    let proposal = zoo.read(PROPOSAL);
    let prompt = include_str!("../../../../stages/extraction.j2");
    zoo.repository.write(
        "stages/extraction.j2",
        prompt.replace("account for every numbered", "account for each numbered"),
    );
    let ran = zoo.polc(&["extract", "zoo", "--engine", "replay"]).exits(2);
    assert!(ran.err.contains("`CONTRIBUTING.md, sentences 1 to 3` was not recorded"), "{}", ran.err);
    assert!(ran.err.contains("+") && ran.err.contains("account for each numbered sentence"), "{}", ran.err);
    assert_eq!(zoo.read(PROPOSAL), proposal, "nothing was written");
}

#[test]
fn a_dry_run_says_what_it_would_take_and_sends_nothing() {
    let server = reader();
    let zoo = zoo(&server);
    zoo.repository.write(
        "stages/prices.toml",
        "schema = 1\n[[model]]\nname = \"zoo-1\"\ninput = \"1.00\"\noutput = \"10.00\"\nas_of = \"2025-01-02\"\n",
    );
    for command in ["manifest", "extract"] {
        let ran = zoo.polc(&[command, "zoo", "--dry-run"]).exits(0);
        assert!(ran.out.contains("requests   1 to send, 0 recorded already"), "{}", ran.out);
        assert!(ran.out.contains("to read (estimated: "), "{}", ran.out);
        assert!(ran.out.contains("USD at most, by prices of 2025-01-02"), "{}", ran.out);
        assert!(ran.out.contains("time "), "{}", ran.out);
        assert!(ran.err.contains("nothing was sent, and nothing was written"), "{}", ran.err);
        let ran = zoo.polc(&[command, "zoo", "--dry-run", "--engine", "baseline"]).exits(0);
        assert!(ran.out.contains("the baseline asks nobody"), "{}", ran.out);
        zoo.polc(&[command, "zoo", "--dry-run", "--json"]).exits(3);
    }
    assert!(server.asked().is_empty() && !zoo.path().join(PROPOSAL).exists());
}

#[test]
fn a_limit_of_costs_holds_and_keeps_what_was_answered() {
    let server = reader();
    let zoo = zoo(&server);
    let ran = zoo.polc(&["extract", "zoo", "--max-cost", "1"]).exits(2);
    assert!(ran.err.contains("the price of `zoo-1` is not known"), "{}", ran.err);
    zoo.repository.write(
        "stages/prices.toml",
        "schema = 1\n[[model]]\nname = \"zoo-1\"\ninput = \"1.00\"\noutput = \"10.00\"\nas_of = \"2025-01-02\"\n",
    );
    let ran = zoo.polc(&["extract", "zoo", "--max-cost", "0.0001"]).exits(2);
    assert!(ran.err.contains("the limit of 0.0001 USD is reached"), "{}", ran.err);
    assert!(server.asked().is_empty() && !zoo.path().join(PROPOSAL).exists());
    zoo.polc(&["extract", "zoo", "--max-cost", "2.50"]).exits(0);
}

/// Answers a batch from what stands in its file alone, in the plain form.
fn answer_batch(zoo: &Zoo, batch: &str, answers: &str) {
    let lines = zoo.read(batch);
    let answered = lines.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let turns = line["body"]["messages"].as_array().unwrap();
        let question = turns.iter().find(|turn| turn["role"] == "user").unwrap()["content"].as_str().unwrap();
        format!("{}\n", json!({"custom_id": line["custom_id"], "answer": honest(question)}))
    });
    zoo.repository.write(answers, answered.collect::<String>());
}

#[test]
fn a_batch_that_somebody_else_answers_gives_the_rows_of_the_endpoint() {
    let server = reader();
    let by_endpoint = zoo(&server);
    by_endpoint.does(&["extract zoo"]);
    let by_batch = zoo(&server);
    let asked = server.asked().len();
    let ran = by_batch.polc(&["extract", "zoo", "--engine", "batch-out", "out.jsonl"]).exits(0);
    assert!(ran.err.contains("1 request in out.jsonl"), "{}", ran.err);
    assert!(!by_batch.path().join(PROPOSAL).exists());
    answer_batch(&by_batch, "out.jsonl", "in.jsonl");
    let ran = by_batch.polc(&["extract", "zoo", "--engine", "batch-in", "in.jsonl"]).exits(0);
    assert!(ran.err.contains("1 from the batch"), "{}", ran.err);
    let header = |zoo: &Zoo| zoo.read(PROPOSAL).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(header(&by_batch), header(&by_endpoint));
    assert_eq!(server.asked().len(), asked, "nothing was sent");
    // Whatever was recorded is asked of nobody.
    let ran = by_batch.polc(&["extract", "zoo", "--engine", "batch-out", "again.jsonl"]).exits(0);
    assert!(ran.err.contains("2 rows from 1 source"), "{}", ran.err);
}

#[test]
fn a_batch_without_an_answer_writes_nothing_and_says_what_lacks() {
    let server = reader();
    let zoo = zoo(&server);
    zoo.repository.write("in.jsonl", "{\"custom_id\":\"of another batch\",\"answer\":{}}\n");
    let ran = zoo.polc(&["extract", "zoo", "--engine", "batch-in", "in.jsonl"]).exits(2);
    assert!(
        ran.err.contains("the batch has no answer for `CONTRIBUTING.md, sentences 1 to 3`"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("`of another batch`, which nobody asked for"), "{}", ran.err);
    assert!(!zoo.path().join(PROPOSAL).exists());
}

/// Answers as the reader does, but for the walruses.
fn forgets_walruses(asked: &Asked) -> Said {
    let mut answer = honest(asked.question());
    let rules = answer["rules"].as_array_mut().unwrap();
    rules.retain(|rule| !rule["quote"].as_str().unwrap().contains("walrus"));
    Said::json(&answer)
}

#[test]
fn what_stays_open_is_told_ends_with_2_and_closes_the_gate_of_the_freeze() {
    let server = ModelServer::start();
    server.obey(forgets_walruses);
    let zoo = zoo(&server);
    let ran = zoo.polc(&["extract", "zoo", "--repairs", "1"]).exits(2);
    assert!(
        ran.err.contains("refused: CONTRIBUTING.md, sentences 1 to 3: sentence 3 is in no place"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("1 sentence is not accounted for, the first in CONTRIBUTING.md: Never commit"),
        "{}",
        ran.err
    );
    zoo.accept_all();
    let ran = zoo.polc(&["freeze", "zoo", "--by", "keeper"]).exits(4);
    assert!(ran.err.contains("the sentence was accounted for nowhere: Never commit a walrus"), "{}", ran.err);
    assert!(ran.err.contains("polc extract zoo"), "{}", ran.err);
}

#[test]
fn the_run_log_names_the_model_its_prompts_and_what_was_refused() {
    let server = ModelServer::start();
    server.obey(|asked| {
        let mut answer = honest(asked.question());
        if let Some(rules) = answer.get_mut("rules").and_then(Value::as_array_mut) {
            let mut more = rules[0].clone();
            more["quote"] = json!("Never commit a seal.");
            rules.push(more);
        }
        Said::json(&answer)
    });
    let page = PAGE.replace("We are happy", "Automated readers are happy");
    let zoo = Zoo::with(&page);
    zoo.up_to_manifest();
    configure(&zoo, &server, "");
    zoo.does(&["manifest zoo", "manifest confirm zoo --by keeper"]);
    zoo.polc(&["extract", "zoo"]).exits(1);
    zoo.accept_all();
    zoo.does(&["freeze zoo --by keeper", "classify zoo --engine baseline"]);
    zoo.polc(&["accept", "zoo"]);
    let log = zoo.read("corpora/zoo/run-log.md");
    for said in [
        "rows proposed by: engine endpoint 1, model `zoo-1`; cues",
        "sources assessed by: model `zoo-1`",
        "prompt: extraction.j2 version 2 (",
        "prompt: manifest.j2 version 2 (",
        "refused, CONTRIBUTING.md, sentences 1 to 3: rule 3: its quote stands nowhere in the source",
        "CONTRIBUTING.md, sentence 2: Automated readers are happy about every animal.",
    ] {
        assert!(log.contains(said), "no {said:?} in {log}");
    }
}

#[test]
fn what_is_taken_over_from_a_model_says_what_was_read_without_one() {
    let server = reader();
    let zoo = zoo(&server);
    zoo.does(&["extract zoo"]);
    zoo.accept_all();
    zoo.does(&["freeze zoo --by keeper"]);
    let answers = recorded(&zoo, "extract");
    zoo.repository.write("CONTRIBUTING.md", format!("{PAGE}\n## Seals\n\nAlways feed the seals.\n"));
    zoo.repository.commit("Feed the seals");
    let asked = server.asked().len();
    zoo.does(&["pin zoo", "fetch zoo", "manifest zoo --engine baseline", "manifest confirm zoo --by keeper"]);
    zoo.does(&["extract zoo --update"]);
    assert_eq!((server.asked().len(), recorded(&zoo, "extract")), (asked, answers), "nobody is asked");
    let proposal = zoo.read(PROPOSAL);
    let found_by = |words: &str| {
        let row = proposal.lines().find(|line| line.contains(words)).unwrap();
        let row: Value = serde_json::from_str(row).unwrap();
        row["found_by"].as_str().unwrap().to_owned()
    };
    assert!(found_by("feed the seals").starts_with("baseline: "), "{proposal}");
    assert!(found_by("commit a walrus").starts_with("endpoint, model zoo-1, request"), "{proposal}");
    assert!(proposal.starts_with("{\"schema\":2,\"project\":\"zoo\",\"engine\":\"endpoint\""), "{proposal}");
    zoo.does(&["extract zoo --update"]);
    assert_eq!(zoo.read(PROPOSAL), proposal);
    zoo.accept_all();
    zoo.does(&["freeze zoo --by keeper", "classify zoo --engine baseline"]);
    zoo.polc(&["accept", "zoo"]);
    let log = zoo.read("corpora/zoo/run-log.md");
    assert!(log.contains("engine endpoint 1, model `zoo-1`, 1 of them by the baseline; cues"), "{log}");
}

/// What a model says that is none of its answers to keep or to read.
#[test]
fn an_answer_that_nobody_understands_takes_nothing_from_the_others() {
    for no_answer in [
        Said::StoppedBy("pause_turn".into()),
        Said::Empty,
        Said::Html,
        Said::Filtered,
        Said::Refused("no".into()),
        Said::Truncated("{".into()),
        Said::Words("Here you are".into()),
        Said::Error(400, "exceed_context_size_error".into(), "too long".into()),
    ] {
        let server = ModelServer::start();
        let odd = no_answer.clone();
        server.obey(move |asked| match asked.question().contains("sentences 1 to 2") {
            true => Said::json(&honest(asked.question())),
            false => odd.clone(),
        });
        let zoo = Zoo::with(PAGE);
        zoo.up_to_manifest();
        configure(&zoo, &server, "answer_tokens = 300\n");
        let ran = zoo.polc(&["extract", "zoo"]).exits(2);
        assert!(ran.err.contains("1 row from 1 source"), "{no_answer:?}: {}", ran.err);
        assert!(ran.err.contains("1 sentence is not accounted for"), "{no_answer:?}: {}", ran.err);
        assert!(ran.err.contains("refused: CONTRIBUTING.md, sentences 3 to 3"), "{no_answer:?}: {}", ran.err);
        // Once it answers, the rest alone is asked for.
        server.obey(|asked| Said::json(&honest(asked.question())));
        let before = server.asked().len();
        zoo.polc(&["extract", "zoo"]);
        assert!(server.asked()[before..].iter().all(|asked| !asked.question().contains("sentences 1 to 2")));
    }
}

#[test]
fn an_interrupt_keeps_what_was_answered_and_the_next_run_asks_for_the_rest() {
    let server = ModelServer::start();
    server.obey(|asked| match asked.question().contains("OTHER") {
        true => Said::Silence,
        false => Said::json(&honest(asked.question())),
    });
    let zoo = Zoo::with(PAGE);
    zoo.repository.write("AGENTS.md", "# For agents\n\nNever feed OTHER animals.\n");
    zoo.repository.commit("Say what agents do");
    zoo.up_to_manifest();
    configure(&zoo, &server, "concurrency = 2\n");
    let mut extract = polc(zoo.path(), &["extract", "zoo"]);
    let child = extract.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let answered = || {
        let folder = zoo.path().join(".polc/answers");
        std::fs::read_dir(folder).map(Iterator::count).unwrap_or_default()
    };
    while server.asked().len() < 2 || answered() == 0 {
        std::thread::yield_now();
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let ended = child.wait_with_output().unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{err}");
    assert!(err.contains("interrupted; what was answered is kept"), "{err}");
    assert!(!zoo.path().join(PROPOSAL).exists());

    let other = reader();
    configure(&zoo, &other, "");
    zoo.does(&["extract zoo"]);
    assert_eq!(other.asked().len(), 1, "only what lacks is asked for");
}

#[test]
fn a_manifest_is_assessed_by_an_endpoint_a_replay_and_a_batch_alike() {
    const MANIFEST: &str = "manifests/zoo/manifest.toml";
    let server = reader();
    let zoo = Zoo::with(PAGE);
    zoo.does(&["init zoo/zoo --git . --slug zoo --setting pull-request", "pin zoo", "fetch zoo"]);
    configure(&zoo, &server, "");
    let ran = zoo.polc(&["manifest", "zoo"]).exits(0);
    assert!(ran.err.contains("[1/1] CONTRIBUTING.md, sections 1 to 2"), "{}", ran.err);
    let manifest = zoo.read(MANIFEST);
    assert!(manifest.contains("model = \"zoo-1\"") && manifest.contains("schema = 2"), "{manifest}");
    assert_eq!(recorded(&zoo, "manifest"), 1);
    zoo.does(&["manifest zoo --engine replay"]);
    assert_eq!(zoo.read(MANIFEST), manifest);

    let other = Zoo::with(PAGE);
    other.does(&["init zoo/zoo --git . --slug zoo --setting pull-request", "pin zoo", "fetch zoo"]);
    configure(&other, &server, "");
    other.does(&["manifest zoo --engine batch-out out.jsonl"]);
    answer_batch(&other, "out.jsonl", "in.jsonl");
    other.does(&["manifest zoo --engine batch-in in.jsonl", "manifest confirm zoo --by keeper"]);
    let sources =
        |manifest: String| manifest.split("[[source]]").skip(1).map(str::to_owned).collect::<Vec<_>>();
    let without_commit =
        |text: &String| text.lines().filter(|line| !line.starts_with("url")).collect::<Vec<_>>().join("\n");
    let compared = |text: String| sources(text).iter().map(without_commit).collect::<Vec<_>>();
    assert_eq!(compared(other.read(MANIFEST)), compared(manifest));
}

#[test]
fn a_call_that_cannot_be_meant_is_refused() {
    let server = reader();
    let without = Zoo::with(PAGE);
    without.up_to_manifest();
    let with = zoo(&server);
    let says = |ran: Ran, words: &str| assert!(ran.err.contains(words), "{}", ran.err);
    says(without.polc(&["extract", "zoo", "--engine", "endpoint"]).exits(3), "polc.toml names no endpoint");
    says(with.polc(&["extract", "zoo", "--engine", "batch-out"]).exits(3), "a batch needs a file");
    says(with.polc(&["extract", "zoo", "file.jsonl"]).exits(3), "only a batch has a file");
    says(with.polc(&["extract", "zoo", "--engine", "oracle"]).exits(3), "invalid value 'oracle'");
    says(with.polc(&["--offline", "extract", "zoo"]).exits(2), "offline");
    configure_elsewhere(&with);
    says(with.polc(&["extract", "zoo"]).exits(2), "there is no key for `model.example`: set POLC_API_KEY");
    assert!(server.asked().is_empty());
    assert!(!Path::new(&with.path().join(PROPOSAL)).exists());
}

fn configure_elsewhere(zoo: &Zoo) {
    let text = "schema = 2\n\n[endpoint]\nwire = \"messages\"\nmodel = \"zoo-1\"\nbase_url = \"https://model.example/v1\"\n";
    zoo.repository.write("polc.toml", text);
}

//! Facts of a model, from the command line: what is written, what is not, and what it takes to make it again.

use crate::polc::{Ran, Zoo, polc};
use polc_testkit::{Asked, ModelServer, Said, blocks};
use serde_json::{Value, json};

const PAGE: &str = "# Contributing to the zoo\n\n\
    Every file ends with a newline. Never commit a walrus.\n\n\
    ## Commits\n\n\
    Begin the subject with a capital letter. Do not end the subject with a full stop.\n";

/// A project whose rows are frozen, with an endpoint in its configuration.
fn frozen() -> Zoo {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_manifest();
    zoo.does(&["extract zoo"]);
    zoo.accept_all();
    zoo.does(&["freeze zoo --by keeper"]);
    let config = zoo.read("polc.toml").replace("schema = 1", "schema = 2");
    zoo.repository
        .write("polc.toml", format!("{config}\n[endpoint]\nwire = \"messages\"\nmodel = \"zoo-1\"\n"));
    zoo
}

fn with(zoo: &Zoo, server: &ModelServer, arguments: &[&str]) -> Ran {
    Ran::of(polc(zoo.path(), arguments).env("POLC_BASE_URL", server.base_url()))
}

const FACTS: [&str; 15] = [
    "standard_unwritten",
    "compares_states",
    "constrains_process",
    "failure_statable",
    "applies_by_outside_fact",
    "says_outright",
    "forbids",
    "acceptance_condition",
    "exact_thing",
    "one_satisfying_state",
    "consequence",
    "preference_wording",
    "deviation_permitted",
    "applicability_judged",
    "manner",
];

/// What a careful model says of the rows that it is asked about.
fn careful(question: &str) -> Vec<Value> {
    let rows = blocks(question).into_iter().filter(|(label, _)| label.starts_with("ZOO-C"));
    rows.map(|(id, shown)| {
        let rule =
            shown.lines().find_map(|line| line.strip_prefix("rule: ")).unwrap().trim_matches('"').to_owned();
        let fact = |name: &str| match name {
            "failure_statable" => json!({"holds": "yes", "words": ""}),
            "forbids" if shown.contains("Never ") => json!({"holds": "yes", "words": "Never"}),
            "forbids" if shown.contains("Do not ") => json!({"holds": "yes", "words": "Do not"}),
            "exact_thing" => json!({"holds": "yes", "words": rule}),
            _ => json!({"holds": "no", "words": ""}),
        };
        let facts: serde_json::Map<String, Value> =
            FACTS.iter().map(|name| ((*name).to_owned(), fact(name))).collect();
        json!({
            "rule": id, "opens": format!("what {id} is about"), "artifacts": ["files"],
            "failure": format!("somebody does not: {rule}"), "facts": facts, "duplicates": [],
            "auto_fix": null, "addressed": null,
        })
    })
    .collect()
}

fn say(rules: &[Value]) -> Said {
    Said::json(&json!({"rules": rules}))
}

fn careful_server() -> ModelServer {
    let server = ModelServer::start();
    server.obey(|asked: &Asked| say(&careful(asked.question())));
    server
}

const MADE: [&str; 2] = ["corpora/zoo/facts.jsonl", "corpora/zoo/rules.csv"];

#[test]
fn a_corpus_of_a_model_is_made_again_without_it() {
    let (zoo, server) = (frozen(), careful_server());
    let ran = with(&zoo, &server, &["classify", "zoo"]).exits(0);
    assert!(
        ran.err.contains("asking `zoo-1` at http://127.0.0.1") && ran.err.contains("4 rules: "),
        "{}",
        ran.err
    );
    let made = MADE.map(|path| zoo.read(path));
    let header: Value = serde_json::from_str(made[0].lines().next().unwrap()).unwrap();
    assert_eq!((&header["engine"], &header["schema"]), (&json!("endpoint"), &json!(3)));
    assert_eq!((&header["asked"]["model"], &header["samples"]), (&json!("zoo-1"), &json!(1)));
    let prompts: Vec<&str> = header["asked"]["prompt"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["file"].as_str().unwrap())
        .collect();
    assert_eq!(prompts, ["launcher.j2", "repair.j2", "classification.j2", "facts.toml"]);

    // Nothing is asked twice, in no clone either.
    std::fs::remove_dir_all(zoo.path().join(".polc/answers")).unwrap();
    let again = with(&zoo, &server, &["classify", "zoo"]).exits(0);
    assert!(again.err.contains("answered all of this before: nothing is asked"), "{}", again.err);
    assert_eq!(server.asked().len(), 1);
    drop(server);
    zoo.does(&["compile zoo --stubs", "rules-file zoo", "workbook zoo"]);
    let status = zoo.polc(&["status", "zoo"]).exits(0);
    assert!(status.out.contains("classify      done"), "{}", status.out);

    // The answers are kept with the project, and a replay goes by them alone.
    for path in MADE {
        std::fs::remove_file(zoo.path().join(path)).unwrap();
    }
    let nobody = ModelServer::start();
    with(&zoo, &nobody, &["classify", "zoo", "--engine", "replay"]).exits(0);
    assert_eq!(MADE.map(|path| zoo.read(path)), made);
    assert!(nobody.asked().is_empty());

    // Facts of a model are not replaced by others because they do not fit any more.
    let facts = zoo.read(MADE[0]);
    zoo.repository.write(MADE[0], facts.replace("what ZOO-C001 is about", "nothing"));
    let refused =
        zoo.polc(&["workbook", "zoo", "--from", "corpora/zoo/rules.xlsx", "--by", "keeper"]).exits(4);
    assert!(refused.err.contains("a model answered the facts"), "{}", refused.err);
    zoo.repository.write(MADE[0], facts);

    // One changed word in a prompt is named with the request that it changes.
    let prompt = std::fs::read_to_string(crate::polc::checkout().join("stages/classification.j2")).unwrap();
    zoo.repository
        .write("stages/classification.j2", prompt.replace("One sentence, of this rule alone", "One line"));
    let stale = zoo.polc(&["status", "zoo"]).exits(0);
    assert!(stale.out.contains("by other prompts"), "{}", stale.out);
    let missed = with(&zoo, &nobody, &["classify", "zoo", "--engine", "replay"]).exits(2);
    assert!(
        missed.err.contains("`classify ZOO-C001 to ZOO-C004, 4 rules` was not recorded"),
        "{}",
        missed.err
    );
    assert!(missed.err.contains("+") && missed.err.contains("One line"), "{}", missed.err);
}

#[test]
fn a_rule_without_facts_leaves_everything_as_it_was_and_is_asked_for_by_itself() {
    let zoo = frozen();
    let server = ModelServer::start();
    // It never speaks of the second rule.
    server.obey(|asked| {
        say(&careful(asked.question())
            .into_iter()
            .filter(|rule| rule["rule"] != "ZOO-C002")
            .collect::<Vec<_>>())
    });
    let ran = with(&zoo, &server, &["classify", "zoo", "--repairs", "1"]).exits(2);
    assert!(ran.err.contains("1 of 4 rules have no facts"), "{}", ran.err);
    assert!(ran.err.contains("ZOO-C002: it is missing from the answer"), "{}", ran.err);
    assert!(MADE.iter().all(|path| !zoo.path().join(path).exists()), "nothing half is written");
    zoo.polc(&["accept", "zoo", "--by", "keeper"]).exits(4);
    // What was answered is free, and one more repair asks for the rest alone.
    let better = careful_server();
    with(&zoo, &better, &["classify", "zoo", "--repairs", "2"]).exits(0);
    let asked: Vec<String> = better
        .asked()
        .iter()
        .flat_map(|asked| careful(asked.question()))
        .map(|rule| rule["rule"].to_string())
        .collect();
    assert_eq!(asked, ["\"ZOO-C002\""]);
}

#[test]
fn what_was_not_taken_is_told_by_the_run_log_and_the_exit_code() {
    let zoo = frozen();
    let server = ModelServer::start();
    server.obey(|asked| {
        let mut rules = careful(asked.question());
        for rule in &mut rules {
            rule["facts"]["consequence"] = json!({"holds": "yes", "words": "or else"});
        }
        say(&rules)
    });
    let ran = with(&zoo, &server, &["classify", "zoo", "--repairs", "0"]).exits(1);
    assert!(ran.err.contains("4 answers not taken"), "{}", ran.err);
    zoo.polc(&["accept", "zoo"]);
    let log = zoo.read("corpora/zoo/run-log.md");
    assert!(
        log.contains("facts answered by: engine endpoint 1, model `zoo-1`, one answer on each rule"),
        "{log}"
    );
    assert!(log.contains("prompt: classification.j2 version 1"), "{log}");
    let refused = "refused, ZOO-C001: `consequence` is answered `yes` with words that do not stand in the row, `or else`";
    assert!(log.contains(refused), "{log}");
    assert!(
        !zoo.read(MADE[0]).lines().skip(1).any(|line| line.contains("or else")),
        "nothing of it is in the facts"
    );
}

#[test]
fn samples_that_differ_are_marked_for_the_reviewer() {
    let zoo = frozen();
    let server = ModelServer::start();
    let count = std::sync::atomic::AtomicU32::new(0);
    server.obey(move |asked| {
        let mut rules = careful(asked.question());
        if count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0 {
            rules[2]["facts"]["standard_unwritten"] = json!({"holds": "yes", "words": "capital letter"});
            rules[2]["facts"]["failure_statable"] = json!({"holds": "no", "words": "capital letter"});
        }
        say(&rules)
    });
    let ran = with(&zoo, &server, &["classify", "zoo", "--samples", "3"]).exits(0);
    assert!(
        ran.err.contains("doubtful: ZOO-C003: 1 of 3 answers differ on `standard_unwritten`"),
        "{}",
        ran.err
    );
    let explained = zoo.polc(&["explain", "ZOO-C003"]).exits(0).out;
    assert!(explained.contains("1 of 3 answers of the model give another label"), "{explained}");
    assert!(
        zoo.polc(&["classify", "zoo", "--engine", "baseline", "--samples", "3"])
            .exits(3)
            .err
            .contains("alike")
    );
}

#[test]
fn a_batch_is_written_answered_and_read() {
    let zoo = frozen();
    let nobody = ModelServer::start();
    let plan = with(&zoo, &nobody, &["classify", "zoo", "--dry-run"]).exits(0);
    assert!(plan.out.contains("requests   1 to send, 0 recorded already"), "{}", plan.out);
    let out = with(&zoo, &nobody, &["classify", "zoo", "--engine", "batch-out", "batch.jsonl"]).exits(0);
    assert!(out.err.contains("1 request in batch.jsonl"), "{}", out.err);
    assert!(MADE.iter().all(|path| !zoo.path().join(path).exists()));
    let request: Value = serde_json::from_str(zoo.read("batch.jsonl").trim_end()).unwrap();
    let question = request["params"]["messages"][0]["content"].as_str().unwrap();
    let answer = json!({"custom_id": request["custom_id"], "answer": {"rules": careful(question)}});
    zoo.repository.write("answers.jsonl", format!("{answer}\n"));
    with(&zoo, &nobody, &["classify", "zoo", "--engine", "batch-in", "answers.jsonl"]).exits(0);
    assert!(nobody.asked().is_empty());
    let made = MADE.map(|path| zoo.read(path));
    // The endpoint would have given the same.
    let other = frozen();
    with(&other, &careful_server(), &["classify", "zoo"]).exits(0);
    assert_eq!(MADE.map(|path| other.read(path)), made);
}

//! Facts from a model: what is right is taken, what is wrong is asked for again or refused, and nothing of it is
//! lost or made up.

use crate::classifying::{rows, rubrics};
use crate::drawing::FORMATS;
use crate::extracting::{cues, root};
use polc_extraction::asking::Asker;
use polc_extraction::classify::decide::decide;
use polc_extraction::classify::definitions::Definitions;
use polc_extraction::classify::endpoint::{Answered, Classifying, Sheet};
use polc_extraction::endpoint::Suspicions;
use polc_extraction::prompts::Prompts;
use polc_llm::{Engine, Run, Settings, Store};
use polc_records::corpus::Corpus;
use polc_records::endpoint::{EndpointConfig, SchemaDialect, WireFormat};
use polc_records::extraction::ExtractionRow;
use polc_records::ids::RuleId;
use polc_records::layout::Root;
use polc_records::vocabulary::{Artifact, Fact, Truth};
use polc_testkit::{Asked, ModelServer, Said, blocks};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;

pub(crate) fn config(wire: WireFormat) -> EndpointConfig {
    EndpointConfig {
        wire,
        model: "zoo-1".to_owned(),
        base_url: None,
        structure: None,
        schema: SchemaDialect::Strict,
        context_tokens: None,
        answer_tokens: NonZeroU64::new(16_000),
        temperature: None,
        concurrency: None,
        requests_per_minute: None,
        tokens_per_minute: None,
        timeout_seconds: None,
        max_cost: None,
    }
}

fn settings(server: &ModelServer, config: &EndpointConfig) -> Settings {
    let address = server.base_url();
    Settings::of(config, |name| (name == "POLC_BASE_URL").then(|| address.clone())).unwrap()
}

fn prices() -> polc_records::prices::Prices {
    polc_llm::prices(&Root::new("/nowhere")).unwrap()
}

/// How it is asked.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) repairs: u32,
    pub(crate) samples: u32,
    pub(crate) wire: WireFormat,
}

pub(crate) const ONCE: How = How { repairs: 0, samples: 1, wire: WireFormat::ChatCompletions };
const REPAIRED: How = How { repairs: 2, ..ONCE };

/// What comes of asking a run about rows.
async fn asked_of(run: &Run, rows: &[ExtractionRow], how: How) -> Answered {
    let (cues, rubrics, definitions) = (cues(), rubrics("patch"), Definitions::load(&root()).unwrap());
    let prompts = Prompts::load(&root()).unwrap();
    let suspicions = Suspicions::load(&root()).unwrap();
    let sheet =
        Sheet { cues: &cues, rubrics: &rubrics, definitions: &definitions, suspicions: &suspicions, rows };
    let classifying = Classifying::new(&sheet).unwrap();
    let asker = Asker {
        run,
        prompts: &prompts,
        repairs: how.repairs,
        model: "zoo-1",
        context_tokens: None,
        answer_tokens: 16_000,
        told: &|_| {},
    };
    classifying.ask(&asker, NonZeroU32::new(how.samples).unwrap()).await.unwrap()
}

pub(crate) async fn asked(server: &ModelServer, rows: &[ExtractionRow], how: How) -> Answered {
    let folder = tempfile::tempdir().unwrap();
    let run = run(server, how.wire, Engine::Endpoint, folder.path());
    asked_of(&run, rows, how).await
}

fn run(server: &ModelServer, wire: WireFormat, engine: Engine, folder: &Path) -> Run {
    Run::new(settings(server, &config(wire)), engine, Store::new(folder), &prices()).unwrap()
}

/// The rows that a prompt asks about: id, and what is shown.
pub(crate) fn asked_rows(asked: &Asked) -> Vec<(String, String)> {
    let blocks = blocks(asked.question());
    blocks.into_iter().filter(|(label, _)| label.parse::<RuleId>().is_ok()).collect()
}

/// What a careful model says of a row that it knows nothing of.
pub(crate) fn plain(id: &str, shown: &str) -> Value {
    let facts = Fact::answered().map(|fact| {
        let (holds, words) = match fact {
            Fact::FailureStatable => ("yes", ""),
            Fact::Forbids if shown.contains("Never ") => ("yes", "Never"),
            _ => ("no", ""),
        };
        (fact.to_string(), json!({"holds": holds, "words": words}))
    });
    let rule = shown.lines().find_map(|line| line.strip_prefix("rule: ")).unwrap_or("nothing");
    json!({
        "rule": id,
        "opens": format!("the files, for {id}"),
        "artifacts": ["files"],
        "failure": format!("somebody does not: {}", rule.trim_matches('"')),
        "facts": facts.collect::<serde_json::Map<String, Value>>(),
        "duplicates": [],
        "auto_fix": null,
        "addressed": null,
    })
}

pub(crate) fn all_plain(asked: &Asked) -> Vec<Value> {
    asked_rows(asked).iter().map(|(id, shown)| plain(id, shown)).collect()
}

pub(crate) fn say(rules: &[Value]) -> Said {
    Said::json(&json!({"rules": rules}))
}

pub(crate) fn set(rule: &mut Value, fact: Fact, holds: &str, words: &str) {
    rule["facts"][fact.as_str()] = json!({"holds": holds, "words": words});
}

/// Rules of which each is another, in sections of their own.
pub(crate) fn many(count: usize) -> Vec<ExtractionRow> {
    let page: String = (0..count)
        .map(|index| format!("## Part {index}\n\nNever use `thing{index}` in modules.\n\n"))
        .collect();
    rows(&format!("# Guide\n\n{page}"))
}

/// The ids that were answered though nobody had asked about them.
pub(crate) fn stray(answered: &Answered) -> Vec<&str> {
    let remarks = answered.asked.refused.iter().filter(|remark| remark.asked_for == "other rules");
    remarks.map(|remark| remark.what.split('`').nth(1).unwrap()).collect()
}

pub(crate) fn decided(rows: &[ExtractionRow], answered: &Answered) -> Corpus {
    decide(&cues(), &rubrics("patch"), rows, &answered.facts)
}

#[tokio::test]
async fn every_rule_is_asked_about_in_batches_over_the_whole_sheet() {
    for wire in [WireFormat::ChatCompletions, WireFormat::Messages] {
        let rows = many(60);
        let server = ModelServer::start();
        server.obey(|asked| say(&all_plain(asked)));
        let folder = tempfile::tempdir().unwrap();
        let answered = asked_of(&run(&server, wire, Engine::Endpoint, folder.path()), &rows, REPAIRED).await;
        assert_eq!(answered.facts.len(), 60, "{:?}", answered.open);
        assert!(
            answered.open.is_empty() && answered.asked.refused.is_empty() && answered.failures.is_empty()
        );
        let mut sizes: Vec<usize> = server.asked().iter().map(|asked| asked_rows(asked).len()).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [10, 25, 25]);
        for asked in server.asked() {
            let index = blocks(asked.question()).into_iter().find(|(label, _)| label == "index").unwrap().1;
            assert_eq!(index.lines().count(), 60, "each question has the index of all rules");
        }
        // A replay gives the same without a server, and every row says which request it came from.
        drop(server);
        let nobody = ModelServer::start();
        let replay = run(&nobody, wire, Engine::Replay, folder.path());
        let again = asked_of(&replay, &rows, REPAIRED).await;
        assert_eq!(again.facts, answered.facts);
        assert!(nobody.asked().is_empty());
        for facts in &answered.facts {
            assert!(answered.requests.contains(&facts.samples[0].request));
        }
    }
}

/// The prompt speaks of what the tables decide, in the tables' own words.
#[tokio::test]
async fn the_prompt_is_rendered_from_the_tables() {
    let rows = rows(
        "# Guide\n\n## Commits\n\nPlease keep a short subject of at most 50 characters, as `git` shows it. CI checks it.\n",
    );
    let server = ModelServer::start();
    server.obey(|asked| say(&all_plain(asked)));
    asked(&server, &rows, ONCE).await;
    let text = server.asked()[0].question().to_owned();
    let rubrics = rubrics("patch");
    for route in &rubrics.level.routes {
        assert!(
            text.contains(&format!("{} by {}: {}", route.gives.level(), route.gives, route.means)),
            "{route:?}"
        );
    }
    for fact in Fact::answered() {
        assert_eq!(text.matches(&format!("\n- `{fact}` (")).count(), 1, "{fact}");
    }
    for artifact in Artifact::ALL {
        assert_eq!(text.matches(&format!("\n- `{artifact}`: ")).count(), 1, "{artifact}");
    }
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!("classification", masked(&text)) });
}

/// With the marks of blocks replaced.
fn masked(text: &str) -> String {
    let marks: BTreeSet<&str> =
        text.split("<<<block ").skip(1).filter_map(|rest| rest.split(' ').next()).collect();
    marks.iter().fold(text.to_owned(), |text, mark| text.replace(mark, "MARK"))
}

#[tokio::test]
async fn what_is_missing_from_an_answer_is_asked_for_by_itself() {
    let rows = many(8);
    for wire in FORMATS {
        let server = ModelServer::start();
        // A model that forgets every other rule at first, and invents one.
        server.obey(|asked| {
            let mut rules = all_plain(asked);
            if !asked.question().contains("it is missing from the answer") {
                rules = rules.into_iter().step_by(2).collect();
                rules.push(plain("ZOO-C999", "rule: x"));
            }
            say(&rules)
        });
        let answered = asked(&server, &rows, How { wire, ..REPAIRED }).await;
        assert_eq!(answered.facts.len(), 8);
        assert_eq!(stray(&answered), ["ZOO-C999"]);
        let second: Vec<String> = asked_rows(&server.asked()[1]).into_iter().map(|(id, _)| id).collect();
        assert_eq!(second, ["ZOO-C002", "ZOO-C004", "ZOO-C006", "ZOO-C008"], "the missing ones alone");
        assert_eq!(server.asked().len(), 2);

        // Without another chance the rules that came are there, and each of the others is named with the reason.
        let server = ModelServer::start();
        server.obey(|asked| say(&all_plain(asked).into_iter().step_by(2).collect::<Vec<_>>()));
        let answered = asked(&server, &rows, How { wire, ..ONCE }).await;
        assert_eq!((answered.facts.len(), answered.open.len()), (4, 4));
        assert_eq!(answered.open[0].rule.to_string(), "ZOO-C002");
        assert_eq!(answered.open[0].why, "it is missing from the answer");
    }
}

/// What a fault does: the name, how the model spoils the answer on the second of four rules, what is told, and what
/// becomes of the rule where the model never does better.
type Spoil = fn(&mut Vec<Value>);

#[derive(Debug, PartialEq)]
enum Fate {
    /// No facts at all.
    Unanswered,
    /// This fact is open.
    Open(Fact),
    /// The facts are there, without what was invented.
    Without,
}

const FAULTS: &[(&str, Spoil, &str, Fate)] = &[
    ("half of it missing", |rules| drop(rules.remove(1)), "it is missing from the answer", Fate::Unanswered),
    ("answered twice", |rules| rules.push(rules[1].clone()), "it is answered twice", Fate::Unanswered),
    ("an id in another spelling", |rules| rules[1]["rule"] = json!("zoo-c002"), "missing", Fate::Unanswered),
    (
        "words that are nowhere",
        |rules| set(&mut rules[1], Fact::Forbids, "yes", "under no circumstances"),
        "`forbids` is answered `yes` with words that do not stand in the row",
        Fate::Open(Fact::Forbids),
    ),
    (
        "words of another row",
        |rules| set(&mut rules[1], Fact::ExactThing, "yes", "thing0"),
        "`exact_thing` is answered `yes` with words that do not stand in the row",
        Fate::Open(Fact::ExactThing),
    ),
    (
        "what stands there denied",
        |rules| set(&mut rules[1], Fact::Forbids, "no", ""),
        "`forbids` is answered `no`, and the row has `modal: prohibited`",
        Fate::Open(Fact::Forbids),
    ),
    (
        "no words",
        |rules| set(&mut rules[1], Fact::Consequence, "yes", " "),
        "`consequence` is answered `yes` without words of the row",
        Fate::Open(Fact::Consequence),
    ),
    (
        "an exception in the rule's own sentence",
        |rules| set(&mut rules[1], Fact::DeviationPermitted, "yes", "in modules"),
        "do not stand in a line `context`",
        Fate::Open(Fact::DeviationPermitted),
    ),
    (
        "what cannot both be",
        |rules| set(&mut rules[1], Fact::StandardUnwritten, "yes", "Never use"),
        "cannot both hold",
        Fate::Open(Fact::StandardUnwritten),
    ),
    (
        "a vague failure",
        |rules| rules[1]["failure"] = json!("thing1 is not used in an appropriate way"),
        "`failure` needs the vague word `appropriate`",
        Fate::Open(Fact::FailureStatable),
    ),
    ("governs nothing", |rules| rules[1]["artifacts"] = json!([]), "no artifact is named", Fate::Unanswered),
    ("nothing to open", |rules| rules[1]["opens"] = json!(""), "`opens` is empty", Fate::Unanswered),
    ("nothing that fails", |rules| rules[1]["failure"] = json!("  "), "`failure` is empty", Fate::Unanswered),
    (
        "the same reasoning",
        |rules| rules[..2].iter_mut().for_each(|rule| rule["failure"] = json!("nobody did it")),
        "`failure` is what is said of ZOO-C001",
        Fate::Unanswered,
    ),
    (
        "a duplicate that is nowhere",
        |rules| rules[1]["duplicates"] = json!([{"of": "ZOO-C077", "because": "alike"}]),
        "`duplicates` names `ZOO-C077`, which is not in the index",
        Fate::Without,
    ),
    (
        "a duplicate of itself",
        |rules| rules[1]["duplicates"] = json!([{"of": "ZOO-C002", "because": "alike"}]),
        "which is the rule itself",
        Fate::Without,
    ),
    (
        "a name of another row",
        |rules| rules[1]["opens"] = json!("the module `thing3`"),
        "`opens` has the name `thing3`, which stands in another row and not in this one",
        Fate::Without,
    ),
    (
        "a tool that nobody names",
        |rules| rules[1]["auto_fix"] = json!("zebra-format"),
        "`auto_fix` gives words that do not stand in the row, `zebra-format`",
        Fate::Without,
    ),
];

#[tokio::test]
async fn every_fault_is_told_and_mended_or_its_fact_is_not_taken() {
    let rows = many(4);
    let all = FORMATS.into_iter().flat_map(|wire| FAULTS.iter().map(move |fault| (wire, fault)));
    for (wire, (what, spoil, told, fate)) in all {
        let how = How { wire, ..REPAIRED };
        // A model that does better once it is told.
        let server = ModelServer::start();
        server.obey(move |asked| {
            let mut rules = all_plain(asked);
            if !asked.question().contains("# What was wrong before") {
                spoil(&mut rules);
            }
            say(&rules)
        });
        let answered = asked(&server, &rows, how).await;
        assert_eq!(answered.facts.len(), 4, "{what}: {:?}", answered.open);
        assert_eq!(
            answered.asked.refused.len(),
            stray(&answered).len(),
            "{what}: {:?}",
            answered.asked.refused
        );
        assert!(server.asked()[1].question().contains(told), "{what}: {}", server.asked()[1].question());
        assert_eq!(
            asked_rows(&server.asked()[1]).len(),
            1,
            "{what}: the one rule alone is asked about again"
        );

        // One that never does.
        let server = ModelServer::start();
        server.obey(move |asked| {
            let mut rules = all_plain(asked);
            if rules.len() == 1 {
                rules.insert(0, plain("ZOO-C001", "rule: \"Never use `thing0` in modules.\""));
            }
            spoil(&mut rules);
            say(&rules)
        });
        let answered = asked(&server, &rows, how).await;
        let others = answered.facts.iter().filter(|facts| facts.rule.number() != 2).count();
        assert_eq!(others, 3, "{what}: the other rules lose nothing");
        let second = answered.facts.iter().find(|facts| facts.rule.number() == 2);
        match fate {
            Fate::Unanswered => {
                assert!(second.is_none() && answered.open[0].why.contains(told), "{what}: {answered:?}");
            }
            Fate::Open(fact) => {
                assert_eq!(second.unwrap().facts[fact].holds, Truth::Unknown, "{what}");
                assert!(
                    answered.asked.refused.iter().any(|remark| remark.what.contains(told)),
                    "{what}: {:?}",
                    answered.asked.refused
                );
                let low = decided(&rows, &answered).rows[1].low_confidence.clone().unwrap_or_default();
                // A fact is told of where the label turns on it: this one is decided by what forbids.
                let decides =
                    !matches!(fact, Fact::ExactThing | Fact::Consequence | Fact::DeviationPermitted);
                assert_eq!(low.contains(&format!("`{fact}` is open")), decides, "{what}: {low}");
            }
            Fate::Without => {
                let facts = second.unwrap();
                assert!(facts.duplicates.is_empty() && facts.auto_fix.is_none(), "{what}");
                assert!(!facts.opens.contains("thing3"), "{what}");
                assert!(
                    answered.asked.refused.iter().any(|remark| remark.what.contains(told)),
                    "{what}: {:?}",
                    answered.asked.refused
                );
            }
        }
    }
}

/// A `no` needs no words, so it is held against what the row quotes.
#[tokio::test]
async fn what_the_row_quotes_is_not_denied() {
    let rows = rows(
        "# Guide\n\n## Size\n\nA change must be small. The limit is soft. What is larger will be closed.\n",
    );
    let server = ModelServer::start();
    server.obey(|asked| say(&all_plain(asked)));
    let answered = asked(&server, &rows, ONCE).await;
    for fact in [Fact::SaysOutright, Fact::DeviationPermitted, Fact::Consequence] {
        let answer = &answered.facts[0].facts[&fact];
        assert_eq!(answer.holds, Truth::Unknown, "{fact}: {rows:#?}");
        let told = format!("`{fact}` is answered `no`, and the row has `");
        assert!(answered.asked.refused.iter().any(|remark| remark.what.starts_with(&told)), "{fact}");
    }
}

#[tokio::test]
async fn the_same_sentence_for_every_rule_answers_one_of_them() {
    let rows = many(6);
    let server = ModelServer::start();
    server.obey(|asked| {
        let mut rules = all_plain(asked);
        for rule in &mut rules {
            rule["failure"] = json!(format!("{} is not followed", rule["rule"].as_str().unwrap()));
        }
        say(&rules)
    });
    let answered = asked(&server, &rows, REPAIRED).await;
    assert_eq!(
        (answered.facts.len(), answered.open.len()),
        (1, 5),
        "an id does not make it another sentence"
    );
}

#[tokio::test]
async fn a_value_outside_the_list_is_asked_for_again() {
    let rows = many(3);
    let cases = [
        ("artifact", (|rule| rule["artifacts"] = json!(["website"])) as fn(&mut Value)),
        ("truth", |rule| rule["facts"]["forbids"]["holds"] = json!("perhaps")),
        ("a fact of its own", |rule| rule["facts"]["is_nice"] = json!({"holds": "yes", "words": "x"})),
        ("no fact", |rule| drop(rule["facts"].as_object_mut().unwrap().remove("forbids"))),
        ("a label", |rule| rule["label"] = json!("M1")),
    ];
    let all = FORMATS.into_iter().flat_map(|wire| cases.map(|case| (wire, case)));
    for (wire, (what, spoil)) in all {
        let how = How { wire, ..REPAIRED };
        let server = ModelServer::start();
        server.obey(move |asked| {
            let mut rules = all_plain(asked);
            if asked.last() == asked.question() {
                spoil(&mut rules[1]);
            }
            say(&rules)
        });
        let answered = asked(&server, &rows, how).await;
        assert_eq!(answered.facts.len(), 3, "{what}: {:?}", answered.open);
        // One that never listens: it is told, and nothing is taken.
        let server = ModelServer::start();
        server.obey(move |asked| {
            let mut rules = all_plain(asked);
            rules.iter_mut().for_each(spoil);
            say(&rules)
        });
        let answered = asked(&server, &rows, how).await;
        assert_eq!((answered.facts.len(), answered.open.len()), (0, 3), "{what}");
        assert!(!answered.open[0].why.is_empty(), "{what}");
    }
}

#[tokio::test]
async fn an_answer_that_was_cut_off_is_asked_for_in_smaller_pieces() {
    let rows = many(20);
    let server = ModelServer::start();
    server.obey(|asked| {
        let rules = all_plain(asked);
        let text = json!({"rules": rules}).to_string();
        if rules.len() > 6 { Said::Truncated(text) } else { Said::Answer(text) }
    });
    let answered = asked(&server, &rows, REPAIRED).await;
    assert_eq!(answered.facts.len(), 20, "{:?}", answered.open);
    let mut sizes: Vec<usize> = server.asked().iter().map(|asked| asked_rows(asked).len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [2, 6, 6, 6, 8, 12, 20], "what is whole by chance is not read");
}

#[tokio::test]
async fn trouble_with_one_batch_takes_nothing_from_the_others_and_a_rerun_asks_for_it_alone() {
    let rows = many(50);
    let folder = tempfile::tempdir().unwrap();
    let server = ModelServer::start();
    server.obey(|asked| match asked_rows(asked)[0].0.as_str() {
        "ZOO-C001" => Said::Refused("No.".to_owned()),
        _ => say(&all_plain(asked)),
    });
    let new_run = |server: &ModelServer| run(server, WireFormat::Messages, Engine::Endpoint, folder.path());
    let answered = asked_of(&new_run(&server), &rows, ONCE).await;
    assert_eq!((answered.facts.len(), answered.open.len()), (25, 25));
    assert!(answered.open[0].why.contains("refused"), "{:?}", answered.open[0]);

    let busy = ModelServer::start();
    busy.obey(|_| Said::Error(401, "authentication_error".into(), "revoked".into()));
    let folder = tempfile::tempdir().unwrap();
    let new_run = |server: &ModelServer| run(server, WireFormat::Messages, Engine::Endpoint, folder.path());
    let answered = asked_of(&new_run(&busy), &rows, REPAIRED).await;
    assert_eq!((answered.facts.len(), answered.failures.len()), (0, 2), "nothing is asked a second time");
    let right = ModelServer::start();
    right.obey(|asked| say(&all_plain(asked)));
    assert_eq!(asked_of(&new_run(&right), &rows, REPAIRED).await.facts.len(), 50);
    let idle = ModelServer::start();
    assert_eq!(asked_of(&new_run(&idle), &rows, REPAIRED).await.facts.len(), 50, "what is recorded is free");
    assert!(idle.asked().is_empty());
}

#[tokio::test]
async fn what_most_samples_say_holds_and_where_they_differ_is_marked() {
    let rows = many(3);
    let server = ModelServer::start();
    let count = std::sync::atomic::AtomicU32::new(0);
    // Of three answers one forbids the second rule; one names another artifact for the third.
    server.obey(move |asked| {
        let number = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let mut rules = all_plain(asked);
        rules.iter_mut().for_each(|rule| set(rule, Fact::ExactThing, "yes", "in modules"));
        if number == 0 {
            set(&mut rules[1], Fact::StandardUnwritten, "yes", "Never use");
            set(&mut rules[1], Fact::FailureStatable, "no", "Never use");
        }
        let artifact = if number == 1 { "diff" } else { "files" };
        rules[2]["artifacts"] = json!([artifact]);
        say(&rules)
    });
    let answered = asked(&server, &rows, How { samples: 3, ..ONCE }).await;
    assert_eq!(answered.facts.len(), 3);
    assert_eq!(server.asked().len(), 3);
    let [first, second, third] = answered.facts.as_slice() else { panic!("{answered:?}") };
    assert!(first.samples.len() == 3 && first.samples.iter().all(|sample| sample.facts.is_empty()));
    assert_eq!(second.facts[&Fact::StandardUnwritten].holds, Truth::No);
    let otherwise: Vec<_> = second.samples.iter().map(|sample| sample.facts.len()).collect();
    assert_eq!(otherwise.iter().filter(|facts| **facts == 2).count(), 1, "{otherwise:?}");
    assert_eq!(third.artifacts, [Artifact::Files]);
    assert_eq!(third.samples.iter().filter(|sample| sample.artifacts.is_some()).count(), 1);
    let corpus = decided(&rows, &answered);
    let low: Vec<Option<&str>> = corpus.rows.iter().map(|row| row.low_confidence.as_deref()).collect();
    assert_eq!(low, [None, Some("1 of 3 answers of the model give another label"), None]);
    for (facts, sample) in
        answered.facts.iter().flat_map(|facts| facts.samples.iter().map(move |one| (facts, one)))
    {
        let alone = facts.of_sample(sample);
        let differs =
            Fact::answered().filter(|fact| alone.facts[fact].holds != facts.facts[fact].holds).count();
        assert_eq!(differs, sample.facts.len());
    }
}

#[tokio::test]
async fn a_tie_between_samples_is_open() {
    let rows = many(1);
    let server = ModelServer::start();
    let count = std::sync::atomic::AtomicU32::new(0);
    server.obey(move |asked| {
        let mut rules = all_plain(asked);
        if count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0 {
            set(&mut rules[0], Fact::Consequence, "yes", "Never");
            rules[0]["artifacts"] = json!(["diff"]);
        }
        say(&rules)
    });
    let answered = asked(&server, &rows, How { samples: 2, ..ONCE }).await;
    assert_eq!(answered.facts[0].artifacts.len(), 1, "it governs something");
    let consequence = &answered.facts[0].facts[&Fact::Consequence];
    assert_eq!(consequence.holds, Truth::Unknown);
    assert_eq!(consequence.words, "the answers of the model differ: 1 yes, 1 no, 0 unknown");
}

#[tokio::test]
async fn a_batch_that_is_answered_elsewhere_gives_the_same_facts() {
    let rows = many(30);
    let server = ModelServer::start();
    server.obey(|asked| say(&all_plain(asked)));
    let direct = asked(&server, &rows, REPAIRED).await;
    let folder = tempfile::tempdir().unwrap();
    let (out, answers) = (folder.path().join("out.jsonl"), folder.path().join("in.jsonl"));
    let store = folder.path().join("answers");
    let nobody = ModelServer::start();
    let engine = |engine| run(&nobody, WireFormat::ChatCompletions, engine, &store);
    let writing = engine(Engine::BatchOut(out.clone()));
    let waiting = asked_of(&writing, &rows, REPAIRED).await;
    assert_eq!((waiting.facts.len(), writing.write_batch().unwrap()), (0, Some(2)));
    // Another program answers: it reads the requests, and writes an answer for each.
    let mut lines = String::new();
    for line in std::fs::read_to_string(&out).unwrap().lines() {
        let request: Value = serde_json::from_str(line).unwrap();
        let text = request["body"]["messages"][1]["content"].as_str().unwrap();
        let rules: Vec<Value> = blocks(text)
            .iter()
            .filter(|(label, _)| label.parse::<RuleId>().is_ok())
            .map(|(id, shown)| plain(id, shown))
            .collect();
        lines += &format!("{}\n", json!({"custom_id": request["custom_id"], "answer": {"rules": rules}}));
    }
    std::fs::write(&answers, lines).unwrap();
    let read = asked_of(&engine(Engine::BatchIn(answers)), &rows, REPAIRED).await;
    assert_eq!(read.facts, direct.facts);
    assert!(nobody.asked().is_empty());
}

#[test]
fn every_fact_is_defined_once() {
    let text = std::fs::read_to_string(root().folder().join("rubrics/facts.toml")).unwrap();
    let forbids = text.split("[[fact]]").find(|part| part.contains("\"forbids\"")).unwrap();
    for (what, text, said) in [
        (
            "twice",
            text.clone() + "[[fact]]" + forbids.split("[[").next().unwrap(),
            "`forbids` is defined 2 times",
        ),
        ("never", text.replace(&format!("[[fact]]{forbids}"), ""), "`forbids` is defined 0 times"),
        (
            "derived",
            text.clone() + "\n[[fact]]\nname = \"duplicate\"\nmeans = \"x\"\n",
            "`duplicate` is defined 1 times",
        ),
        (
            "unknown",
            text.clone() + "\n[[artifact]]\nname = \"moon\"\nmeans = \"x\"\n",
            "`moon` is no artifact",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("rubrics")).unwrap();
        std::fs::write(folder.path().join("rubrics/facts.toml"), text).unwrap();
        let error = Definitions::load(&Root::new(folder.path())).unwrap_err().to_string();
        assert!(error.contains(said), "{what}: {error}");
    }
}

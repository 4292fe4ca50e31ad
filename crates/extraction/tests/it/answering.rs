//! The law of classification by a model: whatever it answers, what is taken stands in the row.

use crate::endpoint::{How, ONCE, asked, decided, many, say};
use polc_records::corpus::Corpus;
use polc_records::extraction::ExtractionRow;
use polc_records::facts::RuleFacts;
use polc_records::vocabulary::{Artifact, Fact, Truth};
use polc_testkit::ModelServer;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

static ROWS: LazyLock<Vec<ExtractionRow>> = LazyLock::new(|| many(3));

const IDS: [&str; 5] = ["ZOO-C001", "ZOO-C002", "ZOO-C003", "ZOO-C999", "a rule"];

const WORDS: [&str; 12] = [
    "",
    " ",
    "Never",
    "never use",
    "`thing0`",
    "thing1",
    "in modules",
    "Part 2",
    "must",
    "says_outright",
    "…",
    "Never use `thing2` in modules.",
];

const SENTENCES: [&str; 6] = [
    "",
    "somebody uses thing0",
    "somebody uses `thing1`",
    "it is not so",
    "nothing of it is appropriate",
    "ZOO-C001 is not followed",
];

fn rule() -> impl Strategy<Value = Value> {
    let facts = vec((select(Truth::ALL.to_vec()), select(WORDS.to_vec())), Fact::answered().count());
    let artifacts = subsequence(Artifact::ALL.to_vec(), 1..4);
    let pairs = vec((select(IDS.to_vec()), select(SENTENCES.to_vec())), 0..3);
    let sentences = (select(SENTENCES.to_vec()), select(SENTENCES.to_vec()));
    let named = (select(WORDS.to_vec()), select(WORDS.to_vec()));
    (select(IDS.to_vec()), sentences, artifacts, facts, pairs, named).prop_map(
        |(id, (opens, failure), artifacts, facts, pairs, (auto_fix, addressed))| {
            let facts: serde_json::Map<String, Value> = Fact::answered()
                .zip(facts)
                .map(|(fact, (holds, words))| (fact.to_string(), json!({"holds": holds, "words": words})))
                .collect();
            let pairs = pairs.into_iter().map(|(of, because)| json!({"of": of, "because": because}));
            json!({
                "rule": id, "opens": opens, "artifacts": artifacts, "failure": failure, "facts": facts,
                "duplicates": pairs.collect::<Vec<_>>(), "auto_fix": auto_fix, "addressed": addressed,
            })
        },
    )
}

/// Whether words stand in a row, by another way than the product's.
fn stands(row: &ExtractionRow, words: &str) -> bool {
    let texts = [row.original.clone(), row.rule.clone(), row.source.section.to_string()];
    let words = words.trim().to_lowercase();
    words.contains(char::is_alphanumeric) && texts.iter().any(|text| text.to_lowercase().contains(&words))
}

fn holds_of(row: &ExtractionRow, facts: &RuleFacts) -> Result<(), TestCaseError> {
    prop_assert!(Fact::answered().all(|fact| facts.facts.contains_key(&fact)));
    for (fact, answer) in &facts.facts {
        let shown_by = if *fact == Fact::FailureStatable { Truth::No } else { Truth::Yes };
        if answer.holds == shown_by {
            prop_assert!(stands(row, &answer.words), "{fact}: {answer:?}");
            prop_assert!(*fact != Fact::DeviationPermitted, "nothing around the rule permits anything");
        }
    }
    prop_assert!(facts.facts[&Fact::Forbids].holds != Truth::No, "the row forbids");
    let statable = facts.facts[&Fact::FailureStatable].holds == Truth::Yes;
    prop_assert!(!statable || !facts.failure.contains("appropriate"));
    prop_assert!(!facts.opens.trim().is_empty() && !facts.failure.trim().is_empty());
    prop_assert!(!facts.artifacts.is_empty());
    for pair in &facts.duplicates {
        prop_assert!(pair.of != facts.rule && ROWS.iter().any(|row| row.id == pair.of));
    }
    for words in [&facts.auto_fix, &facts.addressed].into_iter().flatten() {
        prop_assert!(stands(row, words), "{words}");
    }
    let others = ROWS.iter().filter(|other| other.id != row.id);
    for name in others.map(|other| format!("thing{}", other.id.number() - 1)) {
        prop_assert!(!facts.opens.contains(&name) && !facts.failure.contains(&name), "{facts:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_answered_only_what_stands_in_the_row_is_taken(
        rounds in vec(vec(rule(), 0..6), 1..4),
        repairs in 0..3_u32,
        samples in 1..3_u32,
    ) {
        let server = ModelServer::start();
        let last = rounds.last().cloned().unwrap_or_default();
        server.script(rounds.iter().map(|rules| say(rules)));
        server.obey(move |_| say(&last));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let answered = runtime.block_on(asked(&server, &ROWS, How { repairs, samples, ..ONCE }));
        let taken: Vec<_> = answered.facts.iter().map(|facts| &facts.rule).collect();
        let open: Vec<_> = answered.open.iter().map(|rule| &rule.rule).collect();
        let all: BTreeSet<_> = taken.iter().chain(&open).copied().collect();
        prop_assert_eq!((all.len(), taken.len() + open.len()), (ROWS.len(), ROWS.len()), "each row once");
        prop_assert!(answered.open.iter().all(|rule| !rule.why.is_empty()));
        for facts in &answered.facts {
            let row = ROWS.iter().find(|row| row.id == facts.rule).unwrap();
            holds_of(row, facts)?;
        }
        if open.is_empty() {
            let corpus = decided(&ROWS, &answered);
            let path = Path::new("rules.csv");
            let text = corpus.render(path).unwrap();
            prop_assert_eq!(Corpus::parse(path, &"zoo".parse().unwrap(), &text).unwrap(), corpus);
        }
    }
}

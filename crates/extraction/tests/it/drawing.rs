//! Rules drawn by a model, right or wrong: what is wrong is asked again, what stays wrong is refused and told, nothing is
//! lost and nothing is admitted that the sources do not say.

use crate::extracting::{cues, root, source};
use polc_extraction::asking::Asker;
use polc_extraction::documents::ReadSource;
use polc_extraction::endpoint::{Drawn, Passages, Suspicions};
use polc_extraction::grounding::Grounds;
use polc_extraction::prompts::Prompts;
use polc_llm::{Engine, Run, Settings, Store};
use polc_records::asked::Remark;
use polc_records::endpoint::{EndpointConfig, SchemaDialect, WireFormat};
use polc_records::layout::Root;
use polc_records::ledger::Fate;
use polc_records::locator::SectionPath;
use polc_records::manifest::{OutSection, Source};
use polc_records::prices::Prices;
use polc_records::vocabulary::{
    AppliesTo, Category, ContextKind, ExclusionCode, Inclusion, LedgerReason, ModalLevel,
};
use polc_testkit::reading::{honest, rule, sentences};
use polc_testkit::{ModelServer, Said, shared};
use polc_text::{Document, Format};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;

pub(crate) const FORMATS: [WireFormat; 2] = [WireFormat::ChatCompletions, WireFormat::Messages];

/// How a test asks.
#[derive(Clone, Copy)]
pub(crate) struct Asking {
    pub(crate) wire: WireFormat,
    pub(crate) repairs: u32,
    pub(crate) context_tokens: Option<u64>,
    pub(crate) answer_tokens: u64,
}

impl Default for Asking {
    fn default() -> Self {
        Asking { wire: WireFormat::ChatCompletions, repairs: 2, context_tokens: None, answer_tokens: 16_000 }
    }
}

impl Asking {
    /// Works with a run of a server.
    pub(crate) fn with<T>(
        self,
        server: &ModelServer,
        store: &Path,
        work: impl AsyncFnOnce(&Asker<'_>) -> T,
    ) -> T {
        let config = EndpointConfig {
            wire: self.wire,
            model: "zoo-1".to_owned(),
            base_url: None,
            structure: None,
            schema: SchemaDialect::Strict,
            context_tokens: self.context_tokens.and_then(NonZeroU64::new),
            answer_tokens: NonZeroU64::new(self.answer_tokens),
            temperature: None,
            concurrency: NonZeroU32::new(1),
            requests_per_minute: None,
            tokens_per_minute: None,
            timeout_seconds: None,
            max_cost: None,
        };
        let environment = |name: &str| (name == "POLC_BASE_URL").then(|| server.base_url());
        let settings = Settings::of(&config, environment).unwrap();
        let prices = Prices { schema: 1, model: Vec::new() };
        let run = Run::new(settings, Engine::Endpoint, Store::new(store), &prices).unwrap();
        let prompts = Prompts::load(&root()).unwrap();
        let asker = Asker {
            run: &run,
            prompts: &prompts,
            repairs: self.repairs,
            model: "zoo-1",
            context_tokens: self.context_tokens,
            answer_tokens: self.answer_tokens,
            told: &|_| {},
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(work(&asker))
    }

    /// Why a server is not asked about sources.
    fn refused(self, server: &ModelServer, sources: &[ReadSource<'_>]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let (cues, suspicions) = (cues(), Suspicions::load(&root()).unwrap());
        self.with(server, folder.path(), async |asker| {
            match Passages::of(asker, "zoo", &cues, &suspicions, sources) {
                Ok(passages) => panic!("{} questions", passages.len()),
                Err(problem) => problem.to_string(),
            }
        })
    }

    /// What a server draws from sources.
    pub(crate) fn draw(self, server: &ModelServer, sources: &[ReadSource<'_>]) -> Drawn {
        let folder = tempfile::tempdir().unwrap();
        let (cues, suspicions) = (cues(), Suspicions::load(&root()).unwrap());
        self.with(server, folder.path(), async |asker| {
            let passages = Passages::of(asker, "zoo", &cues, &suspicions, sources).unwrap();
            passages.ask(asker).await.unwrap()
        })
    }
}

pub(crate) fn read<'s>(source: &'s Source, text: &str) -> ReadSource<'s> {
    ReadSource { source, document: Document::derive(text.as_bytes(), Format::of_path(&source.key)).unwrap() }
}

/// A server whose answers are honest but for what is done to them; the number of the attempt is given too.
fn server(change: impl Fn(usize, &str, &mut Value) + Send + Sync + 'static) -> ModelServer {
    let server = ModelServer::start();
    server.obey(move |asked| {
        let turns = asked.body["messages"].as_array().unwrap().iter();
        let attempt = turns.filter(|turn| turn["role"] == "user").count();
        let mut answer = honest(asked.question());
        change(attempt, asked.question(), &mut answer);
        Said::json(&answer)
    });
    server
}

const PAGE: &str = "# Contributing\n\nWelcome to the zoo. Every file must end with a newline.\n\n\
    ## Walruses\n\nNever commit a walrus, since walruses do not merge. Please keep changes of 30 lines.\n\n\
    ## Reviewing\n\nKeep calm when you review the changes of others.\n";

/// The page, without what is for reviewers.
fn partly() -> Source {
    let path = |heading: &str| SectionPath(vec![heading.to_owned()]);
    Source {
        inclusion: Inclusion::Partial,
        in_scope: vec![SectionPath::default(), path("Walruses"), path("Contributing")],
        out: vec![OutSection {
            section: path("Reviewing"),
            code: ExclusionCode::Triage,
            reason: "for reviewers".to_owned(),
        }],
        ..source("CONTRIBUTING.md", "contributing", PAGE)
    }
}

/// What holds whatever a model says: every row has its quotes in its source, every sentence has a line or is open, and no
/// line names a row that is not there.
#[track_caller]
pub(crate) fn nothing_is_lost_or_made_up(sources: &[ReadSource<'_>], drawn: &Drawn) {
    let grounds = Grounds::new(sources);
    for proposed in &drawn.extracted.rows {
        let found = grounds.prove(&proposed.row, Some(&proposed.locator));
        assert_eq!(found.as_ref(), Ok(&proposed.locator), "{}", proposed.row.rule);
        assert_eq!(proposed.row.digest().unwrap(), proposed.digest);
    }
    let all = polc_extraction::coverage::sentences(sources);
    assert_eq!(drawn.extracted.ledger.len() + drawn.open.len(), all.len(), "every sentence is somewhere");
    for line in &drawn.extracted.ledger {
        let names = match &line.outcome {
            Fate::Rule { rows, .. } => rows.clone(),
            Fate::Restates(row) => vec![row.clone()],
            Fate::NoRule(_) => Vec::new(),
        };
        for name in names {
            let digest = name.proposed().unwrap();
            assert!(drawn.extracted.rows.iter().any(|row| row.digest == digest), "{}: {digest}", line.text);
        }
    }
    if !drawn.open.is_empty() {
        assert!(!drawn.asked.refused.is_empty(), "what is open is told: {:?}", drawn.open);
    }
}

fn rules(drawn: &Drawn) -> Vec<&str> {
    drawn.extracted.rows.iter().map(|proposed| proposed.row.rule.as_str()).collect()
}

fn told(remarks: &[Remark]) -> String {
    remarks.iter().map(|remark| format!("{}: {}\n", remark.asked_for, remark.what)).collect()
}

const HONEST: [&str; 3] = [
    "Every file must end with a newline.",
    "Never commit a walrus, since walruses do not merge.",
    "Please keep changes of 30 lines.",
];

#[test]
fn an_honest_model_gives_every_rule_and_an_account_of_every_sentence() {
    for wire in FORMATS {
        let source = partly();
        let sources = [read(&source, PAGE)];
        let drawn = Asking { wire, ..Asking::default() }.draw(&server(|_, _, _| {}), &sources);
        nothing_is_lost_or_made_up(&sources, &drawn);
        assert_eq!(rules(&drawn), HONEST);
        assert!(drawn.open.is_empty() && drawn.asked.refused.is_empty(), "{:?}", drawn.asked);
        assert_eq!(drawn.requests.len(), 1);
        let versions: Vec<&str> = drawn.asked.prompts.iter().map(|prompt| prompt.file.as_str()).collect();
        assert_eq!(versions, ["launcher.j2", "repair.j2", "extraction.j2"]);
        let walrus = &drawn.extracted.rows[1];
        assert_eq!(walrus.row.modal, ModalLevel::Prohibited);
        assert_eq!(walrus.row.section.to_string(), "Walruses");
        let request = drawn.requests[0].short();
        assert_eq!(walrus.found_by, format!("endpoint, model zoo-1, request {request}"));
    }
}

#[test]
fn what_is_out_of_scope_is_not_shown_to_a_model() {
    let source = partly();
    let server = server(|_, _, _| {});
    Asking::default().draw(&server, &[read(&source, PAGE)]);
    let asked = server.asked();
    assert!(asked[0].text().contains("walruses do not merge"));
    assert!(asked.iter().all(|asked| !asked.text().contains("Keep calm")), "a section that is out");
}

type Change = fn(&str, &mut Value);

/// What a model can get wrong: what it does, what it is told, and the rules that are left where it never mends it.
const WRONG: [(&str, Change, &str, &[&str]); 19] = [
    (
        "a number that is part of another",
        |_, answer| answer["rules"][2]["rule"] = json!("Keep changes of 3 lines."),
        "names `3`",
        &[HONEST[0], HONEST[1]],
    ),
    (
        "a scrap of a sentence",
        |_, answer| answer["rules"][1]["quote"] = json!("walrus, since"),
        "too short",
        &[HONEST[0], HONEST[2]],
    ),
    (
        "a rule that is not that of its sentence",
        |_, answer| answer["rules"][1]["rule"] = json!("Document giraffes thoroughly."),
        "has no word of the sentences",
        &[HONEST[0], HONEST[2]],
    ),
    (
        "a rule that repeats an example of the question",
        |_, answer| answer["rules"][1]["rule"] = json!("If you add a flag, document it."),
        "has no word of the sentences",
        &[HONEST[0], HONEST[2]],
    ),
    (
        "a rule that is a word",
        |_, answer| answer["rules"][1]["rule"] = json!("Walrus"),
        "has to be one sentence",
        &[HONEST[0], HONEST[2]],
    ),
    (
        "half of the passage is missing",
        |_, answer| answer["rules"] = json!([answer["rules"][0]]),
        "is in no place",
        &[HONEST[0]],
    ),
    (
        "a quote that is nowhere",
        |_, answer| answer["rules"][1]["quote"] = json!("Never commit a seal"),
        "stands nowhere",
        &[HONEST[0], HONEST[2]],
    ),
    (
        "a quote that is nearly right",
        |_, answer| {
            answer["rules"][1]["quote"] = json!("Never commit the walrus, since walruses do not merge.")
        },
        "stands nowhere",
        &[HONEST[0], HONEST[2]],
    ),
    (
        "a quote of a section that is out of scope",
        |_, answer| answer["rules"][1]["quote"] = json!("Keep calm when you review the changes of others."),
        "does not stand in the sentences that were asked about",
        &[HONEST[0], HONEST[2]],
    ),
    (
        "a quote of another sentence",
        |_, answer| answer["rules"][1]["quote"] = answer["rules"][0]["quote"].clone(),
        "not only in the sentences that it names",
        &[HONEST[0], HONEST[2]],
    ),
    (
        "a number that nobody asked for",
        |_, answer| answer["rules"][1]["sentences"] = json!([99]),
        "sentence 99 was not asked about",
        &[HONEST[0], HONEST[2]],
    ),
    (
        "a number that is none",
        |_, answer| answer["no_rule"][0]["sentences"] = json!([0, 1]),
        "sentence 0 was not asked about",
        &HONEST,
    ),
    (
        "a number of its own",
        |_, answer| answer["rules"][2]["rule"] = json!("Keep changes below 72 lines."),
        "names `72`",
        &[HONEST[0], HONEST[1]],
    ),
    (
        "a command of its own",
        |_, answer| answer["rules"][2]["rule"] = json!("Keep changes small with `git rebase`."),
        "names `git rebase`",
        &[HONEST[0], HONEST[1]],
    ),
    (
        "a sentence in two places",
        |_, answer| answer["no_rule"][0]["sentences"] = json!([1, 2]),
        "is in a rule and in another place",
        &HONEST,
    ),
    (
        "two reasons for one sentence",
        |_, answer| {
            answer["no_rule"].as_array_mut().unwrap().push(json!({"sentences": [1], "reason": "history"}))
        },
        "is in several places",
        &HONEST,
    ),
    (
        "a rule that is not there restated",
        |_, answer| {
            answer["no_rule"] = json!([]);
            answer["restates"] = json!([{"sentence": 1, "rule": 9}]);
        },
        "there is no rule 9",
        &HONEST,
    ),
    (
        "the same rule twice",
        |_, answer| {
            let again = answer["rules"][0].clone();
            answer["rules"].as_array_mut().unwrap().push(again);
        },
        "stands there twice",
        &HONEST,
    ),
    (
        "context that nobody asked about",
        |_, answer| answer["rules"][1]["context"] = json!([{"kind": "exception", "sentence": 40}]),
        "sentence 40 was not asked about",
        &[HONEST[0], HONEST[2]],
    ),
];

#[test]
fn what_a_model_gets_wrong_once_is_mended() {
    for wire in FORMATS {
        for (name, change, said, _) in WRONG {
            let source = partly();
            let sources = [read(&source, PAGE)];
            let server = server(move |attempt, question, answer| {
                if attempt == 1 {
                    change(question, answer);
                }
            });
            let drawn = Asking { wire, ..Asking::default() }.draw(&server, &sources);
            nothing_is_lost_or_made_up(&sources, &drawn);
            assert_eq!(rules(&drawn), HONEST, "{name}");
            assert!(drawn.open.is_empty() && drawn.asked.refused.is_empty(), "{name}: {:?}", drawn.asked);
            let asked = server.asked();
            assert_eq!((asked.len(), drawn.requests.len()), (2, 2), "{name}");
            assert!(asked[1].last().contains(said), "{name}: {}", asked[1].last());
        }
    }
}

#[test]
fn what_a_model_never_gets_right_is_refused_and_told() {
    for (name, change, said, left) in WRONG {
        let source = partly();
        let sources = [read(&source, PAGE)];
        let server = server(move |_, question, answer| change(question, answer));
        let drawn = Asking::default().draw(&server, &sources);
        nothing_is_lost_or_made_up(&sources, &drawn);
        assert_eq!(
            server.asked().len(),
            2,
            "{name}: the same answer to the same faults is not asked for again"
        );
        assert_eq!(rules(&drawn), left, "{name}: {:?}", drawn.asked);
        assert!(told(&drawn.asked.refused).contains(said), "{name}: {}", told(&drawn.asked.refused));
    }
}

#[test]
fn what_is_no_answer_at_all_leaves_its_sentences_open() {
    let cases = [
        Said::Truncated("{\"rules\":[]".to_owned()),
        Said::Refused("I cannot read that.".to_owned()),
        Said::Filtered,
        Said::Empty,
        Said::Html,
        Said::answer("{\"rules\":[],\"restates\":[],\"no_rule\":[]}"),
        Said::answer("{\"rules\":[],\"rules\":[],\"restates\":[],\"no_rule\":[],\"addressed_to_models\":[]}"),
        Said::answer("{\"rules\":[],\"restates\":[],\"no_rule\":[],\"addressed_to_models\":[],\"files\":[]}"),
        Said::answer(
            "{\"rules\":[],\"restates\":[],\"no_rule\":[{\"sentences\":[1],\"reason\":\"boring\"}],\"addressed_to_models\":[]}",
        ),
    ];
    for said in cases {
        let source = partly();
        let sources = [read(&source, PAGE)];
        let server = ModelServer::start();
        let answer = said.clone();
        server.obey(move |_| answer.clone());
        let drawn = Asking::default().draw(&server, &sources);
        nothing_is_lost_or_made_up(&sources, &drawn);
        assert_eq!((drawn.extracted.rows.len(), drawn.open.len()), (0, 4), "{said:?}");
        assert_eq!(drawn.asked.refused.len(), drawn.asked.refused.len().max(1), "{said:?}");
        assert!(
            drawn.extracted.without_rules.is_empty(),
            "of an open section nobody says that it has no rule"
        );
    }
}

#[test]
fn one_passage_that_fails_takes_nothing_from_the_others() {
    let (one, other) = (source("one.md", "contributing", PAGE), source("other.md", "contributing", PAGE));
    let sources = [read(&one, PAGE), read(&other, PAGE)];
    let server = ModelServer::start();
    server.obey(|asked| match asked.question().contains("other.md") {
        true => Said::Refused("No.".to_owned()),
        false => Said::json(&honest(asked.question())),
    });
    let drawn = Asking::default().draw(&server, &sources);
    nothing_is_lost_or_made_up(&sources, &drawn);
    assert!(drawn.extracted.rows.iter().all(|row| row.row.source == "one.md"));
    assert!(drawn.open.iter().all(|sentence| sentence.source == "other.md"));
    assert_eq!((drawn.extracted.rows.len(), drawn.open.len()), (4, 5));
}

#[test]
fn what_only_looks_wrong_is_asked_about_once_and_noted() {
    let page = "# Zoo\n\nRun the tests and update the changelog. Never feed a lion.\n";
    let source = source("CONTRIBUTING.md", "contributing", page);
    let sources = [read(&source, page)];
    let server = server(|_, _, answer| {
        answer["rules"] = json!([answer["rules"][0]]);
        answer["no_rule"] = json!([{"sentences": [2], "reason": "description"}]);
    });
    let drawn = Asking::default().draw(&server, &sources);
    nothing_is_lost_or_made_up(&sources, &drawn);
    assert_eq!(server.asked().len(), 2);
    let doubts = told(&drawn.asked.doubtful);
    assert!(doubts.contains("rule 1 may state several obligations"), "{doubts}");
    assert!(doubts.contains("sentence 2 is given as `description`, and reads as a rule"), "{doubts}");
    assert!(drawn.extracted.rows[0].found_by.contains("doubtful: rule 1 may state"), "the reviewer sees it");
    assert!(drawn.open.is_empty() && drawn.asked.refused.is_empty());
}

#[test]
fn a_catalogue_of_an_interface_is_refused() {
    let page = "# Zoo\n\n| method | must |\n|---|---|\n| `feed` | Keep `feed` in every animal. |\n| `pet` | Keep `pet` in every animal. |\n\
        | `call` | Keep `call` in every animal. |\n";
    let source = source("CONTRIBUTING.md", "contributing", page);
    let sources = [read(&source, page)];
    let catalogue = server(|_, _, _| {});
    let drawn = Asking::default().draw(&catalogue, &sources);
    nothing_is_lost_or_made_up(&sources, &drawn);
    assert!(drawn.extracted.rows.is_empty(), "{:?}", rules(&drawn));
    assert!(told(&drawn.asked.refused).contains("restate the members of one list"), "{:?}", drawn.asked);

    let mended = server(|attempt, question, answer| {
        if attempt > 1 {
            let lines = sentences(question);
            let cells: Vec<u64> =
                lines.iter().map(|line| line.number).filter(|number| *number != 4).collect();
            let mut one = rule(&lines[3], "must");
            one["rule"] = json!("Give every animal the methods that the table lists.");
            *answer = json!({
                "rules": [one], "restates": [],
                "no_rule": [{"sentences": cells, "reason": "catalogue of an interface"}], "addressed_to_models": []
            });
        }
    });
    let drawn = Asking::default().draw(&mended, &sources);
    nothing_is_lost_or_made_up(&sources, &drawn);
    assert_eq!(rules(&drawn), ["Give every animal the methods that the table lists."]);
}

#[test]
fn a_rule_keeps_its_lead_in_its_condition_its_context_and_its_parts() {
    let page = "# Zoo\n\nIf you add an animal, you must:\n\n- feed it\n- name it and describe it\n\nSmall animals are excused.\n";
    let source = source("CONTRIBUTING.md", "contributing", page);
    let sources = [read(&source, page)];
    let server = ModelServer::start();
    server.obey(|_| {
        let rule = |sentences: &[u32], quote: &str, rule: &str| {
            json!({
                "sentences": sentences, "quote": quote, "rule": rule, "condition": "If you add an animal",
                "modal": "must", "applies_to": ["docs", "code", "docs"], "category": "Specialized changes",
                "context": [{"kind": "exception", "sentence": 4}], "trigger": "a new animal"
            })
        };
        Said::json(&json!({
            "rules": [
                rule(&[1, 2], "If you add an animal, you must: feed it", "If you add an animal, feed it."),
                rule(&[3], "name it and describe it", "If you add an animal, name it."),
                rule(&[3], "name it and describe it", "If you add an animal, describe it.")
            ],
            "restates": [], "no_rule": [], "addressed_to_models": []
        }))
    });
    let drawn = Asking::default().draw(&server, &sources);
    nothing_is_lost_or_made_up(&sources, &drawn);
    let row = |index: usize| &drawn.extracted.rows[index].row;
    assert_eq!(drawn.extracted.rows.len(), 3, "{:?}", drawn.asked);
    assert_eq!(row(0).quote, "If you add an animal, you must: feed it");
    assert_eq!(row(0).applies_to, [AppliesTo::Code, AppliesTo::Docs]);
    assert_eq!(row(0).context[0].quote, "Small animals are excused.");
    assert_eq!(row(1).preceding.as_deref(), Some("If you add an animal, you must:"));
    assert_eq!(row(1).part.map(|part| (part.index, part.of)), Some((1, 2)));
    assert_eq!(row(2).part.map(|part| (part.index, part.of)), Some((2, 2)));
    assert_eq!((row(0).part, row(0).trigger.as_deref()), (None, Some("a new animal")));
    assert!(drawn.open.is_empty());
}

#[test]
fn long_sources_are_cut_to_the_context_and_no_list_loses_its_lead_in() {
    let mut page = String::from("# Zoo\n\n");
    for section in 1..=4 {
        page.push_str(&format!(
            "## Part {section}\n\nThis is part {section} of the page. The cages are these:\n\n"
        ));
        for item in 1..=25 {
            page.push_str(&format!(
                "- Keep cage {item} of part {section} locked at night and in the rain, at all times.\n"
            ));
        }
        page.push('\n');
    }
    let source = source("CONTRIBUTING.md", "contributing", &page);
    let sources = [read(&source, &page)];
    for (context_tokens, answer_tokens) in [(None, 16_000), (Some(14_000), 3_000), (Some(9_000), 1_500)] {
        let server = server(|_, _, _| {});
        let asking = Asking { context_tokens, answer_tokens, ..Asking::default() };
        let drawn = asking.draw(&server, &sources);
        nothing_is_lost_or_made_up(&sources, &drawn);
        assert_eq!(
            (drawn.extracted.rows.len(), drawn.open.len()),
            (100, 0),
            "{context_tokens:?}: {:?}",
            drawn.asked
        );
        let asked = server.asked();
        assert!(asked.len() > 2, "{} questions", asked.len());
        for asked in &asked {
            let lines = sentences(asked.question());
            let items = lines.iter().any(|line| line.text.starts_with("Keep cage"));
            assert!(!items || asked.question().contains("The cages are these:"), "{}", asked.question());
            assert!(
                asked.question().contains("# Zoo | Part") || asked.question().contains("# Part"),
                "the headings are there"
            );
        }
        let mut numbers: Vec<u64> =
            asked.iter().flat_map(|asked| sentences(asked.question())).map(|line| line.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=108).collect::<Vec<_>>(), "each sentence is asked about once");
    }
}

#[test]
fn a_model_that_cannot_even_read_one_question_is_refused_before_it_is_asked() {
    let source = source("CONTRIBUTING.md", "contributing", PAGE);
    let sources = [read(&source, PAGE)];
    // Once for the answer alone, once for asking again, which a person may do without.
    for (context_tokens, answer_tokens, repairs) in [(3_000, 1_500, 0), (6_000, 1_500, 2)] {
        let server = server(|_, _, _| {});
        let asking =
            Asking { context_tokens: Some(context_tokens), answer_tokens, repairs, ..Asking::default() };
        let refused = asking.refused(&server, &sources);
        assert!(refused.contains("polc.toml") && refused.contains("CONTRIBUTING.md, sentence"), "{refused}");
        assert_eq!(server.asked().len(), 0);
        let needed: u64 = {
            let (_, rest) = refused.split_once("set `context_tokens` to ").unwrap();
            rest.split(' ').next().unwrap().parse().unwrap()
        };
        let enough = Asking { context_tokens: Some(needed), ..asking };
        assert_eq!(enough.draw(&server, &sources).open.len(), 0, "{needed} are enough, as was said");
    }
}

#[test]
fn largest_sources_come_first_and_rows_keep_the_order_of_the_manifest() {
    let long = PAGE.repeat(3);
    let (small, large) = (source("a.md", "contributing", PAGE), source("b.md", "contributing", &long));
    let sources = [read(&small, PAGE), read(&large, &long)];
    let server = server(|_, _, _| {});
    let drawn = Asking::default().draw(&server, &sources);
    assert!(server.asked()[0].question().contains("\"b.md\""));
    assert_eq!(drawn.extracted.rows[0].row.source, "a.md");
    let repeated = told(&drawn.asked.doubtful);
    assert!(
        repeated.contains("a.md and b.md: may state one obligation twice: `Never commit a walrus"),
        "{repeated}"
    );
    nothing_is_lost_or_made_up(&sources, &drawn);
}

#[test]
fn the_prompts_name_every_value_that_an_answer_may_have() {
    let source = partly();
    let server = server(|_, _, _| {});
    Asking::default().draw(&server, &[read(&source, PAGE)]);
    let question = server.asked()[0].question().to_owned();
    let values = [
        Category::SPELLINGS,
        AppliesTo::SPELLINGS,
        ModalLevel::SPELLINGS,
        ContextKind::SPELLINGS,
        LedgerReason::SPELLINGS,
    ];
    let folded = question.split_whitespace().collect::<Vec<_>>().join(" ");
    for value in values.into_iter().flatten() {
        assert!(folded.contains(&format!("`{value}`")), "{value}");
    }
    let pages = std::fs::read_to_string(
        Root::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).folder().join("stages/manifest.j2"),
    )
    .unwrap();
    for code in ExclusionCode::ALL {
        let asked = !matches!(code, ExclusionCode::FetchFailed | ExclusionCode::Version);
        assert_eq!(pages.contains(&format!("`{code}`")), asked, "{code}");
    }
}

#[test]
fn real_files_are_read_to_the_end() {
    let Some(folder) = shared::shared("sites") else { return };
    let (mut rows, mut open, mut sentences, mut files) = (0, Vec::new(), 0, 0);
    let server = server(|_, _, _| {});
    for path in shared::files_below(&folder) {
        let name = path.to_string_lossy().into_owned();
        let key = name.trim_end_matches(".txt");
        if !name.contains("/offnav/") || Format::of_path(key) == Format::Plain {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let source = source(key.rsplit('/').next().unwrap(), "contributing", &text);
        let sources = [read(&source, &text)];
        let drawn = Asking { repairs: 1, ..Asking::default() }.draw(&server, &sources);
        nothing_is_lost_or_made_up(&sources, &drawn);
        files += 1;
        rows += drawn.extracted.rows.len();
        sentences += drawn.extracted.ledger.len() + drawn.open.len();
        open.extend(
            drawn
                .asked
                .refused
                .into_iter()
                .map(|remark| format!("{key}: {}: {}", remark.asked_for, remark.what)),
        );
    }
    assert!(files > 100 && rows > 200, "{files} files, {rows} rows of {sentences} sentences");
    assert!(open.len() * 50 < sentences, "{}", open.join("\n"));
}

/// Whatever has the form: rules with any numbers and any words of the page, and anything said of the other sentences.
fn any_answer() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "Every file must end with a newline.",
        "must end with a newline. Never commit",
        "walrus",
        "Never commit a walrus, since walruses do not merge.",
        "Welcome to the zoo. [...] Every file must end with a newline.",
        "Keep calm when you review the changes of others.",
        "Never commit a seal.",
        " ",
        "Please keep changes of 30 lines.",
    ]);
    let numbers = || prop::collection::vec(0..7_u32, 1..3);
    let context = prop::collection::vec((prop::sample::select(ContextKind::SPELLINGS), 0..7_u32), 0..2);
    let rule = (numbers(), words.clone(), words, prop::sample::select(ModalLevel::SPELLINGS), context)
        .prop_map(|(sentences, quote, rule, modal, context)| {
            let context: Vec<Value> = context
                .into_iter()
                .map(|(kind, sentence)| json!({"kind": kind, "sentence": sentence}))
                .collect();
            json!({
                "sentences": sentences, "quote": quote, "rule": rule, "modal": modal, "applies_to": ["code"],
                "category": "Code and quality", "context": context
            })
        });
    let no_rule = (numbers(), prop::sample::select(LedgerReason::SPELLINGS))
        .prop_map(|(sentences, reason)| json!({"sentences": sentences, "reason": reason}));
    let restates =
        (0..7_u32, 0..5_u32).prop_map(|(sentence, rule)| json!({"sentence": sentence, "rule": rule}));
    (
        prop::collection::vec(rule, 0..5),
        prop::collection::vec(restates, 0..3),
        prop::collection::vec(no_rule, 0..4),
        prop::collection::vec(0..7_u32, 0..2),
    )
        .prop_map(|(rules, restates, no_rule, addressed)| {
            json!({"rules": rules, "restates": restates, "no_rule": no_rule, "addressed_to_models": addressed})
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_model_says_nothing_is_lost_or_made_up(answer in any_answer(), repairs in 0..2_u32) {
        let source = partly();
        let sources = [read(&source, PAGE)];
        let server = ModelServer::start();
        server.obey(move |_| Said::json(&answer));
        let drawn = Asking { repairs, ..Asking::default() }.draw(&server, &sources);
        nothing_is_lost_or_made_up(&sources, &drawn);
    }
}

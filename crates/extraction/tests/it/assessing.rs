//! Pages assessed by a model, and what a person makes of it.

use crate::drawing::{Asking, FORMATS};
use crate::extracting::{cues, root};
use polc_extraction::assess::{Candidate, Headings, KindDefaults};
use polc_extraction::endpoint::{Assessed, Pages, Suspicions};
use polc_extraction::manifest::rebuild;
use polc_records::Digest;
use polc_records::vocabulary::{ExclusionCode, Inclusion, SourceRole};
use polc_testkit::reading::honest;
use polc_testkit::{ModelServer, Said};
use polc_text::{Document, Format};
use serde_json::{Value, json};

pub(crate) fn candidate<'p>(key: &'p str, page: &str) -> Candidate<'p> {
    Candidate {
        key,
        kind: "contributing",
        url: format!("https://code.example/{key}"),
        defaults: KindDefaults { role: SourceRole::Rules, code: None, reason: "obliges contributors" },
        read: Ok((Digest::of(page), Document::derive(page.as_bytes(), Format::of_path(key)).unwrap())),
        obligations: None,
    }
}

pub(crate) fn assess(server: &ModelServer, asking: Asking, candidates: &[Candidate<'_>]) -> Assessed {
    let folder = tempfile::tempdir().unwrap();
    let (headings, cues) = (Headings::load(&root()).unwrap(), cues());
    let suspicions = Suspicions::load(&root()).unwrap();
    asking.with(server, folder.path(), async |asker| {
        let pages = Pages::of(asker, "zoo", (&headings, &cues, &suspicions), candidates).unwrap();
        pages.ask(asker, Digest::of("pin")).await
    })
}

fn server(change: impl Fn(&str, &mut Value) + Send + Sync + 'static) -> ModelServer {
    let server = ModelServer::start();
    server.obey(move |asked| {
        let mut answer = honest(asked.question());
        change(asked.question(), &mut answer);
        Said::json(&answer)
    });
    server
}

const PAGE: &str = "# Contributing\n\nWelcome to the zoo.\n\n## Walruses\n\nNever commit a walrus.\n\n## The past\n\nThe zoo is old.\n";

#[test]
fn a_page_is_assessed_section_by_section() {
    for wire in FORMATS {
        let server = server(|_, _| {});
        let candidates =
            [candidate("CONTRIBUTING.md", PAGE), candidate("RULES.md", "# Rules\n\nKeep every lion fed.\n")];
        let assessed = assess(&server, Asking { wire, ..Asking::default() }, &candidates);
        let [page, rules] = assessed.manifest.sources.as_slice() else { panic!() };
        assert_eq!((page.role, page.inclusion), (SourceRole::Rules, Inclusion::Partial));
        let names = |paths: Vec<String>| paths.join(", ");
        assert_eq!(names(page.in_scope.iter().map(ToString::to_string).collect()), "Walruses");
        assert_eq!(page.out.len(), 2);
        assert!(
            page.out
                .iter()
                .all(|out| out.code == ExclusionCode::Narrative && out.reason.contains("obliges nobody"))
        );
        assert_eq!((rules.role, rules.inclusion), (SourceRole::Rules, Inclusion::Full));
        assert_eq!(page.reason, "A page for contributors.");
        assert_eq!((assessed.open, assessed.requests.len()), (0, 2));
        let asked = assessed.manifest.asked.unwrap();
        assert!(asked.refused.is_empty() && asked.doubtful.is_empty(), "{asked:?}");
        assert_eq!(asked.prompts[2].file, "manifest.j2");
    }
}

#[test]
fn what_gives_no_rules_by_its_kind_and_what_was_not_read_is_asked_of_nobody() {
    let server = server(|_, _| {});
    let context = KindDefaults { role: SourceRole::ContextOnly, code: None, reason: "configuration" };
    let candidates = [
        Candidate { defaults: context, ..candidate("setup.cfg", PAGE) },
        Candidate { read: Err("it is gone".to_owned()), ..candidate("GONE.md", PAGE) },
    ];
    let assessed = assess(&server, Asking::default(), &candidates);
    assert!(server.asked().is_empty());
    assert_eq!(assessed.manifest.sources[0].role, SourceRole::ContextOnly);
    assert_eq!(assessed.manifest.sources[1].code, Some(ExclusionCode::FetchFailed));
}

#[test]
fn a_page_without_rules_is_out_or_there_for_context() {
    for (needed, role) in [(false, SourceRole::Excluded), (true, SourceRole::ContextOnly)] {
        let server = server(move |_, answer| answer["needed_for_context"] = json!(needed));
        let assessed =
            assess(&server, Asking::default(), &[candidate("LEGEND.md", "# Legend\n\nRed is loud.\n")]);
        assert_eq!(assessed.manifest.sources[0].role, role);
        assert!(assessed.manifest.sources[0].standing().is_ok());
    }
}

#[test]
fn what_a_model_gives_no_answer_to_is_assessed_by_headings_and_told() {
    let cases: [fn(&str, &mut Value); 4] = [
        |_, answer| answer["sections"] = json!([]),
        |_, answer| answer["sections"][1]["quote"] = json!("Never commit a seal."),
        |_, answer| answer["sections"][1]["quote"] = Value::Null,
        |_, answer| answer["sections"][1]["section"] = json!(1),
    ];
    for change in cases {
        let assessed = assess(&server(change), Asking::default(), &[candidate("CONTRIBUTING.md", PAGE)]);
        let source = &assessed.manifest.sources[0];
        let walruses = source.in_scope.iter().any(|section| section.to_string() == "Walruses");
        assert!(source.inclusion == Inclusion::Full || walruses, "{source:?}");
        assert!(assessed.open > 0 && !assessed.manifest.asked.unwrap().refused.is_empty());
    }
}

#[test]
fn what_a_person_amended_is_kept_when_a_model_assesses_again() {
    let page = [candidate("CONTRIBUTING.md", PAGE)];
    let base = assess(&server(|_, _| {}), Asking::default(), &page).manifest;
    let mut person = base.clone();
    person.sources[0].out[0].code = ExclusionCode::Governance;
    let now = assess(
        &server(|_, answer| answer["sections"][2]["reason"] = json!("it tells of the past")),
        Asking::default(),
        &page,
    );
    let merged = rebuild("manifest.toml", &base, &person, now.manifest.clone()).unwrap();
    assert_eq!(merged.sources[0].out[0].code, ExclusionCode::Governance);
    assert_eq!(merged.sources[0].out[1].reason, "it tells of the past");
    assert_eq!(merged.asked, now.manifest.asked);
}

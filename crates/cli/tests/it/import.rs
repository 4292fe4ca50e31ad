//! Released files: in, and the whole road from there.

use crate::polc::{PAGE, Zoo};
use polc_records::Digest;
use polc_records::corpus::Corpus;
use polc_records::extraction::Extraction;
use polc_records::ids::Slug;
use polc_records::import::Import;
use polc_records::store::load_toml;
use polc_testkit::shared;
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// A root without a project, in a repository with the zoo's page.
fn empty() -> Zoo {
    Zoo::with(PAGE)
}

fn load<T>(zoo: &Zoo, path: &str, parse: impl Fn(&Path, &str) -> T) -> T {
    parse(&zoo.path().join(path), &zoo.read(path))
}

#[test]
fn the_road_from_five_released_extractions_ends_in_stubs() {
    let Some(gold) = shared::shared("gold/rules") else { return };
    let mut accepted = String::new();
    let zoo = Zoo::that_builds(PAGE);
    for (slug, repository, rows) in [
        ("psf", "psf/requests", 41),
        ("mwaskom", "mwaskom/seaborn", 5),
        ("sphinx-doc", "sphinx-doc/sphinx", 62),
        ("pytest-dev", "pytest-dev/pytest", 66),
        ("pallets", "pallets/flask", 88),
    ] {
        let file = gold.join(slug).join(format!("{slug}-extraction-frozen.csv"));
        let original = std::fs::read(&file).unwrap();
        let name = file.to_str().unwrap();
        let import = ["import", name, "--by", "keeper", "--repository", repository, "--json"];
        let report = zoo.polc(&import).exits(0).json();
        assert_eq!((&report["rows"], &report["project"]), (&Value::from(rows), &Value::from(slug)));

        let id: Slug = slug.parse().unwrap();
        let extraction = load(&zoo, &format!("corpora/{slug}/extraction.csv"), |path, text| {
            Extraction::parse(path, &id, text).unwrap()
        });
        assert_eq!(extraction.rows.len(), rows);
        let path = zoo.path().join(format!("corpora/{slug}/import.toml"));
        let record: Import = load_toml(&path).unwrap();
        assert_eq!(record.records, [], "no record is kept as it stands: all of them follow from the rows");
        assert_eq!(record.rebuild(&path, &extraction, None).unwrap().unwrap(), original, "{slug}");
        let hex = Digest::of(&original).hex();
        let kept = zoo.path().join(".polc/snapshots").join(&hex[..2]).join(&hex);
        assert_eq!(std::fs::read(kept).unwrap(), original);

        zoo.does(&[&format!("classify {slug}"), &format!("compile {slug} --stubs")]);
        let corpus = load(&zoo, &format!("corpora/{slug}/rules.csv"), |path, text| {
            Corpus::parse(path, &id, text).unwrap()
        });
        let (binding, in_scope) = (
            corpus.binding().count(),
            corpus.rows.iter().filter(|row| row.verdict.level().is_some()).count(),
        );
        assert!(0 < binding && binding < in_scope && in_scope <= rows, "{slug}: {binding} of {in_scope}");
        let checkers = zoo.polc(&["compile", "status", slug, "--json"]).exits(0).json();
        assert_eq!(checkers["checkers"].as_array().unwrap().len(), binding);

        let quotes = zoo.polc(&["ground", slug]).exits(0).out;
        let expected = format!("{rows} quotes: 0 exact, 0 folded, 0 not found, {rows} not held\n");
        assert_eq!(quotes, expected);
        zoo.does(&[&format!("regenerate {slug}"), &format!("regenerate {slug} --check")]);
        assert!(
            zoo.read(&format!("corpora/{slug}/CONTRIBUTING_RULES.md"))
                .contains(&format!("{binding} rules bind"))
        );
        told(&zoo, slug, &mut accepted);
        let again = zoo.polc(&import).exits(0).json();
        assert_eq!(again["result"], "written-before");
        assert_eq!(again["oddities"], report["oddities"]);
    }
    insta::assert_snapshot!("what_acceptance_says_of_released_extractions", accepted);
}

/// What acceptance says of a project that it does not accept: each check, and how many faults.
fn told(zoo: &Zoo, slug: &str, accepted: &mut String) {
    let report = zoo.polc(&["accept", slug, "--json"]).exits(1).json();
    for check in report["checks"].as_array().unwrap() {
        let faults = check["faults"].as_array().map_or(0, Vec::len);
        let (name, result) = (check["name"].as_str().unwrap(), check["result"].as_str().unwrap());
        writeln!(accepted, "{slug} {name}: {result} ({faults})").unwrap();
    }
}

#[test]
fn what_is_odd_in_the_released_extractions_is_told() {
    let Some(gold) = shared::shared("gold/rules") else { return };
    let zoo = empty();
    let mut told = Vec::new();
    for slug in ["psf", "mwaskom", "sphinx-doc", "pytest-dev", "pallets"] {
        let file = gold.join(slug).join(format!("{slug}-extraction-frozen.csv"));
        told.push(zoo.polc(&["import", file.to_str().unwrap(), "--dry-run"]).exits(0).out);
    }
    insta::assert_snapshot!(told.concat());
    assert!(!zoo.path().join("polc.toml").exists(), "a dry run writes nothing");
}

const HEADER: &str =
    "ID,Source,Original text,Atomic rule,Naive strength,Applies to,Shared Category,Section context,Notes";

/// Two released rows: the source of the first is the zoo's page at a commit.
fn released(commit: &str, quote: &str) -> String {
    format!(
        "{HEADER}\r\n\
         ZOO-C001,https://github.com/zoo/zoo/blob/{commit}/CONTRIBUTING.md | Contributing to the zoo,\
         {quote},Never commit a walrus.,prohibited,commit,Git and commit conventions,none,\r\n\
         ZOO-C002,https://zoo.example/guide | Food,Feed it.,Feed the lion.,maybe,code,Code and quality,Here.,\r\n"
    )
}

const IMPORT: &[&str] = &["import", "zoo.csv", "--by", "keeper"];

#[test]
fn a_quote_whose_source_is_held_is_proven_and_the_others_are_counted_apart() {
    let quote = "\"Never commit a walrus, since walruses do not merge.\"";
    for (quote, code, counts) in [
        (quote, 0, "2 quotes: 1 exact, 0 folded, 0 not found, 1 not held\n"),
        ("Never commit a zebra.", 1, "2 quotes: 0 exact, 0 folded, 1 not found, 1 not held\n"),
    ] {
        let zoo = empty();
        zoo.up_to_manifest();
        let manifest = zoo.read("manifests/zoo/manifest.toml");
        let commit = manifest.split("/blob/").nth(1).unwrap().split('/').next().unwrap();
        zoo.repository.write("zoo.csv", released(commit, quote));
        zoo.polc(IMPORT).exits(0);
        let ground = zoo.polc(&["ground", "zoo"]).exits(code);
        assert!(ground.out.ends_with(counts), "{}", ground.out);
        let results = zoo.polc(&["ground", "zoo", "--json"]).exits(code).json();
        assert_eq!(results["quotes"][1]["result"], "not-held");
        let status = zoo.polc(&["status", "zoo", "--json"]).exits(0).json();
        let stands: Vec<&str> = status["projects"][0]["stages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|stage| stage["stands"].as_str().unwrap())
            .collect();
        let expected = [
            "done",
            "done",
            "done",
            "done",
            "not-needed",
            "not-needed",
            "done",
            "missing",
            "missing",
            "missing",
            "missing",
        ];
        assert_eq!(stands, expected);
        assert_eq!(status["projects"][0]["next"], "polc classify zoo");
    }
}

#[test]
fn an_import_is_written_once_ended_after_a_kill_and_replaces_nothing() {
    let zoo = empty();
    zoo.repository.write("zoo.csv", released("main", "Never."));
    let unknown = zoo.polc(IMPORT).exits(3);
    assert!(unknown.err.contains("--repository ORG/REPO"), "{}", unknown.err);
    let named = [IMPORT, &["--repository", "zoo/zoo", "--setting", "pull-request"]].concat();
    zoo.polc(&named).exits(0);
    let decisions = zoo.read("corpora/zoo/decisions.jsonl");
    assert!(zoo.polc(IMPORT).exits(0).err.contains("imported before"));
    assert_eq!(zoo.read("corpora/zoo/decisions.jsonl"), decisions);

    std::fs::remove_file(zoo.path().join("corpora/zoo/decisions.jsonl")).unwrap();
    zoo.polc(IMPORT).exits(0);
    assert_eq!(zoo.read("corpora/zoo/decisions.jsonl").lines().count(), decisions.lines().count());

    zoo.repository.write("zoo.csv", released("main", "Never ever."));
    let other = zoo.polc(IMPORT).exits(4);
    assert!(other.err.contains("is not of this file"), "{}", other.err);
    zoo.polc(&[IMPORT, &["--repository", "zoo/other"]].concat()).exits(3);
    zoo.polc(&["import", "zoo.csv"]).exits(3);
    zoo.polc(&[IMPORT, &["--slug", "zebra", "--repository", "zoo/zoo"]].concat()).exits(2);
}

#[test]
fn imported_labels_stand_until_a_person_removes_them() {
    let zoo = empty();
    zoo.repository.write(
        "zoo.csv",
        "ID,Source,Original text,Atomic rule,Applies to,Shared Category,Strength,CheckTier,Care,NotCareReason,Notes\n\
         ZOO-C001,https://zoo.example | A,Never commit a walrus.,Never commit a walrus.,commit,\
         Git and commit conventions,must,static,yes,,Route: M2 | Modal: prohibited\n\
         ZOO-C002,https://zoo.example | A,Be kind.,Be kind.,PR,PR and release metadata,,judgment,no,N2 subjective,\n",
    );
    zoo.polc(&[IMPORT, &["--repository", "zoo/zoo"]].concat()).exits(0);
    let imported = zoo.read("corpora/zoo/rules.csv");
    let refused = zoo.polc(&["classify", "zoo"]).exits(4);
    assert!(refused.err.contains("remove corpora/zoo/rules.csv"), "{}", refused.err);
    zoo.does(&["compile zoo --stubs"]);
    let status = zoo.polc(&["status", "zoo"]).exits(0).out;
    assert!(status.contains("2 rules, 1 in scope, 1 binding; labels imported"), "{status}");

    zoo.repository.write("corpora/zoo/rules.csv", imported.replace("Be kind.", "Be kinder."));
    let changed = zoo.polc(&["compile", "zoo", "--stubs"]).exits(2);
    assert!(changed.err.contains("it was imported with the digest"), "{}", changed.err);
    std::fs::remove_file(zoo.path().join("corpora/zoo/rules.csv")).unwrap();
    zoo.does(&["classify zoo", "compile zoo --stubs"]);
    assert!(zoo.path().join("corpora/zoo/facts.jsonl").exists());
    assert!(zoo.polc(IMPORT).exits(0).err.contains("imported before"));
}

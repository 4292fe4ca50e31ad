//! Real sites that were served at the same address one after the other: what became of their rules.

use crate::polc::{Ran, checkout, polc};
use polc_records::Digest;
use polc_testkit::{Reply, Server, shared, site};
use serde_json::Value;
use std::fmt::Write;
use std::path::PathBuf;

/// Two cuts of one site.
struct Pair {
    slug: &'static str,
    repository: &'static str,
    docs: &'static str,
    prefix: &'static str,
    then: &'static str,
    now: &'static str,
}

const DJANGO: Pair = Pair {
    slug: "django",
    repository: "django/django",
    docs: "https://docs.djangoproject.com/en/dev/internals/contributing/index.html",
    prefix: "/en/dev",
    then: "django-5.2",
    now: "django-6.1",
};

const SYMPY: Pair = Pair {
    slug: "sympy",
    repository: "sympy/sympy",
    docs: "https://docs.sympy.org/latest/contributing/index.html",
    prefix: "/latest",
    then: "sympy-1.14",
    now: "sympy-dev",
};

const XARRAY: Pair = Pair {
    slug: "pydata",
    repository: "pydata/xarray",
    docs: "https://docs.xarray.dev/en/latest/contribute/index.html",
    prefix: "/en/latest",
    then: "xarray-2026.9",
    now: "xarray-dev",
};

const PYTEST: Pair = Pair {
    slug: "pytest-dev",
    repository: "pytest-dev/pytest",
    docs: "https://docs.pytest.org/en/latest/contributing.html",
    prefix: "/en/latest",
    then: "pytest-9.2",
    now: "pytest-dev",
};

/// What a comparison of the pair reports, with every row of the baseline frozen as it is.
fn drifted(pair: &Pair) -> Option<Value> {
    let pages = |name: &str| Some(site::pages(&shared::shared(&format!("sites/{name}"))?, pair.prefix));
    let (then, now) = (pages(pair.then)?, pages(pair.now)?);
    let server = Server::start();
    server.pages(then.clone());
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| Ran::of(&mut polc(folder.path(), arguments));
    let does = |arguments: &[&str]| run(arguments).exits(0);
    does(&["init", pair.repository, "--slug", pair.slug, "--docs", pair.docs, "--site-alone"]);
    does(&["pin", pair.slug, "--served", &server.url("/")]);
    does(&["fetch", pair.slug]);
    does(&["manifest", pair.slug]);
    does(&["manifest", "confirm", pair.slug, "--by", "keeper"]);
    does(&["extract", pair.slug]);
    // Nobody drops what the baseline takes for a rule here, so there are more of them than is plausible.
    let bands = std::fs::read_to_string(checkout().join("rubrics/acceptance.toml")).unwrap();
    std::fs::create_dir_all(folder.path().join("rubrics")).unwrap();
    let wide = bands.replace("extracted = 293", "extracted = 2000").replace("most = 40.0", "most = 400.0");
    std::fs::write(folder.path().join("rubrics/acceptance.toml"), wide).unwrap();
    let sheet = does(&["decide", pair.slug, "--sheet", "-"]).out;
    let sheet = sheet.replace("decision = \"\"", "decision = \"accept\"");
    let sheet = sheet.replace("acknowledged = false", "acknowledged = true");
    std::fs::write(folder.path().join("sheet.toml"), sheet).unwrap();
    does(&["decide", pair.slug, "--from", "sheet.toml", "--by", "keeper"]);
    does(&["freeze", pair.slug, "--by", "keeper"]);
    assert_eq!(run(&["drift", pair.slug]).exits(0).out.lines().count(), 2, "nothing has changed yet");
    let gone = then.into_keys().filter(|path| !now.contains_key(path) && !is_cut_off(pair.now, path));
    server.pages(gone.map(|path| (path, Reply::status(404))).collect::<Vec<_>>());
    server.pages(now);
    let ran = run(&["drift", pair.slug, "--json"]);
    let report = ran.json();
    assert_eq!(ran.code, Some(i32::from(report["change"].as_bool().unwrap())), "{}", ran.err);
    Some(report)
}

/// Whether a cut leaves out a page that its own pages link to: what became of it is not known, and it stays.
fn is_cut_off(cut: &str, path: &str) -> bool {
    let Some(folder) = shared::shared(&format!("sites/{cut}")) else { return false };
    let name = path.rsplit('/').next().unwrap_or_default();
    let links = |file: PathBuf| {
        let page = std::fs::read_to_string(file).unwrap_or_default();
        ["\"", "/"].iter().any(|before| page.contains(&format!("{before}{name}\"")))
    };
    let pages = shared::files_below(&folder);
    name.ends_with(".html")
        && pages.into_iter().filter(|page| page.extension().is_some_and(|ending| ending == "html")).any(links)
}

fn rules(report: &Value) -> &[Value] {
    report["rules"].as_array().unwrap()
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// A rule by the last words of its section and the beginning of the digest of its quote, and what people who read
/// both pages say became of it. No sentence of other projects is copied here.
type ByHand = (&'static str, &'static str, &'static str);

const DJANGO_BY_HAND: [ByHand; 11] = [
    // It asks for a full stop at the end of the subject line now.
    ("Committing guidelines", "9e4fca3de037", "changed"),
    // It goes on and says whom that includes.
    ("Committing guidelines", "54591ef7ed82", "changed"),
    ("Committing guidelines", "862452ef2492", "gone"),
    ("Python style", "ad898d30b8b7", "gone"),
    ("Python style", "3cbf29c02feb", "changed"),
    ("Imports", "7b716f5e1025", "changed"),
    ("Imports", "ef6e69521eb2", "same"),
    // The sentence is the same, and another command stands below it.
    ("Rebasing branches", "ff7acbf3f9bc", "changed"),
    // An item that has no mark at its end goes on now.
    ("Running all the tests", "ece55ab5ac04", "changed"),
    ("Contribution style", "aa50c7ec5d15", "gone"),
    ("Model style", "2befb488a7dc", "same"),
];

const SYMPY_BY_HAND: [ByHand; 10] = [
    ("Run the Tests", "2dab861ac7ab", "changed"),
    ("Run the Tests", "e1de4d5b2500", "changed"),
    ("3. Examples Section", "f568181f406e", "changed"),
    ("3. Examples Section", "585e3e009a4d", "changed"),
    // Its sentence is the same, the one about the tool that does it for people is another.
    ("Code Quality Checks", "5a7e86d7bc95", "changed"),
    ("Checklist for Contributions", "003103f0d3fd", "same"),
    ("Documentation", "4991d43a26e3", "same"),
    ("1. Single-Sentence Summary", "f0d58949f787", "same"),
    ("Tests Style Guide", "6c771b1b30e2", "same"),
    ("Checklist", "10ead44c73cb", "same"),
];

fn agrees_with(report: &Value, by_hand: &[ByHand]) {
    for (section, quote, fate) in by_hand {
        let is_it = |rule: &&Value| {
            let sections = rule["then"]["section"].as_array().unwrap();
            sections.last().is_some_and(|last| last == section)
                && Digest::of(text(rule, "/quote")).hex().starts_with(quote)
        };
        let found: Vec<&Value> = rules(report).iter().filter(is_it).collect();
        assert!(!found.is_empty(), "{section}: no rule {quote}");
        for rule in found {
            assert_eq!(rule["fate"], *fate, "{rule:#}");
        }
    }
}

/// How many new sentences without a rule stand in a section whose last words are these.
fn new_in(report: &Value, section: &str) -> usize {
    let sentences = report["sentences"].as_array().unwrap().iter();
    let of = |sentence: &&Value| {
        sentence["place"]["section"].as_array().unwrap().iter().any(|words| words == section)
    };
    sentences.filter(of).count()
}

fn line(pair: &Pair, report: &Value) -> String {
    let of = |fate: &str| rules(report).iter().filter(|rule| rule["fate"] == fate).count();
    let sources = |fate: &str| {
        let of = report["sources"].as_array().unwrap().iter().filter(|source| source["fate"] == fate);
        of.map(|source| format!("`{}`", text(source, "/source"))).collect::<Vec<_>>().join(", ")
    };
    let mut line = format!(
        "| {} → {} | {} → {} | {}",
        pair.then,
        pair.now,
        text(report, "/then/version"),
        text(report, "/now/version"),
        rules(report).len()
    );
    for fate in ["same", "moved", "changed", "gone", "unknown"] {
        write!(line, " | {}", of(fate)).unwrap();
    }
    let sentences = report["sentences"].as_array().unwrap().len();
    writeln!(line, " | {sentences} | {} | {} |", sources("new"), sources("gone")).unwrap();
    line
}

/// The heading of the table below which the page ends.
const TABLE: &str = "| cuts | versions | rules | same | moved | changed | gone | unknown | new | new pages | gone pages |\n\
    |---|---|---|---|---|---|---|---|---|---|---|\n";

#[test]
fn rules_of_real_sites_became_what_people_who_read_both_pages_say() {
    let reports: Vec<(&Pair, Option<Value>)> = std::thread::scope(|scope| {
        let running: Vec<_> = [&DJANGO, &SYMPY, &XARRAY, &PYTEST]
            .into_iter()
            .map(|pair| (pair, scope.spawn(move || drifted(pair))))
            .collect();
        running.into_iter().map(|(pair, report)| (pair, report.join().unwrap())).collect()
    });
    let [(_, Some(django)), (_, Some(sympy)), (_, Some(xarray)), (_, Some(pytest))] = &reports[..] else {
        return;
    };
    agrees_with(django, &DJANGO_BY_HAND);
    agrees_with(sympy, &SYMPY_BY_HAND);
    assert!(new_in(django, "AI-Assisted Contributions") > 5, "the section on AI is new");
    let policy = |sentence: &Value| text(sentence, "/place/source").contains("ai-generated-code-policy");
    let sentences = sympy["sentences"].as_array().unwrap();
    assert!(sentences.len() > 5 && sentences.iter().all(policy), "the page on AI is new, and nothing else");
    for still in [xarray, pytest] {
        assert_eq!((&still["change"], &still["complete"]), (&Value::from(false), &Value::from(true)));
        assert!(
            rules(still).len() > 50 && rules(still).iter().all(|rule| rule["fate"] == "same"),
            "{still:#}"
        );
    }
    let path = checkout().join("docs/drift.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let mut now = page.split_once(TABLE).expect("the page has the table").0.to_owned() + TABLE;
    for (pair, report) in &reports {
        now.push_str(&line(pair, report.as_ref().unwrap()));
    }
    if std::env::var_os("POLC_WRITE_DOCS").is_some() {
        std::fs::write(&path, &now).unwrap();
    } else {
        assert_eq!(page, now, "docs/drift.md is not up to date: run this test with POLC_WRITE_DOCS=1");
    }
}

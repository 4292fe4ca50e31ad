//! Released extractions against real sources: what is found, and why the rest is not.

use crate::polc::{Ran, Zoo, checkout, polc};
use polc_testkit::shared::files_below;
use polc_testkit::{TestRepository, serve_site, shared};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A released extraction, and where the sources that it names lie in the shared data.
struct Case {
    slug: &'static str,
    /// How many quotes a script outside of polc had found.
    floor: usize,
    places: &'static [(&'static str, &'static str)],
}

const CASES: [Case; 5] = [
    Case {
        slug: "psf",
        floor: 37,
        places: &[
            ("https://requests.readthedocs.io/en/latest/", "requests-dev"),
            ("https://github.com/psf/requests/blob/main/", "offnav/requests"),
        ],
    },
    Case {
        slug: "sphinx-doc",
        floor: 56,
        places: &[
            ("https://www.sphinx-doc.org/en/master/", "sphinx-9.1"),
            ("https://github.com/sphinx-doc/sphinx/blob/master/", "offnav/sphinx"),
        ],
    },
    Case {
        slug: "pytest-dev",
        floor: 65,
        places: &[
            ("https://docs.pytest.org/en/latest/", "pytest-dev"),
            ("https://github.com/pytest-dev/pytest/blob/main/", "offnav/pytest"),
        ],
    },
    Case {
        slug: "pallets",
        floor: 64,
        places: &[
            ("https://palletsprojects.com/", "pallets-website"),
            (
                "https://github.com/pallets/flask/blob/d318b683471101618febed18996405ad26462110/",
                "offnav/flask",
            ),
        ],
    },
    Case {
        slug: "mwaskom",
        floor: 1,
        places: &[(
            "https://github.com/mwaskom/seaborn/blob/f04b6cd5484267a0885d1fed068e99dff3a1b226/",
            "offnav/seaborn",
        )],
    },
];

/// Misses whose kind only a person can tell, who read the row and the source.
const READ: &[(&str, &[u32])] = &[
    ("page newer than the cut", &[4, 5, 20, 21, 22, 23, 24, 31, 48, 49, 50, 51, 74, 78]),
    ("role of the project's own", &[40]),
];

/// The kind of a miss that a person read.
fn read(row: &str) -> Option<&'static str> {
    let (project, number) = row.rsplit_once("-C")?;
    let (kind, rows) = match project {
        "PALLETS" => READ[0],
        "PYTEST-DEV" => READ[1],
        _ => return None,
    };
    rows.contains(&number.parse().ok()?).then_some(kind)
}

/// The kind of a miss, where the answer itself tells it.
fn told(quote: &Value) -> Option<&'static str> {
    if quote["result"] == "not-held" {
        return Some("source not in the cut");
    }
    if quote["result"] == "not-admitted" {
        return Some("section not admitted");
    }
    if quote["elsewhere"].is_string() {
        return Some("stands in another source");
    }
    if quote["pieces"]["found"].is_number() && quote["pieces"]["found"] == quote["pieces"]["of"] {
        return Some("joined fragments");
    }
    let words = |kind: &str| -> String {
        let words = quote["nearest"]["difference"].as_array().into_iter().flatten();
        words.filter_map(|word| word[kind].as_str()).collect::<String>().to_lowercase()
    };
    (words("only-quote") == words("only-source")).then_some("other letter case")
}

fn stands(quote: &Value) -> bool {
    ["exact", "folded", "ambiguous"].iter().any(|result| quote["result"] == *result)
}

fn ground(case: &Case, gold: &Path) -> Option<Vec<Value>> {
    let file = gold.join(case.slug).join(format!("{}-extraction-frozen.csv", case.slug));
    let mut arguments = vec!["--json".to_owned(), "ground".to_owned(), file.display().to_string()];
    for (published, folder) in case.places {
        let folder = shared::shared(&format!("sites/{folder}"))?;
        arguments.extend(["--in".to_owned(), format!("{published}={}", folder.display())]);
    }
    let folder = tempfile::tempdir().unwrap();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = Ran::of(&mut polc(folder.path(), &arguments));
    let quotes = ran.json()["quotes"].as_array().unwrap().clone();
    let all = quotes.iter().all(stands);
    assert_eq!(ran.code, Some(i32::from(!all)), "{}", ran.err);
    Some(quotes)
}

const HEAD: &str = "# Grounding of released extractions

What `polc ground` finds of the quotes of five released extractions, whose quotes no machine had checked, in cuts of the
sites and repositories that they name. Nothing is matched approximately. The tables are made by
`POLC_WRITE_DOCS=1 cargo test -p polc --test it grounding`; the same without the variable fails where they are not up to date.

Many of these quotes have the marks of the text that a page was made of, leave items of a list out, or join fragments by a
slash. Such marks are parsed away, and every piece has to stand in one section, in order: then the quote is found, in
segments.

";

const KINDS: &str = "
## Every miss

The kind is told by the answer itself (code), or by a person who read the row and the source; nobody's sentences are copied
here.

- *source not in the cut*: nothing is held at the address that the row names.
- *page newer than the cut*: the page is held as it was at an earlier commit, before the sentence was written. The released
  run log names the later commit.
- *other letter case*: the quote and the nearest passage differ in upper and lower case alone. polc never folds case.
- *role of the project's own*: the quote has a reStructuredText role that only the project's build can show.
- *joined fragments*: every piece stands in the source on its own, and no mark parts them.

| row | result | kind | told by | pieces found |
|---|---|---|---|---|
";

#[test]
fn every_miss_of_the_released_extractions_has_its_kind() {
    let Some(gold) = shared::shared("gold/rules") else { return };
    let mut counts = "| project | quotes | exact | folded | ambiguous | not found | not held |\n|---|---|---|---|---|---|---|\n".to_owned();
    let mut misses = String::new();
    for case in &CASES {
        let Some(quotes) = ground(case, &gold) else { return };
        let of = |result: &str| quotes.iter().filter(|quote| quote["result"] == result).count();
        let found = quotes.iter().filter(|quote| stands(quote)).count();
        assert!(found >= case.floor, "{}: {found} of {}", case.slug, quotes.len());
        write!(counts, "| {} | {} |", case.slug, quotes.len()).unwrap();
        for result in ["exact", "folded", "ambiguous", "not-found", "not-held"] {
            write!(counts, " {} |", of(result)).unwrap();
        }
        counts.push('\n');
        for quote in quotes.iter().filter(|quote| !stands(quote)) {
            let row = quote["row"].as_str().unwrap();
            let (kind, by) = match (told(quote), read(row)) {
                (Some(kind), None) => (kind, "code"),
                (None, Some(kind)) => (kind, "a person"),
                (code, person) => panic!("{row}: code says {code:?}, the table {person:?}: {quote}"),
            };
            let pieces = match (&quote["pieces"]["found"], &quote["pieces"]["of"]) {
                (Value::Number(found), Value::Number(of)) => format!("{found} of {of}"),
                _ => "—".to_owned(),
            };
            let result = quote["result"].as_str().unwrap().replace('-', " ");
            writeln!(misses, "| {row} | {result} | {kind} | {by} | {pieces} |").unwrap();
        }
    }
    let page = format!("{HEAD}{counts}{KINDS}{misses}");
    let path = checkout().join("docs/grounding.md");
    if std::env::var_os("POLC_WRITE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), page, "docs/grounding.md is not up to date");
}

/// A crawled project: published addresses read on a mirror, and files of a repository whose links name a
/// branch where ours name the commit.
#[test]
fn a_released_file_is_held_to_the_sources_of_a_project() {
    let Some(gold) = shared::shared("gold/rules") else { return };
    let Some(server) = serve_site("requests-dev", "/en/latest") else { return };
    let Some(offnav) = shared::shared("sites/offnav/requests") else { return };
    let repository = TestRepository::new();
    for file in files_below(&offnav) {
        let path = file.strip_prefix(&offnav).unwrap().to_str().unwrap();
        repository.write(path, std::fs::read_to_string(&file).unwrap());
    }
    repository.commit("Say what we expect");
    let docs = "https://requests.readthedocs.io/en/latest/dev/contributing.html";
    let served = server.url("/");
    let run = |arguments: &[&str]| Ran::of(&mut polc(repository.path(), arguments));
    run(&["init", "psf/requests", "--slug", "psf", "--git", ".", "--docs", docs]).exits(0);
    run(&["pin", "psf", "--served", &served]).exits(0);
    run(&["fetch", "psf"]).exits(0);
    run(&["manifest", "psf"]).exits(0);
    run(&["manifest", "confirm", "psf", "--by", "keeper"]).exits(0);
    let file = gold.join("psf/psf-extraction-frozen.csv").display().to_string();
    let report = run(&["--json", "ground", &file]).json();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for quote in report["quotes"].as_array().unwrap() {
        *counts.entry(quote["result"].as_str().unwrap()).or_default() += 1;
    }
    assert_eq!(counts.get("not-held"), None, "the repository's links are of another revision: {counts:?}");
    assert_eq!(counts.get("not-found"), None, "{counts:?}");
    let found =
        counts.get("exact").copied().unwrap_or_default() + counts.get("folded").copied().unwrap_or_default();
    assert!(found >= 30, "{counts:?}");
    assert_eq!(run(&["--json", "ground", &file, "--in", "psf"]).json(), report);
}

const HEADER: &str =
    "ID,Source,Original text,Atomic rule,Naive strength,Applies to,Shared Category,Section context,Notes";

fn zoo() -> Zoo {
    let zoo = Zoo::with("# Nothing\n");
    zoo.repository.write(
        "site/guide/index.html",
        "<main><h1>Guide</h1><h2>Food</h2><p>Feed the <code>lion</code>.</p><p>Close the gate.</p><h2>Night</h2>\
         <p>Close the gate. Count the seals and lock “it”.</p><h3>Late</h3><p>Sleep. Sleep.</p></main>",
    );
    zoo
}

fn row(number: u32, source: &str, quote: &str) -> String {
    format!("ZOO-C{number:03},{source},\"{quote}\",Do it.,must,code,Code and quality,none,\r\n")
}

#[test]
fn each_result_says_what_was_found_where_and_what_told_it() {
    let zoo = zoo();
    let page = "https://zoo.example/guide";
    let rows = [
        (format!("{page}/ | Food"), "Feed the `lion`."),
        (format!("{page}.html#x | Night"), "Count the seals and lock \"\"it\"\"."),
        (format!("{page}/index.html | Night"), "Close the gate."),
        (format!("{page}/ | Guide"), "Close the gate."),
        (format!("{page}/ | Food"), "Count the seals. / Close the door."),
        (format!("{page}/ | Food"), "Close the gate. Count the seals and lock “it”. Feed the lion."),
        ("https://zoo.example/other | Food".to_owned(), "Feed it."),
        (format!("{page}/ | Late"), "Sleep."),
    ];
    let rows: String = (1..).zip(&rows).map(|(number, (source, quote))| row(number, source, quote)).collect();
    zoo.repository.write("zoo.csv", format!("{HEADER}\r\n{rows}"));
    let arguments = ["ground", "zoo.csv", "--in", "https://zoo.example/=site"];
    let told = zoo.polc(&arguments).exits(1).out;
    insta::assert_snapshot!(told);
    let mut report = zoo.polc(&[&arguments[..], &["--json"]].concat()).exits(1).json();
    for quote in report["quotes"].as_array_mut().unwrap() {
        quote.as_object_mut().unwrap().remove("message");
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&report).unwrap());
    assert!(!zoo.path().join("polc.toml").exists(), "folders are enough");
}

#[test]
fn what_cannot_be_searched_is_said_before_anything_is() {
    let zoo = zoo();
    zoo.repository
        .write("zoo.csv", format!("{HEADER}\r\n{}", row(1, "https://zoo.example/guide | A", "Feed it.")));
    for (arguments, code, says) in [
        (&["ground", "zoo.csv", "--in", "https://zoo.example/=nowhere"][..], 3, "nowhere is no folder"),
        (&["ground", "zoo.csv", "--in", "ftp://zoo.example/=site"], 3, "is not of the web"),
        (&["ground", "absent.csv", "--in", "https://zoo.example/=site"], 2, "absent.csv"),
        (&["ground", "zoo.csv"], 3, "there is no polc.toml"),
    ] {
        let ran = zoo.polc(arguments).exits(code);
        assert!(ran.err.contains(says), "{}", ran.err);
    }
    zoo.repository.write("outside.html", "<main><p>Feed it.</p></main>");
    let rows = row(1, "https://zoo.example/../outside.html | A", "Feed it.");
    zoo.repository.write("zoo.csv", format!("{HEADER}\r\n{rows}"));
    let out = zoo.polc(&["ground", "zoo.csv", "--in", "https://zoo.example/=site"]).exits(1).out;
    assert!(out.ends_with("1 not held\n"), "{out}");
}

//! A contribution against written checkers: verdict, report, exit code.

use crate::polc::{Ran, Zoo};
use std::collections::BTreeSet;
use std::process::Command;

/// Two rules with checkers, and one for a person, which is approximate.
const PAGE: &str = "# Contributing to the zoo\n\n\
    Every file ends with a newline. Never mention a walrus in a commit message.\n\n\
    Name the keeper in the description of the pull request.\n";

pub(crate) const NEWLINE: &str = r#"use polc_checker::{Checker, Declaration, FileChange, Judgement, Ownership, Read, Selection, View};

pub struct C001;

impl Checker for C001 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C001", "DIGEST", Ownership::Enclosing, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let text = |file: &&'e FileChange| file.head_text().is_some_and(|text| !text.is_empty());
        Ok(view.files()?.iter().filter(text).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.head_text().is_some_and(|text| text.ends_with('\n')), || "end the last line".to_owned())
    }
}
"#;

pub(crate) const WALRUS: &str = r#"use polc_checker::{Checker, Commit, Declaration, Judgement, Ownership, Read, Selection, View};
use polc_checker::{Direction, Layer, Trace};

pub struct C002;

impl Checker for C002 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C002", "DIGEST", Ownership::Created, &[Read::Commits]).approximate(&[Trace {
            layer: Layer::Postcondition,
            trace: "the word itself",
            errs: Direction::Misses,
        }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!target.message.raw().contains("walrus"), || "name another animal".to_owned())
    }
}
"#;

const KEEPER: &str = r#"use polc_checker::{Checker, Declaration, Exemption, Judgement, Ownership, PullRequest, Read, Selection, View};

pub struct C003;

impl Checker for C003 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C003", "DIGEST", Ownership::Created, &[Read::PullRequest])
            .exempt(Exemption::HumanInTheLoop);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(Some(view.pull_request()?).filter(|request| request.title != "Nobody").into_iter().collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        if target.title == "panic" {
            panic!("no keeper was found");
        }
        Judgement::Violated("a person has to see the keeper".to_owned())
    }
}
"#;

/// The case file of a rule: one contribution for each outcome.
pub(crate) fn cases(rule: &str, satisfied: &str, violated: &str, inapplicable: &str) -> String {
    let mut text = format!("schema = 1\nrule = \"{rule}\"\n");
    for (expect, contribution) in
        [("satisfied", satisfied), ("violated", violated), ("inapplicable", inapplicable)]
    {
        if !contribution.is_empty() {
            text.push_str(&format!(
                "\n[[case]]\nname = \"{expect}\"\nexpect = \"{expect}\"\n{contribution}\n"
            ));
        }
    }
    text
}

/// Writes a checker with its cases in the place of its stub.
pub(crate) fn write(zoo: &Zoo, stem: &str, source: &str, cases: &str) {
    let stub = zoo.read(&format!("generated/zoo/src/{stem}.rs"));
    let digest = stub.split("\"sha256:").nth(1).unwrap().split('"').next().unwrap();
    let source = source.replace("DIGEST", &format!("sha256:{digest}"));
    zoo.repository.write(&format!("generated/zoo/src/{stem}.rs"), source);
    zoo.repository.write(&format!("generated/zoo/cases/{stem}.toml"), cases);
}

/// The file of a rule below `src` and `cases`, without its ending.
pub(crate) fn stem(zoo: &Zoo, rule: &str) -> String {
    let status = zoo.polc(&["compile", "status", "zoo", "--json"]).exits(0).json();
    let checkers = status["checkers"].as_array().unwrap();
    let line = checkers.iter().find(|line| line["rule"] == rule).unwrap();
    line["file"].as_str().unwrap().trim_start_matches("src/").trim_end_matches(".rs").to_owned()
}

pub(crate) fn zoo() -> Zoo {
    let zoo = Zoo::that_builds(PAGE);
    zoo.up_to_stubs();
    zoo.repository.commit("Onboard the zoo");
    zoo
}

pub(crate) fn write_all(zoo: &Zoo) {
    let file = |text: &str| format!("[[case.file]]\npath = \"a\"\nhead = \"{text}\"\n");
    let commit = |text: &str| format!("[[case.commit]]\nmessage = \"{text}\"\n");
    let request = |title: &str| format!("[case.pull_request]\ntitle = \"{title}\"\nbody = \"\"\n");
    let newline = cases("ZOO-C001", &file("x\\n"), &file("x"), &file(""));
    write(zoo, &stem(zoo, "ZOO-C001"), NEWLINE, &newline);
    let walrus = cases("ZOO-C002", &commit("A lion"), &commit("A walrus"), &file(""));
    write(zoo, &stem(zoo, "ZOO-C002"), WALRUS, &walrus);
    let keeper = cases("ZOO-C003", "", &request("A lion"), &request("Nobody"));
    write(zoo, &stem(zoo, "ZOO-C003"), KEEPER, &keeper);
    zoo.repository.commit("Write the checkers");
}

#[test]
fn a_stub_fails_the_tests_of_its_crate_by_name_and_leaves_a_check_incomplete() {
    let zoo = zoo();
    let ran = zoo.polc(&["compile", "test", "zoo"]).exits(1);
    for rule in ["ZOO-C001", "ZOO-C002", "ZOO-C003"] {
        assert!(ran.out.contains(&format!("{rule}: not written")), "{ran:#?}");
    }
    zoo.polc(&["compile", "test", "zoo", "--allow-stubs"]).exits(0);
    let mut test = Command::new(env!("CARGO"));
    test.current_dir(zoo.path()).args([
        "test",
        "--quiet",
        "--offline",
        "--manifest-path",
        "generated/Cargo.toml",
    ]);
    test.arg("--target-dir").arg(zoo.path().join(".polc/target"));
    let tested = Ran::of(&mut test).exits(101);
    for stem in ["c001", "c002", "c003"] {
        assert!(tested.out.contains(&format!("authored_cases::{stem}")), "{tested:#?}");
    }

    zoo.repository.write("lion.txt", "roar\n");
    zoo.repository.commit("Add a lion");
    let check = zoo.polc(&["check", "zoo", "--base", "HEAD~1"]).exits(2);
    assert!(
        check.out.contains("not graded, 3 checkers not written: ZOO-C001, ZOO-C002, ZOO-C003"),
        "{check:#?}"
    );
    let json = zoo.polc(&["check", "zoo", "--base", "HEAD~1", "--json"]).exits(2).json();
    assert_eq!(json["verdict"], "incomplete");
    assert_eq!(json["compliance_rate"], serde_json::Value::Null, "a stub is in no rate");
    zoo.polc(&["check", "zoo", "--base", "HEAD~1", "--allow-stubs"]).exits(0);
}

#[test]
fn a_check_tells_what_was_found_where_and_which_sentence_says_so() {
    let zoo = zoo();
    write_all(&zoo);
    let tested = zoo.polc(&["compile", "test", "zoo", "--json"]);
    assert_eq!(tested.code, Some(0), "{tested:#?}");

    let base = zoo.repository.git(&["rev-parse", "HEAD"]);
    let check = |more: &[&str]| zoo.polc(&[&["check", "zoo", "--base", &base], more].concat());
    zoo.repository.write("lion.txt", "roar\n");
    zoo.repository.commit("Add a lion");
    check(&[]).exits(0);

    zoo.repository.write("walrus.txt", "humph\nhumph");
    zoo.repository.commit("Add a walrus");
    let human = check(&[]).exits(1);
    let commit = zoo.repository.git(&["rev-parse", "HEAD"]);
    insta::assert_snapshot!(human.out.replace(&commit[..12], "COMMIT").replace(&pinned(&zoo), "PINNED"));

    let json = check(&["--json"]).exits(1).json();
    assert_eq!(json["schema"], 3);
    assert_eq!(json["verdict"], "failed");
    let finding = &json["findings"][0];
    assert_eq!(finding["rule"], "ZOO-C001");
    assert_eq!(finding["violating"], 1);
    assert_eq!(finding["places"][0]["place"], serde_json::json!({"in": "file", "path": "walrus.txt"}));
    assert_eq!(finding["sentence"], "Every file ends with a newline.");
    assert!(
        finding["link"].as_str().unwrap().ends_with("CONTRIBUTING.md#contributing-to-the-zoo"),
        "{finding}"
    );
    assert_eq!(json, check(&["--format", "json"]).exits(1).json());
    assert_eq!(json["findings"][1]["fails"], false, "an approximate finding is noted");

    // What fails is a matter of policy, what is found is not.
    check(&["--fail-on", "none"]).exits(0);
    zoo.repository.write("walrus.txt", "humph\n");
    zoo.repository.commit("End the walrus");
    check(&[]).exits(0);
    check(&["--fail-on", "all"]).exits(1);

    zoo.repository.write("pull-request.txt", "Add animals\n\nThe keeper is Anna.\n");
    let text = ["--pr-text", "pull-request.txt"];
    let with_text = check(&text).exits(0);
    assert!(with_text.out.contains("noted ZOO-C003 (for a person)"), "{with_text:#?}");
    check(&[&text[..], &["--include-human"]].concat()).exits(1);

    // A checker that panics is a fault of ours: reported by name, and no verdict.
    zoo.repository.write("pull-request.txt", "panic\n");
    let panics = check(&text).exits(2);
    assert!(
        panics.out.contains("not graded ZOO-C003: ") && panics.out.contains("no keeper was found"),
        "{panics:#?}"
    );
    check(&["--head", "nowhere"]).exits(2);

    // It comes before what was found on the others, which is told all the same.
    let both = check(&[&text[..], &["--fail-on", "all"]].concat()).exits(2);
    assert!(both.out.contains("violated ZOO-C002 (approximate)"), "{both:#?}");
    let json = check(&[&text[..], &["--fail-on", "all", "--json"]].concat()).exits(2).json();
    assert_eq!((&json["verdict"], &json["findings"][0]["fails"]), (&"incomplete".into(), &true.into()));
}

#[test]
fn a_report_for_people_says_how_much_it_leaves_out_and_json_leaves_out_nothing() {
    let zoo = zoo();
    write_all(&zoo);
    let base = zoo.repository.git(&["rev-parse", "HEAD"]);
    let check = |more: &[&str]| zoo.polc(&[&["check", "zoo", "--base", &base], more].concat());
    for number in 0..32 {
        zoo.repository.write(&format!("seal-{number}.txt"), "arf");
    }
    zoo.repository.commit("Add seals");
    let human = check(&[]).exits(1).out;
    assert_eq!(human.matches(": end the last line").count(), 20, "{human}");
    assert!(human.contains("  and 12 more; `polc check --json` has them all\n"), "{human}");
    let json = check(&["--json"]).exits(1).json();
    let findings = json["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "one finding a rule: {json}");
    assert_eq!(findings[0]["violating"], 32);
    let places = findings[0]["places"].as_array().unwrap();
    let paths: BTreeSet<&str> = places.iter().map(|place| place["place"]["path"].as_str().unwrap()).collect();
    assert_eq!((places.len(), paths.len()), (32, 32));
}

/// A registry as it is rendered where there is no checker.
fn registry_of_nothing(registry: &str) -> String {
    let (mut kept, mut within) = (String::new(), false);
    for line in registry.lines() {
        within |= line.starts_with("mod ") && !line.contains("authored_cases");
        let is_of_a_rule = within
            || line.contains("Entry::of::<")
            || line.starts_with("    ")
                && !line.contains(": \"")
                && !line.contains("entries:")
                && !line.contains("executable::main");
        within &= line != "}";
        let is_second_blank = line.is_empty() && kept.ends_with("\n\n");
        if !is_of_a_rule && !is_second_blank {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn pinned(zoo: &Zoo) -> String {
    let pin = zoo.read("manifests/zoo/pin.toml");
    pin.split("commit = \"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

#[test]
fn a_rule_whose_checker_is_not_in_the_crate_is_named_and_leaves_a_check_incomplete() {
    let zoo = zoo();
    write_all(&zoo);
    for rule in ["ZOO-C001", "ZOO-C002", "ZOO-C003"] {
        let source = format!("generated/zoo/src/{}.rs", stem(&zoo, rule));
        std::fs::remove_file(zoo.path().join(source)).unwrap();
    }
    let registry = zoo.read("generated/zoo/src/main.rs");
    zoo.repository.write("generated/zoo/src/main.rs", registry_of_nothing(&registry));
    zoo.repository.commit("Lose the checkers");
    let check = zoo.polc(&["check", "zoo", "--base", "HEAD~1", "--allow-stubs"]).exits(2).out;
    let line = "not graded, 3 rules without a checker: ZOO-C001, ZOO-C002, ZOO-C003; run `polc compile zoo --stubs`\n";
    assert!(check.contains(line), "{check}");
}

#[test]
fn blunt_checkers_fail_every_rule_with_a_contrary_case() {
    let zoo = zoo();
    write_all(&zoo);
    let blunt = |name| zoo.polc(&["compile", "test", "zoo", "--blunt", name]);
    assert!(blunt("satisfied").exits(0).out.ends_with(
        "3 of 3 written rules with a contrary case fail; 0 written without one, 0 stubs not written\n"
    ));
    assert!(
        blunt("violated").exits(0).out.contains("2 of 2 written rules"),
        "a rule for a person has no other case"
    );
    assert!(blunt("nothing").exits(0).out.contains("3 of 3 written rules"));
}

/// After a change of the corpus: what was written stays, what has no rule is put away.
#[test]
fn rendering_again_touches_nothing_that_a_person_wrote() {
    let zoo = zoo();
    write_all(&zoo);
    let (first, second) = (stem(&zoo, "ZOO-C001"), stem(&zoo, "ZOO-C002"));
    let (source, cases) =
        (format!("generated/zoo/src/{first}.rs"), format!("generated/zoo/cases/{first}.toml"));
    let before = (zoo.read(&source), zoo.read(&cases));
    zoo.does(&["compile zoo --stubs"]);
    assert_eq!(before, (zoo.read(&source), zoo.read(&cases)));

    // The first sentence says something else, the second is gone, the third stays.
    let page = PAGE.replace("ends with a newline", "ends with a line feed");
    zoo.repository.write("CONTRIBUTING.md", page.replace(" Never mention a walrus in a commit message.", ""));
    zoo.repository.commit("Expect something else");
    std::fs::remove_file(zoo.path().join("corpora/zoo/extraction.csv")).unwrap();
    zoo.does(&["pin zoo", "fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper", "extract zoo"]);
    let sheet = zoo.polc(&["decide", "zoo", "--sheet", "-"]).exits(0).out;
    assert!(sheet.contains("# was        ZOO-C001:"), "{sheet}");
    // The person agrees that it is the same rule in other words.
    let sheet = sheet.replace("# replaces", "replaces").replace("= \"\"", "= \"accept\"");
    zoo.repository.write("sheet.toml", sheet);
    zoo.does(&["decide zoo --from sheet.toml --by keeper"]);
    zoo.does(&["freeze zoo --by keeper", "classify zoo", "compile zoo --stubs"]);

    assert_eq!(before, (zoo.read(&source), zoo.read(&cases)), "a changed checker is flagged, not touched");
    let status = zoo.polc(&["compile", "status", "zoo"]).exits(0).out;
    assert!(
        status.contains(&format!("changed   ZOO-C001      src/{first}.rs  its rule is now sha256:")),
        "{status}"
    );
    assert!(
        status.contains("2 binding rules: 1 written, 0 stubs not written, 1 changed, 0 absent; 1 orphaned"),
        "{status}"
    );
    assert!(zoo.path().join("generated/zoo/orphaned/src").is_dir());

    // Until somebody has read it again, nothing is judged by the checker of another text.
    zoo.repository.commit("Take the change in");
    let check = zoo.polc(&["check", "zoo", "--base", "HEAD~1", "--allow-stubs"]).exits(2).out;
    let line = check.lines().find(|line| line.starts_with("not graded ZOO-C001: ")).unwrap();
    assert_eq!(line.matches("sha256:").count(), 2, "{line}");
    assert!(line.contains("written for another text") && line.contains("into the declaration"), "{line}");
    assert!(check.contains("0 satisfied, 0 violated, 1 withheld, 0 inapplicable, 1 not graded;"), "{check}");
    let walrus = zoo.polc(&["compile", "status", "zoo", "--json"]).exits(0).json();
    let orphan =
        walrus["checkers"].as_array().unwrap().iter().find(|line| line["standing"] == "orphaned").unwrap();
    assert!(
        zoo.read(&format!("generated/zoo/{}", orphan["file"].as_str().unwrap())).contains("struct C0"),
        "{second}"
    );
}

/// What no checker may have stops every command that builds, before anything is built.
#[test]
fn an_impure_checker_is_named_and_nothing_is_built() {
    let zoo = zoo();
    write_all(&zoo);
    let path = format!("generated/zoo/src/{}.rs", stem(&zoo, "ZOO-C002"));
    let impure = zoo.read(&path).replace(
        "target.message.raw().contains(\"walrus\")",
        "std::env::args().any(|word| word == include_str!(\"word\"))",
    );
    zoo.repository.write(&path, impure);
    zoo.repository.write("generated/zoo/build.rs", "fn main() {}\n");
    for command in [
        &["compile", "test", "zoo"][..],
        &["check", "zoo", "--base", "HEAD"],
        &["grade", "zoo", "nowhere"],
        &["regenerate", "zoo"],
    ] {
        let refused = zoo.polc(command).exits(2);
        for named in [
            "generated/zoo/build.rs:1:1: a file that the registry does not name",
            &format!("{path}:21:26: `std::env::args`: an outcome depends on the evidence alone; take what"),
            &format!("{path}:21:62: `include_str!`: "),
            "nothing was built\nhelp: correct what is named",
        ] {
            assert!(refused.err.contains(named), "{named}: {refused:#?}");
        }
    }
}

//! The whole road, from a sentence to a verdict, and every gate on it.

use crate::polc::{PAGE, Ran, Zoo, checkout, polc, share_builds};
use polc_records::extraction::Extraction;
use polc_testkit::TestRepository;
use polc_testkit::shared::files_below;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// It knows other documents than its own.
#[test]
fn sentences_appended_to_our_own_page_become_rows_or_stand_in_the_ledger() {
    let clone = tempfile::tempdir().unwrap();
    let folder = clone.path().join("polc");
    let from = checkout();
    let git = |arguments: &[&str]| {
        let mut git = polc_testkit::repository::command(clone.path());
        Ran::of(git.args(arguments)).exits(0);
    };
    let (from, to) = (from.to_str().unwrap(), folder.to_str().unwrap());
    git(&["clone", "--quiet", "--no-hardlinks", from, to]);
    let page = folder.join("CONTRIBUTING.md");
    let mut text = std::fs::read_to_string(&page).unwrap();
    text.push_str("\nEvery file ends with `zebra`. Never commit a walrus. The zoo is old.\n");
    std::fs::write(&page, text).unwrap();
    git(&["-C", to, "commit", "--quiet", "--all", "--message", "Open the zoo"]);
    for command in [
        "init t/zoo --git .",
        "pin t-zoo",
        "fetch t-zoo",
        "manifest t-zoo",
        "manifest confirm t-zoo --by keeper",
        "extract t-zoo",
    ] {
        Ran::of(&mut polc(&folder, &command.split(' ').collect::<Vec<_>>())).exits(0);
    }
    let proposal = std::fs::read_to_string(folder.join("corpora/t-zoo/proposal.jsonl")).unwrap();
    let rules: Vec<String> = lines(&proposal)
        .iter()
        .skip(1)
        .map(|line| line["row"]["rule"].as_str().unwrap().to_owned())
        .filter(|rule| rule.contains("zebra") || rule.contains("walrus"))
        .collect();
    assert_eq!(rules, ["Make sure that every file ends with `zebra`.", "Never commit a walrus."]);
    let ledger = std::fs::read_to_string(folder.join("corpora/t-zoo/ledger.jsonl")).unwrap();
    let line = ledger.lines().find(|line| line.contains("The zoo is old.")).unwrap();
    assert!(line.contains(r#"{"no-rule":"description"}"#), "{line}");
}

/// Everything a road leaves behind, without the times and names of decisions.
fn artifacts(root: &Path) -> BTreeMap<String, String> {
    let mut artifacts = BTreeMap::new();
    for top in ["corpora", "manifests", "generated", "polc.toml"] {
        let path = root.join(top);
        for file in if path.is_dir() { files_below(&path) } else { vec![path] } {
            let name = file.strip_prefix(root).unwrap().display().to_string();
            if !name.ends_with("decisions.jsonl") {
                artifacts.insert(name, std::fs::read_to_string(&file).unwrap());
            }
        }
    }
    artifacts
}

#[test]
fn two_runs_give_the_same_bytes_and_a_second_run_of_a_stage_changes_nothing() {
    let (one, other) = (Zoo::with(PAGE), Zoo::with(PAGE));
    one.up_to_stubs();
    other.up_to_stubs();
    let made = artifacts(one.path());
    assert!(made.len() > 10, "{:?}", made.keys());
    assert_eq!(made, artifacts(other.path()));
    one.does(&[
        "init zoo/zoo --git . --slug zoo --setting pull-request",
        "pin zoo",
        "fetch zoo",
        "manifest zoo",
        "manifest confirm zoo --by keeper",
        "extract zoo",
        "freeze zoo --by keeper",
        "classify zoo",
        "compile zoo --stubs",
    ]);
    assert_eq!(made, artifacts(one.path()));
    let decisions = one.read("corpora/zoo/decisions.jsonl");
    assert_eq!(decisions.lines().count(), 1 + 1 + 2 + 1, "nothing is decided twice: {decisions}");
}

/// The stage of a project that comes next, and how each stands.
fn standing(zoo: &Zoo) -> (Vec<String>, String) {
    let status = zoo.polc(&["status", "zoo", "--json"]).exits(0).json();
    let project = &status["projects"][0];
    let stages = project["stages"].as_array().unwrap();
    let stands = stages.iter().map(|stage| stage["stands"].as_str().unwrap().to_owned()).collect();
    (stands, project["next"].as_str().unwrap_or("nothing").to_owned())
}

#[test]
fn status_knows_after_every_stage_what_comes_next() {
    let zoo = Zoo::with(PAGE);
    let mut seen = Vec::new();
    for command in [
        "init zoo/zoo --git . --slug zoo",
        "pin zoo",
        "fetch zoo",
        "manifest zoo",
        "manifest confirm zoo --by keeper",
        "extract zoo",
        "",
        "freeze zoo --by keeper",
        "classify zoo",
        "compile zoo --stubs",
    ] {
        if command.is_empty() {
            zoo.accept_all();
        } else {
            zoo.does(&[command]);
        }
        let (stands, next) = standing(&zoo);
        seen.push(format!("{command:33} {} → {next}", stands.join(" ")));
    }
    insta::assert_snapshot!(seen.join("\n"));
}

#[test]
fn a_stage_says_as_json_where_the_project_stands() {
    let zoo = Zoo::with(PAGE);
    let init = zoo.polc(&["init", "zoo/zoo", "--git", ".", "--slug", "zoo", "--json"]).exits(0).json();
    assert_eq!(init["schema"], 1);
    assert_eq!(init["projects"][0]["next"], "polc pin zoo");
    assert_eq!(zoo.polc(&["pin", "zoo", "--json"]).exits(0).json()["projects"][0]["next"], "polc fetch zoo");
    zoo.polc(&["completions", "bash", "--json"]).exits(3);
}

/// Every file and folder of a root, but for what is git's.
fn everything(zoo: &Zoo) -> String {
    let mut find = std::process::Command::new("find");
    find.current_dir(zoo.path()).args([".", "-name", ".git", "-prune", "-o", "-print"]);
    Ran::of(&mut find).exits(0).out
}

#[test]
fn an_init_that_fails_leaves_nothing_behind() {
    let init = |more: &[&'static str]| [&["init", "zoo/zoo"], more].concat();
    for (in_the_way, arguments) in [
        ("", init(&["--git", ".", "--setting", "moon"])),
        ("", init(&["--git", "nowhere"])),
        ("", init(&["--git", "nowhere", "--root", "new/root"])),
        ("", vec!["init", "_zoo/zoo", "--git", "."]),
        ("rubrics/setting.toml", init(&["--git", "."])),
        ("stages/instances.toml", init(&["--git", "."])),
        ("corpora", init(&["--git", "."])),
        ("corpora/zoo-zoo", init(&["--git", "."])),
        ("corpora/z", init(&["--git", ".", "--slug", "z"])),
        (".polc", init(&["--git", "."])),
        (".polc", init(&["--git", ".", "--slug", "z"])),
    ] {
        let zoo = Zoo::with(PAGE);
        if !in_the_way.is_empty() {
            zoo.repository.write(in_the_way, "no folder, and no table\n");
        }
        let before = everything(&zoo);
        zoo.polc(&arguments).exits(2);
        assert_eq!(everything(&zoo), before, "{arguments:?} with {in_the_way:?}");
    }
    let zoo = Zoo::with(PAGE);
    zoo.polc(&init(&["--git", ".", "--root", "new/root"])).exits(0);
    assert!(zoo.path().join("new/root/polc.toml").is_file());
}

#[test]
fn status_goes_on_without_a_checkout_and_stops_at_a_file_that_is_broken() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_stubs();
    let stops = |broken: &str| {
        let ran = zoo.polc(&["status", "zoo"]).exits(2);
        assert!(ran.err.contains(broken) && ran.err.contains("\nhelp: "), "{ran:#?}");
    };
    zoo.repository.write("stages/discovery.toml", "schema = 1\nbroken = true\n");
    stops("stages/discovery.toml");
    std::fs::remove_file(zoo.path().join("stages/discovery.toml")).unwrap();
    let registry = zoo.read("generated/zoo/src/main.rs");
    zoo.repository.write("generated/zoo/src/main.rs", [0xff]);
    stops("generated/zoo/src/main.rs");
    zoo.repository.write("generated/zoo/src/main.rs", registry);
    std::fs::rename(zoo.path().join(".git"), zoo.path().join("elsewhere")).unwrap();
    let goes_on = || {
        let ran = zoo.polc(&["status", "zoo"]).exits(0);
        assert!(ran.out.contains("the checkout cannot be read"), "{ran:#?}");
    };
    goes_on();
    let project = zoo.read("corpora/zoo/project.toml");
    zoo.repository.write("corpora/zoo/project.toml", project.replace("git = \".\"\n", ""));
    goes_on();
}

#[test]
fn no_gate_opens_by_itself() {
    let zoo = Zoo::with(PAGE);
    let gate = |arguments: &[&str], says: &str| {
        let ran = zoo.polc(arguments).exits(4);
        assert!(ran.err.starts_with("gate: ") && ran.err.contains(says), "{ran:#?}");
        assert!(ran.err.contains("\nhelp: "), "{ran:#?}");
    };
    zoo.does(&["init zoo/zoo --git . --slug zoo"]);
    gate(&["fetch", "zoo"], "polc pin zoo");
    zoo.does(&["pin zoo"]);
    gate(&["extract", "zoo"], "polc manifest zoo");
    zoo.does(&["fetch zoo", "manifest zoo"]);
    gate(&["extract", "zoo"], "not confirmed");
    zoo.does(&["manifest confirm zoo --by keeper"]);
    gate(&["decide", "zoo", "--sheet", "-"], "polc extract zoo");
    gate(&["freeze", "zoo", "--by", "keeper"], "polc extract zoo");
    zoo.does(&["extract zoo"]);
    gate(&["freeze", "zoo", "--by", "keeper"], "is not decided");
    gate(&["classify", "zoo"], "not frozen");

    // A confirmation is of bytes.
    let manifest = zoo.read("manifests/zoo/manifest.toml");
    zoo.repository.write("manifests/zoo/manifest.toml", manifest.replace("addressed to", "written for"));
    gate(&["extract", "zoo"], "not confirmed");
    zoo.does(&["manifest confirm zoo --by keeper"]);
    gate(&["freeze", "zoo", "--by", "keeper"], "another manifest");
    zoo.does(&["extract zoo"]);
    zoo.accept_all();
    zoo.does(&["freeze zoo --by keeper"]);

    // What is frozen stays so.
    let extraction = zoo.read("corpora/zoo/extraction.csv");
    zoo.repository.write("corpora/zoo/extraction.csv", extraction.replace("walrus", "seal"));
    let ran = zoo.polc(&["classify", "zoo"]).exits(2);
    assert!(ran.err.contains("a frozen extraction is never edited"), "{ran:#?}");
}

#[test]
fn bad_input_gets_an_error_that_says_where_and_what_to_do() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_manifest();
    let mut seen = Vec::new();
    let mut faulty = |arguments: &[&str]| {
        let ran = zoo.polc(arguments);
        assert_eq!(ran.out, "", "{ran:#?}");
        let err = ran.err.replace(zoo.path().to_str().unwrap(), "ROOT");
        seen.push(format!("$ polc {} # {}\n{err}", arguments.join(" "), ran.code.unwrap()));
    };
    faulty(&["pin", "zebra"]);
    faulty(&["pin", "zoo", "--commit", "v9"]);
    faulty(&["pin", "Zoo Two"]);
    faulty(&["init", "zoo/zoo", "--git", ".", "--slug", "zoo"]);
    faulty(&["init", "zoo/other", "--git", "nowhere"]);
    faulty(&["init", "zoo/other", "--git", ".", "--setting", "moon"]);
    faulty(&["check", "zoo", "--base", "HEAD"]);
    let project = zoo.read("corpora/zoo/project.toml");
    for wrong in [
        project.replace("schema = 2", "schema = 5"),
        project.replace("schema = 2\n", ""),
        project.replace("git = ", "got = "),
        project.replace("setting = \"pull-request\"", "setting = 7"),
        project.replace("slug = \"zoo\"", "slug = \"Z\""),
        project.replace("slug = ", "slug "),
    ] {
        zoo.repository.write("corpora/zoo/project.toml", wrong);
        faulty(&["fetch", "zoo"]);
    }
    zoo.repository.write("corpora/zoo/project.toml", &project);
    let setting = "schema = 1\nversion = \"1\"\n\n[[setting]]\nname = \"pull-request\"\nmeans = \"\"\nexists = [\"moon\"]\n";
    zoo.repository.write("rubrics/setting.toml", setting);
    faulty(&["init", "zoo/other", "--git", ".", "--setting", "pull-request"]);
    insta::assert_snapshot!(seen.join("\n"));
}

#[test]
fn a_quote_that_is_not_in_its_source_is_refused_with_the_nearest_passage() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_manifest();
    zoo.does(&["extract zoo"]);
    let sheet = zoo.polc(&["decide", "zoo", "--sheet", "-"]).exits(0).out;
    let first = sheet.find("decision = \"\"").unwrap();
    let amended = format!(
        "{}decision = \"amend\"\n[row.amend]\nquote = \"Every file must end with a newline.\"\n{}",
        &sheet[..first],
        &sheet[first + "decision = \"\"".len()..]
    );
    zoo.repository.write("sheet.toml", amended);
    let before = zoo.read("corpora/zoo/decisions.jsonl");
    let ran = zoo.polc(&["decide", "zoo", "--from", "sheet.toml", "--by", "keeper"]).exits(2);
    insta::assert_snapshot!(ran.err);
    assert_eq!(before, zoo.read("corpora/zoo/decisions.jsonl"), "nothing of a faulty sheet is recorded");
}

#[test]
fn ground_finds_what_its_source_does_not_say() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_stubs();
    assert_eq!(zoo.polc(&["ground", "zoo"]).exits(0).out, "2 quotes: 2 exact, 0 folded, 0 not found\n");
    // A corpus whose freeze was forged along with its file: the quotes still have to be there.
    let forged =
        zoo.read("corpora/zoo/extraction.csv").replace("Never commit a walrus", "Never commit any walrus");
    let digest = |text: &str| polc_records::Digest::of(text).to_string();
    let decisions = zoo
        .read("corpora/zoo/decisions.jsonl")
        .replace(&digest(&zoo.read("corpora/zoo/extraction.csv")), &digest(&forged));
    zoo.repository.write("corpora/zoo/extraction.csv", forged);
    zoo.repository.write("corpora/zoo/decisions.jsonl", decisions);
    let ran = zoo.polc(&["ground", "zoo"]).exits(1);
    assert!(ran.out.contains("ZOO-C002: the quote is not in"), "{ran:#?}");
    assert!(ran.out.contains("[-any-]{+a+} walrus"), "{ran:#?}");
}

/// Amending, splitting, merging, dropping and adding, from a sheet to the frozen rows.
#[test]
fn every_kind_of_decision_reaches_the_frozen_rows() {
    let zoo = Zoo::with(
        "# Contributing\n\nSort the cages and label the keepers.\n\nUse a broom. Always use the broom.\n\n\
         Never feed after six. Do not tease the lion. We like whales.\n",
    );
    zoo.up_to_manifest();
    zoo.does(&["extract zoo"]);
    let proposal = zoo.read("corpora/zoo/proposal.jsonl");
    let digest = |quote: &str| {
        let row = lines(&proposal).into_iter().skip(1).find(|line| line["row"]["rule"] == quote);
        row.unwrap_or_else(|| panic!("no row `{quote}` in {proposal}"))["digest"].as_str().unwrap().to_owned()
    };
    let (sort, label) = (digest("Sort the cages."), digest("Label the keepers."));
    let (broom, always) = (digest("Use a broom."), digest("Use the broom."));
    let (six, lion) = (digest("Never feed after six."), digest("Do not tease the lion."));
    zoo.repository.write(
        "sheet.toml",
        format!(
            r#"schema = 1
project = "zoo"

[[row]]
digest = "{sort}"
decision = "accept"

[[row]]
digest = "{label}"
decision = "merge"
into = "{sort}"

[[row]]
digest = "{broom}"
decision = "drop"
restates = "{always}"

[[row]]
digest = "{always}"
decision = "amend"
[row.amend]
rule = "Use the broom every day."
category = "Specialized changes"

[[row]]
digest = "{six}"
decision = "split"
[[row.split]]
rule = "Never feed a lion after six."
[[row.split]]
rule = "Never feed a seal after six."

[[row]]
digest = "{lion}"
decision = "drop"
reason = "not addressed to contributors"

[[add]]
source = "CONTRIBUTING.md"
section = ["Contributing"]
quote = "We like whales."
rule = "Like whales."
modal = "should"
applies_to = ["workflow"]
category = "Specialized changes"
"#
        ),
    );
    zoo.does(&["decide zoo --from sheet.toml --by keeper", "freeze zoo --by keeper"]);
    let path = zoo.path().join("corpora/zoo/extraction.csv");
    let slug = "zoo".parse().unwrap();
    let extraction = Extraction::parse(&path, &slug, &zoo.read("corpora/zoo/extraction.csv")).unwrap();
    let rows: Vec<String> = extraction
        .rows
        .iter()
        .map(|row| format!("{} | {} | {} | {}", row.id, row.original, row.rule, row.category))
        .collect();
    let ledger = zoo.read("corpora/zoo/ledger.jsonl");
    let fates: Vec<String> = lines(&ledger)
        .iter()
        .skip(1)
        .map(|line| format!("{} {}", line["text"].as_str().unwrap(), line["outcome"]))
        .collect();
    insta::assert_snapshot!(format!("{}\n\n{}", rows.join("\n"), fates.join("\n")));
}

/// The corpus of this repository follows from its frozen extraction, and demo says so without it.
#[test]
fn the_demo_computes_and_says_so_where_there_is_nothing_to_compare_with() {
    let clone = tempfile::tempdir().unwrap();
    let folder = clone.path().join("polc");
    let from = checkout();
    let mut git = polc_testkit::repository::command(clone.path());
    git.args(["clone", "--quiet", "--no-hardlinks", from.to_str().unwrap(), folder.to_str().unwrap()]);
    Ran::of(&mut git).exits(0);
    let _building = share_builds(&folder);
    let whole = Ran::of(&mut polc(&folder, &["demo"])).exits(0);
    let last = whole.out.lines().last().unwrap();
    assert_eq!(
        last,
        "compared     the same as committed: proposal, extraction, ledger, facts, rules, rules file, acceptance"
    );
    assert!(whole.out.contains("0 stubs not written") && !whole.out.contains("not written: "), "{whole:#?}");

    // A second demo at the same time touches nothing of the first.
    let root = polc_records::layout::Root::new(&folder);
    let first = root.lock(&"polc".parse().unwrap()).unwrap();
    let made = folder.join(".polc/demo/polc.toml");
    std::fs::write(&made, "of the first\n").unwrap();
    let second = Ran::of(&mut polc(&folder, &["demo"])).exits(2);
    assert!(second.err.contains("another polc") && second.out.is_empty(), "{second:#?}");
    assert_eq!(std::fs::read_to_string(&made).unwrap(), "of the first\n");
    drop(first);

    std::fs::remove_file(folder.join("corpora/polc/facts.jsonl")).unwrap();
    std::fs::write(folder.join("corpora/polc/ledger.jsonl"), "{}\n").unwrap();
    let partly = Ran::of(&mut polc(&folder, &["demo"])).exits(1);
    for line in ["different    ledger: see `polc status polc`", "different    facts: not in corpora/polc"] {
        assert!(partly.out.lines().any(|printed| printed == line), "{partly:#?}");
    }

    std::fs::remove_dir_all(folder.join("corpora/polc")).unwrap();
    let bare = Ran::of(&mut polc(&folder, &["demo"])).exits(2);
    for stage in [
        "init",
        "pin",
        "fetch",
        "manifest",
        "extract",
        "checkpoint 2",
        "classify",
        "compile",
        "cases",
        "check",
    ] {
        assert!(bare.out.lines().any(|line| line.starts_with(stage)), "no {stage} in {bare:#?}");
    }
    assert!(bare.out.contains("nothing to compare with"), "{bare:#?}");
}

/// It knows no project by name: the one that is the repository of the root is the one it runs.
#[test]
fn the_demo_runs_whichever_project_is_its_own_repository() {
    let zoo = Zoo::that_builds(PAGE);
    zoo.up_to_stubs();
    zoo.does(&["rules-file zoo", "accept zoo"]);
    let other = TestRepository::new();
    other.write("README.md", "# Other\n");
    other.commit("Begin");
    zoo.polc(&["init", "a/a", "--git", other.path().to_str().unwrap()]).exits(0);
    zoo.repository.commit("Onboard the zoo");
    let whole = zoo.polc(&["demo"]).exits(0);
    assert!(whole.out.contains("project `zoo`"), "{whole:#?}");
    std::fs::remove_dir_all(zoo.path().join("corpora")).unwrap();
    let bare = zoo.polc(&["demo"]).exits(2);
    assert!(bare.out.contains("project `zoo`") && bare.out.contains("nothing to compare with"), "{bare:#?}");
    std::fs::remove_dir_all(zoo.path().join("manifests")).unwrap();
    let none = zoo.polc(&["demo"]).exits(3);
    assert!(none.err.contains("polc init org/repo --git ."), "{none:#?}");
}

#[test]
fn a_root_is_found_from_below_and_named_from_outside() {
    let zoo = Zoo::with(PAGE);
    zoo.does(&["init zoo/zoo --git . --slug zoo"]);
    let below = zoo.path().join("corpora/zoo");
    Ran::of(&mut polc(&below, &["pin", "zoo"])).exits(0);
    let outside = TestRepository::new();
    Ran::of(&mut polc(outside.path(), &["status"])).exits(3);
    let named = ["--root", zoo.path().to_str().unwrap(), "status", "zoo"];
    Ran::of(&mut polc(outside.path(), &named)).exits(0);
}

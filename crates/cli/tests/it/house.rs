//! The house: arrows between crates, one user of the network, paths that exist, one set of locks.

use crate::polc::{Ran, checkout};
use polc_testkit::TestRepository;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(checkout()).args(arguments);
    cargo
}

fn read(path: &str) -> String {
    std::fs::read_to_string(checkout().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The packages of the workspace: the folder of each, and what it depends on, by kind.
fn packages() -> BTreeMap<String, Vec<(String, Option<String>)>> {
    let metadata =
        Ran::of(&mut cargo(&["metadata", "--no-deps", "--offline", "--format-version", "1"])).exits(0);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    metadata.json()["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| {
            let manifest = text(&package["manifest_path"]).unwrap();
            let folder = manifest.trim_end_matches("/Cargo.toml").rsplit('/').next().unwrap().to_owned();
            let dependencies = package["dependencies"].as_array().unwrap();
            let used = dependencies.iter().map(|used| (text(&used["name"]).unwrap(), text(&used["kind"])));
            (folder, used.collect())
        })
        .collect()
}

/// The table of arrows in the architecture page.
fn arrows(crates: &BTreeSet<String>) -> BTreeMap<String, BTreeSet<String>> {
    let page = read("docs/architecture.md");
    let section = page.split("## The arrows").nth(1).unwrap().split("\n## ").next().unwrap();
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    let mut arrows = BTreeMap::new();
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').collect();
        let allowed = if cells[2].trim() == "all of them" { crates.clone() } else { names(cells[2]) };
        for name in names(cells[1]) {
            arrows.insert(name, allowed.clone());
        }
    }
    arrows
}

#[test]
fn arrows_between_crates_are_the_ones_the_architecture_page_draws() {
    let packages = packages();
    let crates: BTreeSet<String> = packages.keys().filter(|name| *name != "testkit").cloned().collect();
    let arrows = arrows(&crates);
    assert_eq!(arrows.keys().cloned().collect::<BTreeSet<_>>(), crates, "the table names every crate");
    for name in &crates {
        let mut used = BTreeSet::new();
        for (dependency, kind) in &packages[name] {
            let Some(ours) = dependency.strip_prefix("polc-") else { continue };
            match kind.as_deref() {
                None => assert!(used.insert(ours.to_owned())),
                Some(kind) => {
                    assert_eq!((kind, ours), ("dev", "testkit"), "{name}: tests use the testkit alone")
                }
            }
        }
        if name == "cli" {
            assert!(used.is_subset(&crates), "{used:?}");
        } else {
            assert_eq!(&used, &arrows[name], "{name}");
        }
    }
}

#[test]
fn only_one_crate_may_use_the_network() {
    for (name, dependencies) in packages() {
        for (dependency, _) in dependencies {
            let network =
                ["reqwest", "hyper", "ureq", "curl", "octocrab", "isahc"].contains(&dependency.as_str());
            assert!(!network || name == "net", "{name} uses {dependency}: that is for `net`");
        }
    }
}

/// The paths that a page names: targets of links, and code that begins like a path of the checkout.
fn named_paths(page: &str, tops: &BTreeSet<String>) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut links = BTreeSet::new();
    let mut paths = BTreeSet::new();
    let mut in_block = false;
    for line in page.lines() {
        in_block ^= line.starts_with("```");
        if in_block || line.starts_with("```") {
            continue;
        }
        for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if !target.contains("://") {
                links.insert(target.split('#').next().unwrap().to_owned());
            }
        }
        for code in line.split('`').skip(1).step_by(2) {
            let top = code.split('/').next().unwrap();
            if tops.contains(top) && !code.contains(' ') && (code.contains('/') || code.contains('.')) {
                paths.insert(code.to_owned());
            }
        }
    }
    (links, paths)
}

#[test]
fn every_path_that_a_page_names_exists() {
    let tracked = Ran::of(Command::new("git").current_dir(checkout()).args([
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
    ]))
    .exits(0)
    .out;
    let tops: BTreeSet<String> =
        tracked.lines().map(|path| path.split('/').next().unwrap().to_owned()).collect();
    let mut seen = 0;
    for page in tracked.lines().filter(|path| path.ends_with(".md") && !path.starts_with("manifests/")) {
        let folder = checkout().join(page).parent().unwrap().to_owned();
        let (links, paths) = named_paths(&read(page), &tops);
        for link in links.iter().filter(|link| !link.is_empty()) {
            seen += 1;
            assert!(folder.join(link).exists(), "{page} links to `{link}`, which is not there");
        }
        for path in &paths {
            // What the guides say of any project holds for polc as a project.
            let here = path.replace("<slug>", "polc").replace("/zoo", "/polc");
            if here.contains('<') || here.contains('*') {
                continue;
            }
            seen += 1;
            assert!(checkout().join(&here).exists(), "{page} names `{path}`, which is not there");
        }
    }
    assert!(seen > 50, "only {seen} paths were found");
}

/// Every package of a lock file that comes from a registry: name, version, checksum.
fn locked(path: &str) -> BTreeSet<(String, String, String)> {
    let lock: toml::Table = read(path).parse().unwrap();
    let text = |package: &toml::Value, key| package.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    lock["package"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|package| {
            Some((text(package, "name")?, text(package, "version")?, text(package, "checksum")?))
        })
        .collect()
}

#[test]
fn the_lock_of_generated_is_a_subset_of_the_roots() {
    let (generated, root) = (locked("generated/Cargo.lock"), locked("Cargo.lock"));
    let others: Vec<_> = generated.difference(&root).collect();
    assert!(others.is_empty() && generated.len() > 5, "not in the root's lock: {others:?}");
}

#[test]
fn the_generated_workspace_builds_without_a_network() {
    let target = format!("{}/generated", env!("CARGO_TARGET_TMPDIR"));
    let arguments = ["build", "--quiet", "--offline", "--locked", "--manifest-path", "generated/Cargo.toml"];
    Ran::of(cargo(&arguments).args(["--target-dir", &target])).exits(0);
}

#[test]
fn ci_grades_the_last_commit_or_says_that_there_is_nothing_to_grade() {
    let ci = read(".ci/run");
    let step = ci.split("\nstep \"this change, by the checkers of this repository\"\n").nth(1).unwrap();
    let step = step.split("\nstep ").next().unwrap();
    let repository = TestRepository::new();
    let run = || {
        let script = format!("polc() {{ echo \"polc $*\"; return 2; }}\nset -e\n{step}");
        Ran::of(Command::new("bash").current_dir(repository.path()).args(["-c", &script]))
    };
    repository.write("lion.txt", "roar\n");
    repository.commit("Add a lion");
    assert!(run().exits(0).out.starts_with("SKIP: NOTHING WAS GRADED"));
    repository.write("seal.txt", "arf\n");
    repository.commit("Add a seal");
    assert_eq!(run().exits(2).out, "polc check polc --base HEAD~1\n");
}

#[test]
fn no_checker_of_our_own_rules_is_a_stub_and_ci_allows_none() {
    assert!(!read(".ci/run").contains("--allow-stubs"));
    let folder = checkout().join("generated/polc");
    let files = polc_testkit::shared::files_below(&folder.join("src"));
    let cases = polc_testkit::shared::files_below(&folder.join("cases"));
    assert!(
        files.len() > 50 && cases.len() + 1 == files.len(),
        "a file of cases for each checker, and main.rs"
    );
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains("Declaration::unwritten("), "{} is not written", file.display());
    }
    for file in cases {
        let table: toml::Table = std::fs::read_to_string(&file).unwrap().parse().unwrap();
        let cases = table["case"].as_array().unwrap();
        let skeleton = cases.iter().any(|case| case.get("unwritten").is_some());
        assert!(!skeleton, "{} holds a case that is not written", file.display());
    }
}

/// A checker is shown the files that changed, so it carries the list for when `deny.toml` did not.
#[test]
fn the_checker_of_licences_carries_the_list_of_deny_toml() {
    let checker = read("generated/polc/src/quality/c055.rs");
    let carried = checker.split("ALLOWED: &[&str] = &[").nth(1).unwrap().split("];").next().unwrap();
    let carried: Vec<&str> = carried.split('"').skip(1).step_by(2).collect();
    let deny: toml::Table = read("deny.toml").parse().unwrap();
    let allowed =
        deny["licenses"]["allow"].as_array().unwrap().iter().map(|licence| licence.as_str().unwrap());
    assert_eq!(carried, allowed.collect::<Vec<_>>());
}

//! What the patterns find in the trees of real repositories, beside what a careful reader finds.

use polc_net::github::blob_id;
use polc_records::layout::DataFile;
use polc_sources::discovery::Discovery;
use polc_testkit::shared::{files_below, shared};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Files beside those of `offnav` that somebody who reads the tree takes for policy, or for what decides it.
const READ: &[(&str, &str, &str)] = &[
    ("astropy", ".ruff.toml", "configuration"),
    ("astropy", ".pycodestyle", "configuration"),
    ("astropy", "docs/changes/template.rst", "changelog-fragments"),
    ("flask", "docs/contributing.rst", "contributing"),
    ("mdbook", "eslint.config.mjs", "configuration"),
    ("pallets-website", "content/contributing/pr.md", "contributing"),
    ("pallets-website", "content/code-of-conduct.md", "conduct"),
    ("pydantic", "docs/contributing.md", "contributing"),
    ("pydantic", ".hyperlint/.vale.ini", "configuration"),
    ("pydantic", ".markdownlint.yaml", "configuration"),
    ("pylint", "pylintrc", "configuration"),
    ("pylint", "doc/development_guide/contributor_guide/contribute.rst", "contributing"),
    ("pytest", "changelog/_template.rst", "changelog-fragments"),
    ("pytest", ".github/chronographer.yml", "configuration"),
    ("requests", "docs/dev/contributing.rst", "contributing"),
    ("sphinx", "doc/internals/ai-policy.rst", "ai-policy"),
    ("sphinx", "doc/internals/contributing.rst", "contributing"),
    ("sphinx", ".prettierrc.toml", "configuration"),
    ("sphinx", "utils/release-checklist.rst", "maintainer-guide"),
    ("sympy", "doc/src/contributing/ai-generated-code-policy.rst", "ai-policy"),
    ("sympy", ".flake8", "configuration"),
    ("xarray", "doc/contribute/ai-policy.md", "ai-policy"),
    ("xarray", "doc/contribute/contributing.rst", "contributing"),
];

/// What a careful reader may call missed, and why no pattern finds it.
const MISSED: &[(&str, &str, &str)] = &[
    (
        "astropy",
        "docs/development/codeguide.rst",
        "the source of a page, found by the navigation of the site",
    ),
    ("mdbook", "triagebot.toml", "configures a bot that assigns reviewers"),
    (
        "mdbook",
        "Cargo.toml",
        "may hold lints, and in every Rust project is there for other reasons: name it in `patterns`",
    ),
    ("pydantic", ".hyperlint/style_guide_test.md", "a test of a documentation linter"),
    ("pydantic", "docs/version-policy.md", "binds those who release, and is a page"),
    ("pydantic", "release/README.md", "how maintainers run a script"),
    ("pylint", ".pre-commit-hooks.yaml", "offers a hook to other projects"),
    ("pylint", "CONTRIBUTORS.txt", "a list of people"),
    ("pylint", "doc/development_guide/contributor_guide/index.rst", "the source of a page"),
    ("pytest", ".github/patchback.yml", "configures a bot of the maintainers"),
    ("sphinx", "utils/CHANGES_template.rst", "begins the changelog of a release"),
    ("sphinx", "doc/development/index.rst", "for those who extend the program"),
    ("sympy", ".ci/README.rst", "explains a file of timings"),
    ("xarray", ".github/nightly-wheel-failure-template.md", "filled in by a job"),
    ("xarray", "ci/policy.yaml", "which versions of dependencies a job supports"),
];

/// What a careful reader may call superfluous, and why it is found all the same.
const SUPERFLUOUS: &[(&str, &str, &str)] = &[
    (
        "pydantic",
        ".agents/skills/pydantic/SKILL.md",
        "teaches agents to use the library: the folder says nothing of whom it is for",
    ),
    (
        "xarray",
        ".claude/skills/upgrade-min-versions.md",
        "a task of maintainers, in the folder of instructions for agents",
    ),
    (
        "pallets-website",
        "content/contributing/triage.md",
        "for those who triage: its headings put it out, not its name",
    ),
    ("astropy", "docs/changes/template.rst", "renders the changelog, and shows how a fragment is read"),
    ("xarray", "AI_POLICY.md", "holds only the path of the page that is the policy"),
];

fn discovery() -> Discovery {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../stages/discovery.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    Discovery::from_data(&DataFile { path, text }).unwrap()
}

/// The blobs of every shared tree, by project and path.
fn trees() -> Option<BTreeMap<String, BTreeMap<String, String>>> {
    let folder = shared("sites/trees")?;
    let mut trees = BTreeMap::new();
    for file in files_below(&folder) {
        let text = std::fs::read_to_string(&file).unwrap();
        let rows = text.lines().map(|line| {
            let (head, path) = line.split_once('\t').unwrap();
            (path.to_owned(), head.split_whitespace().nth(2).unwrap().to_owned())
        });
        trees.insert(file.file_stem().unwrap().to_str().unwrap().to_owned(), rows.collect());
    }
    Some(trees)
}

#[test]
fn every_policy_file_of_real_trees_is_found_and_every_other_is_explained() {
    let (Some(trees), Some(offnav)) = (trees(), shared("sites/offnav")) else { return };
    let discovery = discovery();
    let kind = |path: &str| discovery.find(path).map(|found| found.kind.name.as_str());
    let mut wrong = Vec::new();
    for (project, path, expected) in READ {
        assert!(trees[*project].contains_key(*path), "{project}: no {path}");
        if kind(path) != Some(expected) {
            wrong.push(format!("{project}: {path} is {:?}, not {expected}", kind(path)));
        }
    }
    for (project, path, _) in MISSED {
        assert!(trees[*project].contains_key(*path), "{project}: no {path}");
        wrong.extend(kind(path).map(|kind| format!("{project}: {path} is found as {kind}")));
    }
    for (project, path, _) in SUPERFLUOUS {
        assert!(trees[*project].contains_key(*path), "{project}: no {path}");
        if kind(path).is_none() {
            wrong.push(format!("{project}: {path} is not found"));
        }
    }
    let mut compared = 0;
    for file in files_below(&offnav) {
        let inside = file.strip_prefix(&offnav).unwrap().to_str().unwrap();
        let (project, path) = inside.split_once('/').unwrap();
        let Some(tree) = trees.get(project) else { continue };
        if kind(path).is_none() {
            wrong.push(format!("{project}: {path} is not found"));
        }
        let Some(blob) = tree.get(path) else {
            wrong.push(format!("{project}: the tree has no {path}"));
            continue;
        };
        let bytes = std::fs::read(&file).unwrap();
        // The shared copy names other hosts there than the file does.
        if String::from_utf8_lossy(&bytes).contains("-index.example") {
            continue;
        }
        compared += 1;
        if blob_id(&bytes) != *blob {
            wrong.push(format!("{project}: {path} has other bytes than {blob}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 80, "{compared}");
}

/// The table of `docs/discovery.md`, made again or compared.
#[test]
fn the_page_of_patterns_shows_what_they_find_in_real_trees() {
    let Some(trees) = trees() else { return };
    let discovery = discovery();
    let mut found: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for (project, tree) in &trees {
        for path in tree.keys() {
            if let Some(of) = discovery.find(path) {
                found.entry((&of.kind.name, project)).or_default().push(format!("`/{path}`"));
            }
        }
    }
    let mut table = String::from("| kind | project | found |\n|---|---|---|\n");
    for ((kind, project), paths) in found {
        writeln!(table, "| {kind} | {project} | {} |", paths.join(", ")).unwrap();
    }
    for (title, rows) in [("Not found", MISSED), ("Found, and perhaps superfluous", SUPERFLUOUS)] {
        writeln!(table, "\n## {title}\n\n| project | path | why |\n|---|---|---|").unwrap();
        for (project, path, why) in rows {
            writeln!(table, "| {project} | `/{path}` | {why} |").unwrap();
        }
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/discovery.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (head, shown) = text.split_at(text.find("| kind |").unwrap());
    if std::env::var_os("POLC_WRITE_DOCS").is_some() {
        std::fs::write(&page, format!("{head}{table}")).unwrap();
    } else {
        assert_eq!(shown, table, "run POLC_WRITE_DOCS=1 cargo test -p polc-sources the_page_of_patterns");
    }
}

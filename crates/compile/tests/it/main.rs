//! Rendering: what is made, what is left alone, and the runtime that is carried.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails its test")]

mod api;
mod attempts;
mod corpus;
mod escapes;
mod hostile;
mod ways;

use corpus::{Rule, corpus, digest, root, slug};
use polc_compile::files::{parted, read_crate};
use polc_compile::render::{Rendered, crate_name, render, rule_digest};
use polc_compile::runtime::{FILES, locate, seed_lock};
use polc_compile::status::{CheckerStanding, status};
use polc_records::Digest;
use polc_records::ids::RuleId;
use polc_records::layout::Root;
use polc_records::vocabulary::Category;
use polc_testkit::shared::files_below;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

struct Workshop {
    folder: tempfile::TempDir,
    root: Root,
}

impl Workshop {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = root(folder.path());
        Workshop { folder, root }
    }

    fn render(&self, rules: &[Rule<'_>]) -> Rendered {
        render(&self.root, &slug(), &corpus(rules, &slug()), digest()).unwrap()
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("generated/zoo").join(path)
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Writes a checker in the place of a stub, as a person would.
    fn write(&self, path: &str) -> String {
        let stub = self.read(path);
        let written = stub.replace("Declaration::unwritten(", "Declaration::exact(") + "\n// by hand\n";
        std::fs::write(self.path(path), &written).unwrap();
        written
    }

    fn standings(&self, rules: &[Rule<'_>]) -> Vec<(String, CheckerStanding)> {
        let lines = status(&self.root.pack(&slug()), &slug(), &corpus(rules, &slug())).unwrap();
        lines.into_iter().map(|line| (line.rule.to_string(), line.standing)).collect()
    }
}

fn id(number: u32) -> RuleId {
    RuleId::new(&slug(), number)
}

#[test]
fn a_crate_has_a_stub_and_three_case_skeletons_for_every_binding_rule() {
    let workshop = Workshop::new();
    let rules = [
        Rule::new(1, "Sign it."),
        Rule { binds: false, ..Rule::new(2, "Wish it.") },
        Rule {
            category: Category::Documentation,
            ..Rule::new(3, "Keep [this] and <that> but `[a] <b>` short.")
        },
    ];
    let rendered = workshop.render(&rules);
    assert_eq!(rendered, Rendered { stubs: vec![id(1), id(3)], ..Rendered::default() });
    for path in ["Cargo.toml", "src/main.rs", "src/documentation/c003.rs", "cases/documentation/c003.toml"] {
        insta::assert_snapshot!(path.replace('/', "_"), workshop.read(path));
    }
    assert!(!workshop.path("src/git/c002.rs").exists(), "a recommendation has no checker, by design");
    let cases: toml::Table = workshop.read("cases/git/c001.toml").parse().unwrap();
    assert_eq!(cases["case"].as_array().unwrap().len(), 3);
}

#[test]
fn the_crate_of_every_slug_has_a_name_that_cargo_takes() {
    for (slug, name) in
        [("zoo", "checkers-zoo"), ("7zip", "checkers-7zip"), ("a.b-c_d", "checkers-a-dot-b-c_d")]
    {
        assert_eq!(crate_name(&slug.parse().unwrap()), name);
        let folder = tempfile::tempdir().unwrap();
        let manifest = format!("[package]\nname = \"{name}\"\n\n[lib]\npath = \"lib.rs\"\n");
        std::fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
        std::fs::write(folder.path().join("lib.rs"), "").unwrap();
        let mut cargo = std::process::Command::new(env!("CARGO"));
        cargo.current_dir(folder.path()).args(["metadata", "--offline", "--format-version", "1"]);
        let output = cargo.output().unwrap();
        assert!(output.status.success(), "{slug}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn rendering_twice_gives_the_same_bytes() {
    let workshop = Workshop::new();
    let rules = [Rule::new(1, "Sign it."), Rule::new(2, "Seal it.")];
    workshop.render(&rules);
    let before = (workshop.read("src/main.rs"), workshop.read("src/git/c001.rs"));
    workshop.render(&rules);
    assert_eq!((workshop.read("src/main.rs"), workshop.read("src/git/c001.rs")), before);
}

#[test]
fn a_written_checker_is_never_overwritten_and_a_changed_rule_is_flagged() {
    let workshop = Workshop::new();
    workshop.render(&[Rule::new(1, "Sign it."), Rule::new(2, "Seal it.")]);
    let written = workshop.write("src/git/c001.rs");
    std::fs::write(workshop.path("cases/git/c001.toml"), "# by hand\n").unwrap();

    let changed = [Rule::new(1, "Sign it twice."), Rule::new(2, "Seal it twice.")];
    let rendered = workshop.render(&changed);
    assert_eq!(rendered, Rendered { stubs: vec![id(2)], changed: vec![id(1)], ..Rendered::default() });
    assert_eq!(workshop.read("src/git/c001.rs"), written);
    assert_eq!(workshop.read("cases/git/c001.toml"), "# by hand\n");
    assert!(workshop.read("src/git/c002.rs").contains("Seal it twice."), "a stub is brought up to date");
    assert_eq!(
        workshop.standings(&changed),
        [("ZOO-C001".to_owned(), CheckerStanding::Changed), ("ZOO-C002".to_owned(), CheckerStanding::Stub)]
    );

    // With the digest of the rule as it is, it is written for it.
    let pack = workshop.root.pack(&slug());
    let row = corpus(&changed, &slug()).rows.remove(0);
    let now = rule_digest(&pack, &row).unwrap().to_string();
    let old = written.split("\"sha256:").nth(1).unwrap().split('"').next().unwrap();
    std::fs::write(workshop.path("src/git/c001.rs"), written.replace(&format!("sha256:{old}"), &now))
        .unwrap();
    assert_eq!(workshop.render(&changed).written, [id(1)]);
}

#[test]
fn a_checker_without_a_rule_is_put_away_and_a_stub_goes_away() {
    let workshop = Workshop::new();
    workshop.render(&[Rule::new(1, "Sign it."), Rule::new(2, "Seal it."), Rule::new(3, "Send it.")]);
    let written = workshop.write("src/git/c002.rs");
    let left = [Rule::new(1, "Sign it."), Rule { binds: false, ..Rule::new(2, "Seal it.") }];
    let rendered = workshop.render(&left);
    assert_eq!(rendered.orphaned, [id(2)]);
    assert_eq!(workshop.read("orphaned/src/git/c002.rs"), written);
    assert!(workshop.path("orphaned/cases/git/c002.toml").exists());
    assert!(!workshop.path("src/git/c002.rs").exists() && !workshop.path("src/git/c003.rs").exists());
    assert!(!workshop.read("src/main.rs").contains("c002"));
    let standings = workshop.standings(&left);
    assert!(standings.contains(&("ZOO-C002".to_owned(), CheckerStanding::Orphaned)), "{standings:?}");
}

/// Whatever somebody does to a rendered file, it is theirs from then on: for the checker and for the cases.
#[test]
fn a_rendered_file_that_anybody_touched_is_never_rendered_again() {
    let workshop = Workshop::new();
    let touches: [&dyn Fn(&str) -> String; 8] = [
        &|text| text.replace("Sign it.", "Sign it!"),
        &|text| format!("{text}// Declaration::unwritten( unwritten = true\n"),
        &|text| format!("// begun\n{text}"),
        &|text| text.replace('\n', "\r\n"),
        &|text| text.trim_end().to_owned() + " ",
        &|text| text.lines().filter(|line| !line.contains("anew")).map(|line| format!("{line}\n")).collect(),
        &|text| text.replace("the digest sha256:", "the digest sha256:0"),
        &|text| text.repeat(2),
    ];
    for touch in touches {
        for path in ["src/git/c001.rs", "cases/git/c001.toml"] {
            std::fs::remove_dir_all(workshop.path("src")).ok();
            std::fs::remove_dir_all(workshop.path("cases")).ok();
            workshop.render(&[Rule::new(1, "Sign it.")]);
            let touched = touch(&workshop.read(path));
            std::fs::write(workshop.path(path), &touched).unwrap();
            workshop.render(&[Rule::new(1, "Sign it twice.")]);
            assert_eq!(workshop.read(path), touched, "{path}");
        }
    }
}

#[test]
fn only_code_says_whether_a_checker_is_written_and_for_which_text() {
    let workshop = Workshop::new();
    let rules = [Rule::new(1, "Sign it.")];
    workshop.render(&rules);
    let (stub, written) = (workshop.read("src/git/c001.rs"), workshop.write("src/git/c001.rs"));
    let other = Digest::of("another text");
    let beside =
        format!("/* Declaration::unwritten( \"{other}\" */\n// Declaration::unwritten(\"{other}\")\n");
    let text = format!("const NOTE: &str = \"const DECLARATION = Declaration::unwritten({other}\";\n");
    let within = |file: &str| file.replace("::exact(", &format!("::exact( // was ::unwritten(\"{other}\"\n"));
    for file in [
        format!("{beside}{written}"),
        format!("{text}{written}"),
        written
            .replace("Judgement::Satisfied", "Judgement::Violated(\"Declaration::unwritten(\".to_owned())"),
        within(&written),
    ] {
        std::fs::write(workshop.path("src/git/c001.rs"), &file).unwrap();
        assert_eq!(workshop.standings(&rules), [("ZOO-C001".to_owned(), CheckerStanding::Written)], "{file}");
        assert_eq!(workshop.render(&rules).written, [id(1)], "{file}");
        assert_eq!(workshop.read("src/git/c001.rs"), file);
    }
    let begun = format!("// soon Declaration::exact(\n{stub}");
    std::fs::write(workshop.path("src/git/c001.rs"), &begun).unwrap();
    assert_eq!(workshop.standings(&rules), [("ZOO-C001".to_owned(), CheckerStanding::Stub)]);
    assert_eq!(workshop.render(&rules).stubs, [id(1)]);
    let changed = [Rule::new(1, "Sign it twice.")];
    assert_eq!(workshop.standings(&changed), [("ZOO-C001".to_owned(), CheckerStanding::Changed)]);
    assert_eq!(workshop.render(&changed).changed, [id(1)]);
    assert_eq!(workshop.read("src/git/c001.rs"), begun);
}

#[test]
fn no_file_is_moved_over_another_one() {
    let workshop = Workshop::new();
    let rules = [Rule::new(1, "Sign it."), Rule::new(2, "Seal it.")];
    let moves: [(&str, &[Rule<'_>]); 4] = [
        ("orphaned/src/git/c002.rs", &[Rule::new(1, "Sign it.")]),
        ("orphaned/cases/git/c002.toml", &[Rule::new(1, "Sign it.")]),
        ("cases/testing/c002.toml", &[Rule { category: Category::Tests, ..Rule::new(2, "Seal it.") }]),
        ("orphaned/src/git/c001.rs", &[Rule { category: Category::Tests, ..Rule::new(2, "Seal it.") }]),
    ];
    for (in_the_way, left) in moves {
        std::fs::remove_dir_all(workshop.folder.path().join("generated")).ok();
        workshop.render(&rules);
        workshop.write("src/git/c001.rs");
        workshop.write("src/git/c002.rs");
        let path = workshop.path(in_the_way);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "older work\n").unwrap();
        let before = files_of(&workshop);
        let problem =
            render(&workshop.root, &slug(), &corpus(left, &slug()), digest()).unwrap_err().to_string();
        let name = Path::new(in_the_way).file_name().unwrap().to_str().unwrap();
        assert!(problem.contains(in_the_way) && problem.contains(&format!("git/{name}`")), "{problem}");
        assert_eq!(files_of(&workshop), before, "{in_the_way}");
    }
}

/// The files of the crate below its folders, with what they hold.
fn files_of(workshop: &Workshop) -> BTreeMap<PathBuf, String> {
    let mut folders = vec![workshop.path("")];
    let mut files = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.clone(), std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    files
}

#[test]
fn cases_that_were_written_before_their_checker_outlive_its_rule() {
    let workshop = Workshop::new();
    workshop.render(&[Rule::new(1, "Sign it.")]);
    std::fs::write(workshop.path("cases/git/c001.toml"), "# by hand\n").unwrap();
    assert_eq!(workshop.render(&[]).orphaned, [id(1)]);
    assert_eq!(workshop.read("orphaned/cases/git/c001.toml"), "# by hand\n");
}

#[test]
fn a_checker_moves_with_the_category_of_its_rule() {
    let workshop = Workshop::new();
    workshop.render(&[Rule::new(1, "Sign it.")]);
    let written = workshop.write("src/git/c001.rs");
    workshop.render(&[Rule { category: Category::Tests, ..Rule::new(1, "Sign it.") }]);
    assert_eq!(workshop.read("src/testing/c001.rs"), written);
    assert!(workshop.path("cases/testing/c001.toml").exists() && !workshop.path("src/git/c001.rs").exists());
    assert!(workshop.read("src/main.rs").contains("testing::c001::C001"));
}

#[test]
fn a_file_that_is_no_checker_is_named() {
    let workshop = Workshop::new();
    workshop.render(&[Rule::new(1, "Sign it.")]);
    let pack = workshop.root.pack(&slug());
    let fault = |path: &str, text: &str, says: &str| {
        std::fs::write(workshop.path(path), text).unwrap();
        let problem = read_crate(&pack, &slug()).unwrap_err().to_string();
        assert!(problem.contains(path) && problem.contains(says), "{problem}");
        std::fs::remove_file(workshop.path(path)).unwrap();
    };
    fault("src/git/helper.rs", "", "its name is no rule's");
    fault("src/git/c1.rs", "", "its name is no rule's");
    fault("src/git/c007.rs", "fn main() {}", "names no digest");
    std::fs::create_dir_all(workshop.path("src/testing")).unwrap();
    fault("src/testing/c001.rs", &workshop.read("src/git/c001.rs"), "ZOO-C001 has a second file");
}

#[test]
fn the_runtime_that_is_carried_is_the_whole_runtime() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../checker");
    let mut files: Vec<String> = files_below(&home.join("src"))
        .iter()
        .map(|file| file.strip_prefix(&home).unwrap().to_str().unwrap().to_owned())
        .collect();
    files.push("Cargo.toml".to_owned());
    files.sort();
    let carried: Vec<&str> = FILES.iter().map(|(file, _)| *file).collect();
    assert_eq!(carried, files);

    let workshop = Workshop::new();
    assert_eq!(locate(&workshop.root).unwrap(), "../.polc/checker");
    let manifest: toml::Table =
        std::fs::read_to_string(workshop.folder.path().join(".polc/checker/Cargo.toml"))
            .unwrap()
            .parse()
            .unwrap();
    assert!(manifest.contains_key("workspace"), "it stands alone");
    seed_lock(&workshop.root).unwrap();
    let lock = std::fs::read_to_string(workshop.folder.path().join("generated/Cargo.lock")).unwrap();
    assert!(lock.contains("name = \"regex\""));
    std::fs::write(workshop.folder.path().join("generated/Cargo.lock"), "mine").unwrap();
    seed_lock(&workshop.root).unwrap();
    let lock = std::fs::read_to_string(workshop.folder.path().join("generated/Cargo.lock")).unwrap();
    assert_eq!(lock, "mine", "a lock that is there stays");
}

#[test]
fn a_configured_runtime_has_to_be_there() {
    let workshop = Workshop::new();
    let config = workshop.root.config();
    std::fs::write(&config, "schema = 1\n\n[checker]\npath = \"nowhere\"\n").unwrap();
    let problem = locate(&workshop.root).unwrap_err().to_string();
    assert!(problem.contains("`nowhere` holds no polc-checker") && problem.contains("help: "), "{problem}");
}

/// Nothing of what raters see may answer for them whether a checker is exact.
#[test]
fn the_code_of_a_checker_is_shown_without_what_it_says_of_itself() {
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../generated/polc");
    let slug = "polc".parse().unwrap();
    let mut approximate = 0;
    for file in read_crate(&pack, &slug).unwrap() {
        let path = pack.join(file.source());
        let parted = parted(&path, &std::fs::read_to_string(&path).unwrap());
        for word in ["DECLARATION", "polc_checker", "Approximate", "Trace", "Direction", "Layer::"] {
            assert!(!parted.code.contains(word), "{}: {word}\n{}", path.display(), parted.code);
        }
        assert!(parted.code.contains("fn precondition") && parted.code.contains("fn postcondition"));
        assert!(parted.declaration.contains("const DECLARATION") && parted.declaration.contains("Read::"));
        approximate += usize::from(parted.declaration.contains("*Approximate"));
    }
    assert!(approximate > 20, "{approximate}");
}

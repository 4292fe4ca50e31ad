//! Ways around the source of a checker: what cargo reads and finds by itself.

use crate::hostile::{SECRET, built, checker, home, laid_out, put, rendered, run, unconfined};
use polc_compile::purity::findings;
use polc_records::layout::Root;
use std::path::Path;

/// A way, and the file that is found.
struct Way {
    name: &'static str,
    /// Takes it, in the folder of a crate.
    take: fn(&Path),
    found: &'static str,
    /// What comes of it where nobody checks.
    comes: Comes,
}

enum Comes {
    /// The rule with this number says this.
    Says(usize, &'static str),
    /// This file is there after the build, below its workspace.
    Leaves(&'static str),
    /// It is built by another command than ours, or with another cargo alone.
    NotHere,
}

fn append(path: &Path, text: &str) {
    let is = std::fs::read_to_string(path).unwrap_or_default();
    if !is.contains(text) {
        put(path, &(is + text));
    }
}

fn link(to: &Path, from: &Path) {
    std::fs::remove_file(from).ok();
    std::os::unix::fs::symlink(to, from).unwrap();
}

fn judges(pack: &Path, number: usize, judgement: &str) {
    let text = checker("ways", number, "", &format!("Judgement::Violated({judgement}.to_owned())"));
    put(&pack.join(format!("src/git/c{number:03}.rs")), &text);
}

const WAYS: &[Way] = &[
    Way {
        name: "a build script",
        take: |pack| {
            let script = "fn main() { println!(\"cargo:rustc-env=WAY=by a build script\"); std::fs::write(\"../left\", \"\").unwrap(); }\n";
            put(&pack.join("build.rs"), script);
            judges(pack, 1, "env!(\"WAY\")");
        },
        found: "generated/ways/build.rs",
        comes: Comes::Says(1, "by a build script"),
    },
    Way {
        name: "what a build script leaves behind",
        take: |pack| put(&pack.join("build.rs"), "fn main() { std::fs::write(\"left\", \"\").unwrap(); }\n"),
        found: "generated/ways/build.rs",
        comes: Comes::Leaves("left"),
    },
    Way {
        name: "a dependency under another name",
        take: |pack| {
            let manifest = pack.join("Cargo.toml");
            let is = std::fs::read_to_string(&manifest).unwrap();
            let dependency = "[dependencies]\ninnocent = { package = \"helper\", path = \"../helper\" }\n";
            put(&manifest, &is.replace("[dependencies]\n", dependency));
            judges(pack, 2, "innocent::secret()");
        },
        found: "generated/ways/Cargo.toml",
        comes: Comes::Says(2, SECRET),
    },
    Way {
        name: "a library beside the registry",
        take: |pack| {
            let text = format!(
                "pub fn secret() -> String {{ std::fs::read_to_string({:?}).unwrap() }}\n",
                home().join("secret.txt")
            );
            put(&pack.join("src/lib.rs"), &text);
            judges(pack, 3, "checkers_ways::secret()");
        },
        found: "generated/ways/src/lib.rs",
        comes: Comes::Says(3, SECRET),
    },
    Way {
        name: "a second executable",
        take: |pack| put(&pack.join("src/bin/second.rs"), "fn main() {}\n"),
        found: "generated/ways/src/bin",
        comes: Comes::Leaves("target/debug/second"),
    },
    Way {
        name: "a module that only the registry names",
        take: |pack| {
            append(&pack.join("src/main.rs"), "\nmod hidden;\n");
            let text = format!(
                "pub fn secret() -> String {{ std::fs::read_to_string({:?}).unwrap() }}\n",
                home().join("secret.txt")
            );
            put(&pack.join("src/hidden.rs"), &text);
            judges(pack, 4, "crate::hidden::secret()");
        },
        found: "generated/ways/src/main.rs",
        comes: Comes::Says(4, SECRET),
    },
    Way {
        name: "a file that the registry does not name",
        take: |pack| put(&pack.join("src/hidden.rs"), "pub fn secret() -> String { String::new() }\n"),
        found: "generated/ways/src/hidden.rs",
        comes: Comes::NotHere,
    },
    Way {
        name: "a checker that is a link",
        take: |pack| {
            let elsewhere = pack.parent().unwrap().join("elsewhere.rs");
            put(&elsewhere, &checker("ways", 5, "", "Judgement::Violated(\"by a link\".to_owned())"));
            link(&elsewhere, &pack.join("src/git/c005.rs"));
        },
        found: "generated/ways/src/git/c005.rs",
        comes: Comes::Says(5, "by a link"),
    },
    Way {
        name: "cases that are a link",
        take: |pack| link(&home().join("secret.txt"), &pack.join("cases/git/c006.toml")),
        found: "generated/ways/cases/git/c006.toml",
        comes: Comes::Says(6, SECRET),
    },
    Way {
        name: "a variable in the configuration of cargo",
        take: |pack| {
            let root = if pack.starts_with(home()) { home() } else { pack.join("../..") };
            put(
                &root.join(".cargo/config.toml"),
                "[net]\noffline = true\n\n[env]\nPOLC_WAY = \"by the configuration\"\n",
            );
            judges(pack, 7, "env!(\"POLC_WAY\")");
        },
        found: ".cargo/config.toml",
        comes: Comes::Says(7, "by the configuration"),
    },
    Way {
        name: "a profile in which numbers overflow",
        take: |pack| {
            append(&pack.join("../Cargo.toml"), "overflow-checks = false\n");
            judges(
                pack,
                8,
                "(view.pull_request().map_or(0, |request| request.title.len() as u8) + u8::MAX).to_string()",
            );
        },
        found: "generated/Cargo.toml",
        comes: Comes::Says(8, "3"),
    },
    Way {
        name: "configuration within the crate",
        take: |pack| put(&pack.join(".cargo/config.toml"), "[build]\nrustc-wrapper = \"./wrapper\"\n"),
        found: "generated/ways/.cargo/config.toml",
        comes: Comes::NotHere,
    },
    Way {
        name: "another compiler",
        take: |pack| put(&pack.join("rust-toolchain.toml"), "[toolchain]\nchannel = \"nightly\"\n"),
        found: "generated/ways/rust-toolchain.toml",
        comes: Comes::NotHere,
    },
    Way {
        name: "tests of its own",
        take: |pack| put(&pack.join("tests/it.rs"), "#[test]\nfn it() {}\n"),
        found: "generated/ways/tests",
        comes: Comes::NotHere,
    },
    Way {
        name: "a build script under another name",
        take: |pack| append(&pack.join("Cargo.toml"), "\n[package.metadata]\nbuild = \"src/git/c001.rs\"\n"),
        found: "generated/ways/Cargo.toml",
        comes: Comes::NotHere,
    },
    Way {
        name: "a runtime in the place of the runtime",
        take: |pack| {
            append(&pack.join("../Cargo.toml"), "\n[patch.crates-io]\nregex = { path = \"../regex\" }\n")
        },
        found: "generated/Cargo.toml",
        comes: Comes::NotHere,
    },
    Way {
        name: "an attribute of the registry",
        take: |pack| {
            let main = pack.join("src/main.rs");
            let is = std::fs::read_to_string(&main).unwrap();
            put(&main, &is.replace("#![forbid(unsafe_code)]\n", ""));
        },
        found: "generated/ways/src/main.rs",
        comes: Comes::NotHere,
    },
];

const RULES: usize = 8;

/// The crate with every way that can be taken at once.
pub(crate) fn lay_out(home: &Path) {
    let folder = home.join("ways");
    laid_out(&folder, "ways", RULES);
    put(
        &home.join("helper/Cargo.toml"),
        "[package]\nname = \"helper\"\nversion = \"0.0.0\"\nedition = \"2024\"\n",
    );
    let helper = format!(
        "pub fn secret() -> String {{ std::fs::read_to_string({:?}).unwrap() }}\n",
        home.join("secret.txt")
    );
    put(&home.join("helper/src/lib.rs"), &helper);
    for way in WAYS.iter().filter(|way| matches!(way.comes, Comes::Says(..))) {
        (way.take)(&folder);
    }
    put(&folder.join("src/bin/second.rs"), "fn main() {}\n");
    // What the registry includes is what its rule says.
    judges(
        &folder,
        6,
        "crate::ENTRIES.iter().find(|entry| entry.file == \"git/c006\").map_or(\"\", |entry| entry.cases)",
    );
}

#[test]
fn what_cargo_reads_and_finds_by_itself_is_what_polc_renders() {
    for way in WAYS {
        let folder = tempfile::tempdir().unwrap();
        let pack = rendered(folder.path(), "ways", RULES);
        let root = Root::new(folder.path());
        let slug = "ways".parse().unwrap();
        assert_eq!(findings(&root, &slug).unwrap(), [], "{}", way.name);
        (way.take)(&pack);
        let found = findings(&root, &slug).unwrap();
        assert!(found.iter().any(|finding| finding.file == Path::new(way.found)), "{}: {found:#?}", way.name);
    }
}

#[test]
fn without_the_check_every_way_leads_somewhere() {
    let built = built();
    let (rows, printed) = unconfined(&built.executable("checkers-ways"), &run("lion", ""));
    assert_eq!(rows.len(), RULES, "{printed}");
    for way in WAYS {
        match way.comes {
            Comes::Says(rule, says) => {
                let reason =
                    rows[rule - 1].graded.violations.first().map(|violation| violation.reason.as_str());
                assert_eq!(reason, Some(says), "{}", way.name);
            }
            Comes::Leaves(file) => assert!(home().join(file).exists(), "{}", way.name),
            Comes::NotHere => {}
        }
    }
}

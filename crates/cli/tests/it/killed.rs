//! A stage that is killed in the middle of writing leaves the old artifact or the new one, whole.

use crate::polc::{Zoo, polc};
use polc_testkit::shared::files_below;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// Every artifact of a root, by its path.
fn artifacts(zoo: &Zoo) -> BTreeMap<PathBuf, Vec<u8>> {
    ["corpora", "manifests", "generated"]
        .iter()
        .map(|top| zoo.path().join(top))
        .filter(|top| top.is_dir())
        .flat_map(|top| files_below(&top))
        .filter(|file| file.extension().is_none_or(|ending| ending != "polc-tmp"))
        .map(|file| (file.clone(), std::fs::read(&file).unwrap()))
        .collect()
}

/// A page with this many rules.
fn page(rules: usize) -> String {
    let mut page = String::from("# Contributing\n\n");
    for number in 0..rules {
        writeln!(page, "Every file of the part {number} ends with a line that names the part.\n").unwrap();
    }
    page
}

/// Runs a stage with a limit on the size of the files it may write: beyond it the system kills it in the
/// middle of a write. Gives whether it came through.
fn limited(zoo: &Zoo, arguments: &[&str], kibibytes: u32) -> bool {
    let plain = polc(zoo.path(), arguments);
    let mut shell = Command::new("bash");
    shell.current_dir(zoo.path()).arg("-c");
    shell.arg(format!("ulimit -c 0; ulimit -f {kibibytes}; exec \"$0\" \"$@\""));
    shell.arg(plain.get_program()).args(plain.get_args());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.output().unwrap().status.success()
}

#[test]
fn a_stage_that_is_killed_leaves_the_old_artifact_or_the_new_one() {
    let zoo = Zoo::with(&page(3));
    zoo.up_to_stubs();
    zoo.repository.write("CONTRIBUTING.md", page(40));
    zoo.repository.commit("Expect more");
    std::fs::remove_file(zoo.path().join("corpora/zoo/extraction.csv")).unwrap();
    zoo.does(&["pin zoo"]);
    let mut kills = 0;
    for stage in ["fetch", "manifest", "confirm", "extract", "decide", "freeze", "classify", "compile"] {
        let arguments: &[&str] = match stage {
            "confirm" => &["manifest", "confirm", "zoo", "--by", "keeper"],
            "freeze" => &["freeze", "zoo", "--by", "keeper"],
            "compile" => &["compile", "zoo", "--stubs"],
            "decide" => {
                let sheet = zoo.polc(&["decide", "zoo", "--sheet", "-"]).exits(0).out;
                zoo.repository.write("sheet.toml", sheet.replace("= \"\"", "= \"accept\""));
                &["decide", "zoo", "--from", "sheet.toml", "--by", "keeper"]
            }
            stage => &[stage, "zoo"],
        };
        let before = artifacts(&zoo);
        let mut torn = Vec::new();
        let mut limit = 1;
        while !limited(&zoo, arguments, limit) {
            torn.push(artifacts(&zoo));
            limit *= 2;
            assert!(limit < 1 << 20, "{stage} never comes through");
        }
        let after = artifacts(&zoo);
        kills += torn.len();
        for files in torn {
            for (path, bytes) in files {
                let whole = Some(&bytes) == before.get(&path) || Some(&bytes) == after.get(&path);
                // Decisions bear the time they were made at: there, whole means that every line is.
                let decisions = path.ends_with("decisions.jsonl") && bytes.ends_with(b"}\n");
                assert!(whole || decisions, "{stage} left {} in pieces", path.display());
            }
        }
    }
    assert!(kills >= 5, "only {kills} stages were killed in a write");
    let files = ["proposal.jsonl", "ledger.jsonl", "extraction.csv", "facts.jsonl", "rules.csv"];
    let made = files.map(|file| zoo.read(&format!("corpora/zoo/{file}")));
    for file in files {
        std::fs::remove_file(zoo.path().join("corpora/zoo").join(file)).unwrap();
    }
    zoo.does(&["extract zoo", "freeze zoo --by keeper", "classify zoo"]);
    for (file, made) in files.iter().zip(made) {
        assert!(
            zoo.read(&format!("corpora/zoo/{file}")) == made,
            "{file} is not what an undisturbed run gives"
        );
    }
}

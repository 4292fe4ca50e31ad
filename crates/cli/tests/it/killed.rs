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
    zoo.repository.write("CONTRIBUTING.md", page(30));
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

/// A freeze writes three files. Killed after any of them, the next one brings it to its end, and what it
/// leaves is what an undisturbed one leaves.
#[test]
fn a_freeze_that_was_killed_between_its_files_is_brought_to_its_end() {
    let zoo = Zoo::with(&page(3));
    zoo.up_to_stubs();
    let file = |name: &str| zoo.path().join("corpora/zoo").join(name);
    let names = ["extraction.csv", "decisions.jsonl", "ledger.jsonl"];
    let after = names.map(|name| std::fs::read(file(name)).unwrap());
    std::fs::remove_file(file("extraction.csv")).unwrap();
    let decisions = String::from_utf8(after[1].clone()).unwrap();
    let unfrozen: String = decisions
        .lines()
        .filter(|line| !line.starts_with("{\"freeze\""))
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(file("decisions.jsonl"), &unfrozen).unwrap();
    zoo.does(&["extract zoo"]);
    let proposed = std::fs::read(file("ledger.jsonl")).unwrap();
    assert!(proposed != after[2]);
    for written in 0..=names.len() {
        let _gone = std::fs::remove_file(file("extraction.csv"));
        std::fs::write(file("decisions.jsonl"), &unfrozen).unwrap();
        std::fs::write(file("ledger.jsonl"), &proposed).unwrap();
        for (name, bytes) in names.iter().zip(&after).take(written) {
            std::fs::write(file(name), bytes).unwrap();
        }
        zoo.does(&["freeze zoo --by keeper"]);
        assert!(std::fs::read(file(names[0])).unwrap() == after[0], "extraction, killed after {written}");
        assert!(std::fs::read(file(names[2])).unwrap() == after[2], "ledger, killed after {written}");
        let freezes = zoo.read("corpora/zoo/decisions.jsonl").matches("\n{\"freeze\"").count();
        assert_eq!(freezes, 1, "killed after {written}");
    }
}

/// Taking over writes three files, too.
#[test]
fn taking_rows_over_is_brought_to_its_end_after_a_kill_between_its_files() {
    let zoo = Zoo::with(&page(3).replace("# Contributing\n", "# Contributing\n\n## Files\n"));
    zoo.up_to_stubs();
    let two = page(4).replace("# Contributing\n", "# Contributing\n\n## Lines\n");
    zoo.repository.write("CONTRIBUTING.md", format!("{two}\n## Animals\n\nNever commit a walrus.\n"));
    zoo.repository.commit("Expect more");
    zoo.does(&["pin zoo", "fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper"]);
    let names = ["decisions.jsonl", "ledger.jsonl", "proposal.jsonl"];
    let file = |name: &str| zoo.path().join("corpora/zoo").join(name);
    let all = || names.map(|name| std::fs::read(file(name)).unwrap());
    let before = all();
    zoo.does(&["extract zoo --update"]);
    let after = all();
    assert!(before.iter().zip(&after).all(|(before, after)| before != after));
    for written in 1..=names.len() {
        for (index, name) in names.iter().enumerate() {
            std::fs::write(file(name), if index < written { &after[index] } else { &before[index] }).unwrap();
        }
        zoo.does(&["extract zoo --update"]);
        assert!(all() == after, "killed after {written}");
    }
}

/// A rule in the middle that is dropped is retired: the others keep their ids, and so do their checkers.
#[test]
fn a_second_freeze_keeps_the_ids_of_the_rules_that_stay() {
    let zoo = Zoo::with(&page(3));
    zoo.up_to_stubs();
    zoo.repository.write("CONTRIBUTING.md", page(4).replace("part 1 ends", "part one ends"));
    zoo.repository.commit("Spell a number");
    std::fs::remove_file(zoo.path().join("corpora/zoo/extraction.csv")).unwrap();
    zoo.does(&["pin zoo", "fetch zoo", "manifest zoo", "manifest confirm zoo --by keeper", "extract zoo"]);
    let sheet = zoo.polc(&["decide", "zoo", "--sheet", "-"]).exits(0).out;
    zoo.repository.write("sheet.toml", sheet.replace("= \"\"", "= \"accept\""));
    zoo.does(&["decide zoo --from sheet.toml --by keeper", "freeze zoo --by keeper", "classify zoo"]);
    let rules = zoo.read("corpora/zoo/extraction.csv");
    let named: Vec<(&str, &str)> = rules
        .lines()
        .skip(1)
        .map(|line| (&line[..8], line.split("the part ").nth(1).map_or("", |rest| &rest[..3])))
        .collect();
    assert_eq!(
        named,
        [("ZOO-C001", "0 e"), ("ZOO-C003", "2 e"), ("ZOO-C004", "one"), ("ZOO-C005", "3 e")],
        "{rules}"
    );
}

/// The same sentence in two sections and two files: whoever froze once gives the same ids again.
#[test]
fn the_same_sentence_in_two_places_keeps_two_ids() {
    let twice =
        "# A\n\n## X\n\nNever commit a walrus.\n\n## Y\n\nNever commit a walrus. Always feed the lion.\n";
    let zoo = Zoo::with(twice);
    zoo.repository.write("AGENTS.md", "# A\n\n## X\n\nNever commit a walrus.\n");
    zoo.repository.commit("Tell agents too");
    zoo.up_to_stubs();
    let rules = zoo.read("corpora/zoo/extraction.csv");
    assert_eq!(rules.lines().count(), 5);
    for _ in 0..3 {
        std::fs::remove_file(zoo.path().join("corpora/zoo/extraction.csv")).unwrap();
        zoo.does(&["freeze zoo --by keeper"]);
        assert_eq!(zoo.read("corpora/zoo/extraction.csv"), rules);
    }
}

/// Characters that cannot be seen, or turn what can, break neither the sheet nor the crate.
#[test]
fn invisible_characters_are_spelled_out() {
    let zoo = Zoo::that_builds("# A\n\nYou must feed \u{202e} the lion. Never tease \u{1b} the seal.\n");
    zoo.up_to_stubs();
    zoo.polc(&["check", "zoo", "--base", "HEAD", "--allow-stubs"]).exits(0);
    let stubs = files_below(&zoo.path().join("generated/zoo/src"));
    let spelled = stubs.iter().any(|stub| std::fs::read_to_string(stub).unwrap().contains("\\u{202e}"));
    assert!(spelled, "{stubs:?}");
}

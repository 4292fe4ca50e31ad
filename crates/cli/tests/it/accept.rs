//! Checkpoint 3 and what is made after the freeze: each check on a corpus that breaks it, the reader on
//! record, regeneration, waivers, explanations.

use crate::polc::{Zoo, polc};
use polc_records::Digest;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// Rules in scope, out of it for two reasons, and one that is only recommended.
const PAGE: &str = "# Contributing to the zoo\n\n\
    Every file ends with a newline. Never commit a walrus.\n\n\
    Write friendly code. Prefer tabs.\n\n\
    The zoo is old.\n";

fn zoo() -> Zoo {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_stubs();
    zoo
}

/// Words of the project's own make another proposal, of the same rows: it is frozen as that.
#[test]
fn the_same_rows_of_another_proposal_are_another_freeze() {
    let zoo = zoo();
    let project = zoo.read("corpora/zoo/project.toml");
    zoo.repository
        .write("corpora/zoo/project.toml", format!("{project}\n[cues.modal]\nmust = [\"has got to\"]\n"));
    let frozen = zoo.read("corpora/zoo/extraction.csv");
    std::fs::remove_file(zoo.path().join("corpora/zoo/extraction.csv")).unwrap();
    zoo.does(&["extract zoo", "freeze zoo --by keeper", "classify zoo"]);
    assert_eq!(zoo.read("corpora/zoo/extraction.csv"), frozen);
    let freezes = || zoo.read("corpora/zoo/decisions.jsonl").matches("\"freeze\"").count();
    assert_eq!(freezes(), 2);
    let status = zoo.polc(&["status", "zoo"]).exits(0).out;
    assert!(!status.contains("another proposal"), "{status}");
    zoo.does(&["freeze zoo --by keeper"]);
    assert_eq!(freezes(), 2, "the same freeze is recorded once");
}

/// The checks that fail.
fn failing(zoo: &Zoo, code: i32) -> Vec<String> {
    let report = zoo.polc(&["accept", "zoo", "--json"]).exits(code).json();
    let checks = report["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 10);
    assert_eq!(report["accepted"] == true, code == 0);
    let failed = checks.iter().filter(|check| check["result"] == "failed");
    failed.map(|check| check["name"].as_str().unwrap().to_owned()).collect()
}

/// Changes a file of the corpus.
fn edit(zoo: &Zoo, file: &str, from: &str, to: &str) {
    let path = format!("corpora/zoo/{file}");
    let text = zoo.read(&path);
    assert!(text.contains(from), "{file} has no `{from}`:\n{text}");
    zoo.repository.write(&path, text.replacen(from, to, 1));
}

/// Changes a file and every record of its digest.
fn forge(zoo: &Zoo, file: &str, from: &str, to: &str) {
    let path = format!("corpora/zoo/{file}");
    let old = Digest::of(zoo.read(&path)).to_string();
    edit(zoo, file, from, to);
    let new = Digest::of(zoo.read(&path)).to_string();
    for record in ["decisions.jsonl", "facts.jsonl", "ledger.jsonl"] {
        let path = format!("corpora/zoo/{record}");
        zoo.repository.write(&path, zoo.read(&path).replace(&old, &new));
    }
}

#[test]
fn a_sound_corpus_is_accepted_and_its_reader_is_on_record() {
    let zoo = zoo();
    let ran = zoo.polc(&["accept", "zoo"]).exits(0);
    insta::assert_snapshot!("a_sound_corpus", ran.out);
    assert!(zoo.polc(&["status", "zoo"]).out.contains("checkpoint 3  WAITS"), "nobody has read it");
    zoo.does(&["accept zoo --by keeper"]);
    let decisions = zoo.read("corpora/zoo/decisions.jsonl");
    zoo.does(&["accept zoo --by keeper"]);
    assert_eq!(zoo.read("corpora/zoo/decisions.jsonl"), decisions, "the same reader is recorded once");
    let status = zoo.polc(&["status", "zoo"]).exits(0).out;
    assert!(status.contains("accepted, read by keeper"), "{status}");
    zoo.polc(&["accept", "zoo", "--by", " "]).exits(3);
}

/// What breaks a corpus.
type Break<'b> = &'b dyn Fn(&Zoo);

#[test]
fn each_check_fails_on_a_corpus_that_breaks_it() {
    let judged = "Code and quality,must,output,yes,,";
    let breaks: [(&str, Break<'_>); 10] = [
        ("density", &|zoo| {
            let bands =
                include_str!("../../../../rubrics/acceptance.toml").replace("words = 500", "words = 5");
            zoo.repository.write("rubrics/acceptance.toml", bands);
        }),
        ("judgment-out-of-scope", &|zoo| {
            let rules = zoo.read("corpora/zoo/rules.csv");
            let from = if rules.contains(judged) { judged } else { ",must,output,yes,," };
            forge(zoo, "rules.csv", from, &from.replace("output", "judgment"));
        }),
        ("levels-differ", &|zoo| {
            let bands =
                include_str!("../../../../rubrics/acceptance.toml").replace("rules = 25", "rules = 1");
            zoo.repository.write("rubrics/acceptance.toml", bands);
        }),
        ("reasoning-distinct", &|zoo| {
            let rules = zoo.read("corpora/zoo/rules.csv");
            let reasoning = |row: usize| {
                let line = rules.lines().nth(row).unwrap();
                line[line.find("Context: ").unwrap()..]
                    .split(" | Also")
                    .next()
                    .unwrap()
                    .trim_end_matches('"')
                    .to_owned()
            };
            forge(zoo, "rules.csv", &reasoning(2), &reasoning(1));
        }),
        ("not-observable-apart", &|zoo| forge(zoo, "rules.csv", ",no,N2 subjective,", ",no,not checkable,")),
        ("schema", &|zoo| forge(zoo, "rules.csv", ",yes,,", ",perhaps,,")),
        ("quotes-grounded", &|zoo| {
            forge(zoo, "extraction.csv", "Never commit a walrus.", "Never commit any walrus.");
            forge(zoo, "rules.csv", "Never commit a walrus.", "Never commit any walrus.");
        }),
        ("digests-match", &|zoo| edit(zoo, "rules.csv", "Prefer tabs", "Prefer spaces")),
        ("ledger-complete", &|zoo| {
            let ledger = zoo.read("corpora/zoo/ledger.jsonl");
            let old = ledger.lines().find(|line| line.contains("The zoo is old")).unwrap();
            edit(zoo, "ledger.jsonl", &format!("{old}\n"), "");
        }),
        ("ids-contiguous", &|zoo| forge(zoo, "rules.csv", "ZOO-C004", "ZOO-C009")),
    ];
    for (check, breaks) in breaks {
        let zoo = zoo();
        assert_eq!(failing(&zoo, 0), Vec::<String>::new());
        breaks(&zoo);
        let failed = failing(&zoo, 1);
        assert!(failed.iter().any(|name| name == check), "{check}: {failed:?}");
        let human = zoo.polc(&["accept", "zoo", "--by", "keeper"]).exits(1);
        assert!(human.out.contains("FAILED") && human.err.contains("not accepted"), "{check}: {human:#?}");
        assert!(!zoo.read("corpora/zoo/decisions.jsonl").contains("{\"accept\""), "{check} is not recorded");
    }
}

#[test]
fn a_freeze_refuses_a_number_of_rows_that_is_not_plausible() {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_manifest();
    zoo.does(&["extract zoo"]);
    zoo.accept_all();
    let bands = include_str!("../../../../rubrics/acceptance.toml").replace("words = 500", "words = 5");
    zoo.repository.write("rubrics/acceptance.toml", bands);
    let refused = zoo.polc(&["freeze", "zoo", "--by", "keeper"]).exits(4).err;
    assert!(
        refused.contains("plausible are 3 to 40") && refused.contains("rubrics/acceptance.toml"),
        "{refused}"
    );
}

/// Every file of the zoo that a stage makes after the freeze.
fn made(zoo: &Zoo) -> Vec<(PathBuf, Vec<u8>)> {
    let folders = ["corpora/zoo", "generated/zoo"].map(|folder| zoo.path().join(folder));
    let files = folders.iter().flat_map(|folder| polc_testkit::shared::files_below(folder));
    files
        .filter(|file| !file.ends_with("decisions.jsonl"))
        .map(|file| (file.clone(), std::fs::read(&file).unwrap()))
        .collect()
}

#[test]
fn regenerate_makes_the_same_bytes_and_check_shows_every_difference() {
    let zoo = Zoo::that_builds(PAGE);
    zoo.up_to_stubs();
    zoo.does(&["regenerate zoo"]);
    let before = made(&zoo);
    let names: BTreeSet<String> =
        before.iter().filter_map(|(file, _)| Some(file.file_name()?.to_str()?.to_owned())).collect();
    for name in
        ["CONTRIBUTING_RULES.md", "run-log.md", "acceptance.md", "rules.csv", "facts.jsonl", "main.rs"]
    {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    zoo.does(&["regenerate zoo", "regenerate zoo --check"]);
    assert!(made(&zoo) == before, "the same freeze gives the same bytes");

    let status = zoo.polc(&["status", "zoo"]).exits(0).out;
    assert!(status.contains("rules file    done"), "{status}");

    for (file, bytes) in &before {
        let shown = file.strip_prefix(zoo.path()).unwrap().display().to_string();
        let derived = !shown.ends_with("project.toml") && !shown.ends_with("proposal.jsonl");
        let frozen = shown.ends_with("extraction.csv") || shown.ends_with("ledger.jsonl");
        // A stub that somebody changed is somebody's work.
        if !derived
            || frozen
            || shown.contains("/cases/")
            || shown.contains("/src/") && !shown.ends_with("main.rs")
        {
            continue;
        }
        let mut edited = bytes.clone();
        let at = edited
            .windows(4)
            .position(|window| window == b"rule" || window == b"poli" || window == b"Rule")
            .unwrap_or(0);
        edited.splice(at..at, *b"edited ");
        std::fs::write(file, edited).unwrap();
        let ran = zoo.polc(&["regenerate", "zoo", "--check"]);
        assert_eq!(ran.code, Some(1), "{shown} was edited: {ran:#?}");
        assert!(ran.out.contains(&shown), "{shown} is not named: {ran:#?}");
        std::fs::write(file, bytes).unwrap();
    }
    zoo.does(&["regenerate zoo --check"]);
    let log = format!("{}\nThe lion was asleep.\n", zoo.read("corpora/zoo/run-log.md").trim_end());
    zoo.repository.write("corpora/zoo/run-log.md", &log);
    zoo.does(&["regenerate zoo --check"]);
    zoo.repository.write("corpora/zoo/run-log.md", log.replace('\n', "\r\n"));
    zoo.does(&["regenerate zoo"]);
    assert_eq!(zoo.read("corpora/zoo/run-log.md"), log, "what a person wrote is kept, by whatever editor");
    zoo.repository.write("corpora/zoo/run-log.md", log.replace("What the procedure", "What it"));
    assert!(zoo.polc(&["accept", "zoo"]).exits(2).err.contains("the heading"), "nothing is lost in silence");
    std::fs::write(zoo.path().join("corpora/zoo/facts.jsonl"), "junk\n").unwrap();
    zoo.repository.write("corpora/zoo/run-log.md", log);
    zoo.does(&["regenerate zoo", "regenerate zoo --check"]);
}

/// Whatever the moment at which it is killed: no file is half of anything, and the next run ends what
/// was begun.
#[test]
fn a_regeneration_that_is_killed_leaves_no_half_artifact() {
    let zoo = Zoo::that_builds(PAGE);
    zoo.up_to_stubs();
    zoo.does(&["regenerate zoo"]);
    let sound = made(&zoo);
    let started = Instant::now();
    zoo.does(&["regenerate zoo"]);
    let whole = started.elapsed();
    for moment in 0..100_u32 {
        for name in ["CONTRIBUTING_RULES.md", "acceptance.md", "rules.csv", "facts.jsonl"] {
            let path = zoo.path().join("corpora/zoo").join(name);
            if moment % 2 == 0 {
                std::fs::remove_file(path).unwrap()
            }
        }
        killed_after(&zoo, whole.mul_f64(f64::from(moment * 37 % 100) / 100.0));
        for (file, bytes) in made(&zoo) {
            let unfinished = file.extension().is_some_and(|ending| ending == "polc-tmp");
            let same = sound.iter().any(|(known, whole)| *known == file && *whole == bytes);
            assert!(unfinished || same, "killed at moment {moment}: {} is in pieces", file.display());
        }
        if moment % 2 == 0 {
            zoo.does(&["classify zoo", "rules-file zoo"]);
            zoo.polc(&["accept", "zoo"]);
        }
    }
    zoo.does(&["regenerate zoo", "regenerate zoo --check"]);
}

/// Regenerates, and is killed after a while, or done before.
fn killed_after(zoo: &Zoo, after: Duration) {
    let plain = polc(zoo.path(), &["regenerate", "zoo"]);
    let mut timed = Command::new("timeout");
    timed.current_dir(zoo.path()).args(["--signal=KILL", &format!("{:.3}", after.as_secs_f64().max(0.001))]);
    timed.arg(plain.get_program()).args(plain.get_args());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => timed.env(name, value),
            None => timed.env_remove(name),
        };
    }
    timed.output().unwrap();
}

#[test]
fn a_waived_rule_fails_nothing_until_its_day_is_over() {
    let zoo = zoo();
    let waive = |rule: &str, reason: &str, until: &str| {
        zoo.polc(&["waive", rule, "--reason", reason, "--until", until])
    };
    assert!(waive("ZOO-C003", "why not", "2999-01-01").exits(3).err.contains("does not bind"));
    assert!(waive("ZOO-C001", "why not", "2001-01-01").exits(3).err.contains("is over"));
    assert!(waive("FARM-C001", "why not", "2999-01-01").exits(3).err.contains("known are: ZOO"));
    waive("ZOO-C001", " ", "2999-01-01").exits(3);
    waive("ZOO-C001", "why not", "soon").exits(3);
    waive("ZOO-C001", "the files are being moved", "2999-01-01").exits(0);
    waive("ZOO-C001", "the files are still being moved", "2999-02-01").exits(0);
    insta::assert_snapshot!("waivers", zoo.read("corpora/zoo/waivers.toml"));
    let explained = zoo.polc(&["explain", "ZOO-C001"]).exits(0).out;
    assert!(explained.contains("until 2999-02-01: the files are still being moved"), "{explained}");
}

#[test]
fn explain_tells_what_is_known_of_a_rule() {
    let zoo = zoo();
    let told = zoo.polc(&["explain", "ZOO-C002"]).exits(0).out;
    let commit = zoo.repository.git(&["rev-parse", "HEAD"]);
    let timeless = |line: &str| match line.rsplit_once(", ") {
        Some((event, _)) if line.starts_with("  history") => format!("{event}, TIME"),
        _ => line.replace(commit.trim(), "COMMIT"),
    };
    insta::assert_snapshot!("explained", told.lines().map(timeless).collect::<Vec<_>>().join("\n"));
    let json = zoo.polc(&["explain", "ZOO-C002", "--json"]).exits(0).json();
    assert_eq!((json["rule"].as_str(), json["checker"].as_str().is_some()), (Some("ZOO-C002"), true));
    assert!(zoo.polc(&["explain", "ZOO-C009"]).exits(3).err.contains("ZOO-C009 was never given"));
}

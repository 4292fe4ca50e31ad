//! A reviewer with a spreadsheet alone: out, edited, in again.

use crate::polc::Zoo;
use polc_testkit::spreadsheet::typed;

const PAGE: &str = "# Contributing to the zoo\n\nEvery file ends with a newline.\n\n\
    Run `make test` before you commit.\n";

/// Classified, with its workbook.
fn zoo() -> Zoo {
    let zoo = Zoo::with(PAGE);
    zoo.up_to_stubs();
    zoo.does(&["workbook zoo"]);
    zoo
}

const WORKBOOK: &str = "corpora/zoo/rules.xlsx";

fn workbook(zoo: &Zoo) -> Vec<u8> {
    std::fs::read(zoo.path().join(WORKBOOK)).unwrap()
}

/// What the corpus is made of and comes to.
fn files(zoo: &Zoo) -> [String; 3] {
    ["decisions.jsonl", "facts.jsonl", "rules.csv"].map(|file| zoo.read(&format!("corpora/zoo/{file}")))
}

const READ: [&str; 6] = ["workbook", "zoo", "--from", "mine.xlsx", "--by", "keeper"];

#[test]
fn an_edit_comes_in_once_and_outlives_the_next_classification() {
    let zoo = zoo();
    assert!(zoo.read("corpora/zoo/rules.csv").contains(",output,yes,,"));
    zoo.repository.write("mine.xlsx", typed(&workbook(&zoo), "H2", "differential"));
    let told = zoo.polc(&READ).exits(0).err;
    assert!(told.contains("labels of 1 rule changed (by workbook)"), "{told}");
    let made = files(&zoo);
    assert!(made[2].contains(",differential,yes,,"), "{}", made[2]);
    assert!(made[0].lines().last().unwrap().contains(r#""evidence":{"from":"output","to":"differential"}"#));
    zoo.does(&["classify zoo", "compile zoo --stubs"]);
    assert_eq!(files(&zoo), made);
    let status = zoo.polc(&["--json", "status", "zoo"]).exits(0).out;
    assert!(!status.contains("stale"), "{status}");
    let told = zoo.polc(&READ).exits(0).err;
    assert!(told.contains("labels of 0 rules changed"), "{told}");
    assert_eq!(files(&zoo), made, "reading it again changes nothing");
    let fresh = workbook(&zoo);
    zoo.does(&["workbook zoo"]);
    assert_eq!(workbook(&zoo), fresh, "the workbook was written with the edit");
}

#[test]
fn two_reviewers_who_disagree_are_shown_to_each_other() {
    let zoo = zoo();
    let base = workbook(&zoo);
    zoo.repository.write("mine.xlsx", typed(&base, "H2", "differential"));
    zoo.polc(&READ).exits(0);
    let made = files(&zoo);
    zoo.repository.write("mine.xlsx", typed(&typed(&base, "H2", "trajectory"), "F3", "Code and quality"));
    let said = zoo.polc(&READ).exits(2).err;
    for part in [
        "ZOO-C001: `Evidence Type`",
        "output",
        "trajectory",
        "differential",
        "`Category`: ZOO-C002",
        "nothing of the workbook was recorded",
    ] {
        assert!(said.contains(part), "`{part}` is not in {said}");
    }
    assert_eq!(files(&zoo), made);
}

#[test]
fn edits_that_were_not_read_are_not_overwritten() {
    let zoo = zoo();
    for edited in [typed(&workbook(&zoo), "H2", "differential"), b"no workbook".to_vec()] {
        zoo.repository.write(WORKBOOK, &edited);
        let said = zoo.polc(&["workbook", "zoo"]).exits(4).err;
        assert!(said.contains("may have edits that were not read"), "{said}");
        assert_eq!(workbook(&zoo), edited);
    }
}

#[test]
fn labels_that_were_recorded_and_not_written_are_noticed() {
    let zoo = zoo();
    let [_, facts, rules] = files(&zoo);
    zoo.repository.write("mine.xlsx", typed(&workbook(&zoo), "H2", "differential"));
    zoo.polc(&READ).exits(0);
    let made = files(&zoo);
    zoo.repository.write("corpora/zoo/facts.jsonl", facts);
    zoo.repository.write("corpora/zoo/rules.csv", rules);
    let said = zoo.polc(&["compile", "zoo", "--stubs"]).exits(4).err;
    assert!(said.contains("labels were changed") && said.contains("polc classify zoo"), "{said}");
    assert!(zoo.polc(&["status", "zoo"]).exits(0).out.contains("before labels were changed"));
    zoo.polc(&READ).exits(0);
    assert_eq!(files(&zoo), made);
}

#[test]
fn a_label_that_the_tables_decide_otherwise_now_is_decided_again() {
    for keep in [true, false] {
        let zoo = zoo();
        assert!(zoo.read("corpora/zoo/rules.csv").contains("no,N1 not observable"));
        zoo.repository.write("mine.xlsx", typed(&workbook(&zoo), "J3", "N4 trigger"));
        zoo.polc(&READ).exits(0);
        let made = files(&zoo);
        let project = zoo.read("corpora/zoo/project.toml");
        zoo.repository.write("corpora/zoo/project.toml", project.replace("pull-request", "patch"));
        let said = zoo.polc(&["classify", "zoo"]).exits(4).err;
        for part in [
            "ZOO-C002: `scope and level`",
            "N1 not observable",
            "N4 trigger",
            "in scope, must by",
            "polc workbook zoo",
        ] {
            assert!(said.contains(part), "`{part}` is not in {said}");
        }
        assert_eq!(files(&zoo), made);
        let said = zoo.polc(&READ).exits(2).err;
        assert!(said.contains("corpus now    in scope"), "what was read before is no new decision: {said}");
        let told = zoo.polc(&["workbook", "zoo"]).exits(0).err;
        assert!(told.contains("to decide again: ZOO-C002"), "{told}");
        let edited = if keep { workbook(&zoo) } else { typed(&workbook(&zoo), "H3", "output") };
        zoo.repository.write("mine.xlsx", edited);
        zoo.polc(&READ).exits(0);
        zoo.does(&["classify zoo"]);
        assert!(!zoo.read("corpora/zoo/rules.csv").contains("N4 trigger"));
    }
}

#[test]
fn labels_that_were_imported_stay_as_they_were_released() {
    let released = zoo().read("corpora/zoo/rules.csv");
    let zoo = Zoo::with(PAGE);
    zoo.repository.write("released.csv", &released);
    zoo.does(&["import released.csv --by keeper --repository zoo/zoo"]);
    let told = zoo.polc(&["workbook", "zoo"]).exits(0).err;
    assert!(told.contains("edits in it cannot come back"), "{told}");
    zoo.repository.write("mine.xlsx", typed(&workbook(&zoo), "H2", "differential"));
    let said = zoo.polc(&READ).exits(4).err;
    assert!(said.contains("stay as they were released"), "{said}");
    assert_eq!(zoo.read("corpora/zoo/rules.csv"), released);
}

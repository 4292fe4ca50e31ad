//! Three versions of a row: as it was written, as it was edited, as the corpus has it.

use super::{came_back, corpus, path, sample, written};
use crate::round_trips::{reasoning, verdict, words};
use polc_records::corpus::{Corpus, CorpusRow, OutOfScope, Verdict};
use polc_records::decisions::{Change, Relabel};
use polc_records::vocabulary::EvidenceType;
use polc_records::workbook::{EditedRow, merge};
use polc_testkit::spreadsheet::typed;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// A row with some of its labels given by other values: few, so that two edits often agree.
fn edited(row: CorpusRow) -> impl Strategy<Value = CorpusRow> {
    let evidence = vec![EvidenceType::Output, EvidenceType::Differential, EvidenceType::Trajectory];
    let text = || option::of(option::of(select(vec!["a".to_owned(), "b".to_owned()])));
    (option::of(select(evidence)), option::of(verdict()), option::of(reasoning()), text(), text()).prop_map(
        move |(evidence, verdict, reasoning, auto_fix, low_confidence)| {
            let mut row = row.clone();
            row.evidence = evidence.unwrap_or(row.evidence);
            row.verdict = verdict.unwrap_or(row.verdict);
            row.reasoning = reasoning.unwrap_or(row.reasoning);
            row.auto_fix = auto_fix.unwrap_or(row.auto_fix);
            row.low_confidence = low_confidence.unwrap_or(row.low_confidence);
            row
        },
    )
}

/// Three versions of every row of a corpus.
fn versions() -> impl Strategy<Value = Vec<[CorpusRow; 3]>> {
    let three = |row: CorpusRow| (Just(row.clone()), edited(row.clone()), edited(row));
    corpus().prop_flat_map(move |corpus| {
        corpus
            .rows
            .into_iter()
            .map(three)
            .collect::<Vec<_>>()
            .prop_map(|rows| rows.into_iter().map(|(base, theirs, ours)| [base, theirs, ours]).collect())
    })
}

fn merged(rows: &[[CorpusRow; 3]], at: [usize; 3]) -> Result<Corpus, String> {
    let [base, theirs, ours] = at;
    let edited: Vec<EditedRow> =
        rows.iter().map(|row| EditedRow { base: row[base].clone(), theirs: row[theirs].clone() }).collect();
    let mut corpus = Corpus { rows: rows.iter().map(|row| row[ours].clone()).collect() };
    let changes = merge(path(), &edited, &corpus).map_err(|faults| faults.to_string())?;
    for (rule, changes) in changes {
        assert!(!changes.is_empty());
        let row = corpus.rows.iter_mut().find(|row| row.id == rule).unwrap();
        changes.iter().for_each(|change| change.apply(row));
    }
    Ok(corpus)
}

fn version(rows: &[[CorpusRow; 3]], at: usize) -> Corpus {
    Corpus { rows: rows.iter().map(|row| row[at].clone()).collect() }
}

const BASE: usize = 0;
const THEIRS: usize = 1;
const OURS: usize = 2;

proptest! {
    #[test]
    fn without_an_edit_the_corpus_stands(rows in versions()) {
        prop_assert_eq!(merged(&rows, [BASE, BASE, OURS]), Ok(version(&rows, OURS)));
    }

    #[test]
    fn an_edit_of_a_corpus_that_stood_still_is_taken_over_whole(rows in versions()) {
        prop_assert_eq!(merged(&rows, [BASE, THEIRS, BASE]), Ok(version(&rows, THEIRS)));
    }

    #[test]
    fn what_was_taken_over_already_changes_nothing(rows in versions()) {
        prop_assert_eq!(merged(&rows, [BASE, THEIRS, THEIRS]), Ok(version(&rows, THEIRS)));
    }

    #[test]
    fn it_does_not_matter_who_edited_what(rows in versions()) {
        let one = merged(&rows, [BASE, THEIRS, OURS]);
        let other = merged(&rows, [BASE, OURS, THEIRS]);
        prop_assert_eq!(one.clone().ok(), other.ok());
        let clash = rows.iter().any(|[base, theirs, ours]| {
            let (theirs, ours) = (Relabel::between(base, theirs), Relabel::between(base, ours));
            theirs.iter().any(|edit| ours.iter().any(|other| other.label() == edit.label() && other != edit))
        });
        prop_assert_eq!(one.is_err(), clash, "{:?}", one);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_edit_in_a_cell_is_that_edit(notes in (words(), words())) {
        let mut row = sample().rows.remove(0);
        row.reasoning.context = notes.0.replace('\r', "\n");
        row.low_confidence = Some(notes.1.replace('\r', "\n"));
        let corpus = sample();
        let rows = came_back(&typed(&written(&corpus), "K2", &row.notes())).unwrap();
        prop_assert_eq!(&rows[0].theirs, &row);
        let expected = Relabel::between(&corpus.rows[0], &row);
        prop_assert_eq!(merge(path(), &rows, &corpus).unwrap(), vec![(row.id, expected)]);
    }
}

#[test]
fn a_conflict_shows_the_three_values_and_every_one_is_told() {
    let base = sample();
    let mut bytes = written(&base);
    bytes = typed(&typed(&bytes, "H2", "differential"), "H3", "trajectory");
    let mut ours = base.clone();
    ours.rows[0].evidence = EvidenceType::Trajectory;
    ours.rows[1].evidence = EvidenceType::Differential;
    let said = merge(path(), &came_back(&bytes).unwrap(), &ours).unwrap_err().to_string();
    for part in [
        "ZOO-C001: `Evidence Type`",
        "written with  output",
        "here now      differential",
        "corpus now    trajectory",
        "ZOO-C002",
    ] {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
}

#[test]
fn what_was_frozen_is_not_edited() {
    let bytes = written(&sample());
    for (cell, name, text) in [
        ("B2", "Source", "https://zoo.example/else | Feeding"),
        ("C2", "Original text", "Feed them."),
        ("D2", "Atomic rule", "Feed them."),
        ("E2", "Applies to", "code"),
        ("F2", "Category", "Tests and test style"),
        ("K2", "Modal", "Route: M1 | Modal: should | Quote: \"Feed\" | Context: none | Conclusion: C001"),
        (
            "K2",
            "Trigger",
            "Route: M1 | Modal: must | Quote: \"Feed\" | Context: none | Conclusion: C001 | Trigger: x",
        ),
        (
            "K2",
            "Remark",
            "Route: M1 | Modal: must | Quote: \"Feed\" | Context: none | Conclusion: C001 | Remark: ",
        ),
    ] {
        let rows = came_back(&typed(&bytes, cell, text)).unwrap();
        let said = merge(path(), &rows, &sample()).unwrap_err().to_string();
        let name = format!("`{name}`: ZOO-C001: it was frozen");
        assert!(said.contains(&name) && said.contains("decided before the freeze"), "{said}");
    }
}

#[test]
fn an_edit_of_a_rule_that_is_another_now_is_refused() {
    let bytes = typed(&written(&sample()), "H3", "differential");
    let rows = came_back(&bytes).unwrap();
    let mut ours = sample();
    ours.rows[0].rule = "Feed nobody.".to_owned();
    assert!(merge(path(), &rows, &ours).is_ok(), "another row than the edited one");
    ours.rows[1].rule = "Feed nobody.".to_owned();
    assert!(merge(path(), &rows, &ours).unwrap_err().to_string().contains("another text of it"));
    ours.rows.remove(1);
    assert!(merge(path(), &rows, &ours).unwrap_err().to_string().contains("no such rule"));
}

#[test]
fn a_rule_is_put_out_of_scope_by_its_labels() {
    let notes = "Modal: must | Quote: \"Feed\" | Context: none | Conclusion: C001";
    let mut bytes = written(&sample());
    for (cell, text) in [("G2", ""), ("I2", "no"), ("J2", "N4 trigger"), ("K2", notes)] {
        bytes = typed(&bytes, cell, text);
    }
    let rows = came_back(&bytes).unwrap();
    let (from, to) =
        (sample().rows[0].verdict.clone(), Verdict::OutOfScope { route: OutOfScope::Trigger, also: vec![] });
    let id = sample().rows[0].id.clone();
    let expected = vec![(id, vec![Relabel::Verdict(Change { from, to })])];
    assert_eq!(merge(path(), &rows, &sample()).unwrap(), expected);
}

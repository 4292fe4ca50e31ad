//! Labels that people changed: they hold where the tables decide what they were changed from.

use crate::classifying::classify;
use polc_extraction::classify::relabel::relabel;
use polc_records::corpus::{Corpus, CorpusRow, Verdict};
use polc_records::decisions::{DecidedBy, Decision, Decisions, Relabel};
use polc_records::vocabulary::{EvidenceType, LevelRoute};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::LazyLock;

fn row() -> CorpusRow {
    static ROW: LazyLock<CorpusRow> = LazyLock::new(|| {
        classify("patch", "# Rules\n\nEvery file must end with a newline.\n").rows.remove(0)
    });
    ROW.clone()
}

/// The row with labels of which each has two values: a few changes lead back to where they began.
fn labelled() -> impl Strategy<Value = CorpusRow> {
    let evidence = select(vec![EvidenceType::Output, EvidenceType::Trajectory]);
    let route = select(vec![LevelRoute::M1, LevelRoute::D1]);
    let text = select(vec![None, Some("a".to_owned())]);
    (evidence, route, text.clone(), text).prop_map(|(evidence, route, auto_fix, low_confidence)| CorpusRow {
        evidence,
        verdict: Verdict::InScope { route, also: Vec::new() },
        auto_fix,
        low_confidence,
        ..row()
    })
}

/// A person changed the labels from row to row.
fn decisions(rows: &[CorpusRow]) -> Decisions {
    let steps = rows.windows(2).map(|step| Decision::Relabel {
        rule: step[0].id.clone(),
        changes: Relabel::between(&step[0], &step[1]),
        by: "keeper".to_owned(),
        decided_by: DecidedBy::Workbook,
        at: "2026-01-02T03:04:05Z".to_owned(),
    });
    Decisions { project: "zoo".parse().unwrap(), all: steps.collect() }
}

fn relabelled(decided: &CorpusRow, decisions: &Decisions) -> (CorpusRow, Vec<&'static str>) {
    let mut corpus = Corpus { rows: vec![decided.clone()] };
    let unsettled = relabel(&mut corpus, decisions);
    (corpus.rows.remove(0), unsettled.iter().map(|unsettled| unsettled.change.label()).collect())
}

proptest! {
    #[test]
    fn changes_hold_one_after_the_other(rows in vec(labelled(), 1..6)) {
        let decisions = decisions(&rows);
        let last = rows.last().unwrap();
        prop_assert_eq!(relabelled(&rows[0], &decisions), (last.clone(), vec![]));
        prop_assert_eq!(relabelled(last, &decisions), (last.clone(), vec![]), "doing it again changes nothing");
    }

    #[test]
    fn where_the_tables_decide_otherwise_nothing_is_changed_and_a_person_is_asked(rows in vec(labelled(), 2..5)) {
        let mut decided = rows[0].clone();
        decided.evidence = EvidenceType::Differential;
        decided.auto_fix = Some("b".to_owned());
        let decisions = decisions(&rows);
        let (row, open) = relabelled(&decided, &decisions);
        prop_assert_eq!(row.evidence, EvidenceType::Differential);
        prop_assert_eq!(&row.auto_fix, &decided.auto_fix);
        let changed = |label: &str| decisions.relabels(&decided.id).any(|change| change.label() == label);
        let asked: Vec<&str> = ["Evidence Type", "Auto-fix"].into_iter().filter(|label| changed(label)).collect();
        prop_assert_eq!(open.len(), asked.len());
        prop_assert!(asked.iter().all(|label| open.contains(label)));
        prop_assert_eq!(&row.verdict, &rows.last().unwrap().verdict, "the other labels hold");
    }

    #[test]
    fn what_is_decided_again_is_settled(rows in vec(labelled(), 2..5), kept in any::<bool>()) {
        let mut decided = rows[0].clone();
        decided.evidence = EvidenceType::Differential;
        let mut decisions = decisions(&rows);
        let mut corpus = Corpus { rows: vec![decided.clone()] };
        for unsettled in relabel(&mut corpus, &decisions) {
            let mut to = corpus.rows[0].clone();
            to.evidence = EvidenceType::Output;
            let change = if kept { vec![unsettled.decided] } else { Relabel::between(&corpus.rows[0], &to) };
            decisions.all.push(Decision::Relabel {
                rule: unsettled.rule,
                changes: change,
                by: "keeper".to_owned(),
                decided_by: DecidedBy::Workbook,
                at: String::new(),
            });
        }
        prop_assert_eq!(relabelled(&decided, &decisions).1, Vec::<&str>::new());
    }
}

//! Checkpoint 2: the sheet, its faults, and what the freeze refuses.

use crate::extracting::{cues, source};
use polc_extraction::ExtractionError;
use polc_extraction::baseline::extract::{Extracted, extract};
use polc_extraction::documents::ReadSource;
use polc_extraction::freeze::freeze;
use polc_extraction::review::{Decider, Sheet, read_sheet, render};
use polc_records::decisions::{Decision, Decisions};
use polc_records::ids::Slug;
use polc_records::manifest::Source;
use polc_records::store::parse_toml;
use polc_text::{Document, Format};
use std::path::Path;

const PAGE: &str = "# Zoo\n\nIf you feed a lion, wash your hands first and write its name down.\n\n\
    Every cage has a label. The zoo is old.\n";

/// A page, read and extracted.
struct Desk {
    slug: Slug,
    source: Source,
}

impl Desk {
    fn new() -> Self {
        Desk { slug: "zoo".parse().unwrap(), source: source("CONTRIBUTING.md", "contributing", PAGE) }
    }

    fn sources(&self) -> Vec<ReadSource<'_>> {
        let document = Document::derive(PAGE.as_bytes(), Format::of_path("CONTRIBUTING.md")).unwrap();
        vec![ReadSource { source: &self.source, document }]
    }

    fn extracted(&self) -> Extracted {
        extract(&cues(), &self.sources()).unwrap()
    }

    fn no_decisions(&self) -> Decisions {
        Decisions { project: self.slug.clone(), all: Vec::new() }
    }

    fn read(&self, sheet: &str) -> Result<Vec<Decision>, Vec<String>> {
        let sheet: Sheet = parse_toml(Path::new("sheet.toml"), sheet).unwrap();
        let decider = Decider { by: "keeper".to_owned(), at: "2026-01-02T03:04:05Z".to_owned() };
        match read_sheet(&self.slug, &sheet, &self.sources(), &self.extracted().rows, &decider) {
            Ok(decisions) => Ok(decisions),
            Err(ExtractionError::Sheet(faults)) => Err(faults),
            Err(other) => panic!("{other}"),
        }
    }

    /// What the freeze refuses, for these decisions.
    fn refused(&self, decisions: Vec<Decision>) -> Vec<String> {
        let extracted = self.extracted();
        let decisions = Decisions { project: self.slug.clone(), all: decisions };
        match freeze(&self.slug, &self.sources(), &extracted.rows, &extracted.ledger, &decisions) {
            Ok(_) => Vec::new(),
            Err(ExtractionError::Gate { faults, .. }) => faults,
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn a_sheet_shows_each_row_beside_its_sentence() {
    let desk = Desk::new();
    let sheet = render(&desk.slug, &desk.sources(), &desk.extracted().rows, &desk.no_decisions(), false);
    insta::assert_snapshot!(sheet);
    assert_eq!(desk.read(&sheet), Ok(Vec::new()), "a sheet that nobody filled in decides nothing");
}

#[test]
fn a_sheet_shows_only_what_waits_unless_all_is_asked_for() {
    let desk = Desk::new();
    let rows = desk.extracted().rows;
    let sheet = |decisions: &Decisions, all| {
        render(&desk.slug, &desk.sources(), &rows, decisions, all).matches("[[row]]").count()
    };
    let first = rows[0].digest;
    let mut decisions = desk.no_decisions();
    decisions.all = desk
        .read(&format!("schema = 1\nproject = \"zoo\"\n[[row]]\ndigest = \"{first}\"\ndecision = \"accept\"\nacknowledged = true\n"))
        .unwrap();
    assert_eq!((sheet(&decisions, false), sheet(&decisions, true)), (rows.len() - 1, rows.len()));
}

/// A sheet with one decision on the last row, as it is written there.
fn on_the_last(desk: &Desk, decision: &str) -> String {
    let digest = desk.extracted().rows.last().unwrap().digest;
    format!("schema = 1\nproject = \"zoo\"\n[[row]]\ndigest = \"{digest}\"\n{decision}\n")
}

#[test]
fn a_faulty_sheet_says_what_is_wrong_with_each_row_and_records_nothing() {
    let desk = Desk::new();
    let fault = |sheet: &str, says: &str| {
        let faults = desk.read(sheet).unwrap_err();
        assert!(faults.len() == 1 && faults[0].contains(says), "{says}: {faults:?}");
    };
    let last = |decision: &str| on_the_last(&desk, decision);
    fault(&last("decision = \"perhaps\""), "`perhaps` is no decision");
    fault(&last("decision = \"amend\""), "[row.amend]");
    fault(&last("decision = \"split\""), "[[row.split]]");
    fault(&last("decision = \"drop\""), "reason");
    fault(&last("decision = \"merge\""), "into");
    let quote = "decision = \"amend\"\n[row.amend]\nquote = \"Every cage must have a label.\"";
    fault(&last(quote), "nearest passage, in `Zoo`: Every cage [-must have-]{+has+} a label.");
    fault(
        &last("decision = \"accept\"").replace("\"zoo\"", "\"farm\""),
        "the sheet is for the project `farm`",
    );
    let stranger = last("decision = \"accept\"")
        .replace(&desk.extracted().rows.last().unwrap().digest.hex(), &"0".repeat(64));
    fault(&stranger, "is not in the proposal: make a new sheet");
    let both = format!(
        "{}\n[[add]]\nsource = \"X.md\"\nsection = []\nquote = \"x\"\nrule = \"X.\"\nmodal = \"must\"\napplies_to = [\"code\"]\ncategory = \"Code and quality\"\n",
        last("decision = \"perhaps\"")
    );
    assert_eq!(desk.read(&both).unwrap_err().len(), 2, "every fault is told at once");
}

#[test]
fn a_quote_that_begins_mid_sentence_is_taken_from_whoever_read_what_stands_before_it() {
    let desk = Desk::new();
    let row = desk.extracted().rows.remove(1);
    let sheet = |acknowledged: &str| {
        format!(
            "schema = 1\nproject = \"zoo\"\n[[row]]\ndigest = \"{}\"\ndecision = \"amend\"\n{acknowledged}[row.amend]\n\
             quote = \"write its name down.\"\n",
            row.digest
        )
    };
    let before = "If you feed a lion, wash your hands first and";
    let faults = desk.read(&sheet("")).unwrap_err();
    assert!(faults[0].contains("begins mid-sentence") && faults[0].contains(before), "{faults:?}");
    let made = desk.read(&sheet("acknowledged = true\n")).unwrap();
    let Decision::Row { acknowledged: Some(clause), .. } = &made[0] else { panic!("{made:?}") };
    assert_eq!(clause, before);
}

#[test]
fn a_word_outside_a_vocabulary_is_refused_where_it_stands() {
    let desk = Desk::new();
    let sheet = on_the_last(&desk, "decision = \"drop\"\nreason = \"boredom\"");
    let problem = parse_toml::<Sheet>(Path::new("sheet.toml"), &sheet).unwrap_err().to_string();
    assert!(
        problem.starts_with("sheet.toml:6:10: `boredom` is no ledger reason; allowed: description"),
        "{problem}"
    );
}

#[test]
fn a_freeze_needs_a_decision_on_every_row_and_merges_that_stand() {
    let desk = Desk::new();
    let rows = desk.extracted().rows;
    assert_eq!(desk.refused(Vec::new()).len(), rows.len(), "one fault per undecided row");
    let accept: String = rows
        .iter()
        .map(|row| {
            format!("[[row]]\ndigest = \"{}\"\ndecision = \"accept\"\nacknowledged = true\n", row.digest)
        })
        .collect();
    let all = desk.read(&format!("schema = 1\nproject = \"zoo\"\n{accept}")).unwrap();
    assert_eq!(desk.refused(all.clone()), Vec::<String>::new());

    let (first, last) = (rows[0].digest, rows.last().unwrap().digest);
    let merged =
        desk.read(&on_the_last(&desk, &format!("decision = \"merge\"\ninto = \"{first}\""))).unwrap();
    let dropped = format!(
        "schema = 1\nproject = \"zoo\"\n[[row]]\ndigest = \"{first}\"\ndecision = \"drop\"\nreason = \"history\"\n"
    );
    let decisions = [all, merged, desk.read(&dropped).unwrap()].concat();
    let faults = desk.refused(decisions);
    let expected = format!("row {} is merged into {}, which does not stand", last.short(), first.short());
    assert!(faults.contains(&expected), "{faults:?}");
}

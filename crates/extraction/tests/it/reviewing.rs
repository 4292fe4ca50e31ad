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
        let none = self.no_decisions();
        match read_sheet(&self.slug, &sheet, &self.sources(), &self.extracted().rows, &none, &decider) {
            Ok(decisions) => Ok(decisions),
            Err(ExtractionError::Sheet(faults)) => Err(faults),
            Err(other) => panic!("{other}"),
        }
    }

    /// What the freeze refuses, for these decisions.
    fn refused(&self, decisions: Vec<Decision>) -> Vec<String> {
        let extracted = self.extracted();
        let decisions = Decisions { project: self.slug.clone(), all: decisions };
        let sources = self.sources();
        let frozen = freeze(&self.slug, &sources, &extracted.rows, &decisions);
        match frozen.and_then(|frozen| frozen.ledger(&extracted.ledger)) {
            Ok(_) => Vec::new(),
            Err(ExtractionError::Gate { faults, .. }) => faults,
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn a_sheet_shows_each_row_beside_its_sentence() {
    let desk = Desk::new();
    let sheet = render(&desk.slug, &desk.sources(), &desk.extracted().rows, &desk.no_decisions(), &[], false)
        .unwrap();
    insta::assert_snapshot!(sheet);
    assert_eq!(desk.read(&sheet), Ok(Vec::new()), "a sheet that nobody filled in decides nothing");
}

#[test]
fn a_sheet_shows_only_what_waits_unless_all_is_asked_for() {
    let desk = Desk::new();
    let rows = desk.extracted().rows;
    let sheet = |decisions: &Decisions, all| {
        render(&desk.slug, &desk.sources(), &rows, decisions, &[], all).unwrap().matches("[[row]]").count()
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
    fault(&last("decision = \"accept\"\nreason = \"history\""), "`reason` does not go with `accept`");
    fault(&last("decision = \"\"\nreason = \"history\""), "`reason` is given, but `decision` is empty");
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
    let Decision::Row { acknowledged, .. } = &made[0] else { panic!("{made:?}") };
    assert_eq!(acknowledged, &[before]);
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

/// The ids and rules that a freeze gives for decisions.
fn frozen(desk: &Desk, decisions: &Decisions) -> Vec<(String, String)> {
    let (sources, rows) = (desk.sources(), desk.extracted().rows);
    let frozen = freeze(&desk.slug, &sources, &rows, decisions).unwrap();
    frozen.extraction().rows.iter().map(|row| (row.id.to_string(), row.rule.clone())).collect()
}

fn ids(frozen: &[(String, String)]) -> Vec<&str> {
    frozen.iter().map(|(id, _)| id.as_str()).collect()
}

const CAGE: &str = "[[add]]\nsource = \"CONTRIBUTING.md\"\nsection = [\"Zoo\"]\nquote = \"has a label.\"\n\
    rule = \"Label the cage.\"\nmodal = \"must\"\napplies_to = [\"docs\"]\ncategory = \"Code and quality\"\n";

#[test]
fn ids_are_never_given_twice_and_a_row_that_stays_keeps_its_own() {
    let desk = Desk::new();
    let rows = desk.extracted().rows;
    let mut decisions = desk.no_decisions();
    let sheet = |row: &str| format!("schema = 1\nproject = \"zoo\"\n{row}");
    let on = |digest: &polc_records::Digest, decision: &str| {
        format!("[[row]]\ndigest = \"{digest}\"\ndecision = \"{decision}\"\n")
    };
    for row in &rows {
        decisions
            .all
            .extend(desk.read(&sheet(&(on(&row.digest, "accept") + "acknowledged = true\n"))).unwrap());
    }
    let first = frozen(&desk, &decisions);
    assert_eq!(ids(&first), ["ZOO-C001", "ZOO-C002", "ZOO-C003"]);

    let record = |decisions: &mut Decisions| {
        let (sources, rows) = (desk.sources(), desk.extracted().rows);
        let frozen = freeze(&desk.slug, &sources, &rows, decisions).unwrap();
        let ids = frozen.ids();
        let digest = rows[0].digest;
        let (by, at) = ("keeper".to_owned(), "2026-01-02T03:04:05Z".to_owned());
        decisions.all.push(Decision::Freeze { proposal: digest, extraction: digest, ids, by, at });
    };
    record(&mut decisions);
    let dropped = on(&rows[0].digest, "drop") + "reason = \"history\"\n";
    decisions.all.extend(desk.read(&sheet(&dropped)).unwrap());
    decisions.all.extend(desk.read(&sheet(&(CAGE.to_owned() + "acknowledged = true\n"))).unwrap());
    let second = frozen(&desk, &decisions);
    assert_eq!(
        ids(&second),
        ["ZOO-C002", "ZOO-C003", "ZOO-C004"],
        "the first is retired, the new one is new"
    );
    assert_eq!(second[..2], first[1..], "whoever stays keeps the id");

    record(&mut decisions);
    decisions
        .all
        .extend(desk.read(&sheet(&(on(&rows[0].digest, "accept") + "acknowledged = true\n"))).unwrap());
    assert_eq!(ids(&frozen(&desk, &decisions)), ["ZOO-C001", "ZOO-C002", "ZOO-C003", "ZOO-C004"]);
}

#[test]
fn an_added_rule_is_acknowledged_added_once_and_taken_back() {
    let desk = Desk::new();
    let sheet = |text: &str| format!("schema = 1\nproject = \"zoo\"\n{text}");
    let faults = desk.read(&sheet(CAGE)).unwrap_err();
    assert!(faults[0].contains("begins mid-sentence") && faults[0].contains("Every cage"), "{faults:?}");

    let acknowledged = sheet(&(CAGE.to_owned() + "acknowledged = true\n"));
    let mut decisions = desk.no_decisions();
    let decider = Decider { by: "keeper".to_owned(), at: "2026-01-02T03:04:05Z".to_owned() };
    let read = |text: &str, decisions: &Decisions| {
        let sheet: Sheet = parse_toml(Path::new("sheet.toml"), text).unwrap();
        read_sheet(&desk.slug, &sheet, &desk.sources(), &desk.extracted().rows, decisions, &decider).unwrap()
    };
    for _ in 0..2 {
        let made = read(&acknowledged, &decisions);
        decisions.all.extend(made);
        assert_eq!(decisions.all.len(), 1, "the same sheet, read twice, adds one rule");
    }
    let digest = decisions.added().unwrap()[0].digest;
    assert!(
        render(&desk.slug, &desk.sources(), &[], &decisions, &[], true)
            .unwrap()
            .contains(&digest.to_string())
    );
    let back = format!("[[row]]\ndigest = \"{digest}\"\ndecision = \"drop\"\nreason = \"history\"\n");
    for text in [&sheet(&back), &acknowledged, &sheet(&back)] {
        let made = read(text, &decisions);
        assert_eq!(made.len(), 1, "{text}");
        decisions.all.extend(made);
    }
    assert_eq!(decisions.added().unwrap(), []);
}

/// Chains of merges end at the row that stands, whatever the order of the digests; circles are refused.
#[test]
fn merges_are_followed_to_their_end() {
    let desk = Desk::new();
    let rows = desk.extracted().rows;
    let digests: Vec<_> = rows.iter().map(|row| row.digest).collect();
    let merge = |from: usize, into: usize| {
        format!(
            "[[row]]\ndigest = \"{}\"\ndecision = \"merge\"\ninto = \"{}\"\n",
            digests[from], digests[into]
        )
    };
    let accept = |row: usize| {
        format!("[[row]]\ndigest = \"{}\"\ndecision = \"accept\"\nacknowledged = true\n", digests[row])
    };
    let refused =
        |rows: &str| desk.refused(desk.read(&format!("schema = 1\nproject = \"zoo\"\n{rows}")).unwrap());
    for [a, b, c] in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        assert_eq!(refused(&(merge(a, b) + &merge(b, c) + &accept(c))), Vec::<String>::new());
        let faults = refused(&(merge(a, b) + &merge(b, a) + &accept(c)));
        assert!(faults.iter().all(|fault| fault.ends_with("in a circle")) && faults.len() == 2, "{faults:?}");
    }
}

/// What a person wrote into the files is proven too: a quote of the proposal, a quote of the context.
#[test]
fn a_freeze_proves_every_quote() {
    let desk = Desk::new();
    let mut rows = desk.extracted().rows;
    let sheet: String = rows
        .iter()
        .map(|row| {
            format!("[[row]]\ndigest = \"{}\"\ndecision = \"accept\"\nacknowledged = true\n", row.digest)
        })
        .collect();
    let all = desk.read(&format!("schema = 1\nproject = \"zoo\"\n{sheet}")).unwrap();
    let decisions = Decisions { project: desk.slug.clone(), all };
    let sources = desk.sources();
    let refused =
        |rows: &[polc_records::proposal::ProposedRow]| match freeze(&desk.slug, &sources, rows, &decisions) {
            Err(ExtractionError::Gate { faults, .. }) => faults,
            other => panic!("{:?}", other.is_ok()),
        };
    let whole = rows.clone();
    rows[2].row.quote = "Every cage has a lion.".to_owned();
    assert!(
        refused(&rows)[0].contains("nearest passage, in `Zoo`: Every cage has a [-lion.-]{+label.+}"),
        "{:?}",
        refused(&rows)
    );
    rows.clone_from(&whole);
    rows[2].row.context = vec![polc_records::proposal::ContextQuote {
        kind: polc_records::vocabulary::ContextKind::Exception,
        quote: "The zoo is young.".to_owned(),
    }];
    assert!(refused(&rows)[0].contains("The zoo is [-young.-]{+old.+}"), "{:?}", refused(&rows));
}

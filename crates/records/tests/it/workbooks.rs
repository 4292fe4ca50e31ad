//! The workbook: what it is given comes back, whatever a spreadsheet program did to it, and edits merge.

mod counting;
mod merging;
mod reading;

use crate::round_trips::{corpus_row, numbered};
use polc_records::corpus::{Corpus, CorpusRow};
use polc_records::ids::Slug;
use polc_records::workbook::{EditedRow, Faults, merge, read, write};
use polc_testkit::shared;
use polc_testkit::spreadsheet::{LibreOffice, part, times};

use proptest::collection::vec;
use proptest::prelude::*;
use std::path::Path;

fn path() -> &'static Path {
    Path::new("rules.xlsx")
}

fn zoo() -> Slug {
    "zoo".parse().unwrap()
}

fn written(corpus: &Corpus) -> Vec<u8> {
    write(path(), &zoo(), corpus).unwrap()
}

fn came_back(bytes: &[u8]) -> Result<Vec<EditedRow>, Faults> {
    read(path(), &zoo(), bytes)
}

/// What people write into cells, and what programs trip over there.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z0-9 |\\\\\"',:;=+@<>&.\n\r\t\u{e9}\u{201c}\u{a0}\u{85}\u{2028}\u{1f9ad}\u{feff}-]{1,12}",
        1 => proptest::sample::select(vec![
            "=1+1", "'quoted'", "-0.02", "+1", "@maintainer", "\t=1", "_x000D_", "_x0041_", "_x005F_", "_x000D",
            "_", "x000D_", "_xD83D_", "\r", "\r\n", "<r>", "</r>", "<r><t>x</t></r>", "&amp;", "]]>", "TRUE",
            "007", "3-4-12", "MARCH1", "1e5", "#N/A", " ", "\n",
        ]).prop_map(str::to_owned),
    ];
    vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

/// Rows with such texts in every field that holds a text.
pub(crate) fn corpus() -> impl Strategy<Value = Corpus> {
    let row = (corpus_row(), nasty(), nasty(), nasty(), nasty(), nasty()).prop_map(
        |(mut row, original, rule, context, trigger, remark)| {
            row.original = original;
            row.rule = rule;
            row.reasoning.context = context;
            row.trigger = row.trigger.map(|_| trigger);
            row.remark = row.remark.map(|_| remark);
            row
        },
    );
    vec(row, 0..4).prop_map(|rows| Corpus { rows: numbered(&zoo(), rows, |row, id| row.id = id) })
}

fn unedited(corpus: &Corpus) -> Vec<EditedRow> {
    corpus.rows.iter().map(|row| EditedRow { base: row.clone(), theirs: row.clone() }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_corpus_comes_back_as_it_was(corpus in corpus()) {
        let bytes = written(&corpus);
        prop_assert_eq!(&bytes, &written(&corpus), "the same corpus gives the same bytes");
        let rows = came_back(&bytes).map_err(|faults| TestCaseError::fail(faults.to_string()))?;
        prop_assert_eq!(&rows, &unedited(&corpus));
        prop_assert_eq!(merge(path(), &rows, &corpus).unwrap(), vec![]);
    }
}

/// A corpus of one row whose restatement is a text.
pub(crate) fn with_rule(rule: &str) -> Corpus {
    let mut corpus = sample();
    corpus.rows.truncate(1);
    rule.clone_into(&mut corpus.rows[0].rule);
    corpus
}

/// Three rows: must, should and out of scope.
pub(crate) fn sample() -> Corpus {
    let header = "ID,Source,Original text,Atomic rule,Applies to,Category,Requirement level,Evidence Type,\
                  In scope,Out-of-scope route,Notes";
    let row = |id: &str, labels: &str, route: &str| {
        format!(
            "ZOO-{id},https://zoo.example/{id} | Feeding,\"Feed {id}, please.\",Feed {id}.,\"code,docs\",\
             Code and quality,{labels},\"{route}Modal: must | Quote: \"\"Feed\"\" | Context: none | \
             Conclusion: {id}\""
        )
    };
    let rows = [
        row("C001", "must,output,yes,", "Route: M1 | "),
        row("C002", "should,output,yes,", "Route: D1 | "),
        row("C004", ",trajectory,no,N1 not observable", ""),
    ];
    let text = format!("{header}\n{}\n", rows.join("\n"));
    Corpus::parse(Path::new("rules.csv"), &zoo(), &text).unwrap()
}

#[test]
fn no_guard_is_put_before_what_looks_like_a_formula() {
    let Some(case) = shared::case("tb1") else { return };
    for (cell, after) in case["input"]["cells"]
        .as_array()
        .unwrap()
        .iter()
        .zip(case["expected"]["after_write_then_read"].as_array().unwrap())
    {
        let corpus = with_rule(cell.as_str().unwrap());
        let bytes = written(&corpus);
        assert_eq!(came_back(&bytes).unwrap()[0].theirs.rule, after.as_str().unwrap());
        assert!(!part(&bytes, "xl/worksheets/sheet1.xml").contains("<f>"), "a text is no formula");
    }
}

#[test]
fn a_cell_is_never_cut() {
    let Some(case) = shared::case("tb4") else { return };
    let expected = &case["expected"];
    let cells = case["input"]["cells"].as_array().unwrap();
    for (index, cell) in cells.iter().enumerate() {
        let count = usize::try_from(cell["n"].as_u64().unwrap()).unwrap();
        let text = cell["repeat"].as_str().unwrap().repeat(count);
        assert_eq!(text.encode_utf16().count() as u64, expected["utf16_units"][index].as_u64().unwrap());
        let corpus = with_rule(&text);
        if expected["fits_by_utf16"][index].as_bool().unwrap() {
            assert_eq!(came_back(&written(&corpus)).unwrap(), unedited(&corpus), "{index}");
        } else {
            let said = write(path(), &zoo(), &corpus).unwrap_err().to_string();
            for part in ["rules.xlsx", "`Atomic rule`", "row ZOO-C001", "32768 UTF-16 units", "32767"] {
                assert!(said.contains(part), "{said}");
            }
        }
    }
}

#[test]
fn texts_of_every_length_near_the_limit_fit_or_are_refused() {
    for piece in ["a", "\u{1f9ad}", "_x0041_", "\n", "\r\n", "\"", "\\", "\u{e9}", "<"] {
        let shown = if piece == "\r\n" { 1 } else { piece.encode_utf16().count() };
        for count in 32_767 / shown - 1..=32_767 / shown + 1 {
            let corpus = with_rule(&piece.repeat(count));
            match write(path(), &zoo(), &corpus) {
                Ok(bytes) => {
                    assert!(shown * count <= 32_767, "{piece:?} {count}");
                    assert_eq!(came_back(&bytes).unwrap(), unedited(&corpus), "{piece:?} {count}");
                }
                Err(_) => assert!(shown * count > 32_767, "{piece:?} {count}"),
            }
        }
    }
}

#[test]
fn what_xml_cannot_hold_is_refused_with_row_and_column() {
    for c in ['\0', '\u{1}', '\u{b}', '\u{c}', '\u{1f}', '\u{fffe}', '\u{ffff}'] {
        let said = write(path(), &zoo(), &with_rule(&format!("a{c}b"))).unwrap_err().to_string();
        let name = format!("U+{:04X}", u32::from(c));
        assert!(["`Atomic rule`", "row ZOO-C001", &name].iter().all(|part| said.contains(part)), "{said}");
    }
}

#[test]
fn no_clock_reaches_the_file() {
    let bytes = written(&sample());
    let times = times(&bytes);
    assert!(times.len() > 8 && times.iter().all(|time| time.starts_with("1980-01-01")), "{times:?}");
    let core = part(&bytes, "docProps/core.xml");
    assert!(core.matches("2000-01-01T00:00:00Z").count() == 2, "{core}");
}

#[test]
fn the_sheets_are_made_for_a_reader() {
    let bytes = written(&sample());
    let workbook = part(&bytes, "xl/workbook.xml");
    for name in [
        "name=\"Rules\"",
        "name=\"Category Aggregation\"",
        "name=\"polc\" sheetId=\"3\" state=\"veryHidden\"",
    ] {
        assert!(workbook.contains(name), "{workbook}");
    }
    let rules = part(&bytes, "xl/worksheets/sheet1.xml");
    assert!(rules.contains("state=\"frozen\"") && rules.contains("<autoFilter ref=\"A1:K4\"/>"), "{rules}");
    let styles = part(&bytes, "xl/styles.xml");
    assert!(styles.contains("numFmtId=\"49\"") && styles.contains("wrapText=\"1\""), "{styles}");
}

#[test]
fn a_spreadsheet_program_may_open_and_save_it() {
    let Some(program) = LibreOffice::found() else { return };
    let mut corpus = sample();
    for text in
        ["=1+1", "'quoted'", "-0.02", "\t=1 ", "007", "3-4-12", "MARCH1", "TRUE", "#N/A", "a\r\nb\rc\n\nd"]
    {
        corpus.rows.extend(with_rule(text).rows);
    }
    for text in [
        "_x000D_",
        "_x0041__x0042_",
        "a_x005F_b",
        "_x000D\r",
        " x\u{a0}",
        "\u{1f9ad}\u{e9}",
        "<r><t>x</t></r>",
        "&lt;",
    ] {
        corpus.rows.extend(with_rule(text).rows);
    }
    corpus.rows.extend(with_rule(&"a".repeat(32_767)).rows);
    corpus.rows.extend(with_rule(&"\"\u{1f9ad}\n".repeat(8_000)).rows);
    corpus.rows = numbered(&zoo(), corpus.rows, |row: &mut CorpusRow, id| row.id = id);
    let saved = program.open_and_save(&written(&corpus));
    let rows = came_back(&saved).unwrap();
    assert_eq!(rows.len(), corpus.rows.len());
    for EditedRow { base, theirs } in &rows {
        assert_eq!(base.rule, theirs.rule);
    }
    assert_eq!(rows, unedited(&corpus));
    assert_eq!(merge(path(), &rows, &corpus).unwrap(), vec![]);
}

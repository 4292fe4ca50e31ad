//! Released files: the typed rows and the record of an import give the file back.

use polc_records::Digest;
use polc_records::corpus::{Corpus, OutOfScope, Verdict};
use polc_records::extraction::{Extraction, SectionContext};
use polc_records::import::{Contents, Import, Imported, LineEnd, Quoting};
use polc_records::import::{Dialect, FileFormat};
use polc_records::store::{parse_toml, render_toml};
use polc_records::table::Encoding;
use polc_records::vocabulary::{EvidenceType, Form, LevelRoute, ModalLevel, OddityKind, ScopeRoute};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::path::Path;

const OLD: &str =
    "ID,Source,Original text,Atomic rule,Naive strength,Applies to,Shared Category,Section context,Notes";

fn read(text: &str) -> Result<Imported, String> {
    Imported::read(Path::new("zoo.csv"), text.as_bytes(), None).map_err(|problem| problem.to_string())
}

/// What comes back after every file that an import writes was written and read again.
fn rebuilt(imported: &Imported) -> (Vec<Vec<String>>, Option<Vec<u8>>) {
    let path = Path::new("somewhere");
    let text = imported.extraction.render(path).unwrap();
    let extraction = Extraction::parse(path, &imported.slug, &text).unwrap();
    assert_eq!(extraction, imported.extraction);
    let corpus = imported.corpus.as_ref().map(|corpus| {
        let text = corpus.render(path).unwrap();
        assert_eq!(imported.record.contents, Contents::Corpus { rules: Digest::of(&text) });
        Corpus::parse(path, &imported.slug, &text).unwrap()
    });
    assert_eq!(corpus, imported.corpus);
    let record: Import = parse_toml(path, &render_toml(path, &imported.record).unwrap()).unwrap();
    assert_eq!(record, imported.record);
    (
        record.table(path, &extraction, corpus.as_ref()).unwrap(),
        record.rebuild(path, &extraction, corpus.as_ref()).unwrap(),
    )
}

fn odd(imported: &Imported) -> Vec<(OddityKind, String, &str)> {
    let odd = imported.oddities.iter();
    odd.map(|oddity| (oddity.kind, oddity.rule.to_string(), oddity.what.as_str())).collect()
}

#[test]
fn old_names_and_free_prose_become_typed_and_what_is_odd_is_told() {
    let text = format!(
        "{OLD}\r\n\
         ZOO-C001,https://zoo/guide | Animals | Food,Feed the lion / feed the seal.,Feed the lion.,must,\
         \"docs,code\",Code and quality,none,Trigger: a lion is there. It often is.\r\n\
         ZOO-C002,https://zoo/guide | Animals,- [ ] Close ... the gate,Close the gate.,maybe,workflow,\
         tests and test style,\"It says \"\"gate\"\".\n\nTwice.\",Applies only if a gate is open. See ZOO-C001.\r\n\
         ZOO-C004,https://zoo/guide | Animals,- [ ] Close ... the gate,Lock the gate.,prohibited,PR,\
         Tests and test style,Here.,\r\n"
    );
    let imported = read(&text).unwrap();
    assert_eq!(imported.slug.as_str(), "zoo");
    let rows = &imported.extraction.rows;
    assert_eq!(rows[1].modal, ModalLevel::Should);
    assert_eq!(rows[1].notes.form, Form::Checklist);
    assert_eq!(rows[0].notes.form, Form::Unstated);
    assert_eq!(rows[0].notes.trigger.as_deref(), Some("a lion is there"));
    assert_eq!(rows[1].notes.trigger.as_deref(), Some("Applies only if a gate is open"));
    assert_eq!(rows[0].notes.remark.as_deref(), Some("Trigger: a lion is there. It often is."));
    assert_eq!(rows[0].context, SectionContext::Prose("none".to_owned()));
    assert_eq!(rows[0].source.section.0, ["Animals", "Food"]);
    assert_eq!(
        odd(&imported),
        [
            (OddityKind::Joined, "ZOO-C001".to_owned(), "`/` in the quote"),
            (OddityKind::Elided, "ZOO-C002".to_owned(), "`...` in the quote"),
            (OddityKind::Elided, "ZOO-C004".to_owned(), "`...` in the quote"),
            (OddityKind::Reused, "ZOO-C002".to_owned(), "also ZOO-C004"),
            (OddityKind::Reused, "ZOO-C004".to_owned(), "also ZOO-C002"),
            (OddityKind::LiteralNone, "ZOO-C001".to_owned(), "Section context"),
            (OddityKind::Blank, "ZOO-C004".to_owned(), "Notes"),
            (OddityKind::Respelled, "ZOO-C001".to_owned(), "Applies to"),
            (OddityKind::Respelled, "ZOO-C002".to_owned(), "Category"),
            (OddityKind::Gap, "ZOO-C004".to_owned(), "number 3 was expected"),
        ]
    );
    let FileFormat::Csv(Dialect { line_end, quoting, .. }) = imported.record.format else { panic!() };
    assert_eq!((line_end, quoting), (LineEnd::Crlf, Quoting::Minimal));
    assert_eq!(imported.record.records, []);
    assert_eq!(rebuilt(&imported).1.unwrap(), text.as_bytes());
}

const LABELS: &str = "ID,Source,Original text,Atomic rule,Applies to,Shared Category,Strength,CheckTier,Care,\
                      NotCareReason,Notes";

#[test]
fn an_old_corpus_keeps_its_labels_and_says_what_it_does_not_state() {
    let text = format!(
        "{LABELS}\n\
         ZOO-C001,https://zoo | A,Feed it.,Feed it.,docs,Code and quality,must,static,true,,\
         Route: M4 | Modal: maybe | Quote: \"Feed\" | Context: None. | Conclusion: Must. | Seen by nobody.\n\
         ZOO-C002,https://zoo | A,Never pet it.,Do not pet it.,docs,Code and quality,maybe,trajectory,yes,,A guess.\n\
         ZOO-C003,https://zoo | A,Be kind.,Be kind.,docs,Code and quality,,judgment,no,N1,\n\
         ZOO-C004,https://zoo | A,Feed it!,Feed it.,docs,Code and quality,,static,no,Duplicate of ZOO-C001,\n"
    );
    let imported = read(&text).unwrap();
    let rows = &imported.corpus.as_ref().unwrap().rows;
    assert_eq!(rows[0].verdict, Verdict::InScope { route: LevelRoute::M4, also: Vec::new() });
    assert_eq!((rows[0].evidence, rows[0].modal), (EvidenceType::Output, ModalLevel::Should));
    assert_eq!(rows[0].remark.as_deref(), Some("Seen by nobody."));
    assert_eq!(rows[1].verdict, Verdict::InScope { route: LevelRoute::D1, also: Vec::new() });
    assert_eq!(rows[1].remark.as_deref(), Some("A guess."));
    assert_eq!(
        rows[2].verdict,
        Verdict::OutOfScope { route: OutOfScope::NotObservable, also: vec![ScopeRoute::N2] }
    );
    let governing = "ZOO-C001".parse().unwrap();
    assert_eq!(
        rows[3].verdict,
        Verdict::OutOfScope { route: OutOfScope::Duplicate(governing), also: Vec::new() }
    );
    let unstated = |kind| odd(&imported).into_iter().filter(|(of, ..)| *of == kind).count();
    assert_eq!(unstated(OddityKind::ModalUnstated), 3);
    assert_eq!(unstated(OddityKind::RouteUnstated), 2);
    assert_eq!(unstated(OddityKind::ReasoningUnstated), 3);
    assert_eq!(rebuilt(&imported).1.unwrap(), text.as_bytes());
}

#[test]
fn what_polc_wrote_itself_is_read_as_it_was() {
    let old =
        format!("{OLD}\nZOO-C001,https://zoo | A,Feed it.,Feed.,must,docs,Code and quality,Here.,A | \\ b\n");
    let first = read(&old).unwrap();
    let text = first.extraction.render(Path::new("extraction.csv")).unwrap();
    let second = read(&text).unwrap();
    assert_eq!(second.extraction, first.extraction);
    assert_eq!(rebuilt(&second).1.unwrap(), text.as_bytes());
}

#[test]
fn a_file_that_cannot_be_typed_is_refused_with_the_place() {
    let row = |id: &str, modal: &str, quote: &str| {
        format!("{id},https://zoo | A,{quote},Feed.,{modal},docs,Code and quality,Here.,\n")
    };
    let one = row("ZOO-C001", "must", "Feed it.");
    for (text, sign) in [
        ("ID,Name\nZOO-C001,x\n".to_owned(), "neither that of an extraction"),
        (format!("{OLD}\n"), "no rows"),
        (format!("{OLD}\n{}", row("ZOO-C001", "perhaps", "Feed it.")), "`perhaps` is no modal level"),
        (format!("{OLD}\n{}", row("ZOO-C001", "must", "")), "the cell is empty"),
        (format!("{OLD}\n{one}{}", row("ZEBRA-C002", "must", "Feed.")), "does not carry the prefix"),
        (format!("{OLD}\n{one}{one}"), "out of order or doubled"),
        (format!("{OLD}\n{one}ZOO-C002,x\n"), "row 2 has 2 cells"),
        (
            format!("{LABELS}\nZOO-C001,https://zoo | A,F.,F.,docs,Code and quality,must,judgment,yes,,\n"),
            "judgment is never in scope",
        ),
        (
            format!(
                "{LABELS}\nZOO-C001,https://zoo | A,F.,F.,docs,Code and quality,,output,no,N3 ZOO-C009,\n"
            ),
            "does not exist or is out of scope",
        ),
    ] {
        let error = read(&text).unwrap_err();
        assert!(error.contains(sign) && error.contains("zoo.csv") && error.contains("help: "), "{error}");
    }
}

fn workbook(cells: &[&[&str]], number: bool) -> Vec<u8> {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    workbook.add_worksheet().set_name("About").unwrap().write_string(0, 0, "Nothing here").unwrap();
    let sheet = workbook.add_worksheet().set_name("Rules").unwrap();
    for (row, cells) in (0..).zip(cells) {
        for (column, cell) in (0..).zip(*cells) {
            sheet.write_string(row, column, *cell).unwrap();
        }
    }
    if number {
        sheet.write_number(1, 8, 7.0).unwrap();
    }
    workbook.save_to_buffer().unwrap()
}

#[test]
fn a_workbook_is_read_by_its_texts_and_its_cells_come_back() {
    let header: Vec<&str> = OLD.split(',').collect();
    let row = [
        "ZOO-C001",
        "https://zoo | A",
        "Feed it.\nDaily.",
        "Feed.",
        "maybe",
        "docs,code",
        "Code and quality",
        "none",
        "",
    ];
    let bytes = workbook(&[&header, &row], false);
    let path = Path::new("zoo.xlsx");
    let imported = Imported::read(path, &bytes, None).unwrap();
    assert_eq!(imported.record.format, FileFormat::Xlsx { sheet: "Rules".to_owned() });
    let (table, bytes) = rebuilt(&imported);
    assert_eq!(table, [header.clone(), row.to_vec()]);
    assert_eq!(bytes, None);
    let error = Imported::read(path, &workbook(&[&header, &row], true), None).unwrap_err().to_string();
    assert!(error.contains("sheet `Rules`, row 2, column I: `7` is no text"), "{error}");
}

fn cell() -> impl Strategy<Value = String> {
    "[a-zA-Z |\\\\\"',;.\n\r\t\u{e9}\u{2026}-]{0,16}"
}

/// A cell as somebody writes it: quoted where it has to be, and now and then where it has not.
fn written(text: &str, quote: bool, separator: char) -> String {
    let has_to = text.contains(['"', '\n', '\r', separator]);
    if quote || has_to { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[derive(Debug, Clone)]
struct Odd {
    cells: [String; 5],
    modal: &'static str,
    applies_to: &'static str,
    quotes: Vec<bool>,
    end: &'static str,
}

fn odd_row() -> impl Strategy<Value = Odd> {
    (
        [cell(), cell(), cell(), cell(), cell()],
        select(&["must", "maybe", "Should", "prohibited "][..]),
        select(&["docs", "docs,code", "PR , code", "CI;code"][..]),
        vec(any::<bool>(), 9),
        select(&["\n", "\r\n", "\r\n", "\r\n\n"][..]),
    )
        .prop_map(|(cells, modal, applies_to, quotes, end)| Odd {
            cells,
            modal,
            applies_to,
            quotes,
            end,
        })
}

proptest! {
    #[test]
    fn the_bytes_of_any_old_table_follow_from_its_rows_and_the_record(
        rows in vec(odd_row(), 1..6),
        separator in select(&[',', ';', '\t'][..]),
        encoding in select(&[Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be][..]),
        (mark, ended, always) in any::<(bool, bool, Option<bool>)>(),
        order in Just((0..9).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        let record = |cells: [String; 9], quotes: &[bool]| {
            let cells = order.iter().map(|index| {
                written(&cells[*index], always.unwrap_or(quotes[*index]), separator)
            });
            cells.collect::<Vec<_>>().join(&separator.to_string())
        };
        let header: Vec<String> = OLD.split(',').map(str::to_owned).collect();
        let mut text = if mark || encoding != Encoding::Utf8 { "\u{feff}".to_owned() } else { String::new() };
        text += &record(header.try_into().unwrap(), &[false; 9]);
        text += "\r\n";
        for (number, row) in (1..).zip(&rows) {
            let [section, original, rule, context, notes] = row.cells.clone();
            let cells = [
                format!("ZOO-C{number:03}"),
                format!("https://zoo | {section}"),
                format!("{original}."),
                format!("{rule}."),
                row.modal.to_owned(),
                row.applies_to.to_owned(),
                "Code and quality".to_owned(),
                context,
                notes,
            ];
            text += &record(cells, &row.quotes);
            text += row.end;
        }
        if !ended {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        let bytes: Vec<u8> = match encoding {
            Encoding::Utf8 => text.into_bytes(),
            Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        };
        let imported = Imported::read(Path::new("zoo.csv"), &bytes, None).unwrap();
        prop_assert_eq!(imported.extraction.rows.len(), rows.len());
        prop_assert_eq!(rebuilt(&imported).1.unwrap(), bytes);
    }
}

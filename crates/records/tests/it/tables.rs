//! Tables that other programs saved: what they held comes back, or is refused.

use polc_records::table::{Encoding, ForeignTable, Separator, read_foreign};
use polc_testkit::shared;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::path::Path;

fn read(bytes: &[u8]) -> Result<ForeignTable, String> {
    read_foreign(Path::new("labels.csv"), bytes).map_err(|problem| problem.to_string())
}

fn base64(text: &str) -> Vec<u8> {
    let value = |byte| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> =
        text.bytes().filter(|byte| *byte != b'=').map(|byte| u32::from(value(byte))).collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let bits = group.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - group.len()));
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}

#[test]
fn what_a_spreadsheet_program_saved_is_read_as_it_meant_it() {
    let Some(case) = shared::case("tb5") else { return };
    for name in ["a", "b", "c"] {
        let bytes = base64(case["input"][format!("{name}_b64")].as_str().unwrap());
        let table = read(&bytes).unwrap();
        let rows: Vec<serde_json::Value> = table
            .rows
            .iter()
            .map(|row| {
                let cells = row.cells.iter().cloned().map(serde_json::Value::from);
                table.header.iter().cloned().zip(cells).collect()
            })
            .collect();
        assert_eq!(serde_json::Value::from(rows), case["expected"][name], "{name}");
    }
}

/// How a program saves a table.
fn encode(text: &str, encoding: Encoding, marked: bool) -> Vec<u8> {
    let marked = |mark: &str| format!("{}{text}", if marked { mark } else { "" });
    match encoding {
        Encoding::Utf8 => marked("\u{feff}").into_bytes(),
        Encoding::Utf16Le => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect(),
    }
}

fn cell() -> impl Strategy<Value = String> {
    "[a-z0-9 ,;\t\"'=+@\n\r\u{e9}\u{1f9ad}\u{feff}-]{0,12}"
}

proptest! {
    #[test]
    fn every_form_of_a_table_reads_to_the_same_cells(
        rows in (1..5usize).prop_flat_map(|width| vec(vec(cell(), width..=width), 0..5)),
        encoding in select(vec![Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be]),
        separator in select(vec![(Separator::Comma, b','), (Separator::Semicolon, b';'), (Separator::Tab, b'\t')]),
        end in select(vec!["\n", "\r\n"]),
        marked in any::<bool>(),
    ) {
        let width = rows.first().map_or(2, Vec::len);
        let header: Vec<String> = (0..width).map(|index| format!("a name, or; a\ttab {index}")).collect();
        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        let text: String = std::iter::once(&header)
            .chain(&rows)
            .map(|row| {
                let separator = char::from(separator.1).to_string();
                row.iter().map(quoted).collect::<Vec<_>>().join(&separator) + end
            })
            .collect();
        let table = read(&encode(&text, encoding, marked)).map_err(TestCaseError::fail)?;
        prop_assert_eq!(&table.header, &header);
        prop_assert_eq!(table.encoding, encoding);
        prop_assert!(width == 1 || table.separator == separator.0);
        let cells: Vec<Vec<String>> = table.rows.into_iter().map(|row| row.cells).collect();
        prop_assert_eq!(cells, rows);
    }
}

#[test]
fn what_cannot_be_read_for_certain_is_refused() {
    let says = |bytes: &[u8], parts: &[&str]| {
        let said = read(bytes).unwrap_err();
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    };
    says(b"", &["empty"]);
    says(b"PK\x03\x04rest", &["a workbook"]);
    says(b"id,label\n\xe9,must\n", &["neither UTF-8 nor UTF-16"]);
    says(b"i\0d\0,\0l\0", &["neither UTF-8 nor UTF-16", "save it as CSV in UTF-8"]);
    says(b"\xFF\xFEi\0d", &["neither UTF-8 nor UTF-16"]);
    says(b"\xFF\xFE\x00\xD8", &["neither UTF-8 nor UTF-16"]);
    says(b"id,one;two\n", &["two separators", "2 columns"]);
    says(b"id,label\n1,must\n2\n", &["labels.csv:3", "1 cells, the header 2"]);
    says(b"id,id\n", &["two columns are named `id`"]);
    says(b"id;label;\n", &["column 3 has no name"]);
}

//! A table of somebody else's: any of the forms in which spreadsheet programs save CSV.

use super::csv_problem;
use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How a text was encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// UTF-8, with or without a byte-order mark.
    Utf8,
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
}

/// What parts the cells of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Separator {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// A tabulator.
    Tab,
}

impl Separator {
    const ALL: [Separator; 3] = [Separator::Comma, Separator::Semicolon, Separator::Tab];

    pub(crate) const fn byte(self) -> u8 {
        match self {
            Separator::Comma => b',',
            Separator::Semicolon => b';',
            Separator::Tab => b'\t',
        }
    }
}

/// A table as it was read: nothing is trimmed, and no cell is taken for a number or a date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignTable {
    /// The names of the columns: each has one, and no two the same.
    pub header: Vec<String>,
    /// The rows: each has as many cells as the header.
    pub rows: Vec<ForeignRow>,
    /// How it was encoded.
    pub encoding: Encoding,
    /// What parts its cells.
    pub separator: Separator,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignRow {
    /// The line of the file that it begins on, from 1.
    pub line: usize,
    /// Its cells.
    pub cells: Vec<String>,
}

/// Reads a table that a spreadsheet program or another tool saved; `path` is only named in errors.
///
/// A byte-order mark is dropped, and decides between UTF-8 and UTF-16. The separator is the one of comma,
/// semicolon and tabulator that parts the header into the most columns.
///
/// # Errors
/// A workbook, a text in another encoding, a header in which two separators part as many columns, a
/// column without a name or with that of another, a row that is longer or shorter than the header.
pub fn read_foreign(path: &Path, bytes: &[u8]) -> Result<ForeignTable, Problem> {
    let (encoding, text) = decode(path, bytes)?;
    let separator = separator(path, &text)?;
    let mut records = reader(&text, separator).into_records();
    let header: Vec<String> = match records.next() {
        Some(record) => {
            record.map_err(|error| csv_problem(path, &error))?.iter().map(str::to_owned).collect()
        }
        None => return Err(Problem::new(path, "the table is empty", "check that it is the right file")),
    };
    for (index, name) in header.iter().enumerate() {
        let message = if name.trim().is_empty() {
            format!("column {} has no name", index + 1)
        } else if header[..index].contains(name) {
            format!("two columns are named `{name}`")
        } else {
            continue;
        };
        return Err(Problem::new(path, message, "give every column a name of its own").at(1, None));
    }
    let mut rows = Vec::new();
    for record in records {
        let record = record.map_err(|error| csv_problem(path, &error))?;
        let line = record.position().map_or(0, |position| usize::try_from(position.line()).unwrap_or(0));
        if record.len() != header.len() {
            return Err(Problem::new(
                path,
                format!("this row has {} cells, the header {}", record.len(), header.len()),
                "look for a missing or unbalanced quotation mark",
            )
            .at(line, None));
        }
        rows.push(ForeignRow { line, cells: record.iter().map(str::to_owned).collect() });
    }
    Ok(ForeignTable { header, rows, encoding, separator })
}

pub(crate) fn reader(text: &str, separator: Separator) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator.byte())
        .from_reader(text.as_bytes())
}

const SAVE_AS: &str = "save it as CSV in UTF-8";

pub(crate) fn decode(path: &Path, bytes: &[u8]) -> Result<(Encoding, String), Problem> {
    let (encoding, text) = if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
        (Encoding::Utf16Le, utf16(rest, u16::from_le_bytes))
    } else if let Some(rest) = bytes.strip_prefix(b"\xFE\xFF") {
        (Encoding::Utf16Be, utf16(rest, u16::from_be_bytes))
    } else {
        let rest = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        (Encoding::Utf8, std::str::from_utf8(rest).ok().map(str::to_owned))
    };
    if bytes.starts_with(b"PK\x03\x04") {
        return Err(Problem::new(path, "it is a workbook, not a text", SAVE_AS));
    }
    match text {
        Some(text) if !text.contains('\0') => Ok((encoding, text)),
        _ => Err(Problem::new(
            path,
            "it is neither UTF-8 nor UTF-16 with a byte-order mark",
            format!("{SAVE_AS}: which characters other bytes stand for cannot be told from the file"),
        )),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    char::decode_utf16(units).collect::<Result<_, _>>().ok().filter(|_| rest.is_empty())
}

/// The separator that stands most often between the names of the header.
pub(crate) fn separator(path: &Path, text: &str) -> Result<Separator, Problem> {
    let mut counts = [0; Separator::ALL.len()];
    let mut quoted = false;
    for byte in text.trim_start_matches(['\n', '\r']).bytes() {
        quoted ^= byte == b'"';
        if quoted {
            continue;
        }
        if matches!(byte, b'\n' | b'\r') {
            break;
        }
        for (count, separator) in counts.iter_mut().zip(Separator::ALL) {
            *count += usize::from(byte == separator.byte());
        }
    }
    let most = counts.iter().copied().max().unwrap_or_default();
    let mut found = counts.iter().zip(Separator::ALL).filter(|(count, _)| **count == most);
    match (found.next(), found.next()) {
        (Some((_, separator)), None) => Ok(separator),
        _ if most == 0 => Ok(Separator::Comma),
        _ => Err(Problem::new(
            path,
            format!("two separators part its header into {} columns", most + 1),
            "save it with commas, and quotation marks around names that hold a separator",
        )
        .at(1, None)),
    }
}

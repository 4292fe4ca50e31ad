//! A workbook that came back: what stands in it, beside what it was written from.

use super::{BASE, CELL_LIMIT, Faults, RULES, base, same_cell};
use crate::corpus::{COLUMNS, CorpusRow, IN_SCOPE, OUT_OF_SCOPE};
use crate::ids::{RuleId, Slug};
use crate::problem::Problem;
use crate::table::{Table, letters};
use calamine::{DataRef, Reader, Xlsx};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

/// A row of a workbook: as it was written, and as it stands there now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedRow {
    /// As it was written.
    pub base: CorpusRow,
    /// As it stands in the workbook.
    pub theirs: CorpusRow,
}

/// What a cell holds. Only text is taken as it is: what a program made of a text cannot be told back.
#[derive(Debug, Clone, PartialEq)]
enum Cell {
    Blank,
    Text(String),
    Boolean(bool),
    Other(String),
}

/// The cells of a sheet that there are, by row and column, both from 0.
type Cells = BTreeMap<u32, BTreeMap<u32, Cell>>;

type Program<'b> = Xlsx<Cursor<&'b [u8]>>;

/// Reads the workbook of a project back; `path` is only named in errors. Rows and columns may have been
/// sorted, rows hidden by a filter.
///
/// # Errors
/// All at once: cells that hold no text, columns that are missing or unknown, rows that were added or
/// deleted, rows that contradict themselves as [`crate::corpus::Corpus::parse`] has it. A workbook whose
/// hidden sheet is missing or was changed is refused.
pub fn read(path: &Path, slug: &Slug, bytes: &[u8]) -> Result<Vec<EditedRow>, Faults> {
    let mut workbook: Program<'_> =
        Xlsx::new(Cursor::new(bytes)).map_err(|error| unreadable(path, &error))?;
    let names = workbook.sheet_names();
    for (sheet, help) in [
        (
            BASE,
            "make the edits in the file that `polc workbook` wrote: a copy of its rows alone cannot be merged",
        ),
        (RULES, "give the sheet its name back, or write the workbook again with `polc workbook`"),
    ] {
        if !names.iter().any(|name| name == sheet) {
            return Err(Problem::new(path, format!("it has no sheet `{sheet}`"), help).into());
        }
    }
    let lines = hidden_lines(path, &sheet_cells(path, &mut workbook, BASE)?)?;
    let base = base::parse(path, slug, &lines)?;
    let cells = sheet_cells(path, &mut workbook, RULES)?;
    let columns = columns(path, &cells)?;
    let mut faults = Vec::new();
    let mut rows = Vec::new();
    for (index, line) in cells.iter().filter(|(index, _)| **index > 0) {
        if line.values().all(|cell| *cell == Cell::Blank) {
            continue;
        }
        match row_texts(path, *index, line, &columns) {
            Ok(texts) => rows.push((*index + 1, texts)),
            Err(wrong) => faults.extend(wrong),
        }
    }
    // A row with a fault has been there: whether one is missing is only told when every id is known.
    let whole = faults.is_empty();
    let edited = match_rows(path, &base.rows, rows, &mut faults);
    let missing = base.rows.iter().filter(|row| !edited.iter().any(|edited| edited.base.id == row.id));
    if whole && faults.is_empty() {
        faults.extend(missing.map(|row| deleted(path, &row.id)));
    }
    if faults.is_empty() { Ok(edited) } else { Err(Faults(faults)) }
}

fn unreadable(path: &Path, error: &calamine::XlsxError) -> Problem {
    Problem::new(
        path,
        format!("it cannot be read as a workbook: {error}"),
        "save it as an Excel workbook (.xlsx), without a password",
    )
}

fn deleted(path: &Path, id: &RuleId) -> Problem {
    Problem::new(
        path,
        format!("sheet `{RULES}`: the row of {id} was deleted"),
        "bring the row back; a rule that should not count is put out of scope by its route",
    )
}

fn sheet_cells(path: &Path, workbook: &mut Program<'_>, sheet: &str) -> Result<Cells, Problem> {
    let unreadable = |error| unreadable(path, &error);
    let mut reader = workbook.worksheet_cells_reader(sheet).map_err(unreadable)?;
    let mut cells = Cells::new();
    while let Some(record) = reader.next_cell_with_formula_metadata().map_err(unreadable)? {
        let cell = match (record.formula, record.value) {
            (Some(_), _) => Cell::Other("a formula".to_owned()),
            (None, DataRef::Empty) => Cell::Blank,
            (None, DataRef::String(text)) => Cell::Text(text),
            (None, DataRef::SharedString(text)) => Cell::Text(text.to_owned()),
            (None, DataRef::Bool(value)) => Cell::Boolean(value),
            (None, DataRef::Int(number)) => Cell::Other(format!("the number {number}")),
            (None, DataRef::Float(number)) => Cell::Other(format!("the number {number}")),
            (None, DataRef::DateTime(date)) => Cell::Other(format!("a date (the number {})", date.as_f64())),
            (None, DataRef::DateTimeIso(date)) => Cell::Other(format!("the date {date}")),
            (None, DataRef::DurationIso(time)) => Cell::Other(format!("the time {time}")),
            (None, DataRef::Error(error)) => Cell::Other(format!("the error value {error}")),
        };
        cells.entry(record.pos.0).or_default().insert(record.pos.1, cell);
    }
    Ok(cells)
}

/// The texts of the hidden sheet.
fn hidden_lines(path: &Path, cells: &Cells) -> Result<Vec<Vec<String>>, Problem> {
    let texts = cells.values().map(|line| {
        let texts = line.values().filter(|cell| **cell != Cell::Blank).map(|cell| match cell {
            Cell::Text(text) => Ok(text.clone()),
            _ => Err(Problem::new(
                path,
                format!("its hidden sheet `{BASE}` holds something else than text"),
                "write the workbook again with `polc workbook`, and make the edits in that file",
            )),
        });
        texts.collect::<Result<Vec<_>, _>>()
    });
    texts.filter(|line| !line.as_ref().is_ok_and(Vec::is_empty)).collect()
}

/// Where each column of the corpus stands on the sheet.
fn columns(path: &Path, cells: &Cells) -> Result<Vec<u32>, Faults> {
    let mut faults = Vec::new();
    let mut fault = |message: String, help: &str| {
        faults.push(Problem::new(path, format!("sheet `{RULES}`: {message}"), help));
    };
    let no_header = BTreeMap::new();
    let header = cells.get(&0).unwrap_or(&no_header);
    let mut found: BTreeMap<&str, u32> = BTreeMap::new();
    for (index, cell) in header {
        match cell {
            Cell::Blank => {}
            Cell::Text(name) if COLUMNS.contains(&name.as_str()) => {
                if found.insert(name, *index).is_some() {
                    fault(format!("two columns are named `{name}`"), "remove the one that you added");
                }
            }
            Cell::Text(name) => {
                fault(format!("the column `{name}` is unknown"), "remove it: nothing would become of it");
            }
            Cell::Boolean(_) | Cell::Other(_) => {
                fault(format!("the header of column {} is no text", letters(*index)), "restore the header");
            }
        }
    }
    for name in COLUMNS.iter().filter(|name| !found.contains_key(**name)) {
        fault(
            format!("the column `{name}` is missing"),
            "bring it back, with its name in the first row of the sheet; columns may stand in any order",
        );
    }
    for (row, line) in cells {
        let nameless = line.iter().find(|(index, cell)| {
            **cell != Cell::Blank && header.get(*index).is_none_or(|name| *name == Cell::Blank)
        });
        if let Some((index, _)) = nameless {
            let column = letters(*index);
            let message = format!("row {}: column {column} is filled and has no header", row + 1);
            fault(message, "remove what stands there: nothing would become of it");
        }
    }
    if faults.is_empty() {
        Ok(COLUMNS.iter().filter_map(|name| found.get(name).copied()).collect())
    } else {
        Err(Faults(faults))
    }
}

/// The texts of a row, in the order of the corpus.
fn row_texts(
    path: &Path,
    index: u32,
    line: &BTreeMap<u32, Cell>,
    columns: &[u32],
) -> Result<Vec<String>, Vec<Problem>> {
    let mut faults = Vec::new();
    let mut texts = Vec::new();
    for (name, column) in COLUMNS.iter().zip(columns) {
        let may_be_blank = matches!(*name, "Requirement level" | "Out-of-scope route");
        let fault = |message: &str, help: &str| {
            let message = format!("sheet `{RULES}`, row {}: {message}", index + 1);
            Problem::new(path, message, help).field(*name)
        };
        let text = match line.get(column).unwrap_or(&Cell::Blank) {
            Cell::Blank if may_be_blank => Ok(String::new()),
            Cell::Blank => {
                Err(fault("the cell is blank", "fill it in, or take the row from a fresh workbook"))
            }
            Cell::Text(text) if text.is_empty() && !may_be_blank => {
                Err(fault("the cell holds a text without a character", "fill it in"))
            }
            Cell::Text(text) => match text.encode_utf16().count() {
                units if units > CELL_LIMIT => Err(fault(
                    &format!("the text has {units} UTF-16 units, more than the {CELL_LIMIT} of a cell"),
                    "shorten it",
                )),
                _ if *name == "In scope" && text == "TRUE" => Ok(IN_SCOPE.to_owned()),
                _ if *name == "In scope" && text == "FALSE" => Ok(OUT_OF_SCOPE.to_owned()),
                _ => Ok(text.clone()),
            },
            Cell::Boolean(value) if *name == "In scope" => {
                Ok(if *value { IN_SCOPE } else { OUT_OF_SCOPE }.to_owned())
            }
            Cell::Boolean(value) => Err(fault(&format!("the cell holds the truth value {value}"), AS_TEXT)),
            Cell::Other(what) => Err(fault(&format!("the cell holds {what}"), AS_TEXT)),
        };
        match text {
            Ok(text) => texts.push(text),
            Err(problem) => faults.push(problem),
        }
    }
    if faults.is_empty() { Ok(texts) } else { Err(faults) }
}

const AS_TEXT: &str =
    "type the text again, in a cell that is formatted as text: what it was before cannot be told";

/// The rows beside those that they were written from.
fn match_rows(
    path: &Path,
    base: &[CorpusRow],
    rows: Vec<(u32, Vec<String>)>,
    faults: &mut Vec<Problem>,
) -> Vec<EditedRow> {
    let mut matched: Vec<(u32, Vec<String>, &CorpusRow)> = Vec::new();
    for (number, mut texts) in rows {
        let id = texts.first().cloned().unwrap_or_default();
        let mut fault = |message: String, help: &str| {
            let message = format!("sheet `{RULES}`, row {number}: {message}");
            faults.push(Problem::new(path, message, help).field("ID"));
        };
        let Some(base) = base.iter().find(|row| row.id.to_string() == id) else {
            let help = "an id is not changed, and a rule that nobody proposed is added with `polc decide`";
            fault(format!("`{id}` is no rule of this workbook"), help);
            continue;
        };
        if matched.iter().any(|(_, _, earlier)| earlier.id == base.id) {
            fault(format!("`{id}` has a row already"), "remove the copy");
            continue;
        }
        for (text, written) in texts.iter_mut().zip(base.cells()) {
            if same_cell(text, &written) {
                *text = written;
            }
        }
        matched.push((number, texts, base));
    }
    let table =
        Table::of_sheet(path, RULES, COLUMNS, matched.iter().map(|(number, texts, _)| (*number, texts)));
    let mut edited = Vec::new();
    for (cells, (_, _, base)) in table.rows().zip(&matched) {
        match CorpusRow::parse(&cells) {
            Ok(theirs) => edited.push(EditedRow { base: (*base).clone(), theirs: restored(theirs, base) }),
            Err(problem) => faults.push(problem),
        }
    }
    edited
}

/// The row with the line ends that it was written with, in the fields of `Notes` that were not edited.
fn restored(theirs: CorpusRow, base: &CorpusRow) -> CorpusRow {
    let mut theirs = theirs;
    let restore = |text: &mut String, written: &String| {
        if same_cell(text, written) {
            text.clone_from(written);
        }
    };
    restore(&mut theirs.reasoning.quote, &base.reasoning.quote);
    restore(&mut theirs.reasoning.context, &base.reasoning.context);
    restore(&mut theirs.reasoning.conclusion, &base.reasoning.conclusion);
    let optional = [
        (&mut theirs.trigger, &base.trigger),
        (&mut theirs.auto_fix, &base.auto_fix),
        (&mut theirs.low_confidence, &base.low_confidence),
        (&mut theirs.remark, &base.remark),
    ];
    for (text, written) in optional {
        if let (Some(text), Some(written)) = (text, written) {
            restore(text, written);
        }
    }
    theirs
}

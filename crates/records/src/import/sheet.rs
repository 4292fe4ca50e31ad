//! A released workbook: the first sheet whose header has an `ID` column.

use super::FileFormat;
use super::foreign::{Foreign, Headings, unknown_header};
use crate::problem::Problem;
use crate::table::letters;
use calamine::{Data, Range, Reader, Xlsx, XlsxError};
use std::io::Cursor;
use std::path::Path;

/// Reads a workbook. Empty rows are left out.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Foreign, Problem> {
    let fault = |error: XlsxError| {
        Problem::new(path, format!("the workbook cannot be read: {error}"), "save it again as XLSX")
    };
    let mut workbook: Xlsx<Cursor<&[u8]>> =
        calamine::open_workbook_from_rs(Cursor::new(bytes)).map_err(fault)?;
    for sheet in workbook.sheet_names() {
        let range = workbook.worksheet_range(&sheet).map_err(fault)?;
        let has_ids = |row: &[Data]| row.iter().any(|cell| *cell == Data::String("ID".to_owned()));
        if range.rows().next().is_some_and(has_ids) {
            return of_range(path, sheet, &range);
        }
    }
    Err(Problem::new(path, "no sheet has a header with `ID`", "give the rows a header in the first row"))
}

fn of_range(path: &Path, sheet: String, range: &Range<Data>) -> Result<Foreign, Problem> {
    let (first_row, first_column) = range.start().unwrap_or_default();
    let mut rows = Vec::new();
    for (row, line) in range.rows().zip(first_row + 1..) {
        let mut texts = Vec::with_capacity(row.len());
        for (cell, column) in row.iter().zip(first_column..) {
            texts.push(text(cell).ok_or_else(|| {
                let place = format!("sheet `{sheet}`, row {line}, column {}", letters(column));
                Problem::new(path, format!("{place}: `{cell}` is no text"), "format the cell as text")
            })?);
        }
        if texts.iter().any(|text| !text.is_empty()) {
            rows.push((line, texts));
        }
    }
    let header = rows.first().map(|(_, header)| header.as_slice()).unwrap_or_default();
    let width = header.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
    let columns: Vec<String> = header[..width].iter().map(|name| (*name).to_owned()).collect();
    if let Some((line, _)) = rows.iter().find(|(_, row)| row[width..].iter().any(|text| !text.is_empty())) {
        let message = format!("sheet `{sheet}`, row {line}: a cell stands in a column without a name");
        return Err(Problem::new(path, message, "name the column, or empty the cell"));
    }
    let headings = Headings::of(&columns).ok_or_else(|| unknown_header(path, &columns))?;
    let old = headings.old_names(&columns);
    let rows = rows.into_iter().skip(1).map(|(line, texts)| {
        let mut record = csv::StringRecord::from(&texts[..width]);
        let mut position = csv::Position::new();
        position.set_line(u64::from(line));
        record.set_position(Some(position));
        record
    });
    let rows = rows.collect();
    Ok(Foreign { format: FileFormat::Xlsx { sheet }, columns, headings, old, rows, verbatim: Vec::new() })
}

/// A cell's text; none where it is a number, a date, a truth value or an error.
fn text(cell: &Data) -> Option<&str> {
    match cell {
        Data::String(text) => Some(text),
        Data::Empty => Some(""),
        _ => None,
    }
}

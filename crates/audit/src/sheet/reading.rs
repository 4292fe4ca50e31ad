//! A sheet that came back, whatever a spreadsheet program did to it.

use super::{HIDDEN, RATING, SCHEMA, SHOWN, SheetOf, digest};
use crate::ratings::{ANSWERS, FilledRow, Ratings, ratings};
use calamine::{Data, DataType, Range, Reader, Xlsx};
use polc_records::Problem;
use polc_records::audit::{AuditCheck, ShownItem};
use polc_records::ids::RuleId;
use polc_records::workbook::Faults;
use std::io::Cursor;
use std::path::Path;

const FOREIGN: &str = "give the file that `polc audit sheets` wrote for this rater, filled in";

/// Reads a sheet back; `path` is only named in errors. Rows and columns may have been sorted, rows hidden.
///
/// # Errors
/// All at once: a sheet of another audit or rater, texts that were altered, rows that were added or deleted; as
/// [`ratings`].
pub fn read(
    path: &Path,
    of: SheetOf<'_>,
    items: &[ShownItem],
    sample: &[AuditCheck],
    bytes: &[u8],
) -> Result<Ratings, Faults> {
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|error| unreadable(path, &error))?;
    let hidden = range(path, &mut workbook, HIDDEN)?;
    identity(path, of, &hidden)?;
    let range = range(path, &mut workbook, RATING)?;
    let (shown, answers) = columns(path, &range)?;
    let mut faults = Vec::new();
    let mut rows = Vec::new();
    for (line, row) in (1..).zip(range.rows()).skip(1) {
        let cell = |at: usize| row.get(at).map(text).unwrap_or_default();
        if row.iter().all(|cell| text(cell).trim().is_empty()) {
            continue;
        }
        let cells: Vec<String> = shown.iter().map(|at| cell(*at)).collect();
        let id = cells.first().map(String::as_str).unwrap_or_default().trim();
        let Ok(check) = id.parse::<RuleId>() else {
            let problem =
                Problem::new(path, format!("sheet `{RATING}`: `{id}` is no checker"), "restore the id");
            faults.push(problem.at(line, None));
            continue;
        };
        let altered = items.iter().any(|item| item.check == check && item.shown != digest(&cells));
        if altered {
            let message = format!("sheet `{RATING}`: what is shown of {check} was altered");
            let help = "a rating is of what the sheet showed: take the row from the sheet as it was written";
            faults.push(Problem::new(path, message, help).at(line, None));
        }
        rows.push(FilledRow { line, check, answers: answers.map(|at| cell(at).trim().to_owned()) });
    }
    match ratings(path, of.rater, &rows, sample) {
        Ok(read) if faults.is_empty() => Ok(read),
        Ok(_) => Err(Faults(faults)),
        Err(Faults(more)) => Err(Faults(faults.into_iter().chain(more).collect())),
    }
}

fn unreadable(path: &Path, error: &calamine::XlsxError) -> Problem {
    let help = "save it as an Excel workbook (.xlsx), without a password";
    Problem::new(path, format!("it cannot be read as a workbook: {error}"), help)
}

fn range(path: &Path, workbook: &mut Xlsx<Cursor<&[u8]>>, name: &str) -> Result<Range<Data>, Problem> {
    if !workbook.sheet_names().iter().any(|sheet| sheet == name) {
        return Err(Problem::new(path, format!("it has no sheet `{name}`"), FOREIGN));
    }
    let range = workbook.worksheet_range(name).map_err(|error| unreadable(path, &error))?;
    // A range begins at the first cell that is used: here always the first there is.
    match range.start() {
        None | Some((0, 0)) => Ok(range),
        Some(_) => Err(Problem::new(
            path,
            format!("sheet `{name}`: its first cell is blank"),
            "restore the first row and column",
        )),
    }
}

fn text(cell: &Data) -> String {
    cell.get_string().map_or_else(|| cell.to_string(), str::to_owned)
}

fn identity(path: &Path, of: SheetOf<'_>, hidden: &Range<Data>) -> Result<(), Problem> {
    let expected = [SCHEMA.to_string(), of.sample.to_string(), of.rater.to_owned()];
    for ((row, name), expected) in ["schema", "sample", "rater"].iter().enumerate().zip(expected) {
        let cell = |column: usize| hidden.get((row, column)).map(text).unwrap_or_default();
        if cell(0) != *name || cell(1) != expected {
            let message = format!("it is no sheet of this {name}: `{}`, and not `{expected}`", cell(1));
            return Err(Problem::new(path, message, FOREIGN));
        }
    }
    Ok(())
}

/// Where the columns stand: those that are shown, and those with the answers.
fn columns(
    path: &Path,
    range: &Range<Data>,
) -> Result<([usize; SHOWN.len()], [usize; ANSWERS.len()]), Faults> {
    let header: Vec<String> = range.rows().next().unwrap_or_default().iter().map(text).collect();
    let mut faults = Vec::new();
    let mut place = |name: &'static str| {
        let mut found = header.iter().enumerate().filter(|(_, header)| header.trim() == name);
        match (found.next(), found.next()) {
            (Some((at, _)), None) => at,
            (found, _) => {
                let what = if found.is_some() { "stands there twice" } else { "is missing" };
                let message = format!("sheet `{RATING}`: the column {what}");
                faults.push(Problem::new(path, message, "restore the header").field(name));
                0
            }
        }
    };
    let columns = (SHOWN.map(&mut place), ANSWERS.map(&mut place));
    if faults.is_empty() { Ok(columns) } else { Err(Faults(faults)) }
}

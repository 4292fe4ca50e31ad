//! Writing a sheet: the same checkers, rater and guidelines give the same bytes.

use super::{DECLARATIONS, GUIDELINES, HIDDEN, RATING, SCHEMA, SHOWN, SheetOf, ShownCheck, held};
use crate::ratings::ANSWERS;
use polc_records::Problem;
use polc_records::vocabulary::{Exactness, Met, Opinion};
use rust_xlsxwriter::{
    DataValidation, DocProperties, ExcelDateTime, Format, FormatAlign, Formula, Workbook, Worksheet,
    XlsxError,
};
use std::path::Path;

/// The most UTF-16 units that a cell can hold.
const CELL_LIMIT: usize = 32_767;

/// The widths of the columns, in characters.
const WIDTHS: [u16; SHOWN.len() + ANSWERS.len()] = [16, 14, 40, 40, 40, 30, 80, 60, 7, 7, 7, 12, 9, 16, 50];

/// The built-in number format of text: what is typed into such a cell becomes no number, date or formula.
const TEXT: u8 = 49;

/// What a masked declaration shows.
const MASK: &str = "answer C4 first";

/// The facts above the declarations on the hidden sheet.
const FACTS: u32 = 3;

/// The column of C4 on the sheet of ratings, as formulas name it.
const C4: char = 'L';

/// The sheet of a rater, with the checkers in the order given; `path` is only named in errors.
///
/// # Errors
/// A text that is longer than a cell can hold.
pub fn write(
    path: &Path,
    of: SheetOf<'_>,
    guidelines: &str,
    checks: &[&ShownCheck],
) -> Result<Vec<u8>, Problem> {
    for check in checks {
        let declaration = [held(&check.declaration)];
        for (cell, column) in
            check.cells().iter().chain(&declaration).zip(SHOWN.iter().chain(&[DECLARATIONS]))
        {
            let units = cell.encode_utf16().count();
            if units > CELL_LIMIT {
                let message = format!(
                    "{}: the text has {units} UTF-16 units, and a cell holds {CELL_LIMIT}",
                    check.check
                );
                let help = "shorten the checker or its cases: nothing is cut to fit, since raters have to see all of it";
                return Err(Problem::new(path, message, help).field(*column));
            }
        }
    }
    assemble(of, guidelines, checks).map_err(|error| {
        Problem::new(path, format!("the workbook cannot be written: {error}"), "report this as a bug")
    })
}

fn assemble(of: SheetOf<'_>, guidelines: &str, checks: &[&ShownCheck]) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let created = ExcelDateTime::from_ymd(2000, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
    let text = Format::new().set_num_format_index(TEXT).set_text_wrap().set_align(FormatAlign::Top);
    let sheet = workbook.add_worksheet().set_name(GUIDELINES)?.set_column_width(0, 110)?;
    for (line, row) in guidelines.lines().zip(0..) {
        let heading = line.trim_start_matches('#');
        let format = if heading == line { text.clone() } else { text.clone().set_bold() };
        put(sheet, row, 0, heading.trim_start(), &format)?;
    }
    rating(workbook.add_worksheet(), checks, &text)?;
    declarations(workbook.add_worksheet(), checks, &text)?;
    let sheet = workbook.add_worksheet().set_name(HIDDEN)?.set_very_hidden(true);
    let facts =
        [("schema", SCHEMA.to_string()), ("sample", of.sample.to_string()), ("rater", of.rater.to_owned())];
    for ((name, value), row) in facts.iter().zip(0..) {
        put(sheet, row, 0, name, &text)?;
        put(sheet, row, 1, value, &text)?;
    }
    for (check, row) in checks.iter().zip(FACTS..) {
        put(sheet, row, 0, &check.check.to_string(), &text)?;
        put(sheet, row, 1, &held(&check.declaration), &text)?;
    }
    workbook.save_to_buffer()
}

fn rating(sheet: &mut Worksheet, checks: &[&ShownCheck], text: &Format) -> Result<(), XlsxError> {
    sheet.set_name(RATING)?.set_freeze_panes(1, 1)?;
    for ((name, width), column) in SHOWN.iter().chain(&ANSWERS).zip(WIDTHS).zip(0..) {
        sheet.set_column_width(column, width)?.set_column_format(column, text)?;
        put(sheet, 0, column, name, &text.clone().set_bold())?;
    }
    let mut last = 1;
    for (check, row) in checks.iter().zip(1..) {
        for (cell, column) in check.cells().iter().zip(0..) {
            put(sheet, row, column, cell, text)?;
        }
        for column in 8..15 {
            sheet.write_blank(row, column, text)?;
        }
        last = row;
    }
    let lists = [(8, 10, Met::SPELLINGS), (11, 11, Exactness::SPELLINGS), (12, 12, Opinion::SPELLINGS)];
    for (first, to, values) in lists {
        let list = DataValidation::new().allow_list_strings(values)?;
        sheet.add_data_validation(1, first, last, to, &list)?;
    }
    sheet.autofilter(0, 0, last, 14)?;
    Ok(())
}

/// One line a checker; it is found by its id, so that sorting the ratings moves nothing.
fn declarations(sheet: &mut Worksheet, checks: &[&ShownCheck], text: &Format) -> Result<(), XlsxError> {
    sheet
        .set_name(DECLARATIONS)?
        .set_freeze_panes(1, 1)?
        .set_column_width(0, 16)?
        .set_column_width(1, 110)?;
    put(sheet, 0, 0, SHOWN[0], &text.clone().set_bold())?;
    put(sheet, 0, 1, "Declaration", &text.clone().set_bold())?;
    let plain = Format::new().set_text_wrap().set_align(FormatAlign::Top);
    let (ratings_end, hidden_start, hidden_end) =
        (checks.len() + 1, FACTS + 1, FACTS as usize + checks.len());
    for (check, row) in checks.iter().zip(1..) {
        put(sheet, row, 0, &check.check.to_string(), text)?;
        let place = row + 1;
        let formula = format!(
            "=IF(INDEX({RATING}!${C4}$2:${C4}${ratings_end},MATCH(A{place},{RATING}!$A$2:$A${ratings_end},0))=\"\",\
             \"{MASK}\",INDEX({HIDDEN}!$B${hidden_start}:$B${hidden_end},\
             MATCH(A{place},{HIDDEN}!$A${hidden_start}:$A${hidden_end},0)))"
        );
        sheet.write_formula_with_format(row, 1, Formula::new(formula).set_result(MASK), &plain)?;
    }
    Ok(())
}

/// Writes a text as a text, whatever it looks like. An empty one leaves the cell blank.
fn put(sheet: &mut Worksheet, row: u32, column: u16, text: &str, format: &Format) -> Result<(), XlsxError> {
    // The library would take it for markup of its own; a line end behind it changes nothing for a reader.
    let markup = text.starts_with("<r>") && text.ends_with("</r>");
    let text = if markup { format!("{text}\n") } else { text.to_owned() };
    sheet.write_string_with_format(row, column, text, format)?;
    Ok(())
}

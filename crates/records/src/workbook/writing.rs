//! A corpus as a workbook: the same corpus gives the same bytes, at any time and on any machine.

use super::{BASE, CATEGORIES, CELL_LIMIT, RULES, base, shown};
use crate::corpus::{COLUMNS, Corpus, CorpusRow, Verdict};
use crate::ids::Slug;
use crate::problem::Problem;
use crate::vocabulary::{Category, Level, LevelRoute, ScopeRoute};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError};
use std::path::Path;

/// The width of each column, in characters.
const WIDTHS: [u16; COLUMNS.len()] = [16, 34, 50, 50, 14, 24, 14, 14, 9, 24, 80];

/// The built-in number format of text: what is typed into such a cell becomes no number, date or formula.
const TEXT: u8 = 49;

/// The workbook of a corpus; `path` is only named in errors.
///
/// # Errors
/// A cell that is longer than a workbook can hold or has a character that XML cannot, with its row and
/// column.
pub fn write(path: &Path, slug: &Slug, corpus: &Corpus) -> Result<Vec<u8>, Problem> {
    let mut cells = Vec::new();
    for row in &corpus.rows {
        cells.push(row_cells(path, row)?);
    }
    let base = base::render(path, slug, corpus)?;
    assemble(corpus, &cells, &base).map_err(|error| {
        Problem::new(path, format!("the workbook cannot be written: {error}"), "report this as a bug")
    })
}

/// The cells of a row, each as it is shown and sure to fit.
fn row_cells(path: &Path, row: &CorpusRow) -> Result<Vec<String>, Problem> {
    let mut cells = Vec::new();
    for (cell, column) in row.cells().iter().zip(COLUMNS) {
        let cell = shown(cell);
        let refused = |message, help| {
            let message = format!("row {}: {message}", row.id);
            Err(Problem::new(path, message, help).field(*column))
        };
        let units = cell.encode_utf16().count();
        if units > CELL_LIMIT {
            return refused(
                format!("the text has {units} UTF-16 units, and a cell of a workbook holds {CELL_LIMIT}"),
                "work with rules.csv: nothing is cut to fit",
            );
        }
        let held = |c: char| (c >= ' ' || matches!(c, '\t' | '\n')) && !matches!(c, '\u{fffe}' | '\u{ffff}');
        if let Some(c) = cell.chars().find(|c| !held(*c)) {
            return refused(
                format!("the text has the character U+{:04X}, which a workbook cannot hold", u32::from(c)),
                "work with rules.csv: nothing is left out",
            );
        }
        cells.push(cell.into_owned());
    }
    Ok(cells)
}

fn assemble(corpus: &Corpus, cells: &[Vec<String>], base: &[Vec<String>]) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let created = ExcelDateTime::from_ymd(2000, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
    rules_sheet(workbook.add_worksheet(), cells)?;
    categories_sheet(workbook.add_worksheet(), corpus)?;
    let sheet = workbook.add_worksheet().set_name(BASE)?.set_very_hidden(true);
    let format = Format::new().set_num_format_index(TEXT);
    for (line, row) in base.iter().zip(0..) {
        for (text, column) in line.iter().zip(0..) {
            put(sheet, row, column, text, &format)?;
        }
    }
    workbook.save_to_buffer()
}

fn rules_sheet(sheet: &mut Worksheet, cells: &[Vec<String>]) -> Result<(), XlsxError> {
    sheet.set_name(RULES)?.set_freeze_panes(1, 1)?;
    let text = Format::new().set_num_format_index(TEXT).set_text_wrap().set_align(FormatAlign::Top);
    for ((name, width), column) in COLUMNS.iter().zip(WIDTHS).zip(0..) {
        sheet.set_column_width(column, width)?.set_column_format(column, &text)?;
        put(sheet, 0, column, name, &text.clone().set_bold())?;
    }
    let mut last = 0;
    for (line, row) in cells.iter().zip(1..) {
        for (cell, column) in line.iter().zip(0..) {
            put(sheet, row, column, cell, &text)?;
        }
        last = row;
    }
    sheet.autofilter(0, 0, last, 10)?;
    Ok(())
}

/// Writes a text as a text, whatever it looks like. An empty one leaves the cell blank.
fn put(sheet: &mut Worksheet, row: u32, column: u16, text: &str, format: &Format) -> Result<(), XlsxError> {
    if text.starts_with("<r>") && text.ends_with("</r>") {
        // The library would take it for markup of its own: it is given as such, and escaped here.
        let escaped = text.replace("_x", "_x005F_x");
        sheet.write_rich_string_with_format(
            row,
            column,
            &[(&Format::default(), escaped.as_str())],
            format,
        )?;
    } else {
        sheet.write_string_with_format(row, column, text, format)?;
    }
    Ok(())
}

/// What is counted of a category: a name, and whether a row counts.
struct Count {
    name: String,
    of: Box<dyn Fn(&CorpusRow) -> bool>,
}

/// The columns of counts. The four routes out of scope are never pooled.
fn counts() -> Vec<Count> {
    let mut counts = Vec::new();
    let mut add = |name: &str, of: Box<dyn Fn(&CorpusRow) -> bool>| {
        counts.push(Count { name: name.to_owned(), of });
    };
    add("Extracted", Box::new(|_| true));
    add("In scope", Box::new(|row| row.verdict.level().is_some()));
    for wanted in ScopeRoute::ALL {
        let of = move |row: &CorpusRow| matches!(&row.verdict, Verdict::OutOfScope { route, .. } if route.route() == *wanted);
        add(wanted.as_str(), Box::new(of));
    }
    for wanted in Level::ALL {
        add(wanted.as_str(), Box::new(move |row| row.verdict.level() == Some(*wanted)));
    }
    for wanted in LevelRoute::ALL {
        let of =
            move |row: &CorpusRow| matches!(&row.verdict, Verdict::InScope { route, .. } if route == wanted);
        add(wanted.as_str(), Box::new(of));
    }
    counts
}

fn categories_sheet(sheet: &mut Worksheet, corpus: &Corpus) -> Result<(), XlsxError> {
    sheet.set_name(CATEGORIES)?.set_freeze_panes(1, 1)?.set_column_width(0, 34)?;
    let bold = Format::new().set_bold();
    sheet.write_string_with_format(0, 0, "Category", &bold)?;
    let mut rows: Vec<(&str, Vec<&CorpusRow>)> = Category::ALL
        .iter()
        .map(|category| {
            let of_it = corpus.rows.iter().filter(|row| row.category == *category);
            (category.as_str(), of_it.collect())
        })
        .collect();
    rows.push(("Total", corpus.rows.iter().collect()));
    for (count, column) in counts().iter().zip(1..) {
        sheet.write_string_with_format(0, column, &count.name, &bold)?;
        for ((_, counted), row) in rows.iter().zip(1..) {
            let number = counted.iter().filter(|row| (count.of)(row)).count();
            sheet.write_number(row, column, u32::try_from(number).unwrap_or(u32::MAX))?;
        }
    }
    for ((name, _), row) in rows.iter().zip(1..) {
        sheet.write_string(row, 0, *name)?;
    }
    Ok(())
}

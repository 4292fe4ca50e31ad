//! CSV as RFC 4180 has it, with `\n` row ends, read with the place of every fault.

mod foreign;

pub use foreign::{Encoding, ForeignRow, ForeignTable, Separator, read_foreign};
pub(crate) use foreign::{decode, reader, separator};

use crate::problem::Problem;
use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

/// A table that is read without a question: to say of it what is wrong, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LooseTable {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The cells of each row; short rows are not filled up.
    pub rows: Vec<Vec<String>>,
}

impl LooseTable {
    /// Reads a table of any columns; `path` is only named in errors.
    ///
    /// # Errors
    /// Where it is not even UTF-8.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Problem> {
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| csv_problem(path, &error))?;
            rows.push(record.iter().map(str::to_owned).collect());
        }
        let header = if rows.is_empty() { Vec::new() } else { rows.remove(0) };
        Ok(LooseTable { header, rows })
    }

    /// A cell; empty where the row or the column is not there.
    pub fn cell(&self, row: usize, column: &str) -> &str {
        let column = self.header.iter().position(|name| name == column);
        column.and_then(|column| self.rows.get(row)?.get(column)).map_or("", String::as_str)
    }
}

/// A table that was read: every row has every column.
pub(crate) struct Table<'p> {
    path: &'p Path,
    /// The sheet of a workbook that it stands on.
    sheet: Option<&'static str>,
    columns: &'static [&'static str],
    rows: Vec<csv::StringRecord>,
}

/// One row of it.
pub(crate) struct Cells<'t> {
    table: &'t Table<'t>,
    index: usize,
}

impl<'p> Table<'p> {
    /// Parses a table whose header has to be exactly `columns`.
    pub(crate) fn parse(
        path: &'p Path,
        text: &str,
        columns: &'static [&'static str],
    ) -> Result<Self, Problem> {
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let mut records = reader.records();
        let header = match records.next() {
            Some(record) => record.map_err(|error| csv_problem(path, &error))?,
            None => {
                return Err(Problem::new(path, "the table is empty", "run the stage that writes it again"));
            }
        };
        if let Some((index, found)) =
            header.iter().enumerate().find(|(index, name)| columns.get(*index) != Some(name))
        {
            return Err(Problem::new(
                path,
                format!("column {} is `{found}`", index + 1),
                "restore the header: a table of this schema has exactly these columns in this order",
            )
            .at(1, None)
            .allowed(columns));
        }
        if header.len() < columns.len() {
            return Err(Problem::new(
                path,
                format!("the column `{}` is missing", columns[header.len()]),
                "restore the header: a table of this schema has exactly these columns in this order",
            )
            .at(1, None)
            .allowed(columns));
        }
        let mut rows = Vec::new();
        for record in records {
            let record = record.map_err(|error| csv_problem(path, &error))?;
            if record.len() != columns.len() {
                let line =
                    record.position().map_or(0, |position| usize::try_from(position.line()).unwrap_or(0));
                return Err(Problem::new(
                    path,
                    format!("this row has {} cells, the header {}", record.len(), columns.len()),
                    "look for a missing or unbalanced quotation mark",
                )
                .at(line, None));
            }
            rows.push(record);
        }
        Ok(Table::of(path, columns, rows))
    }

    /// The table on a sheet of a workbook: each row by its number there, with a cell for every column.
    pub(crate) fn of_sheet<R: AsRef<[String]>>(
        path: &'p Path,
        sheet: &'static str,
        columns: &'static [&'static str],
        rows: impl IntoIterator<Item = (u32, R)>,
    ) -> Self {
        let rows = rows.into_iter().map(|(number, cells)| {
            let mut record = csv::StringRecord::from(cells.as_ref());
            let mut position = csv::Position::new();
            position.set_line(number.into());
            record.set_position(Some(position));
            record
        });
        Table { sheet: Some(sheet), ..Table::of(path, columns, rows.collect()) }
    }

    /// A table whose cells are in the order of `columns` already.
    pub(crate) fn of(path: &'p Path, columns: &'static [&'static str], rows: Vec<csv::StringRecord>) -> Self {
        Table { path, sheet: None, columns, rows }
    }

    /// The rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Cells<'_>> {
        (0..self.rows.len()).map(|index| Cells { table: self, index })
    }
}

impl Cells<'_> {
    /// The text of a cell.
    pub(crate) fn text(&self, column: &str) -> &str {
        let index = self.table.columns.iter().position(|name| *name == column);
        index.and_then(|index| self.table.rows[self.index].get(index)).unwrap_or_default()
    }

    /// The text of a cell that must not be empty.
    pub(crate) fn filled(&self, column: &str) -> Result<String, Problem> {
        match self.text(column) {
            "" => Err(self.problem(column, "the cell is empty", "fill it in")),
            text => Ok(text.to_owned()),
        }
    }

    /// A cell's value.
    pub(crate) fn parse<T>(&self, column: &str) -> Result<T, Problem>
    where
        T: FromStr<Err: Display>,
    {
        self.text(column)
            .parse()
            .map_err(|error: T::Err| self.problem(column, error.to_string(), "correct the cell"))
    }

    /// A problem with a cell of this row.
    pub(crate) fn problem(
        &self,
        column: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Problem {
        let position = self.table.rows[self.index].position();
        let line = position.map_or(0, |position| usize::try_from(position.line()).unwrap_or(0));
        let message = message.into();
        let (path, row) = (self.table.path, self.index + 1);
        match self.table.sheet {
            None => Problem::new(path, format!("row {row}: {message}"), help).at(line, None),
            Some(sheet) => Problem::new(path, format!("sheet `{sheet}`, row {line}: {message}"), help),
        }
        .field(column)
    }
}

pub(crate) fn csv_problem(path: &Path, error: &csv::Error) -> Problem {
    let problem = Problem::new(path, error.to_string(), "look for a missing or unbalanced quotation mark");
    match error.position() {
        Some(position) => problem.at(usize::try_from(position.line()).unwrap_or(0), None),
        None => problem,
    }
}

/// Writes a table.
pub(crate) fn render(
    columns: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Result<String, csv::Error> {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(columns)?;
    for row in rows {
        writer.write_record(&row)?;
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    // Every cell was a string, so the bytes are UTF-8.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The name of a column as a spreadsheet program shows it.
pub(crate) fn letters(column: u32) -> String {
    let (rest, last) = (column / 26, column % 26);
    let last = char::from(b'A' + u8::try_from(last).unwrap_or_default());
    if rest == 0 { last.to_string() } else { format!("{}{last}", letters(rest - 1)) }
}

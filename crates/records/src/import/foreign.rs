//! A released table as it is written: its dialect, its header, its cells.

use super::{Dialect, FileFormat, LineEnd, OldNames, Quoting, VerbatimRecord, sheet};
use crate::ids::{RuleId, Slug};
use crate::problem::Problem;
use crate::table::{Encoding, Separator, Table, csv_problem, decode, reader, separator};
use crate::{corpus, extraction};
use std::path::Path;

/// The names that columns had, and the ones they have. The old ones are read and never written.
const RENAMED: &[(&str, &str)] = &[
    ("Naive strength", "Modal level"),
    ("Shared Category", "Category"),
    ("Strength", "Requirement level"),
    ("CheckTier", "Evidence Type"),
    ("Care", "In scope"),
    ("NotCareReason", "Out-of-scope route"),
];

/// What a header says: for each column of the file, which column of ours it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Headings {
    /// Of the nine columns of an extraction.
    Extraction(Vec<usize>),
    /// Of the eleven of a corpus.
    Corpus(Vec<usize>),
}

impl Headings {
    pub(super) fn of(columns: &[String]) -> Option<Self> {
        let positions = |ours: &[&str]| -> Option<Vec<usize>> {
            let found: Vec<usize> = columns
                .iter()
                .map(|name| ours.iter().position(|our| *our == current(name)))
                .collect::<Option<_>>()?;
            let mut sorted = found.clone();
            sorted.sort_unstable();
            sorted.iter().copied().eq(0..ours.len()).then_some(found)
        };
        positions(extraction::COLUMNS)
            .map(Headings::Extraction)
            .or_else(|| positions(corpus::COLUMNS).map(Headings::Corpus))
    }

    fn positions(&self) -> &[usize] {
        match self {
            Headings::Extraction(positions) | Headings::Corpus(positions) => positions,
        }
    }

    fn ours(&self) -> &'static [&'static str] {
        match self {
            Headings::Extraction(_) => extraction::COLUMNS,
            Headings::Corpus(_) => corpus::COLUMNS,
        }
    }

    /// What polc calls a column of the file.
    pub(super) fn name(&self, index: usize) -> &'static str {
        self.ours()[self.positions()[index]]
    }

    /// Cells in our order, put into the file's.
    pub(super) fn in_file_order(&self, cells: &[String]) -> Vec<String> {
        self.positions().iter().map(|position| cells[*position].clone()).collect()
    }

    /// Which of our columns the header calls otherwise.
    pub(super) fn old_names(&self, columns: &[String]) -> OldNames {
        let named = columns.iter().enumerate().map(|(index, name)| (self.name(index), name));
        named.filter(|(ours, name)| ours != name).map(|(ours, _)| ours).collect()
    }
}

fn current(name: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new)
}

/// A released table.
#[derive(Debug, Clone)]
pub(super) struct Foreign {
    pub(super) format: FileFormat,
    pub(super) columns: Vec<String>,
    pub(super) headings: Headings,
    pub(super) old: OldNames,
    /// In the order of the file, as are the cells of each.
    pub(super) rows: Vec<csv::StringRecord>,
    pub(super) verbatim: Vec<VerbatimRecord>,
}

/// A record of a text and the bytes that it was read from, with what ends it.
struct Span<'t> {
    record: csv::StringRecord,
    text: &'t str,
}

impl Foreign {
    /// Reads a table: a workbook, or else text.
    pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Self, Problem> {
        if bytes.starts_with(b"PK") { sheet::read(path, bytes) } else { Foreign::read_text(path, bytes) }
    }

    fn read_text(path: &Path, bytes: &[u8]) -> Result<Self, Problem> {
        let (encoding, text) = decode(path, bytes)?;
        let separator = separator(path, &text)?;
        let spans = records(path, &text, separator)?;
        let header = spans.first().map(|span| &span.record).into_iter().flatten();
        let columns: Vec<String> = header.map(str::to_owned).collect();
        let headings = Headings::of(&columns).ok_or_else(|| unknown_header(path, &columns))?;
        even(path, &spans)?;
        let byte_order_mark = encoding != Encoding::Utf8 || bytes.starts_with("\u{feff}".as_bytes());
        let written = Written { encoding, byte_order_mark, separator };
        let (dialect, verbatim) = dialect(written, &spans).map_err(|error| csv_problem(path, &error))?;
        let old = headings.old_names(&columns);
        let rows = spans.into_iter().skip(1).map(|span| span.record).collect();
        Ok(Foreign { format: FileFormat::Csv(dialect), columns, headings, old, rows, verbatim })
    }

    /// The project that the ids name.
    pub(super) fn slug(&self, path: &Path) -> Result<Slug, Problem> {
        let column = (0..self.columns.len()).find(|index| self.headings.name(*index) == "ID");
        let first = column.and_then(|column| self.rows.first()?.get(column));
        let Some(first) = first else {
            return Err(Problem::new(path, "the table has no rows", "import a table with rows"));
        };
        let fault = |error: crate::problem::Malformed| {
            Problem::new(path, error.to_string(), "correct the cell, or give the slug with --slug")
                .field("ID")
        };
        let id: RuleId = first.parse().map_err(fault)?;
        id.prefix().to_ascii_lowercase().parse().map_err(fault)
    }

    /// The rows under our names, in our order.
    pub(super) fn table<'p>(&self, path: &'p Path) -> Table<'p> {
        let ours = self.headings.ours();
        let rows = self.rows.iter().map(|row| {
            let mut cells = vec![""; ours.len()];
            for (position, cell) in self.headings.positions().iter().zip(row) {
                cells[*position] = cell;
            }
            let mut record = csv::StringRecord::from(cells);
            record.set_position(row.position().cloned());
            record
        });
        Table::of(path, ours, rows.collect())
    }
}

pub(super) fn unknown_header(path: &Path, found: &[String]) -> Problem {
    let known = |columns: &[&str]| columns.join(", ");
    Problem::new(
        path,
        format!("its header is neither that of an extraction nor that of a corpus: {}", found.join(", ")),
        format!(
            "an extraction has the columns {}; a corpus has {}; of old names, {} are read",
            known(extraction::COLUMNS),
            known(corpus::COLUMNS),
            RENAMED.iter().map(|(old, _)| *old).collect::<Vec<_>>().join(", ")
        ),
    )
    .at(1, None)
}

fn records<'t>(path: &Path, text: &'t str, separator: Separator) -> Result<Vec<Span<'t>>, Problem> {
    let mut reader = reader(text, separator);
    let mut found = Vec::new();
    let mut record = csv::StringRecord::new();
    let mut ends = Vec::new();
    while reader.read_record(&mut record).map_err(|error| csv_problem(path, &error))? {
        let end = usize::try_from(reader.position().byte()).unwrap_or(text.len()).min(text.len());
        let within_crlf =
            text.as_bytes()[..end].ends_with(b"\r") && text.as_bytes()[end..].starts_with(b"\n");
        ends.push(if within_crlf { end + 1 } else { end });
        found.push(std::mem::take(&mut record));
    }
    // What follows the last record belongs to it.
    if let Some(last) = ends.last_mut() {
        *last = text.len();
    }
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let texts: Vec<&str> = starts.zip(&ends).map(|(start, end)| &text[start..*end]).collect();
    Ok(found.into_iter().zip(texts).map(|(record, text)| Span { record, text }).collect())
}

/// Refuses a row with more cells or fewer than the header.
fn even(path: &Path, spans: &[Span<'_>]) -> Result<(), Problem> {
    let width = spans.first().map_or(0, |header| header.record.len());
    match spans.iter().enumerate().find(|(_, span)| span.record.len() != width) {
        None => Ok(()),
        Some((number, span)) => {
            let line = span.record.position().map_or(0, |place| usize::try_from(place.line()).unwrap_or(0));
            let message = format!("row {number} has {} cells, the header {width}", span.record.len());
            Err(Problem::new(path, message, "look for a missing or unbalanced quotation mark").at(line, None))
        }
    }
}

/// What is told of a dialect before its records are looked at.
#[derive(Clone, Copy)]
struct Written {
    encoding: Encoding,
    byte_order_mark: bool,
    separator: Separator,
}

/// How the records are written, by what gives most of them, and the ones that it does not give.
fn dialect(written: Written, spans: &[Span<'_>]) -> Result<(Dialect, Vec<VerbatimRecord>), csv::Error> {
    let Written { encoding, byte_order_mark, separator } = written;
    let header = spans.first().map_or("", |span| span.text);
    let line_end = [LineEnd::Crlf, LineEnd::Lf, LineEnd::Cr]
        .into_iter()
        .find(|end| header.ends_with(end.as_str()))
        .unwrap_or(LineEnd::Lf);
    let final_line_end = spans.last().is_some_and(|span| span.text.ends_with(line_end.as_str()));
    let with = |quoting| -> Result<(Dialect, Vec<VerbatimRecord>), csv::Error> {
        let dialect = Dialect { encoding, byte_order_mark, separator, line_end, final_line_end, quoting };
        let mut verbatim = Vec::new();
        for (number, span) in (1..).zip(spans) {
            if write_record(dialect, &span.record, number == spans.len())? != span.text {
                verbatim.push(VerbatimRecord { number, text: span.text.to_owned() });
            }
        }
        Ok((dialect, verbatim))
    };
    let (minimal, always) = (with(Quoting::Minimal)?, with(Quoting::Always)?);
    Ok(if always.1.len() < minimal.1.len() { always } else { minimal })
}

/// A record as a dialect writes it.
pub(super) fn write_record(
    dialect: Dialect,
    cells: impl IntoIterator<Item = impl AsRef<[u8]>>,
    last: bool,
) -> Result<String, csv::Error> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(dialect.separator.byte())
        .terminator(dialect.line_end.terminator())
        .quote_style(match dialect.quoting {
            Quoting::Minimal => csv::QuoteStyle::Necessary,
            Quoting::Always => csv::QuoteStyle::Always,
        })
        .from_writer(Vec::new());
    writer.write_record(cells)?;
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    // Every cell was a string, so the bytes are UTF-8.
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if last && !dialect.final_line_end {
        text.truncate(text.len() - dialect.line_end.as_str().len());
    }
    Ok(text)
}

impl LineEnd {
    const fn as_str(self) -> &'static str {
        match self {
            LineEnd::Lf => "\n",
            LineEnd::Crlf => "\r\n",
            LineEnd::Cr => "\r",
        }
    }

    const fn terminator(self) -> csv::Terminator {
        match self {
            LineEnd::Lf => csv::Terminator::Any(b'\n'),
            LineEnd::Crlf => csv::Terminator::CRLF,
            LineEnd::Cr => csv::Terminator::Any(b'\r'),
        }
    }
}

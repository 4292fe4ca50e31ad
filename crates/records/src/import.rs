//! `corpora/<slug>/import.toml`: what a released file said that its typed rows do not.
//!
//! A released extraction or corpus is read into typed rows. Its bytes follow from the rows and from
//! what is recorded here: how the table was written, and every cell and record that would come out
//! otherwise.

mod foreign;
mod labels;
mod oddities;
mod rows;
mod sheet;

pub use oddities::Oddity;

use crate::corpus::Corpus;
use crate::decisions::IssuedId;
use crate::digest::Digest;
use crate::extraction::Extraction;
use crate::ids::{RuleId, Slug};
use crate::problem::Problem;
use crate::proposal::Row;
use crate::store::{TomlFile, TomlRecord};
use crate::table::{Encoding, Separator};
use crate::vocabulary::OddityKind;
use foreign::{Foreign, Headings, write_record};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The record of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// Schema version.
    pub schema: u32,
    /// The name of the file.
    pub file: String,
    /// The digest of its bytes.
    pub original: Digest,
    /// Its header, as it stands.
    pub columns: Vec<String>,
    /// What it holds.
    pub contents: Contents,
    /// How it is written.
    pub format: FileFormat,
    /// Cells that the typed rows would give otherwise.
    #[serde(default, rename = "cell", skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<VerbatimCell>,
    /// Records that the dialect would give otherwise.
    #[serde(default, rename = "record", skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<VerbatimRecord>,
}

/// What a released file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Contents {
    /// Nine columns: rows without labels.
    Extraction,
    /// Eleven columns: labels too.
    Corpus {
        /// The digest of `rules.csv` as it was imported.
        rules: Digest,
    },
}

/// How a released file is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum FileFormat {
    /// Text with separators.
    Csv(Dialect),
    /// A workbook, of which one sheet was read.
    Xlsx {
        /// Its name.
        sheet: String,
    },
}

/// How a table is written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Dialect {
    /// How it is encoded.
    pub encoding: Encoding,
    /// Whether a byte-order mark comes first, as it always does in UTF-16.
    pub byte_order_mark: bool,
    /// What parts cells.
    pub separator: Separator,
    /// What ends a record.
    pub line_end: LineEnd,
    /// Whether the last record is ended too.
    pub final_line_end: bool,
    /// Which cells are quoted.
    pub quoting: Quoting,
}

/// What ends the records of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineEnd {
    /// Line feed.
    Lf,
    /// Carriage return and line feed.
    Crlf,
    /// Carriage return.
    Cr,
}

/// Which cells of a table are quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quoting {
    /// Those that have to be.
    Minimal,
    /// Every one.
    Always,
}

/// A cell as it stands in a released file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerbatimCell {
    /// The row.
    pub id: RuleId,
    /// The column, by the name that polc gives it.
    pub column: String,
    /// The text.
    pub text: String,
}

/// A record as it stands in a released file, with what ends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerbatimRecord {
    /// Which, from 1: the header is the first.
    pub number: usize,
    /// The text.
    pub text: String,
}

/// A released file, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The project that its ids name.
    pub slug: Slug,
    /// The rows.
    pub extraction: Extraction,
    /// The rows with their labels, of a file that has them.
    pub corpus: Option<Corpus>,
    /// What the rows do not say.
    pub record: Import,
    /// What is odd about them, in the order of the vocabulary.
    pub oddities: Vec<Oddity>,
}

impl Imported {
    /// Reads a released file. The slug is the prefix of its ids in lower case, unless it is given.
    ///
    /// # Errors
    /// With row, line, column and value: an unknown header or value, an empty cell that a rule cannot
    /// do without, an id out of order or of another project.
    pub fn read(path: &Path, bytes: &[u8], slug: Option<&Slug>) -> Result<Self, Problem> {
        let foreign = Foreign::read(path, bytes)?;
        let slug = slug.map_or_else(|| foreign.slug(path), |slug| Ok(slug.clone()))?;
        let table = foreign.table(path);
        let mut oddities = Vec::new();
        let (extraction, corpus, contents, rendered) = match foreign.headings {
            Headings::Extraction(_) => {
                let rows = rows::read(&table, &slug)?;
                let rendered = rendered(&foreign, rows.iter().map(|row| rows::cells(row, &foreign.old)));
                (Extraction { rows }, None, Contents::Extraction, rendered)
            }
            Headings::Corpus(_) => {
                let labelled = labels::read(&table, &slug, &mut oddities)?;
                let corpus = Corpus { rows: labelled };
                let text = corpus.render(path)?;
                Corpus::parse(path, &slug, &text)?;
                let rendered =
                    rendered(&foreign, corpus.rows.iter().map(|row| labels::cells(row, &foreign.old)));
                let rows = corpus.rows.iter().map(labels::extraction_row).collect();
                let contents = Contents::Corpus { rules: Digest::of(&text) };
                (Extraction { rows }, Some(corpus), contents, rendered)
            }
        };
        let cells = differing(&foreign, &extraction, &rendered);
        oddities.extend(oddities::of_rows(&extraction.rows));
        oddities.extend(oddities::of_cells(&foreign, &extraction.rows));
        oddities.extend(cells.iter().map(|cell| Oddity {
            kind: OddityKind::Respelled,
            rule: cell.id.clone(),
            what: cell.column.clone(),
        }));
        oddities.sort();
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let record = Import {
            schema: Import::SCHEMA,
            file: name,
            original: Digest::of(bytes),
            columns: foreign.columns,
            contents,
            format: foreign.format,
            cells,
            records: foreign.verbatim,
        };
        Ok(Imported { slug, extraction, corpus, record, oddities })
    }
}

impl Imported {
    /// Every id and the digest of its row, for the record of the import.
    ///
    /// # Errors
    /// As [`Row::digest`].
    pub fn ids(&self) -> Result<Vec<IssuedId>, serde_json::Error> {
        let ids = self.extraction.rows.iter().map(|row| {
            let proposed = Row {
                source: row.source.url.clone(),
                section: row.source.section.clone(),
                occurrence: 0,
                quote: row.original.clone(),
                rule: row.rule.clone(),
                form: row.notes.form,
                condition: row.notes.condition.clone(),
                modal: row.modal,
                applies_to: row.applies_to.clone(),
                category: row.category,
                context: row.context.quotes().to_vec(),
                trigger: row.notes.trigger.clone(),
                preceding: row.notes.preceding.clone(),
                part: row.notes.part,
            };
            Ok(IssuedId { id: row.id.clone(), row: proposed.digest()?, identity: proposed.identity()? })
        });
        ids.collect()
    }
}

/// Rows as the file would have them, cells in its order.
fn rendered(foreign: &Foreign, rows: impl Iterator<Item = Vec<String>>) -> Vec<Vec<String>> {
    rows.map(|cells| foreign.headings.in_file_order(&cells)).collect()
}

fn differing(foreign: &Foreign, extraction: &Extraction, rendered: &[Vec<String>]) -> Vec<VerbatimCell> {
    let mut cells = Vec::new();
    for ((row, written), given) in extraction.rows.iter().zip(&foreign.rows).zip(rendered) {
        for (index, (text, given)) in written.iter().zip(given).enumerate() {
            if text != given {
                let column = foreign.headings.name(index).to_owned();
                cells.push(VerbatimCell { id: row.id.clone(), column, text: text.to_owned() });
            }
        }
    }
    cells
}

impl Import {
    /// The cells of the released table, its header first, from the rows that were read of it.
    ///
    /// # Errors
    /// A record whose header is none that polc reads, or of a corpus without its labels.
    pub fn table(
        &self,
        path: &Path,
        extraction: &Extraction,
        corpus: Option<&Corpus>,
    ) -> Result<Vec<Vec<String>>, Problem> {
        let restore = "restore the file from version control";
        let headings = Headings::of(&self.columns).ok_or_else(|| {
            Problem::new(path, "its header is none that polc reads", restore).field("columns")
        })?;
        let old = headings.old_names(&self.columns);
        let rows: Vec<(&RuleId, Vec<String>)> = match (&headings, corpus) {
            (Headings::Extraction(_), _) => {
                extraction.rows.iter().map(|row| (&row.id, rows::cells(row, &old))).collect()
            }
            (Headings::Corpus(_), Some(corpus)) => {
                corpus.rows.iter().map(|row| (&row.id, labels::cells(row, &old))).collect()
            }
            (Headings::Corpus(_), None) => {
                return Err(Problem::new(path, "the labels of this corpus are not at hand", restore));
            }
        };
        let verbatim: BTreeMap<(&RuleId, &str), &str> =
            self.cells.iter().map(|cell| ((&cell.id, cell.column.as_str()), cell.text.as_str())).collect();
        let mut table = vec![self.columns.clone()];
        for (id, cells) in rows {
            let mut cells = headings.in_file_order(&cells);
            for (index, cell) in cells.iter_mut().enumerate() {
                if let Some(text) = verbatim.get(&(id, headings.name(index))) {
                    (*text).clone_into(cell);
                }
            }
            table.push(cells);
        }
        Ok(table)
    }

    /// The bytes of the released file from the rows that were read of it. None for a workbook: its
    /// cells are what [`Import::table`] gives, and its bytes are kept by their digest.
    ///
    /// # Errors
    /// As [`Import::table`].
    pub fn rebuild(
        &self,
        path: &Path,
        extraction: &Extraction,
        corpus: Option<&Corpus>,
    ) -> Result<Option<Vec<u8>>, Problem> {
        let FileFormat::Csv(dialect) = &self.format else { return Ok(None) };
        let table = self.table(path, extraction, corpus)?;
        let verbatim: BTreeMap<usize, &str> =
            self.records.iter().map(|record| (record.number, record.text.as_str())).collect();
        let mut text = if dialect.byte_order_mark { "\u{feff}".to_owned() } else { String::new() };
        for (number, cells) in (1..).zip(&table) {
            match verbatim.get(&number) {
                Some(record) => text.push_str(record),
                None => text.push_str(
                    &write_record(*dialect, cells, number == table.len())
                        .map_err(|error| Problem::new(path, error.to_string(), "report this as a bug"))?,
                ),
            }
        }
        Ok(Some(match dialect.encoding {
            Encoding::Utf8 => text.into_bytes(),
            Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        }))
    }
}

/// The names by which a header calls columns otherwise than polc does.
type OldNames = BTreeSet<&'static str>;

impl TomlFile for Import {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "record of an import";
}

impl TomlRecord for Import {
    const HEADER: &'static str =
        "Written by `polc import`. The released file follows from the rows and from what stands here.";
}

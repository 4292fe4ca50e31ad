//! The hidden sheet: what the workbook was written from.

use super::{BASE, SCHEMA};
use crate::corpus::{COLUMNS, Corpus, CorpusRow};
use crate::digest::Digest;
use crate::ids::{RuleId, Slug};
use crate::problem::Problem;
use crate::table::Table;
use std::path::Path;

/// The facts above the rows, in this order.
const SCHEMA_NAME: &str = "schema";
const PROJECT_NAME: &str = "project";
const RULES_NAME: &str = "rules";

/// A cell is filled no further than this with the text of a row: a program may count escapes.
const PART: usize = 16_000;

/// The rows of the sheet, as they are written.
pub(super) fn render(path: &Path, slug: &Slug, corpus: &Corpus) -> Result<Vec<Vec<String>>, Problem> {
    let rules = Digest::of(corpus.render(path)?);
    let facts = [
        (SCHEMA_NAME, SCHEMA.to_string()),
        (PROJECT_NAME, slug.to_string()),
        (RULES_NAME, rules.to_string()),
    ];
    let mut lines: Vec<Vec<String>> =
        facts.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    for row in &corpus.rows {
        let cells = serde_json::to_string(&row.cells())
            .map_err(|error| Problem::new(path, error.to_string(), "report this as a bug"))?
            // What looks like an escape of the format is not left to programs to get right.
            .replace("_x", "\\u005fx");
        let mut line = vec![row.id.to_string(), Digest::of(&cells).to_string()];
        line.extend(parts(&cells));
        lines.push(line);
    }
    Ok(lines)
}

/// A text in parts that fit into cells.
fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut units = 0;
    for c in text.chars() {
        if units + c.len_utf16() > PART {
            parts.push(std::mem::take(&mut part));
            units = 0;
        }
        units += c.len_utf16();
        part.push(c);
    }
    parts.push(part);
    parts
}

/// Reads the sheet back: the corpus that the workbook was written from.
pub(super) fn parse(path: &Path, slug: &Slug, lines: &[Vec<String>]) -> Result<Corpus, Problem> {
    let mut lines = lines.iter();
    let mut fact = |name: &str| match lines.next().map(Vec::as_slice) {
        Some([found, value, ..]) if found == name => Ok(value),
        _ => Err(tampered(path, &format!("does not say its {name}"))),
    };
    let schema = fact(SCHEMA_NAME)?;
    match schema.parse::<u32>() {
        Ok(SCHEMA) => {}
        Ok(newer) if newer > SCHEMA => {
            return Err(Problem::new(
                path,
                format!("it has schema {newer}, and this polc reads {SCHEMA} at the most"),
                "install a newer polc",
            ));
        }
        _ => return Err(tampered(path, &format!("has schema `{schema}`, which never existed"))),
    }
    let project = fact(PROJECT_NAME)?;
    if project != slug.as_str() {
        return Err(Problem::new(
            path,
            format!("it is the workbook of `{project}`, not of `{slug}`"),
            format!("name the project that it belongs to: polc workbook {project} --from FILE --by NAME"),
        ));
    }
    let rules = fact(RULES_NAME)?;
    let mut rows = Vec::new();
    for (line, number) in lines.zip(4..) {
        rows.push((number, cells(path, line)?));
    }
    let table = Table::of_sheet(path, BASE, COLUMNS, rows);
    let rows = table.rows().map(|cells| CorpusRow::parse(&cells)).collect::<Result<_, _>>()?;
    let corpus = Corpus { rows };
    if Digest::of(corpus.render(path)?).to_string() != *rules {
        return Err(tampered(path, "does not have the rows whose digest it names"));
    }
    Ok(corpus)
}

/// The cells of a row: those that its digest was taken of.
fn cells(path: &Path, line: &[String]) -> Result<Vec<String>, Problem> {
    let [id, digest, parts @ ..] = line else {
        return Err(tampered(path, "has a row without a digest"));
    };
    let text = parts.concat();
    if Digest::of(&text).to_string() != *digest {
        return Err(tampered(
            path,
            &format!("has another text of `{id}` than the one whose digest it names"),
        ));
    }
    let cells: Vec<String> = serde_json::from_str(&text)
        .map_err(|error| tampered(path, &format!("has no cells of `{id}`: {error}")))?;
    let is_row = id.parse::<RuleId>().is_ok() && cells.len() == COLUMNS.len() && cells.first() == Some(id);
    if is_row { Ok(cells) } else { Err(tampered(path, &format!("has another row than `{id}` in its place"))) }
}

fn tampered(path: &Path, what: &str) -> Problem {
    Problem::new(
        path,
        format!("its hidden sheet `{BASE}` {what}"),
        "the hidden sheet is what edits are told by: write the workbook again with `polc workbook`, and \
         make the edits in that file",
    )
}

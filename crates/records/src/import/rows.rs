//! The rows of a released extraction, as typed rows and as cells again.

use super::OldNames;
use crate::extraction::{
    ExtractionNotes, ExtractionRow, SectionContext, ascending, compose_applies_to, parse_context,
};
use crate::ids::Slug;
use crate::locator::{SectionPath, SourceReference};
use crate::problem::{Problem, UnknownValue};
use crate::table::{Cells, Table};
use crate::vocabulary::{AppliesTo, Category, Form, ModalLevel};
use std::str::FromStr;

/// What parts address and headings in `Source`.
const SEPARATOR: &str = " | ";

/// What values were called, and what they are called.
const RENAMED: &[(&str, &str)] = &[("maybe", "should"), ("static", "output")];

/// The typed rows of a table.
pub(super) fn read(table: &Table<'_>, slug: &Slug) -> Result<Vec<ExtractionRow>, Problem> {
    let mut rows: Vec<ExtractionRow> = Vec::new();
    for cells in table.rows() {
        let id = ascending(&cells, slug, rows.last().map(|row| &row.id))?;
        let written = cells.text("Section context");
        let composed = parse_context(written).ok().zip(ExtractionNotes::parse(cells.text("Notes")).ok());
        let original = cells.filled("Original text")?;
        let (source, context, notes) = match composed {
            Some((context, notes)) => (cells.parse("Source")?, context, notes),
            None => (
                source(&cells)?,
                SectionContext::Prose(written.to_owned()),
                notes(&original, cells.text("Notes")),
            ),
        };
        rows.push(ExtractionRow {
            id,
            source,
            rule: cells.filled("Atomic rule")?,
            modal: value(&cells, "Modal level", ModalLevel::SPELLINGS)?,
            applies_to: applies_to(&cells)?,
            category: value(&cells, "Category", Category::SPELLINGS)?,
            original,
            context,
            notes,
        });
    }
    Ok(rows)
}

/// The cells of a row under our names, values spelled as the header suggests.
pub(super) fn cells(row: &ExtractionRow, old: &OldNames) -> Vec<String> {
    let SectionContext::Prose(prose) = &row.context else { return row.cells() };
    vec![
        row.id.to_string(),
        written_source(&row.source),
        row.original.clone(),
        row.rule.clone(),
        spelled("Modal level", row.modal.as_str(), old),
        compose_applies_to(&row.applies_to),
        row.category.to_string(),
        prose.clone(),
        row.notes.remark.clone().unwrap_or_default(),
    ]
}

/// A value of a vocabulary, by its spelling of today or the one it had, without regard to case.
pub(super) fn value<T>(cells: &Cells<'_>, column: &str, spellings: &[&str]) -> Result<T, Problem>
where
    T: FromStr<Err = UnknownValue>,
{
    known(cells.text(column), spellings)
        .map_err(|error: UnknownValue| cells.problem(column, error.to_string(), "correct the cell"))
}

/// As [`value`], of a text.
pub(super) fn known<T>(text: &str, spellings: &[&str]) -> Result<T, UnknownValue>
where
    T: FromStr<Err = UnknownValue>,
{
    let text = text.trim();
    let renamed = RENAMED.iter().find(|(old, new)| old.eq_ignore_ascii_case(text) && spellings.contains(new));
    let text = renamed.map_or(text, |(_, new)| new);
    spellings.iter().find(|spelling| spelling.eq_ignore_ascii_case(text)).unwrap_or(&text).parse()
}

/// A value as a column with an old name spells it.
pub(super) fn spelled(column: &str, value: &str, old: &OldNames) -> String {
    let renamed = RENAMED.iter().find(|(_, new)| *new == value && old.contains(column));
    renamed.map_or(value, |(old, _)| old).to_owned()
}

/// The values of `Applies to`, put into the order of the vocabulary.
pub(super) fn applies_to(cells: &Cells<'_>) -> Result<Vec<AppliesTo>, Problem> {
    let column = "Applies to";
    let mut values: Vec<AppliesTo> = cells
        .text(column)
        .split([',', ';'])
        .map(|text| known(text, AppliesTo::SPELLINGS))
        .collect::<Result<_, _>>()
        .map_err(|error: UnknownValue| cells.problem(column, error.to_string(), "correct the cell"))?;
    values.sort_unstable();
    values.dedup();
    Ok(values)
}

/// `Source` of a table that escapes nothing; it may lack a section.
pub(super) fn source(cells: &Cells<'_>) -> Result<SourceReference, Problem> {
    let mut parts = cells.text("Source").split(SEPARATOR).map(|part| part.trim().to_owned());
    let url = parts.next().filter(|url| !url.is_empty()).ok_or_else(|| {
        cells.problem("Source", "the address is missing", "expected `<URL> | <Section>[ | <Subsection>]`")
    })?;
    let section = SectionPath(parts.collect());
    let top = section.to_string() == SectionPath::default().to_string();
    Ok(SourceReference { url, section: if top { SectionPath::default() } else { section } })
}

/// `Source` without an escape.
pub(super) fn written_source(source: &SourceReference) -> String {
    let parts = std::iter::once(&source.url).chain(&source.section.0);
    parts.map(String::as_str).collect::<Vec<_>>().join(SEPARATOR)
}

/// What free prose says that has a field of its own; all of it stays as a remark.
pub(super) fn notes(original: &str, prose: &str) -> ExtractionNotes {
    let item = original.trim_start().trim_start_matches(['-', '*', '+']).trim_start();
    let checklist = ["[ ]", "[x]", "[X]"].iter().any(|mark| item.starts_with(mark));
    ExtractionNotes {
        form: if checklist { Form::Checklist } else { Form::Unstated },
        condition: None,
        preceding: None,
        part: None,
        trigger: trigger(prose),
        remark: Some(prose.to_owned()).filter(|prose| !prose.is_empty()),
    }
}

/// The first sentence, where it says when the rule applies.
fn trigger(prose: &str) -> Option<String> {
    let first = first_sentence(prose.trim_start()).trim_end_matches('.');
    let applies = ["if ", "when ", "where ", "to "];
    let conditional = first
        .strip_prefix("Applies only ")
        .is_some_and(|rest| applies.iter().any(|word| rest.starts_with(word)));
    let named = first.strip_prefix("Trigger: ").map(str::trim).filter(|trigger| !trigger.is_empty());
    named.or(conditional.then_some(first)).map(str::to_owned)
}

fn first_sentence(text: &str) -> &str {
    let ends = text.match_indices(". ").find(|(at, _)| {
        text[at + 2..].chars().next().is_none_or(|next| next.is_uppercase() || !next.is_alphanumeric())
    });
    ends.map_or(text, |(at, _)| &text[..=at])
}

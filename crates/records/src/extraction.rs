//! `corpora/<slug>/extraction.csv`: the frozen rows, nine columns (B.3). Never edited afterwards.

use crate::ids::{RuleId, Slug};
use crate::locator::SourceReference;
use crate::notes::{Fields, compose, quoted, unquoted};
use crate::problem::Problem;
use crate::proposal::{ContextQuote, Part};
use crate::table::{Cells, Table, render};
use crate::vocabulary::{AppliesTo, Category, Form, ModalLevel};
use std::path::Path;

pub(crate) const COLUMNS: &[&str] = &[
    "ID",
    "Source",
    "Original text",
    "Atomic rule",
    "Modal level",
    "Applies to",
    "Category",
    "Section context",
    "Notes",
];

/// One frozen row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ExtractionRow {
    /// The id, given at the freeze.
    pub id: RuleId,
    /// Address and section.
    pub source: SourceReference,
    /// The source's own text.
    pub original: String,
    /// The atomic restatement.
    pub rule: String,
    /// What the modal verb alone implies.
    pub modal: ModalLevel,
    /// One or more.
    pub applies_to: Vec<AppliesTo>,
    /// One of eight.
    pub category: Category,
    /// What the section says that the level turns on.
    pub context: SectionContext,
    /// The typed fields of `Notes`.
    pub notes: ExtractionNotes,
}

impl ExtractionRow {
    pub(crate) fn cells(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            self.source.to_string(),
            self.original.clone(),
            self.rule.clone(),
            self.modal.to_string(),
            compose_applies_to(&self.applies_to),
            self.category.to_string(),
            compose_context(&self.context),
            self.notes.compose(),
        ]
    }
}

/// What a section says that the level of a rule turns on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SectionContext {
    /// Its sentences, quoted, each by what it does for the rule. None: it says nothing of the kind.
    Quotes(Vec<ContextQuote>),
    /// What a person or a model wrote of it in their own words, in an imported row.
    Prose(String),
}

impl SectionContext {
    /// The sentences that are quoted.
    pub fn quotes(&self) -> &[ContextQuote] {
        match self {
            SectionContext::Quotes(quotes) => quotes,
            SectionContext::Prose(_) => &[],
        }
    }
}

/// The fields of `Notes` in an extraction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ExtractionNotes {
    /// The form in which the source states the rule.
    pub form: Form,
    /// When the rule applies.
    pub condition: Option<String>,
    /// The clause before a quote that begins mid-sentence.
    pub preceding: Option<String>,
    /// Which part of a bundle this is.
    pub part: Option<Part>,
    /// The subsystem or kind of change that the rule is conditional on.
    pub trigger: Option<String>,
    /// What an imported row said in free prose.
    pub remark: Option<String>,
}

const NO_CONDITION: &str = "none stated";

impl ExtractionNotes {
    /// The cell.
    pub fn compose(&self) -> String {
        let condition = self.condition.clone().unwrap_or_else(|| NO_CONDITION.to_owned());
        let mut fields = vec![("Form", self.form.to_string()), ("Condition", condition)];
        if let Some(preceding) = &self.preceding {
            fields.push(("Preceding", quoted(preceding)));
        }
        if let Some(part) = self.part {
            fields.push(("Part", format!("{} of {}", part.index, part.of)));
        }
        if let Some(trigger) = &self.trigger {
            fields.push(("Trigger", trigger.clone()));
        }
        if let Some(remark) = &self.remark {
            fields.push(("Remark", remark.clone()));
        }
        compose(fields)
    }

    /// Reads the cell back.
    ///
    /// # Errors
    /// A field that is missing, unknown, doubled or malformed, in words.
    pub fn parse(cell: &str) -> Result<Self, String> {
        let mut fields = Fields::parse(cell)?;
        let form = fields
            .require("Form")?
            .parse()
            .map_err(|error: crate::problem::UnknownValue| error.to_string())?;
        let notes = ExtractionNotes {
            form,
            condition: Some(fields.require("Condition")?).filter(|condition| condition != NO_CONDITION),
            preceding: fields.take("Preceding").map(|text| unquoted(&text)).transpose()?,
            part: fields.take("Part").map(|text| parse_part(&text)).transpose()?,
            trigger: fields.take("Trigger"),
            remark: fields.take("Remark"),
        };
        fields.finish(&["Form", "Condition", "Preceding", "Part", "Trigger", "Remark"])?;
        Ok(notes)
    }
}

fn parse_part(text: &str) -> Result<Part, String> {
    let numbers =
        text.split_once(" of ").and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((index, of)) => Ok(Part { index, of }),
        None => Err(format!("`{text}` is no part: expected `1 of 2`")),
    }
}

const NO_CONTEXT: &str =
    "none: the section grants no exception, states no consequence, names no tool and no alternative";

const PROSE: &str = "prose: ";

/// The `Section context` cell.
pub fn compose_context(context: &SectionContext) -> String {
    match context {
        SectionContext::Prose(prose) => format!("{PROSE}{}", quoted(prose)),
        SectionContext::Quotes(quotes) if quotes.is_empty() => NO_CONTEXT.to_owned(),
        SectionContext::Quotes(quotes) => {
            compose(quotes.iter().map(|context| (context.kind.as_str(), quoted(&context.quote))))
        }
    }
}

/// Reads the `Section context` cell back.
///
/// # Errors
/// A kind that is unknown, or a quote without marks, in words.
pub fn parse_context(cell: &str) -> Result<SectionContext, String> {
    if cell == NO_CONTEXT {
        return Ok(SectionContext::Quotes(Vec::new()));
    }
    if let Some(prose) = cell.strip_prefix(PROSE) {
        return unquoted(prose).map(SectionContext::Prose);
    }
    let quotes = crate::notes::split_escaped(cell).into_iter().map(|part| {
        let Some((kind, quote)) = part.split_once(": ") else {
            return Err(format!("`{part}` has no kind: expected `kind: \"quote\"`"));
        };
        let kind = kind.parse().map_err(|error: crate::problem::UnknownValue| error.to_string())?;
        Ok(ContextQuote { kind, quote: unquoted(quote)? })
    });
    quotes.collect::<Result<_, String>>().map(SectionContext::Quotes)
}

/// The `Applies to` cell.
pub fn compose_applies_to(values: &[AppliesTo]) -> String {
    values.iter().map(|value| value.as_str()).collect::<Vec<_>>().join(",")
}

pub(crate) fn parse_applies_to(cells: &Cells<'_>) -> Result<Vec<AppliesTo>, Problem> {
    let column = "Applies to";
    let mut values = Vec::new();
    for text in cells.text(column).split(',') {
        let value: AppliesTo = text.trim().parse().map_err(|error: crate::problem::UnknownValue| {
            cells.problem(column, error.to_string(), "correct the cell")
        })?;
        if values.last().is_some_and(|last| *last >= value) {
            let order = AppliesTo::SPELLINGS.join(", ");
            return Err(cells.problem(
                column,
                format!("`{value}` is out of order or doubled"),
                format!("the order is {order}"),
            ));
        }
        values.push(value);
    }
    Ok(values)
}

/// The `ID` cell: of this project, and above the one before it.
pub(crate) fn ascending(cells: &Cells<'_>, slug: &Slug, last: Option<&RuleId>) -> Result<RuleId, Problem> {
    let id: RuleId = cells.parse("ID")?;
    if id.prefix() != slug.prefix() {
        return Err(cells.problem(
            "ID",
            format!("`{id}` does not carry the prefix of `{slug}`, which is `{}`", slug.prefix()),
            "the prefix is derived from the slug and never typed",
        ));
    }
    if last.is_some_and(|last| *last >= id) {
        return Err(cells.problem("ID", format!("`{id}` is out of order or doubled"), "sort the rows by id"));
    }
    Ok(id)
}

/// The frozen extraction of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extraction {
    /// Its rows, in the order of their ids.
    pub rows: Vec<ExtractionRow>,
}

impl Extraction {
    /// Parses the file; `path` is only named in errors.
    ///
    /// # Errors
    /// With row, line, column, value and the values allowed. Ids have to ascend and carry the prefix
    /// of `slug`; gaps are left where rows were retired.
    pub fn parse(path: &Path, slug: &Slug, text: &str) -> Result<Self, Problem> {
        let table = Table::parse(path, text, COLUMNS)?;
        let mut rows: Vec<ExtractionRow> = Vec::new();
        for cells in table.rows() {
            let id = ascending(&cells, slug, rows.last().map(|row| &row.id))?;
            let field =
                |column: &'static str, message: String| cells.problem(column, message, "correct the cell");
            rows.push(ExtractionRow {
                id,
                source: cells.parse("Source")?,
                original: cells.filled("Original text")?,
                rule: cells.filled("Atomic rule")?,
                modal: cells.parse("Modal level")?,
                applies_to: parse_applies_to(&cells)?,
                category: cells.parse("Category")?,
                context: parse_context(cells.text("Section context"))
                    .map_err(|message| field("Section context", message))?,
                notes: ExtractionNotes::parse(cells.text("Notes"))
                    .map_err(|message| field("Notes", message))?,
            });
        }
        Ok(Extraction { rows })
    }

    /// The text of the file.
    ///
    /// # Errors
    /// Only where the table cannot be written at all, which is a fault of ours.
    pub fn render(&self, path: &Path) -> Result<String, Problem> {
        render(COLUMNS, self.rows.iter().map(ExtractionRow::cells))
            .map_err(|error| Problem::new(path, error.to_string(), "report this as a bug"))
    }
}

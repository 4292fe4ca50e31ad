//! The rows of a released corpus, with their labels.

use super::rows::{applies_to, known, notes, source, spelled, value, written_source};
use super::{Oddity, OldNames};
use crate::corpus::{CorpusRow, IN_SCOPE, OUT_OF_SCOPE, OutOfScope, Reasoning, Verdict};
use crate::extraction::{ExtractionNotes, ExtractionRow, SectionContext, ascending};
use crate::ids::{RuleId, Slug};
use crate::notes::unquoted;
use crate::problem::{Malformed, Problem, UnknownValue};
use crate::table::{Cells, Table};
use crate::vocabulary::{Category, EvidenceType, Level, LevelRoute, ModalLevel, OddityKind, ScopeRoute};
use std::collections::BTreeMap;
use std::str::FromStr;

/// What the line of reasoning says where the file has none.
const UNSTATED: &str = "none was imported";

/// The fields that `Notes` may have.
const FIELDS: &[&str] = &[
    "Route",
    "Modal",
    "Naive strength",
    "Quote",
    "Context",
    "Conclusion",
    "Also",
    "Trigger",
    "Auto-fix",
    "Conflict",
    "Low confidence",
];

/// The typed rows of a table, and what they do not state.
pub(super) fn read(
    table: &Table<'_>,
    slug: &Slug,
    oddities: &mut Vec<Oddity>,
) -> Result<Vec<CorpusRow>, Problem> {
    let mut rows: Vec<CorpusRow> = Vec::new();
    for cells in table.rows() {
        let id = ascending(&cells, slug, rows.last().map(|row| &row.id))?;
        let row = match CorpusRow::parse(&cells) {
            Ok(row) => row,
            Err(_) => {
                Labels { cells: &cells, notes: Loose::parse(cells.text("Notes")), oddities, id }.row()?
            }
        };
        rows.push(row);
    }
    Ok(rows)
}

/// The cells of a row under our names, values spelled as the header suggests.
pub(super) fn cells(row: &CorpusRow, old: &OldNames) -> Vec<String> {
    let mut cells = row.cells();
    let unstated = row.reasoning.context == UNSTATED;
    for (column, cell) in crate::corpus::COLUMNS.iter().zip(&mut cells) {
        match *column {
            "Source" if unstated => *cell = written_source(&row.source),
            "Notes" if unstated => *cell = row.remark.clone().unwrap_or_default(),
            column => *cell = spelled(column, cell, old),
        }
    }
    cells
}

/// The row without its labels.
pub(super) fn extraction_row(row: &CorpusRow) -> ExtractionRow {
    ExtractionRow {
        id: row.id.clone(),
        source: row.source.clone(),
        original: row.original.clone(),
        rule: row.rule.clone(),
        modal: row.modal,
        applies_to: row.applies_to.clone(),
        category: row.category,
        context: SectionContext::Prose(row.reasoning.context.clone()),
        notes: ExtractionNotes {
            trigger: row.trigger.clone(),
            remark: row.remark.clone(),
            ..notes(&row.original, "")
        },
    }
}

/// `Notes` by whoever wrote it: fields that are known, and the rest.
struct Loose {
    fields: BTreeMap<&'static str, String>,
    rest: Vec<String>,
}

impl Loose {
    fn parse(cell: &str) -> Self {
        let mut loose = Loose { fields: BTreeMap::new(), rest: Vec::new() };
        for part in cell.split(" | ").filter(|part| !part.is_empty()) {
            let field = part.split_once(": ").and_then(|(name, value)| {
                let name = FIELDS.iter().find(|field| **field == name.trim())?;
                Some((*name, value.trim())).filter(|(name, _)| !loose.fields.contains_key(name))
            });
            match field {
                Some((name, value)) => {
                    loose.fields.insert(name, value.to_owned());
                }
                None => loose.rest.push(part.to_owned()),
            }
        }
        loose
    }

    fn take(&mut self, name: &str) -> Option<String> {
        self.fields.remove(name)
    }
}

/// One row that is being read.
struct Labels<'c> {
    cells: &'c Cells<'c>,
    notes: Loose,
    oddities: &'c mut Vec<Oddity>,
    id: RuleId,
}

impl Labels<'_> {
    fn row(mut self) -> Result<CorpusRow, Problem> {
        let cells = self.cells;
        let evidence = value(cells, "Evidence Type", EvidenceType::SPELLINGS)?;
        let verdict = self.verdict(evidence)?;
        let modal = self.modal(verdict.level())?;
        let original = cells.filled("Original text")?;
        let conflict = self.notes.take("Conflict").map(|id| id.parse()).transpose();
        let conflict = conflict.map_err(|error: Malformed| self.note(error.to_string()))?;
        let reasoning = self.reasoning(&original);
        let (trigger, auto_fix) = (self.notes.take("Trigger"), self.notes.take("Auto-fix"));
        let low_confidence = self.notes.take("Low confidence");
        let remark = Some(self.notes.rest.join(" | ")).filter(|rest| !rest.is_empty());
        let trigger = trigger.or_else(|| notes("", remark.as_deref().unwrap_or_default()).trigger);
        Ok(CorpusRow {
            source: source(cells)?,
            rule: cells.filled("Atomic rule")?,
            applies_to: applies_to(cells)?,
            category: value(cells, "Category", Category::SPELLINGS)?,
            id: self.id,
            original,
            evidence,
            verdict,
            modal,
            reasoning,
            trigger,
            auto_fix,
            conflict,
            low_confidence,
            remark,
        })
    }

    fn odd(&mut self, kind: OddityKind, what: impl Into<String>) {
        self.oddities.push(Oddity { kind, rule: self.id.clone(), what: what.into() });
    }

    fn note(&self, message: String) -> Problem {
        self.cells.problem("Notes", message, "correct the cell")
    }

    fn verdict(&mut self, evidence: EvidenceType) -> Result<Verdict, Problem> {
        let text = self.cells.text("In scope").trim().to_ascii_lowercase();
        let also = self.notes.take("Also").unwrap_or_default();
        match text.as_str() {
            IN_SCOPE | "true" => {
                let route = self.level_route()?;
                if evidence == EvidenceType::Judgment {
                    return Err(self.cells.problem(
                        "In scope",
                        "judgment is never in scope",
                        "correct the evidence type, or put the row out of scope",
                    ));
                }
                Ok(Verdict::InScope { route, also: self.others(&also)? })
            }
            OUT_OF_SCOPE | "false" => {
                let route = self.out_of_scope()?;
                let mut also: Vec<ScopeRoute> = self.others(&also)?;
                let judged = evidence == EvidenceType::Judgment && route == OutOfScope::NotObservable;
                if judged && !also.contains(&ScopeRoute::N2) {
                    self.odd(OddityKind::RouteUnstated, "judgment is N2 as well");
                    also.push(ScopeRoute::N2);
                }
                Ok(Verdict::OutOfScope { route, also })
            }
            other => Err(self.cells.problem(
                "In scope",
                format!("`{other}` is neither; allowed: {IN_SCOPE}, {OUT_OF_SCOPE}, true, false"),
                "correct the cell",
            )),
        }
    }

    fn level_route(&mut self) -> Result<LevelRoute, Problem> {
        let column = "Requirement level";
        let prohibited = self.cells.text(column).trim().eq_ignore_ascii_case(ModalLevel::Prohibited.as_str());
        let level = if prohibited { Level::Must } else { value(self.cells, column, Level::SPELLINGS)? };
        let Some(route) = self.notes.take("Route") else {
            let (route, named) = match level {
                Level::Must if prohibited => (LevelRoute::M2, "M2"),
                Level::Must => (LevelRoute::M1, "M1"),
                Level::Should => (LevelRoute::D1, "D1"),
            };
            self.odd(OddityKind::RouteUnstated, format!("taken to be {named}"));
            return Ok(route);
        };
        let route: LevelRoute =
            known(&route, LevelRoute::SPELLINGS).map_err(|error| self.note(error.to_string()))?;
        if route.level() != level {
            let message =
                format!("`{level}` does not follow from route {route}, which leads to {}", route.level());
            return Err(self.cells.problem(column, message, "correct the level or the route in `Notes`"));
        }
        Ok(route)
    }

    fn others<T: FromStr<Err = UnknownValue>>(&self, also: &str) -> Result<Vec<T>, Problem> {
        let named = also.split(',').map(str::trim).filter(|name| !name.is_empty());
        named.map(|name| name.parse().map_err(|error: UnknownValue| self.note(error.to_string()))).collect()
    }

    /// `N1`, `N3 duplicate of PSF-C002`, `Duplicate (PSF-C002)`: by its code or its word.
    fn out_of_scope(&self) -> Result<OutOfScope, Problem> {
        let text = self.cells.text("Out-of-scope route").trim();
        if let Ok(route) = text.parse::<OutOfScope>() {
            return Ok(route);
        }
        let lower = text.to_lowercase();
        let is = |code: &str, word: &str| lower.starts_with(code) || lower.contains(word);
        if is("n3", "duplicate") {
            let id = text.split(|c: char| c.is_whitespace() || "(),;:`".contains(c));
            return id.filter_map(|word| word.parse().ok()).next().map(OutOfScope::Duplicate).ok_or_else(
                || {
                    self.cells.problem(
                        "Out-of-scope route",
                        format!("`{text}` does not name the rule that governs"),
                        "name its id",
                    )
                },
            );
        }
        if is("n1", "not observable") {
            Ok(OutOfScope::NotObservable)
        } else if is("n2", "subjective") {
            Ok(OutOfScope::Subjective)
        } else if is("n4", "trigger") {
            Ok(OutOfScope::Trigger)
        } else {
            text.parse::<OutOfScope>()
                .map_err(|message| self.cells.problem("Out-of-scope route", message, "correct the cell"))
        }
    }

    fn modal(&mut self, level: Option<Level>) -> Result<ModalLevel, Problem> {
        if let Some(text) = self.notes.take("Modal").or_else(|| self.notes.take("Naive strength")) {
            return known(&text, ModalLevel::SPELLINGS).map_err(|error| self.note(error.to_string()));
        }
        let modal = if level == Some(Level::Should) { ModalLevel::Should } else { ModalLevel::Must };
        self.odd(OddityKind::ModalUnstated, format!("taken to be {modal}"));
        Ok(modal)
    }

    fn reasoning(&mut self, original: &str) -> Reasoning {
        let mut take = |name| self.notes.take(name);
        let (quote, context, conclusion) = (take("Quote"), take("Context"), take("Conclusion"));
        if quote.is_none() && context.is_none() && conclusion.is_none() {
            self.odd(OddityKind::ReasoningUnstated, UNSTATED);
        }
        let first = || original.split_whitespace().take(12).collect::<Vec<_>>().join(" ");
        Reasoning {
            quote: quote.map_or_else(first, |quote| unquoted(&quote).unwrap_or(quote)),
            context: context.unwrap_or_else(|| UNSTATED.to_owned()),
            conclusion: conclusion.unwrap_or_else(|| UNSTATED.to_owned()),
        }
    }
}

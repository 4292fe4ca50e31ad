//! What is odd about imported rows: told, never lost, and no reason to refuse them.

use super::foreign::Foreign;
use crate::extraction::ExtractionRow;
use crate::ids::RuleId;
use crate::vocabulary::OddityKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// Something odd about a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Oddity {
    /// Of what kind.
    pub kind: OddityKind,
    /// The row.
    pub rule: RuleId,
    /// What it is here: the sign, the column, the rows that share a quote.
    pub what: String,
}

/// Signs that pieces of a source were put together.
const JOINTS: &[&str] = &[" / ", ": - ", ": * "];

/// Signs that something was left out; the longest first.
const ELISIONS: &[&str] = &["[...]", "[…]", "...", "…"];

/// What shows in the rows themselves.
pub(super) fn of_rows(rows: &[ExtractionRow]) -> Vec<Oddity> {
    let mut oddities = Vec::new();
    let mut sharing: BTreeMap<&str, Vec<&RuleId>> = BTreeMap::new();
    let mut expected = 1;
    for row in rows {
        let mut odd = |kind, what: String| oddities.push(Oddity { kind, rule: row.id.clone(), what });
        for (kind, signs) in [(OddityKind::Joined, JOINTS), (OddityKind::Elided, ELISIONS)] {
            if let Some(sign) = signs.iter().find(|sign| row.original.contains(**sign)) {
                odd(kind, format!("`{}` in the quote", sign.trim()));
            }
        }
        if row.id.number() != expected {
            odd(OddityKind::Gap, format!("number {expected} was expected"));
        }
        expected = row.id.number().saturating_add(1);
        sharing.entry(&row.original).or_default().push(&row.id);
    }
    for ids in sharing.into_values().filter(|ids| ids.len() > 1) {
        for id in &ids {
            let others: Vec<String> =
                ids.iter().filter(|other| other != &id).map(ToString::to_string).collect();
            let what = format!("also {}", others.join(", "));
            oddities.push(Oddity { kind: OddityKind::Reused, rule: (*id).clone(), what });
        }
    }
    oddities
}

/// What shows in the cells as they were written: emptiness that is no value of theirs.
pub(super) fn of_cells(foreign: &Foreign, rows: &[ExtractionRow]) -> Vec<Oddity> {
    let mut oddities = Vec::new();
    for (row, written) in rows.iter().zip(&foreign.rows) {
        for (index, cell) in written.iter().enumerate() {
            let column = foreign.headings.name(index);
            let cell = cell.trim();
            let kind = if cell.eq_ignore_ascii_case("none") {
                OddityKind::LiteralNone
            } else if cell.is_empty() && matches!(column, "Section context" | "Notes") {
                OddityKind::Blank
            } else {
                continue;
            };
            oddities.push(Oddity { kind, rule: row.id.clone(), what: column.to_owned() });
        }
    }
    oddities
}

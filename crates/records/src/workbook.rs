//! `corpora/<slug>/rules.xlsx`: the corpus for people who work in a spreadsheet.
//!
//! The workbook carries what it was written from on a hidden sheet, so that edits made in it are merged
//! three ways whatever happened to `rules.csv` since: what the workbook was written with, what stands in
//! it now, what the corpus has.

mod base;
mod merging;
mod reading;
mod writing;

pub use merging::merge;
pub use reading::{EditedRow, read};
pub use writing::write;

use crate::problem::Problem;
use std::borrow::Cow;
use std::fmt;

/// The sheet with the rows.
pub const RULES: &str = "Rules";
/// The sheet with the counts. They are made anew with every workbook and never read.
pub const CATEGORIES: &str = "Category Aggregation";
/// The hidden sheet with what the workbook was written from.
const BASE: &str = "polc";

/// Schema version of the hidden sheet.
pub const SCHEMA: u32 = 1;

/// The most UTF-16 units that a cell can hold.
const CELL_LIMIT: usize = 32_767;

/// Everything that is wrong with a workbook, told at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(pub Vec<Problem>);

impl fmt::Display for Faults {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(out, "{end}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

impl From<Problem> for Faults {
    fn from(problem: Problem) -> Self {
        Faults(vec![problem])
    }
}

/// A text as a cell shows it: every line end is a line feed, since spreadsheet programs keep no other.
fn shown(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether two texts are the same cell.
fn same_cell(one: &str, other: &str) -> bool {
    shown(one) == shown(other)
}

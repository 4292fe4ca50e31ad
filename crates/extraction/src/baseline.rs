//! The engine without a model: words and phrases kept as data.
//!
//! Ledger first: every sentence of every section in scope is read once, and the rows are the
//! sentences that oblige.

pub mod clause;
pub mod extract;
mod tag;
pub(crate) mod units;

/// The name of the engine in every file it writes.
pub const ENGINE: &str = "baseline";
/// Its version: a change of what it proposes or answers for any input is a new one.
pub const ENGINE_VERSION: &str = "3";

//! From the bytes of a document to positions that a quote can be proven at.
//!
//! A snapshot's bytes become a [`Document`]: its quoting text, the tree of blocks and the headings
//! above every position. [`locate::Index`] finds quotes in it after one normalisation and answers
//! with a locator, or with the nearest passage. [`mod@reference`] puts references in the place of what
//! a file has of its sources' own words, and restores them. Of our crates this one uses only `records`, for the
//! types that end up in files.

pub mod document;
pub mod dom;
mod html;
mod links;
pub mod locate;
mod markdown;
pub mod nearest;
pub mod normal;
pub mod page;
mod plain;
pub mod reading;
pub mod reference;
mod rst;
pub mod sentence;
pub mod snapshots;
mod yaml;

pub use document::{Block, BlockId, BlockKind, Document, Format, Prose, Section};

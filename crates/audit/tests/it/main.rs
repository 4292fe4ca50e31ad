//! The audit, apart from files.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails its test")]

mod agreement;
mod allocation;
mod draw;
mod estimate;
mod made;
mod score;
mod sheet;

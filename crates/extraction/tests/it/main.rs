//! The baseline engine, the tables and the gates, on documents of our own and on real ones.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails its test")]

mod classifying;
mod clauses;
mod drifting;
mod extracting;
mod hostile;
mod manifest;
mod prompts;
mod relabelling;
mod reviewing;

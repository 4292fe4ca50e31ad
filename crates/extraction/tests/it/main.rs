//! The baseline engine, the tables and the gates, on documents of our own and on real ones.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails its test")]

mod answering;
mod assessing;
mod classifying;
mod clauses;
mod drawing;
mod drifting;
mod endpoint;
mod extracting;
mod hostile;
mod injected;
mod injections;
mod manifest;
mod prompts;
mod quality;
mod relabelling;
mod reviewing;

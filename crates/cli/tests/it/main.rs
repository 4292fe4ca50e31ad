//! The program as people run it: real repositories, the real binary, the documentation as written.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails its test")]

mod accept;
mod agreement;
mod asking;
mod audit;
mod audit_writers;
mod check;
mod collect;
mod docs;
mod drift;
mod drift_sites;
mod github;
mod github_drift;
mod grade;
mod grounding;
mod house;
mod hydrate;
mod import;
mod killed;
mod labelling;
mod polc;
mod recorded;
mod road;
mod siblings;
mod sites;
mod task;
mod workbook;

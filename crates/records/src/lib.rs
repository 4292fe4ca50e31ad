//! Every file that `polc` reads or writes, as types.
//!
//! The closed vocabularies are enums with one spelling on disk; ids and digests are newtypes; each
//! file has a schema version, refuses a newer one, rejects unknown fields, and is saved so that
//! loading and saving again gives the same bytes. Nothing here decides anything: stage crates meet
//! in these files and do not import each other.

pub mod asked;
pub mod audit;
pub mod config;
pub mod corpus;
pub mod decisions;
pub mod digest;
pub mod endpoint;
pub mod extraction;
pub mod facts;
pub mod ids;
pub mod import;
pub mod labels;
pub mod layout;
pub mod ledger;
pub mod locator;
pub mod manifest;
pub mod money;
pub mod notes;
pub mod pages;
pub mod pin;
pub mod prices;
pub mod problem;
pub mod project;
pub mod proposal;
pub mod recording;
pub mod references;
pub mod snapshot;
pub mod store;
pub mod table;
pub mod visible;
pub mod vocabulary;
pub mod waivers;
pub mod workbook;

pub use digest::Digest;
pub use problem::Problem;

//! The first three stages: a project is described, its repository pinned, its policy files fetched.
//!
//! Background: B.1 of the paper. Everything is read at the pin; nothing is claimed about a file that
//! was not read.

pub mod crawl;
pub mod discovery;
pub mod fetch;
pub mod pin;
pub mod project;
pub mod refresh;

use polc_git::GitError;
use polc_records::Problem;

/// Why a stage could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum SourcesError {
    /// A file of ours.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The repository.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The project is described already, in other words.
    #[error(
        "the project `{slug}` exists already and differs in {what}\nhelp: edit {file}, or give it another slug with --slug"
    )]
    Exists {
        /// The slug.
        slug: polc_records::ids::Slug,
        /// What differs.
        what: String,
        /// The file.
        file: String,
    },
    /// A name that makes no slug.
    #[error("{0}\nhelp: choose one with --slug")]
    Slug(polc_records::problem::Malformed),
    /// The pinned blobs are not what the repository's commit holds.
    #[error("{0}")]
    Pin(String),
}

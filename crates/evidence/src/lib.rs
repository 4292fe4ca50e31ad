//! From where a contribution is kept to what a checker may look at.

pub mod adapter;
pub mod base;
mod claude_code;
mod codex;
pub mod collect;
mod files;
mod foreign;
mod mini_swe_agent;
pub mod openhands;
pub mod packed;
mod plain;
pub mod pull;
pub mod range;
pub mod reports;
pub mod run;
pub mod sample;
pub mod sections;
pub mod store;
mod swe_agent;
pub mod task;
pub mod transcript;

use polc_git::GitError;
use polc_net::github::GitHubError;

/// Why no evidence could be made.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// The repository.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The host of the pull request.
    #[error(transparent)]
    GitHub(#[from] GitHubError),
    /// The address of the pull request.
    #[error("`{address}`: this is no pull request that can be read: {why}")]
    Address {
        /// What was given.
        address: String,
        /// What is wrong.
        why: String,
    },
    /// The text of the pull request.
    #[error(
        "{file}: cannot read it: {error}\nhelp: name a file with the title on its first line and the body below"
    )]
    PullRequestText {
        /// The file.
        file: String,
        /// What the system said.
        error: std::io::Error,
    },
}

//! The first three stages: a project is described, its sources pinned, its policy files fetched.
//!
//! Background: B.1 of the paper. Everything is read at the pin; nothing is claimed about a file that
//! was not read.

pub mod crawl;
pub mod defaults;
pub mod discovery;
pub mod fetch;
pub mod github;
pub mod pin;
pub mod project;
pub mod refresh;
pub mod rendered;
pub mod siblings;

use polc_git::GitError;
use polc_net::{Disallowed, FetchError, Url};
use polc_records::Problem;
use std::fmt;

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
    /// The network.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// GitHub.
    #[error(transparent)]
    GitHub(#[from] polc_net::github::GitHubError),
    /// GitHub answered with something that is no name, id or mode.
    #[error(
        "GitHub says something unexpected of `{repository}`: {what}\nhelp: check GITHUB_API_URL; if it is right, use a clone"
    )]
    Unexpected {
        /// The repository.
        repository: polc_records::ids::Repository,
        /// What.
        what: String,
    },
    /// A project without published documentation.
    #[error(
        "the project `{slug}` names no published documentation\nhelp: add `docs = \"URL\"` to its project.toml"
    )]
    NoDocs {
        /// The slug.
        slug: polc_records::ids::Slug,
    },
    /// The entry page of a site.
    #[error("`{url}` {why}\nhelp: {remedy}")]
    Entry {
        /// The address.
        url: Box<Url>,
        /// What is wrong with it.
        why: String,
        /// What helps.
        remedy: Remedy,
    },
    /// A site that states versions which cannot all be right.
    #[error(
        "the site of `{url}` states versions that disagree:\n  {claims}\nhelp: find out which one it is, and say so \
         with --version V --reason TEXT"
    )]
    Conflict {
        /// The entry page.
        url: Box<Url>,
        /// What states which version, and where.
        claims: String,
    },
    /// A site that has moved on since it was pinned.
    #[error(
        "the site serves another release than the pinned one: {0}\nhelp: run `polc pin` again, or name the address of \
         the pinned release in project.toml"
    )]
    OtherRelease(Box<pin::site::Changed>),
    /// A site that states no version.
    #[error(
        "nothing on the site of `{url}` states a version\nhelp: say which one it is with --version V --reason TEXT, or \
         with --unversioned --reason TEXT that the bytes of the page are all there is to go by"
    )]
    NoVersion {
        /// The entry page.
        url: Box<Url>,
    },
    /// A site that was said to state no version, and does.
    #[error("the site of `{url}` is not unversioned:\n  {claims}\nhelp: leave --unversioned away")]
    Versioned {
        /// The entry page.
        url: Box<Url>,
        /// What states which version, and where.
        claims: String,
    },
    /// The pinned blobs are not what the repository's commit holds.
    #[error("{0}")]
    Pin(String),
}

/// What helps where the entry page of a site cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Another address: there is nothing to be read at this one.
    Correct,
    /// Another time: the address is right, and its server cannot answer now, or not so often.
    Wait,
    /// Another way: the site does not let us read it.
    AskOrMirror,
}

impl Remedy {
    /// What helps against a status.
    pub fn of_status(status: u16) -> Self {
        match status {
            408 | 425 | 429 | 500..=599 => Self::Wait,
            401 | 403 | 407 | 451 => Self::AskOrMirror,
            _ => Self::Correct,
        }
    }
}

impl Remedy {
    /// What helps where there was no answer; none where the error says it all.
    pub fn of_error(error: &FetchError) -> Option<Self> {
        match error {
            FetchError::RobotsDisallow { why: Disallowed::ByRule, .. } => Some(Self::AskOrMirror),
            FetchError::RobotsDisallow { why: Disallowed::Unavailable { .. }, .. } => Some(Self::Wait),
            error => error.may_pass().then_some(Self::Wait),
        }
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Correct => "correct `docs` in project.toml, or where it is read (--served)",
            Self::Wait => {
                "the address need not be wrong: wait some minutes, longer where the server says how long, and run the \
                 command again; what was read is kept, and polc spaces its requests out already. If it stays so, name a \
                 mirror (`polc pin --served URL`)"
            }
            Self::AskOrMirror => {
                "polc obeys robots.txt, and solves no challenge and no login: ask the keepers of the site, or name a \
                 mirror that may be read (`polc pin --served URL`)"
            }
        })
    }
}

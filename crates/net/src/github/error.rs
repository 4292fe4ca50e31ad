//! What GitHub did not do, for the person who asked for it.

use crate::error::FetchError;
use crate::limited::LimitKind;
use std::fmt;

/// Why GitHub gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum GitHubError {
    /// There was no answer, or a limit was reached.
    #[error("{what} could not be read: {error}{}", advice(.error, *.token))]
    Fetch {
        /// What was asked for.
        what: String,
        /// Why not.
        error: FetchError,
        /// Whether the request said who we are.
        token: bool,
    },
    /// It is not there, or is not for us: GitHub does not say which.
    #[error("{what} is not there, or is private and {}\nhelp: check the spelling; {}", Reader(*.token), remedy(*.token))]
    Missing {
        /// What was asked for.
        what: String,
        /// Whether the request said who we are.
        token: bool,
    },
    /// The token is none.
    #[error(
        "GitHub does not know the token in GITHUB_TOKEN ({message})\nhelp: make a new one, or unset it: public repositories need none"
    )]
    Token {
        /// What GitHub says.
        message: String,
    },
    /// It may not be read by us.
    #[error("{what} may not be read: {message}\nhelp: this is no limit that passes; {}", remedy(*.token))]
    Forbidden {
        /// What was asked for.
        what: String,
        /// What GitHub says.
        message: String,
        /// Whether the request said who we are.
        token: bool,
    },
    /// Some other status.
    #[error(
        "{what} could not be read: GitHub answers {status}: {message}\nhelp: check the name of the branch, tag or commit"
    )]
    Status {
        /// What was asked for.
        what: String,
        /// The status.
        status: u16,
        /// What GitHub says.
        message: String,
    },
    /// An answer that is none.
    #[error(
        "{what} could not be read: the answer is not what GitHub documents: {why}\nhelp: check GITHUB_API_URL"
    )]
    Unreadable {
        /// What was asked for.
        what: String,
        /// What is wrong with it.
        why: String,
    },
    /// A listing that cannot be had whole.
    #[error(
        "{what} has more entries than GitHub lists, so nothing can be said of what is not in it\nhelp: clone the repository and name the clone (`git` in project.toml)"
    )]
    CutShort {
        /// What was asked for.
        what: String,
    },
    /// Bytes that are not those that were asked for.
    #[error(
        "{what} came with other bytes, whose id is {found}\nhelp: run the command again; if it stays so, use a clone"
    )]
    OtherBytes {
        /// What was asked for.
        what: String,
        /// The id of what came.
        found: String,
    },
}

impl GitHubError {
    /// Whether there is no such thing, as far as we may know: a name that leads nowhere, a repository without a commit,
    /// or one that is closed to us.
    pub fn says_missing(&self) -> bool {
        match self {
            Self::Missing { .. } | Self::Forbidden { .. } => true,
            Self::Status { status, .. } => matches!(status, 409 | 410 | 422 | 451),
            Self::Fetch { .. }
            | Self::Token { .. }
            | Self::Unreadable { .. }
            | Self::CutShort { .. }
            | Self::OtherBytes { .. } => false,
        }
    }

    /// Whether whatever else is asked for in this run fails as well.
    pub fn ends_run(&self) -> bool {
        match self {
            Self::Fetch { error, .. } => matches!(
                error,
                FetchError::Limited { .. }
                    | FetchError::Offline { .. }
                    | FetchError::Unreachable { .. }
                    | FetchError::HostGivenUp { .. }
            ),
            Self::Token { .. } => true,
            Self::Missing { .. }
            | Self::Forbidden { .. }
            | Self::Status { .. }
            | Self::Unreadable { .. }
            | Self::CutShort { .. }
            | Self::OtherBytes { .. } => false,
        }
    }

    pub(super) fn of(what: String, error: octocrab::Error, token: bool) -> Self {
        match error {
            octocrab::Error::GitHub { source, .. } => {
                let (status, message) = (source.status_code.as_u16(), source.message.clone());
                match status {
                    401 => Self::Token { message },
                    403 => Self::Forbidden { what, message, token },
                    404 => Self::Missing { what, token },
                    _ => Self::Status { what, status, message },
                }
            }
            octocrab::Error::Service { source, .. } => match source.downcast::<FetchError>() {
                Ok(error) => Self::Fetch { what, error: *error, token },
                Err(other) => Self::Unreadable { what, why: other.to_string() },
            },
            octocrab::Error::Json { source, .. } => {
                Self::Unreadable { what, why: format!("`{}`: {}", source.path(), source.inner()) }
            }
            other => Self::Unreadable { what, why: other.to_string() },
        }
    }
}

/// What whoever reads may do.
struct Reader(bool);

impl fmt::Display for Reader {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if self.0 { "not for the owner of GITHUB_TOKEN" } else { "GITHUB_TOKEN is not set" })
    }
}

const fn remedy(token: bool) -> &'static str {
    if token {
        "ask for access, or use a token that has it"
    } else {
        "set GITHUB_TOKEN to a token that may read it"
    }
}

const fn advice(error: &FetchError, token: bool) -> &'static str {
    match (error, token) {
        (FetchError::Limited { limit, .. }, false) if matches!(limit.kind, LimitKind::Primary) => {
            "\nhelp: without GITHUB_TOKEN there are 60 requests an hour for this whole address, with one 5,000; what \
             was read is kept"
        }
        _ => "",
    }
}

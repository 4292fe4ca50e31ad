//! What can go wrong, for the person who meets it.

use crate::answer::Hop;
use crate::limited::Limit;
use std::error::Error;
use std::fmt;
use std::time::Duration;
use url::Url;

/// A fetcher that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The user agent cannot be sent, or has no product that a robots.txt could address.
    #[error("`{user_agent}` is no user agent: write a product, a version and a contact, in ASCII")]
    UserAgent {
        /// What the settings say.
        user_agent: String,
    },
    /// The system's certificates cannot be used.
    #[error("no connection can be secured: {why}; install the certificates of the system (ca-certificates)")]
    Certificates {
        /// What the library for it says.
        why: String,
    },
    /// A token that cannot be sent.
    #[error("GITHUB_TOKEN holds a character that no header can; set it to the token alone")]
    Token,
    /// A token that anybody on the way could read.
    #[error(
        "the token in GITHUB_TOKEN would travel unprotected to `{api}`; use https in GITHUB_API_URL, or unset the token"
    )]
    Unprotected {
        /// Where the API is said to be.
        api: Url,
    },
}

/// What a request was waiting for when its time was up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// A connection.
    Connection,
    /// The first line of an answer.
    Answer,
    /// The next bytes of a body.
    Body,
    /// The end: bytes came, but too slowly.
    End,
}

impl fmt::Display for Phase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Connection => "a connection",
            Self::Answer => "an answer",
            Self::Body => "the rest of the body",
            Self::End => "the end of a slow answer",
        })
    }
}

/// Why a robots.txt keeps us out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Disallowed {
    /// It has a rule against the address.
    ByRule,
    /// The server could not say what its rules are, so everything is forbidden for now.
    Unavailable {
        /// What came instead of the rules.
        why: String,
    },
}

impl fmt::Display for Disallowed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByRule => {
                formatter.write_str("has a rule against it; read the page by hand, or leave it out")
            }
            Self::Unavailable { why } => write!(formatter, "cannot be had now ({why}); try again later"),
        }
    }
}

/// Why there is no answer. Every kind names the address that failed, which after a redirect is not the one
/// that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// Nothing may be sent.
    #[error("`{url}` was not fetched: this run is offline; run without `--offline`")]
    Offline {
        /// The address.
        url: Box<Url>,
    },
    /// The site does not want to be read by us.
    #[error("`{url}` was not fetched: `{robots_url}` {why}")]
    RobotsDisallow {
        /// The address.
        url: Box<Url>,
        /// The robots.txt that says so.
        robots_url: Box<Url>,
        /// Why it says so.
        why: Disallowed,
    },
    /// A page leads back to itself, and no cookie has changed on the way.
    #[error("`{url}` redirects in a circle: {}; give the address of the page itself", road(.hops, None))]
    RedirectLoop {
        /// The address that redirected twice with the same cookies.
        url: Box<Url>,
        /// The redirects on the way, with the last one.
        hops: Vec<Hop>,
    },
    /// More redirects than the settings allow.
    #[error("`{url}` is {} redirects away: {}; give the address of the page itself", .hops.len(), road(.hops, Some(.url)))]
    TooManyHops {
        /// The address that was not asked any more.
        url: Box<Url>,
        /// The redirects on the way, with the one too many.
        hops: Vec<Hop>,
    },
    /// The address is not of `http` or `https`.
    #[error("`{url}` is not on the web: only `http` and `https` are fetched; correct {}", culprit(.hops))]
    LeftTheWeb {
        /// The address.
        url: Box<Url>,
        /// The redirects that led there.
        hops: Vec<Hop>,
    },
    /// The body is longer than the limit.
    #[error(
        "`{url}` is too large: {seen} bytes and more where {limit} are allowed; read it by hand, or leave it out"
    )]
    TooLarge {
        /// The address.
        url: Box<Url>,
        /// How long it may be.
        limit: usize,
        /// How long it was said to be, or how much of it was read.
        seen: usize,
    },
    /// The server took too long.
    #[error("`{url}` took too long: {phase} did not come, at attempt {attempts}; try later")]
    TimedOut {
        /// The address.
        url: Box<Url>,
        /// What was being waited for.
        phase: Phase,
        /// How often it was tried.
        attempts: u32,
    },
    /// The connection ended before the answer did.
    #[error("`{url}` was cut off after {seen} bytes, at attempt {attempts}: {why}; try later")]
    Dropped {
        /// The address.
        url: Box<Url>,
        /// How much of the body had come.
        seen: usize,
        /// How often it was tried.
        attempts: u32,
        /// What the connection says.
        why: String,
    },
    /// There is no connection to the host.
    #[error("`{url}` cannot be reached, at attempt {attempts}: {why}; check the name and the network")]
    Unreachable {
        /// The address.
        url: Box<Url>,
        /// How often it was tried.
        attempts: u32,
        /// What the system says.
        why: String,
    },
    /// The body is not in the compression that it is said to be in.
    #[error("`{url}` has a body that cannot be decompressed: {why}; tell the keepers of the site")]
    BadBody {
        /// The address.
        url: Box<Url>,
        /// What the decompressor says.
        why: String,
    },
    /// The server answered every time that it cannot answer now.
    #[error("`{url}` still answers {status} after {attempts} attempts in {} s{}; try later", .waited.as_secs(), wish(.asked))]
    GaveUp {
        /// The address.
        url: Box<Url>,
        /// What it answered at last.
        status: u16,
        /// How often it was tried.
        attempts: u32,
        /// How long that took, with the pauses.
        waited: Duration,
        /// How long the server asked us to wait at last.
        asked: Option<Duration>,
    },
    /// The host did not answer for several pages in a row, so that it is asked for no more in this run.
    #[error("`{url}` was not fetched, after several pages in a row that its host did not give: {last}")]
    HostGivenUp {
        /// The address.
        url: Box<Url>,
        /// What happened to the last one.
        last: String,
    },
    /// An API answers no more requests for now.
    #[error("`{url}` is not answered now, at attempt {attempts}: {limit}; run the command again then")]
    Limited {
        /// The address.
        url: Box<Url>,
        /// How often it was tried.
        attempts: u32,
        /// Which limit was reached, and until when.
        limit: Limit,
    },
    /// An address that cannot be asked: it is malformed, or it holds a password.
    #[error("`{address}` at `{url}` cannot be fetched: {why}; correct the address")]
    BadUrl {
        /// The page that leads there, or the address itself where it was asked for, without a password.
        url: Box<Url>,
        /// The address, without a password.
        address: String,
        /// What is wrong with it.
        why: String,
    },
}

impl FetchError {
    /// The address that failed.
    pub fn url(&self) -> &Url {
        match self {
            Self::Offline { url }
            | Self::RobotsDisallow { url, .. }
            | Self::RedirectLoop { url, .. }
            | Self::TooManyHops { url, .. }
            | Self::LeftTheWeb { url, .. }
            | Self::TooLarge { url, .. }
            | Self::TimedOut { url, .. }
            | Self::Dropped { url, .. }
            | Self::Unreachable { url, .. }
            | Self::BadBody { url, .. }
            | Self::GaveUp { url, .. }
            | Self::HostGivenUp { url, .. }
            | Self::Limited { url, .. }
            | Self::BadUrl { url, .. } => url,
        }
    }

    /// How many requests were sent for nothing.
    pub(crate) fn attempts(&self) -> u32 {
        match self {
            Self::TimedOut { attempts, .. }
            | Self::Dropped { attempts, .. }
            | Self::Unreachable { attempts, .. }
            | Self::GaveUp { attempts, .. }
            | Self::Limited { attempts, .. } => *attempts,
            Self::RedirectLoop { hops, .. }
            | Self::TooManyHops { hops, .. }
            | Self::LeftTheWeb { hops, .. } => u32::try_from(hops.len()).unwrap_or(u32::MAX),
            Self::TooLarge { .. } | Self::BadBody { .. } => 1,
            Self::Offline { .. }
            | Self::RobotsDisallow { .. }
            | Self::HostGivenUp { .. }
            | Self::BadUrl { .. } => 0,
        }
    }

    /// Whether the same request may succeed a little later.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::TimedOut { .. }
            | Self::Dropped { .. }
            | Self::Unreachable { .. }
            | Self::GaveUp { .. }
            | Self::HostGivenUp { .. }
            | Self::Limited { .. } => true,
            Self::Offline { .. }
            | Self::RobotsDisallow { .. }
            | Self::RedirectLoop { .. }
            | Self::TooManyHops { .. }
            | Self::LeftTheWeb { .. }
            | Self::TooLarge { .. }
            | Self::BadBody { .. }
            | Self::BadUrl { .. } => false,
        }
    }
}

/// The addresses of a chain of redirects, in order.
fn road(hops: &[Hop], end: Option<&Url>) -> String {
    hops.iter().map(|hop| &hop.url).chain(end).map(Url::as_str).collect::<Vec<_>>().join(" → ")
}

fn culprit(hops: &[Hop]) -> String {
    hops.last().map_or_else(|| "the address".to_owned(), |hop| format!("the redirect of `{}`", hop.url))
}

fn wish(asked: &Option<Duration>) -> String {
    asked.map(|asked| format!(", and asks us to wait {} s", asked.as_secs())).unwrap_or_default()
}

/// What is at the bottom of an error, in the words of whoever met it first.
pub(crate) fn root(error: &(dyn Error + 'static)) -> String {
    std::iter::successors(Some(error), |&error| error.source())
        .last()
        .map(ToString::to_string)
        .unwrap_or_default()
}

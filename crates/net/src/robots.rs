//! What the robots.txt of an origin says of us, by RFC 9309.

use crate::answer::Answer;
use crate::error::{Disallowed, FetchError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use texting_robots::Robot;
use tokio::time::Instant;
use url::Url;

/// How much of a robots.txt is read: the standard asks for this much at least.
pub(crate) const MOST_BYTES: usize = 500 * 1024;

/// How many redirects of a robots.txt are followed.
pub(crate) const MOST_HOPS: usize = 5;

/// Whether an address may be fetched, and who says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RobotsVerdict {
    /// The settings do not ask.
    NotAsked,
    /// It may be fetched.
    Allowed {
        /// The robots.txt of its origin.
        robots_url: Url,
        /// Why it may.
        because: Allowed,
    },
    /// It must not be fetched.
    Disallowed {
        /// The robots.txt of its origin.
        robots_url: Url,
        /// Why not.
        why: Disallowed,
    },
}

/// Why an address may be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allowed {
    /// There are rules, and none is against it.
    ByRules,
    /// The origin has no rules.
    NoRules {
        /// What there is in place of them, such as `status 404`.
        why: String,
    },
}

/// The robots.txt of one origin.
pub(crate) enum Page {
    Rules(Robot),
    /// There are none.
    Missing {
        why: String,
    },
    /// There may be some: everything is forbidden until then, and then it is asked for again.
    Unavailable {
        why: String,
        until: Instant,
    },
}

impl Page {
    /// Whether it need not be asked for again.
    pub(crate) fn holds(&self) -> bool {
        match self {
            Self::Rules(_) | Self::Missing { .. } => true,
            Self::Unavailable { until, .. } => Instant::now() < *until,
        }
    }

    pub(crate) fn verdict(&self, url: &Url, robots_url: Url) -> RobotsVerdict {
        match self {
            Self::Rules(rules) if rules.allowed(url.as_str()) => {
                RobotsVerdict::Allowed { robots_url, because: Allowed::ByRules }
            }
            Self::Rules(_) => RobotsVerdict::Disallowed { robots_url, why: Disallowed::ByRule },
            Self::Missing { why } => {
                RobotsVerdict::Allowed { robots_url, because: Allowed::NoRules { why: why.clone() } }
            }
            Self::Unavailable { why, .. } => {
                RobotsVerdict::Disallowed { robots_url, why: Disallowed::Unavailable { why: why.clone() } }
            }
        }
    }

    /// The least time between two requests that it asks for.
    pub(crate) fn delay(&self) -> Option<Duration> {
        let Self::Rules(rules) = self else { return None };
        Duration::try_from_secs_f32(rules.delay?).ok()
    }

    /// What came of asking for it: the rules, or what happened in place of them.
    ///
    /// No rules are known where the server says so with a status of 4xx, or leads us round in redirects. A
    /// server that is too busy to answer (429) has said nothing, and neither has one that cannot be reached.
    pub(crate) fn of(product: &str, answer: Result<Answer, FetchError>, until: Instant) -> Self {
        let Answer { status, body, .. } = match answer {
            Ok(answer) => answer,
            Err(FetchError::RedirectLoop { .. } | FetchError::TooManyHops { .. }) => {
                return Self::Missing { why: "only redirects".to_owned() };
            }
            Err(error) => return Self::Unavailable { why: error.to_string(), until },
        };
        match status {
            200..300 => match Robot::new(product, &body) {
                Ok(rules) => Self::Rules(rules),
                Err(error) => Self::Unavailable { why: error.to_string(), until },
            },
            500.. => Self::Unavailable { why: format!("status {status}"), until },
            _ => Self::Missing { why: format!("status {status}") },
        }
    }
}

/// The robots.txt of one origin, which one task at a time may be asking for.
pub(crate) type Shelf = Arc<tokio::sync::Mutex<Option<Page>>>;

/// Every robots.txt that was read in this run.
#[derive(Default)]
pub(crate) struct Library(Mutex<HashMap<Url, Shelf>>);

impl Library {
    pub(crate) fn shelf(&self, robots_url: &Url) -> Shelf {
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(shelves.entry(robots_url.clone()).or_default())
    }
}

/// Where the robots.txt of an address is.
pub(crate) fn address(url: &Url) -> Url {
    let mut robots_url = url.clone();
    robots_url.set_path("/robots.txt");
    robots_url.set_query(None);
    robots_url.set_fragment(None);
    robots_url
}

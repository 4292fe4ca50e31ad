//! How a run behaves towards servers.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

/// How a run behaves towards servers. The default is polite to a server that knows nothing of us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Who we are: a product, a version and where to read about it, `polc/1.0 (+https://example.org)`.
    /// The product is the name that a robots.txt addresses us by.
    pub user_agent: String,
    /// Send nothing at all.
    pub offline: bool,
    /// How long a connection may take.
    pub connect_timeout: Duration,
    /// How long a server may be silent before and within an answer.
    pub idle_timeout: Duration,
    /// How long one attempt may take, from the first byte sent to the last one read.
    pub total_timeout: Duration,
    /// How often a request is sent at most, where the failure may pass.
    pub attempts: NonZeroU32,
    /// The longest pause between two attempts, whatever the server asks for. A robots.txt that cannot
    /// be had is asked for again after this long.
    pub longest_wait: Duration,
    /// How long a body may be, decompressed.
    pub most_bytes: usize,
    /// How many redirects are followed.
    pub most_hops: usize,
    /// The least time between the starts of two requests to one host.
    pub delay: Duration,
    /// How many requests to one host may be open at once.
    pub per_host: NonZeroUsize,
    /// Read the robots.txt of every origin, and do as it says.
    pub obey_robots: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            user_agent: concat!("polc/", env!("CARGO_PKG_VERSION")).to_owned(),
            offline: false,
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(20),
            total_timeout: Duration::from_secs(120),
            attempts: NonZeroU32::MIN.saturating_add(3),
            longest_wait: Duration::from_secs(60),
            most_bytes: 10_000_000,
            most_hops: 10,
            delay: Duration::from_millis(250),
            per_host: NonZeroUsize::MIN.saturating_add(1),
            obey_robots: true,
        }
    }
}

impl Settings {
    /// The name that a robots.txt addresses us by: the product of the user agent.
    pub(crate) fn product(&self) -> &str {
        self.user_agent.split(['/', ' ']).next().unwrap_or_default()
    }
}

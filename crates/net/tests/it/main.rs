//! Fetching, from servers that are right, slow, busy, wrong or hostile.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails its test")]

mod charsets;
mod faults;
mod github;
mod messages;
mod politeness;
mod redirects;
mod waits;

use polc_net::{Answer, FetchError, Fetcher, Request, Settings, Url};
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

/// Settings for servers on this machine, which need no politeness. No test waits for these timeouts.
fn quick() -> Settings {
    Settings {
        user_agent: "polc-test/1.0 (+https://example.org/polc)".to_owned(),
        attempts: NonZeroU32::new(3).unwrap(),
        longest_wait: Duration::from_millis(20),
        delay: Duration::ZERO,
        per_host: NonZeroUsize::new(4).unwrap(),
        obey_robots: false,
        ..Settings::default()
    }
}

/// Settings that take a server for dead soon.
fn impatient() -> Settings {
    let soon = Duration::from_millis(200);
    Settings { connect_timeout: soon, idle_timeout: soon, ..quick() }
}

fn url(address: &str) -> Url {
    Url::parse(address).unwrap()
}

async fn get_with(settings: Settings, address: &str) -> Result<Answer, FetchError> {
    Fetcher::new(settings).unwrap().get(&Request::new(url(address))).await
}

async fn get(address: &str) -> Result<Answer, FetchError> {
    get_with(quick(), address).await
}

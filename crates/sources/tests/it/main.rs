//! Sources, from local servers and real sites.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails its test")]

mod crawling;
mod discovery;
mod gathering;
mod github;
mod layouts;
mod pinning;
mod real_sites;
mod refreshing;
mod rendered;
mod repositories;
mod siblings;
mod sites;
mod versions;

use polc_net::Url;

fn url(address: &str) -> Url {
    Url::parse(address).unwrap()
}

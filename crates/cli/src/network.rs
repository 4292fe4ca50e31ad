//! The network for a command: one fetcher for its run, and somebody to wait for it.

use crate::exit::CliError;
use polc_net::{Fetcher, Settings, Url};
use std::time::Duration;

/// A fetcher for a run that reads pages of one host. A server on this machine needs no pauses.
pub(crate) fn fetcher(read: &Url, offline: bool) -> Result<Fetcher, CliError> {
    let settings = Settings::default();
    let delay = if is_loopback(read) { Duration::ZERO } else { settings.delay };
    Ok(Fetcher::new(Settings { delay, offline, ..settings })?)
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

/// Waits for what a fetcher does.
pub(crate) fn wait<T>(work: impl Future<Output = T>) -> Result<T, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    Ok(runtime.map_err(|error| CliError::Runtime(error.to_string()))?.block_on(work))
}

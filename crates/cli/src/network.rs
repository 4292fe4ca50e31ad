//! The network for a command: one fetcher for its run, and somebody to wait for it.

use crate::exit::CliError;
use crate::session::{Session, count};
use polc_net::github::{Account, GitHub, PUBLIC_API, Token};
use polc_net::{Fetcher, NetError, Settings, Url};
use polc_records::layout::Root;
use std::env::{VarError, var};
use std::num::NonZeroUsize;
use std::time::Duration;

/// The longest pause that GitHub may ask for before a command ends instead.
const PATIENCE: Duration = Duration::from_secs(120);

/// A fetcher for a run that reads pages of one host. A server on this machine needs no pauses.
pub(crate) fn fetcher(read: &Url, offline: bool) -> Result<Fetcher, CliError> {
    let settings = Settings::default();
    let delay = if is_loopback(read) { Duration::ZERO } else { settings.delay };
    Ok(Fetcher::new(Settings { delay, offline, ..settings })?)
}

/// What a variable of the environment says; an empty one says nothing.
fn said(name: &str) -> Result<Option<String>, ()> {
    match var(name) {
        Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(()),
    }
}

/// Where the API of GitHub is, as the environment says.
pub(crate) fn api() -> Result<Url, CliError> {
    let api = said("GITHUB_API_URL").unwrap_or_default().unwrap_or_else(|| PUBLIC_API.to_owned());
    api.parse().map_err(|error| CliError::Misuse {
        what: format!("`{api}` in GITHUB_API_URL is no address: {error}"),
        help: format!("unset it, or set it to something like {PUBLIC_API}"),
    })
}

/// GitHub for a run, as the environment says it is reached. It has to be made where it is waited for.
pub(crate) fn github(session: &Session, root: &Root) -> Result<GitHub, CliError> {
    let token = said("GITHUB_TOKEN").map_err(|()| NetError::Token)?;
    let api = api()?;
    let settings = Settings::default();
    let delay = if is_loopback(&api) { Duration::ZERO } else { settings.delay };
    let token = Token::new(&token.unwrap_or_default())?;
    let account = Account { api, token, copies: root.state().join("github") };
    // One request at a time, as GitHub asks for.
    let settings = Settings {
        delay,
        offline: session.offline,
        per_host: NonZeroUsize::MIN,
        longest_wait: PATIENCE,
        ..settings
    };
    let session = session.clone();
    Ok(GitHub::new(account, settings, move |limit| session.tell(format!("GitHub: {limit}; waiting")))?)
}

/// Tells what was asked of GitHub, and what is left to ask.
pub(crate) fn tell_spent(session: &Session, github: &GitHub) {
    let spent = github.spent();
    if spent.requests == 0 {
        return;
    }
    let left = match (spent.budget.remaining, spent.budget.limit) {
        (Some(remaining), Some(limit)) => format!("; {remaining} of {limit} are left this hour"),
        _ => String::new(),
    };
    let requests = count(usize::try_from(spent.requests).unwrap_or(usize::MAX), "request");
    session.tell(format!("GitHub: {requests}, {} of them unchanged{left}", spent.unchanged));
    if !github.has_token() {
        session.tell(
            "GITHUB_TOKEN is not set: 60 requests an hour for everybody at this address, public repositories alone, \
             and an unchanged answer costs one too",
        );
    }
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

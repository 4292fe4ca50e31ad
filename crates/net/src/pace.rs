//! The pace of every host: how many requests are open, and when the next may start.

use crate::error::{FetchError, Phase};
use crate::settings::Settings;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};
use url::Url;

/// All hosts of a run.
pub(crate) struct Hosts {
    per_host: usize,
    delay: Duration,
    hosts: Mutex<HashMap<String, Arc<Host>>>,
}

/// One host, by its name and port.
pub(crate) struct Host {
    open: Arc<Semaphore>,
    pace: Mutex<Pace>,
    failures: Mutex<Failures>,
}

/// How many pages in a row a host has not answered at all, and what it did with the last one.
#[derive(Default)]
struct Failures {
    pages: u32,
    last: Option<String>,
}

/// After how many pages in a row a host is asked for no other. Each has been tried several times by then: without
/// an end to it, a site that turns us away takes hours for what a later run does in minutes.
const MOST_FAILURES: u32 = 5;

struct Pace {
    next: Instant,
    delay: Duration,
}

impl Hosts {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            per_host: settings.per_host.get().min(Semaphore::MAX_PERMITS),
            delay: settings.delay,
            hosts: Mutex::default(),
        }
    }

    pub(crate) fn of(&self, url: &Url) -> Arc<Host> {
        let name = format!(
            "{}:{}",
            url.host_str().unwrap_or_default(),
            url.port_or_known_default().unwrap_or_default()
        );
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            Arc::new(Host {
                open: Arc::new(Semaphore::new(self.per_host)),
                pace: Mutex::new(Pace { next: Instant::now(), delay: self.delay }),
                failures: Mutex::default(),
            })
        };
        Arc::clone(hosts.entry(name).or_insert_with(new))
    }
}

impl Host {
    /// Waits until a request may start. It counts as open until what is returned is dropped.
    pub(crate) async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        // No semaphore is ever closed, so there is always a permit.
        let permit = Arc::clone(&self.open).acquire_owned().await.ok();
        let start = self.pace(|pace| {
            let start = pace.next.max(Instant::now());
            pace.next = start + pace.delay;
            start
        });
        sleep_until(start).await;
        permit
    }

    /// Starts nothing for a while: the server asked for it.
    pub(crate) fn rest(&self, wait: Duration) {
        self.pace(|pace| pace.next = pace.next.max(Instant::now() + wait));
    }

    /// Leaves at least this long between two starts from now on.
    pub(crate) fn slow_down(&self, delay: Duration) {
        self.pace(|pace| pace.delay = pace.delay.max(delay));
    }

    /// What the host did with the last page, where it is not to be asked any more.
    pub(crate) fn given_up(&self) -> Option<String> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.last.clone().filter(|_| failures.pages >= MOST_FAILURES)
    }

    /// Notes what came of a page. One that is broken is no sign of its host.
    pub(crate) fn note(&self, failure: Option<&FetchError>) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        match failure {
            Some(failure) if is_of_host(failure) => {
                failures.pages = failures.pages.saturating_add(1);
                failures.last = Some(failure.to_string());
            }
            Some(_) => {}
            None => *failures = Failures::default(),
        }
    }

    fn pace<T>(&self, change: impl FnOnce(&mut Pace) -> T) -> T {
        change(&mut self.pace.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Whether a host answered nothing at all, or that it is too busy.
fn is_of_host(failure: &FetchError) -> bool {
    match failure {
        FetchError::Unreachable { .. } | FetchError::Dropped { seen: 0, .. } => true,
        FetchError::TimedOut { phase, .. } => matches!(phase, Phase::Connection | Phase::Answer),
        FetchError::GaveUp { status, .. } => matches!(status, 429 | 503),
        FetchError::Offline { .. }
        | FetchError::RobotsDisallow { .. }
        | FetchError::RedirectLoop { .. }
        | FetchError::TooManyHops { .. }
        | FetchError::LeftTheWeb { .. }
        | FetchError::TooLarge { .. }
        | FetchError::Dropped { .. }
        | FetchError::BadBody { .. }
        | FetchError::HostGivenUp { .. }
        | FetchError::Limited { .. }
        | FetchError::BadUrl { .. } => false,
    }
}

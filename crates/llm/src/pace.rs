//! How fast requests may start: so many, and so many tokens, in any minute.

use std::collections::VecDeque;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

const MINUTE: Duration = Duration::from_secs(60);

/// The limits of an endpoint, and what was started in the last minute.
#[derive(Debug)]
pub struct Pace {
    requests: Option<NonZeroU32>,
    tokens: Option<NonZeroU64>,
    started: Mutex<VecDeque<(Instant, u64)>>,
}

impl Pace {
    /// A pace within these limits, with nothing started yet.
    pub fn new(requests: Option<NonZeroU32>, tokens: Option<NonZeroU64>) -> Self {
        Pace { requests, tokens, started: Mutex::default() }
    }

    /// Waits until a request of so many tokens may start, and counts it as started.
    ///
    /// One that is larger than the limit of a minute waits until nothing else was started in the last one.
    pub async fn turn(&self, tokens: u64) {
        if self.requests.is_none() && self.tokens.is_none() {
            return;
        }
        while let Some(free) = self.start(tokens) {
            sleep_until(free).await;
        }
    }

    /// Counts a request that starts without waiting, as one does that is sent again.
    pub(crate) fn count(&self, tokens: u64) {
        if self.requests.is_some() || self.tokens.is_some() {
            let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
            started.push_back((Instant::now(), tokens));
        }
    }

    /// Starts a request, or says when to ask again.
    fn start(&self, tokens: u64) -> Option<Instant> {
        let now = Instant::now();
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        while started.front().is_some_and(|(at, _)| *at + MINUTE <= now) {
            started.pop_front();
        }
        let spent: u64 = started.iter().map(|(_, tokens)| tokens).sum();
        let too_many = self.requests.is_some_and(|most| started.len() >= most.get() as usize);
        let too_much = self.tokens.is_some_and(|most| spent.saturating_add(tokens) > most.get());
        match started.front() {
            Some((oldest, _)) if too_many || too_much => Some(*oldest + MINUTE),
            _ => {
                started.push_back((now, tokens));
                None
            }
        }
    }
}

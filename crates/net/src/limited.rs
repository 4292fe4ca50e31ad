//! When an API answers no more, by what GitHub documents of its limits.

use crate::answer::Kept;
use crate::wait::wait_after;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The least pause after a limit that does not say how long it holds. It doubles with every attempt.
const SECONDARY_PAUSE: Duration = Duration::from_secs(60);

/// A limit that was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// Which one.
    pub kind: LimitKind,
    /// How long to wait.
    pub wait: Duration,
    /// The end of the wait, by the clock of this machine.
    pub until: SystemTime,
}

/// Which limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// The requests of an hour are used up.
    Primary,
    /// Too many at once, or too quickly.
    Secondary,
}

impl Limit {
    /// The limit that an answer of 403 or 429 speaks of; none where it refuses for another reason.
    ///
    /// `Retry-After` counts first, then a budget that is used up, then the words of the answer. Another 403 is a
    /// matter of permission, and asking again does not help.
    pub fn of(status: u16, headers: &Kept, body: &[u8], now: SystemTime, attempt: u32) -> Option<Self> {
        let reached = |kind, wait: Duration| Some(Limit { kind, wait, until: now + wait });
        let body = String::from_utf8_lossy(body).to_ascii_lowercase();
        let used_up = headers.budget.remaining == Some(0);
        if let Some(wait) = wait_after(headers, now) {
            return reached(if used_up { LimitKind::Primary } else { LimitKind::Secondary }, wait);
        }
        if let (true, Some(reset)) = (used_up, headers.budget.reset) {
            let sent = headers.date.as_deref().and_then(|date| httpdate::parse_http_date(date.trim()).ok());
            let reset = UNIX_EPOCH + Duration::from_secs(reset);
            let wait = reset.duration_since(sent.unwrap_or(now)).unwrap_or_default();
            return reached(LimitKind::Primary, wait);
        }
        let in_words = body.contains("secondary rate limit") || body.contains("abuse detection");
        (in_words || status == 429).then(|| {
            let wait = SECONDARY_PAUSE.saturating_mul(1 << attempt.saturating_sub(1).min(16));
            Limit { kind: LimitKind::Secondary, wait, until: now + wait }
        })
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            LimitKind::Primary => "the requests of this hour are used up (the primary rate limit)",
            LimitKind::Secondary => "too many requests came too quickly (a secondary rate limit)",
        };
        let until = httpdate::fmt_http_date(self.until);
        write!(out, "{kind}, and it is possible again in {} s, at {until}", self.wait.as_secs())
    }
}

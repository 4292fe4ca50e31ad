//! How long a server asks us to wait.

use crate::answer::Kept;
use std::time::{Duration, SystemTime};

/// How long to wait before the next attempt, by the `Retry-After` of an answer.
///
/// It is a number of seconds or a date. A date is measured against the `Date` of the same answer, since the
/// clocks of two machines differ, and against `now` where there is none. A date in the past means no wait.
/// None where the header is missing or says something else: then a pause of our own is in order.
pub fn wait_after(headers: &Kept, now: SystemTime) -> Option<Duration> {
    let asked = headers.retry_after.as_deref()?.trim();
    if asked.bytes().all(|byte| byte.is_ascii_digit()) {
        return asked.parse().ok().map(Duration::from_secs);
    }
    let until = httpdate::parse_http_date(asked).ok()?;
    let sent = headers.date.as_deref().and_then(|date| httpdate::parse_http_date(date.trim()).ok());
    Some(until.duration_since(sent.unwrap_or(now)).unwrap_or_default())
}

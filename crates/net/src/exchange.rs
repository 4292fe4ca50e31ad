//! One request and what came back, with the faults of the library in our words.

use crate::answer::{Kept, Validators};
use crate::error::{FetchError, Phase, root};
use crate::limited::Limit as Refusal;
use crate::settings::Settings;
use crate::wait::wait_after;
use reqwest::header::{CONTENT_ENCODING, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION};
use reqwest::{Response, StatusCode};
use std::error::Error;
use std::time::{Duration, SystemTime};
use tokio::time::{Instant, timeout};
use url::Url;

/// What to do with a body that is longer than this.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    /// Fail.
    Refuse(usize),
    /// Keep the beginning.
    Cut(usize),
}

/// What a server said to one request.
pub(crate) enum Reply {
    Redirect { status: u16, location: String },
    Page { status: u16, headers: Kept, body: Vec<u8> },
}

/// One attempt at one address.
pub(crate) struct Attempt<'a> {
    pub(crate) client: &'a reqwest::Client,
    pub(crate) settings: &'a Settings,
    pub(crate) url: &'a Url,
    pub(crate) validators: Option<&'a Validators>,
    /// What an API is sent beside.
    pub(crate) headers: HeaderMap,
    /// Whether the answers are those of an API, which has its own way to ask for a pause.
    pub(crate) api: bool,
    pub(crate) limit: Limit,
    /// Which attempt this is, from 1.
    pub(crate) number: u32,
    /// When the first attempt began.
    pub(crate) began: Instant,
}

impl Attempt<'_> {
    /// The reply, or the error that is due should this have been the last attempt.
    pub(crate) async fn make(self) -> Result<Reply, FetchError> {
        let whole = timeout(self.settings.total_timeout, self.exchange()).await;
        whole.unwrap_or_else(|_| Err(self.timed_out(Phase::End)))
    }

    async fn exchange(&self) -> Result<Reply, FetchError> {
        let Settings { connect_timeout, idle_timeout, .. } = *self.settings;
        let request = self.client.get(self.url.clone()).headers(conditions(self.validators));
        let request = request.headers(self.headers.clone());
        let response = timeout(connect_timeout.saturating_add(idle_timeout), request.send())
            .await
            .map_err(|_| self.timed_out(Phase::Answer))?
            .map_err(|error| self.unanswered(&error))?;
        let status = response.status();
        let may_be_limited = self.api && matches!(status.as_u16(), 403 | 429);
        if is_passing(status) && !may_be_limited {
            return Err(FetchError::GaveUp {
                url: self.url(),
                status: status.as_u16(),
                attempts: self.number,
                waited: self.began.elapsed(),
                asked: wait_after(&Kept::of(response.headers()), SystemTime::now()),
            });
        }
        if let (301 | 302 | 303 | 307 | 308, Some(location)) =
            (status.as_u16(), response.headers().get(LOCATION))
        {
            let location = String::from_utf8_lossy(location.as_bytes()).into_owned();
            return Ok(Reply::Redirect { status: status.as_u16(), location });
        }
        let headers = Kept::of(response.headers());
        let body = self.body(response).await?;
        if may_be_limited
            && let Some(limit) = Refusal::of(status.as_u16(), &headers, &body, SystemTime::now(), self.number)
        {
            return Err(FetchError::Limited { url: self.url(), attempts: self.number, limit });
        }
        Ok(Reply::Page { status: status.as_u16(), headers, body })
    }

    pub(crate) async fn body(&self, mut response: Response) -> Result<Vec<u8>, FetchError> {
        // What the library can decompress it has taken out of the headers.
        if let Some(left) = response.headers().get(CONTENT_ENCODING).filter(|left| *left != "identity") {
            return Err(FetchError::BadBody {
                url: self.url(),
                why: format!("`{}` was not asked for", String::from_utf8_lossy(left.as_bytes())),
            });
        }
        if let (Limit::Refuse(limit), Some(said)) = (self.limit, response.content_length()) {
            let seen = usize::try_from(said).unwrap_or(usize::MAX);
            if seen > limit {
                return Err(FetchError::TooLarge { url: self.url(), limit, seen });
            }
        }
        let mut body = Vec::new();
        loop {
            let chunk = timeout(self.settings.idle_timeout, response.chunk())
                .await
                .map_err(|_| self.timed_out(Phase::Body))?
                .map_err(|error| self.unread(&error, body.len()))?;
            let Some(chunk) = chunk else { return Ok(body) };
            body.extend_from_slice(&chunk);
            match self.limit {
                Limit::Refuse(limit) if body.len() > limit => {
                    return Err(FetchError::TooLarge { url: self.url(), limit, seen: body.len() });
                }
                Limit::Cut(limit) if body.len() >= limit => {
                    body.truncate(limit);
                    return Ok(body);
                }
                Limit::Refuse(_) | Limit::Cut(_) => {}
            }
        }
    }

    fn url(&self) -> Box<Url> {
        Box::new(self.url.clone())
    }

    pub(crate) fn timed_out(&self, phase: Phase) -> FetchError {
        FetchError::TimedOut { url: self.url(), phase, attempts: self.number }
    }

    /// The error of a request that got no answer.
    pub(crate) fn unanswered(&self, error: &reqwest::Error) -> FetchError {
        let (url, attempts, why) = (self.url(), self.number, root(error));
        match (error.is_connect(), error.is_timeout()) {
            (true, true) => self.timed_out(Phase::Connection),
            (true, false) => FetchError::Unreachable { url, attempts, why },
            (false, _) => FetchError::Dropped { url, seen: 0, attempts, why },
        }
    }

    /// The error of an answer whose body could not be read.
    fn unread(&self, error: &reqwest::Error, seen: usize) -> FetchError {
        let (url, why) = (self.url(), root(error));
        // A decompressor fails like a file; what befalls the connection comes wrapped as an error of HTTP.
        if error.source().and_then(<dyn Error>::downcast_ref::<std::io::Error>).is_some() {
            FetchError::BadBody { url, why }
        } else {
            FetchError::Dropped { url, seen, attempts: self.number, why }
        }
    }
}

/// Whether a status says that the same request may be answered later.
fn is_passing(status: StatusCode) -> bool {
    matches!(status.as_u16(), 429 | 500 | 502 | 503 | 504)
}

fn conditions(validators: Option<&Validators>) -> HeaderMap {
    let Some(Validators { etag, last_modified, .. }) = validators else { return HeaderMap::new() };
    [(IF_NONE_MATCH, etag), (IF_MODIFIED_SINCE, last_modified)]
        .into_iter()
        .filter_map(|(name, value)| Some((name, HeaderValue::from_str(value.as_deref()?).ok()?)))
        .collect()
}

/// The pause before the next attempt that a server asked for.
pub(crate) fn asked(error: &FetchError) -> Option<Duration> {
    match error {
        FetchError::GaveUp { asked, .. } => *asked,
        FetchError::Limited { limit, .. } => Some(limit.wait),
        _ => None,
    }
}

//! A JSON document to an address, and the answer: tried again where the failure may pass.

use crate::answer::Kept;
use crate::error::{FetchError, Phase};
use crate::exchange::{Attempt, Limit};
use crate::fetcher::Fetcher;
use crate::wait::wait_after;
use backon::Retryable;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};
use tokio::time::{Instant, timeout};
use url::Url;

/// One document to post.
#[derive(Clone)]
pub struct Post {
    /// The address.
    pub url: Url,
    /// Headers beside the content type. Their values are never shown.
    pub headers: Vec<(&'static str, String)>,
    /// The document.
    pub body: Vec<u8>,
    /// Whether a status that usually passes will not pass this time, by what came with it.
    pub settled: fn(u16, &[u8]) -> bool,
}

impl fmt::Debug for Post {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        let url = self.url.as_str();
        out.debug_struct("Post").field("url", &url).field("headers", &names).finish_non_exhaustive()
    }
}

/// What a server answered in the end. A status such as 429 is an answer too: the caller decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    /// The status.
    pub status: u16,
    /// The headers that matter.
    pub headers: Kept,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// How many requests it took.
    pub attempts: u32,
    /// How many of those were perhaps answered, and the answer lost on the way.
    pub lost: u32,
    /// How long the server asked us to wait, where it did not answer.
    pub asked: Option<Duration>,
}

/// Why there is no answer, and what may have been done all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct PostError {
    /// What happened at last.
    pub error: FetchError,
    /// How many requests were perhaps answered, and the answer lost on the way.
    pub lost: u32,
}

/// What came of one attempt, where it is to be tried again.
enum Miss {
    Busy(Box<Posted>),
    Failed(FetchError),
}

impl Fetcher {
    /// Posts a document. Neither robots.txt nor redirects are followed: the address was chosen by a person.
    ///
    /// Busy and broken servers (408, 425, 429, most of 5xx), dropped connections and silence are tried again, by
    /// the settings, and only where `again` agrees: it is told whether the failed attempt was perhaps answered,
    /// and the answer lost on the way. A server that asks for a longer pause than the settings allow is not
    /// tried again.
    ///
    /// # Errors
    /// Fails as [`FetchError`] lists, never for a status.
    pub async fn post(
        &self,
        post: &Post,
        again: &(dyn Fn(bool) -> bool + Sync),
    ) -> Result<Posted, PostError> {
        let run = &self.0;
        let unsent = |error| PostError { error, lost: 0 };
        run.sendable(&post.url, &[]).map_err(unsent)?;
        let headers = headers(post).map_err(unsent)?;
        let host = run.hosts.of(&post.url);
        let began = Instant::now();
        let longest_wait = run.settings.longest_wait;
        let mut number = 0;
        let lost = AtomicU32::new(0);
        let attempt = || {
            number += 1;
            let (host, lost) = (&host, &lost);
            let attempt = Attempt {
                client: &run.client,
                settings: &run.settings,
                url: &post.url,
                validators: None,
                headers: headers.clone(),
                api: false,
                limit: Limit::Refuse(run.settings.most_bytes),
                number,
                began,
            };
            async move {
                let _turn = host.turn().await;
                let miss = match attempt.post(post.body.clone()).await {
                    Ok(posted) if !is_busy(posted.status) || (post.settled)(posted.status, &posted.body) => {
                        return Ok(posted);
                    }
                    Ok(posted) => {
                        if let Some(asked) = posted.asked {
                            host.rest(asked.min(longest_wait));
                        }
                        Miss::Busy(Box::new(posted))
                    }
                    Err(error) => Miss::Failed(error),
                };
                lost.fetch_add(u32::from(miss.may_be_answered()), Ordering::Relaxed);
                Err(miss)
            }
        };
        let too_long = |miss: &Miss| miss.asked().is_some_and(|asked| asked > longest_wait);
        let outcome = attempt
            .retry(run.pauses())
            .when(|miss| !too_long(miss) && miss.may_pass() && again(miss.may_be_answered()))
            .adjust(|miss, own| Some(miss.asked().unwrap_or(own?)))
            .await;
        let lost = lost.into_inner();
        match outcome {
            Ok(posted) => Ok(Posted { lost, ..posted }),
            Err(Miss::Busy(posted)) => Ok(Posted { lost, ..*posted }),
            Err(Miss::Failed(error)) => Err(PostError { error, lost }),
        }
    }
}

impl Miss {
    fn asked(&self) -> Option<Duration> {
        if let Miss::Busy(posted) = self { posted.asked } else { None }
    }

    fn may_pass(&self) -> bool {
        match self {
            Miss::Busy(_) => true,
            Miss::Failed(error) => error.may_pass(),
        }
    }

    /// Whether somebody may have worked for the attempt: not without a connection, nor where the server itself
    /// says that it could not, but behind a gateway that lost its patience.
    fn may_be_answered(&self) -> bool {
        match self {
            Miss::Busy(posted) => matches!(posted.status, 504 | 524),
            Miss::Failed(FetchError::Unreachable { .. }) => false,
            Miss::Failed(FetchError::TimedOut { phase, .. }) => *phase != Phase::Connection,
            Miss::Failed(_) => true,
        }
    }
}

impl Attempt<'_> {
    async fn post(&self, body: Vec<u8>) -> Result<Posted, FetchError> {
        let exchange = async {
            let request = self.client.post(self.url.clone()).headers(self.headers.clone()).body(body);
            let patience = self.settings.connect_timeout.saturating_add(self.settings.idle_timeout);
            let response = timeout(patience, request.send())
                .await
                .map_err(|_| self.timed_out(Phase::Answer))?
                .map_err(|error| self.unanswered(&error))?;
            let status = response.status().as_u16();
            let headers = Kept::of(response.headers());
            let asked = if is_busy(status) { wait_after(&headers, SystemTime::now()) } else { None };
            let body = self.body(response).await?;
            Ok(Posted { status, headers, body, attempts: self.number, lost: 0, asked })
        };
        let whole = timeout(self.settings.total_timeout, exchange).await;
        whole.unwrap_or_else(|_| Err(self.timed_out(Phase::End)))
    }
}

/// Whether a status says that the same document may be answered later.
fn is_busy(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502..=504 | 506..=599)
}

fn headers(post: &Post) -> Result<HeaderMap, FetchError> {
    let mut headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    for (name, value) in &post.headers {
        let mut value = HeaderValue::from_str(value).map_err(|_| FetchError::BadUrl {
            url: Box::new(post.url.clone()),
            address: post.url.to_string(),
            why: format!("the value for the header `{name}` has characters that no header can have"),
        })?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(headers)
}

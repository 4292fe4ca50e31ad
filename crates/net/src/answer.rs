//! What is asked for, and what came back.

use crate::charset::Text;
use reqwest::header::{self, HeaderMap, HeaderName};
use url::Url;

/// One page to fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The address. A fragment is kept for the answer and not sent.
    pub url: Url,
    /// What is known of an earlier copy: the server may then answer 304 with no body.
    pub validators: Option<Validators>,
    /// A limit of its own for this body, in place of the one of the settings.
    pub most_bytes: Option<usize>,
}

impl Request {
    /// A request for the whole page, with the limits of the settings.
    pub fn new(url: Url) -> Self {
        Self { url, validators: None, most_bytes: None }
    }
}

/// What identifies an earlier copy of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validators {
    /// The address that the copy came from at last. They are sent to this address alone: another page
    /// that a redirect leads to today must not pass for the old one unchanged.
    pub of: Url,
    /// Its `ETag`.
    pub etag: Option<String>,
    /// Its `Last-Modified`.
    pub last_modified: Option<String>,
}

/// One redirect that was followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// The address that redirected.
    pub url: Url,
    /// The status it redirected with.
    pub status: u16,
    /// Where to, as the server wrote it.
    pub location: String,
}

/// The headers that matter to somebody who reads the page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// `Content-Type`.
    pub content_type: Option<String>,
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub last_modified: Option<String>,
    /// `Date`: the server's own clock.
    pub date: Option<String>,
    /// `Retry-After`.
    pub retry_after: Option<String>,
    /// `cf-mitigated`: the page is a challenge to a browser, not the one that was asked for.
    pub challenge: Option<String>,
    /// How many requests an API still answers.
    pub budget: Budget,
}

/// How many requests an API still answers, by its `x-ratelimit-` headers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget {
    /// How many in all, until it begins anew.
    pub limit: Option<u64>,
    /// How many are left.
    pub remaining: Option<u64>,
    /// When it begins anew, in seconds of the Unix epoch.
    pub reset: Option<u64>,
}

impl Kept {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let kept = |name: HeaderName| {
            headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        let number = |name| kept(HeaderName::from_static(name))?.trim().parse().ok();
        Self {
            content_type: kept(header::CONTENT_TYPE),
            etag: kept(header::ETAG),
            last_modified: kept(header::LAST_MODIFIED),
            date: kept(header::DATE),
            retry_after: kept(header::RETRY_AFTER),
            challenge: kept(HeaderName::from_static("cf-mitigated")),
            budget: Budget {
                limit: number("x-ratelimit-limit"),
                remaining: number("x-ratelimit-remaining"),
                reset: number("x-ratelimit-reset"),
            },
        }
    }
}

/// What a server answered in the end. A status like 404 is an answer too: the caller decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The address that was asked for, with its fragment.
    pub requested: Url,
    /// The redirects on the way, in order.
    pub hops: Vec<Hop>,
    /// The address that answered, without a fragment.
    pub url: Url,
    /// The status.
    pub status: u16,
    /// The headers that matter.
    pub headers: Kept,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// How many requests it took, with those that failed and those that redirected.
    pub attempts: u32,
}

impl Answer {
    /// Whether the earlier copy still holds: the body is empty then.
    pub fn not_modified(&self) -> bool {
        self.status == 304
    }

    /// What to send the next time this page is asked for; none where the server gave nothing to go by.
    pub fn validators(&self) -> Option<Validators> {
        let Kept { etag, last_modified, .. } = self.headers.clone();
        (etag.is_some() || last_modified.is_some()).then(|| Validators {
            of: self.url.clone(),
            etag,
            last_modified,
        })
    }

    /// The body as text, with the encoding that was used, who declared it, and what could not be read.
    pub fn text(&self) -> Text {
        Text::of(&self.body, self.headers.content_type.as_deref())
    }
}

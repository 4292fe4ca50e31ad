//! The door between the library that speaks with GitHub and the fetcher.

use super::Spent;
use super::copies::Copies;
use crate::answer::{Answer, Request, Validators};
use crate::error::FetchError;
use crate::fetcher::{Caller, Fetcher};
use crate::limited::Limit;
use octocrab::OctoBody;
use reqwest::header::{ACCEPT, HeaderValue};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use url::Url;

/// What every request goes through.
pub(super) struct Door {
    fetcher: Fetcher,
    api: Url,
    token: Option<HeaderValue>,
    copies: Copies,
    spent: Mutex<Spent>,
    told: Told,
}

/// Who is told of a limit before it is waited for.
pub(super) type Told = Box<dyn Fn(&Limit) + Send + Sync>;

/// The door as the library sees it.
pub(super) struct Service(pub(super) Arc<Door>);

impl tower_service::Service<http::Request<OctoBody>> for Service {
    type Response = http::Response<reqwest::Body>;
    type Error = FetchError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, FetchError>> + Send>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), FetchError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<OctoBody>) -> Self::Future {
        let door = Arc::clone(&self.0);
        Box::pin(async move { door.pass(&request).await })
    }
}

impl Door {
    pub(super) fn new(
        fetcher: Fetcher,
        api: Url,
        token: Option<HeaderValue>,
        copies: Copies,
        told: Told,
    ) -> Self {
        Door { fetcher, api, token, copies, spent: Mutex::default(), told }
    }

    pub(super) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    pub(super) fn spent(&self) -> Spent {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, change: impl FnOnce(&mut Spent)) {
        change(&mut self.spent.lock().unwrap_or_else(PoisonError::into_inner));
    }

    async fn pass(
        &self,
        request: &http::Request<OctoBody>,
    ) -> Result<http::Response<reqwest::Body>, FetchError> {
        let url = self.address(request.uri())?;
        let raw = request.headers().get(ACCEPT).cloned();
        // A blob is kept by whoever asked for it.
        let copy = if raw.is_none() { self.copies.get(&url) } else { None };
        let copy = match copy {
            Some(copy) if is_immutable(&url) => {
                self.note(|spent| spent.held += 1);
                return Ok(answered(200, copy.body));
            }
            copy => copy,
        };
        let asked = Request {
            validators: copy.as_ref().map(|copy| copy.validators.clone()),
            ..Request::new(url.clone())
        };
        let caller = Caller {
            origin: self.api.origin(),
            token: self.token.clone(),
            accept: raw.clone().unwrap_or(HeaderValue::from_static("application/vnd.github+json")),
            told: &self.told,
        };
        let answer = self.fetcher.ask(&asked, &caller).await;
        let sent = match &answer {
            Ok(answer) => answer.attempts,
            Err(error) => error.attempts(),
        };
        self.note(|spent| spent.requests += sent);
        let answer = answer?;
        self.note(|spent| spent.budget = answer.headers.budget);
        if let Some(copy) = copy.filter(|_| answer.not_modified()) {
            self.note(|spent| spent.unchanged += 1);
            return Ok(answered(200, copy.body));
        }
        if answer.status == 200 && raw.is_none() {
            self.keep(&url, &answer);
        }
        Ok(answered(answer.status, answer.body))
    }

    fn keep(&self, url: &Url, answer: &Answer) {
        let nothing = || Validators { of: answer.url.clone(), etag: None, last_modified: None };
        match answer.validators() {
            Some(validators) => self.copies.put(url, &validators, &answer.body),
            None if is_immutable(url) => self.copies.put(url, &nothing(), &answer.body),
            None => {}
        }
    }

    /// The address of what is asked for, below that of the API.
    fn address(&self, asked: &http::Uri) -> Result<Url, FetchError> {
        let asked = asked.path_and_query().map_or("", |asked| asked.as_str());
        let address = format!("{}{asked}", self.api.as_str().trim_end_matches('/'));
        Url::parse(&address).map_err(|error| FetchError::BadUrl {
            url: Box::new(self.api.clone()),
            address,
            why: error.to_string(),
        })
    }
}

/// Whether what is at an address is named by its content, so that it is today what it was.
fn is_immutable(url: &Url) -> bool {
    let mut path = url.path().rsplit('/');
    let (Some(id), Some("trees")) = (path.next(), path.next()) else { return false };
    id.len() == 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn answered(status: u16, body: Vec<u8>) -> http::Response<reqwest::Body> {
    let mut response = http::Response::new(reqwest::Body::from(body));
    // Every status comes from the same library.
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap_or(http::StatusCode::BAD_GATEWAY);
    response
}

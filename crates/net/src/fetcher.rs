//! A run: pages one by one, each with its redirects, its retries and its robots.txt.

use crate::answer::{Answer, Hop, Request};
use crate::error::{FetchError, NetError, root};
use crate::exchange::{Attempt, Limit, Reply, asked};
use crate::limited::Limit as Limited;
use crate::pace::Hosts;
use crate::robots::{self, Library, Page, RobotsVerdict};
use crate::settings::Settings;
use backon::{BackoffBuilder, ExponentialBuilder, Retryable};
use reqwest::cookie::{CookieStore, Jar};
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use url::{Origin, Url};

/// The pause after a first failure; it doubles from there.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// What fetches pages in one run. A clone is the same fetcher: it shares the cookies, the pace and the rules.
#[derive(Clone)]
pub struct Fetcher(pub(crate) Arc<Run>);

pub(crate) struct Run {
    pub(crate) settings: Settings,
    pub(crate) client: reqwest::Client,
    cookies: Arc<Jar>,
    pub(crate) hosts: Hosts,
    library: Library,
}

/// What an address is fetched for.
#[derive(Clone, Copy)]
enum Purpose<'a> {
    Page,
    Robots,
    Api(&'a Caller<'a>),
}

/// Who asks an API.
pub(crate) struct Caller<'a> {
    /// Where the API is. Nothing that says who we are goes anywhere else.
    pub(crate) origin: Origin,
    /// What says who we are.
    pub(crate) token: Option<HeaderValue>,
    /// The form in which the answer is wanted.
    pub(crate) accept: HeaderValue,
    /// Is told of a limit before it is waited for.
    pub(crate) told: &'a (dyn Fn(&Limited) + Send + Sync),
}

impl Caller<'_> {
    fn headers(&self, url: &Url) -> HeaderMap {
        let mut headers = HeaderMap::from_iter([(ACCEPT, self.accept.clone())]);
        if let Some(token) = self.token.as_ref().filter(|_| url.origin() == self.origin) {
            headers.insert(AUTHORIZATION, token.clone());
        }
        headers
    }
}

impl Fetcher {
    /// A fetcher with no cookies and no rules yet. Nothing is sent.
    ///
    /// # Errors
    ///
    /// Fails where the user agent cannot be sent, or the system has no certificates to trust.
    pub fn new(settings: Settings) -> Result<Self, NetError> {
        let product = settings.product();
        if product.is_empty() || !settings.user_agent.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(NetError::UserAgent { user_agent: settings.user_agent });
        }
        // An error says that the program has chosen a provider already, which is as good.
        let _chosen = rustls::crypto::ring::default_provider().install_default();
        let cookies = Arc::new(Jar::default());
        let client = reqwest::Client::builder()
            .user_agent(&settings.user_agent)
            .connect_timeout(settings.connect_timeout)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .cookie_provider(Arc::clone(&cookies))
            .build()
            .map_err(|error| NetError::Certificates { why: root(&error) })?;
        let hosts = Hosts::new(&settings);
        Ok(Self(Arc::new(Run { settings, client, cookies, hosts, library: Library::default() })))
    }

    /// Fetches a page: follows its redirects, tries again where a failure may pass, keeps to the limits.
    ///
    /// # Errors
    ///
    /// Fails as [`FetchError`] lists. A status such as 404 is no error.
    pub async fn get(&self, request: &Request) -> Result<Answer, FetchError> {
        self.0.follow(request, Purpose::Page).await
    }

    /// Asks an API. It is made for programs, so no robots.txt is read.
    pub(crate) async fn ask(&self, request: &Request, caller: &Caller<'_>) -> Result<Answer, FetchError> {
        self.0.follow(request, Purpose::Api(caller)).await
    }

    /// What the robots.txt of an address says of it. It is fetched once for a run and origin.
    ///
    /// # Errors
    ///
    /// Fails where the address is not one of the web, or nothing may be sent.
    pub async fn robots(&self, url: &Url) -> Result<RobotsVerdict, FetchError> {
        self.0.sendable(url, &[])?;
        Ok(self.0.robots(url).await)
    }
}

impl Run {
    async fn follow(&self, request: &Request, purpose: Purpose<'_>) -> Result<Answer, FetchError> {
        let most_hops = match purpose {
            Purpose::Page | Purpose::Api(_) => self.settings.most_hops,
            Purpose::Robots => robots::MOST_HOPS,
        };
        let mut url = request.url.clone();
        let mut hops: Vec<Hop> = Vec::new();
        let mut redirected = HashSet::new();
        let mut attempts = 0;
        loop {
            url.set_fragment(None);
            self.sendable(&url, &hops)?;
            if hops.len() > most_hops {
                return Err(FetchError::TooManyHops { url: Box::new(url), hops });
            }
            if matches!(purpose, Purpose::Page) {
                self.obey(&url).await?;
            }
            let cookies = self.cookies_for(&url);
            let (reply, tries) = self.exchange(request, &url, purpose).await?;
            attempts += tries;
            let (status, location) = match reply {
                Reply::Page { status, headers, body } => {
                    let requested = request.url.clone();
                    return Ok(Answer { requested, hops, url, status, headers, body, attempts });
                }
                Reply::Redirect { status, location } => (status, location),
            };
            let next = url.join(&location).map_err(|error| FetchError::BadUrl {
                url: Box::new(url.clone()),
                address: location.clone(),
                why: error.to_string(),
            })?;
            hops.push(Hop { url: url.clone(), status, location });
            if !redirected.insert((url.clone(), cookies)) {
                return Err(FetchError::RedirectLoop { url: Box::new(url), hops });
            }
            url = next;
        }
    }

    /// Refuses an address that nothing may be sent to.
    pub(crate) fn sendable(&self, url: &Url, hops: &[Hop]) -> Result<(), FetchError> {
        let mut shown = url.clone();
        // These two fail for an address that can hold neither.
        let _cleared = (shown.set_username(""), shown.set_password(None));
        if !matches!(url.scheme(), "http" | "https") {
            return Err(FetchError::LeftTheWeb { url: Box::new(shown), hops: hops.to_vec() });
        }
        if shown != *url {
            let from = hops.last().map_or(&shown, |hop| &hop.url);
            return Err(FetchError::BadUrl {
                url: Box::new(from.clone()),
                address: shown.to_string(),
                why: "it holds a name or a password, which would end up in files".to_owned(),
            });
        }
        if self.settings.offline {
            return Err(FetchError::Offline { url: Box::new(shown) });
        }
        Ok(())
    }

    /// The cookies that go to an address, in an order that does not matter.
    fn cookies_for(&self, url: &Url) -> BTreeSet<Vec<u8>> {
        let header = self.cookies.cookies(url);
        let cookies = header.iter().flat_map(|header| header.as_bytes().split(|byte| *byte == b';'));
        cookies.map(|cookie| cookie.trim_ascii().to_vec()).collect()
    }

    /// Sends one request until it is answered or given up.
    async fn exchange(
        &self,
        request: &Request,
        url: &Url,
        purpose: Purpose<'_>,
    ) -> Result<(Reply, u32), FetchError> {
        let settings = &self.settings;
        let limit = match purpose {
            Purpose::Page | Purpose::Api(_) => {
                Limit::Refuse(request.most_bytes.unwrap_or(settings.most_bytes))
            }
            Purpose::Robots => Limit::Cut(robots::MOST_BYTES),
        };
        let host = self.hosts.of(url);
        let refuse = || match host.given_up() {
            Some(last) => Err(FetchError::HostGivenUp { url: Box::new(url.clone()), last }),
            None => Ok(()),
        };
        refuse()?;
        let began = Instant::now();
        let mut number = 0;
        let attempt = || {
            number += 1;
            let (number, host, refuse) = (number, &host, &refuse);
            let validators = request.validators.as_ref().filter(|known| known.of == *url);
            let (headers, api) = match purpose {
                Purpose::Api(caller) => (caller.headers(url), true),
                Purpose::Page | Purpose::Robots => (HeaderMap::new(), false),
            };
            let client = &self.client;
            let attempt = Attempt { client, settings, url, validators, headers, api, limit, number, began };
            async move {
                let _turn = host.turn().await;
                // It may have been given up while this request waited.
                refuse()?;
                let reply = attempt.make().await;
                if let Some(asked) = reply.as_ref().err().and_then(asked) {
                    host.rest(asked.min(settings.longest_wait));
                }
                reply.map(|reply| (reply, number))
            }
        };
        let reply = attempt
            .retry(self.pauses())
            .when(|error| error.may_pass() && host.given_up().is_none() && !self.is_too_long(error))
            .notify(|error, _pause| {
                if let (FetchError::Limited { limit, .. }, Purpose::Api(caller)) = (error, purpose) {
                    (caller.told)(limit);
                }
            })
            .adjust(|error, own| Some(asked(error).unwrap_or(own?).min(settings.longest_wait)))
            .await;
        host.note(reply.as_ref().err());
        reply
    }

    /// Whether an API asks for a pause that nobody should sit through. A page's wish is cut short instead.
    fn is_too_long(&self, error: &FetchError) -> bool {
        matches!(error, FetchError::Limited { limit, .. } if limit.wait > self.settings.longest_wait)
    }

    /// The pauses between attempts where the server asks for none.
    pub(crate) fn pauses(&self) -> impl BackoffBuilder {
        let Settings { longest_wait, attempts, .. } = self.settings;
        ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(FIRST_PAUSE.min(longest_wait))
            .with_max_delay(longest_wait)
            .with_max_times(usize::try_from(attempts.get() - 1).unwrap_or(usize::MAX))
    }

    async fn obey(&self, url: &Url) -> Result<(), FetchError> {
        match self.robots(url).await {
            RobotsVerdict::NotAsked | RobotsVerdict::Allowed { .. } => Ok(()),
            RobotsVerdict::Disallowed { robots_url, why } => Err(FetchError::RobotsDisallow {
                url: Box::new(url.clone()),
                robots_url: Box::new(robots_url),
                why,
            }),
        }
    }

    async fn robots(&self, url: &Url) -> RobotsVerdict {
        if !self.settings.obey_robots {
            return RobotsVerdict::NotAsked;
        }
        let robots_url = robots::address(url);
        let shelf = self.library.shelf(&robots_url);
        let mut shelf = shelf.lock().await;
        let page = match shelf.take().filter(Page::holds) {
            Some(page) => page,
            None => self.fetch_robots(&robots_url).await,
        };
        shelf.insert(page).verdict(url, robots_url)
    }

    async fn fetch_robots(&self, robots_url: &Url) -> Page {
        let request = Request::new(robots_url.clone());
        // In a box, since a page waits for its robots.txt, which is fetched like a page.
        let answer = Box::pin(self.follow(&request, Purpose::Robots)).await;
        let page = Page::of(self.settings.product(), answer, Instant::now() + self.settings.longest_wait);
        if let Some(delay) = page.delay() {
            self.hosts.of(robots_url).slow_down(delay.min(self.settings.longest_wait));
        }
        page
    }
}

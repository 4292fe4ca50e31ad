//! One page: asked for, and told what it is.

use super::generators::Generators;
use super::links::{Link, PageLinks, links, links_of_document};
use super::record::{PageOutcome, Probe};
use super::scope::{Place, Scope};
use super::template::Templates;
use crate::refresh::{Refresh, refresh_of};
use polc_net::{Answer, FetchError, Fetcher, Hop, Request, Url, Validators};
use polc_records::Digest;
use polc_records::snapshot::Retrieval;
use polc_text::dom::Page;
use std::sync::Arc;

/// What a visit needs of the run.
pub(super) struct Visitor {
    fetcher: Fetcher,
    scope: Scope,
    generators: Arc<Generators>,
    templates: Templates,
}

/// The copy of a page that an earlier run retrieved.
pub(super) struct Copy {
    pub(super) bytes: Vec<u8>,
    pub(super) retrieval: Retrieval,
}

/// What came of a visit.
pub(super) struct Visit {
    pub(super) hops: Vec<Hop>,
    pub(super) final_url: Url,
    pub(super) seen: Seen,
    /// What is to be put into the store.
    pub(super) new: Option<(Vec<u8>, Retrieval)>,
}

/// What was seen at an address.
pub(super) enum Seen {
    Page(Box<Sheet>),
    Document { snapshot: Digest, links: Vec<Link> },
    Other(PageOutcome),
}

/// What a crawl has to know of a page.
pub(super) struct Sheet {
    pub(super) snapshot: Digest,
    pub(super) title: String,
    pub(super) encoding: &'static str,
    pub(super) replaced: usize,
    pub(super) refresh: Option<Url>,
    pub(super) links: PageLinks,
}

impl Sheet {
    /// The encoding that its bytes have to be read in; none where they are UTF-8.
    fn encoding_of(&self, body: &[u8]) -> Option<&'static str> {
        let is_utf_8 = self.encoding == "UTF-8" && std::str::from_utf8(body).is_ok();
        (!is_utf_8).then_some(self.encoding)
    }
}

impl Visitor {
    pub(super) fn new(fetcher: Fetcher, scope: Scope, generators: Arc<Generators>) -> Self {
        Self { fetcher, scope, generators, templates: Templates::default() }
    }

    /// What every site answered that was asked for a page that cannot exist.
    pub(super) async fn probes(&self) -> Vec<Probe> {
        self.templates.probes().await
    }

    pub(super) async fn visit(&self, url: Url, copy: Option<Copy>, is_document: bool) -> Visit {
        let validators = copy.as_ref().map(|Copy { retrieval, .. }| Validators {
            of: retrieval.final_url.clone(),
            etag: retrieval.etag.clone(),
            last_modified: retrieval.last_modified.clone(),
        });
        let request = Request { validators, ..Request::new(url.clone()) };
        let mut answer = match self.fetcher.get(&request).await {
            Ok(answer) => answer,
            Err(error) => {
                return Visit {
                    hops: Vec::new(),
                    final_url: url,
                    seen: Seen::Other(failed(&error)),
                    new: None,
                };
            }
        };
        let fresh = match copy.filter(|_| answer.not_modified()) {
            Some(Copy { bytes, retrieval }) => {
                answer.status = retrieval.status;
                answer.headers.content_type = retrieval.content_type;
                answer.body = bytes;
                false
            }
            None => true,
        };
        let seen = self.seen(&answer, is_document, fresh).await;
        let keep = fresh && !matches!(seen, Seen::Other(_));
        let encoding = match &seen {
            Seen::Page(sheet) => sheet.encoding_of(&answer.body).map(str::to_owned),
            Seen::Document { .. } | Seen::Other(_) => None,
        };
        let Answer { hops, url: final_url, status, headers, body, .. } = answer;
        let retrieval = || Retrieval {
            url,
            final_url: final_url.clone(),
            status,
            etag: headers.etag,
            last_modified: headers.last_modified,
            content_type: headers.content_type,
            encoding,
            retrieved: jiff::Timestamp::now(),
        };
        let new = keep.then(|| (body, retrieval()));
        Visit { hops, final_url, seen, new }
    }

    async fn seen(&self, answer: &Answer, is_document: bool, fresh: bool) -> Seen {
        if let Some(outcome) = self.denied(answer) {
            return Seen::Other(outcome);
        }
        if is_document {
            let links = links_of_document(&Page::parse(&answer.text().text), &answer.url);
            return Seen::Document { snapshot: Digest::of(&answer.body), links };
        }
        if !is_html(answer) {
            let content_type = answer.headers.content_type.clone().unwrap_or_default();
            return Seen::Other(PageOutcome::NotHtml { content_type });
        }
        let Some((sheet, text)) = self.read(answer) else {
            return Seen::Other(PageOutcome::NoStaticContent);
        };
        // A copy of an earlier run was no missing page then.
        let soft = fresh
            && sheet.refresh.is_none()
            && self.templates.denies(&self.fetcher, &self.scope, &self.generators, answer, &text).await;
        if soft { Seen::Other(PageOutcome::SoftMissing) } else { Seen::Page(Box::new(sheet)) }
    }

    /// What an answer is that is no page, whatever its body says.
    fn denied(&self, answer: &Answer) -> Option<PageOutcome> {
        let Answer { status, headers, .. } = answer;
        if headers.challenge.is_some() || matches!(status, 401 | 403 | 407 | 511) {
            return Some(PageOutcome::Blocked { status: *status, challenge: headers.challenge.clone() });
        }
        if !(200..300).contains(status) {
            return Some(PageOutcome::Status { status: *status });
        }
        match self.scope.place(&answer.url) {
            Place::Inside | Place::Neighbour => None,
            Place::Outside(elsewhere) => {
                Some(PageOutcome::OutOfScope { elsewhere, hops: answer.hops.clone() })
            }
        }
    }

    /// A page, with the text that tells it from a missing one. None where it has no text of its own.
    fn read(&self, answer: &Answer) -> Option<(Sheet, String)> {
        let text = answer.text();
        let page = Page::parse(&text.text);
        let refresh = refresh_of(&page, &answer.url).filter(Refresh::is_redirect);
        let layout = self.generators.layout(&page)?;
        let content = layout.content(&page).map(|content| layout.text(content));
        if refresh.is_none() && content.is_none_or(|text| text.is_empty()) {
            return None;
        }
        let title = page.named("title").next().map(|title| layout.text(title)).unwrap_or_default();
        let whole = page.elements().next().map(|top| layout.text(top)).unwrap_or_default();
        let sheet = Sheet {
            snapshot: Digest::of(&answer.body),
            title,
            encoding: text.encoding,
            replaced: text.replaced,
            refresh: refresh.map(|refresh| refresh.from(&answer.requested)),
            links: links(&page, &answer.url, &self.generators),
        };
        Some((sheet, whole))
    }
}

fn is_html(answer: &Answer) -> bool {
    answer.headers.content_type.as_deref().is_none_or(|kind| kind.to_ascii_lowercase().contains("html"))
}

fn failed(error: &FetchError) -> PageOutcome {
    match error {
        FetchError::RobotsDisallow { .. } => PageOutcome::Refused { why: error.to_string() },
        _ => PageOutcome::Failed { why: error.to_string(), may_pass: error.may_pass() },
    }
}

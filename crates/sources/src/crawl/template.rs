//! Pages that are missing and say that they are there: told by what the site answers for a page that cannot exist.

use super::generators::Generators;
use super::key::key;
use super::record::{Probe, ProbeAnswer};
use super::scope::Scope;
use polc_net::{Answer, Fetcher, Request, Url};
use polc_records::Digest;
use polc_text::dom::Page;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::{Mutex, OnceCell};

/// What each site answers for a page that cannot exist. It is asked once in a run.
#[derive(Default)]
pub(super) struct Templates(Mutex<BTreeMap<Url, Arc<OnceCell<Template>>>>);

/// What a site answers for a page that cannot exist.
enum Template {
    Missing { status: u16 },
    Page { url: Url, redirected: bool, text: String },
    Failed { why: String },
}

impl Templates {
    /// Whether an answer is what the site gives for a page that cannot exist. `text` is the page's.
    pub(super) async fn denies(
        &self,
        fetcher: &Fetcher,
        scope: &Scope,
        generators: &Generators,
        answer: &Answer,
        text: &str,
    ) -> bool {
        let probe = probe_url(scope, &answer.url);
        let cell = Arc::clone(self.0.lock().await.entry(probe.clone()).or_default());
        match cell.get_or_init(|| ask(fetcher, generators, probe)).await {
            Template::Missing { .. } | Template::Failed { .. } => false,
            // It may be the front page, which is itself where it is asked for.
            Template::Page { url, redirected: true, .. } => {
                !answer.hops.is_empty() && key(url) == key(&answer.url)
            }
            Template::Page { redirected: false, text: template, .. } => {
                *template == without_address(text, &answer.url)
            }
        }
    }

    pub(super) async fn probes(&self) -> Vec<Probe> {
        let answer = |template: &Template| match template {
            Template::Missing { status } => ProbeAnswer::Missing { status: *status },
            Template::Page { .. } => ProbeAnswer::Page,
            Template::Failed { why } => ProbeAnswer::Failed { why: why.clone() },
        };
        let templates = self.0.lock().await;
        let answered = templates.iter().filter_map(|(url, cell)| Some((url, cell.get()?)));
        answered.map(|(url, template)| Probe { url: url.clone(), answer: answer(template) }).collect()
    }
}

/// A page that cannot exist, on the site of another: its name looks random, and is the same in every run.
fn probe_url(scope: &Scope, url: &Url) -> Url {
    let root = scope.root();
    let folder = if root.origin() == url.origin() { root.path() } else { "/" };
    let mut probe = url.clone();
    probe.set_path(&format!("{folder}{}", Digest::of(root.as_str()).short()));
    probe.set_query(None);
    probe.set_fragment(None);
    probe
}

async fn ask(fetcher: &Fetcher, generators: &Generators, probe: Url) -> Template {
    match fetcher.get(&Request::new(probe)).await {
        Err(error) => Template::Failed { why: error.to_string() },
        Ok(answer) if !(200..300).contains(&answer.status) => Template::Missing { status: answer.status },
        Ok(answer) => {
            let page = Page::parse(&answer.text().text);
            let top = page.elements().next().zip(generators.layout(&page));
            let text = top.map(|(top, layout)| layout.text(top)).unwrap_or_default();
            let text = without_address(&text, &answer.requested);
            Template::Page { redirected: !answer.hops.is_empty(), url: answer.url, text }
        }
    }
}

/// A text without the address that was asked for, which pages about missing pages like to show.
fn without_address(text: &str, url: &Url) -> String {
    let path = url.path().trim_matches('/');
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut text = text.to_owned();
    for part in [url.as_str(), path, name] {
        if part.len() > 1 {
            text = text.replace(part, "");
        }
    }
    text
}

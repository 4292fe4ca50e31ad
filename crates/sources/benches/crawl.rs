//! How long the crawl of a site of 500 pages takes, without the pauses that politeness asks for.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use polc_net::{Fetcher, Settings, Url};
use polc_records::layout::Root;
use polc_sources::crawl::{Crawl, CrawlRecord, Generators, Limits, Scope};
use polc_testkit::{Reply, Server};
use polc_text::snapshots::Snapshots;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const PAGES: usize = 500;

fn main() {
    divan::main();
}

/// A site whose pages have 40 links in the sidebar and 200 paragraphs each.
fn site() -> Server {
    let server = Server::start();
    for number in 0..PAGES {
        let links: String = (0..40)
            .map(|step| format!("<li><a href=/p{}>Page</a></li>", (number * 7 + step) % PAGES))
            .collect();
        let text: String = (0..200)
            .map(|part| {
                format!(
                    "<p>Part {part} of page {number}: <code>sign</code> it <em>before</em> it is sent.</p>"
                )
            })
            .collect();
        let page = format!(
            "<!doctype html><title>Page {number}</title><div class=sidebar-drawer><div class=sidebar-tree><ul>{links}</ul></div></div>\
             <article role=main id=furo-main-content><h1>Page {number}</h1>{text}</article>"
        );
        let tag = format!("\"{number}\"");
        let known = Reply::status(304).only_with("if-none-match", &tag);
        server.at(&format!("/p{number}"), [known, Reply::html(page).header("etag", &tag)]);
    }
    server
}

fn crawl(server: &Server, store: &Path) -> CrawlRecord {
    let settings = Settings {
        delay: Duration::ZERO,
        per_host: std::num::NonZeroUsize::new(8).unwrap(),
        obey_robots: false,
        ..Settings::default()
    };
    let generators = Arc::new(Generators::load(&Root::new(store)).unwrap());
    let entry = Url::parse(&server.url("/p0")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let fetcher = Fetcher::new(settings).unwrap();
        let mut store = Snapshots::open(store).unwrap();
        let crawl = Crawl {
            fetcher: &fetcher,
            store: &mut store,
            generators: &generators,
            limits: Limits::default(),
        };
        crawl.run(&Scope::new(&entry, &entry), |_| {}).await.unwrap()
    })
}

/// Into an empty store: every page is fetched, read and written.
#[divan::bench(sample_count = 10)]
fn fresh(bencher: divan::Bencher<'_, '_>) {
    let server = site();
    bencher.with_inputs(|| tempfile::tempdir().unwrap()).bench_values(|folder| {
        assert_eq!(crawl(&server, folder.path()).pages.len(), PAGES);
        folder
    });
}

/// Into the store of an earlier run: every page is asked for, and none has changed.
#[divan::bench(sample_count = 10)]
fn again(bencher: divan::Bencher<'_, '_>) {
    let server = site();
    let folder = tempfile::tempdir().unwrap();
    crawl(&server, folder.path());
    bencher.bench(|| assert_eq!(crawl(&server, folder.path()).pages.len(), PAGES));
}

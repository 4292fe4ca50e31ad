//! Crawls of real sites.

use crate::crawling::{crawl, lines};
use polc_net::Url;
use polc_sources::crawl::{CrawlRecord, PageOutcome};
use polc_testkit::serve_site;
use polc_testkit::shared::{files_below, shared};
use std::collections::BTreeSet;

/// The pages of a cut.
fn pages_of(site: &str) -> BTreeSet<String> {
    let Some(folder) = shared(&format!("sites/{site}")) else { return BTreeSet::new() };
    let files = files_below(&folder);
    let pages = files.iter().filter(|file| file.extension().is_some_and(|kind| kind == "html"));
    pages.map(|file| file.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned()).collect()
}

async fn whole(site: &str, entry: &str) -> Option<(Vec<String>, CrawlRecord)> {
    let server = serve_site(site, "/en/latest")?;
    let record = crawl(&server, "/en/latest/", &format!("/en/latest/{entry}")).await;
    Some((lines(&server, &record), record))
}

fn paths(record: &CrawlRecord) -> BTreeSet<String> {
    let below = |url: &Url| {
        let path = url.path().strip_prefix("/en/latest/")?.replace("%23", "#");
        Some(if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path })
    };
    let pages = record.pages.iter().filter_map(|page| match &page.outcome {
        PageOutcome::Page(page) => below(&page.final_url),
        PageOutcome::NavigationDocument { .. } | PageOutcome::SameAs { .. } => below(page.key.url()),
        _ => None,
    });
    pages.collect()
}

/// Real sites, where a contributor enters, and the pages of the cut that no page of it links to.
const WHOLE: &[(&str, &str, &[&str])] = &[
    ("requests-dev", "dev/contributing.html", &[]),
    ("pytest-dev", "contributing.html", &["contents.html", "development_guide.html"]),
    ("sphinx-9.1", "internals/contributing.html", &[]),
    ("mdbook-guide", "for_developers/index.html", &[]),
    (
        "matplotlib-3.11",
        "devel/index.html",
        &[
            "devel/coding_guide#new-features-and-api-changes.html",
            "devel/contributing.html",
            "devel/documenting_mpl.html",
            "devel/maintainer_workflow.html",
        ],
    ),
    (
        "pylint-4.1",
        "development_guide/contributor_guide/index.html",
        &[
            "development_guide/contribute.html",
            "development_guide/contributor_guide.html",
            "development_guide/index.html",
        ],
    ),
    ("django-6.1", "internals/contributing/index.html", &[]),
    ("pydantic", "contributing/index.html", &[]),
];

#[tokio::test]
async fn the_whole_of_real_sites_is_reached_from_the_entry_page_in_the_same_order_every_time() {
    for (site, entry, unlinked) in WHOLE {
        let Some((one, record)) = whole(site, entry).await else { return };
        let missed: Vec<String> = pages_of(site).difference(&paths(&record)).cloned().collect();
        assert_eq!(missed, *unlinked, "{site}");
        let (two, _) = whole(site, entry).await.unwrap();
        assert_eq!(one, two, "{site}");
        assert!(one.iter().any(|line| line.ends_with(": 404")), "{site}: links out of the cut are rows");
    }
}

#[tokio::test]
async fn real_stubs_lead_to_the_page_that_took_their_place() {
    for (site, stub, target) in [
        ("matplotlib-3.11", "devel/contributing.html", "devel/contribute.html"),
        (
            "matplotlib-3.11",
            "devel/coding_guide%23new-features-and-api-changes.html",
            "devel/api_changes.html",
        ),
        (
            "pylint-4.1",
            "development_guide/contributor_guide.html",
            "development_guide/contributor_guide/index.html",
        ),
    ] {
        let Some((lines, _)) = whole(site, stub).await else { return };
        assert_eq!(lines[0], format!("/en/latest/{stub}: entry: stub"));
        assert_eq!(lines[1], format!("/en/latest/{target}: refresh: page"));
    }
}

#[tokio::test]
async fn addresses_that_differ_from_their_files_are_followed_as_the_site_writes_them() {
    let Some(server) = serve_site("pallets-website", "") else { return };
    let lines = lines(&server, &crawl(&server, "/", "/contributing").await);
    assert_eq!(lines[0], "/contributing: entry: page");
    for line in
        ["/contributing/pr: navigation: page", "/security: navigation: page", "/blog/: navigation: 404"]
    {
        assert!(lines.contains(&line.to_owned()), "{line} in {lines:#?}");
    }
    assert!(!lines.iter().any(|line| line.starts_with("/contributing/:")), "one page is one row");
}

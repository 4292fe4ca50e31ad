//! Where the pages of real sites have their text and their links.

use crate::url;
use polc_records::layout::Root;
use polc_sources::crawl::generators::Layout;
use polc_sources::crawl::{Generators, Link, PageLinks, links};
use polc_testkit::shared::{files_below, shared};
use polc_text::dom::{Element, Page, Piece};
use std::collections::{BTreeMap, BTreeSet};

/// The table that is built in.
pub(crate) fn generators() -> Generators {
    Generators::load(&Root::new(tempfile::tempdir().unwrap().path())).unwrap()
}

/// A front page made by hand, with panels of its own above and below its `<main>`.
const LANDING: &str = "sklearn-1.9/index.html";

/// How many words may stand around a text.
const FRAME: usize = 60;

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[test]
fn every_page_of_the_shared_sites_has_a_text_that_holds_its_heading_and_most_of_its_words() {
    let Some(sites) = shared("sites") else { return };
    let generators = generators();
    let mut known: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut pages = 0;
    for file in files_below(&sites).iter().filter(|file| file.extension().is_some_and(|kind| kind == "html"))
    {
        let name = file.strip_prefix(&sites).unwrap().display().to_string();
        let text = std::fs::read_to_string(file).unwrap();
        let page = Page::parse(&text);
        let layout = generators.layout(&page).unwrap();
        if name == LANDING || text.contains("http-equiv=\"refresh\"") || name.ends_with("/toc.html") {
            continue;
        }
        let content = layout.content(&page).unwrap_or_else(|| panic!("{name} has no text"));
        let found = words(&layout.text(content));
        // All that is neither navigation nor noise, with the few words of the frame around the text.
        let all: usize = page.named("body").map(|body| outside_navigation(body, &layout)).sum();
        assert!(found * 2 + FRAME > all, "{name}: {found} of {all} words, by {}", layout.generator());
        let has = |top: Element<'_>| top.pieces().any(|piece| is_element(piece, "h1"));
        assert!(has(content) || page.named("h1").next().is_none(), "{name}: no heading");
        known.entry(name.split('/').next().unwrap().to_owned()).or_default().insert(layout.generator());
        pages += 1;
    }
    assert!(pages > 190, "{pages}");
    let known: Vec<String> = known.iter().map(|(site, by)| format!("{site} {by:?}")).collect();
    insta::assert_snapshot!(known.join("\n"));
}

fn is_element(piece: Piece<'_>, name: &str) -> bool {
    matches!(piece, Piece::Element(element) if element.name() == name)
}

fn outside_navigation(top: Element<'_>, layout: &Layout<'_>) -> usize {
    let mut open = vec![top];
    let mut found = 0;
    while let Some(element) = open.pop() {
        if layout.is_noise(element) || layout.is_navigation(element) {
            continue;
        }
        for piece in element.children() {
            match piece {
                Piece::Comment(_) => {}
                Piece::Text(text) => found += words(text),
                Piece::Element(child) => open.push(child),
            }
        }
    }
    found
}

fn of(html: &str, address: &str) -> PageLinks {
    links(&Page::parse(html), &url(address), &generators())
}

fn addresses(links: &[Link]) -> Vec<&str> {
    links.iter().map(|link| link.url.as_str()).collect()
}

#[test]
fn a_base_is_honoured_and_the_parts_of_a_page_are_told_apart() {
    let found = of(
        r##"<base href="../v2/"><link rel=prev href=zero><nav><a href=one>1</a><a href="mailto:a@b.example">m</a></nav>
        <main><h2 id=setup>Setup</h2><a href="two#part">2</a><a href="#setup">here</a><a class=headerlink href=no>x</a>
        <section id=more><a href="https://other.example/">3</a></section></main>
        <div><a href=nowhere>4</a></div><footer><a rel="next nofollow" href=five>5</a></footer>"##,
        "https://d.example/v1/page",
    );
    assert_eq!(found.base.as_str(), "https://d.example/v2/");
    assert_eq!(addresses(&found.navigation), ["https://d.example/v2/one"]);
    assert_eq!(found.previous.unwrap().url.as_str(), "https://d.example/v2/zero");
    assert_eq!(found.next.unwrap().url.as_str(), "https://d.example/v2/five");
    let content: Vec<_> =
        found.content.iter().map(|link| (link.url.as_str(), link.section.as_deref())).collect();
    let expected = [
        ("https://d.example/v2/two#part", Some("setup")),
        ("https://d.example/v2/#setup", Some("setup")),
        ("https://other.example/", Some("more")),
    ];
    assert_eq!(content, expected);
}

/// A site, a page of it, and a page that its navigation must name; before and after, where it has them.
const REAL: &[(&str, &str, &str, &str)] = &[
    ("astropy-dev", "development/codeguide.html", "/development/docguide.html", ""),
    (
        "django-6.1",
        "internals/contributing/index.html",
        "/internals/contributing/triaging-tickets.html",
        "/internals/contributing/new-contributors.html",
    ),
    ("flask-dev", "contributing.html", "/index.html", ""),
    ("matplotlib-3.11", "devel/index.html", "/devel/contribute.html", ""),
    ("pallets-website", "contributing/index.html", "/security", ""),
    ("pydantic", "contributing/index.html", "/help_with_pydantic/", "/changelog/"),
    (
        "pylint-4.1",
        "development_guide/contributor_guide/index.html",
        "/development_guide/contributor_guide/contribute.html",
        "",
    ),
    ("pytest-dev", "contributing.html", "/backwards-compatibility.html", "/backwards-compatibility.html"),
    ("requests-dev", "dev/contributing.html", "/dev/authors.html", "/dev/authors.html"),
    ("sklearn-1.9", "developers/index.html", "/developers/contributing.html", ""),
    ("sphinx-9.1", "internals/contributing.html", "/internals/ai-policy.html", "/internals/ai-policy.html"),
    ("sympy-dev", "contributing/index.html", "/contributing/new-contributors-guide/index.html", ""),
    ("xarray-dev", "contribute/index.html", "/contribute/contributing.html", ""),
];

#[test]
fn the_navigation_of_real_pages_names_the_pages_beside_them() {
    let Some(sites) = shared("sites") else { return };
    for (site, path, named, next) in REAL {
        let html = std::fs::read_to_string(sites.join(site).join(path)).unwrap();
        let found = of(&html, &format!("https://d.example/{path}"));
        let paths: Vec<&str> = found.navigation.iter().map(|link| link.url.path()).collect();
        assert!(paths.contains(named), "{site}: {named} in {paths:#?}");
        if !next.is_empty() {
            assert_eq!(found.next.unwrap().url.path(), *next, "{site}");
        }
    }
    let html = std::fs::read_to_string(sites.join("mdbook-guide/for_developers/index.html")).unwrap();
    let found = of(&html, "https://d.example/for_developers/index.html");
    assert_eq!(found.document.unwrap().path(), "/toc.html");
    assert_eq!(found.next.unwrap().url.path(), "/for_developers/preprocessors.html");
    let without_frame = html.replace("<iframe", "<p");
    let found = of(&without_frame, "https://d.example/for_developers/index.html");
    assert_eq!(found.document.unwrap().path(), "/toc-d4ff366f.js");
}

//! The version that a documentation site serves, from what the site itself publishes.
//!
//! Each generator has a file: which addresses it needs for a page, and what states a version there. Nothing in
//! them sends a request; [`gather()`] does, and [`decide`] decides.

mod check;
mod gather;
mod map;
mod mdbook;
mod meta;
mod mkdocs;
mod read_the_docs;
mod settle;
mod sphinx;
mod versions_json;

pub use check::{Changed, Pinned, check, of_another_release};
pub use gather::{Place, gather};
pub use map::{published, served};
pub use settle::{Decision, Hand, decide};

use crate::pin::version::Version;
use crate::refresh::base_url;
use polc_net::Url;
use polc_records::pin::{Claim, Generator, Listed};
use polc_text::dom::Page;
use std::collections::BTreeMap;

/// The entry page of a site. All addresses are the published ones.
#[derive(Debug)]
pub struct Entry {
    page: Page,
    /// The address of the page, after every redirect.
    url: Url,
    /// What the addresses in it are relative to.
    base: Url,
    /// The address that was asked for.
    requested: Url,
}

impl Entry {
    /// The page with a text.
    pub fn new(text: &str, url: Url, requested: Url) -> Self {
        let page = Page::parse(text);
        let base = base_url(&page, &url);
        Self { page, url, base, requested }
    }
}

/// What came back from the addresses that were wanted: only of those that answered.
#[derive(Debug, Default)]
pub struct Got(BTreeMap<Url, Vec<u8>>);

impl Got {
    /// Adds what an address answered.
    pub fn add(&mut self, url: Url, body: Vec<u8>) {
        self.0.insert(url, body);
    }

    /// What an address answered, as text. Only the head of an inventory is text.
    fn text(&self, url: &Url) -> Option<String> {
        self.0.get(url).map(|body| String::from_utf8_lossy(body).into_owned())
    }
}

/// What a site says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// What made it.
    pub generator: Generator,
    /// Below what its pages are: the folder of the page, where nothing says more.
    pub root: Url,
    /// What states a version, in the order in which it is believed.
    pub claims: Vec<Claim>,
    /// How its own list of versions has this one.
    pub listed: Option<Listed>,
    /// The word that stands for a version in its address.
    pub alias: Option<String>,
    /// What a person should know.
    pub warnings: Vec<String>,
}

/// Words that stand for one version today and for another one later.
const ALIASES: &[&str] = &[
    "current",
    "dev",
    "devel",
    "develop",
    "development",
    "edge",
    "head",
    "latest",
    "main",
    "master",
    "next",
    "nightly",
    "stable",
    "trunk",
    "unstable",
];

/// Whether a part of an address stands for one version today and for another one later.
fn is_alias(part: &str) -> bool {
    ALIASES.iter().any(|alias| part.eq_ignore_ascii_case(alias))
}

/// Every address that has to be asked before a page can be judged.
pub fn wanted(entry: &Entry) -> Vec<Url> {
    let mut wanted = read_the_docs::wanted(entry);
    if sphinx::made(entry) {
        wanted.extend(sphinx::wanted(entry));
    } else {
        wanted.extend(versions_json::wanted(entry));
    }
    wanted
}

/// What a page and the answers of the addresses that it wanted say; `name` is what the project is called.
pub fn examine(entry: &Entry, got: &Got, name: &str) -> Findings {
    let (generator, root) = made_by(entry);
    let root = root.or_else(|| entry.base.join("./").ok()).unwrap_or_else(|| entry.base.clone());
    let project = sphinx::project(entry, got);
    let names: Vec<&str> = project.as_deref().into_iter().chain([name]).collect();
    let mut stated = if generator == Generator::Sphinx { sphinx::claims(entry, got) } else { Vec::new() };
    stated.extend(read_the_docs::claims(entry, got));
    if generator != Generator::Sphinx {
        stated.extend(versions_json::claims(entry, got));
    }
    stated.extend(meta::claims(entry, &names));
    let (words, claims): (Vec<Claim>, Vec<Claim>) =
        stated.into_iter().partition(|claim| is_alias(&claim.value));
    let listed = read_the_docs::listed(entry, got).or_else(|| versions_json::listed(entry, got));
    let alias = alias_of(entry, &root, listed.as_ref()).or_else(|| Some(words.first()?.value.clone()));
    let warnings = warnings(entry, got, &claims, alias.as_deref());
    Findings { generator, root, claims, listed, alias, warnings }
}

/// What made a page, and below what its pages are.
fn made_by(entry: &Entry) -> (Generator, Option<Url>) {
    if sphinx::made(entry) {
        (Generator::Sphinx, sphinx::root(entry))
    } else if mkdocs::made(entry) {
        (Generator::Mkdocs, mkdocs::root(entry))
    } else if mdbook::made(entry) {
        (Generator::Mdbook, mdbook::root(entry))
    } else if meta::content(entry, "generator").is_some_and(|made| made.starts_with("Docusaurus")) {
        (Generator::Docusaurus, None)
    } else {
        (Generator::Unknown, None)
    }
}

/// The word for a version above the pages: in what was asked for, where that led elsewhere, else in the root.
fn alias_of(entry: &Entry, root: &Url, listed: Option<&Listed>) -> Option<String> {
    let stands_for = |part: &&str| {
        is_alias(part) || listed.is_some_and(|listed| listed.aliases.iter().any(|alias| alias == part))
    };
    let (requested, _) = map::moved(&entry.requested, &entry.url);
    let asked = requested.path_segments().filter(|_| requested != entry.requested);
    let parts = asked.into_iter().flatten().chain(root.path_segments().into_iter().flatten());
    parts.filter(|part| !part.is_empty()).find(stands_for).map(str::to_owned)
}

fn warnings(entry: &Entry, got: &Got, claims: &[Claim], alias: Option<&str>) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(alias) = alias {
        warnings.push(format!("`{alias}` in its address will stand for another version in time"));
    }
    if entry.requested.host_str() != entry.url.host_str() {
        warnings.push(format!("`{}` led to another host, `{}`", entry.requested, entry.url));
    }
    let is_release = !claims.iter().any(|claim| Version::of(&claim.value).is_development());
    for listed in versions_json::development(entry, got).iter().filter(|_| is_release) {
        warnings.push(format!(
            "a development build is published too, `{}`; where contributors are sent to it, name it in project.toml",
            listed.version
        ));
    }
    warnings
}

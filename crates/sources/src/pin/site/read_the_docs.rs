//! Read the Docs: what it puts into a page of the version, and what its own address says of it.

use super::{Entry, Got, meta};
use polc_net::Url;
use polc_records::pin::{Claim, ClaimedBy, Listed};
use serde::Deserialize;

/// What the page carries, in the form of old and new hosts.
#[derive(Debug, Deserialize)]
struct InPage {
    project: String,
    version: String,
}

/// What the address for addons answers.
#[derive(Debug, Deserialize)]
struct Addons {
    versions: Versions,
}

#[derive(Debug, Deserialize)]
struct Versions {
    current: Current,
}

#[derive(Debug, Deserialize)]
struct Current {
    slug: String,
    verbose_name: Option<String>,
    /// What `stable` stands for.
    #[serde(rename = "ref")]
    reference: Option<String>,
    #[serde(default)]
    aliases: Vec<Alias>,
}

#[derive(Debug, Deserialize)]
struct Alias {
    slug: String,
}

/// The address that says what a version stands for.
pub(super) fn wanted(entry: &Entry) -> Vec<Url> {
    addons_url(entry).into_iter().collect()
}

/// What the page and that address state.
pub(super) fn claims(entry: &Entry, got: &Got) -> Vec<Claim> {
    let claim = |value, url: &Url| Claim { by: ClaimedBy::ReadTheDocs, value, url: url.clone() };
    let page = in_page(entry).map(|data| claim(data.version, &entry.url));
    let reference = addons(entry, got).and_then(|(url, current)| Some(claim(current.reference?, &url)));
    page.into_iter().chain(reference).collect()
}

/// How the host lists the version.
pub(super) fn listed(entry: &Entry, got: &Got) -> Option<Listed> {
    let (_, current) = addons(entry, got)?;
    let aliases = current.aliases.into_iter().map(|alias| alias.slug).collect();
    let title = current.verbose_name.filter(|name| *name != current.slug);
    Some(Listed { version: current.slug, title, aliases })
}

fn in_page(entry: &Entry) -> Option<InPage> {
    let of_tags = || {
        let project = meta::content(entry, "readthedocs-project-slug")?.to_owned();
        Some(InPage { project, version: meta::content(entry, "readthedocs-version-slug")?.to_owned() })
    };
    let of_script = || {
        let mut scripts = entry.page.named("script");
        let script = scripts.find(|script| script.attribute("id") == Some("READTHEDOCS_DATA"))?;
        serde_json::from_str(&script.text()).ok()
    };
    of_tags().or_else(of_script)
}

fn addons_url(entry: &Entry) -> Option<Url> {
    let InPage { project, version } = in_page(entry)?;
    let mut url = entry.url.join("/_/addons/").ok()?;
    let asked = [("api-version", "1"), ("project-slug", &project), ("version-slug", &version)];
    url.query_pairs_mut().extend_pairs(asked);
    Some(url)
}

fn addons(entry: &Entry, got: &Got) -> Option<(Url, Current)> {
    let url = addons_url(entry)?;
    let addons: Addons = serde_json::from_str(&got.text(&url)?).ok()?;
    Some((url, addons.versions.current))
}

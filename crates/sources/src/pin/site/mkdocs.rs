//! MkDocs: it states no version of what it documents, but the theme says below what the pages of a version are.

use super::{Entry, meta};
use polc_net::Url;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Config {
    base: String,
}

/// Whether the page is made by MkDocs.
pub(super) fn made(entry: &Entry) -> bool {
    config(entry).is_some()
        || meta::content(entry, "generator").is_some_and(|made| made.starts_with("mkdocs"))
}

/// Below what all pages of the version are.
pub(super) fn root(entry: &Entry) -> Option<Url> {
    let base = config(entry)?.base;
    let folder = if base.ends_with('/') { base } else { format!("{base}/") };
    entry.base.join(&folder).ok()
}

fn config(entry: &Entry) -> Option<Config> {
    let mut scripts = entry.page.named("script");
    let script = scripts.find(|script| script.attribute("id") == Some("__config"))?;
    serde_json::from_str(&script.text()).ok()
}

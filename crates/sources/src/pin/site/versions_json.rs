//! `versions.json`: the versions that mike or Docusaurus publishes side by side, and the words that stand for them.

use super::{Entry, Got, is_alias, mkdocs};
use crate::pin::version::Version;
use polc_net::Url;
use polc_records::pin::{Claim, ClaimedBy, Listed};
use serde::Deserialize;

/// One version of the list.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Row {
    /// As mike writes it.
    Mike {
        version: String,
        #[serde(default)]
        title: Option<String>,
        #[serde(default)]
        aliases: Vec<String>,
    },
    /// As Docusaurus writes it.
    Name(String),
}

/// Where a list may be: above the part of an address that looks like a version or a word for one.
pub(super) fn wanted(entry: &Entry) -> Vec<Url> {
    let mut wanted: Vec<Url> = folders(entry).into_iter().map(|(list, _)| list).collect();
    wanted.dedup();
    wanted
}

/// Which versions of the list the addresses stand for: that of the page, and the one that was asked for.
pub(super) fn claims(entry: &Entry, got: &Got) -> Vec<Claim> {
    let stand_for = matching(entry, got).into_iter();
    stand_for.map(|(url, listed)| Claim { by: ClaimedBy::VersionsList, value: listed.version, url }).collect()
}

/// How the list has the version of the page.
pub(super) fn listed(entry: &Entry, got: &Got) -> Option<Listed> {
    matching(entry, got).into_iter().map(|(_, listed)| listed).next()
}

/// Every version of the lists under which a development build is published.
pub(super) fn development(entry: &Entry, got: &Got) -> Vec<Listed> {
    let all = wanted(entry).into_iter().filter_map(|url| list(&url, got)).flatten();
    all.filter(|listed| Version::of(&listed.version).is_development()).collect()
}

fn matching(entry: &Entry, got: &Got) -> Vec<(Url, Listed)> {
    let mut found: Vec<(Url, Listed)> = Vec::new();
    for (url, name) in folders(entry) {
        let row = list(&url, got)
            .into_iter()
            .flatten()
            .find(|listed| listed.version == name || listed.aliases.contains(&name));
        if let Some(listed) = row.filter(|row| !found.iter().any(|(_, known)| known == row)) {
            found.push((url, listed));
        }
    }
    found
}

/// The lists that there may be, each with the part of an address that a version of it would be called by.
fn folders(entry: &Entry) -> Vec<(Url, String)> {
    let mut found = Vec::new();
    if let Some(root) = mkdocs::root(entry) {
        found.extend(last_folder(&root));
    }
    for url in [&entry.url, &entry.requested] {
        let parts: Vec<&str> = url.path_segments().into_iter().flatten().collect();
        for (at, part) in parts.iter().enumerate() {
            if is_alias(part) || Version::of(part).is_numbered() {
                let above = format!("/{}/versions.json", parts[..at].join("/")).replace("//", "/");
                found.extend(url.join(&above).ok().map(|list| (list, (*part).to_owned())));
            }
        }
    }
    found
}

/// The list above the root of a version, and the name of its folder.
fn last_folder(root: &Url) -> Option<(Url, String)> {
    let name = root.path().trim_end_matches('/').rsplit('/').next().filter(|name| !name.is_empty())?;
    Some((root.join("../versions.json").ok()?, name.to_owned()))
}

fn list(url: &Url, got: &Got) -> Option<Vec<Listed>> {
    let rows: Vec<Row> = serde_json::from_str(&got.text(url)?).ok()?;
    let listed = rows.into_iter().map(|row| match row {
        Row::Mike { version, title, aliases } => {
            let title = title.filter(|title| *title != version);
            Listed { version, title, aliases }
        }
        Row::Name(version) => Listed { version, title: None, aliases: Vec::new() },
    });
    Some(listed.collect())
}

//! mdBook: it states no version of what it documents; a script of each page says where the book begins.

use super::Entry;
use polc_net::Url;
use polc_text::dom::{Element, Piece};

/// Whether the page is made by mdBook: it says so in a comment.
pub(super) fn made(entry: &Entry) -> bool {
    entry
        .page
        .pieces()
        .any(|piece| matches!(piece, Piece::Comment(text) if text.contains("generated using mdBook")))
}

/// Below what all pages of the book are.
pub(super) fn root(entry: &Entry) -> Option<Url> {
    let scripts = entry.page.named("script").map(Element::text);
    let path = scripts.into_iter().find_map(|text| {
        let (_, after) = text.split_once("path_to_root = ")?;
        let (path, _) = after.strip_prefix('"')?.split_once('"')?;
        Some(path.to_owned())
    })?;
    entry.base.join(if path.is_empty() { "./" } else { &path }).ok()
}

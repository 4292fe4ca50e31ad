//! Published addresses and the ones that are read in their place.

use polc_net::Url;
use polc_records::pin::UrlRow;

/// The address that is read for a published one.
pub fn served(rows: &[UrlRow], url: &Url) -> Url {
    let moved = rows.iter().find_map(|row| with_prefix(url, &row.published, &row.served));
    moved.unwrap_or_else(|| url.clone())
}

/// The published address of one that was read.
pub fn published(rows: &[UrlRow], url: &Url) -> Url {
    // The last rows are the mirror itself; those before them are redirects, which have no way back.
    let moved = rows.iter().rev().find_map(|row| with_prefix(url, &row.served, &row.published));
    moved.unwrap_or_else(|| url.clone())
}

fn with_prefix(url: &Url, from: &Url, to: &Url) -> Option<Url> {
    let rest = url.as_str().strip_prefix(from.as_str())?;
    // What begins with `/guide` is not all below it: `/guidelines` is another page.
    let ends_there = from.as_str().ends_with('/') || rest.is_empty() || rest.starts_with(['/', '?', '#']);
    if !ends_there {
        return None;
    }
    Url::parse(&format!("{to}{rest}")).ok()
}

/// What an address begins with and what the one that it led to begins with, where both go on in the same way.
pub(super) fn moved(from: &Url, to: &Url) -> (Url, Url) {
    let without_place = |url: &Url| {
        let mut url = url.clone();
        url.set_fragment(None);
        url
    };
    let (mut from, mut to) = (without_place(from), without_place(to));
    if from == to {
        return (from, to);
    }
    let last = |url: &Url| {
        let path = url.path().trim_end_matches('/').len();
        let start = url.path()[..path].rfind('/')? + 1;
        Some((url.path()[..start].to_owned(), url.path()[start..].to_owned()))
    };
    while let (Some((from_folder, one)), Some((to_folder, other))) = (last(&from), last(&to)) {
        if one != other || from.query() != to.query() || one.is_empty() {
            break;
        }
        from.set_query(None);
        to.set_query(None);
        from.set_path(&from_folder);
        to.set_path(&to_folder);
    }
    (from, to)
}

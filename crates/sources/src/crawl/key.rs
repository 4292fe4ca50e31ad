//! What makes two addresses one page.

use polc_net::Url;
use std::fmt;

/// The identity of a page: its parsed address without a fragment, and without a name and a password, which
/// are no part of a page and must not end up in files. Query and trailing slash count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageKey(Url);

/// The key of an address.
pub fn key(url: &Url) -> PageKey {
    let mut url = url.clone();
    url.set_fragment(None);
    // These two fail for an address that can hold neither.
    let _cleared = (url.set_username(""), url.set_password(None));
    PageKey(url)
}

impl PageKey {
    /// The address to fetch.
    pub fn url(&self) -> &Url {
        &self.0
    }
}

impl fmt::Display for PageKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

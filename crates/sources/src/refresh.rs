//! A page that sends its reader elsewhere by itself: `<meta http-equiv="refresh">`, read as the HTML standard does.

use polc_net::Url;
use polc_text::dom::Page;
use std::time::Duration;

/// The longest delay of a page that is a redirect in place of content.
const SHORT: Duration = Duration::from_secs(10);

/// Where a page leads by itself, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// How long the page stays.
    pub delay: Duration,
    /// The address after that, with the fragment that the page names.
    pub url: Url,
}

impl Refresh {
    /// Whether the page is a redirect, and not one that people read before they are led on.
    pub fn is_redirect(&self) -> bool {
        self.delay <= SHORT
    }

    /// The address for somebody who asked for a place in the page: where the page names no place of its own,
    /// the one that was asked for.
    pub fn from(&self, requested: &Url) -> Url {
        let mut url = self.url.clone();
        if url.fragment().is_none() {
            url.set_fragment(requested.fragment());
        }
        url
    }
}

/// Where the text of a page leads; `url` is the address that the page came from.
///
/// None where it leads nowhere: a refresh that names no address, or the page's own, is a timer by which the
/// same page is loaded again.
pub fn refresh(text: &str, url: &Url) -> Option<Refresh> {
    refresh_of(&Page::parse(text), url)
}

/// The same of a page that is parsed already.
pub fn refresh_of(page: &Page, url: &Url) -> Option<Refresh> {
    let base = base_url(page, url);
    let mut contents = page.named("meta").filter_map(|meta| {
        let is_refresh = meta.attribute("http-equiv")?.eq_ignore_ascii_case("refresh");
        meta.attribute("content").filter(|_| is_refresh)
    });
    // Of several the first one that can be read counts.
    let (delay, address) = contents.find_map(|content| parse(content, &base))?;
    let without_fragment = |url: &Url| {
        let mut url = url.clone();
        url.set_fragment(None);
        url
    };
    let mut url = address.filter(|address| without_fragment(address) != without_fragment(url))?;
    // A name and a password must not end up in files. These two fail for an address that can hold neither.
    let _cleared = (url.set_username(""), url.set_password(None));
    Some(Refresh { delay, url })
}

/// What the addresses of a page are relative to: its first `<base href>` that can be read, else its own address.
pub fn base_url(page: &Page, url: &Url) -> Url {
    let base = page.named("base").find_map(|base| base.attribute("href"));
    base.and_then(|base| url.join(base).ok()).unwrap_or_else(|| url.clone())
}

/// The steps of the standard on the value of `content`: a delay, and an address where one is named.
fn parse(content: &str, base: &Url) -> Option<(Duration, Option<Url>)> {
    let is_space = |c: char| c.is_ascii_whitespace();
    let content = content.trim_start_matches(is_space);
    let rest = content.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &content[..content.len() - rest.len()];
    if digits.is_empty() && !rest.starts_with('.') {
        return None;
    }
    // More digits than a number can hold are for ever.
    let seconds = if digits.is_empty() { 0 } else { digits.parse().unwrap_or(u64::MAX) };
    let delay = Duration::from_secs(seconds);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if rest.is_empty() {
        return Some((delay, None));
    }
    if !rest.starts_with(|c| is_space(c) || matches!(c, ';' | ',')) {
        return None;
    }
    let rest = rest.trim_start_matches(is_space);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start_matches(is_space);
    if rest.is_empty() {
        return Some((delay, None));
    }
    let address = base.join(address(rest)).ok().filter(|url| url.scheme() != "javascript")?;
    Some((delay, Some(address)))
}

/// The address in `url=…`, where that is what the text says; a text without `url` is an address itself.
fn address(text: &str) -> &str {
    let is_space = |c: char| c.is_ascii_whitespace();
    let named = || {
        let (word, rest) = text.split_at_checked(3)?;
        let value = rest.trim_start_matches(is_space).strip_prefix('=')?;
        word.eq_ignore_ascii_case("url").then(|| value.trim_start_matches(is_space))
    };
    let value = named().unwrap_or(text);
    match value.chars().next() {
        Some(quote @ ('"' | '\'')) => value[1..].split(quote).next().unwrap_or_default(),
        _ => value,
    }
}

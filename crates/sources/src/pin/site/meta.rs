//! Meta tags and the title of the page.
//!
//! The tag `generator` says which program made the page: its version is one of that program, never a claim.

use super::Entry;
use crate::pin::version::Version;
use polc_records::pin::{Claim, ClaimedBy};
use polc_text::dom::Element;

/// Tags whose content is the version of the documentation.
const TAGS: &[&str] = &["docsearch:version", "docusaurus_version"];

/// What stands between the name of a project and its version in a title.
const BETWEEN: &[&str] = &["documentation", "docs", "manual", "guide", "version", "release"];

/// The content of the first meta tag of a name; none where it is empty.
pub(super) fn content<'e>(entry: &'e Entry, name: &str) -> Option<&'e str> {
    let mut tags = entry.page.named("meta");
    let tag = tags.find(|tag| tag.attribute("name").is_some_and(|found| found.eq_ignore_ascii_case(name)))?;
    tag.attribute("content").map(str::trim).filter(|content| !content.is_empty())
}

/// What the tags and the title state; `names` are those that the project goes by.
pub(super) fn claims(entry: &Entry, names: &[&str]) -> Vec<Claim> {
    let claim = |by, value: &str| Claim { by, value: value.to_owned(), url: entry.url.clone() };
    let tags = TAGS.iter().filter_map(|name| content(entry, name));
    let mut claims: Vec<Claim> = tags.map(|value| claim(ClaimedBy::MetaTag, value)).collect();
    let title = entry.page.named("title").next().map(Element::text).unwrap_or_default();
    let in_title = names.iter().find_map(|name| after(&title, name));
    claims.extend(in_title.map(|value| claim(ClaimedBy::Title, &value)));
    claims
}

/// The version that stands in a title right after a name.
fn after(title: &str, name: &str) -> Option<String> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let words = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let (title, name) = (words(title), words(name));
    let bare = |word: &str| word.trim_matches(is_mark).to_lowercase();
    let is_name = |at: usize| name.iter().zip(&title[at..]).all(|(one, other)| bare(one) == bare(other));
    let starts = (0..title.len().saturating_sub(name.len())).rev();
    let mut names = starts.filter(|at| !name.is_empty() && is_name(*at));
    names.find_map(|at| {
        let rest = title[at + name.len()..].iter();
        let word = rest
            .map(|word| word.trim_matches(is_mark))
            .find(|word| !BETWEEN.contains(&word.to_lowercase().as_str()))?;
        let numbers = word.strip_prefix(['v', 'V']).unwrap_or(word);
        let is_version = numbers.starts_with(|c: char| c.is_ascii_digit()) && numbers.contains('.');
        (is_version && Version::of(numbers).is_numbered()).then(|| numbers.to_owned())
    })
}

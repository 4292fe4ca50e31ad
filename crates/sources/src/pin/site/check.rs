//! Whether a site still is what was pinned.

use super::gather::{ask, get};
use super::{Entry, Got, examine};
use crate::SourcesError;
use crate::pin::version::{Build, compare};
use polc_net::{Fetcher, Url};
use polc_records::Digest;
use polc_records::pin::{Claim, ClaimedBy, PinnedVersion, SitePin};
use std::fmt;

/// A claim that is not what it was at the pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// What was stated at the pin.
    pub pinned: Claim,
    /// What is stated now.
    pub now: Claim,
}

impl fmt::Display for Changed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pinned, now } = self;
        write!(
            out,
            "`{}` by the {}, {}, where `{}` was pinned by the {}, {}",
            now.value, now.by, now.url, pinned.value, pinned.by, pinned.url
        )
    }
}

/// Asks the pinned site again what it states, and gives what a person should know of it.
///
/// # Errors
/// Where its entry page cannot be had, or it states another release than at the pin.
pub async fn check(fetcher: &Fetcher, site: &SitePin, name: &str) -> Result<Vec<String>, SourcesError> {
    let answer = get(fetcher, &site.urls, &site.resolved).await?;
    if answer.status != 200 {
        let why = format!("answers with status {}", answer.status);
        return Err(SourcesError::Entry { url: Box::new(answer.url), why });
    }
    let entry = Entry::new(&answer.text().text, site.resolved.clone(), site.entry.clone());
    let mut notes = Vec::new();
    let got = ask(fetcher, &site.urls, &entry, &mut notes).await?;
    for (build, changed) in changed(site, examine(&entry, &got, name).claims.iter()) {
        if build == Build::OfAnotherRelease {
            return Err(SourcesError::OtherRelease(Box::new(changed)));
        }
        notes.push(format!("another build of the pinned release: {changed}"));
    }
    let by_bytes = matches!(site.version, PinnedVersion::Unversioned { .. });
    if by_bytes && Digest::of(&answer.body) != site.digest {
        notes.push(format!("`{}` is no longer what was pinned: its bytes are others", site.resolved));
    }
    Ok(notes)
}

/// What in a page states another release than the pinned one. Its title is not asked: it may speak of any.
pub fn of_another_release(site: &SitePin, text: &str, url: &Url, name: &str) -> Option<Changed> {
    let entry = Entry::new(text, url.clone(), url.clone());
    let claims = examine(&entry, &Got::default(), name).claims;
    let mut changed = changed(site, claims.iter().filter(|claim| claim.by != ClaimedBy::Title));
    changed.find_map(|(build, changed)| (build == Build::OfAnotherRelease).then_some(changed))
}

/// The claims that are not what they were, with how far they are from it.
fn changed<'c>(
    site: &SitePin,
    claims: impl Iterator<Item = &'c Claim>,
) -> impl Iterator<Item = (Build, Changed)> {
    claims.filter_map(|now| {
        let mut alike = site.claims.iter().filter(|pinned| pinned.by == now.by);
        let pinned = alike.clone().find(|pinned| pinned.url == now.url).or_else(|| alike.next())?;
        let build = compare(&pinned.value, &now.value);
        (build != Build::Same).then(|| (build, Changed { pinned: pinned.clone(), now: now.clone() }))
    })
}

//! Whether a site still is what was pinned.

use super::gather::{ask, entry};
use super::{Entry, Got, examine};
use crate::pin::version::{Build, compare};
use crate::{Remedy, SourcesError};
use polc_net::{Fetcher, Url};
use polc_records::Digest;
use polc_records::pin::{Claim, ClaimedBy, PinnedVersion, SitePin};
use std::fmt;

/// A claim that is not what the pin has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// What the pin has.
    pub pinned: Pinned,
    /// What is stated now.
    pub now: Claim,
}

/// What a pin has that a claim can be compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pinned {
    /// What stated a version then, as the claim does now.
    Claim(Claim),
    /// The version, where nothing of the kind stated one then.
    Version(String),
}

impl fmt::Display for Changed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pinned, now } = self;
        write!(out, "`{}` by the {}, {}, where ", now.value, now.by, now.url)?;
        match pinned {
            Pinned::Claim(pinned) => {
                write!(out, "`{}` was pinned by the {}, {}", pinned.value, pinned.by, pinned.url)
            }
            Pinned::Version(value) => write!(out, "`{value}` was pinned, and nothing of the kind stated it"),
        }
    }
}

/// Asks the pinned site again what it states, and gives what a person should know of it.
///
/// # Errors
/// Where its entry page cannot be had, or it states another release than at the pin.
pub async fn check(fetcher: &Fetcher, site: &SitePin, name: &str) -> Result<Vec<String>, SourcesError> {
    let answer = entry(fetcher, &site.urls, &site.resolved).await?;
    if answer.status != 200 {
        let why = format!("answers with status {}", answer.status);
        let remedy = Remedy::of_status(answer.status);
        return Err(SourcesError::Entry { url: Box::new(answer.url), why, remedy });
    }
    let page = Entry::new(&answer.text().text, site.resolved.clone(), site.entry.clone());
    let mut notes = Vec::new();
    let got = ask(fetcher, &site.urls, &page, &mut notes).await?;
    let claims = examine(&page, &got, name).claims;
    for (build, changed) in changed(site, claims.iter()).chain(added(site, &claims)) {
        if build == Build::OfAnotherRelease {
            return Err(SourcesError::OtherRelease(Box::new(changed)));
        }
        notes.push(format!("another build of the pinned release: {changed}"));
    }
    for gone in site.claims.iter().filter(|pinned| claims.iter().all(|now| now.by != pinned.by)) {
        let Claim { by, value, url } = gone;
        notes.push(format!("the {by}, {url}, stated `{value}` at the pin, and states no version now"));
    }
    let by_bytes = matches!(site.version, PinnedVersion::Unversioned { .. });
    for now in claims.iter().filter(|_| by_bytes) {
        notes.push(format!("the site states a version now: `{}` by the {}, {}", now.value, now.by, now.url));
    }
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
        let alike = || site.claims.iter().filter(|pinned| pinned.by == now.by);
        // One page may hold several of a kind, which need not agree.
        let build = |pinned: &&Claim| compare(&pinned.value, &now.value);
        let here = alike().filter(|pinned| pinned.url == now.url).min_by_key(build);
        let pinned = here.or_else(|| alike().min_by_key(build))?;
        let changed = || Changed { pinned: Pinned::Claim(pinned.clone()), now: now.clone() };
        (build(&pinned) != Build::Same).then(|| (build(&pinned), changed()))
    })
}

/// The claims of kinds that stated nothing at the pin and do not state its version now.
fn added(site: &SitePin, claims: &[Claim]) -> impl Iterator<Item = (Build, Changed)> {
    let new = claims.iter().filter(|now| site.claims.iter().all(|pinned| pinned.by != now.by));
    site.version.value().into_iter().flat_map(move |value| {
        new.clone().filter_map(move |now| {
            let build = compare(value, &now.value);
            let changed = || Changed { pinned: Pinned::Version(value.to_owned()), now: now.clone() };
            (build != Build::Same).then(|| (build, changed()))
        })
    })
}

//! Asking a site: its entry page, and what the page's generator publishes beside it.

use super::settle::{Hand, settle};
use super::{Entry, Got, examine, map, wanted};
use crate::pin::version::Version;
use crate::refresh::{Refresh, refresh};
use crate::{Remedy, SourcesError};
use polc_net::{Answer, FetchError, Fetcher, Request, Url};
use polc_records::Digest;
use polc_records::pin::{Claim, PinnedVersion, SitePin, UrlRow};
use polc_records::project::Project;

/// How often a page may lead on by itself.
const MOST_REFRESHES: usize = 5;

/// Where a published site is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Where it is published.
    Published,
    /// On a mirror that begins here. How much of the published path it leaves out shows when it is asked for
    /// the entry page.
    Mirror(Url),
    /// On a mirror of what begins with the published address.
    Row(UrlRow),
}

/// Asks the site of a project what it is, and settles its version.
///
/// # Errors
/// Where the entry page cannot be had, or its site states no version, or several, and no person has settled it.
pub async fn gather(
    fetcher: &Fetcher,
    project: &Project,
    place: &Place,
    hand: Option<&Hand>,
    previous: Option<&SitePin>,
) -> Result<SitePin, SourcesError> {
    let Some(requested) = &project.docs else {
        return Err(SourcesError::NoDocs { slug: project.slug.clone() });
    };
    let (mirror, answer) = enter(fetcher, place, requested).await?;
    let (answer, resolved) = settle_down(fetcher, &mirror, answer, requested).await?;
    let entry = Entry::new(&answer.text().text, resolved.clone(), requested.clone());
    let mut warnings = Vec::new();
    let got = ask(fetcher, &mirror, &entry, &mut warnings).await?;
    let findings = examine(&entry, &got, project.repository.name());
    warnings.splice(0..0, findings.warnings);
    let version = settle(requested, &findings.claims, hand, previous)?;
    warnings.extend(contradicting(&version, &findings.claims));
    let urls = rows(mirror, requested, &resolved, &findings.root);
    Ok(SitePin {
        entry: requested.clone(),
        resolved,
        served: answer.url.clone(),
        root: findings.root,
        digest: Digest::of(&answer.body),
        generator: findings.generator,
        alias: findings.alias,
        warnings,
        version,
        listed: findings.listed,
        claims: findings.claims,
        urls,
    })
}

/// What states another version than a person says.
fn contradicting(version: &PinnedVersion, claims: &[Claim]) -> Vec<String> {
    let PinnedVersion::ByHand { value, .. } = version else { return Vec::new() };
    let by_hand = Version::of(value);
    let others = claims.iter().filter(|claim| !Version::of(&claim.value).agrees_with(&by_hand));
    others
        .map(|claim| format!("the {} says `{}`, and by hand it is `{value}`", claim.by, claim.value))
        .collect()
}

pub(super) async fn get(fetcher: &Fetcher, mirror: &[UrlRow], url: &Url) -> Result<Answer, FetchError> {
    fetcher.get(&Request::new(map::served(mirror, url))).await
}

/// The entry page of a site, with what helps where it is not given.
pub(super) async fn entry(fetcher: &Fetcher, mirror: &[UrlRow], url: &Url) -> Result<Answer, SourcesError> {
    get(fetcher, mirror, url).await.map_err(|error| match Remedy::of_error(&error) {
        Some(remedy) => {
            let why = format!("was not read: {error}");
            SourcesError::Entry { url: Box::new(map::served(mirror, url)), why, remedy }
        }
        None => error.into(),
    })
}

/// The entry page, and the map to the place where it is read.
async fn enter(
    fetcher: &Fetcher,
    place: &Place,
    requested: &Url,
) -> Result<(Vec<UrlRow>, Answer), SourcesError> {
    let mirrors: Vec<Vec<UrlRow>> = match place {
        Place::Published => vec![Vec::new()],
        Place::Row(row) => vec![vec![row.clone()]],
        Place::Mirror(served) => {
            let rows =
                folders(requested).into_iter().map(|published| UrlRow { published, served: served.clone() });
            rows.map(|row| vec![row]).collect()
        }
    };
    let mut refused = None;
    for mirror in mirrors {
        let answer = entry(fetcher, &mirror, requested).await?;
        if answer.status == 200 {
            return Ok((mirror, answer));
        }
        refused.get_or_insert(answer);
    }
    let (url, status) = refused.map_or((requested.clone(), 0), |answer| (answer.url, answer.status));
    Err(SourcesError::Entry {
        url: Box::new(url),
        why: format!("answers with status {status}"),
        remedy: Remedy::of_status(status),
    })
}

/// Every folder that an address is in, from the whole host down.
fn folders(url: &Url) -> Vec<Url> {
    let ends = url.path().match_indices('/').map(|(at, _)| &url.path()[..=at]);
    ends.filter_map(|path| url.join(path).ok()).collect()
}

/// Follows a page that leads on by itself, and gives the published address of the last one.
async fn settle_down(
    fetcher: &Fetcher,
    mirror: &[UrlRow],
    mut answer: Answer,
    requested: &Url,
) -> Result<(Answer, Url), SourcesError> {
    let mut place = requested.fragment().map(str::to_owned);
    for _ in 0..=MOST_REFRESHES {
        let mut resolved = map::published(mirror, &answer.url);
        resolved.set_fragment(place.as_deref());
        let next = refresh(&answer.text().text, &resolved).filter(Refresh::is_redirect);
        let Some(next) = next else { return Ok((answer, resolved)) };
        let next = next.from(&resolved);
        place = next.fragment().map(str::to_owned);
        answer = entry(fetcher, mirror, &next).await?;
        if answer.status != 200 {
            let why = format!("is where `{resolved}` leads, and answers with status {}", answer.status);
            let remedy = Remedy::of_status(answer.status);
            return Err(SourcesError::Entry { url: Box::new(answer.url), why, remedy });
        }
    }
    let why = format!("leads on more than {MOST_REFRESHES} times");
    Err(SourcesError::Entry { url: Box::new(requested.clone()), why, remedy: Remedy::Correct })
}

/// Asks every address that the page wants. One that does not exist states nothing.
pub(super) async fn ask(
    fetcher: &Fetcher,
    mirror: &[UrlRow],
    entry: &Entry,
    warnings: &mut Vec<String>,
) -> Result<Got, SourcesError> {
    let mut got = Got::default();
    for url in wanted(entry) {
        match get(fetcher, mirror, &url).await {
            Ok(answer) => match answer.status {
                200 => got.add(url, answer.body),
                404 | 410 => {}
                status => warnings.push(format!("`{url}` was not read: it answers with status {status}")),
            },
            // Without it the version might be another one, so it is worth another try.
            Err(error) if error.may_pass() => return Err(error.into()),
            Err(error) => warnings.push(error.to_string()),
        }
    }
    Ok(got)
}

/// The map of the pin: what the entry page led to, then where the site is read.
fn rows(mirror: Vec<UrlRow>, requested: &Url, resolved: &Url, root: &Url) -> Vec<UrlRow> {
    let (from, to) = map::moved(requested, resolved);
    // An address that led to one below itself says nothing of what begins with it: that is there already.
    let leads_away = !to.as_str().starts_with(from.as_str());
    let redirect = leads_away.then(|| UrlRow { published: from, served: map::served(&mirror, &to) });
    let place = if mirror.is_empty() {
        vec![UrlRow { published: root.clone(), served: root.clone() }]
    } else {
        mirror
    };
    redirect.into_iter().chain(place).collect()
}

//! The pages of a documentation site: read at the pin, and as candidates of the manifest.

use crate::exit::CliError;
use crate::network;
use polc_extraction::assess::PAGE;
use polc_extraction::baseline::extract::extract;
use polc_extraction::cues::Cues;
use polc_extraction::documents::{ReadSource, read};
use polc_net::Url;
use polc_records::Digest;
use polc_records::layout::Root;
use polc_records::manifest::Source;
use polc_records::pages::{PageFate, PageLine, PagesFile, PagesHeader};
use polc_records::pin::{PinnedFile, SitePin};
use polc_records::project::Project;
use polc_records::store::{load_lines, save_lines};
use polc_sources::crawl::{
    Crawl, CrawlRecord, Elsewhere, Generators, Limits, PageOutcome, PageRecord, Progress, Reached, Scope,
};
use polc_sources::pin::site::{check, of_another_release, published, served};
use polc_sources::{Remedy, SourcesError};
use polc_text::Document;
use polc_text::snapshots::Snapshots;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// What came of reading a site.
pub(crate) struct FetchedPages {
    /// What became of every page.
    pub(crate) lines: Vec<PageLine>,
    /// What a person should know of the site since its pin.
    pub(crate) notes: BTreeSet<String>,
}

impl FetchedPages {
    /// How many pages were read, how many could not be, and how many were only named.
    pub(crate) fn counts(&self) -> [usize; 3] {
        let count = |of: fn(&PageFate) -> bool| self.lines.iter().filter(|line| of(&line.fate)).count();
        [
            count(|fate| matches!(fate, PageFate::Read { .. })),
            count(|fate| matches!(fate, PageFate::Lacking(_))),
            count(|fate| matches!(fate, PageFate::Named(_))),
        ]
    }

    /// The pages that an earlier attempt read and the last one did not, each with the reason.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (&Url, &str)> {
        self.lines.iter().filter_map(|line| Some((&line.url, line.failed_since.as_deref()?)))
    }
}

/// Reads the site and records what became of every page. Where it no longer is what was pinned, or cannot be
/// had at all, what was recorded before stays; so does a page that was read at this pin before and is not given now.
pub(crate) fn fetch_pages(
    root: &Root,
    project: &Project,
    site: &SitePin,
    pin: Digest,
    offline: bool,
    progress: impl FnMut(Progress<'_>),
) -> Result<FetchedPages, CliError> {
    let fetcher = network::fetcher(&served(&site.urls, &site.root), offline)?;
    let name = project.repository.name();
    let before = network::wait(check(&fetcher, site, name))??;
    let record = read_site(root, site, &site.resolved, Limits::default(), offline, progress)?;
    let mut lines: Vec<PageLine> = record.pages.iter().map(|page| line(site, page)).collect();
    // The site may have been built anew while it was read.
    let after = match network::wait(check(&fetcher, site, name))? {
        Err(other @ SourcesError::OtherRelease(_)) => return Err(other.into()),
        // What became of every page is worth more than an error about the last question.
        Err(why) => vec![format!("whether it still is what was pinned could not be asked in the end: {why}")],
        Ok(notes) => notes,
    };
    let notes: BTreeSet<String> = before.into_iter().chain(after).collect();
    if let (
        Some(PageLine { url, fate: PageFate::Lacking(why) | PageFate::Named(why), .. }),
        Some(PageRecord { outcome, .. }),
    ) = (lines.first(), record.pages.first())
    {
        let why = format!("was not read: {why}");
        return Err(SourcesError::Entry { url: Box::new(url.clone()), why, remedy: remedy(outcome) }.into());
    }
    let store = Snapshots::open(&root.snapshots())?;
    for PageLine { url, fate, .. } in &mut lines {
        let PageFate::Read { snapshot, .. } = fate else { continue };
        if let Some(changed) = of_another_release(site, &store.page(*snapshot)?, url, name) {
            *fate = PageFate::Lacking(format!("it is of another release: {changed}"));
        }
    }
    let earlier = lines_at(root, project, pin)?.unwrap_or_default();
    let is_held = |line: &PageLine| match &line.fate {
        PageFate::Read { snapshot, .. } => store.holds(*snapshot),
        _ => true,
    };
    let earlier = earlier.into_iter().filter(is_held).collect();
    Ok(FetchedPages { lines: keep_earlier(earlier, lines), notes })
}

/// What became of every page, where an attempt at the same pin came to more than the last one: what it has is kept,
/// and why the last one failed is said. A page that the site says there is none of is gone. A page that nothing led to
/// now is kept as long as anything that could have led there was not given.
fn keep_earlier(earlier: Vec<PageLine>, mut now: Vec<PageLine>) -> Vec<PageLine> {
    // What a link to a sibling's file came to is for whoever follows it to say.
    let has = |fate: &PageFate| match fate {
        PageFate::Read { .. } | PageFate::SameAs(_) | PageFate::Navigation => true,
        PageFate::File(_) | PageFate::Lacking(_) | PageFate::Named(_) => false,
    };
    let mut at: HashMap<Url, usize> =
        now.iter().enumerate().map(|(index, line)| (line.url.clone(), index)).collect();
    for line in earlier.iter().filter(|line| has(&line.fate)) {
        let Some(index) = at.get(&line.url) else { continue };
        if let PageFate::Lacking(why) = &now[*index].fate
            && !says_missing(why)
        {
            now[*index] = PageLine { failed_since: Some(why.clone()), ..line.clone() };
        }
    }
    if now.iter().all(|line| line.failed_since.is_none()) {
        return now;
    }
    let mut last = None;
    for line in earlier {
        match at.get(&line.url) {
            Some(index) => last = Some(*index),
            None if has(&line.fate) => {
                let next = last.map_or(now.len(), |last| last + 1);
                let why = "no page that was given leads there".to_owned();
                at.values_mut().filter(|index| **index >= next).for_each(|index| *index += 1);
                at.insert(line.url.clone(), next);
                now.insert(next, PageLine { failed_since: Some(why), ..line });
                last = Some(next);
            }
            None => {}
        }
    }
    now
}

/// What helps where the entry page was not read.
fn remedy(outcome: &PageOutcome) -> Remedy {
    match outcome {
        PageOutcome::Status { status } => Remedy::of_status(*status),
        PageOutcome::Blocked { .. } | PageOutcome::Refused { .. } => Remedy::AskOrMirror,
        PageOutcome::Failed { may_pass: true, .. } => Remedy::Wait,
        PageOutcome::Page(_)
        | PageOutcome::NavigationDocument { .. }
        | PageOutcome::SameAs { .. }
        | PageOutcome::SoftMissing
        | PageOutcome::NoStaticContent
        | PageOutcome::NotHtml { .. }
        | PageOutcome::Failed { .. }
        | PageOutcome::OutOfScope { .. }
        | PageOutcome::OverLimit => Remedy::Correct,
    }
}

/// Records what became of every page.
pub(crate) fn save_pages(
    root: &Root,
    project: &Project,
    pin: Digest,
    lines: &[PageLine],
) -> Result<(), CliError> {
    let header = PagesHeader::new(project.slug.clone(), pin, lines);
    Ok(save_lines::<PagesFile>(&root.pages(&project.slug), &header, lines)?)
}

/// Reads a site from a page on, and says what became of every page.
pub(crate) fn crawl(
    root: &Root,
    site: &SitePin,
    from: &Url,
    limits: Limits,
    offline: bool,
    progress: impl FnMut(Progress<'_>),
) -> Result<Vec<PageLine>, CliError> {
    let record = read_site(root, site, from, limits, offline, progress)?;
    Ok(record.pages.iter().map(|page| line(site, page)).collect())
}

fn read_site(
    root: &Root,
    site: &SitePin,
    from: &Url,
    limits: Limits,
    offline: bool,
    progress: impl FnMut(Progress<'_>),
) -> Result<CrawlRecord, CliError> {
    let at = |url: &Url| served(&site.urls, url);
    let scope = Scope::new(&at(&site.root), &at(from));
    let fetcher = network::fetcher(scope.root(), offline)?;
    let generators = Arc::new(Generators::load(root)?);
    let mut store = Snapshots::open(&root.snapshots())?;
    let crawl = Crawl { fetcher: &fetcher, store: &mut store, generators: &generators, limits };
    Ok(network::wait(crawl.run(&scope, progress))??)
}

/// What a page is called in the manifest.
pub(crate) fn key_of(site: &SitePin, url: &Url) -> String {
    let key = url.as_str().strip_prefix(site.root.as_str()).unwrap_or(url.as_str());
    if key.is_empty() { INDEX.to_owned() } else { key.to_owned() }
}

/// The address of a page that is called so.
pub(crate) fn url_of(site: &SitePin, key: &str) -> Option<Url> {
    site.root.join(if key == INDEX { "" } else { key }).ok()
}

/// What the page at the root itself is called.
const INDEX: &str = "index";

/// What is said of a page in whose place a site answers as for one that cannot exist.
const SOFT_MISSING: &str = "the server answers as for a page that does not exist";

fn answers(status: u16) -> String {
    format!("the server answers {status}")
}

/// Whether a page lacks because there is none, and not because it could not be read.
pub(crate) fn says_missing(why: &str) -> bool {
    why == SOFT_MISSING || [404, 410].map(answers).iter().any(|missing| missing == why)
}

fn line(site: &SitePin, page: &PageRecord) -> PageLine {
    let out = |url: &Url| published(&site.urls, url);
    let lacking = |why: String| PageFate::Lacking(why);
    let fate = match &page.outcome {
        PageOutcome::Page(read) => match &read.stub_of {
            Some(stub_of) => PageFate::SameAs(out(stub_of)),
            None => PageFate::Read { snapshot: read.snapshot, title: read.title.clone() },
        },
        PageOutcome::NavigationDocument { .. } => PageFate::Navigation,
        PageOutcome::SameAs { page, .. } => PageFate::SameAs(out(page.url())),
        PageOutcome::Status { status } => lacking(answers(*status)),
        PageOutcome::SoftMissing => lacking(SOFT_MISSING.to_owned()),
        PageOutcome::Blocked { status, challenge } => lacking(match challenge {
            Some(challenge) => format!("the server answers {status} with a challenge: {challenge}"),
            None => format!("the server refuses us with {status}"),
        }),
        PageOutcome::NoStaticContent => lacking("it has no text before a script has run".to_owned()),
        PageOutcome::NotHtml { content_type } => PageFate::Named(format!("it is no page but {content_type}")),
        PageOutcome::Failed { why, may_pass } => {
            lacking(format!("{why}{}", if *may_pass { " (it may succeed later)" } else { "" }))
        }
        PageOutcome::Refused { why } => lacking(format!("the site does not want to be read there: {why}")),
        PageOutcome::OutOfScope { elsewhere, .. } => PageFate::Named(elsewhere_words(*elsewhere).to_owned()),
        PageOutcome::OverLimit => lacking("the limit of pages was reached".to_owned()),
    };
    PageLine { url: out(page.key.url()), reached: reached(site, &page.reached_by), fate, failed_since: None }
}

const fn elsewhere_words(elsewhere: Elsewhere) -> &'static str {
    match elsewhere {
        Elsewhere::OtherHost => "it is on another host",
        Elsewhere::OtherVersion => "it is of another version",
        Elsewhere::OtherLanguage => "it is in another language",
        Elsewhere::OutsideRoot => "it lies outside of the documentation",
    }
}

/// What is said of a page that a link in the text of another one led to, so that no link of it is followed.
pub(crate) const ONE_HOP: &str = "one hop";

/// What is said of a page that another one leads on to, as far from the navigation as that one.
const REFRESH: &str = "a refresh";

fn reached(site: &SitePin, reached: &Reached) -> String {
    let (how, from) = match reached {
        Reached::Entry => return "the entry".to_owned(),
        Reached::Navigation { from } => ("navigation", from),
        Reached::NextPrevious { from } => ("next and previous", from),
        Reached::OneHop { from, .. } => (ONE_HOP, from),
        Reached::Refresh { from } => (REFRESH, from),
        Reached::NavigationDocument { from } => ("the navigation that a script fills in", from),
    };
    format!("{how} of {}", published(&site.urls, from.url()))
}

/// What became of every page at the pin.
pub(crate) fn load_pages(root: &Root, project: &Project, pin: Digest) -> Result<Vec<PageLine>, CliError> {
    let slug = &project.slug;
    let again =
        |what: &str| CliError::Gate { what: what.to_owned(), help: format!("run `polc fetch {slug}`") };
    if !root.pages(slug).exists() {
        return Err(again("the pages of the documentation have not been fetched at the pin"));
    }
    lines_at(root, project, pin)?
        .ok_or_else(|| again("the pages of the documentation were fetched at another pin"))
}

/// What was recorded of every page at a pin; none where nothing was.
pub(crate) fn lines_at(
    root: &Root,
    project: &Project,
    pin: Digest,
) -> Result<Option<Vec<PageLine>>, CliError> {
    let path = root.pages(&project.slug);
    if !path.exists() {
        return Ok(None);
    }
    let (header, lines) = load_lines::<PagesFile>(&path)?;
    Ok((header.pin == pin).then_some(lines))
}

/// How many pages are there because an earlier attempt read them; none where all of them are of another pin.
pub(crate) fn kept_pages(root: &Root, project: &Project, pin: Digest) -> Result<Option<usize>, CliError> {
    if !root.pages(&project.slug).exists() {
        return Ok(Some(0));
    }
    let lines = lines_at(root, project, pin)?;
    Ok(lines.map(|lines| lines.iter().filter(|line| line.failed_since.is_some()).count()))
}

/// A page as the manifest assesses it.
pub(crate) struct Page {
    /// What it is called.
    pub(crate) key: String,
    pub(crate) url: String,
    pub(crate) read: Result<(Digest, Document), String>,
    /// Whether its own links are a second hop.
    pub(crate) is_hop: bool,
}

/// The pages that were read at the pin, and those that lack, in the order of the traversal.
pub(crate) fn pages(
    lines: &[PageLine],
    site: Option<&SitePin>,
    files: &[PinnedFile],
    snapshots: &Snapshots,
) -> Vec<Page> {
    let mut pages = Vec::new();
    let mut keys: BTreeSet<String> = files.iter().map(|file| file.path.clone()).collect();
    let mut hops: HashSet<String> = HashSet::new();
    for line in lines {
        let is_hop = match line.reached.split_once(" of ") {
            Some((ONE_HOP, _)) => true,
            Some((REFRESH, from)) => hops.contains(from),
            Some(_) | None => false,
        };
        if is_hop {
            hops.insert(line.url.to_string());
        }
        let key = site.map_or_else(|| line.url.to_string(), |site| key_of(site, &line.url));
        // A file of the repository or another page may be called so already.
        let key = if keys.contains(&key) { line.url.to_string() } else { key };
        let read = match &line.fate {
            PageFate::Read { snapshot, .. } => read(snapshots, PAGE, &key, *snapshot)
                .map(|document| (*snapshot, document))
                .map_err(|problem| problem.to_string().replace('\n', "; ")),
            PageFate::Lacking(why) => Err(why.clone()),
            PageFate::SameAs(_) | PageFate::Navigation | PageFate::File(_) | PageFate::Named(_) => continue,
        };
        keys.insert(key.clone());
        pages.push(Page { key, url: line.url.to_string(), read, is_hop });
    }
    pages
}

/// How many obligations the baseline finds in a document that is no source for its kind alone.
pub(crate) fn obligations(
    cues: &Cues,
    key: &str,
    read: &Result<(Digest, Document), String>,
) -> Result<usize, CliError> {
    let Ok((_, document)) = read else { return Ok(0) };
    let source = Source::whole(key, PAGE, "", document.snapshot);
    let sources = [ReadSource { source: &source, document: document.clone() }];
    Ok(extract(cues, &sources)?.rows.len())
}

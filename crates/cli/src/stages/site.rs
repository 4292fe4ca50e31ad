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
use polc_records::store::{JsonLines, load_lines, save_lines};
use polc_sources::SourcesError;
use polc_sources::crawl::{
    Crawl, Elsewhere, Generators, Limits, PageOutcome, PageRecord, Progress, Reached, Scope,
};
use polc_sources::pin::site::{check, of_another_release, published, served};
use polc_text::Document;
use polc_text::snapshots::Snapshots;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What came of reading a site.
pub(crate) struct FetchedPages {
    /// How many pages were read.
    pub(crate) read: usize,
    /// How many could not be read.
    pub(crate) lacking: usize,
    /// How many were only named.
    pub(crate) named: usize,
    /// What a person should know of the site since its pin.
    pub(crate) notes: BTreeSet<String>,
}

/// Reads the site and records what became of every page. Where it no longer is what was pinned, or cannot be
/// had at all, what was recorded before stays.
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
    let mut lines = crawl(root, site, &site.resolved, Limits::default(), offline, progress)?;
    // The site may have been built anew while it was read.
    let after = match network::wait(check(&fetcher, site, name))? {
        Err(other @ SourcesError::OtherRelease(_)) => return Err(other.into()),
        // What became of every page is worth more than an error about the last question.
        Err(why) => vec![format!("whether it still is what was pinned could not be asked in the end: {why}")],
        Ok(notes) => notes,
    };
    let notes: BTreeSet<String> = before.into_iter().chain(after).collect();
    if let Some(PageLine { url, fate: PageFate::Lacking(why) | PageFate::Named(why), .. }) = lines.first() {
        return Err(
            SourcesError::Entry { url: Box::new(url.clone()), why: format!("was not read: {why}") }.into()
        );
    }
    let store = Snapshots::open(&root.snapshots())?;
    for PageLine { url, fate, .. } in &mut lines {
        let PageFate::Read { snapshot, .. } = fate else { continue };
        if let Some(changed) = of_another_release(site, &store.page(*snapshot)?, url, name) {
            *fate = PageFate::Lacking(format!("it is of another release: {changed}"));
        }
    }
    let header = PagesHeader { schema: PagesFile::SCHEMA, project: project.slug.clone(), pin };
    save_lines::<PagesFile>(&root.pages(&project.slug), &header, &lines)?;
    let count = |of: fn(&PageFate) -> bool| lines.iter().filter(|line| of(&line.fate)).count();
    Ok(FetchedPages {
        read: count(|fate| matches!(fate, PageFate::Read { .. })),
        lacking: count(|fate| matches!(fate, PageFate::Lacking(_))),
        named: count(|fate| matches!(fate, PageFate::Named(_))),
        notes,
    })
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
    let at = |url: &Url| served(&site.urls, url);
    let scope = Scope::new(&at(&site.root), &at(from));
    let fetcher = network::fetcher(scope.root(), offline)?;
    let generators = Arc::new(Generators::load(root)?);
    let mut store = Snapshots::open(&root.snapshots())?;
    let crawl = Crawl { fetcher: &fetcher, store: &mut store, generators: &generators, limits };
    let record = network::wait(crawl.run(&scope, progress))??;
    Ok(record.pages.iter().map(|page| line(site, page)).collect())
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
    PageLine { url: out(page.key.url()), reached: reached(site, &page.reached_by), fate }
}

const fn elsewhere_words(elsewhere: Elsewhere) -> &'static str {
    match elsewhere {
        Elsewhere::OtherHost => "it is on another host",
        Elsewhere::OtherVersion => "it is of another version",
        Elsewhere::OtherLanguage => "it is in another language",
        Elsewhere::OutsideRoot => "it lies outside of the documentation",
    }
}

fn reached(site: &SitePin, reached: &Reached) -> String {
    let (how, from) = match reached {
        Reached::Entry => return "the entry".to_owned(),
        Reached::Navigation { from } => ("navigation", from),
        Reached::NextPrevious { from } => ("next and previous", from),
        Reached::OneHop { from, .. } => ("one hop", from),
        Reached::Refresh { from } => ("a refresh", from),
        Reached::NavigationDocument { from } => ("the navigation that a script fills in", from),
    };
    format!("{how} of {}", published(&site.urls, from.url()))
}

/// What became of every page at the pin.
pub(crate) fn load_pages(root: &Root, project: &Project, pin: Digest) -> Result<Vec<PageLine>, CliError> {
    let slug = &project.slug;
    let path = root.pages(slug);
    let again =
        |what: &str| CliError::Gate { what: what.to_owned(), help: format!("run `polc fetch {slug}`") };
    if !path.exists() {
        return Err(again("the pages of the documentation have not been fetched at the pin"));
    }
    let (header, lines) = load_lines::<PagesFile>(&path)?;
    if header.pin != pin {
        return Err(again("the pages of the documentation were fetched at another pin"));
    }
    Ok(lines)
}

/// A page as the manifest assesses it.
pub(crate) struct Page {
    /// What it is called.
    pub(crate) key: String,
    pub(crate) url: String,
    pub(crate) read: Result<(Digest, Document), String>,
    /// How many obligations the baseline finds in it.
    pub(crate) obligations: usize,
}

/// The pages that were read at the pin, and those that lack, in the order of the traversal.
pub(crate) fn pages(
    root: &Root,
    project: &Project,
    site: &SitePin,
    pin: Digest,
    files: &[PinnedFile],
    snapshots: &Snapshots,
) -> Result<Vec<Page>, CliError> {
    let lines = load_pages(root, project, pin)?;
    let (cues, _) = Cues::load(root, project)?;
    let mut pages = Vec::new();
    let mut keys: BTreeSet<String> = files.iter().map(|file| file.path.clone()).collect();
    for line in lines {
        let key = key_of(site, &line.url);
        // A file of the repository or another page may be called so already.
        let key = if keys.contains(&key) { line.url.to_string() } else { key };
        let read = match line.fate {
            PageFate::Read { snapshot, .. } => read(snapshots, PAGE, &key, snapshot)
                .map(|document| (snapshot, document))
                .map_err(|problem| problem.to_string().replace('\n', "; ")),
            PageFate::Lacking(why) => Err(why),
            PageFate::SameAs(_) | PageFate::Navigation | PageFate::Named(_) => continue,
        };
        keys.insert(key.clone());
        let obligations = match &read {
            Ok((_, document)) => obligations(&cues, &key, document)?,
            Err(_) => 0,
        };
        pages.push(Page { key, url: line.url.to_string(), read, obligations });
    }
    Ok(pages)
}

fn obligations(cues: &Cues, key: &str, document: &Document) -> Result<usize, CliError> {
    let source = Source::whole(key, PAGE, "", document.snapshot);
    let sources = [ReadSource { source: &source, document: document.clone() }];
    Ok(extract(cues, &sources)?.rows.len())
}

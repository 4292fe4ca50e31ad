//! `drift`: today's documentation beside the frozen rules. Pin, manifest and corpus stay as they are.

use super::import::is_imported;
use super::manifest::{load, load_pin};
use super::site::{crawl, key_of, load_pages, says_missing, url_of};
use crate::exit::CliError;
use crate::network;
use polc_extraction::assess::{Headings, PAGE};
use polc_extraction::cues::Cues;
use polc_extraction::documents::read;
use polc_extraction::drift::{Drift, Reading, Then, Today, compare};
use polc_extraction::freeze::load_frozen;
use polc_net::Url;
use polc_records::decisions::{Decisions, MadeFrom};
use polc_records::extraction::ExtractionRow;
use polc_records::ids::{Repository, Slug};
use polc_records::layout::Root;
use polc_records::ledger::{LedgerFile, LedgerLine};
use polc_records::manifest::{Manifest, Source};
use polc_records::pages::{PageFate, PageLine};
use polc_records::pin::{Pin, PinnedSource, RepositoryPin, SitePin};
use polc_records::project::{LinkedFile, Project};
use polc_records::store::load_lines;
use polc_records::vocabulary::{ExclusionCode, SourceRole};
use polc_records::{Digest, Problem};
use polc_sources::SourcesError;
use polc_sources::crawl::{Limits, Progress};
use polc_sources::discovery::Discovery;
use polc_sources::fetch::lfs::pointer;
use polc_sources::pin::site::{Place, gather};
use polc_sources::rendered::mark;
use polc_text::snapshots::Snapshots;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

/// What today's documentation is read from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Asked<'a> {
    /// The repository as it was read at a revision, and the site where it is served.
    Live { repository: Option<&'a RepositoryPin>, served: Option<&'a Place>, offline: bool },
    /// What is pinned and fetched.
    Pinned,
}

/// What the documentation was, or is.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    /// The version of the site.
    pub(crate) version: Option<String>,
    /// The commit of the checkout.
    pub(crate) commit: Option<String>,
    /// What whoever reads it should know.
    pub(crate) note: Option<String>,
}

/// What a comparison came to.
#[derive(Debug)]
pub(crate) struct Compared {
    /// At the pin that the rules were drawn at; none where another pin has taken its place.
    pub(crate) then: Option<State>,
    pub(crate) now: State,
    pub(crate) drift: Drift,
}

/// What was frozen, with what is known of its sources.
pub(crate) struct Frozen {
    rows: Vec<ExtractionRow>,
    ledger: Vec<LedgerLine>,
    pin: Pin,
    digest: Digest,
    manifest: Manifest,
}

impl Frozen {
    /// What was frozen; refused where there is nothing that could be compared, before anybody is asked.
    pub(crate) fn load(root: &Root, project: &Project) -> Result<Self, CliError> {
        let slug = &project.slug;
        let decisions = Decisions::load(&root.decisions(slug), slug)?;
        let (extraction, _) = load_frozen(&root.extraction(slug), slug, &decisions)?;
        if is_imported(root, project, &decisions) && !root.manifest(slug).exists() {
            return Err(CliError::Gate {
                what: format!("the rules of `{slug}` were imported, and nothing is known of their sources"),
                help: format!("pin, fetch and assess them: `polc pin {slug}`"),
            });
        }
        let (pin, digest) = load_pin(root, project)?;
        let (manifest, _) = load(root, project)?;
        let ledger = load_ledger(root, slug, &decisions)?;
        Ok(Frozen { rows: extraction.rows, ledger, pin, digest, manifest })
    }
}

/// Compares the frozen rules with today's documentation.
pub(crate) fn drift(
    root: &Root,
    project: &Project,
    frozen: &Frozen,
    asked: Asked<'_>,
    progress: impl FnMut(Progress<'_>),
) -> Result<Compared, CliError> {
    let Frozen { rows, ledger, pin, digest, manifest } = frozen;
    let (cues, _) = Cues::load(root, project)?;
    let mut desk = Desk {
        root,
        project,
        manifest,
        discovery: Discovery::load(root, project)?,
        today: Vec::new(),
        now: State::default(),
    };
    match asked {
        Asked::Live { repository, served, offline } => {
            if let Some(site) = &pin.site {
                desk.ask_site(site, served, offline, progress)?;
            }
            match repository {
                Some(repository) => {
                    desk.now.note = desk.now.note.take().or_else(|| another(pin, repository));
                    desk.take_files(&Pin::new(Some(repository.clone()), None))?;
                }
                None if pin.repository.is_some() => desk.unread_files("the project names no repository now"),
                None => {}
            }
        }
        Asked::Pinned => desk.take_pin(pin, load_site_lines(root, project, pin, *digest)?)?,
    }
    desk.mark_same_texts(*digest);
    let then = Then { project, manifest, rows, ledger };
    let drift = compare(&cues, &Headings::load(root)?, then, &desk.today)?;
    let was = State {
        version: pin.site.as_ref().and_then(|site| site.version.value()).map(str::to_owned),
        commit: pin.repository.as_ref().map(|repository| repository.commit.to_string()),
        note: None,
    };
    Ok(Compared { then: (manifest.pin == *digest).then_some(was), now: desk.now, drift })
}

/// What whoever reads the comparison should know of the repository: a name that was given up, somebody else may take.
fn another(pin: &Pin, now: &RepositoryPin) -> Option<String> {
    let (was, is) = (pin.repository.as_ref()?.host.as_ref()?, now.host.as_ref()?);
    (was.id != is.id).then(|| {
        format!(
            "`{}` is another repository than the one that was pinned: number {}, not {}",
            is.name, is.id, was.id
        )
    })
}

/// Every sentence that was in scope when the rules were frozen; of an import nothing is known.
fn load_ledger(root: &Root, slug: &Slug, decisions: &Decisions) -> Result<Vec<LedgerLine>, CliError> {
    let path = root.ledger(slug);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let (header, lines) = load_lines::<LedgerFile>(&path)?;
    match decisions.freeze().map(|freeze| freeze.made_from) {
        Some(MadeFrom::Proposal(frozen)) if frozen != header.proposal => Err(CliError::Gate {
            what: "the rules are being taken over to other sources, and are not frozen there yet".to_owned(),
            help: format!("decide on the rows that wait and freeze: `polc status {slug}`"),
        }),
        _ => Ok(lines),
    }
}

fn load_site_lines(
    root: &Root,
    project: &Project,
    pin: &Pin,
    digest: Digest,
) -> Result<Vec<PageLine>, CliError> {
    if pin.site.is_some() { load_pages(root, project, digest) } else { Ok(Vec::new()) }
}

/// Where the site of a pin was read.
fn place(site: &SitePin) -> Place {
    match site.urls.last() {
        Some(row) if row.published != row.served => Place::Row(row.clone()),
        _ => Place::Published,
    }
}

/// A limit of one page: no link of it is followed.
fn one_page() -> Limits {
    Limits { pages: NonZeroUsize::MIN, ..Limits::default() }
}

struct Desk<'d> {
    root: &'d Root,
    project: &'d Project,
    manifest: &'d Manifest,
    discovery: Discovery,
    today: Vec<Today>,
    now: State,
}

impl Desk<'_> {
    /// Asks the site which version it serves, and reads its pages.
    fn ask_site(
        &mut self,
        pinned: &SitePin,
        asked: Option<&Place>,
        offline: bool,
        mut progress: impl FnMut(Progress<'_>),
    ) -> Result<(), CliError> {
        let place = asked.cloned().unwrap_or_else(|| place(pinned));
        let begin = match (&place, &self.project.docs) {
            (Place::Row(row), _) => &row.served,
            (Place::Mirror(served), _) => served,
            (Place::Published, Some(docs)) => docs,
            (Place::Published, None) => &pinned.entry,
        };
        let fetcher = network::fetcher(begin, offline)?;
        let found = network::wait(gather(&fetcher, self.project, &place, None, Some(pinned)))?;
        let site = match found {
            Ok(site) => {
                self.now.version = site.version.value().map(str::to_owned);
                site
            }
            Err(SourcesError::NoDocs { slug }) => return Err(SourcesError::NoDocs { slug }.into()),
            // The pages are read all the same: a version decides nothing about them.
            Err(error) => {
                let why = error.to_string();
                let why = why.split("\nhelp: ").next().unwrap_or_default();
                self.now.note = Some(format!("the version now is not settled: {why}"));
                moved_to(pinned, &place)
            }
        };
        let mut lines = crawl(self.root, &site, &site.resolved, Limits::default(), offline, &mut progress)?;
        for url in self.unvisited(&site, &lines) {
            let found = crawl(self.root, &site, &url, one_page(), offline, &mut progress)?;
            let line = found.into_iter().find(|line| line.url == url);
            lines.extend(line.map(|line| once(line, &lines)));
        }
        self.take_pages(&site, lines)
    }

    /// The pages of the manifest that no navigation leads to now.
    fn unvisited(&self, site: &SitePin, lines: &[PageLine]) -> Vec<Url> {
        let pages =
            self.manifest.sources.iter().filter(|source| source.kind == PAGE && source.snapshot.is_some());
        let urls = pages.filter_map(|source| url_of(site, &source.key));
        urls.filter(|url| lines.iter().all(|line| line.url != *url)).collect()
    }

    /// What a page is called: as in the manifest, where the name of a file may have been taken already.
    fn key(&self, site: &SitePin, url: &Url) -> String {
        let mut pages = self.manifest.sources.iter().filter(|source| source.kind == PAGE);
        let key = || match key_of(site, url) {
            key if self.manifest.source(&key).is_some_and(|source| source.kind != PAGE) => url.to_string(),
            key => key,
        };
        pages.find(|source| source.url == url.as_str()).map_or_else(key, |source| source.key.clone())
    }

    /// What became of every page, as sources.
    fn take_pages(&mut self, site: &SitePin, lines: Vec<PageLine>) -> Result<(), CliError> {
        let snapshots = Snapshots::open(&self.root.snapshots())?;
        for line in lines {
            let key = self.key(site, &line.url);
            let known = self.manifest.source(&key);
            let was_read = known.is_some_and(|source| source.snapshot.is_some());
            let failed_then = known.is_some_and(|source| source.code == Some(ExclusionCode::FetchFailed));
            let reading = match line.fate {
                PageFate::Read { snapshot, .. } => match read(&snapshots, PAGE, &key, snapshot) {
                    Ok(document) => Reading::Read(Box::new(document)),
                    Err(problem) => Reading::Unread(problem.to_string().replace('\n', "; ")),
                },
                PageFate::SameAs(url) if was_read => Reading::MovedTo(self.key(site, &url)),
                PageFate::Lacking(why) if says_missing(&why) && was_read => Reading::Gone(why),
                PageFate::Lacking(why) if !says_missing(&why) && !failed_then => Reading::Unread(why),
                PageFate::Named(why) if was_read => Reading::Unread(why),
                PageFate::Navigation if was_read => Reading::Unread("it holds navigation alone".to_owned()),
                PageFate::SameAs(_)
                | PageFate::File(_)
                | PageFate::Lacking(_)
                | PageFate::Named(_)
                | PageFate::Navigation => continue,
            };
            let url = line.url.to_string();
            let (kind, role) = (PAGE.to_owned(), SourceRole::Rules);
            self.today.push(Today { key, kind, role, url, same_text_as: None, reading });
        }
        Ok(())
    }

    fn take_pin(&mut self, pin: &Pin, lines: Vec<PageLine>) -> Result<(), CliError> {
        if let Some(site) = &pin.site {
            self.now.version = site.version.value().map(str::to_owned);
            self.take_pages(site, lines)?;
        }
        self.take_files(pin)
    }

    fn take_files(&mut self, pin: &Pin) -> Result<(), CliError> {
        let Some(repository) = &pin.repository else {
            self.unread_files("the pin names no repository");
            return Ok(());
        };
        self.now.commit = Some(repository.commit.to_string());
        let store = Snapshots::open(&self.root.snapshots())?;
        let mut there = BTreeSet::new();
        for PinnedSource { key, url, file } in pin.sources(self.project) {
            let unread = |problem: Problem| Reading::Unread(problem.to_string().replace('\n', "; "));
            let reading = match store.of_blob(&file.blob) {
                Some(snapshot) => match pointer(&store.get(snapshot)?) {
                    Some(pointer) => Reading::Unread(pointer.to_string()),
                    None => read(&store, &file.kind, &file.path, snapshot)
                        .map_or_else(unread, |document| Reading::Read(Box::new(document))),
                },
                None => Reading::Unread("it has not been fetched at the pin".to_owned()),
            };
            there.insert(key.clone());
            let known = self.manifest.source(&key);
            let failed_then = known.is_some_and(|source| source.code == Some(ExclusionCode::FetchFailed));
            if failed_then && matches!(reading, Reading::Unread(_)) {
                continue;
            }
            let role = self.discovery.kind(&file.kind).map_or(SourceRole::ContextOnly, |kind| kind.role);
            let kind = file.kind.clone();
            self.today.push(Today { key, kind, role, url, same_text_as: None, reading });
        }
        let project = self.project;
        let own: Vec<Repository> = (repository.host.iter().map(|host| host.name.clone()))
            .chain([project.repository.clone()])
            .collect();
        let reading = |source: &Source| match project.linked(&source.url) {
            Some(file) if file.is_default && repository.host.is_none() => {
                Reading::Unread("a clone does not hold what the organisation says".to_owned())
            }
            Some(file) if file.is_default => Reading::Gone(
                "the organisation has no such file, or the repository has one of its own now".to_owned(),
            ),
            Some(LinkedFile { repository: Some(name), .. }) if !own.contains(&name) => {
                if repository.host.is_none() {
                    Reading::Unread("a clone does not hold files of other repositories".to_owned())
                } else {
                    Reading::Gone(format!("`{name}` has no such file now, or is not there"))
                }
            }
            _ => Reading::Gone(format!("no such file at {}", repository.commit.short())),
        };
        self.absent_files(|key| !there.contains(key), reading);
        Ok(())
    }

    fn unread_files(&mut self, why: &str) {
        self.absent_files(|_| true, |_| Reading::Unread(why.to_owned()));
    }

    /// Finds the sources that say the same today, as the manifest would mark them.
    fn mark_same_texts(&mut self, pin: Digest) {
        let known = |key: &str| self.manifest.source(key).filter(|source| source.snapshot.is_some());
        let drawn = |today: &&Today| match known(&today.key) {
            Some(known) => known.gives_rules() || known.same_text_as.is_some(),
            None => today.role == SourceRole::Rules,
        };
        let read = |today: &Today| match &today.reading {
            Reading::Read(document) => {
                Some(Source::whole(&today.key, &today.kind, &today.url, document.snapshot))
            }
            Reading::MovedTo(_) | Reading::Gone(_) | Reading::Unread(_) => None,
        };
        let sources = self.today.iter().filter(drawn).filter_map(read).collect();
        let document = |key: &str| match &self.today.iter().find(|today| today.key == key)?.reading {
            Reading::Read(document) => Some(document.as_ref()),
            Reading::MovedTo(_) | Reading::Gone(_) | Reading::Unread(_) => None,
        };
        let marked = mark(Manifest::new(pin, sources, None), |source| source.kind == PAGE, document).sources;
        let pairs: Vec<(String, String)> =
            marked.into_iter().filter_map(|source| Some((source.key, source.same_text_as?))).collect();
        for today in &mut self.today {
            let other = pairs.iter().find_map(|(one, other)| match &today.key {
                key if key == one => Some(other),
                key if key == other => Some(one),
                _ => None,
            });
            today.same_text_as = other.cloned();
        }
    }

    /// The files of the manifest for which nothing else is said.
    fn absent_files(&mut self, absent: impl Fn(&str) -> bool, reading: impl Fn(&Source) -> Reading) {
        let files =
            self.manifest.sources.iter().filter(|source| source.kind != PAGE && source.snapshot.is_some());
        for source in files.filter(|source| absent(&source.key)) {
            self.today.push(Today {
                key: source.key.clone(),
                kind: source.kind.clone(),
                role: source.role,
                url: source.url.clone(),
                same_text_as: None,
                reading: reading(source),
            });
        }
    }
}

/// The site of a pin, read where it is served now.
fn moved_to(pinned: &SitePin, place: &Place) -> SitePin {
    match place {
        Place::Row(row) => {
            let mut site = pinned.clone();
            site.urls.insert(0, row.clone());
            site
        }
        Place::Mirror(_) | Place::Published => pinned.clone(),
    }
}

/// A page that was asked for by itself: the very bytes of another page are that page.
fn once(line: PageLine, others: &[PageLine]) -> PageLine {
    let PageFate::Read { snapshot, .. } = &line.fate else { return line };
    let same = others
        .iter()
        .find(|other| matches!(&other.fate, PageFate::Read { snapshot: held, .. } if held == snapshot));
    match same {
        Some(other) => PageLine { fate: PageFate::SameAs(other.url.clone()), ..line },
        None => line,
    }
}

//! `init`, `pin`, `fetch`, `manifest`.

use super::manifest_table;
use super::status::done;
use crate::arguments::{InitArguments, ManifestArguments, ManifestStep, PinArguments};
use crate::asking::{Answering, Asking, AskingStage, Ended, asks_nobody, tell_remarks};
use crate::exit::{CliError, Exit};
use crate::network;
use crate::session::{Session, count, now};
use crate::stages::siblings::Earlier;
use crate::stages::{manifest, siblings, site};
use polc_extraction::assess::Headings;
use polc_extraction::classify::rubric::Rubrics;
use polc_extraction::cues::Cues;
use polc_extraction::endpoint::{Assessed, Pages, Suspicions};
use polc_net::Url;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::manifest::Manifest;
use polc_records::pages::{PageFate, PageLine};
use polc_records::pin::{DefaultsPin, Pin, PinnedVersion, RepositoryPin, SitePin, UrlRow};
use polc_records::project::{CodeHost, Place, Project};
use polc_records::store::{render_toml, save_toml};
use polc_records::vocabulary::SourceRole;
use polc_records::{Digest, Problem};
use polc_sources::SourcesError;
use polc_sources::crawl::Progress;
use polc_sources::fetch::keep;
use polc_sources::github::{download, of_github};
use polc_sources::pin::site::gather;
use polc_sources::pin::{Pinned, of_checkout, site as published};
use polc_sources::project::{NewProject, ensure_root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(super) fn init(session: &Session, given: InitArguments) -> Result<Exit, CliError> {
    let root = match session.root() {
        Ok(root) => root,
        Err(_) => Root::new(session.folder()?),
    };
    let InitArguments { repository, slug, git, docs, site_alone, setting } = given;
    let host = (git.is_none() && !site_alone).then_some(CodeHost::GitHub);
    let new = NewProject { repository, slug, git, host, docs, setting };
    let absent = Absent::before(&root, &new);
    let project = start(&root, new).inspect_err(|_| absent.restore())?;
    let slug = &project.slug;
    session.tell(format!(
        "project `{slug}` of {}{} ({}), rule ids {}-C001 upward\nnext: polc pin {slug}",
        project.repository,
        if project.host.is_some() { " on GitHub" } else { "" },
        root.shown(&root.project(slug)).display(),
        slug.prefix()
    ));
    done(session, &root, &project)
}

/// Describes a project, and makes its folder a root where it is none yet.
fn start(root: &Root, new: NewProject) -> Result<Project, CliError> {
    let folder = root.folder();
    std::fs::create_dir_all(folder).map_err(|error| Problem::io(folder, "make", &error))?;
    Rubrics::load(root, &new.setting)?;
    let project = polc_sources::project::init(root, new)?;
    ensure_root(folder)?;
    Ok(project)
}

/// What `init` may make and was not there before it, folders before what is in them.
struct Absent(BTreeSet<PathBuf>);

impl Absent {
    fn before(root: &Root, new: &NewProject) -> Self {
        let slugs = match &new.slug {
            Some(slug) => vec![slug.clone()],
            None => [new.repository.instance_prefix(), new.repository.joined_slug()]
                .into_iter()
                .flatten()
                .collect(),
        };
        let mut files = vec![root.config(), root.state().join(".gitignore")];
        files.extend(slugs.iter().map(|slug| root.project(slug)));
        let absent = files.iter().flat_map(|file| file.ancestors().take_while(|path| !path.exists()));
        Absent(absent.map(Path::to_path_buf).collect())
    }

    /// Takes away what has come since.
    fn restore(&self) {
        for path in self.0.iter().rev() {
            // A folder that somebody else has put something into stays.
            let _removed = if path.is_dir() { std::fs::remove_dir(path) } else { std::fs::remove_file(path) };
        }
    }
}

pub(super) fn pin(session: &Session, given: &PinArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.project(&root, &given.slug)?;
    let _lock = root.lock(&given.slug)?;
    let site = ask_site(session, &root, &project, given)?;
    let repository = ask_repository(session, &root, &project, &given.commit)?;
    let pinned = polc_sources::pin::pin(&root, &project, repository, site)?;
    let pin = pinned.pin();
    let files = match &pin.repository {
        Some(repository) => {
            format!(
                "at commit {}: {}",
                repository.commit.short(),
                count(repository.files.len(), "policy file")
            )
        }
        None => "with the site alone".to_owned(),
    };
    match &pinned {
        Pinned::New(_) => session.tell(format!("pinned {files}")),
        Pinned::Stands { asked: Some(asked), .. } => {
            session.tell(format!("the pin stands {files}; {} holds the same", asked.short()));
        }
        Pinned::Stands { asked: None, .. } => session.tell(format!("the pin stands {files}")),
        Pinned::Moved { changed, .. } => {
            session.tell(format!(
                "the pin moved and is now {files}; new, gone or changed: {}",
                changed.join(", ")
            ));
        }
    }
    if let Some(repository) = &pin.repository {
        tell_repository(session, repository);
    }
    if let Some(site) = &pin.site {
        tell_site(session, site);
    }
    session.tell(format!("next: polc fetch {}", given.slug));
    done(session, &root, &project)
}

/// The repository of a project as it is now; none where it is read nowhere.
fn ask_repository(
    session: &Session,
    root: &Root,
    project: &Project,
    revision: &str,
) -> Result<Option<RepositoryPin>, CliError> {
    match project.place() {
        Place::Nowhere if project.docs.is_some() => Ok(None),
        Place::Checkout(_) | Place::Nowhere => Ok(Some(of_checkout(root, project, revision)?)),
        Place::Host(CodeHost::GitHub) => network::wait(async {
            let github = network::github(session, root)?;
            let pinned = if root.pin(&project.slug).exists() {
                manifest::load_pin(root, project)?.0.repository.map(|repository| repository.siblings)
            } else {
                None
            };
            let found = of_github(root, project, revision, &pinned.unwrap_or_default(), &github).await;
            network::tell_spent(session, &github);
            let found = found?;
            if let Some(host) = found.host.as_ref().filter(|host| host.name != project.repository) {
                session.tell(format!(
                    "warning: `{}` is called `{}` now; say so in {}",
                    project.repository,
                    host.name,
                    root.shown(&root.project(&project.slug)).display()
                ));
            }
            Ok(Some(found))
        })?,
    }
}

/// The policy files of a project at a revision, each of them in the store; none where the repository is read nowhere.
pub(super) fn read_repository(
    session: &Session,
    root: &Root,
    project: &Project,
    revision: &str,
) -> Result<Option<RepositoryPin>, CliError> {
    let found = ask_repository(session, root, project, revision)?;
    if let Some(repository) = &found {
        match project.place() {
            Place::Host(CodeHost::GitHub) => download_all(session, root, project, repository)?,
            Place::Checkout(_) | Place::Nowhere => keep(root, project, repository)?,
        }
    }
    Ok(found)
}

fn download_all(
    session: &Session,
    root: &Root,
    project: &Project,
    repository: &RepositoryPin,
) -> Result<(), CliError> {
    network::wait(async {
        let github = network::github(session, root)?;
        let read = download(root, project, repository, &github).await;
        network::tell_spent(session, &github);
        read.map_err(CliError::from)
    })??;
    Ok(())
}

fn tell_repository(session: &Session, pin: &RepositoryPin) {
    for skipped in &pin.skipped {
        session.tell(format!("skipped {}: {}", skipped.path, skipped.reason));
    }
    if let Some(DefaultsPin { name, files, skipped, .. }) = &pin.defaults {
        session.tell(format!(
            "{} of {name}, where the repository has none of its own",
            count(files.len(), "file")
        ));
        for skipped in skipped {
            session.tell(format!("skipped {name}:{}: {}", skipped.path, skipped.reason));
        }
    }
}

/// The published documentation of a project as it is now; none where the project names none.
fn ask_site(
    session: &Session,
    root: &Root,
    project: &Project,
    given: &PinArguments,
) -> Result<Option<SitePin>, CliError> {
    let hand = given.hand();
    let Some(docs) = &project.docs else {
        if hand.is_some() || given.served.is_some() {
            return Err(SourcesError::NoDocs { slug: project.slug.clone() }.into());
        }
        return Ok(None);
    };
    let path = root.pin(&project.slug);
    let previous = if path.exists() { manifest::load_pin(root, project)?.0.site } else { None };
    let place = given.served.clone().unwrap_or(published::Place::Published);
    let read = match &place {
        published::Place::Published => docs,
        published::Place::Mirror(served) | published::Place::Row(UrlRow { served, .. }) => served,
    };
    let fetcher = network::fetcher(read, session.offline)?;
    let site = gather(&fetcher, project, &place, hand.as_ref(), previous.as_ref());
    Ok(Some(network::wait(site)??))
}

fn tell_site(session: &Session, site: &SitePin) {
    let version = match &site.version {
        PinnedVersion::Claimed { value, by } => format!("version {value}, by its {by}"),
        PinnedVersion::ByHand { value, reason } => format!("version {value}, by hand: {reason}"),
        PinnedVersion::Unversioned { reason } => format!("no version: {reason}"),
    };
    session.tell(format!("documentation at {}: {version}", site.resolved));
    for warning in &site.warnings {
        session.tell(format!("warning: {warning}"));
    }
}

/// How many warnings of one kind are told one by one.
const MOST_TOLD: usize = 20;

/// After how many pages a line says how far it has come.
pub(super) const PAGES_A_LINE: usize = 50;

pub(super) fn fetch(session: &Session, slug: &Slug) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.described(&root, slug)?;
    let _lock = root.lock(slug)?;
    let (pin, digest) = manifest::load_pin(&root, &project)?;
    if let Some(repository) = &pin.repository {
        if project.place() == Place::Host(CodeHost::GitHub) {
            download_all(session, &root, &project, repository)?;
        }
        let fetched = polc_sources::fetch::fetch(&root, &project, &pin)?;
        session.tell(format!(
            "fetched {} ({} bytes); all of them in {}",
            count(fetched.len(), "file"),
            fetched.iter().map(|file| file.bytes).sum::<usize>(),
            root.shown(&root.raw_sources(slug)).display()
        ));
        for file in &fetched {
            if let Some(pointer) = &file.pointer {
                session.tell(format!("warning: {} is {pointer}", file.path));
            }
        }
    }
    let earlier = Earlier::load(&root, &project, digest)?;
    let lines = match &pin.site {
        Some(site) => fetch_site(session, &root, &project, site, digest)?,
        None => Vec::new(),
    };
    fetch_siblings(session, &root, &project, (&pin, digest), lines, &earlier)?;
    session.tell(format!("next: polc manifest {slug}"));
    done(session, &root, &project)
}

/// Reads the pages of a site, and records what became of each.
fn fetch_site(
    session: &Session,
    root: &Root,
    project: &Project,
    site: &SitePin,
    pin: Digest,
) -> Result<Vec<PageLine>, CliError> {
    let told = |progress: Progress<'_>| {
        if progress.done.is_multiple_of(PAGES_A_LINE) {
            session.tell(format!("{} read, {} waiting …", count(progress.done, "page"), progress.waiting));
        }
    };
    let pages = site::fetch_pages(root, project, site, pin, session.offline, told)?;
    site::save_pages(root, project, pin, &pages.lines)?;
    for note in &pages.notes {
        session.tell(format!("warning: {note}"));
    }
    let kept: Vec<(&Url, &str)> = pages.kept().collect();
    for (url, why) in kept.iter().take(MOST_TOLD) {
        session.tell(format!("warning: {url} was not read again, and stays as it was read before: {why}"));
    }
    if kept.len() > MOST_TOLD {
        session.tell(format!("warning: {} more stay as they were", count(kept.len() - MOST_TOLD, "page")));
    }
    let [read, lacking, named] = pages.counts();
    session.tell(format!(
        "read {}{}, {lacking} could not be read, {named} only named; all of them in {}",
        count(read, "page"),
        if kept.is_empty() { String::new() } else { format!(" ({} of them earlier)", kept.len()) },
        root.shown(&root.pages(&project.slug)).display()
    ));
    Ok(pages.lines)
}

/// Follows the links to files of sibling repositories, and records what became of each.
fn fetch_siblings(
    session: &Session,
    root: &Root,
    project: &Project,
    (pin, digest): (&Pin, Digest),
    lines: Vec<PageLine>,
    earlier: &Earlier,
) -> Result<(), CliError> {
    let followed = siblings::follow(session, root, project, (pin, digest), lines, earlier)?;
    let path = root.pin(&project.slug);
    let is_new = followed.pin.repository != pin.repository;
    let digest = if is_new { Digest::of(render_toml(&path, &followed.pin)?) } else { digest };
    if !followed.lines.is_empty() || root.pages(&project.slug).exists() {
        site::save_pages(root, project, digest, &followed.lines)?;
    }
    if is_new {
        save_toml(&path, &followed.pin)?;
        polc_sources::fetch::fetch(root, project, &followed.pin)?;
    }
    let mut reasons: Vec<(&str, Vec<&Url>)> = Vec::new();
    for (url, why) in followed.lacking() {
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, urls)) => urls.push(url),
            None => reasons.push((why, vec![url])),
        }
    }
    for (why, urls) in &reasons {
        let Some((first, more)) = urls.split_first() else { continue };
        let more = match more.len() {
            0 => String::new(),
            more => {
                format!("; and {more} more {}, for the same reason", if more == 1 { "link" } else { "links" })
            }
        };
        session.tell(format!("warning: {first} could not be read: {why}{more}"));
    }
    for key in &followed.gone {
        session.tell(format!("{key} is taken out of the pin: nothing links to it any more"));
    }
    match (followed.fates.len(), followed.without_host()) {
        (0, _) => {}
        (_, 0) => {
            let of = |wanted: fn(&PageFate) -> bool| {
                followed.fates.iter().filter(|(_, fate)| wanted(fate)).count()
            };
            session.tell(format!(
                "{} to files of sibling repositories: {} read, {} could not be read, {} only named",
                count(followed.fates.len(), "link"),
                of(|fate| matches!(fate, PageFate::File(_))),
                of(|fate| matches!(fate, PageFate::Lacking(_))),
                of(|fate| matches!(fate, PageFate::Named(_))),
            ));
        }
        (_, named) => session.tell(format!(
            "{} to files of sibling repositories of `{}`, only named: they are read where the project itself is read on \
             GitHub (`host = \"github\"` in place of `git` in {})",
            count(named, "link"),
            project.repository.org(),
            root.shown(&root.project(&project.slug)).display()
        )),
    }
    Ok(())
}

pub(super) fn manifest(session: &Session, given: ManifestArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    if let Some(ManifestStep::Confirm(signed)) = given.step {
        let project = session.project(&root, &signed.slug)?;
        let _lock = root.lock(&signed.slug)?;
        let digest = manifest::confirm(&root, &project, &signed.by, &now())?;
        session.tell(format!(
            "checkpoint 1: the manifest with digest {} is confirmed\nnext: polc extract {}",
            digest.short(),
            signed.slug
        ));
        return done(session, &root, &project);
    }
    let Some(slug) = given.slug else {
        return Err(CliError::Misuse {
            what: "no project was named".to_owned(),
            help: "polc manifest SLUG".to_owned(),
        });
    };
    let project = session.project(&root, &slug)?;
    if given.show {
        let (manifest, _) = manifest::load(&root, &project)?;
        if session.json {
            session.print_json(&manifest)?;
        } else {
            session.print(manifest_table::table(&manifest))?;
        }
        return Ok(Exit::Done);
    }
    let _lock = root.lock(&slug)?;
    match given.ask.answering(session, &root, &slug, AskingStage::Manifest)? {
        Answering::Baseline if given.ask.dry_run => asks_nobody(session),
        Answering::Baseline => {
            let manifest = manifest::build(&root, &project)?;
            tell_manifest(session, &root, &slug, &manifest);
            done(session, &root, &project)
        }
        Answering::Model(asking) => manifest_by_model(session, &root, &project, &asking, given.ask.dry_run),
    }
}

fn manifest_by_model(
    session: &Session,
    root: &Root,
    project: &Project,
    asking: &Asking,
    dry_run: bool,
) -> Result<Exit, CliError> {
    let slug = &project.slug;
    let headings = Headings::load(root)?;
    let (cues, _) = Cues::load(root, project)?;
    let suspicions = Suspicions::load(root)?;
    let assessed = manifest::with_candidates(root, project, |candidates, pin| {
        let asker = asking.asker(&|_| {});
        let pages = Pages::of(&asker, slug.as_str(), (&headings, &cues, &suspicions), candidates)?;
        if dry_run {
            asking.plan(session, &pages.requests(&asker))?;
            return Ok(None);
        }
        asking.announce(session, pages.len());
        let assessed = asking.wait(session, pages.len(), async |asker| pages.ask(asker, pin).await)?;
        Ok(match asking.ended(session, &assessed.failures)? {
            Ended::Waiting => None,
            Ended::Over => {
                let marked = manifest::marked(assessed.manifest, candidates);
                Some(Assessed { manifest: marked, ..assessed })
            }
        })
    })?;
    let Some(Assessed { manifest, open, requests, .. }) = assessed else { return Ok(Exit::Done) };
    let manifest = manifest::save(root, project, &manifest)?;
    asking.keep(root, slug, &requests)?;
    if let Some(asked) = &manifest.asked {
        tell_remarks(session, asked);
    }
    tell_manifest(session, root, slug, &manifest);
    let exit = done(session, root, project)?;
    if open == 0 {
        let refused = manifest.asked.is_some_and(|asked| !asked.refused.is_empty());
        return Ok(if refused { Exit::Found } else { exit });
    }
    session.tell(format!(
        "the model gave no usable answer for {}: assessed by headings alone",
        count(open, "section")
    ));
    Ok(Exit::Failed)
}

fn tell_manifest(session: &Session, root: &Root, slug: &Slug, manifest: &Manifest) {
    let of = |role| manifest.sources.iter().filter(|source| source.role == role).count();
    session.tell(format!(
        "{}: {} with rules, {} for context, {} excluded, in {}\nnext: polc manifest {slug} --show, amend it where it \
         is wrong, then polc manifest confirm {slug} --by NAME",
        count(manifest.sources.len(), "source"),
        of(SourceRole::Rules),
        of(SourceRole::ContextOnly),
        of(SourceRole::Excluded),
        root.shown(&root.manifest(slug)).display()
    ));
}

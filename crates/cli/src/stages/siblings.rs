//! Links of sections in scope to files of sibling repositories: one hop, and no further.

use super::manifest::{ReadFile, files, of_file, of_page};
use super::site::{ONE_HOP, lines_at, obligations, pages, says_missing};
use crate::exit::CliError;
use crate::network;
use crate::session::Session;
use polc_extraction::assess::{Candidate, Headings, assess};
use polc_extraction::cues::Cues;
use polc_net::Url;
use polc_records::Digest;
use polc_records::layout::Root;
use polc_records::manifest::{Manifest, Source};
use polc_records::pages::{PageFate, PageLine};
use polc_records::pin::{OtherFile, Pin, RepositoryPin};
use polc_records::project::{CodeHost, Place, Project};
use polc_records::vocabulary::SourceRole;
use polc_sources::crawl::key;
use polc_sources::discovery::Discovery;
use polc_sources::siblings::{Follower, Target};
use polc_text::Document;
use polc_text::snapshots::Snapshots;
use std::collections::{BTreeMap, BTreeSet};

/// What is said of a link where the project is not read on the host that has the file.
const NO_HOST: &str =
    "files of sibling repositories are read on GitHub alone, and the project is not read there";

/// What is said of a link that no section in scope has.
const OUT_OF_SCOPE: &str = "every section that links to it is out of scope";

/// What came of following links to sibling repositories.
pub(crate) struct Followed {
    /// The pin, with what is new of siblings.
    pub(crate) pin: Pin,
    /// The pages, with a line for each link.
    pub(crate) lines: Vec<PageLine>,
    /// What became of each link.
    pub(crate) fates: Vec<(Url, PageFate)>,
    /// The sources that nothing links to any more.
    pub(crate) gone: Vec<String>,
}

impl Followed {
    /// The links that lead to what could not be read, each with the reason.
    pub(crate) fn lacking(&self) -> impl Iterator<Item = (&Url, &str)> {
        self.fates.iter().filter_map(|(url, fate)| match fate {
            PageFate::Lacking(why) => Some((url, why.as_str())),
            _ => None,
        })
    }

    /// How many links are not followed because the project is not read on its host.
    pub(crate) fn without_host(&self) -> usize {
        self.fates.iter().filter(|(_, fate)| *fate == PageFate::Named(NO_HOST.to_owned())).count()
    }
}

/// A link to a file of a sibling repository.
struct Sibling {
    /// Without a fragment.
    link: Url,
    target: Target,
    /// The first source that has it.
    from: String,
    /// Whether a section in scope has it.
    admitted: bool,
}

/// The files that links led to in an earlier run, by the addresses of these.
pub(crate) struct Earlier(BTreeMap<Url, String>);

impl Earlier {
    /// What is recorded at a pin.
    pub(crate) fn load(root: &Root, project: &Project, pin: Digest) -> Result<Self, CliError> {
        let lines = lines_at(root, project, pin)?.unwrap_or_default();
        let file = |line: PageLine| match line.fate {
            PageFate::File(key) => Some((line.url, key)),
            _ => None,
        };
        Ok(Earlier(lines.into_iter().filter_map(file).collect()))
    }
}

/// Follows every such link of the pages and files that were read at the pin. One that an earlier run at this pin found
/// leads where it led: many an address has one file, and the pin holds one of them.
pub(crate) fn follow(
    session: &Session,
    root: &Root,
    project: &Project,
    (pin, digest): (&Pin, Digest),
    mut lines: Vec<PageLine>,
    Earlier(earlier): &Earlier,
) -> Result<Followed, CliError> {
    let mut store = Snapshots::open(&root.snapshots())?;
    let discovery = Discovery::load(root, project)?;
    let links = links(root, project, (pin, digest), &discovery, &lines, &store)?;
    let (mut fates, mut repository) = (Vec::new(), pin.repository.clone());
    let mut is_sure = true;
    match (&mut repository, project.place()) {
        (Some(repository), Place::Host(CodeHost::GitHub)) => network::wait(async {
            let github = network::github(session, root)?;
            let mut follower = Follower::new(project, repository.clone(), &discovery, &github, &mut store);
            for Sibling { link, target, admitted, .. } in &links {
                let known = follower.pinned(link, target).or_else(|| earlier.get(link).cloned());
                let fate = match (known, admitted) {
                    (Some(key), _) => PageFate::File(key),
                    (None, true) => follower.follow(link, target).await?,
                    (None, false) => PageFate::Named(OUT_OF_SCOPE.to_owned()),
                };
                fates.push((link.clone(), fate));
            }
            is_sure = !follower.is_unsure();
            *repository = follower.into_pin();
            network::tell_spent(session, &github);
            Ok::<_, CliError>(())
        })??,
        _ => fates.extend(links.iter().map(|sibling| {
            let why = if sibling.admitted { NO_HOST } else { OUT_OF_SCOPE };
            (sibling.link.clone(), PageFate::Named(why.to_owned()))
        })),
    }
    let all_read = |line: &PageLine| !matches!(&line.fate, PageFate::Lacking(why) if !says_missing(why));
    let gone = match &mut repository {
        Some(repository) if is_sure && lines.iter().all(all_read) => drop_unlinked(repository, &fates),
        Some(_) | None => Vec::new(),
    };
    for (Sibling { link, from, .. }, (_, fate)) in links.iter().zip(&fates) {
        match lines.iter_mut().find(|line| line.url == *link) {
            Some(line) => line.fate = fate.clone(),
            None => lines.push(PageLine {
                url: link.clone(),
                reached: format!("{ONE_HOP} of {from}"),
                fate: fate.clone(),
                failed_since: None,
            }),
        }
    }
    Ok(Followed { pin: Pin::new(repository, pin.site.clone()), lines, fates, gone })
}

/// Takes the files out of a pin that no link leads to, and gives their keys.
fn drop_unlinked(repository: &mut RepositoryPin, fates: &[(Url, PageFate)]) -> Vec<String> {
    let linked: BTreeSet<&str> = fates
        .iter()
        .filter_map(|(_, fate)| match fate {
            PageFate::File(key) => Some(key.as_str()),
            _ => None,
        })
        .collect();
    let mut gone = Vec::new();
    for sibling in &mut repository.siblings {
        let (name, commit) = (&sibling.name, &sibling.commit);
        sibling.files.retain(|file| {
            let key = OtherFile { name, commit, file }.key();
            let stays = linked.contains(key.as_str());
            if !stays {
                gone.push(key);
            }
            stays
        });
    }
    repository.siblings.retain(|sibling| !sibling.files.is_empty());
    gone
}

/// Every link to a file of a sibling repository, once, in the order of the sources. What a link of a link leads to is
/// not among them.
fn links(
    root: &Root,
    project: &Project,
    (pin, digest): (&Pin, Digest),
    discovery: &Discovery,
    lines: &[PageLine],
    store: &Snapshots,
) -> Result<Vec<Sibling>, CliError> {
    let manifest = root.manifest(&project.slug);
    let manifest = if manifest.exists() { Some(Manifest::load(&manifest)?) } else { None };
    let (headings, (cues, _)) = (Headings::load(root)?, Cues::load(root, project)?);
    let mut found: Vec<Sibling> = Vec::new();
    let mut add = |candidate: &Candidate<'_>, targets: Vec<(usize, Url, Target)>| {
        let Ok((_, document)) = &candidate.read else { return };
        let assessed = assess(&headings, digest, std::slice::from_ref(candidate));
        let generated = assessed.sources.first();
        let person = manifest.as_ref().and_then(|manifest| manifest.source(candidate.key));
        // What a person says of other bytes is nothing that was said of these.
        let person = person.filter(|source| source.snapshot == Some(document.snapshot));
        let source: Option<&Source> = person.or(generated);
        for (section, link, target) in targets {
            let path = &document.sections[section].path;
            let admitted = source.is_some_and(|source| source.admits(path));
            match found.iter_mut().find(|known| known.link == link) {
                Some(known) => known.admitted |= admitted,
                None => found.push(Sibling { link, target, from: candidate.url.clone(), admitted }),
            }
        }
    };
    for page in pages(lines, pin.site.as_ref(), pin.files(), store).iter().filter(|page| !page.is_hop) {
        let targets = targets(project, pin, &page.url, &page.read);
        if !targets.is_empty() {
            add(&of_page(page, obligations(&cues, &page.key, &page.read)?), targets);
        }
    }
    let siblings: BTreeSet<String> = siblings(pin);
    let files = files(root, project, pin, discovery, store)?;
    let own = files.iter().filter(|file| !siblings.contains(&file.source.key));
    let obliges = |file: &ReadFile<'_>| {
        let person = manifest.as_ref().and_then(|manifest| manifest.source(&file.source.key));
        [Some(file.kind.role), person.map(|source| source.role)].contains(&Some(SourceRole::Rules))
    };
    for file in own.filter(|file| obliges(file)) {
        let targets = targets(project, pin, &file.source.url, &file.read);
        if !targets.is_empty() {
            add(&of_file(file, None), targets);
        }
    }
    Ok(found)
}

/// The keys of the files that are sources because they are linked to.
fn siblings(pin: &Pin) -> BTreeSet<String> {
    let pinned = pin.repository.iter().flat_map(|repository| &repository.siblings);
    let keys = pinned.flat_map(|sibling| {
        let (name, commit) = (&sibling.name, &sibling.commit);
        sibling.files.iter().map(move |file| OtherFile { name, commit, file }.key())
    });
    keys.collect()
}

/// The files of sibling repositories that a document links to, with the sections that the links stand in.
fn targets(
    project: &Project,
    pin: &Pin,
    url: &str,
    read: &Result<(Digest, Document), String>,
) -> Vec<(usize, Url, Target)> {
    let (Ok((_, document)), Ok(base)) = (read, Url::parse(url)) else { return Vec::new() };
    let target = |(section, to): (usize, String)| {
        let link = base.join(&to).ok()?;
        let target = Target::of(project, &link)?;
        let link = key(&link).url().clone();
        target.is_sibling_of(project, pin.repository.as_ref()).then_some((section, link, target))
    };
    document.links().into_iter().filter_map(target).collect()
}

//! `pin`: the commit, the blobs and the version of the documentation that every source is read at.

pub mod site;
pub mod version;

use crate::SourcesError;
use crate::discovery::{Discovered, Discovery};
use crate::project::open_checkout;
use polc_git::{EntryKind, TreeEntry};
use polc_records::ids::ObjectId;
use polc_records::layout::Root;
use polc_records::pin::{HostPin, Pin, PinnedFile, RepositoryPin, SitePin, SkippedEntry};
use polc_records::project::Project;
use polc_records::store::{load_toml, save_toml};
use std::collections::{BTreeMap, BTreeSet};

/// What pinning came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pinned {
    /// A pin was written where there was none.
    New(Pin),
    /// The pin stands: the commit asked for holds the same blobs, and the site is what it was.
    Stands {
        /// The pin, unchanged.
        pin: Pin,
        /// The commit that was asked for, where there is a checkout.
        asked: Option<ObjectId>,
    },
    /// The pin was replaced.
    Moved {
        /// The pin as it is now.
        pin: Pin,
        /// Paths that are new, gone, or hold other bytes, and what is new of the site.
        changed: Vec<String>,
    },
}

impl Pinned {
    /// The pin that holds now.
    pub fn pin(&self) -> &Pin {
        match self {
            Pinned::New(pin) | Pinned::Stands { pin, .. } | Pinned::Moved { pin, .. } => pin,
        }
    }
}

/// Pins a project: its repository and its site, each as it was found, where there is one.
///
/// An existing pin that the repository satisfies (the same policy files with the same blobs) stands
/// as it is: the blobs decide, not the commit. A site that was not asked stays pinned as it was.
///
/// # Errors
/// Where the pin cannot be written.
pub fn pin(
    root: &Root,
    project: &Project,
    found: Option<RepositoryPin>,
    site: Option<SitePin>,
) -> Result<Pinned, SourcesError> {
    let path = root.pin(&project.slug);
    if !path.exists() {
        let pin = Pin::new(found, site);
        save_toml(&path, &pin)?;
        return Ok(Pinned::New(pin));
    }
    let previous: Pin = load_toml(&path)?;
    let site = site.or_else(|| previous.site.clone());
    let mut changed = changed_paths(previous.repository.as_ref(), found.as_ref());
    if previous.repository.is_some() != found.is_some() {
        changed.push("the repository".to_owned());
    }
    changed.extend(changed_host(previous.repository.as_ref(), found.as_ref()));
    changed.extend(changed_site(previous.site.as_ref(), site.as_ref()));
    if changed.is_empty() {
        return Ok(Pinned::Stands { pin: previous, asked: found.map(|found| found.commit) });
    }
    let pin = Pin::new(found, site);
    save_toml(&path, &pin)?;
    Ok(Pinned::Moved { pin, changed })
}

/// The policy files of a project's checkout at a revision.
///
/// # Errors
/// Where the checkout cannot be read, or names no such revision.
pub fn of_checkout(root: &Root, project: &Project, revision: &str) -> Result<RepositoryPin, SourcesError> {
    let repository = open_checkout(root, project)?;
    let discovery = Discovery::load(root, project)?;
    let commit = repository.resolve(revision)?;
    let tree = repository.tree(&commit)?;
    let mut objects = repository.objects()?;
    let mut targets = BTreeMap::new();
    for link in links(&discovery, &tree) {
        targets.insert(link.id.clone(), objects.blob(&link.id)?);
    }
    let seconds = objects.commit(&commit)?.committer.seconds;
    let date = jiff::Timestamp::from_second(seconds).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let (files, skipped) = discover(&discovery, &tree, &targets);
    Ok(RepositoryPin {
        commit,
        date: date.to_string(),
        resolved_from: revision.to_owned(),
        host: None,
        files,
        skipped,
        defaults: None,
        siblings: Vec::new(),
    })
}

/// A name that leads to another repository than before, in words: one that was given up, somebody else may take.
fn changed_host(old: Option<&RepositoryPin>, new: Option<&RepositoryPin>) -> Option<String> {
    let (old, new) = (old?.host.as_ref()?, new?.host.as_ref()?);
    let HostPin { name, id, .. } = new;
    (old.id != *id)
        .then(|| format!("the repository `{name}` itself, which was number {} and is {id}", old.id))
}

/// What is new of a site, in words.
fn changed_site(old: Option<&SitePin>, new: Option<&SitePin>) -> Option<String> {
    let version = |site: Option<&SitePin>| {
        let value = site.and_then(|site| site.version.value());
        value.map_or_else(|| "no version".to_owned(), |value| format!("version `{value}`"))
    };
    if old == new {
        return None;
    }
    let (was, is) = (version(old), version(new));
    Some(if was == is { format!("the site at {is}") } else { format!("the site, {was} before and {is} now") })
}

/// What links point to: the bytes of their blobs.
pub(crate) type Targets = BTreeMap<ObjectId, Vec<u8>>;

/// The links of a tree whose targets [`discover`] has to know.
pub(crate) fn links<'t>(
    discovery: &'t Discovery,
    tree: &'t [TreeEntry],
) -> impl Iterator<Item = &'t TreeEntry> {
    tree.iter().filter(|entry| entry.kind == EntryKind::Link && discovery.find(&entry.path).is_some())
}

/// The policy files of a tree, and what could hold some and is no file of it.
pub(crate) fn discover(
    discovery: &Discovery,
    tree: &[TreeEntry],
    targets: &Targets,
) -> (Vec<PinnedFile>, Vec<SkippedEntry>) {
    let mut files = Vec::new();
    let mut skipped = Vec::new();
    for entry in tree {
        let found = discovery.find(&entry.path);
        let reason = match (entry.kind, found) {
            (EntryKind::Submodule, _) if discovery.ignores(&entry.path) => continue,
            (EntryKind::Submodule, _) => "a submodule: a repository of its own",
            (_, None) => continue,
            (EntryKind::File | EntryKind::Executable, Some(found)) => {
                files.push(pinned(entry, &entry.id, &found));
                continue;
            }
            (EntryKind::Link, Some(found)) => match target(tree, entry, targets) {
                Some(target) if discovery.find(&target.path).is_none() => {
                    files.push(pinned(entry, &target.id, &found));
                    continue;
                }
                Some(_) => "a symbolic link: what it points to is found by its own path",
                None => "a symbolic link to what is no file of this tree",
            },
        };
        skipped.push(SkippedEntry { path: entry.path.clone(), reason: reason.to_owned() });
    }
    (files, skipped)
}

fn pinned(entry: &TreeEntry, blob: &ObjectId, found: &Discovered<'_>) -> PinnedFile {
    PinnedFile {
        path: entry.path.clone(),
        blob: blob.clone(),
        kind: found.kind.name.clone(),
        pattern: found.pattern.to_owned(),
    }
}

/// The file of the tree that a symbolic link points to.
fn target<'t>(tree: &'t [TreeEntry], link: &TreeEntry, targets: &Targets) -> Option<&'t TreeEntry> {
    let text = String::from_utf8_lossy(targets.get(&link.id)?).into_owned();
    let mut path: Vec<&str> = link.path.split('/').collect();
    path.pop();
    for step in text.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            step => path.push(step),
        }
    }
    let path = path.join("/");
    let is_file = |entry: &&TreeEntry| {
        entry.path == path && matches!(entry.kind, EntryKind::File | EntryKind::Executable)
    };
    tree.iter().find(is_file).filter(|_| !text.starts_with('/'))
}

/// The policy files that are new, gone or hold other bytes at a revision than at the pin.
///
/// # Errors
/// Where the checkout cannot be read.
pub fn changed_since(
    root: &Root,
    project: &Project,
    pin: &Pin,
    revision: &str,
) -> Result<Vec<String>, SourcesError> {
    let found = of_checkout(root, project, revision)?;
    Ok(changed_paths(pin.repository.as_ref(), Some(&found)))
}

fn changed_paths(old: Option<&RepositoryPin>, new: Option<&RepositoryPin>) -> Vec<String> {
    let (old, new) = (named(old), named(new));
    let all: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    all.into_iter().filter(|name| old.get(*name) != new.get(*name)).cloned().collect()
}

/// Every file of a pin, those of other repositories behind the names of these.
fn named(pin: Option<&RepositoryPin>) -> BTreeMap<String, &PinnedFile> {
    let own = pin.iter().flat_map(|pin| &pin.files).map(|file| (file.path.clone(), file));
    let theirs = pin.iter().flat_map(|pin| pin.of_others()).map(|other| (other.key(), other.file));
    own.chain(theirs).collect()
}

/// Reads the pin of a project.
///
/// # Errors
/// Where there is none, or it is damaged.
pub fn load(root: &Root, project: &Project) -> Result<Pin, SourcesError> {
    Ok(load_toml(&root.pin(&project.slug))?)
}

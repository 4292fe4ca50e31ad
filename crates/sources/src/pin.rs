//! `pin`: the commit, the blobs and the version of the documentation that every source is read at.

pub mod site;
pub mod version;

use crate::SourcesError;
use crate::discovery::{Discovered, Discovery};
use crate::project::open_checkout;
use polc_git::{EntryKind, Repository, TreeEntry};
use polc_records::ids::ObjectId;
use polc_records::layout::Root;
use polc_records::pin::{Pin, PinnedFile, RepositoryPin, SitePin, SkippedEntry};
use polc_records::project::Project;
use polc_records::store::{load_toml, save_toml};

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

/// Pins a project: its repository at a revision, where it has a checkout, and its site as it was found.
///
/// An existing pin that the revision satisfies (the same policy files with the same blobs) stands
/// as it is: the blobs decide, not the commit. A site that was not asked stays pinned as it was.
///
/// # Errors
/// Where the checkout cannot be read, there is nothing to pin, or the pin cannot be written.
pub fn pin(
    root: &Root,
    project: &Project,
    revision: &str,
    site: Option<SitePin>,
) -> Result<Pinned, SourcesError> {
    let found = match (&project.git, &site) {
        (None, Some(_)) => None,
        (Some(_), _) | (None, None) => {
            let repository = open_checkout(root, project)?;
            let commit = repository.resolve(revision)?;
            Some(discover(&repository, &Discovery::load(root, project)?, commit, revision)?)
        }
    };
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
        changed.push("the checkout".to_owned());
    }
    changed.extend(changed_site(previous.site.as_ref(), site.as_ref()));
    if changed.is_empty() {
        return Ok(Pinned::Stands { pin: previous, asked: found.map(|found| found.commit) });
    }
    let pin = Pin::new(found, site);
    save_toml(&path, &pin)?;
    Ok(Pinned::Moved { pin, changed })
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

fn discover(
    repository: &Repository,
    discovery: &Discovery,
    commit: ObjectId,
    revision: &str,
) -> Result<RepositoryPin, SourcesError> {
    let mut files = Vec::new();
    let mut skipped = Vec::new();
    let tree = repository.tree(&commit)?;
    for entry in &tree {
        let Some(found) = discovery.find(&entry.path) else {
            continue;
        };
        let reason = match entry.kind {
            EntryKind::File | EntryKind::Executable => {
                files.push(pinned(entry, &entry.id, &found));
                continue;
            }
            EntryKind::Link => match target(repository, &tree, entry)? {
                Some(target) if discovery.find(&target.path).is_none() => {
                    files.push(pinned(entry, &target.id, &found));
                    continue;
                }
                Some(_) => "a symbolic link: what it points to is found by its own path",
                None => "a symbolic link to what is no file of this tree",
            },
            EntryKind::Submodule => "a submodule: a repository of its own",
        };
        skipped.push(SkippedEntry { path: entry.path.clone(), reason: reason.to_owned() });
    }
    let seconds = repository.objects()?.commit(&commit)?.committer.seconds;
    let date = jiff::Timestamp::from_second(seconds).unwrap_or(jiff::Timestamp::UNIX_EPOCH).to_string();
    Ok(RepositoryPin { commit, date, resolved_from: revision.to_owned(), files, skipped })
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
fn target<'t>(
    repository: &Repository,
    tree: &'t [TreeEntry],
    link: &TreeEntry,
) -> Result<Option<&'t TreeEntry>, SourcesError> {
    let text = String::from_utf8_lossy(&repository.objects()?.blob(&link.id)?).into_owned();
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
    Ok(tree.iter().find(is_file).filter(|_| !text.starts_with('/')))
}

/// The policy files of a checkout at a revision, as a pin of it would have them.
///
/// # Errors
/// Where the checkout cannot be read.
pub fn look(root: &Root, project: &Project, revision: &str) -> Result<RepositoryPin, SourcesError> {
    let repository = open_checkout(root, project)?;
    let commit = repository.resolve(revision)?;
    discover(&repository, &Discovery::load(root, project)?, commit, revision)
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
    let found = look(root, project, revision)?;
    Ok(changed_paths(pin.repository.as_ref(), Some(&found)))
}

fn changed_paths(old: Option<&RepositoryPin>, new: Option<&RepositoryPin>) -> Vec<String> {
    let file = |pin: Option<&RepositoryPin>, path: &str| pin.and_then(|pin| pin.file(path).cloned());
    let all = old.into_iter().chain(new).flat_map(|pin| &pin.files);
    let mut changed: Vec<String> =
        all.map(|found| found.path.clone()).filter(|path| file(old, path) != file(new, path)).collect();
    changed.sort();
    changed.dedup();
    changed
}

/// Reads the pin of a project.
///
/// # Errors
/// Where there is none, or it is damaged.
pub fn load(root: &Root, project: &Project) -> Result<Pin, SourcesError> {
    Ok(load_toml(&root.pin(&project.slug))?)
}

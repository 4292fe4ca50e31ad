//! `pin`: the commit and the blobs that every source is read at.

use crate::SourcesError;
use crate::discovery::{Discovered, Discovery};
use crate::project::open_checkout;
use polc_git::{EntryKind, Repository, TreeEntry};
use polc_records::ids::ObjectId;
use polc_records::layout::Root;
use polc_records::pin::{Pin, PinnedFile, RepositoryPin, SkippedEntry};
use polc_records::project::Project;
use polc_records::store::{TomlFile, load_toml, save_toml};

/// What pinning came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pinned {
    /// A pin was written where there was none.
    New(Pin),
    /// The pin stands: the commit asked for holds the same blobs.
    Stands {
        /// The pin, unchanged.
        pin: Pin,
        /// The commit that was asked for.
        asked: ObjectId,
    },
    /// The pin was replaced.
    Moved {
        /// The pin as it is now.
        pin: Pin,
        /// Paths that are new, gone, or hold other bytes.
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

/// Pins the repository of a project at a revision.
///
/// An existing pin that the revision satisfies (the same policy files with the same blobs) stands
/// as it is: the blobs decide, not the commit.
///
/// # Errors
/// Where the checkout cannot be read, or the pin not written.
pub fn pin(root: &Root, project: &Project, revision: &str) -> Result<Pinned, SourcesError> {
    let repository = open_checkout(root, project)?;
    let discovery = Discovery::load(root, project)?;
    let commit = repository.resolve(revision)?;
    let found = discover(&repository, &discovery, commit, revision)?;
    let path = root.pin(&project.slug);
    let previous: Option<Pin> = if path.exists() { Some(load_toml(&path)?) } else { None };
    if let Some(previous) = previous {
        let changed = changed_paths(&previous.repository, &found);
        if changed.is_empty() {
            return Ok(Pinned::Stands { pin: previous, asked: found.commit });
        }
        let pin = Pin { schema: Pin::SCHEMA, repository: found };
        save_toml(&path, &pin)?;
        return Ok(Pinned::Moved { pin, changed });
    }
    let pin = Pin { schema: Pin::SCHEMA, repository: found };
    save_toml(&path, &pin)?;
    Ok(Pinned::New(pin))
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
    let repository = open_checkout(root, project)?;
    let discovery = Discovery::load(root, project)?;
    let commit = repository.resolve(revision)?;
    let found = discover(&repository, &discovery, commit, revision)?;
    Ok(changed_paths(&pin.repository, &found))
}

fn changed_paths(old: &RepositoryPin, new: &RepositoryPin) -> Vec<String> {
    let mut changed: Vec<String> = old
        .files
        .iter()
        .chain(&new.files)
        .filter(|file| old.file(&file.path) != new.file(&file.path))
        .map(|file| file.path.clone())
        .collect();
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

//! `fetch`: the raw bytes of every policy file, never a rendered view, which strips comments.

pub mod lfs;

use crate::SourcesError;
use crate::project::open_checkout;
use polc_git::Objects;
use polc_records::Digest;
use polc_records::layout::Root;
use polc_records::pin::{Pin, PinnedFile, PinnedSource, RepositoryPin};
use polc_records::project::Project;
use polc_records::snapshot::Origin;
use polc_records::store::write_atomically;
use polc_text::snapshots::Snapshots;
use std::fmt::Write;

/// One file as it was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Its path.
    pub path: String,
    /// The digest of its bytes.
    pub digest: Digest,
    /// Their number.
    pub bytes: usize,
    /// What the bytes stand for, where they are a pointer and no text.
    pub pointer: Option<lfs::Pointer>,
}

/// Puts every pinned file into the store and writes `raw-sources.md`.
///
/// What the store lacks is read from the checkout. Of a project on a code host, [`crate::github::download`] has put
/// everything there before.
///
/// # Errors
/// Where neither the store nor the repository holds a pinned blob, or something cannot be written.
pub fn fetch(root: &Root, project: &Project, pin: &Pin) -> Result<Vec<Fetched>, SourcesError> {
    let mut store = Snapshots::open(&root.snapshots())?;
    let mut fetched = Vec::new();
    let mut bundle = format!("# Raw sources of {}\n\n", project.repository);
    if let Some(repository) = &pin.repository {
        bundle.push_str(&format!(
            "Every policy file that discovery found, as the repository holds it at {}, comments\n\
             included. Made by `polc fetch`.\n",
            repository.commit
        ));
        let mut objects: Option<Objects> = None;
        for PinnedSource { key, file, .. } in pin.sources(project) {
            let held = store.of_blob(&file.blob).and_then(|digest| store.get(digest).ok());
            let bytes = match (held, &mut objects) {
                (Some(held), _) => held,
                (None, Some(objects)) => objects.blob(&file.blob)?,
                (None, none) => none.insert(open_checkout(root, project)?.objects()?).blob(&file.blob)?,
            };
            let digest = store.put(&bytes, origin(file))?;
            add_to_bundle(&mut bundle, &key, digest, &bytes);
            let pointer = lfs::pointer(&bytes);
            fetched.push(Fetched { path: key, digest, bytes: bytes.len(), pointer });
        }
    } else {
        bundle.push_str("The project has no checkout, so there are none. Made by `polc fetch`.\n");
    }
    store.save()?;
    write_atomically(&root.raw_sources(&project.slug), bundle.as_bytes())?;
    Ok(fetched)
}

/// Puts every file of a repository's pin into the store, read from the checkout.
///
/// # Errors
/// Where the checkout does not hold a pinned blob, or something cannot be written.
pub fn keep(root: &Root, project: &Project, repository: &RepositoryPin) -> Result<(), SourcesError> {
    let mut store = Snapshots::open(&root.snapshots())?;
    let mut objects = open_checkout(root, project)?.objects()?;
    for file in &repository.files {
        store.put(&objects.blob(&file.blob)?, origin(file))?;
    }
    Ok(store.save()?)
}

/// Where a pinned file comes from.
pub(crate) fn origin(file: &PinnedFile) -> Origin {
    Origin::Git { blob: file.blob.clone(), path: file.path.clone() }
}

fn add_to_bundle(bundle: &mut String, path: &str, digest: Digest, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    // Writing to a string cannot fail.
    let _written = write!(bundle, "\n## {path}\n\n{digest}\n\n{fence}text\n{text}{end}{fence}\n");
}

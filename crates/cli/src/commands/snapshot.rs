//! `snapshot`: the store of what was retrieved.

use crate::arguments::SnapshotCommand;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::import::imported_file;
use polc_records::Digest;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::manifest::Manifest;
use polc_records::pages::{PageFate, PagesFile};
use polc_records::store::{load_lines, write_atomically};
use polc_text::snapshots::Snapshots;
use std::collections::BTreeSet;

pub(super) fn run(session: &Session, given: &SnapshotCommand) -> Result<Exit, CliError> {
    session.has_no_json("a count")?;
    let root = session.root()?;
    let mut store = Snapshots::open(&root.snapshots())?;
    match given {
        SnapshotCommand::Verify => verify(session, &store),
        SnapshotCommand::Gc => {
            let mut kept = BTreeSet::new();
            let mut locks = Vec::new();
            for slug in root.projects()? {
                locks.push(root.lock(&slug)?);
                kept.extend(named(&root, &slug, &store)?);
            }
            let (documents, bytes) = store.keep_only(&kept)?;
            session.tell(format!("removed {} ({bytes} bytes)", count(documents, "document")));
            Ok(Exit::Done)
        }
        SnapshotCommand::Export { slug, folder } => {
            session.described(&root, slug)?;
            if folder.exists() {
                return Err(CliError::Misuse {
                    what: format!("{} exists already", folder.display()),
                    help: "name a folder that does not exist".to_owned(),
                });
            }
            let named = named(&root, slug, &store)?;
            for digest in &named {
                write_atomically(&folder.join(digest.hex()), &store.get(*digest)?)?;
            }
            session.tell(format!("copied {} to {}", count(named.len(), "document"), folder.display()));
            Ok(Exit::Done)
        }
    }
}

fn verify(session: &Session, store: &Snapshots) -> Result<Exit, CliError> {
    let digests: BTreeSet<Digest> = store.all().map(|snapshot| snapshot.digest).collect();
    let mut faults = 0_usize;
    for digest in &digests {
        if let Err(problem) = store.get(*digest) {
            faults += 1;
            session.print(format!("{problem}\n"))?;
        }
    }
    session.tell(format!("{}, {faults} not what they were", count(digests.len(), "document")));
    Ok(if faults == 0 { Exit::Done } else { Exit::Found })
}

/// Every document that a project names: by its manifest, its pages, its pin or its import.
fn named(root: &Root, slug: &Slug, store: &Snapshots) -> Result<BTreeSet<Digest>, CliError> {
    let mut named = BTreeSet::new();
    for path in [root.manifest(slug), root.generated_manifest(slug)].iter().filter(|path| path.exists()) {
        named.extend(Manifest::load(path)?.sources.iter().filter_map(|source| source.snapshot));
    }
    if root.pages(slug).exists() {
        let (_, lines) = load_lines::<PagesFile>(&root.pages(slug))?;
        named.extend(lines.iter().filter_map(|line| match &line.fate {
            PageFate::Read { snapshot, .. } => Some(*snapshot),
            _ => None,
        }));
    }
    if root.pin(slug).exists() {
        let pin: polc_records::pin::Pin = polc_records::store::load_toml(&root.pin(slug))?;
        named.extend(pin.files().iter().filter_map(|file| store.of_blob(&file.blob)));
    }
    named.extend(imported_file(root, slug)?);
    named.retain(|digest| store.all().any(|snapshot| snapshot.digest == *digest));
    Ok(named)
}

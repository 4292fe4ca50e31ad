//! `snapshot`: the store of what was retrieved.

use crate::arguments::SnapshotCommand;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::import::imported_file;
use polc_net::Url;
use polc_records::Digest;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::manifest::Manifest;
use polc_records::pages::{PageFate, PageLine, PagesFile};
use polc_records::pin::Pin;
use polc_records::project::Project;
use polc_records::references::References;
use polc_records::store::{load_lines, load_toml, write_atomically};
use polc_text::reading::{DERIVATION, Reading};
use polc_text::snapshots::Snapshots;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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
            let mut pages = pages(&root, slug)?;
            pages.retain(|digest, _| named.contains(digest));
            let readable = export_markdown(session, &store, &pages, folder)?;
            session.tell(format!(
                "copied {} to {}, and wrote the Markdown of {}",
                count(named.len(), "document"),
                folder.display(),
                count(readable, "page")
            ));
            Ok(Exit::Done)
        }
    }
}

/// Writes the Markdown of each page beside it, below a line that says what it was made from, and gives how
/// many there are.
fn export_markdown(
    session: &Session,
    store: &Snapshots,
    pages: &BTreeMap<Digest, Url>,
    folder: &Path,
) -> Result<usize, CliError> {
    let mut written = 0_usize;
    for (digest, url) in pages {
        match Reading::derive(&store.get(*digest)?) {
            Ok(reading) => {
                let markdown = format!("<!-- {url} {DERIVATION} -->\n\n{}", reading.markdown());
                write_atomically(&folder.join(format!("{}.md", digest.hex())), markdown.as_bytes())?;
                written += 1;
            }
            Err(problem) => session.tell(format!("no Markdown of {url}: {problem}")),
        }
    }
    Ok(written)
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

/// Every document that a project names: by its manifest, its pages, its pin, its import or its form by reference.
fn named(root: &Root, slug: &Slug, store: &Snapshots) -> Result<BTreeSet<Digest>, CliError> {
    let mut named = BTreeSet::new();
    for path in [root.manifest(slug), root.generated_manifest(slug)].iter().filter(|path| path.exists()) {
        named.extend(Manifest::load(path)?.sources.iter().filter_map(|source| source.snapshot));
    }
    named.extend(pages(root, slug)?.into_keys());
    if root.pin(slug).exists() {
        let pin: Pin = load_toml(&root.pin(slug))?;
        let project: Project = load_toml(&root.project(slug))?;
        named.extend(pin.sources(&project).iter().filter_map(|source| store.of_blob(&source.file.blob)));
    }
    named.extend(imported_file(root, slug)?);
    if root.references(slug).exists() {
        let references: References = load_toml(&root.references(slug))?;
        named.extend(references.sources.iter().map(|source| source.snapshot));
    }
    named.retain(|digest| store.all().any(|snapshot| snapshot.digest == *digest));
    Ok(named)
}

/// The pages of a project that were read, with the address of each.
fn pages(root: &Root, slug: &Slug) -> Result<BTreeMap<Digest, Url>, CliError> {
    if !root.pages(slug).exists() {
        return Ok(BTreeMap::new());
    }
    let (_, lines) = load_lines::<PagesFile>(&root.pages(slug))?;
    let read = |line: PageLine| match line.fate {
        PageFate::Read { snapshot, .. } => Some((snapshot, line.url)),
        PageFate::SameAs(_)
        | PageFate::Navigation
        | PageFate::File(_)
        | PageFate::Lacking(_)
        | PageFate::Named(_) => None,
    };
    Ok(lines.into_iter().filter_map(read).collect())
}

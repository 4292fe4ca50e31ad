//! `dehydrate` and `hydrate`: a project without the sentences of others, and with them again.
//!
//! Every file that has words of the sources is kept a second time with references in their place, below
//! `corpora/<slug>/by-reference`, and taken away itself. The digests that the freeze and other files
//! record are those of the files as they are restored, so that nothing else knows of two forms.

mod places;

use self::places::{below, candidates, ignore, own};
use super::extract::read_sources;
use super::workbook;
use crate::exit::CliError;
use crate::session::count;
use polc_extraction::documents::read;
use polc_extraction::freeze::load_frozen;
use polc_extraction::grounding::{Grounding, Grounds};
use polc_records::decisions::Decisions;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::ledger::LedgerFile;
use polc_records::manifest::Manifest;
use polc_records::project::Project;
use polc_records::proposal::{ProposalFile, Row};
use polc_records::references::{References, ReferredSource, ReferringFile, Restored, Voice};
use polc_records::store::{TomlFile, load_lines, read_text, save_toml, write_atomically};
use polc_records::{Digest, Problem};
use polc_text::reference::{Concordance, Escape, Unrestored, referred, restore, spoken};
use polc_text::snapshots::Snapshots;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How a project stands by reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ByReference {
    /// It has no form by reference.
    Never,
    /// So many of its files are there by reference alone, and so many snapshots that they refer to lack.
    Dry { files: usize, snapshots: usize },
    /// Its files are there; these were changed since their form by reference was written.
    Whole { changed: Vec<String> },
}

/// How a project stands by reference. Without a file of its corpus it is by reference alone; what is made
/// of the corpus may go while it is worked on.
pub(crate) fn by_reference(root: &Root, slug: &Slug) -> Result<ByReference, CliError> {
    if !root.references(slug).exists() {
        return Ok(ByReference::Never);
    }
    let references = places::load(root, slug)?;
    let (mut lacking, mut changed, mut is_dry) = (0, Vec::new(), false);
    for file in &references.files {
        let path = root.folder().join(&file.path);
        match digest_if_there(&path)? {
            None if file.restored == Restored::Made => {}
            None => {
                lacking += 1;
                is_dry |= path.starts_with(root.corpus_folder(slug));
                changed.push(file.path.clone());
            }
            Some(digest) if digest != file.digest => changed.push(file.path.clone()),
            Some(_) => {}
        }
    }
    if !is_dry {
        return Ok(ByReference::Whole { changed });
    }
    let store = Snapshots::open(&root.snapshots())?;
    let snapshots: BTreeSet<Digest> = references.sources.iter().map(|source| source.snapshot).collect();
    let snapshots = snapshots.into_iter().filter(|snapshot| !store.holds(*snapshot)).count();
    Ok(ByReference::Dry { files: lacking, snapshots })
}

/// Refuses a project whose files are there by reference alone.
pub(crate) fn require_whole(root: &Root, slug: &Slug) -> Result<(), CliError> {
    let ByReference::Dry { files, .. } = by_reference(root, slug)? else { return Ok(()) };
    Err(CliError::Gate {
        what: format!("{} of `{slug}` are there by reference alone", count(files, "file")),
        help: format!("run `polc fetch {slug}`, then `polc hydrate {slug}`"),
    })
}

/// What was put in the place of files.
pub(crate) struct Dehydrated {
    /// The files that were taken away.
    pub(crate) files: usize,
    /// The sources that they refer to.
    pub(crate) sources: usize,
    /// The files that are no text, so that nobody knows what they quote: they stay.
    pub(crate) unread: Vec<String>,
}

/// Writes the form by reference of every file that has words of the sources, and takes the files away.
pub(crate) fn dehydrate(root: &Root, project: &Project) -> Result<Dehydrated, CliError> {
    let slug = &project.slug;
    let manifest = root.manifest(slug);
    if !manifest.exists() {
        return Err(CliError::Gate {
            what: format!("no source of `{slug}` is held, so nothing says what is quoted"),
            help: format!("run `polc pin {slug}`, `polc fetch {slug}` and `polc manifest {slug}`"),
        });
    }
    let manifest = Manifest::load(&manifest)?;
    require_grounded(root, project, &manifest)?;
    if root.workbook(slug).exists() {
        workbook::export(root, project)?;
    }
    let voices = voices(root, &manifest)?;
    let quoted = quoted(root, project)?;
    let spoken = voices.iter().map(|(source, said)| (source.id, said.clone())).collect();
    let concordance = Concordance::of(spoken, quoted.iter().map(String::as_str));
    let said: BTreeMap<usize, String> =
        voices.iter().map(|(source, said)| (source.id, said.clone())).collect();
    let (mut files, mut unread) = (Vec::new(), Vec::new());
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for path in candidates(root, slug)? {
        let bytes = std::fs::read(&path).map_err(|error| Problem::io(&path, "read", &error))?;
        let name = root.shown(&path).display().to_string();
        let digest = Digest::of(&bytes);
        if path == root.workbook(slug) {
            files.push((ReferringFile { path: name, digest, restored: Restored::Made }, None));
            continue;
        }
        let Ok(text) = String::from_utf8(bytes) else {
            unread.push(name);
            continue;
        };
        let referring = concordance.refer(&text, Escape::of_file(&name));
        if referring.voices.is_empty() {
            continue;
        }
        if restore(&referring.text, &said).as_ref() != Ok(&text) {
            return Err(Problem::new(&path, "it would not come back as it is", "report this as a bug").into());
        }
        used.extend(&referring.voices);
        let restored = Restored::FromReferences;
        files.push((ReferringFile { path: name, digest, restored }, Some(referring.text)));
    }
    files.iter().try_for_each(|(file, _)| require_restorable(root, slug, file))?;
    let references = References {
        schema: References::SCHEMA,
        project: slug.clone(),
        sources: voices
            .into_iter()
            .map(|(source, _)| source)
            .filter(|source| used.contains(&source.id))
            .collect(),
        files: files.iter().map(|(file, _)| file.clone()).collect(),
    };
    write(root, slug, &references, &files)?;
    let sources: BTreeSet<&str> = references.sources.iter().map(|source| source.key.as_str()).collect();
    Ok(Dehydrated { files: files.len(), sources: sources.len(), unread })
}

/// Refuses a file that `hydrate` would refuse.
fn require_restorable(root: &Root, slug: &Slug, file: &ReferringFile) -> Result<(), CliError> {
    own(root, slug, file).map_err(|why| {
        let what = format!("{:?} {why}, so it could not be restored", file.path);
        let help = "give it another name, or put a file or folder in the place of the link";
        Problem::new(root.folder(), what, help).into()
    })
}

/// Refuses quotes that are in no snapshot: they would be published as they stand.
fn require_grounded(root: &Root, project: &Project, manifest: &Manifest) -> Result<(), CliError> {
    let slug = &project.slug;
    if !root.extraction(slug).exists() {
        return Ok(());
    }
    let decisions = Decisions::load(&root.decisions(slug), slug)?;
    let (extraction, _) = load_frozen(&root.extraction(slug), slug, &decisions)?;
    let sources = read_sources(root, manifest)?;
    let grounds = Grounds::new(&sources).known_as(super::ground::names(root, project)?);
    let stands = |row: &&polc_records::extraction::ExtractionRow| {
        !matches!(grounds.examine(row), Grounding::Stands(_))
    };
    let lost: Vec<String> = extraction.rows.iter().filter(stands).map(|row| row.id.to_string()).collect();
    if lost.is_empty() {
        return Ok(());
    }
    Err(CliError::Gate {
        what: format!(
            "the quotes of {} are not in the snapshots, so they would be published as they stand: {}",
            count(lost.len(), "row"),
            lost.join(", ")
        ),
        help: format!("see what they resemble with `polc ground {slug}`"),
    })
}

/// What every source says, in each of its voices, with the ids that references will have.
fn voices(root: &Root, manifest: &Manifest) -> Result<Vec<(ReferredSource, String)>, CliError> {
    let store = Snapshots::open(&root.snapshots())?;
    let mut voices = Vec::new();
    for source in &manifest.sources {
        let Some(snapshot) = source.snapshot else { continue };
        let bytes = store.get(snapshot)?;
        // What is no text has no words.
        let Ok(document) = read(&store, &source.kind, &source.key, snapshot) else { continue };
        let is_page = source.kind == polc_extraction::assess::PAGE;
        for voice in [Voice::Quoted, Voice::Words, Voice::Raw] {
            if voice == Voice::Raw && is_page {
                continue;
            }
            let referred = ReferredSource {
                id: voices.len() + 1,
                snapshot,
                key: source.key.clone(),
                url: source.url.clone(),
                kind: source.kind.clone(),
                derivation: document.format.derivation().to_owned(),
                voice,
            };
            voices.push((referred, spoken(&document, &bytes, voice)));
        }
    }
    Ok(voices)
}

/// The texts of a project that are quotes, or sentences of its sources.
fn quoted(root: &Root, project: &Project) -> Result<BTreeSet<String>, CliError> {
    let slug = &project.slug;
    let mut quoted = BTreeSet::new();
    let mut add = |row: &Row| {
        quoted.insert(row.quote.clone());
        quoted.extend(row.preceding.clone());
        quoted.extend(row.context.iter().map(|context| context.quote.clone()));
    };
    let decisions = Decisions::load(&root.decisions(slug), slug)?;
    if root.proposal(slug).exists() {
        load_lines::<ProposalFile>(&root.proposal(slug))?.1.iter().for_each(|proposed| add(&proposed.row));
    }
    decisions.all.iter().filter_map(|decision| decision.amended()).flatten().for_each(&mut add);
    for added in decisions.added()? {
        add(added.row);
    }
    if root.ledger(slug).exists() {
        quoted.extend(load_lines::<LedgerFile>(&root.ledger(slug))?.1.into_iter().map(|line| line.text));
    }
    if root.extraction(slug).exists() {
        for row in load_frozen(&root.extraction(slug), slug, &decisions)?.0.rows {
            quoted.insert(row.original);
        }
    }
    Ok(quoted)
}

/// Writes the form by reference, and only then takes the files away.
fn write(
    root: &Root,
    slug: &Slug,
    references: &References,
    files: &[(ReferringFile, Option<String>)],
) -> Result<(), CliError> {
    let form = root.by_reference(slug);
    for (file, text) in files {
        if let Some(text) = text {
            write_atomically(&form.join(&file.path), text.as_bytes())?;
        }
    }
    save_toml(&root.references(slug), references)?;
    let mut old = Vec::new();
    below(&form, &mut old)?;
    let kept: BTreeSet<PathBuf> = files.iter().map(|(file, _)| form.join(&file.path)).collect();
    for path in old.iter().filter(|path| !kept.contains(*path) && **path != root.references(slug)) {
        remove(path)?;
    }
    ignore(root, slug, &references.files)?;
    for file in &references.files {
        remove(&root.folder().join(&file.path))?;
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), CliError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Problem::io(path, "remove", &error).into())
        }
        _ => Ok(()),
    }
}

/// What was restored.
pub(crate) struct Hydrated {
    /// How many files were not there.
    pub(crate) files: usize,
    /// Whether the workbook is one of the same rules, and of other bytes than it had.
    pub(crate) other_workbook: bool,
}

/// Restores every file that stands by reference: all of them or, where one cannot be restored, none.
pub(crate) fn hydrate(root: &Root, project: &Project) -> Result<Hydrated, CliError> {
    let slug = &project.slug;
    if !root.references(slug).exists() {
        return Err(CliError::Gate {
            what: format!("nothing of `{slug}` stands by reference"),
            help: format!("`polc dehydrate {slug}` puts its quotes by reference"),
        });
    }
    let references = places::load(root, slug)?;
    let texts = texts(root, slug, &references)?;
    let voices = voices_again(root, slug, &references)?;
    let mut restored = Vec::new();
    for (file, text) in
        references.files.iter().filter(|file| file.restored == Restored::FromReferences).zip(&texts)
    {
        let form = root.by_reference(slug).join(&file.path);
        let bytes = restore(text, &voices).map_err(|fault| unrestored(&form, &references, &fault))?;
        if Digest::of(&bytes) != file.digest {
            let what = format!("what it comes to is not the file with the digest {}", file.digest);
            return Err(Problem::new(&form, what, "restore it from version control").into());
        }
        restored.push((file, bytes));
    }
    let mut written = 0;
    for file in &references.files {
        let target = root.folder().join(&file.path);
        match digest_if_there(&target)? {
            Some(digest) if digest != file.digest => {
                return Err(CliError::Gate {
                    what: format!("{} is there, and is not what would be restored", file.path),
                    help: format!(
                        "move it away to restore the one that stands by reference; to keep it and what is beside it, \
                         move `{}` away",
                        root.shown(&root.by_reference(slug)).display()
                    ),
                });
            }
            Some(_) => {}
            None => written += 1,
        }
    }
    // The corpus last: without it the project counts as one that is not restored.
    for (file, bytes) in restored.iter().rev() {
        write_atomically(&root.folder().join(&file.path), bytes.as_bytes())?;
    }
    let mut other_workbook = false;
    for file in references.files.iter().filter(|file| file.restored == Restored::Made) {
        let path = root.folder().join(&file.path);
        if !path.exists() {
            workbook::export(root, project)?;
            other_workbook = digest_if_there(&path)? != Some(file.digest);
        }
    }
    Ok(Hydrated { files: written, other_workbook })
}

/// The forms of the files that are restored from references, in their order.
fn texts(root: &Root, slug: &Slug, references: &References) -> Result<Vec<String>, CliError> {
    let from_references = references.files.iter().filter(|file| file.restored == Restored::FromReferences);
    from_references
        .map(|file| {
            let form = root.by_reference(slug).join(&file.path);
            let text = read_text(&form)?;
            referred(&text).map_err(|fault| unrestored(&form, references, &fault))?;
            Ok(text)
        })
        .collect()
}

/// What the sources said, from the same snapshots.
fn voices_again(
    root: &Root,
    slug: &Slug,
    references: &References,
) -> Result<BTreeMap<usize, String>, CliError> {
    let store = Snapshots::open(&root.snapshots())?;
    let lacking: BTreeMap<Digest, &ReferredSource> = references
        .sources
        .iter()
        .filter(|source| !store.holds(source.snapshot))
        .map(|source| (source.snapshot, source))
        .collect();
    if !lacking.is_empty() {
        let lines =
            lacking.iter().map(|(digest, source)| format!("\n  {digest}: `{}`, {}", source.key, source.url));
        return Err(CliError::Gate {
            what: format!(
                "{} not in the store, so nothing was restored:{}",
                count(lacking.len(), "snapshot"),
                lines.collect::<String>()
            ),
            help: format!(
                "run `polc fetch {slug}`; where a page has changed since, ask for its bytes whoever has them: \
                 `polc snapshot export {slug} FOLDER` there, `polc hydrate {slug} --from FOLDER` here"
            ),
        });
    }
    let mut voices = BTreeMap::new();
    for source in &references.sources {
        let document = read(&store, &source.kind, &source.key, source.snapshot)?;
        voices.insert(source.id, spoken(&document, &store.get(source.snapshot)?, source.voice));
    }
    Ok(voices)
}

fn unrestored(form: &Path, references: &References, fault: &Unrestored) -> Problem {
    let of = |voice: &usize| references.sources.iter().find(|source| source.id == *voice);
    let help = "restore it from version control";
    match fault {
        Unrestored::Otherwise { voice, .. } if let Some(source) = of(voice) => Problem::new(
            form,
            format!("{fault}: `{}`", source.key),
            format!("{help}, or use a version of polc that reads such sources by `{}`", source.derivation),
        ),
        Unrestored::Otherwise { .. } | Unrestored::Malformed(_) | Unrestored::NoVoice(_) => {
            Problem::new(form, fault.to_string(), help)
        }
    }
}

/// Puts the snapshots that lack into the store from a folder that `snapshot export` made.
pub(crate) fn take_snapshots(root: &Root, slug: &Slug, folder: &Path) -> Result<(), CliError> {
    if !root.references(slug).exists() {
        return Ok(());
    }
    let references = places::load(root, slug)?;
    let store = Snapshots::open(&root.snapshots())?;
    for source in references.sources.iter().filter(|source| !store.holds(source.snapshot)) {
        let file = folder.join(source.snapshot.hex());
        if !file.is_file() {
            continue;
        }
        let bytes = std::fs::read(&file).map_err(|error| Problem::io(&file, "read", &error))?;
        store.take(source.snapshot, &bytes)?;
    }
    Ok(())
}

fn digest_if_there(path: &Path) -> Result<Option<Digest>, CliError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(Digest::of(&bytes))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Problem::io(path, "read", &error).into()),
    }
}

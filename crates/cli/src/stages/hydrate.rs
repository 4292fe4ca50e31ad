//! `dehydrate` and `hydrate`: a project without the sentences of others, and with them again.
//!
//! Every file that has words of the sources is kept a second time with references in their place, below
//! `corpora/<slug>/by-reference`, and taken away itself. The digests that the freeze and other files
//! record are those of the files as they are restored, so that nothing else knows of two forms.

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
use polc_records::store::{
    TomlFile, load_lines, load_toml, read_text, read_text_if_there, save_toml, write_atomically,
};
use polc_records::{Digest, Problem};
use polc_text::reference::{Concordance, Escape, Unrestored, referred, restore, spoken};
use polc_text::snapshots::Snapshots;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The name of the file that keeps others out of version control.
const IGNORE: &str = ".gitignore";

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

/// How a project stands by reference.
pub(crate) fn by_reference(root: &Root, slug: &Slug) -> Result<ByReference, CliError> {
    let path = root.references(slug);
    if !path.exists() {
        return Ok(ByReference::Never);
    }
    let references: References = load_toml(&path)?;
    let (mut lacking, mut changed) = (0, Vec::new());
    for file in &references.files {
        match digest_if_there(&root.folder().join(&file.path))? {
            None => lacking += 1,
            Some(digest) if digest != file.digest => changed.push(file.path.clone()),
            Some(_) => {}
        }
    }
    if lacking == 0 {
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
    let mut files = Vec::new();
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for path in candidates(root, slug)? {
        let bytes = std::fs::read(&path).map_err(|error| Problem::io(&path, "read", &error))?;
        let name = root.shown(&path).display().to_string();
        let digest = Digest::of(&bytes);
        if path == root.workbook(slug) {
            files.push((ReferringFile { path: name, digest, restored: Restored::Made }, None));
            continue;
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
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
    Ok(Dehydrated { files: files.len(), sources: sources.len() })
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
        // What is no text has no words.
        let Ok(document) = read(&store, &source.kind, &source.key, snapshot) else { continue };
        let bytes = store.get(snapshot)?;
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

/// The files of a project that may quote, in order. What is needed to fetch again, and what names a place
/// and quotes nothing but headings, stays as it is.
fn candidates(root: &Root, slug: &Slug) -> Result<Vec<PathBuf>, CliError> {
    let mut found = Vec::new();
    for folder in [root.corpus_folder(slug), root.pack(slug)] {
        below(&folder, &mut found)?;
    }
    found.push(root.raw_sources(slug));
    let (form, stays) =
        (root.by_reference(slug), [root.project(slug), root.acceptance(slug).with_file_name(IGNORE)]);
    found.retain(|path| {
        path.is_file() && !path.starts_with(&form) && !stays.contains(path) && !path.ends_with(IGNORE)
    });
    found.sort();
    Ok(found)
}

fn below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), CliError> {
    if !folder.is_dir() {
        return Ok(());
    }
    let list = |error: std::io::Error| Problem::io(folder, "list", &error);
    for entry in std::fs::read_dir(folder).map_err(list)? {
        let path = entry.map_err(list)?.path();
        if path.is_dir() {
            below(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
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
    for folder in [root.corpus_folder(slug), root.manifests(slug), root.pack(slug)] {
        let below = |file: &ReferringFile| {
            let path = root.folder().join(&file.path);
            path.strip_prefix(&folder).ok().map(|path| format!("/{}\n", path.display()))
        };
        let lines: String = references.files.iter().filter_map(below).collect();
        if !lines.is_empty() {
            let text = format!("# Stand by reference: `polc hydrate {slug}` restores them.\n{lines}");
            write_atomically(&folder.join(IGNORE), text.as_bytes())?;
        }
    }
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

/// Restores every file that stands by reference: all of them or, where one cannot be restored, none. Gives
/// how many were not there.
pub(crate) fn hydrate(root: &Root, project: &Project) -> Result<usize, CliError> {
    let slug = &project.slug;
    let path = root.references(slug);
    if !path.exists() {
        return Err(CliError::Gate {
            what: format!("nothing of `{slug}` stands by reference"),
            help: format!("`polc dehydrate {slug}` puts its quotes by reference"),
        });
    }
    let references: References = load_toml(&path)?;
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
                        "move it away to restore the one that stands by reference, or keep it and run `polc dehydrate {slug}`"
                    ),
                });
            }
            Some(_) => {}
            None => written += 1,
        }
    }
    for (file, bytes) in &restored {
        write_atomically(&root.folder().join(&file.path), bytes.as_bytes())?;
    }
    for file in references.files.iter().filter(|file| file.restored == Restored::Made) {
        make(root, project, file)?;
    }
    Ok(written)
}

/// The forms of the files that are restored from references, in their order.
fn texts(root: &Root, slug: &Slug, references: &References) -> Result<Vec<String>, CliError> {
    let from_references = references.files.iter().filter(|file| file.restored == Restored::FromReferences);
    from_references
        .map(|file| {
            let form = root.by_reference(slug).join(&file.path);
            if Path::new(&file.path).components().any(|part| !matches!(part, std::path::Component::Normal(_)))
            {
                let what = format!("`{}` is not below the root", file.path);
                return Err(
                    Problem::new(&root.references(slug), what, "restore it from version control").into()
                );
            }
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
    let (what, help) = match fault {
        Unrestored::Otherwise { voice, .. } => match of(voice) {
            Some(source) => (
                format!("{fault}: `{}`, read by {}", source.key, source.derivation),
                "use a version of polc that reads sources in the same way",
            ),
            None => (fault.to_string(), "restore it from version control"),
        },
        Unrestored::Malformed(_) | Unrestored::NoVoice(_) => {
            (fault.to_string(), "restore it from version control")
        }
    };
    Problem::new(form, what, help)
}

/// Makes the workbook again, and refuses it where it is another one.
fn make(root: &Root, project: &Project, file: &ReferringFile) -> Result<(), CliError> {
    let path = root.folder().join(&file.path);
    if path.exists() {
        return Ok(());
    }
    workbook::export(root, project)?;
    if digest_if_there(&path)? == Some(file.digest) {
        return Ok(());
    }
    remove(&path)?;
    let help = "use the version of polc that wrote it, or write another with `polc workbook`";
    Err(Problem::new(&path, "this version writes another workbook", help).into())
}

/// Puts the snapshots that lack into the store from a folder that `snapshot export` made.
pub(crate) fn take_snapshots(root: &Root, slug: &Slug, folder: &Path) -> Result<(), CliError> {
    let path = root.references(slug);
    let Some(_) = read_text_if_there(&path)? else { return Ok(()) };
    let references: References = load_toml(&path)?;
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

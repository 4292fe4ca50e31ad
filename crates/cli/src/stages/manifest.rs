//! `manifest` and checkpoint 1.

use super::site;
use crate::exit::CliError;
use polc_extraction::ExtractionError;
use polc_extraction::assess::{Candidate, Headings, KindDefaults, PAGE, assess};
use polc_extraction::cues::Cues;
use polc_extraction::documents::read;
use polc_extraction::manifest::{Checkpoint, checkpoint_one, rebuild};
use polc_records::Digest;
use polc_records::decisions::{Decision, Decisions};
use polc_records::layout::Root;
use polc_records::manifest::Manifest;
use polc_records::pin::{Pin, PinnedSource};
use polc_records::project::Project;
use polc_records::store::{load_toml, read_text, save_toml};
use polc_records::vocabulary::SourceRole;
use polc_sources::discovery::{Discovery, Kind};
use polc_sources::fetch::lfs;
use polc_sources::rendered::mark;
use polc_sources::siblings::LINKED;
use polc_text::Document;
use polc_text::snapshots::Snapshots;

/// The pin of a project, with the digest of its file.
pub(crate) fn load_pin(root: &Root, project: &Project) -> Result<(Pin, Digest), CliError> {
    let path = root.pin(&project.slug);
    if !path.exists() {
        return Err(CliError::Gate {
            what: "nothing has been pinned yet".to_owned(),
            help: format!("run `polc pin {}`", project.slug),
        });
    }
    let pin = load_toml(&path)?;
    Ok((pin, Digest::of(read_text(&path)?)))
}

/// Assesses every pinned file without a model; what a person amended is kept.
pub(crate) fn build(root: &Root, project: &Project) -> Result<Manifest, CliError> {
    let generated = with_candidates(root, project, |candidates, pin| {
        Ok(marked(assess(&Headings::load(root)?, pin, candidates), candidates))
    })?;
    save(root, project, &generated)
}

/// The manifest with every file that is rendered as a page too marked as that.
pub(crate) fn marked(manifest: Manifest, candidates: &[Candidate<'_>]) -> Manifest {
    let document = |key: &str| {
        let candidate = candidates.iter().find(|candidate| candidate.key == key)?;
        candidate.read.as_ref().ok().map(|(_, document)| document)
    };
    mark(manifest, |source| source.kind == PAGE, document)
}

/// Writes what was assessed; what a person amended is kept.
pub(crate) fn save(root: &Root, project: &Project, generated: &Manifest) -> Result<Manifest, CliError> {
    let path = root.manifest(&project.slug);
    let base_path = root.generated_manifest(&project.slug);
    let merged = if path.exists() && base_path.exists() {
        let file = root.shown(&path).display().to_string();
        rebuild(&file, &Manifest::load(&base_path)?, &Manifest::load(&path)?, generated.clone())?
    } else {
        generated.clone()
    };
    // Rewritten only where something changed, so that a person's comments stay.
    if !path.exists() || Manifest::load(&path)? != merged {
        save_toml(&path, &merged)?;
    }
    save_toml(&base_path, generated)?;
    Ok(merged)
}

/// Does something with everything that is to be assessed, and the digest of the pin.
pub(crate) fn with_candidates<T>(
    root: &Root,
    project: &Project,
    work: impl FnOnce(&[Candidate<'_>], Digest) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let (pin, digest) = load_pin(root, project)?;
    let discovery = Discovery::load(root, project)?;
    let (cues, _) = Cues::load(root, project)?;
    let snapshots = Snapshots::open(&root.snapshots())?;
    let mut candidates = Vec::new();
    // Without a site, links to files that could not be read may be all that was recorded.
    let lines = match &pin.site {
        None if !root.pages(&project.slug).exists() => Vec::new(),
        Some(_) | None => site::load_pages(root, project, digest)?,
    };
    let pages = site::pages(&lines, pin.site.as_ref(), pin.files(), &snapshots);
    for page in &pages {
        candidates.push(of_page(page, site::obligations(&cues, &page.key, &page.read)?));
    }
    let files = files(root, project, &pin, &discovery, &snapshots)?;
    for file in &files {
        // A pattern says that a file is there for its kind; a link says no more than it does of a page.
        let is_linked = file.kind.name == LINKED;
        let obligations =
            is_linked.then(|| site::obligations(&cues, &file.source.key, &file.read)).transpose()?;
        candidates.push(of_file(file, obligations));
    }
    work(&candidates, digest)
}

/// A page as a candidate.
pub(crate) fn of_page(page: &site::Page, obligations: usize) -> Candidate<'_> {
    Candidate {
        key: &page.key,
        kind: PAGE,
        url: page.url.clone(),
        defaults: KindDefaults { role: SourceRole::Rules, code: None, reason: "obliges contributors" },
        read: page.read.clone(),
        obligations: Some(obligations),
    }
}

/// A pinned file as a candidate.
pub(crate) fn of_file<'f>(file: &'f ReadFile<'_>, obligations: Option<usize>) -> Candidate<'f> {
    let Kind { role, code, reason, .. } = file.kind;
    Candidate {
        key: &file.source.key,
        kind: &file.source.file.kind,
        url: file.source.url.clone(),
        defaults: KindDefaults { role: *role, code: *code, reason },
        read: file.read.clone(),
        obligations,
    }
}

/// A pinned file with its text, or why there is none.
pub(crate) struct ReadFile<'p> {
    pub(crate) source: PinnedSource<'p>,
    pub(crate) kind: &'p Kind,
    pub(crate) read: Result<(Digest, Document), String>,
}

/// Every pinned file, of the repository and of others.
pub(crate) fn files<'p>(
    root: &Root,
    project: &Project,
    pin: &'p Pin,
    discovery: &'p Discovery,
    snapshots: &Snapshots,
) -> Result<Vec<ReadFile<'p>>, CliError> {
    let mut files = Vec::new();
    for source in pin.sources(project) {
        let file = source.file;
        let Some(kind) = discovery.kind(&file.kind) else {
            return Err(polc_records::Problem::new(
                &root.pin(&project.slug),
                format!("`{}` has the kind `{}`, which no longer exists", file.path, file.kind),
                "run `polc pin` again",
            )
            .into());
        };
        let snapshot = snapshots.of_blob(&file.blob).ok_or_else(|| CliError::Gate {
            what: format!("`{}` has not been fetched at the pin", file.path),
            help: format!("run `polc fetch {}`", project.slug),
        })?;
        let read = match lfs::pointer(&snapshots.get(snapshot)?) {
            Some(pointer) => Err(pointer.to_string()),
            None => read(snapshots, &file.kind, &file.path, snapshot)
                .map(|document| (snapshot, document))
                .map_err(|problem| problem.to_string().replace('\n', "; ")),
        };
        files.push(ReadFile { source, kind, read });
    }
    Ok(files)
}

/// The manifest as it stands, with the digest of its file.
pub(crate) fn load(root: &Root, project: &Project) -> Result<(Manifest, Digest), CliError> {
    let path = root.manifest(&project.slug);
    if !path.exists() {
        return Err(CliError::Gate {
            what: "there is no manifest yet".to_owned(),
            help: format!("run `polc manifest {}`", project.slug),
        });
    }
    Ok((Manifest::load(&path)?, Digest::of(read_text(&path)?)))
}

/// Confirms the manifest as it stands. The same manifest is confirmed once.
pub(crate) fn confirm(root: &Root, project: &Project, by: &str, at: &str) -> Result<Digest, CliError> {
    let (manifest, digest) = load(root, project)?;
    let (pin, pin_digest) = load_pin(root, project)?;
    let mut faults = Vec::new();
    if manifest.pin != pin_digest {
        faults.push("the manifest was made at another pin".to_owned());
    }
    let discovery = Discovery::load(root, project)?;
    let checkpoint = Checkpoint {
        project,
        pin: &pin,
        fixed_kinds: &discovery.fixed_kinds(),
        snapshots: &Snapshots::open(&root.snapshots())?,
        headings: &Headings::load(root)?,
    };
    faults.extend(checkpoint_one(&manifest, &checkpoint));
    if !faults.is_empty() {
        let help = format!(
            "run `polc manifest {0}`, amend manifests/{0}/manifest.toml, and confirm again",
            project.slug
        );
        return Err(ExtractionError::Gate { faults, help }.into());
    }
    let path = root.decisions(&project.slug);
    let mut decisions = Decisions::load(&path, &project.slug)?;
    if decisions.manifest_confirmation(digest).is_none() {
        decisions.all.push(Decision::Manifest { manifest: digest, by: by.to_owned(), at: at.to_owned() });
        decisions.save(&path)?;
    }
    Ok(digest)
}

/// The manifest, refused where it is not confirmed as it stands.
pub(crate) fn load_confirmed(root: &Root, project: &Project) -> Result<(Manifest, Digest), CliError> {
    let (manifest, digest) = load(root, project)?;
    let decisions = Decisions::load(&root.decisions(&project.slug), &project.slug)?;
    if decisions.manifest_confirmation(digest).is_some() {
        return Ok((manifest, digest));
    }
    let slug = &project.slug;
    Err(CliError::Gate {
        what: format!("the manifest of `{slug}` is not confirmed as it stands (digest {})", digest.short()),
        help: format!(
            "read it with `polc manifest {slug} --show`, then run `polc manifest confirm {slug} --by NAME`"
        ),
    })
}

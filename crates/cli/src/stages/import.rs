//! `import`: a released extraction becomes the frozen one of a project.

use super::extract::is_frozen;
use crate::exit::CliError;
use polc_records::Digest;
use polc_records::decisions::{Decision, Decisions, MadeFrom};
use polc_records::ids::Slug;
use polc_records::import::{Contents, Import, Imported};
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::snapshot::Origin;
use polc_records::store::{load_toml, read_text_if_there, save_toml, write_atomically};
use polc_text::snapshots::Snapshots;

/// What became of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// It was written.
    Written,
    /// The same file was imported before: nothing was written.
    Before,
}

/// Writes the files of an import, the decision last: one that was killed before is brought to its end by
/// the next.
pub(crate) fn import(
    root: &Root,
    project: &Project,
    imported: &Imported,
    original: &[u8],
    by: &str,
    at: &str,
) -> Result<Done, CliError> {
    let slug = &project.slug;
    let (path, decisions_path) = (root.extraction(slug), root.decisions(slug));
    let text = imported.extraction.render(&path)?;
    let extraction = Digest::of(&text);
    let mut decisions = Decisions::load(&decisions_path, slug)?;
    let freeze = decisions.freeze();
    let present = read_text_if_there(&path)?.map(Digest::of);
    let same = freeze.is_some_and(|freeze| {
        freeze.made_from == MadeFrom::Import(imported.record.original) && present == Some(freeze.extraction)
    });
    if same {
        return Ok(Done::Before);
    }
    let unfinished = freeze.is_none() && present == Some(extraction);
    let proposed = freeze.is_some_and(|freeze| matches!(freeze.made_from, MadeFrom::Proposal(_)));
    if proposed || (present.is_some() && !unfinished) {
        return Err(CliError::Gate {
            what: format!("`{slug}` has an extraction that is not of this file"),
            help: "a frozen extraction is never replaced: import the file into a root of its own".to_owned(),
        });
    }
    save_toml(&root.project(slug), project)?;
    let mut snapshots = Snapshots::open(&root.snapshots())?;
    snapshots.put(original, Origin::Import { file: imported.record.file.clone() })?;
    snapshots.save()?;
    save_toml(&root.import(slug), &imported.record)?;
    if let Some(corpus) = &imported.corpus {
        let rules = root.rules(slug);
        write_atomically(&rules, corpus.render(&rules)?.as_bytes())?;
    }
    write_atomically(&path, text.as_bytes())?;
    decisions.all.push(Decision::Import {
        original: imported.record.original,
        extraction,
        ids: imported.ids()?,
        by: by.to_owned(),
        at: at.to_owned(),
    });
    decisions.save(&decisions_path)?;
    Ok(Done::Written)
}

/// Whether the frozen extraction is an imported one.
pub(crate) fn is_imported(root: &Root, project: &Project, decisions: &Decisions) -> bool {
    is_frozen(root, project, decisions)
        && decisions.freeze().is_some_and(|freeze| matches!(freeze.made_from, MadeFrom::Import(_)))
}

/// The released file that a project was imported from.
pub(crate) fn imported_file(root: &Root, slug: &Slug) -> Result<Option<Digest>, CliError> {
    let path = root.import(slug);
    if !path.exists() {
        return Ok(None);
    }
    let import: Import = load_toml(&path)?;
    Ok(Some(import.original))
}

/// The digest of `rules.csv` as it was imported, where its labels are in force: no facts were answered
/// since.
pub(crate) fn imported_labels(root: &Root, slug: &Slug) -> Result<Option<Digest>, CliError> {
    let path = root.import(slug);
    if !path.exists() || root.facts(slug).exists() || !root.rules(slug).exists() {
        return Ok(None);
    }
    let import: Import = load_toml(&path)?;
    Ok(match import.contents {
        Contents::Extraction => None,
        Contents::Corpus { rules } => Some(rules),
    })
}

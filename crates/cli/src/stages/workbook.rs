//! `workbook`: the corpus into a spreadsheet, and edits out of one.

use super::classify::{derive, load_corpus};
use super::import::imported_labels;
use crate::exit::CliError;
use polc_extraction::classify::relabel::Unsettled;
use polc_records::Problem;
use polc_records::corpus::Corpus;
use polc_records::decisions::{DecidedBy, Decision, Decisions, Relabel};
use polc_records::ids::{RuleId, Slug};
use polc_records::labels::Standing;
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::store::write_atomically;
use polc_records::workbook::{EditedRow, merge, read, write};
use std::path::Path;

/// What a workbook was written with.
pub(crate) struct Exported {
    /// How many rows.
    pub(crate) rows: usize,
    /// Whether edits in it can come back: imported labels stay as they were released.
    pub(crate) editable: bool,
    /// The labels that somebody has to decide again: the workbook has them as the tables decide.
    pub(crate) unsettled: Vec<Unsettled>,
}

/// Writes the workbook of the corpus as it stands. One with edits that were not read is left alone.
pub(crate) fn export(root: &Root, project: &Project) -> Result<Exported, CliError> {
    let slug = &project.slug;
    let (corpus, _) = load_corpus(root, project)?;
    let path = root.workbook(slug);
    if path.exists() && has_edits(&path, project, &corpus)? {
        return Err(not_read(root, slug, &path));
    }
    let editable = imported_labels(root, slug)?.is_none();
    let (corpus, unsettled) = if editable {
        // Where a label has to be decided again, rules.csv still has what a person made of it.
        let decisions = Decisions::load(&root.decisions(slug), slug)?;
        let derived = derive(root, project, &decisions)?;
        (if derived.unsettled.is_empty() { corpus } else { derived.corpus }, derived.unsettled)
    } else {
        (corpus, Vec::new())
    };
    write_atomically(&path, &write(&path, slug, &corpus)?)?;
    Ok(Exported { rows: corpus.rows.len(), editable, unsettled })
}

fn not_read(root: &Root, slug: &Slug, path: &Path) -> CliError {
    let shown = root.shown(path).display();
    CliError::Gate {
        what: format!("{shown} may have edits that were not read"),
        help: format!(
            "read them with `polc workbook {slug} --from {shown} --by NAME`, or move the file away"
        ),
    }
}

fn has_edits(path: &Path, project: &Project, corpus: &Corpus) -> Result<bool, CliError> {
    let merged = read(path, &project.slug, &bytes(path)?).and_then(|rows| merge(path, &rows, corpus));
    Ok(merged.map_or(true, |changes| !changes.is_empty()))
}

/// Records the labels that were changed in a workbook, classifies again and writes the workbook of what
/// that comes to; how many rules were changed. Where anything is wrong, nothing is recorded.
pub(crate) fn record(
    root: &Root,
    project: &Project,
    file: &Path,
    by: &str,
    at: &str,
) -> Result<usize, CliError> {
    let slug = &project.slug;
    if imported_labels(root, slug)?.is_some() {
        return Err(CliError::Gate {
            what: format!("the labels of `{slug}` were imported, and stay as they were released"),
            help: "report a label that is wrong where the corpus was released".to_owned(),
        });
    }
    let decisions_path = root.decisions(slug);
    let mut decisions = Decisions::load(&decisions_path, slug)?;
    // Labels that were recorded by a run that was killed are part of the corpus already.
    let ours = derive(root, project, &decisions)?;
    let own = root.workbook(slug);
    let another = own.exists() && bytes(&own)? != bytes(file)?;
    if another && has_edits(&own, project, &ours.corpus)? {
        return Err(not_read(root, slug, &own));
    }
    let rows = read(file, slug, &bytes(file)?)?;
    let mut changed = merge(file, &rows, &ours.corpus)?;
    for (rule, settled) in ours.unsettled.iter().filter_map(|unsettled| settled(unsettled, &rows)) {
        match changed.iter_mut().find(|(changed, _)| *changed == rule) {
            Some((_, changes)) => changes.push(settled),
            None => changed.push((rule, vec![settled])),
        }
    }
    let count = changed.len();
    decisions.all.extend(changed.into_iter().map(|(rule, changes)| Decision::Relabel {
        rule,
        changes,
        by: by.to_owned(),
        decided_by: DecidedBy::Workbook,
        at: at.to_owned(),
    }));
    let classified = derive(root, project, &decisions)?;
    classified.settled()?;
    let path = root.workbook(slug);
    let workbook = write(&path, slug, &classified.corpus)?;
    if count > 0 {
        decisions.save(&decisions_path)?;
    }
    classified.save(root)?;
    write_atomically(&path, &workbook)?;
    Ok(count)
}

/// What the tables decide now, where the workbook was written with it and it was left there.
fn settled(unsettled: &Unsettled, rows: &[EditedRow]) -> Option<(RuleId, Relabel)> {
    let decided = &unsettled.decided;
    let row = rows.iter().find(|row| row.base.id == unsettled.rule)?;
    let left = [&row.base, &row.theirs].iter().all(|row| decided.standing(row) == Standing::After);
    left.then(|| (unsettled.rule.clone(), decided.clone()))
}

fn bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    std::fs::read(path).map_err(|error| Problem::io(path, "read", &error))
}

//! Checkpoint 2: decisions by sheet, and the freeze.

use super::extract::{is_frozen, load_proposal, read_sources};
use super::manifest::load_confirmed;
use crate::exit::CliError;
use polc_extraction::freeze::{Frozen, freeze};
use polc_extraction::review::{Decider, Sheet, read_sheet, render};
use polc_records::Digest;
use polc_records::decisions::{Decision, Decisions};
use polc_records::layout::Root;
use polc_records::ledger::{LedgerFile, LedgerHeader};
use polc_records::project::Project;
use polc_records::store::{load_lines, parse_toml, render_lines, write_atomically};
use std::path::Path;

/// A sheet of the rows that wait for a decision, or of all.
pub(crate) fn sheet(root: &Root, project: &Project, all: bool) -> Result<String, CliError> {
    let (manifest, digest) = load_confirmed(root, project)?;
    let sources = read_sources(root, &manifest)?;
    let (rows, _) = load_proposal(root, project, digest)?;
    let decisions = Decisions::load(&root.decisions(&project.slug), &project.slug)?;
    Ok(render(&project.slug, &sources, &rows, &decisions, all))
}

/// Records the decisions of a sheet; how many it held.
pub(crate) fn record(
    root: &Root,
    project: &Project,
    path: &Path,
    text: &str,
    decider: &Decider,
) -> Result<usize, CliError> {
    let (manifest, digest) = load_confirmed(root, project)?;
    let sources = read_sources(root, &manifest)?;
    let (rows, _) = load_proposal(root, project, digest)?;
    let sheet: Sheet = parse_toml(path, text)?;
    let made = read_sheet(&project.slug, &sheet, &sources, &rows, decider)?;
    let count = made.len();
    let file = root.decisions(&project.slug);
    let mut decisions = Decisions::load(&file, &project.slug)?;
    decisions.all.extend(made);
    decisions.save(&file)?;
    Ok(count)
}

/// How many proposed rows wait for a decision.
pub(crate) fn undecided(root: &Root, project: &Project) -> Result<usize, CliError> {
    let (_, digest) = load_confirmed(root, project)?;
    let (rows, _) = load_proposal(root, project, digest)?;
    let decisions = Decisions::load(&root.decisions(&project.slug), &project.slug)?;
    Ok(rows.iter().filter(|row| decisions.on_row(row.digest).is_none()).count())
}

/// Freezes the decided rows. The same freeze is recorded once.
pub(crate) fn freeze_rows(root: &Root, project: &Project, by: &str, at: &str) -> Result<Frozen, CliError> {
    let slug = &project.slug;
    let (manifest, digest) = load_confirmed(root, project)?;
    let sources = read_sources(root, &manifest)?;
    let (rows, proposal) = load_proposal(root, project, digest)?;
    let (header, ledger) = load_lines::<LedgerFile>(&root.ledger(slug))?;
    if header.proposal != proposal {
        return Err(CliError::Gate {
            what: "the ledger belongs to another proposal".to_owned(),
            help: format!("run `polc extract {slug}` again"),
        });
    }
    let decisions_path = root.decisions(slug);
    let mut decisions = Decisions::load(&decisions_path, slug)?;
    let already = is_frozen(root, project, &decisions);
    let frozen = freeze(slug, &sources, &rows, &ledger, &decisions)?;
    let path = root.extraction(slug);
    let text = frozen.extraction.render(&path)?;
    let digest = Digest::of(&text);
    if already {
        if decisions.freeze().is_some_and(|freeze| freeze.extraction == digest) {
            return Ok(frozen);
        }
        return Err(CliError::Gate {
            what: "the extraction is frozen, and these decisions would make another".to_owned(),
            help: format!(
                "a frozen extraction is never edited; to start over, remove {}",
                root.shown(&path).display()
            ),
        });
    }
    write_atomically(&path, text.as_bytes())?;
    let ledger_path = root.ledger(slug);
    let header = LedgerHeader { without_rules: header.without_rules, ..header };
    write_atomically(
        &ledger_path,
        render_lines::<LedgerFile>(&ledger_path, &header, &frozen.ledger)?.as_bytes(),
    )?;
    decisions.all.push(Decision::Freeze {
        proposal,
        extraction: digest,
        ids: frozen.ids.clone(),
        by: by.to_owned(),
        at: at.to_owned(),
    });
    decisions.save(&decisions_path)?;
    Ok(frozen)
}

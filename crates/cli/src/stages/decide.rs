//! Checkpoint 2: decisions by sheet, and the freeze.

use super::extract::{is_frozen, load_proposal, read_sources};
use super::manifest::load_confirmed;
use crate::exit::CliError;
use polc_extraction::acceptance::Bands;
use polc_extraction::baseline::extract::extract;
use polc_extraction::cues::Cues;
use polc_extraction::documents::ReadSource;
use polc_extraction::freeze::freeze;
use polc_extraction::review::{Decider, EarlierRule, Sheet, read_sheet, render};
use polc_extraction::update::proposed_ledger as ledger_before_ids;
use polc_records::Digest;
use polc_records::corpus::{Corpus, CorpusRow};
use polc_records::decisions::{Decision, Decisions, MadeFrom};
use polc_records::extraction::{Extraction, ExtractionRow};
use polc_records::layout::Root;
use polc_records::ledger::{Fate, LedgerFile, LedgerHeader, LedgerLine};
use polc_records::project::Project;
use polc_records::proposal::ProposalFile;
use polc_records::store::{load_lines, parse_toml, read_text, render_lines, write_atomically};
use std::path::Path;

/// A sheet of the rows that wait for a decision, or of all.
pub(crate) fn sheet(root: &Root, project: &Project, all: bool) -> Result<String, CliError> {
    let (manifest, digest) = load_confirmed(root, project)?;
    let sources = read_sources(root, &manifest)?;
    let (rows, _) = load_proposal(root, project, digest)?;
    let decisions = Decisions::load(&root.decisions(&project.slug), &project.slug)?;
    Ok(render(&project.slug, &sources, &rows, &decisions, &last_frozen(root, project)?, all)?)
}

/// The rules of the last freeze. Where the extraction was removed to make another, what was classified says them.
fn last_frozen(root: &Root, project: &Project) -> Result<Vec<EarlierRule>, CliError> {
    let slug = &project.slug;
    let (extraction, rules) = (root.extraction(slug), root.rules(slug));
    Ok(if extraction.exists() {
        let rows = Extraction::parse(&extraction, slug, &read_text(&extraction)?)?.rows;
        rows.into_iter()
            .map(|ExtractionRow { id, rule, original, .. }| EarlierRule { id, rule, original })
            .collect()
    } else if rules.exists() {
        let rows = Corpus::load(&rules, slug)?.rows;
        rows.into_iter()
            .map(|CorpusRow { id, rule, original, .. }| EarlierRule { id, rule, original })
            .collect()
    } else {
        Vec::new()
    })
}

/// Records the decisions of a sheet that are not in force already; how many.
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
    let file = root.decisions(&project.slug);
    let mut decisions = Decisions::load(&file, &project.slug)?;
    let made = read_sheet(&project.slug, &sheet, &sources, &rows, &decisions, decider)?;
    let count = made.len();
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

/// Freezes the decided rows, and gives them. The same freeze is recorded once; one that was killed
/// between its files is brought to its end by the next.
pub(crate) fn freeze_rows(
    root: &Root,
    project: &Project,
    by: &str,
    at: &str,
) -> Result<Extraction, CliError> {
    let slug = &project.slug;
    let (manifest, digest) = load_confirmed(root, project)?;
    let sources = read_sources(root, &manifest)?;
    let (rows, proposal) = load_proposal(root, project, digest)?;
    let decisions_path = root.decisions(slug);
    let decisions = Decisions::load(&decisions_path, slug)?;
    let frozen = freeze(slug, &sources, &rows, &decisions)?;
    let path = root.extraction(slug);
    let extraction = frozen.extraction();
    let text = extraction.render(&path)?;
    let digest = Digest::of(&text);
    let taken_over = decisions.carried_to(proposal);
    if is_frozen(root, project, &decisions) && !taken_over && Digest::of(read_text(&path)?) != digest {
        return Err(CliError::Gate {
            what: "the extraction is frozen, and these decisions would make another".to_owned(),
            help: format!(
                "a frozen extraction is never edited; to make another, remove {} and freeze again: a row that stays keeps its id",
                root.shown(&path).display()
            ),
        });
    }
    // Another engine may propose the same rows: that they stand in its proposal is another freeze.
    let same = |from: MadeFrom| taken_over || from == MadeFrom::Proposal(proposal);
    let recorded =
        decisions.freeze().is_some_and(|freeze| freeze.extraction == digest && same(freeze.made_from));
    let (header, lines) = load_lines::<LedgerFile>(&root.ledger(slug))?;
    if recorded && path.exists() && lines.iter().any(has_ids) {
        return Ok(extraction);
    }
    let proposed = proposed_ledger(root, project, &sources, (header.proposal == proposal).then_some(lines))?;
    frozen.check(&Bands::load(root)?)?;
    let (ledger, without_rules) = frozen.ledger(&proposed)?;
    // Each file is written whole, the ledger last: until it has ids, a freeze is not at its end.
    write_atomically(&path, text.as_bytes())?;
    if !recorded {
        let mut decisions = decisions.clone();
        decisions.all.push(Decision::Freeze {
            proposal,
            extraction: digest,
            ids: frozen.ids(),
            by: by.to_owned(),
            at: at.to_owned(),
        });
        decisions.save(&decisions_path)?;
    }
    let header = LedgerHeader { proposal, without_rules, ..header };
    let ledger_path = root.ledger(slug);
    write_atomically(&ledger_path, render_lines::<LedgerFile>(&ledger_path, &header, &ledger)?.as_bytes())?;
    Ok(extraction)
}

/// Whether a sentence names a rule by an id, as only a freeze makes it.
fn has_ids(line: &LedgerLine) -> bool {
    match &line.outcome {
        Fate::Rule { rows, .. } => rows.iter().any(|name| name.proposed().is_none()),
        Fate::Restates(name) => name.proposed().is_none(),
        Fate::NoRule(_) => false,
    }
}

/// The ledger as it was before any row had an id. What stands on the disk may be that of an earlier
/// freeze: then it is made again from the sources.
fn proposed_ledger(
    root: &Root,
    project: &Project,
    sources: &[ReadSource<'_>],
    lines: Option<Vec<LedgerLine>>,
) -> Result<Vec<LedgerLine>, CliError> {
    let again = |what: &str| CliError::Gate {
        what: what.to_owned(),
        help: format!("run `polc extract {}` again", project.slug),
    };
    let lines = lines.ok_or_else(|| again("the ledger belongs to another proposal"))?;
    if !lines.iter().any(has_ids) {
        return Ok(lines);
    }
    let (cues, _) = Cues::load(root, project)?;
    let (proposal, rows) = load_lines::<ProposalFile>(&root.proposal(&project.slug))?;
    if proposal.asked.is_some() {
        return Err(again("the ledger is that of an earlier freeze, and its rows are a model's"));
    }
    let extracted = extract(&cues, sources)?;
    if extracted.rows == rows {
        return Ok(extracted.ledger);
    }
    // What the engine would propose now is another matter: these rows were decided on.
    Ok(ledger_before_ids(sources, &rows, &lines))
}

//! `extract`: proposal and ledger.

use super::manifest::load_confirmed;
use crate::exit::CliError;
use polc_extraction::baseline::extract::{Extracted, extract};
use polc_extraction::cues::Cues;
use polc_extraction::documents::{ReadSource, retrieved};
use polc_extraction::update::{Earlier, Updated, update as take_over};
use polc_extraction::{asking, baseline};
use polc_records::asked::Asked;
use polc_records::decisions::{Decision, Decisions};
use polc_records::layout::Root;
use polc_records::ledger::{LedgerFile, LedgerHeader, LedgerLine};
use polc_records::manifest::Manifest;
use polc_records::project::Project;
use polc_records::proposal::{ProposalFile, ProposalHeader, ProposedRow};
use polc_records::store::{
    JsonLines, load_lines, read_text, read_text_if_there, render_lines, write_atomically,
};
use polc_records::{Digest, Problem};
use polc_text::snapshots::Snapshots;

/// What was proposed.
#[derive(Debug, Clone)]
pub(crate) struct Proposed {
    pub(crate) rows: Vec<ProposedRow>,
    pub(crate) ledger: Vec<LedgerLine>,
    pub(crate) sources: usize,
    /// Whether the extraction is frozen already and nothing was written.
    pub(crate) frozen: bool,
}

/// Whether an extraction is frozen: it was, and its file is still there.
pub(crate) fn is_frozen(root: &Root, project: &Project, decisions: &Decisions) -> bool {
    decisions.freeze().is_some() && root.extraction(&project.slug).exists()
}

/// What rules are drawn from, and what they are drawn by.
pub(crate) struct Reading {
    pub(crate) manifest: Manifest,
    digest: Digest,
    pub(crate) cues: Cues,
    cues_digest: Digest,
}

impl Reading {
    /// The confirmed manifest and the cues.
    pub(crate) fn of(root: &Root, project: &Project) -> Result<Self, CliError> {
        let (manifest, digest) = load_confirmed(root, project)?;
        let (cues, cues_digest) = Cues::load(root, project)?;
        Ok(Reading { manifest, digest, cues, cues_digest })
    }

    /// The sources that were retrieved.
    pub(crate) fn sources(&self, root: &Root) -> Result<Vec<ReadSource<'_>>, CliError> {
        read_sources(root, &self.manifest)
    }

    fn header(&self, project: &Project, asked: Option<Asked>) -> ProposalHeader {
        let (engine, engine_version) = match asked {
            Some(_) => (asking::ENGINE, asking::ENGINE_VERSION),
            None => (baseline::ENGINE, baseline::ENGINE_VERSION),
        };
        ProposalHeader {
            schema: ProposalHeader::schema_for(asked.as_ref()),
            project: project.slug.clone(),
            engine: engine.to_owned(),
            engine_version: engine_version.to_owned(),
            manifest: self.digest,
            cues: self.cues_digest,
            asked,
        }
    }
}

/// Reads every sentence of the sources in scope, without a model.
pub(crate) fn propose(root: &Root, project: &Project) -> Result<Proposed, CliError> {
    let reading = Reading::of(root, project)?;
    let extracted = extract(&reading.cues, &reading.sources(root)?)?;
    write(root, project, &reading, extracted, None)
}

/// Writes proposal and ledger, unless the extraction is frozen.
pub(crate) fn write(
    root: &Root,
    project: &Project,
    reading: &Reading,
    extracted: Extracted,
    asked: Option<Asked>,
) -> Result<Proposed, CliError> {
    let header = reading.header(project, asked);
    let path = root.proposal(&project.slug);
    let proposal = render_lines::<ProposalFile>(&path, &header, &extracted.rows)?;
    let decisions = Decisions::load(&root.decisions(&project.slug), &project.slug)?;
    let frozen = is_frozen(root, project, &decisions);
    if frozen {
        if read_text_if_there(&path)?.is_none_or(|present| present != proposal) {
            return Err(CliError::Gate {
                what: "the extraction is frozen, and another proposal would be made now".to_owned(),
                help: format!(
                    "a frozen extraction is never edited. Where its sources have changed, take it over to them: `polc extract {} --update`. \
                     To read everything again, remove {}, decide on the new rows and freeze again: a row that stays keeps its id",
                    project.slug,
                    root.shown(&root.extraction(&project.slug)).display()
                ),
            });
        }
    } else {
        save(root, project, &proposal, &extracted)?;
    }
    let sources = reading.manifest.sources.iter().filter(|source| source.gives_rules()).count();
    Ok(Proposed { rows: extracted.rows, ledger: extracted.ledger, sources, frozen })
}

/// Writes a ledger and its proposal. The ledger names the proposal's digest: where a kill parts the two, the
/// next run sees it.
fn save(root: &Root, project: &Project, proposal: &str, extracted: &Extracted) -> Result<(), CliError> {
    let ledger = LedgerHeader {
        schema: LedgerFile::SCHEMA,
        project: project.slug.clone(),
        proposal: Digest::of(proposal),
        without_rules: extracted.without_rules.clone(),
    };
    let path = root.ledger(&project.slug);
    write_atomically(&path, render_lines::<LedgerFile>(&path, &ledger, &extracted.ledger)?.as_bytes())?;
    Ok(write_atomically(&root.proposal(&project.slug), proposal.as_bytes())?)
}

/// Takes the rows of the last proposal, what was decided on them and their ids over to the sources as the manifest
/// has them now. The frozen extraction stays as it is until the next freeze.
pub(crate) fn update(root: &Root, project: &Project, at: &str) -> Result<Updated, CliError> {
    let reading = Reading::of(root, project)?;
    let slug = &project.slug;
    let path = root.proposal(slug);
    if !path.exists() || !root.ledger(slug).exists() {
        return Err(CliError::Gate {
            what: "nothing has been proposed yet that could be taken over".to_owned(),
            help: format!("run `polc extract {slug}`"),
        });
    }
    let (old, rows) = load_lines::<ProposalFile>(&path)?;
    let (of, ledger) = load_lines::<LedgerFile>(&root.ledger(slug))?;
    // A run that was killed between the two left the ledger of what it was about to propose: all is read again.
    let ledger = if of.proposal == Digest::of(read_text(&path)?) { ledger } else { Vec::new() };
    let decisions_path = root.decisions(slug);
    let mut decisions = Decisions::load(&decisions_path, slug)?;
    let sources = reading.sources(root)?;
    let by_a_model = old.asked.is_some();
    let earlier = Earlier { rows: &rows, ledger: &ledger, decisions: &decisions, by_a_model };
    let updated = take_over(&reading.cues, &sources, earlier, at)?;
    if old.manifest == reading.digest && updated.extracted.rows == rows {
        return Ok(updated);
    }
    // Rows that are taken over are still the model's; what changed is read without one, and each row says so.
    let header = reading.header(project, old.asked);
    let text = render_lines::<ProposalFile>(&path, &header, &updated.extracted.rows)?;
    let mut made = Vec::new();
    if decisions.freeze().is_some() {
        let (ids, gone) = (updated.ids.clone(), updated.gone.clone());
        made.push(Decision::Carry { proposal: Digest::of(&text), ids, gone, at: at.to_owned() });
    }
    made.extend(updated.decisions.iter().cloned());
    // The decisions first: a run that is killed before the rest finds them in force, and goes on.
    let mut new = false;
    for decision in made {
        if !decisions.holds(&decision)? {
            decisions.all.push(decision);
            new = true;
        }
    }
    if new {
        decisions.save(&decisions_path)?;
    }
    save(root, project, &text, &updated.extracted)?;
    Ok(updated)
}

/// Every source that was retrieved.
pub(crate) fn read_sources<'m>(root: &Root, manifest: &'m Manifest) -> Result<Vec<ReadSource<'m>>, CliError> {
    let snapshots = Snapshots::open(&root.snapshots())?;
    Ok(retrieved(&snapshots, &manifest.sources)?)
}

/// The proposal as it stands, with the digest of its file; refused where its manifest has changed, or
/// a row is not the one that its digest names.
pub(crate) fn load_proposal(
    root: &Root,
    project: &Project,
    manifest: Digest,
) -> Result<(Vec<ProposedRow>, Digest), CliError> {
    let slug = &project.slug;
    let path = root.proposal(slug);
    let again =
        |what: &str| CliError::Gate { what: what.to_owned(), help: format!("run `polc extract {slug}`") };
    if !path.exists() {
        return Err(again("nothing has been proposed yet"));
    }
    let (header, rows) = load_lines::<ProposalFile>(&path)?;
    if header.manifest != manifest {
        return Err(again("the proposal was made from another manifest"));
    }
    for (index, proposed) in rows.iter().enumerate() {
        if proposed.row.digest().is_ok_and(|digest| digest != proposed.digest) {
            let what = format!("the row is not the one that its digest names: {}", proposed.row.rule);
            let help =
                format!("a proposal is not edited: run `polc extract {slug}`, and amend it by a sheet");
            return Err(Problem::new(&path, what, help).at(index + 2, None).field("digest").into());
        }
    }
    Ok((rows, Digest::of(read_text(&path)?)))
}

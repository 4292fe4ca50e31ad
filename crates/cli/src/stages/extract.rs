//! `extract`: proposal and ledger.

use super::manifest::load_confirmed;
use crate::exit::CliError;
use polc_extraction::baseline::{ENGINE, ENGINE_VERSION, extract::extract};
use polc_extraction::cues::Cues;
use polc_extraction::documents::{ReadSource, retrieved};
use polc_records::decisions::Decisions;
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

/// Reads every sentence of the sources in scope.
pub(crate) fn propose(root: &Root, project: &Project) -> Result<Proposed, CliError> {
    let (manifest, digest) = load_confirmed(root, project)?;
    let sources = read_sources(root, &manifest)?;
    let (cues, data) = Cues::load(root, project)?;
    let extracted = extract(&cues, &sources)?;
    let header = ProposalHeader {
        schema: ProposalFile::SCHEMA,
        project: project.slug.clone(),
        engine: ENGINE.to_owned(),
        engine_version: ENGINE_VERSION.to_owned(),
        manifest: digest,
        cues: data,
    };
    let path = root.proposal(&project.slug);
    let proposal = render_lines::<ProposalFile>(&path, &header, &extracted.rows)?;
    let decisions = Decisions::load(&root.decisions(&project.slug), &project.slug)?;
    let frozen = is_frozen(root, project, &decisions);
    if frozen {
        if read_text_if_there(&path)?.is_none_or(|present| present != proposal) {
            return Err(CliError::Gate {
                what: "the extraction is frozen, and another proposal would be made now".to_owned(),
                help: format!(
                    "a frozen extraction is never edited; to make another, remove {}, decide on the new rows and freeze again: a row that stays keeps its id",
                    root.shown(&root.extraction(&project.slug)).display()
                ),
            });
        }
    } else {
        let ledger = LedgerHeader {
            schema: LedgerFile::SCHEMA,
            project: project.slug.clone(),
            proposal: Digest::of(&proposal),
            without_rules: extracted.without_rules,
        };
        // The ledger names the proposal's digest: where a kill parts the two, the next run sees it.
        let ledger_path = root.ledger(&project.slug);
        write_atomically(
            &ledger_path,
            render_lines::<LedgerFile>(&ledger_path, &ledger, &extracted.ledger)?.as_bytes(),
        )?;
        write_atomically(&path, proposal.as_bytes())?;
    }
    let sources = manifest.sources.iter().filter(|source| source.gives_rules()).count();
    Ok(Proposed { rows: extracted.rows, ledger: extracted.ledger, sources, frozen })
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

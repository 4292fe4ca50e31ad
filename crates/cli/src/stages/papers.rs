//! What is made from a corpus beside its checkers: the rules file, the run log, the acceptance report.

use super::classify::load_corpus;
use super::extract::read_sources;
use super::import::imported_labels;
use crate::exit::CliError;
use polc_extraction::acceptance::{Acceptance, Bands, Submission, accept};
use polc_extraction::baseline;
use polc_extraction::coverage::{sentences, words_in_scope};
use polc_extraction::cues::Cues;
use polc_extraction::freeze::load_frozen;
use polc_extraction::grounding::Grounds;
use polc_extraction::rules_file;
use polc_extraction::run_log::{PERSON, RunLog, written_by_a_person};
use polc_records::decisions::{Decision, Decisions};
use polc_records::extraction::Extraction;
use polc_records::facts::{FactsHeader, load_facts};
use polc_records::layout::Root;
use polc_records::ledger::{LedgerFile, LedgerHeader, LedgerLine};
use polc_records::manifest::Manifest;
use polc_records::pin::Pin;
use polc_records::project::Project;
use polc_records::proposal::ProposalFile;
use polc_records::store::{load_lines, load_toml, read_text, read_text_if_there, write_atomically};
use polc_records::table::LooseTable;
use polc_records::{Digest, Problem};

/// What a corpus was made from, as far as it is there: an imported one has neither sources nor ledger.
struct Origins {
    decisions: Decisions,
    extraction: Extraction,
    extraction_digest: Digest,
    manifest: Option<Manifest>,
    ledger: Option<(LedgerHeader, Vec<LedgerLine>)>,
    facts: Option<FactsHeader>,
}

impl Origins {
    fn load(root: &Root, project: &Project) -> Result<Self, CliError> {
        let slug = &project.slug;
        let decisions = Decisions::load(&root.decisions(slug), slug)?;
        let (extraction, extraction_digest) = load_frozen(&root.extraction(slug), slug, &decisions)?;
        let manifest = root.manifest(slug);
        let ledger = root.ledger(slug);
        let facts = root.facts(slug);
        Ok(Origins {
            decisions,
            extraction,
            extraction_digest,
            manifest: manifest.exists().then(|| Manifest::load(&manifest)).transpose()?,
            ledger: ledger.exists().then(|| load_lines::<LedgerFile>(&ledger)).transpose()?,
            facts: facts.exists().then(|| load_facts(&facts)).transpose()?.map(|(header, _)| header),
        })
    }

    fn ledger(&self) -> Option<(&LedgerHeader, &[LedgerLine])> {
        self.ledger.as_ref().map(|(header, lines)| (header, lines.as_slice()))
    }
}

/// Writes the binding rules for whoever contributes.
pub(crate) fn write_rules_file(root: &Root, project: &Project) -> Result<usize, CliError> {
    let (corpus, _) = load_corpus(root, project)?;
    let text = rules_file::render(project, &corpus);
    write_atomically(&root.rules_file(&project.slug), text.as_bytes())?;
    Ok(corpus.binding().count())
}

/// Writes the run log; what a person wrote into the last one is kept.
pub(crate) fn write_run_log(root: &Root, project: &Project) -> Result<(), CliError> {
    let slug = &project.slug;
    let (corpus, _) = load_corpus(root, project)?;
    let origins = Origins::load(root, project)?;
    let (cues, _) = Cues::load(root, project)?;
    let proposal = root.proposal(slug);
    let proposal = proposal.exists().then(|| load_lines::<ProposalFile>(&proposal)).transpose()?;
    let pin = root.pin(slug);
    let pin: Option<Pin> = pin.exists().then(|| load_toml(&pin)).transpose()?;
    let log = RunLog {
        project,
        pin: pin.as_ref(),
        manifest: origins.manifest.as_ref(),
        decisions: &origins.decisions,
        proposal: proposal.as_ref().map(|(header, _)| header),
        without_a_model: proposal
            .iter()
            .flat_map(|(_, rows)| rows)
            .filter(|row| row.found_by.starts_with(baseline::ENGINE))
            .count(),
        extraction: &origins.extraction,
        ledger: origins.ledger(),
        facts: origins.facts.as_ref(),
        corpus: &corpus,
        bands: &Bands::load(root)?,
        cues: &cues,
    };
    let path = root.run_log(slug);
    let person = match read_text_if_there(&path)? {
        None => None,
        Some(last) => Some(written_by_a_person(&last).ok_or_else(|| {
            Problem::new(
                &path,
                format!("the heading `{PERSON}` is gone, below which a person writes what is kept"),
                "put it back, or move the file away",
            )
        })?),
    };
    let text = log.render(person.as_deref());
    Ok(write_atomically(&path, text.as_bytes())?)
}

/// Runs the checks of checkpoint 3 on the corpus as it stands, and writes the report.
pub(crate) fn write_acceptance(root: &Root, project: &Project) -> Result<(Acceptance, Digest), CliError> {
    let slug = &project.slug;
    let path = root.rules(slug);
    if !path.exists() {
        return Err(CliError::Gate {
            what: "nothing has been classified yet".to_owned(),
            help: format!("run `polc classify {slug}`"),
        });
    }
    let rules = read_text(&path)?;
    let origins = Origins::load(root, project)?;
    let sources = match &origins.manifest {
        Some(manifest) => read_sources(root, manifest)?,
        None => Vec::new(),
    };
    let acceptance = accept(&Submission {
        slug,
        path: &path,
        rules: &rules,
        table: &LooseTable::parse(&path, &rules)?,
        extraction: (&origins.extraction, origins.extraction_digest),
        facts: origins.facts.as_ref(),
        imported: imported_labels(root, slug)?,
        decisions: &origins.decisions,
        ledger: origins.ledger(),
        words: words_in_scope(&sources),
        sentences: &sentences(&sources),
        grounds: &Grounds::new(&sources),
        bands: &Bands::load(root)?,
    });
    let text = acceptance.render(slug);
    write_atomically(&root.acceptance(slug), text.as_bytes())?;
    Ok((acceptance, Digest::of(text)))
}

/// Checkpoint 3: records who read an acceptable corpus and what the checks say of it. Once for the same
/// corpus and report.
pub(crate) fn record_reader(
    root: &Root,
    project: &Project,
    accepted: (Digest, Digest),
    by: &str,
    at: &str,
) -> Result<(), CliError> {
    let path = root.decisions(&project.slug);
    let mut decisions = Decisions::load(&path, &project.slug)?;
    let (rules, report) = accepted;
    if decisions.acceptance(rules, report).is_none() {
        decisions.all.push(Decision::Accept { rules, report, by: by.to_owned(), at: at.to_owned() });
        decisions.save(&path)?;
    }
    Ok(())
}

//! `classify`: facts, then labels by the tables.

use super::import::imported_labels;
use crate::exit::CliError;
use polc_extraction::baseline::{ENGINE, ENGINE_VERSION};
use polc_extraction::classify::decide::decide;
use polc_extraction::classify::facts::answer;
use polc_extraction::classify::relabel::{Unsettled, relabel};
use polc_extraction::classify::rubric::Rubrics;
use polc_extraction::cues::Cues;
use polc_extraction::freeze::load_frozen;
use polc_records::corpus::Corpus;
use polc_records::decisions::Decisions;
use polc_records::facts::{FactsFile, FactsHeader, RuleFacts, load_facts};
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::store::{JsonLines, read_text, render_lines, write_atomically};
use polc_records::{Digest, Problem};
use std::path::Path;

/// What a classification comes to, before anything of it is written.
pub(crate) struct Classified {
    /// The rows, with the labels that people changed where those hold.
    pub(crate) corpus: Corpus,
    /// The changed labels that do not hold: the rows have what the tables decide.
    pub(crate) unsettled: Vec<Unsettled>,
    facts: Vec<RuleFacts>,
    header: FactsHeader,
}

/// Classifies the frozen rows.
pub(crate) fn classify(root: &Root, project: &Project) -> Result<Corpus, CliError> {
    let decisions = Decisions::load(&root.decisions(&project.slug), &project.slug)?;
    let classified = derive(root, project, &decisions)?;
    classified.save(root)?;
    Ok(classified.corpus)
}

/// Decides every row by the tables and lays over it what people changed.
pub(crate) fn derive(root: &Root, project: &Project, decisions: &Decisions) -> Result<Classified, CliError> {
    let slug = &project.slug;
    if imported_labels(root, slug)?.is_some() {
        return Err(CliError::Gate {
            what: format!("the labels of `{slug}` were imported"),
            help: format!(
                "to classify anew, remove {} and run the command again",
                root.shown(&root.rules(slug)).display()
            ),
        });
    }
    let (extraction, digest) = load_frozen(&root.extraction(slug), slug, decisions)?;
    let (cues, cues_digest) = Cues::load(root, project)?;
    let rubrics = Rubrics::load(root, &project.setting)?;
    let facts_path = root.facts(slug);
    let recorded = recorded(&facts_path, digest, cues_digest)?;
    let facts = recorded.unwrap_or_else(|| answer(&cues, &extraction.rows));
    let mut corpus = decide(&cues, &rubrics, &extraction.rows, &facts);
    let unsettled = relabel(&mut corpus, decisions);
    let path = root.rules(slug);
    let text = corpus.render(&path)?;
    // The tables leave no row that contradicts itself; a person may.
    Corpus::parse(&path, slug, &text)?;
    let header = FactsHeader {
        schema: FactsFile::SCHEMA,
        project: slug.clone(),
        engine: ENGINE.to_owned(),
        engine_version: ENGINE_VERSION.to_owned(),
        extraction: digest,
        cues: cues_digest,
        answers: answers(&facts_path, &facts)?,
        rubrics: rubrics.versions,
        setting: project.setting.clone(),
        rules: Digest::of(&text),
    };
    Ok(Classified { corpus, unsettled, facts, header })
}

impl Classified {
    /// Refuses what somebody has to decide again.
    pub(crate) fn settled(&self) -> Result<(), CliError> {
        if self.unsettled.is_empty() {
            return Ok(());
        }
        let what: Vec<String> = self.unsettled.iter().map(ToString::to_string).collect();
        let slug = &self.header.project;
        Err(CliError::Gate {
            what: what.join("\n"),
            help: format!(
                "write the workbook with `polc workbook {slug}`: it has these labels as they are decided now. \
                 Change them there or leave them, and read it with `polc workbook {slug} --from FILE --by NAME`"
            ),
        })
    }

    /// Writes the files of the classification, where it is settled.
    pub(crate) fn save(&self, root: &Root) -> Result<(), CliError> {
        self.settled()?;
        let slug = &self.header.project;
        let (facts_path, path) = (root.facts(slug), root.rules(slug));
        let facts = render_lines::<FactsFile>(&facts_path, &self.header, &self.facts)?;
        let text = self.corpus.render(&path)?;
        // The facts name the digest of the rules: where a kill parts the two, the next reader sees it.
        write_atomically(&facts_path, facts.as_bytes())?;
        write_atomically(&path, text.as_bytes())?;
        Ok(())
    }
}

/// The facts as they were answered, where the engine would be asked the same now: another setting or
/// another table derives its labels from them without asking.
fn recorded(path: &Path, extraction: Digest, cues: Digest) -> Result<Option<Vec<RuleFacts>>, CliError> {
    if !path.exists() {
        return Ok(None);
    }
    // What cannot be read is answered again.
    let Ok((header, facts)) = load_facts(path) else { return Ok(None) };
    let engine = (header.engine.as_str(), header.engine_version.as_str()) == (ENGINE, ENGINE_VERSION);
    let same = engine
        && header.extraction == extraction
        && header.cues == cues
        && header.answers == answers(path, &facts)?;
    Ok(same.then_some(facts))
}

fn answers(path: &Path, facts: &[RuleFacts]) -> Result<Digest, Problem> {
    Digest::of_json(&facts).map_err(|error| Problem::new(path, error.to_string(), "report this as a bug"))
}

/// The corpus as it stands, with the digest of its file; refused where it is stale.
pub(crate) fn load_corpus(root: &Root, project: &Project) -> Result<(Corpus, Digest), CliError> {
    let slug = &project.slug;
    let path = root.rules(slug);
    let again =
        |what: &str| CliError::Gate { what: what.to_owned(), help: format!("run `polc classify {slug}`") };
    let imported = imported_labels(root, slug)?;
    if imported.is_none() && (!path.exists() || !root.facts(slug).exists()) {
        return Err(again("nothing has been classified yet"));
    }
    let text = read_text(&path)?;
    let digest = Digest::of(&text);
    let decisions = Decisions::load(&root.decisions(slug), slug)?;
    let (_, extraction) = load_frozen(&root.extraction(slug), slug, &decisions)?;
    if let Some(rules) = imported {
        if rules != digest {
            let message = format!("it was imported with the digest {rules}, and has {digest} now");
            return Err(Problem::new(&path, message, "restore it from version control").into());
        }
        return Ok((Corpus::parse(&path, slug, &text)?, digest));
    }
    let (header, _) = load_facts(&root.facts(slug))?;
    if header.rules != digest {
        return Err(Problem::new(
            &path,
            format!("it was decided with the digest {}, and has {digest} now", header.rules),
            format!("rules.csv is derived: run `polc classify {slug}`, or restore it from version control"),
        )
        .into());
    }
    if header.extraction != extraction {
        return Err(again("the rules were classified from another extraction"));
    }
    let corpus = Corpus::parse(&path, slug, &text)?;
    if !has_changed_labels(&corpus, &decisions) {
        return Err(again("labels were changed since the rules were classified"));
    }
    Ok((corpus, digest))
}

/// Whether a corpus has the labels that people changed.
pub(crate) fn has_changed_labels(corpus: &Corpus, decisions: &Decisions) -> bool {
    let mut relabelled = corpus.clone();
    relabel(&mut relabelled, decisions).is_empty() && relabelled == *corpus
}

//! `classify`: facts, then labels by the tables.

use super::import::imported_labels;
use crate::exit::CliError;
use polc_extraction::classify::decide::decide;
use polc_extraction::classify::facts::answer;
use polc_extraction::classify::relabel::{Unsettled, relabel};
use polc_extraction::classify::rubric::Rubrics;
use polc_extraction::cues::Cues;
use polc_extraction::freeze::load_frozen;
use polc_extraction::{asking, baseline};
use polc_records::asked::Asked;
use polc_records::corpus::Corpus;
use polc_records::decisions::Decisions;
use polc_records::extraction::Extraction;
use polc_records::facts::{DataVersion, FactsFile, FactsHeader, RuleFacts, load_facts};
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::store::{read_text, read_text_if_there, render_lines, write_atomically};
use polc_records::{Digest, Problem};
use std::num::NonZeroU32;
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

/// The frozen rows, and what decides on them.
pub(crate) struct Frozen {
    pub(crate) extraction: Extraction,
    digest: Digest,
    pub(crate) cues: Cues,
    cues_digest: Digest,
    pub(crate) rubrics: Rubrics,
}

impl Frozen {
    /// Loads them.
    pub(crate) fn of(root: &Root, project: &Project, decisions: &Decisions) -> Result<Self, CliError> {
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
        Ok(Frozen { extraction, digest, cues, cues_digest, rubrics })
    }
}

/// The facts of every rule, and who answered.
pub(crate) struct Found {
    pub(crate) facts: Vec<RuleFacts>,
    /// The model, and how many answers were wanted of it; none where none was asked.
    pub(crate) by: Option<(Asked, NonZeroU32)>,
}

/// Classifies the frozen rows by the facts as they are recorded, whoever answered them.
pub(crate) fn classify(root: &Root, project: &Project) -> Result<Corpus, CliError> {
    let decisions = Decisions::load(&root.decisions(&project.slug), &project.slug)?;
    let classified = derive(root, project, &decisions)?;
    classified.save(root)?;
    Ok(classified.corpus)
}

/// Classifies the frozen rows by facts that were just found.
pub(crate) fn classify_by(
    root: &Root,
    project: &Project,
    frozen: Frozen,
    found: Found,
) -> Result<Corpus, CliError> {
    let decisions = Decisions::load(&root.decisions(&project.slug), &project.slug)?;
    let classified = decided(root, project, &decisions, frozen, found)?;
    classified.save(root)?;
    Ok(classified.corpus)
}

/// The facts as the baseline answers them.
pub(crate) fn by_baseline(root: &Root, project: &Project, frozen: &Frozen) -> Result<Found, CliError> {
    let recorded = recorded(&root.facts(&project.slug), frozen)?;
    let recorded = recorded.filter(|(header, _)| header.asked.is_none() && header.cues == frozen.cues_digest);
    let facts = recorded.map_or_else(|| answer(&frozen.cues, &frozen.extraction.rows), |(_, facts)| facts);
    Ok(Found { facts, by: None })
}

/// The facts as a model answered them before, where it would be asked the same now.
pub(crate) fn by_model_before(
    root: &Root,
    project: &Project,
    frozen: &Frozen,
    (model, prompts, samples): (&str, &[DataVersion], NonZeroU32),
) -> Result<Option<Found>, CliError> {
    let Some((header, facts)) = recorded(&root.facts(&project.slug), frozen)? else { return Ok(None) };
    let asked = header.asked.filter(|asked| asked.model == model && asked.prompts == prompts);
    let same = header.samples == Some(samples) && facts.len() == frozen.extraction.rows.len();
    Ok(asked.filter(|_| same).map(|asked| Found { facts, by: Some((asked, samples)) }))
}

/// Decides every row by the tables and lays over it what people changed. The facts are those on record: those of a
/// model stay as it answered them, those of the baseline are answered again where it would answer otherwise now.
pub(crate) fn derive(root: &Root, project: &Project, decisions: &Decisions) -> Result<Classified, CliError> {
    let frozen = Frozen::of(root, project, decisions)?;
    let path = root.facts(&project.slug);
    let found = match recorded(&path, &frozen)? {
        Some((FactsHeader { asked: Some(asked), samples, .. }, facts)) => {
            Found { facts, by: Some((asked, samples.unwrap_or(NonZeroU32::MIN))) }
        }
        None if names_a_model(&path)? => {
            let what = format!(
                "a model answered the facts in {}, of other rules or otherwise than they stand there now",
                root.shown(&path).display()
            );
            let help = format!(
                "restore the file from version control, or run `polc classify {}`, which may ask the model",
                project.slug
            );
            return Err(CliError::Gate { what, help });
        }
        Some(_) | None => by_baseline(root, project, &frozen)?,
    };
    decided(root, project, decisions, frozen, found)
}

fn decided(
    root: &Root,
    project: &Project,
    decisions: &Decisions,
    frozen: Frozen,
    found: Found,
) -> Result<Classified, CliError> {
    let slug = &project.slug;
    let Frozen { extraction, digest, cues, cues_digest, rubrics } = frozen;
    let Found { facts, by } = found;
    let mut corpus = decide(&cues, &rubrics, &extraction.rows, &facts);
    let unsettled = relabel(&mut corpus, decisions);
    let path = root.rules(slug);
    let text = corpus.render(&path)?;
    // The tables leave no row that contradicts itself; a person may.
    Corpus::parse(&path, slug, &text)?;
    let (engine, engine_version) = match by {
        Some(_) => (asking::ENGINE, asking::ENGINE_VERSION),
        None => (baseline::ENGINE, baseline::ENGINE_VERSION),
    };
    let (asked, samples) = by.unzip();
    let header = FactsHeader {
        schema: FactsHeader::schema_for(asked.as_ref()),
        project: slug.clone(),
        engine: engine.to_owned(),
        engine_version: engine_version.to_owned(),
        asked,
        samples,
        extraction: digest,
        cues: cues_digest,
        answers: answers(&root.facts(slug), &facts)?,
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

/// The facts as they were answered of these rows, by an engine that would make the same of its answers now: another
/// setting or another table derives its labels from them without asking.
fn recorded(path: &Path, frozen: &Frozen) -> Result<Option<(FactsHeader, Vec<RuleFacts>)>, CliError> {
    if !path.exists() {
        return Ok(None);
    }
    // What cannot be read is answered again.
    let Ok((header, facts)) = load_facts(path) else { return Ok(None) };
    let version = if header.asked.is_some() { asking::ENGINE_VERSION } else { baseline::ENGINE_VERSION };
    let engine = if header.asked.is_some() { asking::ENGINE } else { baseline::ENGINE };
    let rows = frozen.extraction.rows.iter().map(|row| &row.id);
    let same = (header.engine.as_str(), header.engine_version.as_str()) == (engine, version)
        && header.extraction == frozen.digest
        && header.answers == answers(path, &facts)?
        && rows.eq(facts.iter().map(|facts| &facts.rule));
    Ok(same.then_some((header, facts)))
}

/// Whether a model answered what is in the file, readable or not: it cost something, and is not thrown away.
pub(crate) fn names_a_model(path: &Path) -> Result<bool, Problem> {
    let text = read_text_if_there(path)?.unwrap_or_default();
    Ok(text.lines().next().is_some_and(|header| header.contains("\"asked\":")))
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

//! `corpora/<slug>/run-log.md`: what a person reads beside a corpus before it is accepted (B.3, B.4,
//! Appendix B), made by code from the artifacts, with one section that a person writes.

use crate::acceptance::Bands;
use crate::cues::Cues;
use crate::lexis::tokens;
use polc_records::asked::{Asked, Remark};
use polc_records::corpus::{Corpus, CorpusRow, Verdict};
use polc_records::decisions::{Action, Decision, Decisions, DropReason, MadeFrom};
use polc_records::extraction::Extraction;
use polc_records::facts::FactsHeader;
use polc_records::ledger::{Fate, LedgerHeader, LedgerLine};
use polc_records::manifest::Manifest;
use polc_records::pin::{Pin, PinnedVersion};
use polc_records::project::Project;
use polc_records::proposal::ProposalHeader;
use polc_records::visible::visible;
use polc_records::vocabulary::{Level, ModalLevel, ScopeRoute};
use polc_text::document::fold_space;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::num::NonZeroU32;

/// The heading below which a person writes; what stands there is kept.
pub const PERSON: &str = "## What the procedure got wrong, left ambiguous or missed";

const NOTHING_YET: &str = "\nNothing was written here yet.\n";

/// How many rows are reported together (B.4).
const BATCH: usize = 25;

/// What the log is made from.
pub struct RunLog<'s> {
    /// The project.
    pub project: &'s Project,
    /// The pin; none where the extraction was imported.
    pub pin: Option<&'s Pin>,
    /// The manifest; none where the extraction was imported.
    pub manifest: Option<&'s Manifest>,
    /// Who decided what.
    pub decisions: &'s Decisions,
    /// The engine that proposed the rows; none where they were imported.
    pub proposal: Option<&'s ProposalHeader>,
    /// How many of its rows were read without a model, where others were not.
    pub without_a_model: usize,
    /// The frozen rows.
    pub extraction: &'s Extraction,
    /// Every sentence in scope; none where the extraction was imported.
    pub ledger: Option<(&'s LedgerHeader, &'s [LedgerLine])>,
    /// What decided the labels; none where they were imported.
    pub facts: Option<&'s FactsHeader>,
    /// The classified rows.
    pub corpus: &'s Corpus,
    /// What is plausible.
    pub bands: &'s Bands,
    /// The words that flag a passage.
    pub cues: &'s Cues,
}

/// What a person wrote into a log: what stands below [`PERSON`], with line feeds at the ends of lines.
/// None where the heading is gone.
pub fn written_by_a_person(log: &str) -> Option<String> {
    let log = log.replace("\r\n", "\n");
    let at = log.lines().position(|line| line.trim_end() == PERSON)?;
    Some(log.split_inclusive('\n').skip(at + 1).collect())
}

impl RunLog<'_> {
    /// The log; `person` is what a person wrote into the last one.
    pub fn render(&self, person: Option<&str>) -> String {
        let mut log = format!("# Run log of {}\n", self.project.slug);
        for (heading, text) in [
            ("Sources and versions", self.versions()),
            ("Rows by source", self.by_source()),
            ("Closing report of the extraction", self.closing()),
            ("Sentences", self.sentences()),
            ("Rows refused", self.refused()),
            ("Classification", self.classification()),
            ("What was guessed", self.guessed()),
            ("Passages that address a reading model", self.flagged()),
        ] {
            log.push_str(&format!("\n## {heading}\n\n{text}"));
        }
        log.push('\n');
        log.push_str(PERSON);
        log.push('\n');
        log.push_str(person.unwrap_or(NOTHING_YET));
        log
    }

    fn versions(&self) -> String {
        let mut lines = Vec::new();
        if let Some(repository) = self.pin.and_then(|pin| pin.repository.as_ref()) {
            lines.push(format!(
                "documentation: the files of {} at commit {}, {}, resolved from `{}`",
                self.project.repository, repository.commit, repository.date, repository.resolved_from
            ));
        }
        if let Some(site) = self.pin.and_then(|pin| pin.site.as_ref()) {
            let how = match &site.version {
                PinnedVersion::Claimed { value, by } => format!("version `{value}` by its {by}"),
                PinnedVersion::ByHand { value, reason } => format!("version `{value}` by hand: {reason}"),
                PinnedVersion::Unversioned { reason } => format!("without a version: {reason}"),
            };
            lines.push(format!("documentation: {}, {how}", site.resolved));
            lines.extend(site.warnings.iter().map(|warning| format!("documentation: {warning}")));
        }
        if let Some(asked) = self.manifest.and_then(|manifest| manifest.asked.as_ref()) {
            lines.push(format!("sources assessed by: model `{}`", asked.model));
            lines.extend(prompts(asked));
        }
        if let Some((by, at)) = self.confirmed() {
            lines.push(format!("checkpoint 1: the manifest was confirmed by {by}, {at}"));
        }
        if let Some(proposal) = self.proposal {
            let by = match (&proposal.asked, self.without_a_model) {
                (Some(asked), 0) => format!("model `{}`", asked.model),
                (Some(asked), rows) => format!("model `{}`, {rows} of them by the baseline", asked.model),
                (None, _) => "without a model or a prompt".to_owned(),
            };
            lines.push(format!(
                "rows proposed by: engine {} {}, {by}; cues {}",
                proposal.engine,
                proposal.engine_version,
                proposal.cues.short()
            ));
            lines.extend(proposal.asked.iter().flat_map(prompts));
        }
        if let Some(freeze) = self.decisions.freeze() {
            let how = match freeze.made_from {
                MadeFrom::Proposal(digest) => format!("from the proposal {}", digest.short()),
                MadeFrom::Import(digest) => format!("by import of the released file {}", digest.short()),
            };
            lines.push(format!("checkpoint 2: frozen {how} by {}, {}", freeze.by, freeze.at));
        }
        match self.facts {
            Some(facts) => {
                let engine = (&facts.engine, &facts.engine_version);
                let model = facts.asked.as_ref().map_or_else(String::new, |asked| {
                    let samples = facts.samples.map_or(1, NonZeroU32::get);
                    let answers =
                        if samples == 1 { "one answer".to_owned() } else { format!("{samples} answers") };
                    format!(", model `{}`, {answers} on each rule", asked.model)
                });
                lines.push(format!(
                    "facts answered by: engine {} {}{model}; setting {}",
                    engine.0, engine.1, facts.setting
                ));
                lines.extend(facts.asked.iter().flat_map(prompts));
                for rubric in &facts.rubrics {
                    lines.push(format!(
                        "rubric: {} version {} ({})",
                        rubric.file,
                        rubric.version,
                        rubric.digest.short()
                    ));
                }
            }
            None => lines.push("labels: imported".to_owned()),
        }
        list(lines)
    }

    fn confirmed(&self) -> Option<(&str, &str)> {
        let confirmations = self.decisions.all.iter().rev();
        confirmations.into_iter().find_map(|decision| match decision {
            Decision::Manifest { by, at, .. } => Some((by.as_str(), at.as_str())),
            _ => None,
        })
    }

    fn by_source(&self) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for row in &self.extraction.rows {
            *counts.entry(page(&row.source.url)).or_default() += 1;
        }
        let mut lines = Vec::new();
        for source in self.manifest.map_or(&[][..], |manifest| &manifest.sources) {
            let count = counts.remove(page(&source.url)).unwrap_or(0);
            let why = match (count, source.code) {
                (0, Some(code)) => format!("{code}: {}", source.reason),
                (0, None) => source.reason.clone(),
                _ => source.inclusion.to_string(),
            };
            lines.push(format!("{count}: {} ({why})", source.key));
        }
        lines.extend(counts.into_iter().map(|(url, count)| format!("{count}: {url}")));
        let without = self.ledger.map_or(&[][..], |(header, _)| &header.without_rules);
        let mut text = list(lines);
        if !without.is_empty() {
            text.push_str("\nSections in scope without a row:\n\n");
            text.push_str(&list(
                without
                    .iter()
                    .map(|section| format!("{}, {}: {}", section.source, section.section, section.reason)),
            ));
        }
        text
    }

    fn closing(&self) -> String {
        let rows = &self.extraction.rows;
        let issued = self.decisions.issued();
        let range = match (rows.first(), rows.last()) {
            (Some(first), Some(last)) => format!("{} rows, {} to {}", rows.len(), first.id, last.id),
            _ => "no rows".to_owned(),
        };
        let retired: Vec<String> = issued
            .keys()
            .filter(|id| !rows.iter().any(|row| row.id == ***id))
            .map(ToString::to_string)
            .collect();
        let gaps = issued.keys().zip(1_u32..).any(|(id, number)| id.number() != number);
        let mut quoted: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for row in rows {
            quoted.entry(&row.original).or_default().push(row.id.to_string());
        }
        let twice: Vec<String> =
            quoted.into_values().filter(|ids| ids.len() > 1).map(|ids| ids.join(" and ")).collect();
        list([
            range,
            format!("ids {}", if gaps { "NOT contiguous" } else { "contiguous" }),
            format!("retired: {}", or_none(&retired)),
            format!("rows with the same quoted text: {}", or_none(&twice)),
            format!("modal level: {}", distribution(rows.iter().map(|row| row.modal))),
            format!(
                "applies to: {}",
                distribution(rows.iter().flat_map(|row| row.applies_to.iter().copied()))
            ),
            format!("category: {}", distribution(rows.iter().map(|row| row.category))),
        ])
    }

    fn sentences(&self) -> String {
        let Some((_, ledger)) = self.ledger else {
            return "There is no ledger: the extraction was imported.\n".to_owned();
        };
        let fates = ledger.iter().map(|line| match &line.outcome {
            Fate::Rule { .. } => "of rules".to_owned(),
            Fate::NoRule(reason) => reason.to_string(),
            Fate::Restates(_) => "restating a rule".to_owned(),
        });
        format!("{} sentences in scope: {}.\n", ledger.len(), distribution(fates))
    }

    fn refused(&self) -> String {
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        let mut seen = std::collections::BTreeSet::new();
        for decision in self.decisions.all.iter().rev() {
            let Decision::Row { row, action, .. } = decision else { continue };
            if !seen.insert(row) {
                continue;
            }
            let reason = match action {
                Action::Drop(DropReason::NoRule(reason)) => format!("dropped, {reason}"),
                Action::Drop(DropReason::Restates(_)) => "dropped, restates another row".to_owned(),
                Action::Merge(_) => "merged into another row".to_owned(),
                Action::Accept | Action::Amend(_) | Action::Split(_) => continue,
            };
            *reasons.entry(reason).or_default() += 1;
        }
        let reasons = reasons.into_iter().map(|(reason, count)| format!("{count}: {reason}"));
        let of_models = self.asked().flat_map(|asked| {
            let refused = remarks("refused", &asked.refused);
            refused.chain(remarks("taken, but doubtful", &asked.doubtful))
        });
        list(or_none_of(reasons.chain(of_models)))
    }

    /// The models behind manifest, rows and facts.
    fn asked(&self) -> impl Iterator<Item = &Asked> {
        let manifest = self.manifest.and_then(|manifest| manifest.asked.as_ref());
        let proposal = self.proposal.and_then(|proposal| proposal.asked.as_ref());
        let facts = self.facts.and_then(|facts| facts.asked.as_ref());
        manifest.into_iter().chain(proposal).chain(facts)
    }

    fn classification(&self) -> String {
        let of = |rows: &[CorpusRow], what: &str| format!("{what}: {}", labels(rows));
        let mut lines: Vec<String> = self
            .corpus
            .rows
            .chunks(BATCH)
            .map(|batch| match (batch.first(), batch.last()) {
                (Some(first), Some(last)) => of(batch, &format!("{} to {}", first.id, last.id)),
                _ => String::new(),
            })
            .collect();
        lines.push(of(&self.corpus.rows, "all"));
        let in_scope = self.corpus.rows.iter().filter(|row| row.verdict.level().is_some()).count();
        lines.extend(self.bands.shares(self.corpus.rows.len(), in_scope, self.corpus.binding().count()));
        let changed: Vec<String> = self
            .corpus
            .rows
            .iter()
            .filter(|row| self.decisions.relabels(&row.id).next().is_some())
            .map(|row| row.id.to_string())
            .collect();
        lines.push(format!("labels changed by a person: {}", or_none(&changed)));
        list(lines)
    }

    fn guessed(&self) -> String {
        let unsure = self.corpus.rows.iter().filter_map(|row| {
            row.low_confidence.as_ref().map(|why| format!("{}, low confidence: {}", row.id, fold_space(why)))
        });
        list(or_none_of(unsure))
    }

    fn flagged(&self) -> String {
        let lines = self.ledger.map_or(&[][..], |(_, lines)| lines);
        let flagged = lines
            .iter()
            .filter(|line| self.cues.reading_model.addressed.any(&tokens(&line.text)))
            .map(|line| format!("{}, {}: {}", line.source, line.section, visible(&fold_space(&line.text))));
        let asked = self.asked().flat_map(|asked| &asked.addressed);
        let asked =
            asked.map(|remark| format!("{}: {}", remark.asked_for, visible(&fold_space(&remark.what))));
        list(or_none_of(flagged.chain(asked)))
    }
}

/// The versions of the prompts that a model was asked with.
fn prompts(asked: &Asked) -> impl Iterator<Item = String> {
    asked.prompts.iter().map(|prompt| {
        format!("prompt: {} version {} ({})", prompt.file, prompt.version, prompt.digest.short())
    })
}

fn remarks<'r>(kind: &str, remarks: &'r [Remark]) -> impl Iterator<Item = String> + use<'r> {
    let kind = kind.to_owned();
    remarks
        .iter()
        .map(move |remark| format!("{kind}, {}: {}", remark.asked_for, visible(&fold_space(&remark.what))))
}

/// The address of a page, without the place in it.
fn page(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}

fn labels(rows: &[CorpusRow]) -> String {
    let level = |wanted: Level| rows.iter().filter(|row| row.verdict.level() == Some(wanted)).count();
    let out = |wanted: ScopeRoute| {
        let is = |row: &&CorpusRow| matches!(&row.verdict, Verdict::OutOfScope { route, .. } if route.route() == wanted);
        rows.iter().filter(is).count()
    };
    let differs = |modal: fn(ModalLevel) -> bool, wanted: Level| {
        let ids = rows.iter().filter(|row| modal(row.modal) && row.verdict.level() == Some(wanted));
        or_none(&ids.map(|row| row.id.to_string()).collect::<Vec<_>>())
    };
    let routes: Vec<String> =
        ScopeRoute::ALL.iter().map(|route| format!("{route} {}", out(*route))).collect();
    format!(
        "{} must, {} should, {}; level above the modal verb's: {}; below: {}",
        level(Level::Must),
        level(Level::Should),
        routes.join(", "),
        differs(|modal| modal == ModalLevel::Should, Level::Must),
        differs(|modal| modal != ModalLevel::Should, Level::Should)
    )
}

fn distribution<T: Display>(values: impl Iterator<Item = T>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value.to_string()).or_default() += 1;
    }
    let counted: Vec<String> = counts.into_iter().map(|(value, count)| format!("{count} {value}")).collect();
    or_none(&counted)
}

fn or_none(texts: &[String]) -> String {
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

fn or_none_of(lines: impl Iterator<Item = String>) -> Vec<String> {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() { vec!["none".to_owned()] } else { lines }
}

fn list(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().map(|line| format!("- {line}\n")).collect()
}

//! The facts of the rules as a language model reports them, in batches drawn from the whole sheet.
//!
//! What it says of a rule is held against the row. What does not stand in it is not taken: the fact is open, and the
//! row is marked. Rules that are missing from an answer, or of which it says too little, are asked for again by
//! themselves, with the faults named; what is good is never asked again. A rule without an answer has no facts.

mod answer;
mod check;
mod samples;
mod shown;

use self::answer::{Batch, RuleAnswer};
use self::check::{Check, Checked};
use self::shown::{Shown, fold};
use super::definitions::{ArtifactMeaning, Definitions, decided_by};
use super::rubric::Rubrics;
use crate::ExtractionError;
use crate::acceptance::masked;
use crate::asking::{Asker, Settled};
use crate::cues::Cues;
use crate::endpoint::Suspicions;
use crate::prompts::{Block, Prompts};
use polc_llm::{Failure, Form, Question};
use polc_records::asked::{Asked, Remark};
use polc_records::extraction::ExtractionRow;
use polc_records::facts::{DataVersion, RuleFacts};
use polc_records::ids::RuleId;
use polc_records::recording::ModelRequest;
use polc_records::vocabulary::{Fact, Truth};
use polc_records::{Digest, Problem};
use polc_text::document::fold_space;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

/// How many rules are asked about at once, at most (B.4).
const BATCH: usize = 25;

/// What the answer on one rule is taken for: fifteen facts, and what is said in words.
const TOKENS_PER_RULE: u64 = 600;

/// Rows to be classified by a model.
pub struct Classifying<'s> {
    check: Check<'s>,
    rows: &'s [ExtractionRow],
    shown: Vec<Shown>,
    form: Form<Batch>,
    facts: Vec<FactText<'s>>,
    artifacts: &'s [ArtifactMeaning],
    index: Block,
    /// The rows whose text speaks to models, whatever a model says of them.
    addressed: Vec<bool>,
}

/// What a prompt says of a fact.
#[derive(Debug, Serialize)]
struct FactText<'s> {
    name: Fact,
    shown_by: Truth,
    means: &'s str,
    /// What the tables decide by it.
    decides: Vec<String>,
}

/// What the prompt of a classification is filled with.
#[derive(Serialize)]
pub(crate) struct FactValues<'s> {
    facts: &'s [FactText<'s>],
    artifacts: &'s [ArtifactMeaning],
    index: &'s Block,
    rows: Vec<&'s Block>,
    /// How often these rows were reported before. Without it a question that is asked again with the same faults
    /// would be the same request, which is not sent twice.
    before: u32,
    faults: Option<Block>,
}

impl<'s> FactValues<'s> {
    /// Values to try a template with.
    pub(crate) fn example(block: &'s Block) -> Self {
        FactValues {
            facts: &[],
            artifacts: &[],
            index: block,
            rows: vec![block],
            before: 1,
            faults: Some(block.clone()),
        }
    }
}

/// What a classification is made from.
pub struct Sheet<'s> {
    /// The words that checks go by.
    pub cues: &'s Cues,
    /// The tables that will decide.
    pub rubrics: &'s Rubrics,
    /// What is asked for.
    pub definitions: &'s Definitions,
    /// What speaks to models.
    pub suspicions: &'s Suspicions,
    /// The frozen rows.
    pub rows: &'s [ExtractionRow],
}

/// What came of asking.
#[derive(Debug)]
pub struct Answered {
    /// The facts of the rules that were answered, in the order of the rows.
    pub facts: Vec<RuleFacts>,
    /// The model, and what of its answers was not taken.
    pub asked: Asked,
    /// The rules that were not answered.
    pub open: Vec<Unanswered>,
    /// Why questions had no answer.
    pub failures: Vec<Failure>,
    /// The digests of all requests that were answered: what a replay needs.
    pub requests: Vec<Digest>,
}

/// What was heard so far.
#[derive(Debug)]
struct Heard {
    /// Of each sample, what was said of each row.
    said: Vec<Vec<Said>>,
    /// Ids that nobody had asked about.
    unasked: BTreeSet<String>,
    failures: Vec<Failure>,
    requests: BTreeSet<Digest>,
}

/// A rule without facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered {
    /// The rule.
    pub rule: RuleId,
    /// Why.
    pub why: String,
}

/// What a model said of one row in one sample.
#[derive(Debug, Clone, Default)]
struct Said {
    /// The best answer, with the digest of the request.
    best: Option<(Checked, Digest)>,
    /// What was wrong where there was none.
    faults: Vec<String>,
    /// Whether there is no use in asking for it again.
    over: bool,
}

impl Said {
    fn is_open(&self) -> bool {
        !self.over && !self.best.as_ref().is_some_and(|(checked, _)| checked.is_good())
    }

    fn usable(&self) -> Option<(RuleFacts, Digest)> {
        let (checked, request) = self.best.as_ref().filter(|(checked, _)| checked.unusable.is_empty())?;
        Some((checked.facts.clone(), *request))
    }

    fn faults(&self) -> Vec<&String> {
        self.best
            .as_ref()
            .map_or_else(|| self.faults.iter().collect(), |(checked, _)| checked.faults().collect())
    }
}

/// One question: which rows, in which sample.
struct Asking {
    sample: usize,
    rows: Vec<usize>,
    question: Question<Batch>,
}

/// The files that a classification is asked by, with their versions.
pub fn asked_by(prompts: &Prompts, definitions: &Definitions) -> Vec<DataVersion> {
    let mut versions = prompts.for_classification();
    versions.push(definitions.version.clone());
    versions
}

impl<'s> Classifying<'s> {
    /// Makes ready to ask. Nothing is sent.
    ///
    /// # Errors
    /// Where the form of the answers cannot be used, which is a fault of ours.
    pub fn new(sheet: &Sheet<'s>) -> Result<Self, ExtractionError> {
        let Sheet { cues, rubrics, definitions, suspicions, rows } = *sheet;
        let shown: Vec<Shown> = rows.iter().map(Shown::new).collect();
        let lines: Vec<&str> = shown.iter().map(|shown| shown.line.as_str()).collect();
        let facts = definitions.facts.iter().map(|fact| FactText {
            name: fact.name,
            shown_by: fact.shown_by,
            means: &fact.means,
            decides: decided_by(rubrics, fact.name),
        });
        Ok(Classifying {
            check: Check {
                cues,
                definitions,
                index: rows.iter().map(|row| &row.id).collect(),
                names: shown.iter().flat_map(Shown::names).map(fold).collect(),
            },
            rows,
            form: answer::form().map_err(|error| ExtractionError::Json(error.to_string()))?,
            facts: facts.collect(),
            artifacts: &definitions.artifacts,
            index: Block::new("index", lines.join("\n")),
            addressed: shown
                .iter()
                .zip(rows)
                .map(|(shown, row)| {
                    // A block spells out what nobody sees.
                    [shown.block.text(), &row.original, &row.rule]
                        .into_iter()
                        .any(|text| suspicions.speaks_to_a_model(text))
                })
                .collect(),
            shown,
        })
    }

    /// The requests of the first round: repairs come on top.
    ///
    /// # Errors
    /// Where a prompt cannot be filled, or not even one rule can be asked about.
    pub fn requests(&self, asker: &Asker<'_>, samples: NonZeroU32) -> Result<Vec<ModelRequest>, Problem> {
        let asking = self.questions(asker, &self.nothing_yet(samples), 0)?;
        Ok(asking.iter().map(|asking| asker.run.request(&asking.question)).collect())
    }

    /// Asks, and asks again for what is missing or wrong, at most as often as the asker says.
    ///
    /// # Errors
    /// Where a prompt cannot be filled, or not even one rule can be asked about.
    pub async fn ask(&self, asker: &Asker<'_>, samples: NonZeroU32) -> Result<Answered, Problem> {
        let mut heard = Heard {
            said: self.nothing_yet(samples),
            unasked: BTreeSet::new(),
            failures: Vec::new(),
            requests: BTreeSet::new(),
        };
        for round in 0..=asker.repairs {
            let asking = self.questions(asker, &heard.said, round)?;
            // What is wrong with one rule is asked again of that rule, so that here every answer will do that has the
            // form.
            let whole = asker.run.each(&asking, |Asking { question, .. }| async move {
                Settled::of(&question.label, asker.settle(question, &|_| Vec::new()).await)
            });
            for (asking, settled) in asking.iter().zip(whole.await) {
                self.take(asking, settled, &mut heard);
            }
            heard.said.iter_mut().for_each(|said| self.tell_apart(said));
        }
        Ok(self.sum_up(asker, heard))
    }

    fn nothing_yet(&self, samples: NonZeroU32) -> Vec<Vec<Said>> {
        (0..samples.get()).map(|_| vec![Said::default(); self.rows.len()]).collect()
    }

    /// The questions of a round: in each sample, the rows that are open, in batches that grow smaller each time.
    fn questions(&self, asker: &Asker<'_>, said: &[Vec<Said>], round: u32) -> Result<Vec<Asking>, Problem> {
        let most = BATCH.checked_shr(round).unwrap_or(0).max(1);
        let mut asking = Vec::new();
        for (number, sample) in (0_u32..).zip(said) {
            let open: Vec<usize> = (0..sample.len()).filter(|row| sample[*row].is_open()).collect();
            let mut rest = open.as_slice();
            while !rest.is_empty() {
                let mut size = most.min(rest.len());
                let question = loop {
                    let question = self.question(asker, &rest[..size], sample, (number, round))?;
                    if size == 1 && round == 0 {
                        asker.has_room(&question, answer_about(size))?;
                    }
                    if size == 1 || fits(asker, &question, size) {
                        break question;
                    }
                    size /= 2;
                };
                let (rows, later) = rest.split_at(size);
                let sample = usize::try_from(number).unwrap_or(usize::MAX);
                asking.push(Asking { sample, rows: rows.to_vec(), question });
                rest = later;
            }
        }
        Ok(asking)
    }

    fn question(
        &self,
        asker: &Asker<'_>,
        rows: &[usize],
        said: &[Said],
        (sample, before): (u32, u32),
    ) -> Result<Question<Batch>, Problem> {
        let id = |row: usize| &self.rows[row].id;
        let faults: Vec<String> = rows
            .iter()
            .flat_map(|row| said[*row].faults().into_iter().map(|fault| format!("{}: {fault}", id(*row))))
            .collect();
        let again = if faults.is_empty() { "" } else { ", again" };
        let label = match rows {
            [first, .., last] => {
                format!("classify {} to {}, {} rules{again}", id(*first), id(*last), rows.len())
            }
            [only] => format!("classify {}{again}", id(*only)),
            [] => String::new(),
        };
        let values = FactValues {
            facts: &self.facts,
            artifacts: self.artifacts,
            index: &self.index,
            rows: rows.iter().map(|row| &self.shown[*row].block).collect(),
            before,
            faults: (!faults.is_empty()).then(|| Block::faults(&faults)),
        };
        let text = asker.prompts.classification(&values)?;
        Ok(Question { sample, ..asker.question(label, text, &self.form)? })
    }

    /// Takes what a settled question says of the rows that it asked about.
    fn take(&self, asking: &Asking, settled: Settled<Batch>, heard: &mut Heard) {
        let said = &mut heard.said[asking.sample];
        heard.requests.extend(settled.requests);
        let (Some(batch), Some(request)) = (settled.value, settled.request) else {
            for row in &asking.rows {
                said[*row].over = settled.failure.is_some();
                said[*row].faults.clone_from(&settled.faults);
            }
            heard.failures.extend(settled.failure);
            return;
        };
        heard.failures.extend(settled.failure);
        let mut by_rule: BTreeMap<&str, Vec<&RuleAnswer>> = BTreeMap::new();
        for answer in &batch.rules {
            by_rule.entry(answer.rule.as_str()).or_default().push(answer);
        }
        for row in &asking.rows {
            let id = self.rows[*row].id.to_string();
            let said = &mut said[*row];
            match by_rule.remove(id.as_str()).as_deref() {
                Some([answer]) => {
                    let checked = self.check.of(&self.rows[*row], &self.shown[*row], answer);
                    if said.best.as_ref().is_none_or(|(best, _)| checked.is_no_worse_than(best)) {
                        said.best = Some((checked, request));
                    }
                }
                Some(_) => said.faults = vec!["it is answered twice".to_owned()],
                None => said.faults = vec!["it is missing from the answer".to_owned()],
            }
        }
        heard.unasked.extend(by_rule.into_keys().map(str::to_owned));
    }

    /// Of rows that are said to be broken by the same thing, only the first is answered: a sentence that fits two
    /// rules says nothing, unless the two are one obligation.
    fn tell_apart(&self, said: &mut [Said]) {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for row in 0..said.len() {
            let Some((facts, _)) = said[row].usable() else { continue };
            let failure = masked(&facts.failure).to_lowercase();
            let Some(first) = seen.get(&failure).copied() else {
                seen.insert(failure, row);
                continue;
            };
            let (one, other) = (&self.rows[first], &self.rows[row]);
            let pairs = |said: &Said, of: &RuleId| {
                said.best
                    .as_ref()
                    .is_some_and(|(best, _)| best.facts.duplicates.iter().any(|pair| pair.of == *of))
            };
            if one.rule == other.rule || pairs(&said[first], &other.id) || pairs(&said[row], &one.id) {
                continue;
            }
            if let Some((checked, _)) = &mut said[row].best {
                checked.unusable.push(format!(
                    "`failure` is what is said of {}: say what breaks this rule alone",
                    one.id
                ));
            }
        }
    }

    /// The facts of every row that most samples answer.
    fn sum_up(&self, asker: &Asker<'_>, heard: Heard) -> Answered {
        let Heard { said, unasked, failures, requests } = heard;
        let asked = Asked {
            model: asker.model.to_owned(),
            prompts: asked_by(asker.prompts, self.check.definitions),
            refused: Vec::new(),
            doubtful: Vec::new(),
            addressed: Vec::new(),
        };
        let requests = requests.into_iter().collect();
        let mut answered = Answered { facts: Vec::new(), asked, open: Vec::new(), failures, requests };
        let stray = |id| Remark {
            asked_for: "other rules".to_owned(),
            what: format!("`{id}` is answered, and was not asked about"),
        };
        answered.asked.refused.extend(unasked.into_iter().map(stray));
        for (index, row) in self.rows.iter().enumerate() {
            let said: Vec<&Said> = said.iter().map(|sample| &sample[index]).collect();
            let usable: Vec<(RuleFacts, Digest)> = said.iter().filter_map(|said| said.usable()).collect();
            let faults: BTreeSet<&String> = said.iter().flat_map(|said| said.faults()).collect();
            let remark = |what: &str| Remark { asked_for: row.id.to_string(), what: what.to_owned() };
            let is_most = usable.len() * 2 > said.len();
            let Some(mut facts) = samples::taken(&usable).filter(|_| is_most) else {
                let why = faults.into_iter().map(String::as_str).collect::<Vec<_>>().join("; ");
                answered.open.push(Unanswered { rule: row.id.clone(), why });
                continue;
            };
            if self.addressed[index] {
                facts.addressed.get_or_insert_with(|| fold_space(&row.original));
            }
            answered.asked.refused.extend(faults.into_iter().map(|what| remark(what)));
            answered.asked.doubtful.extend(samples::differences(&facts).map(|what| remark(&what)));
            answered.asked.addressed.extend(facts.addressed.iter().map(|what| remark(what)));
            answered.facts.push(facts);
        }
        answered
    }
}

/// Whether a question about so many rules, and its answer, fit.
fn fits(asker: &Asker<'_>, question: &Question<Batch>, rules: usize) -> bool {
    let most = asker.run.request(question).answer_tokens / TOKENS_PER_RULE;
    u64::try_from(rules).is_ok_and(|rules| rules <= most) && asker.fits(question, answer_about(rules))
}

/// How many tokens an answer about so many rules is expected to have.
fn answer_about(rules: usize) -> u64 {
    u64::try_from(rules).unwrap_or(u64::MAX).saturating_mul(TOKENS_PER_RULE)
}

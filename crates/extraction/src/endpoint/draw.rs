//! Rules drawn by a model: the questions, the asking, and what came of it.

use super::answer::PassageAnswer;
use super::check::{Complaint, check, short};
use super::passage::{PassageValues, Suspicions, Text, answer_to, most_sentences};
use super::rows::{Taken, finish};
use crate::ExtractionError;
use crate::asking::{Asker, Settled};
use crate::baseline::clause::Reader;
use crate::baseline::extract::Extracted;
use crate::classify::duplicates::{OVERLAP, content_words, ratio};
use crate::coverage::{Sentence, open, words_of};
use crate::cues::Cues;
use crate::documents::ReadSource;
use crate::grounding::Grounds;
use polc_llm::{Failure, Form, Question};
use polc_records::asked::{Asked, Remark};
use polc_records::proposal::ProposedRow;
use polc_records::recording::ModelRequest;
use polc_records::{Digest, Problem};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

/// The name of the form: it is part of every request.
const FORM: &str = "passage";

/// Sources as questions.
pub struct Passages<'s> {
    sources: &'s [ReadSource<'s>],
    cues: &'s Cues,
    texts: Vec<Text<'s>>,
    /// Largest source first.
    asked: Vec<Passage>,
}

struct Passage {
    text: usize,
    units: Range<usize>,
    question: Question<PassageAnswer>,
}

/// What a model drew.
#[derive(Debug)]
pub struct Drawn {
    /// Rows, sentences and sections without rows. A sentence without an account is not among them.
    pub extracted: Extracted,
    /// The model, and what a person has to know of its answers.
    pub asked: Asked,
    /// The sentences that nobody has accounted for.
    pub open: Vec<Sentence>,
    /// The digests of all requests that were answered.
    pub requests: Vec<Digest>,
    /// Why questions were not asked to their end.
    pub failures: Vec<Failure>,
}

impl<'s> Passages<'s> {
    /// Cuts the sources in scope into questions.
    ///
    /// # Errors
    /// Where a prompt cannot be filled, or not even one sentence can be asked about.
    pub fn of(
        asker: &Asker<'_>,
        project: &str,
        cues: &'s Cues,
        suspicions: &'s Suspicions,
        sources: &'s [ReadSource<'s>],
    ) -> Result<Self, Problem> {
        let form = Form::of(FORM).map_err(|error| {
            Problem::new(std::path::Path::new(FORM), error.to_string(), "report this as a bug")
        })?;
        let texts: Vec<Text<'_>> = sources
            .iter()
            .filter(|read| read.source.gives_rules())
            .map(|read| Text::of(read, suspicions))
            .collect();
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|text| Reverse(words_of(texts[*text].read)));
        let mut asked = Vec::new();
        for of in order {
            let text = &texts[of];
            let question =
                |units: &Range<usize>, place: (usize, usize)| -> Result<Question<PassageAnswer>, Problem> {
                    let filled = asker.prompts.extraction(&PassageValues::of(project, text, units, place))?;
                    let label =
                        format!("{}, sentences {} to {}", text.read.source.key, units.start + 1, units.end);
                    asker.question(label, filled, &form)
                };
            // A template that cannot be filled is told below.
            let fits = |units: &Range<usize>| {
                question(units, (1, 1)).is_ok_and(|question| asker.fits(&question, answer_to(units.len())))
            };
            let most = most_sentences(asker.answer_tokens);
            let passages = text.passages(most, &fits);
            for (number, units) in (1..).zip(&passages) {
                let question = question(units, (number, passages.len()))?;
                asker.has_room(&question, answer_to(units.len()))?;
                asked.push(Passage { text: of, units: units.clone(), question });
            }
        }
        Ok(Passages { sources, cues, texts, asked })
    }

    /// How many questions there are.
    pub fn len(&self) -> usize {
        self.asked.len()
    }

    /// Whether there is nothing to ask.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// The requests of the first round.
    pub fn requests(&self, asker: &Asker<'_>) -> Vec<ModelRequest> {
        self.asked.iter().map(|passage| asker.run.request(&passage.question)).collect()
    }

    /// Asks, and takes what can be taken.
    ///
    /// # Errors
    /// Only where a row cannot be written as JSON, which is a fault of ours.
    pub async fn ask(&self, asker: &Asker<'_>) -> Result<Drawn, ExtractionError> {
        let settled = asker.run.each(&self.asked, |passage| self.settle(asker, passage)).await;
        let mut asked = Asked {
            model: asker.model.to_owned(),
            prompts: asker.prompts.for_extraction(),
            refused: Vec::new(),
            doubtful: Vec::new(),
            addressed: Vec::new(),
        };
        let (mut requests, mut failures) = (Vec::new(), Vec::new());
        let mut taken: Vec<Vec<Option<Taken>>> = self.texts.iter().map(|_| Vec::new()).collect();
        for (passage, settled) in self.asked.iter().zip(settled) {
            requests.extend(&settled.requests);
            failures.extend(settled.failure.clone());
            taken[passage.text].push(self.take(asker, passage, settled, &mut asked));
        }
        asked.addressed = self.addressed(asked.addressed);
        requests.sort_unstable();
        requests.dedup();
        let mut extracted = Extracted::default();
        for (text, taken) in self.texts.iter().zip(&taken) {
            finish(text, self.cues, taken, &mut extracted, &mut asked.refused)?;
        }
        self.prove(&mut extracted, &mut asked);
        asked.doubtful.extend(self.repeated(&extracted.rows));
        let open = open(self.sources, &extracted.ledger);
        Ok(Drawn { extracted, asked, open, requests, failures })
    }

    /// What speaks to a model: as the words say, and as the model reports beyond that.
    fn addressed(&self, reported: Vec<Remark>) -> Vec<Remark> {
        let mut found = Vec::new();
        for text in &self.texts {
            let speaks = |unit: &usize| text.suspicions.speaks_to_a_model(&text.units[*unit].quote);
            found.extend((0..text.units.len()).filter(speaks).map(|unit| addressed(text, unit)));
        }
        for remark in reported {
            if !found.contains(&remark) {
                found.push(remark);
            }
        }
        found
    }

    async fn settle(&self, asker: &Asker<'_>, passage: &Passage) -> Settled<PassageAnswer> {
        let (text, reader) = (&self.texts[passage.text], Reader::new(self.cues));
        let is_sure = Cell::new(false);
        let faults = |answer: &PassageAnswer| -> Vec<String> {
            let complaints = check(text, reader, &passage.units, answer).complaints;
            let refused = complaints.iter().any(|complaint| !matches!(complaint, Complaint::Doubtful(_)));
            // What is only doubtful is asked about once.
            if !refused && is_sure.replace(true) {
                return Vec::new();
            }
            complaints.iter().map(ToString::to_string).collect()
        };
        Settled::of(&passage.question.label, asker.settle(&passage.question, &faults).await)
    }

    /// What is good of the last answer; what is not, and what is doubtful, is noted.
    fn take(
        &self,
        asker: &Asker<'_>,
        passage: &Passage,
        settled: Settled<PassageAnswer>,
        asked: &mut Asked,
    ) -> Option<Taken> {
        let label = settled.label;
        let remark = |what: String| Remark { asked_for: label.clone(), what };
        let (Some(answer), Some(request)) = (settled.value, settled.request) else {
            asked.refused.extend(settled.faults.into_iter().map(remark));
            return None;
        };
        if let Some(failure) = settled.failure {
            asked.refused.push(remark(failure.to_string()));
        }
        let text = &self.texts[passage.text];
        let checked = check(text, Reader::new(self.cues), &passage.units, &answer);
        for complaint in &checked.complaints {
            match complaint {
                Complaint::Refused(what) => asked.refused.push(remark(what.clone())),
                Complaint::Doubtful(what) => asked.doubtful.push(remark(what.clone())),
                Complaint::Contested(what) => {
                    let what = format!("{what}; what the baseline reads there stands in its place");
                    asked.doubtful.push(remark(what));
                }
            }
        }
        asked.addressed.extend(checked.addressed.iter().map(|unit| addressed(text, *unit)));
        let from = format!("{}, model {}, request {}", crate::asking::ENGINE, asker.model, request.short());
        Some(Taken { answer, checked, from })
    }

    /// Rows of different sources that may state one obligation: classification decides, and a reviewer may merge them.
    fn repeated(&self, rows: &[ProposedRow]) -> Vec<Remark> {
        let words: Vec<BTreeSet<String>> =
            rows.iter().map(|row| content_words(self.cues, &row.row.rule)).collect();
        let mut found = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            for (earlier, before) in
                rows[..at].iter().enumerate().filter(|(_, before)| before.row.source != row.row.source)
            {
                let shared = words[at].intersection(&words[earlier]).count();
                if ratio(shared, words[at].union(&words[earlier]).count()) >= OVERLAP {
                    let asked_for = format!("{} and {}", before.row.source, row.row.source);
                    let what = format!(
                        "may state one obligation twice: {} and {}",
                        short(&before.row.rule),
                        short(&row.row.rule)
                    );
                    found.push(Remark { asked_for, what });
                }
            }
        }
        found
    }

    /// The last gate, the one that a freeze has too: no row without its quotes in the sources.
    fn prove(&self, extracted: &mut Extracted, asked: &mut Asked) {
        let grounds = Grounds::new(self.sources);
        let mut lost = BTreeSet::new();
        extracted.rows.retain(|proposed| match grounds.prove(&proposed.row, Some(&proposed.locator)) {
            Ok(_) => true,
            Err(what) => {
                asked.refused.push(Remark {
                    asked_for: proposed.row.source.clone(),
                    what: format!("{what}: {}", short(&proposed.row.rule)),
                });
                lost.insert(proposed.digest);
                false
            }
        });
        if lost.is_empty() {
            return;
        }
        extracted.ledger.retain_mut(|line| line.outcome.without(&lost));
    }
}

fn addressed(text: &Text<'_>, unit: usize) -> Remark {
    let what = text.units[unit].quote.clone();
    Remark { asked_for: format!("{}, sentence {}", text.read.source.key, unit + 1), what }
}

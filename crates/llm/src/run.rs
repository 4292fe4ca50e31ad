//! A run: questions to one engine, recorded, within a budget, until somebody stops it.

use crate::batch::{BatchIn, BatchOut};
use crate::endpoint::{Endpoint, Outcome};
use crate::estimate;
use crate::failure::Failure;
use crate::fault::Fault;
use crate::meter::{Meter, Tally};
use crate::plan::Plan;
use crate::question::{Answer, Question};
use crate::settings::Settings;
use crate::store::Store;
use futures_util::future::{Either, select};
use futures_util::{StreamExt, stream};
use polc_records::prices::Prices;
use polc_records::recording::{ModelAnswer, ModelRequest, Stopped};
use polc_records::{Digest, Problem};
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::sync::watch;

/// Where answers come from that were not recorded before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    /// The endpoint of the settings.
    Endpoint,
    /// Nowhere: every answer must have been recorded.
    Replay,
    /// They come later: the requests are written to a file.
    BatchOut(PathBuf),
    /// From a file, in answer to a batch.
    BatchIn(PathBuf),
}

enum Source {
    Endpoint(Box<Endpoint>),
    Replay,
    BatchOut(BatchOut),
    BatchIn(BatchIn),
}

/// Stops a run from elsewhere. A clone stops the same run.
#[derive(Debug, Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Sends nothing any more and waits for no answer. What was answered is kept.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// Waits for an interrupt by the person at the terminal, and stops the run then.
    ///
    /// # Errors
    /// Where the system lets nobody listen.
    pub async fn stop_on_interrupt(&self) -> std::io::Result<()> {
        tokio::signal::ctrl_c().await?;
        self.stop();
        Ok(())
    }
}

/// A run.
pub struct Run {
    settings: Settings,
    source: Source,
    store: Store,
    meter: Meter,
    stopper: Stopper,
    /// Why nothing is sent any more.
    ended: OnceLock<Failure>,
    /// One turn for each request: the same one is not asked twice at a time.
    turns: Mutex<HashMap<Digest, Arc<tokio::sync::Mutex<()>>>>,
}

/// An answer as it was recorded, and whether that was earlier.
struct Heard {
    answer: ModelAnswer,
    earlier: bool,
}

impl Run {
    /// A run that has asked nothing yet. Nothing is sent.
    ///
    /// # Errors
    /// Where the endpoint cannot be asked as it is configured, or the file of a batch cannot be read.
    pub fn new(settings: Settings, engine: Engine, store: Store, prices: &Prices) -> Result<Self, Failure> {
        let source = match engine {
            Engine::Endpoint => Source::Endpoint(Box::new(Endpoint::new(settings.clone())?)),
            Engine::Replay => Source::Replay,
            Engine::BatchOut(path) => Source::BatchOut(BatchOut::new(path)),
            Engine::BatchIn(path) => Source::BatchIn(BatchIn::load(&path)?),
        };
        let meter = Meter::new(&settings.model, prices.of(&settings.model).cloned(), settings.max_cost);
        let stopper = Stopper(watch::Sender::new(false));
        Ok(Run { settings, source, store, meter, stopper, ended: OnceLock::new(), turns: Mutex::default() })
    }

    /// What stops the run.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// What was used so far.
    pub fn tally(&self) -> Tally {
        self.meter.tally()
    }

    /// Why nothing is sent any more, if that is so.
    pub fn ended(&self) -> Option<&Failure> {
        self.ended.get()
    }

    /// The request that a question becomes: with the model and the parameters of this run.
    pub fn request<T: DeserializeOwned>(&self, question: &Question<T>) -> ModelRequest {
        question.request(&self.settings)
    }

    /// What it would take to ask these, with nothing sent.
    ///
    /// # Errors
    /// Where the recorded answers cannot be read.
    pub fn plan(&self, requests: &[ModelRequest]) -> Result<Plan, Problem> {
        Plan::new(&self.settings, self.meter.price(), &self.store, requests)
    }

    /// Asks a question once.
    ///
    /// # Errors
    /// Where there is no answer, or what came is none.
    pub async fn ask<T: DeserializeOwned>(&self, question: &Question<T>) -> Result<Answer<T>, Failure> {
        let request = self.request(question);
        let (answer, value) = self.read(question, &request).await?;
        Ok(Answer { value: value?, request: request.digest(), earlier: Vec::new(), model: answer.model })
    }

    /// The answer to a request, and what it reads as.
    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        question: &Question<T>,
        request: &ModelRequest,
    ) -> Result<(ModelAnswer, Result<T, Fault>), Failure> {
        let Heard { answer, earlier } = self.hear(&question.label, request).await?;
        if earlier {
            self.meter.recorded();
        }
        // Why it stopped comes first: what was cut off is not read, even where it happens to be whole.
        let value = match &answer.stopped {
            Stopped::Complete => question.form.read(&answer.text.0),
            Stopped::Truncated => Err(Fault::Truncated { limit: request.answer_tokens }),
            Stopped::Refused => Err(Fault::Refused { words: answer.text.0.clone() }),
            Stopped::Filtered => Err(Fault::Filtered),
            Stopped::Otherwise(reason) => Err(Fault::Stopped { reason: reason.clone() }),
        };
        Ok((answer, value))
    }

    /// Does some work for every item, as many at a time as the settings allow, and gives what came of each in
    /// their order. An item whose work failed takes nothing from the others, and a slow one holds up none.
    pub async fn each<'i, I, W: Future>(&self, items: &'i [I], work: impl Fn(&'i I) -> W) -> Vec<W::Output> {
        let works = items.iter().map(work).enumerate();
        let numbered = works.map(|(number, work)| async move { (number, work.await) });
        let at_once = self.settings.concurrency.max(1);
        let mut done: Vec<_> = stream::iter(numbered).buffer_unordered(at_once).collect().await;
        done.sort_unstable_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, done)| done).collect()
    }

    /// Writes the batch, and gives how many requests are in it; none where the engine writes none.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn write_batch(&self) -> Result<Option<usize>, Problem> {
        if let Source::BatchOut(batch) = &self.source { batch.write().map(Some) } else { Ok(None) }
    }

    /// The ids in an answered batch that nobody asked for.
    pub fn unused(&self) -> Vec<String> {
        if let Source::BatchIn(batch) = &self.source { batch.unused() } else { Vec::new() }
    }

    /// What was recorded for a request, else what the engine says. A failure that every other request would meet
    /// too ends the run; what is recorded is given even then.
    async fn hear(&self, label: &str, request: &ModelRequest) -> Result<Heard, Failure> {
        let digest = request.digest();
        let turn = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(turns.entry(digest).or_default())
        };
        let _turn = turn.lock().await;
        if let Some(recorded) = self.store.find(&digest)? {
            return Ok(Heard { answer: recorded.answer, earlier: true });
        }
        if let Some(failure) = self.ended.get() {
            return Err(failure.clone());
        }
        let answer = self.fetch(label, digest, request).await.inspect_err(|failure| {
            if failure.ends_the_run() {
                // Only the first failure is told.
                let _told = self.ended.set(failure.clone());
            }
        })?;
        if matches!(self.source, Source::BatchIn(_)) {
            self.meter.batched();
        }
        // What nobody understands is not kept: another polc, or another day, may do better.
        if matches!(answer.stopped, Stopped::Otherwise(_)) {
            return Ok(Heard { answer, earlier: false });
        }
        let recorded = self.store.record(label, request, answer)?;
        Ok(Heard { answer: recorded.answer, earlier: false })
    }

    async fn fetch(
        &self,
        label: &str,
        digest: Digest,
        request: &ModelRequest,
    ) -> Result<ModelAnswer, Failure> {
        match &self.source {
            Source::Endpoint(endpoint) => self.send(endpoint, request).await,
            Source::Replay => {
                let (recorded, nearest) = self.store.nearest(label, request)?;
                let nearest = nearest.map(Box::new);
                Err(Failure::Missing { label: label.to_owned(), digest, recorded, nearest })
            }
            Source::BatchOut(batch) => {
                batch.add(self.settings.access.wire, digest, request);
                Err(Failure::Written { label: label.to_owned() })
            }
            Source::BatchIn(batch) => batch.answer(self.settings.access.wire, label, digest, request),
        }
    }

    async fn send(&self, endpoint: &Endpoint, request: &ModelRequest) -> Result<ModelAnswer, Failure> {
        let input = estimate::input_tokens(request);
        if let Some(context) = self.settings.context_tokens
            && input.saturating_add(request.answer_tokens) > context
        {
            let why = format!(
                "it has {input} tokens ({}) and may be answered with {}, where {context} fit",
                estimate::HOW,
                request.answer_tokens
            );
            return Err(Failure::TooLong { why });
        }
        let mut stopped = self.stopper.0.subscribe();
        let stop = pin!(stopped.wait_for(|stopped| *stopped));
        let tokens = input.saturating_add(request.answer_tokens);
        let waiting = pin!(async {
            let most_input = estimate::most_input_tokens(request);
            let reserved = self.meter.reserve(most_input, request.answer_tokens).await?;
            endpoint.turn(tokens).await;
            Ok::<_, Failure>(reserved)
        });
        let (reserved, stop) = match select(stop, waiting).await {
            Either::Left(_) => return Err(Failure::Interrupted),
            Either::Right((reserved, stop)) => (reserved?, stop),
        };
        // The run may have ended while this request waited.
        if let Some(failure) = self.ended.get() {
            self.meter.settle(&reserved, false, None, 0);
            return Err(failure.clone());
        }
        let may_lose = || self.meter.once_more(&reserved);
        let asking = pin!(endpoint.ask(request, tokens, &may_lose));
        match select(stop, asking).await {
            // Somebody may be working for us already, and charge for it.
            Either::Left((_, _asking)) => {
                self.meter.settle(&reserved, false, None, reserved.times());
                Err(Failure::Interrupted)
            }
            Either::Right((Outcome { answer, lost, answered }, _)) => {
                let usage = answer.as_ref().ok().and_then(|answer| answer.usage);
                self.meter.settle(&reserved, answered, usage, lost);
                answer
            }
        }
    }
}

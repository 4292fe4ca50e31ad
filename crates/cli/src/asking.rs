//! What the stages that may ask a language model have in common: which engine answers, what it would take, how it
//! ends.

use crate::exit::{CliError, Exit};
use crate::network;
use crate::session::{Session, count};
use clap::{Args, ValueEnum};
use polc_extraction::asking::Asker;
use polc_extraction::prompts::Prompts;
use polc_llm::{Engine, Failure, Run, Settings, Store, prices};
use polc_records::Digest;
use polc_records::asked::Asked;
use polc_records::config::Config;
use polc_records::endpoint::EndpointConfig;
use polc_records::ids::Slug;
use polc_records::layout::{CONFIG_FILE, Root};
use polc_records::money::Money;
use polc_records::recording::ModelRequest;
use polc_records::store::load_toml;
use polc_records::visible::visible;
use std::cell::Cell;
use std::path::PathBuf;

/// How often an answer that cannot be used is asked for again where nobody says.
const REPAIRS: u32 = 2;

/// What answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineName {
    /// No model: words and phrases kept as data.
    Baseline,
    /// The language model that polc.toml names.
    Endpoint,
    /// What that model answered before, and nothing else.
    Replay,
    /// Nobody yet: the requests are written to FILE.
    BatchOut,
    /// The answers to a batch, from FILE.
    BatchIn,
}

/// How a stage asks.
#[derive(Debug, Args)]
pub(crate) struct AskArguments {
    /// The file of a batch: `batch-out` writes it, `batch-in` reads it.
    pub(crate) file: Option<PathBuf>,
    /// What answers; without it, the endpoint where polc.toml names one, else the baseline.
    #[arg(long, value_enum)]
    pub(crate) engine: Option<EngineName>,
    /// Tell what it would take to ask, and send nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// What the run may cost at most, in US dollars; it wins over polc.toml.
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<Money>,
    /// How often an answer that cannot be used is asked for again.
    #[arg(long, value_name = "N", default_value_t = REPAIRS)]
    pub(crate) repairs: u32,
}

/// A stage that may ask; its answers are kept in a folder of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskingStage {
    Manifest,
    Extract,
    Classify,
    Review,
}

impl AskingStage {
    const ALL: [AskingStage; 4] =
        [AskingStage::Manifest, AskingStage::Extract, AskingStage::Classify, AskingStage::Review];

    const fn name(self) -> &'static str {
        match self {
            AskingStage::Manifest => "manifest",
            AskingStage::Extract => "extract",
            AskingStage::Classify => "classify",
            AskingStage::Review => "review",
        }
    }

    /// How the stage is called for a project.
    fn command(self, slug: &Slug) -> String {
        match self {
            AskingStage::Review => format!("polc audit automated NAME --project {slug}"),
            stage => format!("polc {} {slug}", stage.name()),
        }
    }

    fn recording(self, root: &Root, slug: &Slug) -> PathBuf {
        root.recording(slug).join(self.name())
    }
}

/// Who answers a stage.
pub(crate) enum Answering {
    /// The baseline.
    Baseline,
    /// A model, whoever brings its answers.
    Model(Box<Asking>),
}

/// A stage that asks a model.
pub(crate) struct Asking {
    stage: AskingStage,
    engine: EngineName,
    file: Option<PathBuf>,
    run: Run,
    prompts: Prompts,
    settings: Settings,
    repairs: u32,
}

impl AskArguments {
    /// Who answers. Nothing is sent, and a dry run of the baseline is over: it asks nobody.
    pub(crate) fn answering(
        &self,
        session: &Session,
        root: &Root,
        slug: &Slug,
        stage: AskingStage,
    ) -> Result<Answering, CliError> {
        let config: Config = load_toml(&root.config())?;
        let engine = self.engine.unwrap_or(match &config.endpoint {
            Some(_) => EngineName::Endpoint,
            None => EngineName::Baseline,
        });
        let engine_of_run = match (engine, self.file.clone()) {
            (EngineName::Baseline, None) => return Ok(Answering::Baseline),
            (EngineName::Endpoint, None) => Engine::Endpoint,
            (EngineName::Replay, None) => Engine::Replay,
            (EngineName::BatchOut, Some(file)) => Engine::BatchOut(file),
            (EngineName::BatchIn, Some(file)) => Engine::BatchIn(file),
            (EngineName::BatchOut | EngineName::BatchIn, None) => {
                return Err(CliError::Misuse {
                    what: "a batch needs a file".to_owned(),
                    help: format!("{} --engine batch-out FILE", stage.command(slug)),
                });
            }
            (_, Some(file)) => {
                return Err(CliError::Misuse {
                    what: format!("`{}` is given, and only a batch has a file", file.display()),
                    help: "leave it out, or say --engine batch-out or --engine batch-in".to_owned(),
                });
            }
        };
        let config = config.endpoint.ok_or_else(|| no_endpoint(root))?;
        let settings = self.settings(session, &config)?;
        let store = AskingStage::ALL
            .iter()
            .fold(Store::of(root, slug)?, |store, stage| store.with(stage.recording(root, slug)));
        // A dry run sends nothing, and needs neither a key nor a file.
        let engine_of_run = if self.dry_run { Engine::Replay } else { engine_of_run };
        let run = Run::new(settings.clone(), engine_of_run, store, &prices(root)?)?;
        let prompts = Prompts::load(root)?;
        let (file, repairs) = (self.file.clone(), self.repairs);
        Ok(Answering::Model(Box::new(Asking { stage, engine, file, run, prompts, settings, repairs })))
    }

    fn settings(&self, session: &Session, config: &EndpointConfig) -> Result<Settings, CliError> {
        let environment = |name: &str| std::env::var(name).ok();
        let settings = Settings::of(config, environment).map_err(Failure::from)?;
        let max_cost = self.max_cost.or(settings.max_cost);
        Ok(Settings { max_cost, offline: session.offline, ..settings })
    }
}

/// A dry run of the baseline.
pub(crate) fn asks_nobody(session: &Session) -> Result<Exit, CliError> {
    session.has_no_json("an estimate for people")?;
    session.print("the baseline asks nobody: nothing is sent, and nothing is paid\n")?;
    Ok(Exit::Done)
}

fn no_endpoint(root: &Root) -> CliError {
    CliError::Misuse {
        what: format!("{} names no endpoint", root.shown(&root.config()).display()),
        help: format!(
            "set `schema = 2` in {CONFIG_FILE} and add a table, as in\n[endpoint]\nwire = \"chat-completions\"\n\
             model = \"NAME\"\nor say --engine baseline, which asks no model"
        ),
    }
}

/// How asking ended.
pub(crate) enum Ended {
    /// Everything came to its end: the stage writes what it has.
    Over,
    /// The stage writes nothing, and all is well: somebody else answers.
    Waiting,
}

impl Asking {
    /// The model, by the name that it is asked by.
    pub(crate) fn model(&self) -> &str {
        &self.settings.model
    }

    /// The prompts.
    pub(crate) fn prompts(&self) -> &Prompts {
        &self.prompts
    }

    /// Whether the endpoint itself is asked.
    pub(crate) fn is_endpoint(&self) -> bool {
        self.engine == EngineName::Endpoint
    }

    /// Runs a stage that asks, until it is done or a person interrupts it. `questions` is how many it will ask, where
    /// that is known.
    pub(crate) fn wait<T>(
        &self,
        session: &Session,
        questions: usize,
        work: impl AsyncFnOnce(&Asker<'_>) -> T,
    ) -> Result<T, CliError> {
        let done = Cell::new(0_usize);
        let told = |label: &str| {
            done.set(done.get() + 1);
            // What is asked again by a question of its own comes on top.
            session.tell(format!("[{}/{}] {label}", done.get(), questions.max(done.get())));
        };
        let asker = self.asker(&told);
        let stopper = self.run.stopper();
        network::wait(async {
            // Where nobody can listen for an interrupt, it ends the program as it always does.
            tokio::spawn(async move { stopper.stop_on_interrupt().await });
            work(&asker).await
        })
    }

    /// What a stage asks with, before it waits for anything.
    pub(crate) fn asker<'a>(&'a self, told: &'a dyn Fn(&str)) -> Asker<'a> {
        Asker {
            run: &self.run,
            prompts: &self.prompts,
            repairs: self.repairs,
            model: &self.settings.model,
            context_tokens: self.settings.context_tokens,
            answer_tokens: self.settings.answer_tokens,
            told,
        }
    }

    /// Says who answers.
    pub(crate) fn announce(&self, session: &Session, questions: usize) {
        let who = match self.engine {
            EngineName::Endpoint => {
                format!("asking `{}` at {}", self.model(), self.settings.access.base_url())
            }
            EngineName::Replay => format!("recorded answers of `{}`", self.model()),
            _ => {
                let file = self.file.as_ref().map(|file| file.display().to_string()).unwrap_or_default();
                format!("requests to `{}`, as a batch in {file}", self.model())
            }
        };
        session.tell(format!("{who}: {}", count(questions, "question")));
    }

    /// Tells what the requests would take.
    pub(crate) fn plan(&self, session: &Session, requests: &[ModelRequest]) -> Result<Exit, CliError> {
        session.has_no_json("an estimate for people")?;
        session.print(self.run.plan(requests)?.to_string())?;
        session.tell("nothing was sent, and nothing was written");
        Ok(Exit::Done)
    }

    /// What the run came to, told; an error where it ended before everything was asked.
    ///
    /// `failures` are those of the single questions.
    pub(crate) fn ended<'f>(
        &self,
        session: &Session,
        failures: impl IntoIterator<Item = &'f Failure>,
    ) -> Result<Ended, CliError> {
        let waiting = self.run.write_batch()?;
        if let (Some(requests @ 1..), Some(file)) = (waiting, &self.file) {
            session.tell(format!(
                "{} in {}; nothing else was written\nnext: have them answered, then say --engine batch-in with the \
                 file of the answers",
                count(requests, "request"),
                file.display()
            ));
            return Ok(Ended::Waiting);
        }
        session.tell(self.run.tally().to_string());
        for id in self.run.unused() {
            session.tell(format!("warning: the batch answers `{id}`, which nobody asked for"));
        }
        if let Some(failure) = self.run.ended() {
            return Err(failure.clone().into());
        }
        let mut missing = failures
            .into_iter()
            .filter(|failure| matches!(failure, Failure::Missing { .. } | Failure::NotInBatch { .. }));
        let Some(first) = missing.next() else { return Ok(Ended::Over) };
        match missing.count() {
            0 => {}
            more => {
                session.tell(format!("{} lack an answer; the first of them:", count(more + 1, "question")))
            }
        }
        Err(first.clone().into())
    }

    /// Keeps the answers that a stage was made from beside it, in version control.
    pub(crate) fn keep(&self, root: &Root, slug: &Slug, requests: &[Digest]) -> Result<(), CliError> {
        let folder = self.stage.recording(root, slug);
        let store = Store::of(root, slug)?.with(&folder);
        Ok(store.keep(&folder, requests)?)
    }
}

/// How many remarks of one kind are told.
const TOLD: usize = 12;

/// Tells what of the answers was not taken, and what a person should look at.
pub(crate) fn tell_remarks(session: &Session, asked: &Asked) {
    let kinds =
        [("refused", &asked.refused), ("doubtful", &asked.doubtful), ("speaks to models", &asked.addressed)];
    for (kind, remarks) in kinds {
        for remark in remarks.iter().take(TOLD) {
            session.tell(format!("{kind}: {}: {}", remark.asked_for, visible(&remark.what)));
        }
        if let Some(more @ 1..) = remarks.len().checked_sub(TOLD) {
            session.tell(format!("{kind}: … and {more} more, which the run log will list"));
        }
    }
}

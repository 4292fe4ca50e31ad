//! Asks a language model, and lets nothing through that was not asked for.
//!
//! A stage asks with a [`Run`]. It says what the answer must look like with a [`Form`], a Rust type with its JSON
//! schema, and gets a value of that type or is told why there is none. The model reads; code decides.
//!
//! ```no_run
//! # use polc_llm::{Engine, Failure, Form, Question, Repair, Run, Settings, Store, prices};
//! # use polc_records::{config::Config, layout::Root, store::load_toml};
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! struct Found {
//!     /// Every animal that the page names.
//!     animals: Vec<String>,
//! }
//!
//! # async fn example(root: Root, config: Config, pages: Vec<String>) -> Result<(), Box<dyn std::error::Error>> {
//! let settings = Settings::of(&config.endpoint.unwrap(), |name| std::env::var(name).ok())?;
//! let store = Store::of(&root, &"zoo".parse()?)?;
//! let run = Run::new(settings, Engine::Endpoint, store, &prices(&root)?)?;
//! let form = Form::<Found>::of("found")?;
//! let ask_again = |faults: &[String]| format!("Answer again, without these faults:\n{}", faults.join("\n"));
//! let answers = run.each(&pages, |page| {
//!     let question = Question::new("animals of a page", "You read pages.", page, &form);
//!     let (run, ask_again) = (&run, &ask_again);
//!     async move {
//!         let check = |found: &Found| found.animals.iter().filter(|animal| !page.contains(*animal)).map(|animal| format!("`{animal}` is not on the page")).collect();
//!         Ok(run.settle(&question, &Repair { most: 2, check: &check, ask_again }).await)
//!     }
//! });
//! for answer in answers.await {
//!     let answer: Result<_, Failure> = answer;
//!     // Good: the value, and the digest of the request that a row cites. Not good: every attempt and its faults.
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What holds
//!
//! - **Why the model stopped comes first.** An answer that was cut off, refused or filtered is a [`Fault`] and is not
//!   read, even where it happens to be whole. Words around the answer are not searched for one.
//! - **The schema is checked here.** An endpoint is sent what it accepts of it (all keys required, optional ones may be
//!   null, bounds in the description); the answer is held against the whole. A key that stands twice or is unknown is
//!   refused at any depth. Types have no maps: strict modes know none.
//! - **Everything is recorded**, refusals too, under the digest of the whole request: model, texts, schema, parameters,
//!   but neither the key nor the address. A request that is recorded is not sent, whatever the engine. To hear
//!   another answer to the same question, ask for another [`Question::sample`].
//! - **A limit holds before a request is sent**, by what it may cost at most. What that is, is estimated
//!   ([`estimate`]), and an answer that is lost on the way may be charged: [`Tally::possible`] says how much that
//!   may be. A price that is not known is no price, and no limit can be held.
//! - **A failure is an item's or the run's.** [`Failure::ends_the_run`] tells which; a run that has ended sends nothing
//!   and still gives what is recorded. So does one that was stopped ([`Run::stopper`]).
//! - **The key** comes from the environment and goes into a header. It is taken out of whatever an endpoint says.
//!
//! # Engines
//!
//! [`Engine::Endpoint`] asks; [`Engine::Replay`] gives what is recorded, and for anything else the nearest recorded
//! request with the difference; [`Engine::BatchOut`] writes the requests that are not recorded
//! ([`Run::write_batch`]), and [`Engine::BatchIn`] reads the answers, after which they are recorded like all others.
//! A repair is a request like any other, so a second batch holds the repairs of the first.

mod access;
mod batch;
mod endpoint;
pub mod estimate;
mod failure;
mod fault;
mod form;
mod json;
mod meter;
mod pace;
mod plan;
mod prices;
mod question;
mod repair;
mod run;
mod settings;
mod store;
mod wire;

pub use access::{Access, AccessError};
pub use failure::Failure;
pub use fault::Fault;
pub use form::{Form, FormError};
pub use meter::Tally;
pub use pace::Pace;
pub use plan::Plan;
pub use prices::prices;
pub use question::{Answer, Question};
pub use repair::{Attempt, Repair, Unsettled};
pub use run::{Engine, Run, Stopper};
pub use settings::Settings;
pub use store::{Nearest, Store};

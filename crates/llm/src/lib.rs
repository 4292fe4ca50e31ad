//! Asks a language model, and lets nothing through that was not asked for.
//!
//! A stage asks with a [`Run`]. It says what the answer must look like with a [`Form`], a Rust type with its JSON
//! schema, and gets a value of that type or is told why there is none. The model reads; code decides.
//!
//! ```rust,ignore
#![doc = include_str!("../tests/it/example.rs")]
//! ```
//!
//! # How a stage is built on it
//!
//! 1. **Types.** An answer is a struct of strings, numbers, lists, options and closed enums that derives
//!    `Deserialize` and `JsonSchema`; [`Form::of`] makes its form. What an answer may name only in one question, such as
//!    the ids of a batch, goes into a schema of one's own ([`Form::with`]) or into the check. Types have no maps.
//! 2. **Questions.** A [`Question`] has a label for people, a system text, a text with the document in it, and a form.
//!    The request that it becomes is a function of these, the model and the parameters: no clock, no chance. To mark off
//!    the document, so that it cannot end its own block, is the matter of the one who writes the text.
//! 3. **A dry run.** [`Run::request`] and [`Run::plan`] say what the first round would take; repairs come on top.
//! 4. **Asking.** [`Run::each`] works on many items at a time; [`Run::settle`] asks one question, hands the value to a
//!    check that gives its faults in words, and asks again with them, at most [`Repair::most`] times. [`Run::ask`]
//!    asks once. Several answers to one question have several numbers in [`Question::sample`].
//! 5. **What did not come.** [`Unsettled`] has every attempt with its fault and, where it had the form, its value: what
//!    is good in half an answer may still be used. [`Run::ended`] says why nothing was sent any more. A stage writes
//!    what it has, reports the rest, and exits with 2; the next run asks only for what is missing.
//! 6. **A batch.** With [`Engine::BatchOut`] every question that is not recorded fails with [`Failure::Written`], and
//!    [`Run::write_batch`] writes them. With [`Engine::BatchIn`] the same questions are asked, and what the file has
//!    no answer for fails with [`Failure::NotInBatch`]; [`Run::unused`] are answers that nobody asked for. A repair is
//!    a request like any other, so a second batch holds the repairs of the first.
//! 7. **What a project keeps.** [`Answer::request`] is the digest that a row cites. [`Store::keep`] copies the answers
//!    to such digests into the folder that a project has in version control, where [`Engine::Replay`] finds them. An
//!    answer that took a repair needs the answers before it too, since a replay goes the same way: [`Answer::requests`].
//!    So does a question that was never answered well: [`Attempt::request`].
//! 8. **Stopping.** [`Run::stopper`], and [`Stopper::stop_on_interrupt`] beside the work, for a person at a terminal.
//!
//! # What holds
//!
//! - **Why the model stopped comes first.** An answer that was cut off, refused or filtered is a [`Fault`] and is not
//!   read, even where it happens to be whole. Words around the answer are not searched for one; a fence of Markdown
//!   around the whole is taken away.
//! - **The schema is checked here.** An endpoint is sent what it accepts of it (all keys required, optional ones may be
//!   null, bounds in the description); the answer is held against the whole. A key that stands twice or is unknown is
//!   refused at any depth.
//! - **Everything that a model says is recorded**, refusals too, under the digest of the whole request: model, texts,
//!   schema, parameters, but neither the key nor the address. What nobody understands is not: a page of a proxy, an
//!   empty answer, a stop for an unknown reason. A request that is recorded is not sent, whatever the engine. Where two
//!   processes ask the same at once, both go on from the answer that was recorded first.
//! - **A limit holds before a request is sent.** What a request may cost at most is set aside first: every byte of it
//!   a token, its answer as long as it may be, and once more for each attempt whose answer was lost on the way and may
//!   be charged ([`Tally::possible`]). What is not needed is free again when the answer is counted. A price that is
//!   not known is no price, and no limit can be held. The limit is one of a run and of the prices in the file.
//! - **A failure is an item's or the run's.** [`Failure::ends_the_run`] tells which; a run that has ended sends nothing
//!   and still gives what is recorded. So does one that was stopped.
//! - **The key** comes from the environment and goes into a header. It is taken out of whatever an endpoint says.
//!
//! # Engines
//!
//! [`Engine::Endpoint`] asks. [`Engine::Replay`] gives what is recorded, and for anything else the nearest recorded
//! request with the difference. The batch engines write requests and read answers. All of them check and record
//! answers in the same way. A baseline without a model answers no requests, and is none of them: a stage chooses
//! between it and a run.

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

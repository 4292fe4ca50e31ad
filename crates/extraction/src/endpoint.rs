//! The engine with a model: it reads a passage and reports, and code decides what of that is admitted.
//!
//! What the model says goes through one door, `check`: what is wrong with an answer is asked again, and when it has
//! been asked often enough, what is good of the last answer is taken item by item and the rest is reported.

pub mod answer;
mod assess;
mod catalogue;
mod check;
mod draw;
mod passage;
mod rows;
mod unquoted;
mod unseen;

pub(crate) use assess::PageValues;
pub use assess::{Assessed, Pages};
pub use draw::{Drawn, Passages};
pub(crate) use passage::PassageValues;
pub use passage::Suspicions;

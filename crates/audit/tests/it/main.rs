//! The audit, apart from files.

mod agreement;
mod allocation;
mod draw;
mod estimate;
mod made;
mod score;
mod sheet;

//! The audit of checkers (B.6): how many are drawn of each project, which ones, what two raters say of them who know
//! nothing of each other, and what follows for all of them.
//!
//! Everything is a function of what is passed in. The sheets are bytes of a workbook; nothing here opens a file, reads
//! a clock or prints.

pub mod agreement;
pub mod allocation;
pub mod draw;
pub mod estimate;
pub mod population;
pub mod ratings;
pub mod report;
pub mod review;
pub mod score;
pub mod sheet;
mod stream;

//! From outcome rows to rates and verdicts. Pure: no files, no clock; what it needs is passed in.
//!
//! Background: 3.5 and C.4 of the paper.

pub mod check;
pub mod metrics;
pub mod rows;

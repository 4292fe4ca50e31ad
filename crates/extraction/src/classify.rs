//! Classification: facts in, label out (B.4, D.1). An engine answers facts; the tables decide.

pub mod decide;
pub mod definitions;
pub mod duplicates;
pub mod endpoint;
pub mod facts;
pub mod relabel;
pub mod rubric;

//! What a generated checker links against.
//!
//! A checker is a declaration and two functions. The precondition selects targets and judges
//! nothing; the post-condition judges one target and selects nothing. Everything else is here:
//! evidence, ownership, the arithmetic of outcomes, cases, and the executable that a crate of
//! checkers becomes. This crate uses none of ours, so that generated crates compile against it alone.
//!
//! Background: 3.1.2, B.5 and C.4 of the paper.

pub mod activity;
pub mod cargo;
pub mod cases;
pub mod declaration;
pub mod diff;
pub mod docstring;
pub mod evidence;
pub mod executable;
pub mod explain;
pub mod found;
pub mod fragment;
pub mod issue;
pub mod markdown;
pub mod message;
pub mod outcome;
pub mod pack;
pub mod patch;
pub mod pattern;
pub mod proposal;
pub mod python;
pub mod rst;
pub mod rust;
pub mod shell;
pub mod target;
pub mod test_output;
pub mod view;

pub use declaration::{Declaration, Direction, Exactness, Exemption, Layer, Ownership, Read, State, Trace};
pub use evidence::{Commit, Evidence, FileChange, PullRequest};
pub use found::{InCommit, InFile, InProposal};
pub use outcome::{Judgement, Missing, Outcome};
pub use pack::{Checker, Entry, Pack};
pub use pattern::Pattern;
pub use target::{Line, Span, Target, Whole};
pub use view::{Selection, Text, View};

/// The version of this runtime, which every outcome row names.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

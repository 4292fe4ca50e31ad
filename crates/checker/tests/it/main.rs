//! The runtime against git, the hard cases, and checkers made for the purpose.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails its test")]

mod activities;
mod arithmetic;
mod changelogs;
mod diffs;
mod docstrings;
mod guide;
mod hostile;
mod markdown;
mod messages;
mod oracle;
mod pack40;
mod patches;
mod python;
mod python_hostile;
mod python_trees;
mod readers;
mod rst;
mod shell;
mod test_output;

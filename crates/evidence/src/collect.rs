//! The scripts that a harness runs where an agent works: before it begins, and after it has ended.
//!
//! They are POSIX shell and print the format that runs are read from.

/// What both scripts begin with.
const COMMON: &str = include_str!("collect/common.sh");

/// A script for a harness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// What there is before an agent begins.
    Probe,
    /// What there is after it has ended.
    Collect,
}

impl Script {
    /// The script, whole.
    pub fn text(self) -> String {
        let own = match self {
            Script::Probe => include_str!("collect/probe.sh"),
            Script::Collect => include_str!("collect/collect.sh"),
        };
        format!("{COMMON}{own}")
    }
}

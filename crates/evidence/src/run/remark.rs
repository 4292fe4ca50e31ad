//! What has to be said of a run that was read.

use std::fmt;

/// Something odd about a run, or something that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// Two sources say different things, and the first one went before the other.
    Differs {
        /// Of what.
        what: &'static str,
        /// What was taken, and from where.
        taken: (String, &'static str),
        /// What else was said, and where.
        other: (String, &'static str),
    },
    /// A setting that has no meaning here.
    UnknownSetting {
        /// As it was recorded.
        setting: String,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Differs { what, taken, other } => {
                write!(f, "the {what} is `{}` by {} and `{}` by {}", taken.0, taken.1, other.0, other.1)
            }
            Remark::UnknownSetting { setting } => {
                write!(f, "`{setting}` is no setting: neither native (naive) nor consolidated (guided)")
            }
        }
    }
}

//! What has to be said of a run that was read.

use crate::reports::Class;
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
    /// The run was cut off before it handed anything in.
    CutOff,
    /// No patch was handed in or recorded.
    NoPatch,
    /// What was committed is not told from what was left in the tree.
    NotToldApart,
    /// What the collect script printed lies beside the run too, and says other things.
    CollectedTwice,
    /// There is no log of the commits.
    NoLog,
    /// There is no log of the commits: they are taken from the agent's commands.
    Scraped {
        /// How many.
        commits: usize,
    },
    /// There is no log of the commits, and a command makes one without saying its message.
    NotScraped,
    /// A part is there and cannot be read.
    Unreadable {
        /// Which.
        what: &'static str,
        /// Why.
        why: String,
    },
    /// No clone was given, so that whole texts are missing.
    NoClone {
        /// Of how many files.
        files: usize,
    },
    /// The clone cannot be read, or does not have the commit.
    NoBase {
        /// Why.
        why: String,
    },
    /// The text of a file is not known.
    NotRebuilt {
        /// Which.
        path: String,
        /// Why.
        why: String,
    },
    /// A patch changes one path twice.
    TwoChanges {
        /// Which.
        path: String,
    },
    /// The report is a summary, which may be of other runs.
    BySummary {
        /// What it says.
        class: Class,
    },
    /// The report says that the task was not graded.
    NotGraded {
        /// What it says.
        class: Class,
    },
    /// The report is a summary that this run speaks against.
    Contradicted {
        /// What it says.
        class: Class,
    },
    /// The report is of other runs.
    ReportOfOthers {
        /// How many tasks it names.
        tasks: usize,
    },
    /// There is no report, and nothing that one could be of.
    NothingToGrade,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Differs { what, taken, other } => {
                write!(f, "the {what} is `{}` by {}, and `{}` by {}", taken.0, taken.1, other.0, other.1)
            }
            Remark::UnknownSetting { setting } => {
                write!(f, "`{setting}` is no setting: neither native (naive) nor consolidated (guided)")
            }
            Remark::CutOff => f.write_str("the run was cut off before it handed anything in"),
            Remark::NoPatch => f.write_str("no patch was handed in or recorded: what was changed is not known"),
            Remark::NotToldApart => f.write_str(
                "what was committed is not told from what was left in the tree: all of it counts as the contribution",
            ),
            Remark::CollectedTwice => f.write_str(
                "what the collect script printed differs beside the run from what was handed in, which counts",
            ),
            Remark::NoLog => f.write_str("there is no log of the commits"),
            Remark::Scraped { commits } => write!(
                f,
                "there is no log of the commits: {commits} are taken from the agent's commands, without authors"
            ),
            Remark::NotScraped => f.write_str(
                "there is no log of the commits, and the message of one stands in no command of the agent",
            ),
            Remark::Unreadable { what, why } => write!(f, "{what} cannot be read: {why}"),
            Remark::NoClone { files } => write!(
                f,
                "no clone was given: of {files} changed files only the patch is known, and what needs their texts withholds"
            ),
            Remark::NoBase { why } => write!(f, "the clone gives no texts: {why}"),
            Remark::NotRebuilt { path, why } => write!(f, "{path}: its text is not known: {why}"),
            Remark::TwoChanges { path } => write!(f, "the patch changes {path} twice"),
            Remark::BySummary { class } => {
                write!(f, "the verdict ({}) is from a summary of many runs, which may be of others", class.as_str())
            }
            Remark::NotGraded { class } => write!(f, "the run was not graded: {}", class.as_str()),
            Remark::Contradicted { class } => write!(
                f,
                "a summary of many runs says `{}`, which does not go with the patch: it is of another run",
                class.as_str()
            ),
            Remark::ReportOfOthers { tasks } => {
                write!(f, "the report beside the run is of {tasks} other tasks, and not of this one")
            }
            Remark::NothingToGrade => {
                f.write_str("the patch is empty, so that there is no report and nothing that could be graded")
            }
        }
    }
}

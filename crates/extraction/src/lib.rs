//! From documents to a corpus: the manifest is assessed, rules are drawn, decided and classified.
//!
//! Background: B.2 to B.4 and D.1 of the paper. The baseline engine reads words and phrases kept as
//! data; the tables in `rubrics/` decide.

pub mod acceptance;
pub mod asking;
pub mod assess;
pub mod baseline;
pub mod classify;
pub mod coverage;
pub mod cues;
pub mod documents;
pub mod drift;
pub mod endpoint;
pub mod freeze;
pub mod grounding;
pub mod lexis;
pub mod manifest;
pub mod prompts;
pub mod review;
pub mod rules_file;
pub mod run_log;
pub mod update;

use polc_records::Problem;

/// How many faults of one kind an error lists.
const LISTED: usize = 12;

/// Faults for the person who meets them: the first ones, and how many more there are.
fn listed(faults: &[String]) -> String {
    let mut text = faults.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join("\n");
    if faults.len() > LISTED {
        text.push_str(&format!("\n… and {} more", faults.len() - LISTED));
    }
    text
}

/// Why a stage could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum ExtractionError {
    /// A file of ours.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// A checkpoint is not passed: what is missing, and the command that shows it.
    #[error("{}\nhelp: {help}", listed(faults))]
    Gate {
        /// What is missing.
        faults: Vec<String>,
        /// What to do.
        help: String,
    },
    /// A sheet says what cannot be recorded, and nothing of it was.
    #[error("{}\nhelp: correct the sheet and read it again; nothing of it was recorded", listed(.0))]
    Sheet(Vec<String>),
    /// A person and a rebuild changed the same field otherwise.
    #[error("{file}: these fields were changed by hand and differ from what is found now:\n{}\nhelp: set each to one of the two values, then run `polc manifest` again", conflicts.join("\n"))]
    Conflict {
        /// The file.
        file: String,
        /// Source, field, and the three values.
        conflicts: Vec<String>,
    },
    /// A value cannot be written as JSON.
    #[error("{0}\nhelp: report this as a bug")]
    Json(String),
}

/// A value that cannot be written as JSON.
fn json(error: impl std::fmt::Display) -> ExtractionError {
    ExtractionError::Json(error.to_string())
}

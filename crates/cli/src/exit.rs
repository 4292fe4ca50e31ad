//! Exit codes, and the one place where an error is printed.

use polc_compile::CompileError;
use polc_evidence::EvidenceError;
use polc_extraction::ExtractionError;
use polc_git::GitError;
use polc_llm::Failure;
use polc_net::NetError;
use polc_records::Problem;
use polc_records::workbook::Faults;
use polc_sources::SourcesError;
use std::io::Write;
use std::process::ExitCode;

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did its work.
    Done = 0,
    /// It did its work and found what it looks for: violations, a difference.
    Found = 1,
    /// It could not do its work.
    Failed = 2,
    /// It was called wrongly.
    Misuse = 3,
    /// A gate is closed: a confirmation is missing or stale.
    Gate = 4,
    /// A person interrupted it.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The first stages.
    #[error(transparent)]
    Sources(#[from] SourcesError),
    /// The middle ones.
    #[error(transparent)]
    Extraction(#[from] ExtractionError),
    /// The checkers.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The evidence.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// The repository.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The network cannot be used at all.
    #[error(transparent)]
    Net(#[from] NetError),
    /// A language model was not asked, or not to the end.
    #[error(transparent)]
    Asking(#[from] Failure),
    /// Nothing can wait for the network.
    #[error("the network cannot be waited for: {0}\nhelp: close other programs and try again")]
    Runtime(String),
    /// A file.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// A workbook that came back.
    #[error("{0}\nhelp: nothing of the workbook was recorded; mend all of these in it and read it again")]
    Workbook(#[from] Faults),
    /// Ratings that cannot be scored.
    #[error("{0}\nhelp: nothing was scored; have the rater mend all of these, and score again")]
    Ratings(Faults),
    /// Two sheets that are not two people's.
    #[error(transparent)]
    NotBlind(#[from] polc_audit::score::NotBlind),
    /// A gate is closed.
    #[error("{what}\nhelp: {help}")]
    Gate {
        /// What is missing.
        what: String,
        /// What to do.
        help: String,
    },
    /// The command was called wrongly.
    #[error("{what}\nhelp: {help}")]
    Misuse {
        /// What is wrong.
        what: String,
        /// What to do.
        help: String,
    },
    /// Standard output cannot be written.
    #[error("cannot write the result: {0}")]
    Output(#[from] std::io::Error),
    /// A value cannot be written as JSON.
    #[error("cannot write the result as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl CliError {
    fn exit(&self) -> Exit {
        match self {
            CliError::Extraction(ExtractionError::Gate { .. }) | CliError::Gate { .. } => Exit::Gate,
            CliError::Misuse { .. } => Exit::Misuse,
            CliError::Asking(Failure::Interrupted) => Exit::Interrupted,
            // Whoever read the result has read enough.
            CliError::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Done,
            _ => Exit::Failed,
        }
    }
}

/// Prints an error for the person who meets it.
pub(crate) fn report(error: &CliError) -> ExitCode {
    let exit = error.exit();
    if exit != Exit::Done {
        let label = if exit == Exit::Gate { "gate" } else { "error" };
        // Where standard error is closed there is nobody to tell.
        let _written = writeln!(std::io::stderr(), "{label}: {error}");
    }
    exit.into()
}

/// Prints what is wrong with a call, or the help that was asked for.
pub(crate) fn misuse(error: &clap::Error) -> ExitCode {
    let _written = error.print();
    if error.use_stderr() { Exit::Misuse.into() } else { Exit::Done.into() }
}

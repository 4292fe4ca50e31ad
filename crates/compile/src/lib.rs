//! From a corpus to a crate of checkers.
//!
//! Rendering adds a stub for every binding rule that has no checker, and overwrites nothing but what it
//! rendered itself. This is the only crate of ours that starts cargo.

pub mod api;
pub mod build;
pub mod files;
mod plan;
pub mod pristine;
mod process;
pub mod purity;
pub mod render;
pub mod runtime;
pub mod sandbox;
pub mod status;
pub mod worker;

use polc_records::Problem;

/// Why a crate of checkers could not be rendered, built or run.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A file of ours.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// A template does not render, which is a fault of ours.
    #[error("{0}\nhelp: report this as a bug")]
    Template(#[from] minijinja::Error),
    /// The crate holds what no checker may.
    #[error("{}nothing was built\nhelp: correct what is named; docs/checkers.md says what a checker may do", listed(.0))]
    Impure(Vec<purity::Finding>),
    /// Cargo cannot be started.
    #[error("cannot run cargo: {0}\nhelp: install Rust, and see that cargo is on the PATH")]
    NoCargo(std::io::Error),
    /// The crate does not build.
    #[error("{crate_name} does not build:\n{output}\nhelp: correct the checker that the compiler names")]
    Build {
        /// The crate.
        crate_name: String,
        /// What cargo printed.
        output: String,
    },
    /// The executable of the crate cannot be run, or died.
    #[error("{program}: {message}\nhelp: {help}")]
    Run {
        /// The executable.
        program: String,
        /// What happened.
        message: String,
        /// What to do.
        help: &'static str,
    },
}

fn listed(findings: &[purity::Finding]) -> String {
    findings.iter().map(|finding| format!("{finding}\n")).collect()
}

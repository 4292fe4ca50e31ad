//! `evidence pack`: runs as lines of evidence.

use super::ordered::ordered;
use super::runs::list;
use crate::exit::CliError;
use polc_evidence::packed::Packing;
use polc_evidence::run::Options;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// What was packed.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) runs: u64,
    /// What could not be read, and why.
    pub(crate) unreadable: Vec<String>,
}

/// Packs runs into a folder.
pub(crate) fn pack(runs: &[PathBuf], options: &Options, folder: &Path) -> Result<Packed, CliError> {
    let mut packing = Packing::begin(folder)?;
    let mut unreadable = Vec::new();
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    ordered(
        threads,
        |take| list(runs, options, None, take),
        || (),
        |(), run| {
            let source = run.source.clone();
            run.read(options).map_err(|why| format!("{source}: {why}"))
        },
        |read| {
            match read {
                Ok((evidence, _)) => packing.add(&evidence)?,
                Err(why) => unreadable.push(why),
            }
            Ok::<(), CliError>(())
        },
    )?;
    Ok(Packed { runs: packing.finish()?, unreadable })
}

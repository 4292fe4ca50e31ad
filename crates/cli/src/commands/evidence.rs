//! `evidence pack`: stored runs as evidence.

use super::grade::options;
use crate::arguments::EvidenceCommand;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::pack::pack;
use serde::Serialize;

/// What was packed, as JSON.
#[derive(Debug, Serialize)]
struct PackReport<'p> {
    schema: u32,
    runs: u64,
    unreadable: &'p [String],
}

pub(super) fn run(session: &Session, given: &EvidenceCommand) -> Result<Exit, CliError> {
    let EvidenceCommand::Pack { runs, output } = given;
    let packed = pack(&runs.runs, &options(runs, None), output)?;
    for why in &packed.unreadable {
        session.tell(format!("not packed: {why}"));
    }
    let number = usize::try_from(packed.runs).unwrap_or(usize::MAX);
    session.tell(format!("{}: {} packed", output.display(), count(number, "run")));
    if session.json {
        session.print_json(&PackReport { schema: 1, runs: packed.runs, unreadable: &packed.unreadable })?;
    }
    Ok(if packed.unreadable.is_empty() { Exit::Done } else { Exit::Failed })
}

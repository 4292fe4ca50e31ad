//! `collect`: the scripts that a harness runs before and after an agent.

use crate::arguments::CollectCommand;
use crate::exit::{CliError, Exit};
use crate::session::Session;
use polc_evidence::collect::Script;

pub(super) fn run(session: &Session, which: CollectCommand) -> Result<Exit, CliError> {
    session.has_no_json("a script for a shell")?;
    let script = match which {
        CollectCommand::Probe => Script::Probe,
        CollectCommand::Collect => Script::Collect,
    };
    session.print(script.text())?;
    Ok(Exit::Done)
}

//! One file per subcommand: it reads its arguments, runs the stage, and tells what came of it.

mod accept;
mod audit;
mod check;
mod classify;
mod collect;
mod compile;
mod decide;
mod demo;
mod drift;
mod evidence;
mod explain;
mod extract;
mod grade;
mod ground;
mod hydrate;
mod import;
mod manifest_table;
mod regenerate;
mod snapshot;
mod sources;
mod stages;
mod status;
mod task;
mod waive;
mod workbook;

use crate::arguments::{Arguments, Command};
use crate::exit::{CliError, Exit};
use crate::session::Session;
use clap::CommandFactory;

/// Runs a command.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    let session = Session::new(arguments.root, arguments.json, arguments.quiet, arguments.offline);
    match arguments.command {
        Command::Init(given) => sources::init(&session, given),
        Command::Pin(given) => sources::pin(&session, &given),
        Command::Fetch(given) => sources::fetch(&session, &given.slug),
        Command::Manifest(given) => sources::manifest(&session, given),
        Command::Extract(given) => extract::run(&session, &given),
        Command::Decide(given) => decide::run(&session, &given),
        Command::Ground(given) => ground::run(&session, &given),
        Command::Freeze(given) => stages::freeze(&session, &given),
        Command::Classify(given) => classify::run(&session, &given),
        Command::Workbook(given) => workbook::run(&session, &given),
        Command::Accept(given) => accept::run(&session, &given),
        Command::RulesFile(given) => accept::rules_file(&session, &given.slug),
        Command::Compile(given) => compile::run(&session, given),
        Command::Check(given) => check::run(&session, &given),
        Command::Grade(given) => grade::run(&session, &given),
        Command::Evidence(given) => evidence::run(&session, &given),
        Command::Audit(given) => audit::run(&session, given),
        Command::Regenerate(given) => regenerate::run(&session, &given),
        Command::Explain(given) => explain::run(&session, &given.rule),
        Command::Waive(given) => waive::run(&session, given),
        Command::Import(given) => import::run(&session, &given),
        Command::Dehydrate(given) => hydrate::out(&session, &given.slug),
        Command::Hydrate(given) => hydrate::back(&session, &given),
        Command::Snapshot(given) => snapshot::run(&session, &given),
        Command::Drift(given) => drift::run(&session, &given),
        Command::Collect(given) => collect::run(&session, given),
        Command::Task(given) => task::run(&session, &given),
        Command::Status(given) => status::run(&session, given.slug.as_ref()),
        Command::Demo => demo::run(&session),
        Command::Confine { words } => {
            session.print(serde_json::to_string(&polc_compile::sandbox::launch(&words)?)?)?;
            Ok(Exit::Done)
        }
        Command::Completions { shell } => {
            session.has_no_json("a script for a shell")?;
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "polc", &mut text);
            session.print(String::from_utf8_lossy(&text))?;
            Ok(Exit::Done)
        }
    }
}

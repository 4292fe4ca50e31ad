//! `polc`, the policy compiler.

mod arguments;
mod asking;
mod commands;
mod exit;
mod network;
mod session;
mod stages;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match arguments::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return exit::misuse(&error),
    };
    match commands::run(arguments) {
        Ok(exit) => exit.into(),
        Err(error) => exit::report(&error),
    }
}

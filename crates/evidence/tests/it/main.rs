//! Evidence: from real repositories, and from what scaffolds write.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a helper of a test fails its test")]

mod activities;
mod claude_code;
mod codex;
mod openhands;
mod packs;
mod pitfalls;
mod pulls;
mod ranges;
mod reports;
mod runs;
mod samples;
mod sections;
mod swe_agent;

use polc_checker::evidence::{Action, Part, Step};
use polc_evidence::adapter::Adapter;
use polc_evidence::sample::Sample;
use polc_evidence::transcript::Transcript;

/// What an adapter reads, which would have been chosen for the text, too.
fn read_run(adapter: Adapter, text: &str) -> Transcript {
    assert_eq!(Adapter::looking(&Sample::of(text)), Some(adapter), "{text}");
    adapter.read(text).unwrap_or_else(|error| panic!("{error}"))
}

/// What an adapter says of a text that it does not read.
fn refused(adapter: Adapter, text: &str) -> String {
    adapter.read(text).unwrap_err().to_string()
}

fn shell(step: &Step) -> &str {
    step.command().unwrap_or_else(|| panic!("{:?} is no command", step.action))
}

fn tool_name(step: &Step) -> &str {
    match &step.action {
        Action::Tool { name, .. } => name,
        other => panic!("{other:?} is no tool"),
    }
}

fn edit(step: &Step) -> (&[String], &str) {
    match &step.action {
        Action::Edit { paths, text } => (paths, text),
        other => panic!("{other:?} is no edit"),
    }
}

fn recorded<T>(part: &Part<T>) -> &T {
    match part {
        Part::Recorded(value) => value,
        Part::Missing(cause) => panic!("{}", cause.as_str()),
    }
}

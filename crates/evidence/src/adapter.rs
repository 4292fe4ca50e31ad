//! Which formats there are, and which of them a file has.

use crate::sample::Sample;
use crate::transcript::{Transcript, TranscriptError};
use crate::{claude_code, codex, mini_swe_agent, openhands, plain, swe_agent};

/// A format of what a scaffold writes of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Adapter {
    /// mini-swe-agent, versions 1 and 2.
    MiniSweAgent,
    /// OpenHands, events of its SDK and the older `output.jsonl`.
    OpenHands,
    /// SWE-agent.
    SweAgent,
    /// What any other harness writes.
    Plain,
    /// Codex, `exec --json` and rollouts.
    Codex,
    /// Session logs of Claude Code.
    ClaudeCode,
}

impl Adapter {
    /// All of them, in the order in which a file is looked at.
    pub const ALL: [Adapter; 6] = [
        Adapter::MiniSweAgent,
        Adapter::OpenHands,
        Adapter::SweAgent,
        Adapter::Codex,
        Adapter::ClaudeCode,
        Adapter::Plain,
    ];

    /// The name on the command line and in the layout of runs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Adapter::MiniSweAgent => "mini-swe-agent",
            Adapter::OpenHands => "openhands",
            Adapter::SweAgent => "swe-agent",
            Adapter::Plain => "plain",
            Adapter::Codex => "codex",
            Adapter::ClaudeCode => "claude-code",
        }
    }

    /// The adapter with a name.
    pub fn named(name: &str) -> Option<Adapter> {
        Adapter::ALL.into_iter().find(|adapter| adapter.as_str() == name)
    }

    /// The adapter for a file, by what is in it.
    pub fn looking(sample: &Sample) -> Option<Adapter> {
        Adapter::ALL.into_iter().find(|adapter| adapter.recognises(sample))
    }

    /// Whether a file looks like this format.
    pub fn recognises(self, sample: &Sample) -> bool {
        match self {
            Adapter::MiniSweAgent => mini_swe_agent::recognises(sample),
            Adapter::Plain => plain::recognises(sample),
            Adapter::OpenHands => openhands::recognises(sample),
            Adapter::SweAgent => swe_agent::recognises(sample),
            Adapter::Codex => codex::recognises(sample),
            Adapter::ClaudeCode => claude_code::recognises(sample),
        }
    }

    /// Whether one line of a file of lines is a whole run, and not a part of one.
    pub fn holds_a_run(line: &Sample) -> bool {
        // OpenHands keeps the events of a run below `history`, SWE-agent has a `trajectory` beside it.
        plain::recognises(line) || line.has(&["history"]) && !line.has(&["trajectory"])
    }

    /// Reads what is in a file.
    ///
    /// # Errors
    /// Where the text is not of this format.
    pub fn read(self, text: &str) -> Result<Transcript, TranscriptError> {
        match self {
            Adapter::MiniSweAgent => mini_swe_agent::read(text),
            Adapter::Plain => plain::read(text),
            Adapter::OpenHands => openhands::read(text),
            Adapter::SweAgent => swe_agent::read(text),
            Adapter::Codex => codex::read(text),
            Adapter::ClaudeCode => claude_code::read(text),
        }
    }
}

impl std::fmt::Display for Adapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

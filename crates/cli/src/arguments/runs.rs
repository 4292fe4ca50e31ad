//! What is said on the command line of stored runs and of those who make them.

use super::web_address;
use clap::{Args, Subcommand, ValueEnum};
use polc_evidence::adapter::Adapter;
use polc_grading::rows::ListPart;
use polc_net::Url;
use polc_records::ids::Slug;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

/// Stored runs, and what is known of them.
#[derive(Debug, Args)]
pub(crate) struct RunsArguments {
    /// Runs as a scaffold wrote them, folders of such, files of evidence with one run a line, folders of packed
    /// evidence, or addresses of pull requests on GitHub; `-` reads lines of evidence from standard input.
    #[arg(required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// What format the runs are in; without it, that is read from their folders or from the runs themselves.
    #[arg(long, value_parser = adapter)]
    pub(crate) adapter: Option<Adapter>,
    /// A local clone of the project, from which the texts of files are taken.
    #[arg(long, value_name = "PATH")]
    pub(crate) clone: Option<PathBuf>,
}

/// `grade`.
#[derive(Debug, Args)]
pub(crate) struct GradeArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    #[command(flatten)]
    pub(crate) runs: RunsArguments,
    /// How rows are written.
    #[arg(long, value_enum, default_value = "jsonl")]
    pub(crate) format: RowFormat,
    /// Write the rows to a file, and not to standard output; a grade that was interrupted goes on where it was.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// How many runs are graded at the same time; without it, as many as there are processors.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// How long the checkers may take over one run, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) time_limit: NonZeroU32,
    /// Grade every N-th run of the list alone, from the K-th on.
    #[arg(long, value_name = "K/N", value_parser = part)]
    pub(crate) part: Option<ListPart>,
    /// Grade one run by one rule, and tell what the outcome rests on: RUN is its id or its source.
    #[arg(long, num_args = 2, value_names = ["RUN", "RULE"], conflicts_with_all = ["output", "threads", "part", "merge"])]
    pub(crate) explain: Option<Vec<String>>,
    /// Grade nothing: RUNS are the rows of all parts of a list, to be put together.
    #[arg(long, conflicts_with_all = ["adapter", "clone", "threads", "time_limit", "part"])]
    pub(crate) merge: bool,
}

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// One JSON value a line.
    Jsonl,
}

/// `evidence`.
#[derive(Debug, Subcommand)]
pub(crate) enum EvidenceCommand {
    /// Write runs as lines of evidence, with their large texts in a store beside them.
    Pack {
        #[command(flatten)]
        runs: RunsArguments,
        /// The folder, which must not exist or be empty.
        #[arg(short, long, value_name = "FOLDER")]
        output: PathBuf,
    },
}

/// `collect`.
#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum CollectCommand {
    /// Record what there is before an agent begins.
    Probe,
    /// Record what there is after it has ended.
    Collect,
}

/// `task`.
#[derive(Debug, Subcommand)]
pub(crate) enum TaskCommand {
    /// Print what is added to the prompt of a task: scope, rules, submission.
    Render(TaskRenderArguments),
}

/// `task render`.
#[derive(Debug, Args)]
pub(crate) struct TaskRenderArguments {
    /// The id of the task, as in org__repo-1, or a JSON file with one task.
    pub(crate) instance: String,
    /// How the agent gets at the project's rules.
    #[arg(value_enum)]
    pub(crate) setting: SettingName,
    /// Tasks as JSON or JSON lines, of which the id names one.
    #[arg(long, value_name = "FILE")]
    pub(crate) tasks: Option<PathBuf>,
    /// The scaffold's own prompt: what contradicts the text is taken out, and the text is added below.
    #[arg(long, value_name = "FILE")]
    pub(crate) prompt: Option<PathBuf>,
    /// Where contributors begin to read, in place of what the project names.
    #[arg(long, value_name = "URL", value_parser = web_address)]
    pub(crate) docs: Option<Url>,
    /// Where the rules file is mounted for the agent.
    #[arg(long, value_name = "PATH", default_value = "/rules/CONTRIBUTING_RULES.md")]
    pub(crate) rules_file: String,
    /// The command that hands the work in.
    #[arg(long, value_name = "COMMAND", default_value = "sh /opt/polc/collect.sh")]
    pub(crate) submit: String,
}

/// How an agent gets at the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SettingName {
    /// It is told where they are published.
    Native,
    /// They are in one file of its environment.
    Consolidated,
}

/// A format of stored runs.
fn adapter(text: &str) -> Result<Adapter, String> {
    let names = || Adapter::ALL.map(Adapter::as_str).join(", ");
    Adapter::named(text).ok_or_else(|| format!("there are {}", names()))
}

/// A part of a list.
fn part(text: &str) -> Result<ListPart, &'static str> {
    let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((part, of)) if 1 <= part && part <= of => Ok(ListPart { part, of }),
        Some(_) | None => Err("write K/N, as in 2/8, with K from 1 to N"),
    }
}

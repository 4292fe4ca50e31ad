//! What is said on the command line of an audit.

use crate::asking::AskArguments;
use clap::{Args, Subcommand, ValueEnum};
use polc_records::ids::{RuleId, Slug};
use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

/// `audit`.
#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Tell how many checkers are drawn of each project.
    Plan(PlanArguments),
    /// Draw a sample.
    Draw(DrawArguments),
    /// Write a sheet for each of two raters.
    Sheets(SheetsArguments),
    /// Run a case that a rater made through a checker, and keep it with the rating.
    Try(TryArguments),
    /// Have a model review all checkers by the same criteria, for comparison only.
    Automated(AutomatedArguments),
    /// Tell how far the raters agree, and what follows for all checkers.
    Score(ScoreArguments),
}

/// What is drawn from, and how many.
#[derive(Debug, Args)]
pub(crate) struct PlanArguments {
    /// A CSV file of labels with the columns policy_id, project, evidence_type and check; or `corpora`, the projects of
    /// this root that have checkers.
    #[arg(long, value_name = "FILE|corpora", default_value = "corpora")]
    pub(crate) population: PopulationSource,
    /// How many checkers are drawn in all.
    #[arg(long, value_name = "N")]
    pub(crate) size: usize,
    /// Projects with so many checkers or fewer are taken whole.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) census: usize,
    /// The fewest that are drawn of any other project.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) floor: usize,
}

/// What is drawn from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PopulationSource {
    /// The checkers of the root.
    Corpora,
    /// A table of labels.
    File(PathBuf),
}

impl FromStr for PopulationSource {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "corpora" => PopulationSource::Corpora,
            path => PopulationSource::File(PathBuf::from(path)),
        })
    }
}

/// `audit draw`.
#[derive(Debug, Args)]
pub(crate) struct DrawArguments {
    /// The name of the audit: its folder below `audit`.
    pub(crate) name: Slug,
    #[command(flatten)]
    pub(crate) plan: PlanArguments,
    /// The seed: the same seed draws the same sample, for ever.
    #[arg(long)]
    pub(crate) seed: u64,
}

/// `audit sheets`.
#[derive(Debug, Args)]
pub(crate) struct SheetsArguments {
    /// The name of the audit.
    pub(crate) name: Slug,
    /// A rater; name two.
    #[arg(long = "rater", value_name = "NAME", required = true)]
    pub(crate) raters: Vec<String>,
}

/// `audit try`.
#[derive(Debug, Args)]
pub(crate) struct TryArguments {
    /// The rule whose checker is tried.
    pub(crate) check: RuleId,
    /// The case, in the form of the authored cases.
    #[arg(long, value_name = "FILE")]
    pub(crate) case: PathBuf,
    /// The name of the audit.
    #[arg(long, value_name = "NAME")]
    pub(crate) audit: Slug,
    /// Who rates.
    #[arg(long, value_name = "NAME")]
    pub(crate) rater: String,
}

/// `audit automated`.
#[derive(Debug, Args)]
pub(crate) struct AutomatedArguments {
    /// The name of the audit.
    pub(crate) name: Slug,
    #[command(flatten)]
    pub(crate) ask: AskArguments,
    /// Review the checkers of one project alone: a batch is of one project.
    #[arg(long, value_name = "SLUG")]
    pub(crate) project: Option<Slug>,
}

/// `audit score`.
#[derive(Debug, Args)]
pub(crate) struct ScoreArguments {
    /// The name of the audit.
    pub(crate) name: Slug,
    /// The ratings of one rater as a CSV file, whose name is the rater's; name two. Without it, the two sheets are read.
    #[arg(long = "ratings", value_name = "FILE")]
    pub(crate) ratings: Vec<PathBuf>,
    /// How the report is printed.
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: ScoreFormat,
}

/// How a report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScoreFormat {
    /// For a terminal.
    Text,
    /// A figure on a line.
    Csv,
    /// A page.
    Markdown,
}

//! The command line: one table for flags, help and completions.

mod audit;
mod runs;

pub(crate) use audit::{
    AuditCommand, AutomatedArguments, DrawArguments, PlanArguments, PopulationSource, ScoreArguments,
    ScoreFormat, SheetsArguments, TryArguments,
};
pub(crate) use runs::{
    CollectCommand, EvidenceCommand, GradeArguments, RowFormat, RunsArguments, SettingName, TaskCommand,
    TaskRenderArguments,
};

use crate::asking::AskArguments;
use clap::{Args, Parser, Subcommand, ValueEnum};
use polc_net::Url;
use polc_records::ids::{Repository, RuleId, Slug};
use polc_records::pin::UrlRow;
use polc_sources::pin::site::{Hand, Place};
use std::num::NonZeroU32;
use std::path::PathBuf;

/// The policy compiler: contributor documentation in, executable checkers out.
#[derive(Debug, Parser)]
#[command(name = "polc", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// The folder with polc.toml; without it, the nearest one at or above the current folder.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Print the result as JSON: for a stage, where the project stands after it.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Send nothing to any server: what is not held is an error.
    #[arg(long, global = true)]
    pub(crate) offline: bool,
    /// Print nothing but the result and errors.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// In the order of the work.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start a project.
    Init(InitArguments),
    /// Pin the commit, the policy files and the version of the documentation that everything is read at.
    Pin(PinArguments),
    /// Fetch the raw policy files at the pin.
    Fetch(ProjectArguments),
    /// Assess every source, or confirm the assessment.
    Manifest(ManifestArguments),
    /// Propose rows from the confirmed sources.
    Extract(ExtractArguments),
    /// Decide on the proposed rows by a sheet.
    Decide(DecideArguments),
    /// Check every quote against the snapshots.
    Ground(GroundArguments),
    /// Freeze the decided rows and give them their ids.
    Freeze(SignedArguments),
    /// Classify the frozen rows.
    Classify(ClassifyArguments),
    /// Write the corpus as a workbook, or read the labels that were changed in one.
    Workbook(WorkbookArguments),
    /// Run the checks of checkpoint 3 on the corpus, and record who read it.
    Accept(AcceptArguments),
    /// Write the binding rules for whoever contributes.
    RulesFile(ProjectArguments),
    /// Render stubs, run the authored cases, or tell what is written.
    Compile(CompileArguments),
    /// Grade the commits between two revisions.
    Check(CheckArguments),
    /// Grade stored runs, or merge the rows of several grades.
    Grade(GradeArguments),
    /// Pack stored runs as evidence.
    #[command(subcommand)]
    Evidence(EvidenceCommand),
    /// Draw a sample of the checkers, have it rated by two people, and score it.
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Make everything after the freeze again, build the checkers and run their cases.
    Regenerate(RegenerateArguments),
    /// Read in a released extraction or corpus.
    Import(ImportArguments),
    /// Put references in the place of what a project quotes, so that it can be published.
    Dehydrate(ProjectArguments),
    /// Restore the files of a project that stand by reference from the snapshots.
    Hydrate(HydrateArguments),
    /// Check, clear or copy the store of snapshots.
    #[command(subcommand)]
    Snapshot(SnapshotCommand),
    /// Tell what became of every rule since its documentation was read.
    Drift(DriftArguments),
    /// Print a script for the harness that runs agents.
    #[command(subcommand)]
    Collect(CollectCommand),
    /// Write what a harness tells an agent.
    #[command(subcommand)]
    Task(TaskCommand),
    /// Tell which stage is done, stale or waiting, and what comes next.
    Status(StatusArguments),
    /// Tell all that is known of a rule.
    Explain(RuleArguments),
    /// Let violations of a rule fail no check for a while.
    Waive(WaiveArguments),
    /// Run every stage on the repository's own contributor documentation.
    Demo,
    /// Start an executable of checkers, with nothing but what it needs: polc starts itself with it.
    #[command(hide = true)]
    Confine {
        /// The seconds that it may compute, the executable, and its arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// A project.
#[derive(Debug, Args)]
pub(crate) struct ProjectArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
}

/// `init`.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The repository on its code host, as org/repo.
    pub(crate) repository: Repository,
    /// The slug, where the default will not do.
    #[arg(long)]
    pub(crate) slug: Option<Slug>,
    /// A local git checkout of the repository; without it, it is read on GitHub.
    #[arg(long, value_name = "PATH")]
    pub(crate) git: Option<PathBuf>,
    /// The page of its published documentation where contributors begin to read.
    #[arg(long, value_name = "URL", value_parser = web_address)]
    pub(crate) docs: Option<Url>,
    /// Read the published documentation alone, and the repository nowhere.
    #[arg(long, requires = "docs", conflicts_with = "git")]
    pub(crate) site_alone: bool,
    /// What kind of run the rules are for: a table of rubrics/setting.toml.
    #[arg(long, default_value = "patch")]
    pub(crate) setting: String,
}

/// `pin`.
#[derive(Debug, Args)]
pub(crate) struct PinArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    /// The commit, branch or tag to pin.
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub(crate) commit: String,
    /// Read the published documentation on a mirror that begins here; `PUBLISHED=SERVED` says what of.
    #[arg(long, value_name = "URL", value_parser = place)]
    pub(crate) served: Option<Place>,
    /// The version of the documentation, where its site does not settle it.
    #[arg(long, value_name = "V", value_parser = name, requires = "reason", conflicts_with = "unversioned")]
    pub(crate) version: Option<String>,
    /// Pin the documentation without a version, where nothing on its site states one.
    #[arg(long, requires = "reason")]
    pub(crate) unversioned: bool,
    /// Why the version is settled by hand.
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    pub(crate) reason: Option<String>,
}

impl PinArguments {
    /// What a person says of the version.
    pub(crate) fn hand(&self) -> Option<Hand> {
        let reason = self.reason.clone()?;
        match &self.version {
            Some(value) => Some(Hand::Version { value: value.clone(), reason }),
            None => self.unversioned.then_some(Hand::Unversioned { reason }),
        }
    }
}

/// `manifest`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ManifestArguments {
    /// `confirm`.
    #[command(subcommand)]
    pub(crate) step: Option<ManifestStep>,
    /// The project's slug.
    #[arg(required = true)]
    pub(crate) slug: Option<Slug>,
    /// Print the manifest as a table; assess nothing.
    #[arg(long)]
    pub(crate) show: bool,
    #[command(flatten)]
    pub(crate) ask: AskArguments,
}

/// Steps of `manifest`.
#[derive(Debug, Subcommand)]
pub(crate) enum ManifestStep {
    /// Checkpoint 1: confirm the manifest as it stands.
    Confirm(SignedArguments),
}

/// A project, and who takes responsibility.
#[derive(Debug, Args)]
pub(crate) struct SignedArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    /// Who decides.
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) by: String,
}

/// `extract`.
#[derive(Debug, Args)]
pub(crate) struct ExtractArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    #[command(flatten)]
    pub(crate) ask: AskArguments,
    /// Take the rows of the last freeze over to sources that have changed since, and read again only what changed;
    /// nobody is asked.
    #[arg(long, conflicts_with_all = ["file", "engine", "dry_run", "max_cost"])]
    pub(crate) update: bool,
}

/// `drift`.
#[derive(Debug, Args)]
pub(crate) struct DriftArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    /// The commit, branch or tag of the checkout to compare with.
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub(crate) commit: String,
    /// Read the published documentation on a mirror that begins here, and not where it was read for the pin.
    #[arg(long, value_name = "URL", value_parser = place)]
    pub(crate) served: Option<Place>,
    /// Compare with what is pinned and fetched, and ask nobody.
    #[arg(long, conflicts_with_all = ["commit", "served"])]
    pub(crate) pinned: bool,
}

/// `classify`.
#[derive(Debug, Args)]
pub(crate) struct ClassifyArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    #[command(flatten)]
    pub(crate) ask: AskArguments,
    /// How many answers are asked for on each rule: what most of them say holds, and rules whose label differs
    /// between them are marked.
    #[arg(long, value_name = "K", default_value = "1")]
    pub(crate) samples: NonZeroU32,
}

/// `decide`.
#[derive(Debug, Args)]
pub(crate) struct DecideArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    /// Write a sheet of the rows that are not decided yet; `-` is standard output.
    #[arg(long, value_name = "FILE", required_unless_present = "from", conflicts_with = "from")]
    pub(crate) sheet: Option<PathBuf>,
    /// Put the decided rows on the sheet too.
    #[arg(long, requires = "sheet")]
    pub(crate) all: bool,
    /// Read a sheet and record its decisions.
    #[arg(long, value_name = "FILE", requires = "by")]
    pub(crate) from: Option<PathBuf>,
    /// Who decided.
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) by: Option<String>,
}

/// `ground`.
#[derive(Debug, Args)]
pub(crate) struct GroundArguments {
    /// The project's slug, or a released file: a table as text, or a workbook.
    #[arg(value_name = "SLUG|FILE")]
    pub(crate) what: PathBuf,
    /// Where the quotes of a file are sought: in a project's sources, or in the documents of a folder that are published
    /// below an address; without it, in the project that the file's ids name.
    #[arg(long = "in", value_name = "SLUG|URL=FOLDER", value_parser = ground_place)]
    pub(crate) places: Vec<GroundPlace>,
}

/// Where quotes are sought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GroundPlace {
    /// In the sources of a project.
    Project(Slug),
    /// In the documents of a folder.
    Folder(PublishedFolder),
}

/// A folder of documents that are published below an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PublishedFolder {
    /// How their addresses begin.
    pub(crate) published: Url,
    /// The folder.
    pub(crate) folder: PathBuf,
}

/// `workbook`.
#[derive(Debug, Args)]
pub(crate) struct WorkbookArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    /// Read a workbook and record the labels that were changed in it.
    #[arg(long, value_name = "FILE", requires = "by")]
    pub(crate) from: Option<PathBuf>,
    /// Who changed them.
    #[arg(long, value_name = "NAME", value_parser = name, requires = "from")]
    pub(crate) by: Option<String>,
}

/// `compile`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct CompileArguments {
    /// `test` or `status`.
    #[command(subcommand)]
    pub(crate) step: Option<CompileStep>,
    /// The project's slug.
    #[arg(required = true)]
    pub(crate) slug: Option<Slug>,
    /// Render a stub for every binding rule that has no checker.
    #[arg(long, required = true)]
    pub(crate) stubs: bool,
}

/// Steps of `compile`.
#[derive(Debug, Subcommand)]
pub(crate) enum CompileStep {
    /// Build the crate and run its authored cases.
    Test {
        /// The project's slug.
        slug: Slug,
        /// Replace every function by a blunt one: each rule with a contrary case has to fail.
        #[arg(long, value_enum)]
        blunt: Option<BluntName>,
        /// Report stubs, but do not fail on them.
        #[arg(long)]
        allow_stubs: bool,
    },
    /// Tell which checkers are written, stubs, changed or orphaned.
    Status(ProjectArguments),
}

/// What replaces the functions of a checker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BluntName {
    /// A post-condition that is always satisfied.
    Satisfied,
    /// A post-condition that is always violated.
    Violated,
    /// A precondition that selects nothing.
    Nothing,
}

/// `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    /// The revision that the contribution is proposed to.
    #[arg(long, value_name = "REV")]
    pub(crate) base: String,
    /// The last commit of the contribution.
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub(crate) head: String,
    /// The pull request's text: the title on the first line, the body below.
    #[arg(long, value_name = "FILE")]
    pub(crate) pr_text: Option<PathBuf>,
    /// How the report is printed; --json is short for json.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: ReportFormat,
    /// Which violations fail the check.
    #[arg(long, value_enum, default_value = "exact")]
    pub(crate) fail_on: FailOnName,
    /// Let rules that need a person in the loop fail the check too.
    #[arg(long)]
    pub(crate) include_human: bool,
    /// Report stubs, but do not fail on them.
    #[arg(long)]
    pub(crate) allow_stubs: bool,
}

/// How a report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people.
    Human,
    /// For programs.
    Json,
}

/// Which violations fail a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOnName {
    /// Those of exact checkers.
    Exact,
    /// Those of approximate ones too.
    All,
    /// None.
    None,
}

/// `import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// The released file: a table as text, or a workbook.
    pub(crate) file: PathBuf,
    /// Who takes responsibility.
    #[arg(long, value_name = "NAME", value_parser = name, required_unless_present = "dry_run")]
    pub(crate) by: Option<String>,
    /// The repository on its code host, as org/repo; of a project that exists it is known.
    #[arg(long, value_name = "ORG/REPO")]
    pub(crate) repository: Option<Repository>,
    /// The slug; without it, the prefix of the ids in lower case.
    #[arg(long)]
    pub(crate) slug: Option<Slug>,
    /// What kind of run the rules are for: a table of rubrics/setting.toml.
    #[arg(long)]
    pub(crate) setting: Option<String>,
    /// Tell what is odd, and write nothing.
    #[arg(long, conflicts_with_all = ["repository", "setting"])]
    pub(crate) dry_run: bool,
}

/// `hydrate`.
#[derive(Debug, Args)]
pub(crate) struct HydrateArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    /// Take snapshots that lack from a folder that `snapshot export` made.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) from: Option<PathBuf>,
}

/// `status`.
#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    /// One project; without it, all of them.
    pub(crate) slug: Option<Slug>,
}

/// `snapshot`.
#[derive(Debug, Subcommand)]
pub(crate) enum SnapshotCommand {
    /// Check that every document of the store is what it was.
    Verify,
    /// Remove what no project names any more.
    Gc,
    /// Copy what a project names into a folder.
    Export {
        /// The project's slug.
        slug: Slug,
        /// The folder, which must not exist.
        folder: PathBuf,
    },
}

/// `accept`.
#[derive(Debug, Args)]
pub(crate) struct AcceptArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    /// Who read the corpus, the report and the run log.
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) by: Option<String>,
}

/// `regenerate`.
#[derive(Debug, Args)]
pub(crate) struct RegenerateArguments {
    /// The project's slug.
    pub(crate) slug: Slug,
    /// Write nothing: compare each file with what would be made, and show the differences.
    #[arg(long)]
    pub(crate) check: bool,
}

/// A rule.
#[derive(Debug, Args)]
pub(crate) struct RuleArguments {
    /// Its id.
    pub(crate) rule: RuleId,
}

/// `waive`.
#[derive(Debug, Args)]
pub(crate) struct WaiveArguments {
    /// The id of the rule.
    pub(crate) rule: RuleId,
    /// Why.
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    pub(crate) reason: String,
    /// The last day on which it is waived, as in 2030-12-31.
    #[arg(long, value_name = "DATE")]
    pub(crate) until: jiff::civil::Date,
}

/// An address of the web.
fn web_address(text: &str) -> Result<Url, String> {
    let url =
        Url::parse(text).map_err(|error| format!("{error}; write it whole, as in https://docs.example/"))?;
    match url.scheme() {
        "http" | "https" if !url.username().is_empty() || url.password().is_some() => {
            Err("it holds a name or a password, which would end up in files; leave them out".to_owned())
        }
        "http" | "https" => Ok(url),
        other => Err(format!("`{other}` is not of the web; write one that begins with https://")),
    }
}

/// Where a site is read in place of its published address.
fn place(text: &str) -> Result<Place, String> {
    let folder = |text: &str| {
        web_address(if text.ends_with('/') { text.to_owned() } else { format!("{text}/") }.as_str())
    };
    match text.split_once("=http") {
        Some((published, _)) => {
            let served = folder(&text[published.len() + 1..])?;
            Ok(Place::Row(UrlRow { published: folder(published)?, served }))
        }
        None => Ok(Place::Mirror(folder(text)?)),
    }
}

/// Where quotes are sought.
fn ground_place(text: &str) -> Result<GroundPlace, String> {
    match text.rsplit_once('=') {
        Some((published, folder)) => Ok(GroundPlace::Folder(PublishedFolder {
            published: web_address(published)?,
            folder: PathBuf::from(folder),
        })),
        None => text.parse().map(GroundPlace::Project).map_err(|error| error.to_string()),
    }
}

fn reason(text: &str) -> Result<String, &'static str> {
    let reason = text.trim();
    if reason.is_empty() {
        Err("a reason is needed: whoever meets it later reads it")
    } else {
        Ok(reason.to_owned())
    }
}

/// The name of whoever takes responsibility.
fn name(text: &str) -> Result<String, &'static str> {
    let name = text.trim();
    match name {
        "" => Err("a name is needed: who decided is recorded"),
        name if name.chars().any(char::is_control) => Err("a name is one line of text"),
        name => Ok(name.to_owned()),
    }
}

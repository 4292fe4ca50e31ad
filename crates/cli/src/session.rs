//! What every command needs: the root, and where to print.

use crate::exit::CliError;
use crate::stages::hydrate::require_whole;
use polc_compile::sandbox::Confinement;
use polc_records::config::Config;
use polc_records::ids::Slug;
use polc_records::layout::{CONFIG_FILE, Root};
use polc_records::project::Project;
use polc_records::store::load_toml;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// A run of the program.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    root: Option<PathBuf>,
    /// Whether the result is printed as JSON.
    pub(crate) json: bool,
    quiet: bool,
    /// Whether nothing is sent to any server.
    pub(crate) offline: bool,
}

impl Session {
    pub(crate) fn new(root: Option<PathBuf>, json: bool, quiet: bool, offline: bool) -> Self {
        Session { root, json, quiet, offline }
    }

    /// The folder that a new root would be in.
    pub(crate) fn folder(&self) -> Result<PathBuf, CliError> {
        match &self.root {
            Some(folder) => Ok(folder.clone()),
            None => Ok(std::env::current_dir()?),
        }
    }

    /// The root: the one that was named, else the nearest one.
    pub(crate) fn root(&self) -> Result<Root, CliError> {
        let found = match &self.root {
            Some(folder) => Some(Root::new(folder)).filter(|root| root.config().is_file()),
            None => Root::find(&self.folder()?),
        };
        if let Some(root) = &found {
            load_toml::<Config>(&root.config())?;
        }
        found.ok_or_else(|| CliError::Misuse {
            what: format!("there is no {CONFIG_FILE} here or above"),
            help: "start a project with `polc init org/repo`, or name the folder with --root".to_owned(),
        })
    }

    /// A project of the root, with all of its files.
    pub(crate) fn project(&self, root: &Root, slug: &Slug) -> Result<Project, CliError> {
        let project = self.described(root, slug)?;
        require_whole(root, slug)?;
        Ok(project)
    }

    /// A project of the root, whose files may be there by reference alone.
    pub(crate) fn described(&self, root: &Root, slug: &Slug) -> Result<Project, CliError> {
        let path = root.project(slug);
        if path.is_file() {
            return Ok(load_toml(&path)?);
        }
        let known: Vec<String> = root.projects()?.iter().map(ToString::to_string).collect();
        let known = if known.is_empty() { "none yet".to_owned() } else { known.join(", ") };
        Err(CliError::Misuse {
            what: format!("there is no project `{slug}`; there are: {known}"),
            help: "start it with `polc init org/repo`".to_owned(),
        })
    }

    /// Tells a person what was done. Standard output is for results alone.
    pub(crate) fn tell(&self, text: impl AsRef<str>) {
        if !self.quiet {
            // Where standard error is closed there is nobody to tell.
            let _written = writeln!(std::io::stderr(), "{}", text.as_ref());
        }
    }

    /// Says what this system does not keep from checkers while they run.
    pub(crate) fn tell_of_sandbox(&self, confinement: Confinement) {
        if let Some(warning) = confinement.warning() {
            self.tell(format!("note: {warning}"));
        }
    }

    /// Prints a result for people.
    pub(crate) fn print(&self, text: impl AsRef<str>) -> Result<(), CliError> {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_ref().as_bytes())?;
        out.flush()?;
        Ok(())
    }

    /// Refuses `--json` where the result is something else.
    pub(crate) fn has_no_json(&self, result: &str) -> Result<(), CliError> {
        if !self.json {
            return Ok(());
        }
        Err(CliError::Misuse {
            what: format!("the result of this command is {result}, which is not JSON"),
            help: "leave --json away".to_owned(),
        })
    }

    /// Prints a result as JSON.
    pub(crate) fn print_json(&self, value: &impl Serialize) -> Result<(), CliError> {
        let mut text = serde_json::to_string_pretty(value)?;
        text.push('\n');
        self.print(text)
    }
}

/// The time, for the record of a decision.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().round(jiff::Unit::Second).unwrap_or(jiff::Timestamp::UNIX_EPOCH).to_string()
}

/// The day, by which a waiver holds or has run out.
pub(crate) fn today() -> jiff::civil::Date {
    jiff::tz::TimeZone::UTC.to_datetime(jiff::Timestamp::now()).date()
}

/// `1 row`, `2 rows`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

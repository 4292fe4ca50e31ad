//! `demo`: every stage on polc's own contributor documentation, without a key, without a network,
//! in a folder of its own; what comes out is compared with what is committed.

use crate::commands::check::human;
use crate::commands::stages::summary;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count, now};
use crate::stages;
use crate::stages::compile::Contribution;
use polc_checker::declaration::State;
use polc_checker::pack::Blunt;
use polc_compile::build::build;
use polc_extraction::review::Decider;
use polc_grading::check::CheckOptions;
use polc_records::Problem;
use polc_records::config::{CheckerSource, Config};
use polc_records::decisions::{Decision, Decisions};
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::store::{TomlFile, load_toml, read_text, save_toml};
use polc_sources::project::{NewProject, init, open_checkout};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The project that this repository is to itself.
const SLUG: &str = "polc";
/// How many commits of the repository's own history are checked.
const RECENT: usize = 20;
/// How many places of one rule the demo lists.
const PLACES: usize = 3;

pub(super) fn run(session: &Session) -> Result<Exit, CliError> {
    session.has_no_json("a report for people")?;
    let home = session.root()?;
    let slug: Slug = SLUG.parse().map_err(|error: polc_records::problem::Malformed| CliError::Misuse {
        what: error.to_string(),
        help: "report this as a bug".to_owned(),
    })?;
    let mut demo = Demo::prepare(session, home, slug)?;
    demo.sources()?;
    demo.rows()?;
    demo.checkers()?;
    demo.history()?;
    demo.finish()
}

struct Demo<'s> {
    session: &'s Session,
    /// The repository.
    home: Root,
    /// Where the stages run.
    root: Root,
    project: Project,
    started: Instant,
    /// What was compared, and whether it is the same.
    compared: Vec<(String, bool)>,
    /// What is wrong beside differences.
    faults: Vec<String>,
}

impl<'s> Demo<'s> {
    fn prepare(session: &'s Session, home: Root, slug: Slug) -> Result<Self, CliError> {
        let folder = home.state().join("demo");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|error| Problem::io(&folder, "remove", &error))?;
        }
        std::fs::create_dir_all(&folder).map_err(|error| Problem::io(&folder, "make", &error))?;
        let folder = folder.canonicalize().map_err(|error| Problem::io(&folder, "find", &error))?;
        let root = Root::new(&folder);
        let config: Config = load_toml(&home.config())?;
        let checker = config.checker.map(|checker| CheckerSource {
            path: home
                .folder()
                .canonicalize()
                .unwrap_or_else(|_| home.folder().to_path_buf())
                .join(checker.path)
                .display()
                .to_string(),
        });
        save_toml(&root.config(), &Config { schema: Config::SCHEMA, checker })?;
        for data in ["stages", "rubrics"] {
            copy_folder(&home.folder().join(data), &root.folder().join(data))?;
        }
        // What people gave: the pin, the amended manifest, the decisions. All else is made again.
        copy_folder(&home.manifests(&slug), &root.manifests(&slug))?;
        copy_folder(&home.pack(&slug), &root.pack(&slug))?;
        copy_file(&home.generated().join("Cargo.lock"), &root.generated().join("Cargo.lock"))?;
        let started = Instant::now();
        let committed: Option<Project> = match home.project(&slug) {
            path if path.exists() => Some(load_toml(&path)?),
            _ => None,
        };
        let setting =
            committed.as_ref().map_or("pull-request", |project| project.setting.as_str()).to_owned();
        let repository = match &committed {
            Some(project) => project.repository.clone(),
            None => format!("{SLUG}/{SLUG}").parse().map_err(polc_sources::SourcesError::Slug)?,
        };
        let new = NewProject { repository, slug: Some(slug), git: home.folder().to_path_buf(), setting };
        let mut project = init(&root, new)?;
        if let Some(committed) = committed {
            project = Project { git: project.git, ..committed };
            save_toml(&root.project(&project.slug), &project)?;
        }
        let demo = Demo { session, home, root, project, started, compared: Vec::new(), faults: Vec::new() };
        demo.line("init", format!("project `{}`, setting {}", demo.project.slug, demo.project.setting))?;
        Ok(demo)
    }

    /// One line a stage: what it did, and how long it took since the line before.
    fn line(&self, stage: &str, what: impl AsRef<str>) -> Result<(), CliError> {
        let seconds = self.started.elapsed().as_secs_f64();
        self.session.print(format!("{stage:12}  {seconds:6.2} s  {}\n", what.as_ref()))
    }

    fn restart(&mut self) {
        self.started = Instant::now();
    }

    fn sources(&mut self) -> Result<(), CliError> {
        self.restart();
        let pinned = polc_sources::pin::pin(&self.root, &self.project, "HEAD")?;
        let pin = pinned.pin().clone();
        let stands = matches!(pinned, polc_sources::pin::Pinned::Stands { .. });
        let how = if stands { "the committed pin stands" } else { "pinned at HEAD" };
        self.line(
            "pin",
            format!(
                "{how}: commit {}, {}",
                pin.repository.commit.short(),
                count(pin.repository.files.len(), "policy file")
            ),
        )?;
        self.restart();
        let fetched = polc_sources::fetch::fetch(&self.root, &self.project, &pin)?;
        self.line("fetch", format!("{} as snapshots", count(fetched.len(), "file")))?;
        self.restart();
        let manifest = stages::manifest::build(&self.root, &self.project)?;
        self.line("manifest", count(manifest.sources.len(), "source"))?;
        self.restart();
        let digest = stages::manifest::confirm(&self.root, &self.project, "polc demo", &now())?;
        self.line("checkpoint 1", format!("confirmed for the demo, digest {}", digest.short()))
    }

    fn rows(&mut self) -> Result<(), CliError> {
        self.restart();
        let proposed = stages::extract::propose(&self.root, &self.project)?;
        self.line(
            "extract",
            format!(
                "{} by the baseline; {} in the ledger",
                count(proposed.rows.len(), "row"),
                count(proposed.ledger.len(), "sentence")
            ),
        )?;
        self.compare("proposal", Root::proposal)?;
        self.restart();
        let (recorded, open) = self.decide()?;
        self.line(
            "decisions",
            format!("{recorded} as committed, {open} accepted unseen (decided by: file)"),
        )?;
        self.restart();
        let frozen = stages::decide::freeze_rows(&self.root, &self.project, "polc demo", &now())?;
        self.line("checkpoint 2", format!("{} frozen", count(frozen.rows.len(), "rule")))?;
        self.compare("extraction", Root::extraction)?;
        self.compare("ledger", Root::ledger)?;
        self.restart();
        let corpus = stages::classify::classify(&self.root, &self.project)?;
        self.line("classify", summary(&corpus))?;
        self.compare("facts", Root::facts)?;
        self.compare("rules", Root::rules)
    }

    /// The committed decisions on rows and the ids given, and for rows without a decision an acceptance
    /// that says it is none.
    fn decide(&self) -> Result<(usize, usize), CliError> {
        let slug = &self.project.slug;
        let path = self.root.decisions(slug);
        let committed = Decisions::load(&self.home.decisions(slug), slug)?;
        let mut decisions = Decisions::load(&path, slug)?;
        let of_people =
            committed.all.into_iter().filter(|decision| !matches!(decision, Decision::Manifest { .. }));
        decisions.all.extend(of_people);
        let recorded =
            decisions.all.iter().filter(|decision| matches!(decision, Decision::Row { .. })).count();
        decisions.save(&path)?;
        let open = stages::decide::undecided(&self.root, &self.project)?;
        if open > 0 {
            let sheet = stages::decide::sheet(&self.root, &self.project, false)?;
            let accepted = sheet
                .replace("decision = \"\"", "decision = \"accept\"")
                .replace("acknowledged = false", "acknowledged = true");
            let file = self.root.folder().join("accepted.toml");
            polc_records::store::write_atomically(&file, accepted.as_bytes())?;
            let decider = Decider { by: "polc demo".to_owned(), at: now() };
            stages::decide::record(&self.root, &self.project, &file, &accepted, &decider)?;
        }
        Ok((recorded, open))
    }

    fn checkers(&mut self) -> Result<(), CliError> {
        self.restart();
        let rendered = stages::compile::stubs(&self.root, &self.project)?;
        self.line(
            "compile",
            format!(
                "{} written and kept, {} not written, {} changed, {} orphaned",
                rendered.written.len(),
                count(rendered.stubs.len(), "stub"),
                rendered.changed.len(),
                rendered.orphaned.len()
            ),
        )?;
        self.restart();
        let program = build(&self.root, &self.project.slug)?;
        let rules = program.cases(Blunt::None)?;
        let written: Vec<_> = rules.iter().filter(|rule| rule.state == State::Written).collect();
        let failed: Vec<&str> =
            written.iter().filter(|rule| !rule.passed()).map(|rule| rule.rule.as_str()).collect();
        let cases: usize = written.iter().map(|rule| rule.cases.len()).sum();
        self.line(
            "cases",
            format!(
                "{} of {} written rules pass ({})",
                written.len() - failed.len(),
                written.len(),
                count(cases, "case")
            ),
        )?;
        let stubs: Vec<&str> = rules
            .iter()
            .filter(|rule| rule.state == State::Unwritten)
            .map(|rule| rule.rule.as_str())
            .collect();
        if !stubs.is_empty() {
            self.session.print(format!("              not written: {}\n", stubs.join(", ")))?;
        }
        if !failed.is_empty() {
            self.faults.push(format!("cases fail: {}", failed.join(", ")));
        }
        Ok(())
    }

    /// The repository's own recent history, checked by its own rules.
    fn history(&mut self) -> Result<(), CliError> {
        self.restart();
        let repository = open_checkout(&self.root, &self.project)?;
        let head = repository.resolve("HEAD")?;
        let base = repository.ancestor(&head, RECENT)?;
        let options = CheckOptions { allow_stubs: true, ..CheckOptions::default() };
        let contribution = Contribution { base: base.as_str(), head: head.as_str(), pull_request: None };
        let report = stages::compile::check(&self.root, &self.project, contribution, options)?;
        self.line("check", format!("{}..{}, the repository's recent history:", base.short(), head.short()))?;
        for line in human(&report, PLACES).lines() {
            self.session.print(format!("              {line}\n"))?;
        }
        Ok(())
    }

    fn compare(&mut self, what: &str, path: fn(&Root, &Slug) -> PathBuf) -> Result<(), CliError> {
        let committed = path(&self.home, &self.project.slug);
        if committed.exists() {
            let made = read_text(&path(&self.root, &self.project.slug))?;
            self.compared.push((what.to_owned(), made == read_text(&committed)?));
        }
        Ok(())
    }

    fn finish(&self) -> Result<Exit, CliError> {
        let shown = self.home.shown(self.root.folder()).display().to_string();
        let slug = &self.project.slug;
        self.session.print(format!(
            "look at      {shown}/corpora/{slug} (rows, ledger, facts, rules), {shown}/manifests/{slug}, {shown}/generated/{slug}\n"
        ))?;
        if self.compared.is_empty() {
            self.session
                .print(format!("compared     nothing to compare with: corpora/{slug} is not there\n"))?;
            return Ok(Exit::Failed);
        }
        let named = |same: bool| {
            let names: Vec<&str> = self
                .compared
                .iter()
                .filter(|(_, equal)| *equal == same)
                .map(|(name, _)| name.as_str())
                .collect();
            names.join(", ")
        };
        let different = named(false);
        self.session.print(format!("compared     the same as committed: {}\n", named(true)))?;
        for fault in &self.faults {
            self.session.print(format!("fault        {fault}\n"))?;
        }
        if different.is_empty() && self.faults.is_empty() {
            return Ok(Exit::Done);
        }
        if !different.is_empty() {
            self.session.print(format!("different    {different}: see `polc status {slug}`\n"))?;
        }
        Ok(Exit::Found)
    }
}

fn copy_file(from: &Path, to: &Path) -> Result<(), CliError> {
    if !from.is_file() {
        return Ok(());
    }
    let bytes = std::fs::read(from).map_err(|error| Problem::io(from, "read", &error))?;
    Ok(polc_records::store::write_atomically(to, &bytes)?)
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), CliError> {
    if !from.is_dir() {
        return Ok(());
    }
    let entries = std::fs::read_dir(from).map_err(|error| Problem::io(from, "list", &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| Problem::io(from, "list", &error))?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy_folder(&path, &target)? } else { copy_file(&path, &target)? }
    }
    Ok(())
}

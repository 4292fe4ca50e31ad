//! `demo`: every stage on a repository's own contributor documentation, without a key, without a network,
//! in a folder of its own; what comes out is compared with what is committed.

use crate::commands::check::human;
use crate::commands::stages::summary;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count, now};
use crate::stages;
use crate::stages::compile::Contribution;
use crate::stages::copies::{canonical, copy_file, copy_folder, root_beside};
use polc_checker::declaration::State;
use polc_checker::pack::Blunt;
use polc_compile::build::build;
use polc_extraction::review::Decider;
use polc_grading::check::CheckOptions;
use polc_records::Problem;
use polc_records::decisions::{Decision, Decisions};
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::store::{load_toml, read_text, read_text_if_there, save_toml};
use polc_sources::project::{NewProject, init, open_checkout};
use std::path::PathBuf;
use std::time::Instant;

/// How many commits of the repository's own history are checked.
const RECENT: usize = 20;
/// How many places of one rule the demo lists.
const PLACES: usize = 3;

pub(super) fn run(session: &Session) -> Result<Exit, CliError> {
    session.has_no_json("a report for people")?;
    let home = session.root()?;
    let slug = own_project(&home)?;
    // Two demos would write into the same folder.
    let _lock = home.lock(&slug)?;
    let mut demo = Demo::prepare(session, home, slug)?;
    demo.sources()?;
    demo.rows()?;
    demo.checkers()?;
    demo.history()?;
    demo.finish()
}

/// The project that the repository around a root is to itself: by the descriptions of its projects, the
/// frozen ones first; where they are gone, by its pins.
fn own_project(home: &Root) -> Result<Slug, CliError> {
    let folder = canonical(home.folder())?;
    let mut own = Vec::new();
    for slug in home.projects()? {
        let project: Project = load_toml(&home.project(&slug))?;
        let git = project.git.and_then(|git| home.folder().join(git).canonicalize().ok());
        if git.is_some_and(|git| folder.starts_with(git)) {
            own.push(slug);
        }
    }
    own.sort_by_key(|slug| !home.extraction(slug).is_file());
    if let Some(slug) = own.into_iter().next() {
        return Ok(slug);
    }
    pinned(home)?.into_iter().next().ok_or_else(|| CliError::Misuse {
        what: "no project of this root is the repository that the root lies in".to_owned(),
        help: "start one with `polc init org/repo --git .`".to_owned(),
    })
}

/// The projects that have a pin, in order.
fn pinned(home: &Root) -> Result<Vec<Slug>, CliError> {
    let manifests = home.folder().join("manifests");
    if !manifests.is_dir() {
        return Ok(Vec::new());
    }
    let mut slugs = Vec::new();
    for entry in std::fs::read_dir(&manifests).map_err(|error| Problem::io(&manifests, "list", &error))? {
        let entry = entry.map_err(|error| Problem::io(&manifests, "list", &error))?;
        let slug = entry.file_name().to_str().and_then(|name| name.parse::<Slug>().ok());
        slugs.extend(slug.filter(|slug| home.pin(slug).is_file()));
    }
    slugs.sort();
    Ok(slugs)
}

/// What a file that the demo made is, beside the committed one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compared {
    Same,
    Different,
    /// There is no committed one.
    Missing,
}

struct Demo<'s> {
    session: &'s Session,
    /// The repository.
    home: Root,
    /// Where the stages run.
    root: Root,
    project: Project,
    started: Instant,
    compared: Vec<(&'static str, Compared)>,
    /// What is wrong beside differences.
    faults: Vec<String>,
}

impl<'s> Demo<'s> {
    fn prepare(session: &'s Session, home: Root, slug: Slug) -> Result<Self, CliError> {
        let root = root_beside(&home, "demo")?;
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
            None => format!("{slug}/{slug}").parse().map_err(polc_sources::SourcesError::Slug)?,
        };
        let new = NewProject {
            repository,
            slug: Some(slug),
            git: Some(home.folder().to_path_buf()),
            host: None,
            docs: None,
            setting,
        };
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
        let found = polc_sources::pin::of_checkout(&self.root, &self.project, "HEAD")?;
        let pinned = polc_sources::pin::pin(&self.root, &self.project, Some(found), None)?;
        let pin = pinned.pin().clone();
        let stands = matches!(pinned, polc_sources::pin::Pinned::Stands { .. });
        let how = if stands { "the committed pin stands" } else { "pinned at HEAD" };
        let commit = pin.repository.as_ref().map_or("none", |repository| repository.commit.short());
        self.line("pin", format!("{how}: commit {commit}, {}", count(pin.files().len(), "policy file")))?;
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
        self.compare("rules", Root::rules)?;
        self.restart();
        stages::papers::write_rules_file(&self.root, &self.project)?;
        stages::papers::write_run_log(&self.root, &self.project)?;
        let (acceptance, _) = stages::papers::write_acceptance(&self.root, &self.project)?;
        let verdict = if acceptance.holds() { "acceptable" } else { "NOT acceptable" };
        self.line("checkpoint 3", format!("{verdict}, by {} checks", acceptance.checks.len()))?;
        self.compare("rules file", Root::rules_file)?;
        self.compare("acceptance", Root::acceptance)
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
        let report = stages::compile::check(self.session, &self.root, &self.project, contribution, options)?;
        self.line("check", format!("{}..{}, the repository's recent history:", base.short(), head.short()))?;
        for line in human(&report, PLACES).lines() {
            self.session.print(format!("              {line}\n"))?;
        }
        Ok(())
    }

    fn compare(&mut self, what: &'static str, path: fn(&Root, &Slug) -> PathBuf) -> Result<(), CliError> {
        let made = read_text(&path(&self.root, &self.project.slug))?;
        let compared = match read_text_if_there(&path(&self.home, &self.project.slug))? {
            Some(committed) if committed == made => Compared::Same,
            Some(_) => Compared::Different,
            None => Compared::Missing,
        };
        self.compared.push((what, compared));
        Ok(())
    }

    fn finish(&self) -> Result<Exit, CliError> {
        let shown = self.home.shown(self.root.folder()).display().to_string();
        let slug = &self.project.slug;
        self.session.print(format!(
            "look at      {shown}/corpora/{slug} (rows, ledger, facts, rules, run log), {shown}/manifests/{slug}, {shown}/generated/{slug}\n"
        ))?;
        let named = |is: Compared| {
            let names = self.compared.iter().filter(|(_, compared)| *compared == is).map(|(name, _)| *name);
            names.collect::<Vec<_>>().join(", ")
        };
        let (same, different, missing) =
            (named(Compared::Same), named(Compared::Different), named(Compared::Missing));
        if same.is_empty() && different.is_empty() {
            self.session
                .print(format!("compared     nothing to compare with: corpora/{slug} is not there\n"))?;
            return Ok(Exit::Failed);
        }
        self.session.print(format!("compared     the same as committed: {same}\n"))?;
        for fault in &self.faults {
            self.session.print(format!("fault        {fault}\n"))?;
        }
        if !different.is_empty() {
            self.session.print(format!("different    {different}: see `polc status {slug}`\n"))?;
        }
        if !missing.is_empty() {
            self.session.print(format!("different    {missing}: not in corpora/{slug}\n"))?;
        }
        let found = !(different.is_empty() && missing.is_empty() && self.faults.is_empty());
        Ok(if found { Exit::Found } else { Exit::Done })
    }
}

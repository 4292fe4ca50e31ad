//! `status`: per project which stage is done, stale or waiting, and the command that comes next.

use super::classify::has_changed_labels;
use super::extract::is_frozen;
use super::hydrate::{ByReference, by_reference};
use super::import::{imported_labels, is_imported};
use super::manifest::load_pin;
use super::site::kept_pages;
use crate::exit::CliError;
use crate::session::count;
use polc_compile::status::{CheckerStanding, status as checker_status};
use polc_extraction::classify::definitions::Definitions;
use polc_extraction::classify::endpoint::asked_by;
use polc_extraction::classify::rubric::Rubrics;
use polc_extraction::cues::Cues;
use polc_extraction::prompts::Prompts;
use polc_records::Digest;
use polc_records::corpus::Corpus;
use polc_records::decisions::{Decisions, MadeFrom};
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::manifest::Manifest;
use polc_records::pin::Pin;
use polc_records::project::{Place, Project};
use polc_records::proposal::ProposalFile;
use polc_records::store::{load_lines, read_text, read_text_if_there};
use polc_sources::SourcesError;
use polc_text::snapshots::Snapshots;
use serde::Serialize;
use std::path::Path;

/// How a stage stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stands {
    /// Done, and made from what is there now.
    Done,
    /// Done, but made from something that has changed since.
    Stale,
    /// Waits for a person.
    Waiting,
    /// Not done yet.
    Missing,
    /// Not needed: the rows were imported.
    NotNeeded,
}

/// One stage of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct StageStatus {
    pub(crate) stage: &'static str,
    pub(crate) stands: Stands,
    pub(crate) detail: String,
    /// The command that does it.
    pub(crate) command: String,
}

/// A project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ProjectStatus {
    pub(crate) project: String,
    pub(crate) stages: Vec<StageStatus>,
    /// What comes next; none where everything is done.
    pub(crate) next: Option<String>,
}

type StageLine = (Stands, String);

/// The line of a project that has a form by reference.
const BY_REFERENCE: &str = "by reference";

/// The stages of which an import has no need.
const BEFORE_THE_FREEZE: [&str; 6] = ["pin", "fetch", "manifest", "checkpoint 1", "extract", "decisions"];

/// How every stage of a project stands. A stage that cannot be read is an error, not a state.
pub(crate) fn status(root: &Root, project: &Project) -> Result<ProjectStatus, CliError> {
    let slug = &project.slug;
    let form = by_reference(root, slug)?;
    if let ByReference::Dry { files, snapshots } = form {
        return dry(root, project, files, snapshots);
    }
    let decisions = Decisions::load(&root.decisions(slug), slug)?;
    let manifest = digest_of(&root.manifest(slug))?;
    let update = if decisions.freeze().is_some() { " --update" } else { "" };
    let stages = [
        ("pin", pin(root, project)?, format!("polc pin {slug}")),
        ("fetch", fetch(root, project)?, format!("polc fetch {slug}")),
        ("manifest", manifest_stage(root, project)?, format!("polc manifest {slug}")),
        (
            "checkpoint 1",
            confirmed(&decisions, manifest),
            format!("polc manifest {slug} --show; polc manifest confirm {slug} --by NAME"),
        ),
        ("extract", extract(root, project, manifest, &decisions)?, format!("polc extract {slug}{update}")),
        (
            "decisions",
            decided(root, project, &decisions)?,
            format!("polc decide {slug} --sheet FILE; polc decide {slug} --from FILE --by NAME"),
        ),
        ("checkpoint 2", frozen(root, project, &decisions)?, format!("polc freeze {slug} --by NAME")),
        ("classify", classify(root, project, &decisions)?, format!("polc classify {slug}")),
        (
            "checkpoint 3",
            accepted(root, project, &decisions)?,
            format!("polc accept {slug}; polc accept {slug} --by NAME"),
        ),
        ("rules file", rules_file(root, project)?, format!("polc rules-file {slug}")),
        ("compile", compile(root, project)?, format!("polc compile {slug} --stubs")),
    ];
    let imported = is_imported(root, project, &decisions);
    let write =
        format!("write the checkers that `polc compile status {slug}` names, then polc compile test {slug}");
    let mut stages: Vec<StageStatus> = stages
        .into_iter()
        .map(|(stage, (stands, detail), command)| {
            let (stands, detail) =
                if imported && BEFORE_THE_FREEZE.contains(&stage) && stands == Stands::Missing {
                    (Stands::NotNeeded, "the rows were imported".to_owned())
                } else {
                    (stands, detail)
                };
            let command =
                if stage == "compile" && stands == Stands::Waiting { write.clone() } else { command };
            StageStatus { stage, stands, detail, command }
        })
        .collect();
    if let ByReference::Whole { changed } = form {
        let (stands, detail) = if changed.is_empty() {
            (Stands::Done, "as the files are".to_owned())
        } else {
            (Stands::Stale, format!("changed since: {}", changed.join(", ")))
        };
        let command = format!("polc dehydrate {slug}");
        stages.push(StageStatus { stage: BY_REFERENCE, stands, detail, command });
    }
    Ok(standing(slug, stages))
}

/// What comes next is the first stage that is not done.
fn standing(slug: &Slug, stages: Vec<StageStatus>) -> ProjectStatus {
    let open = |stage: &&StageStatus| !matches!(stage.stands, Stands::Done | Stands::NotNeeded);
    let next = stages.iter().find(open).map(|stage| stage.command.clone());
    ProjectStatus { project: slug.to_string(), stages, next }
}

/// How a project stands whose files are there by reference alone: they say how its stages stand.
fn dry(root: &Root, project: &Project, files: usize, snapshots: usize) -> Result<ProjectStatus, CliError> {
    let slug = &project.slug;
    let fetch = match snapshots {
        0 => (Stands::Done, "every snapshot that is referred to".to_owned()),
        lacking => (Stands::Missing, format!("{} not in the store", count(lacking, "snapshot"))),
    };
    let by_reference = (Stands::Waiting, format!("{} not restored", count(files, "file")));
    let stages = [
        ("pin", pin(root, project)?, format!("polc pin {slug}")),
        ("fetch", fetch, format!("polc fetch {slug}")),
        (BY_REFERENCE, by_reference, format!("polc hydrate {slug}")),
    ];
    let stages = stages.into_iter().map(|(stage, (stands, detail), command)| StageStatus {
        stage,
        stands,
        detail,
        command,
    });
    Ok(standing(slug, stages.collect()))
}

fn digest_of(path: &Path) -> Result<Option<Digest>, CliError> {
    if path.exists() { Ok(Some(Digest::of(read_text(path)?))) } else { Ok(None) }
}

fn missing() -> StageLine {
    (Stands::Missing, "not done yet".to_owned())
}

fn pin(root: &Root, project: &Project) -> Result<StageLine, CliError> {
    if !root.pin(&project.slug).exists() {
        return Ok(missing());
    }
    let (pin, _) = load_pin(root, project)?;
    let site = pin.site.as_ref().map_or_else(String::new, |site| match site.version.value() {
        Some(version) => format!("; documentation {version}"),
        None => "; documentation without a version".to_owned(),
    });
    let (stands, detail) = pin_of_repository(root, project, &pin)?;
    let detail = format!("{detail}{site}");
    Ok((stands, detail.trim_start_matches("; ").to_owned()))
}

fn pin_of_repository(root: &Root, project: &Project, pin: &Pin) -> Result<StageLine, CliError> {
    let Some(repository) = &pin.repository else { return Ok((Stands::Done, String::new())) };
    let commit = &repository.commit;
    let files = count(repository.files.len(), "policy file");
    // The checkout may be elsewhere: the pin is what it is all the same.
    let elsewhere =
        || Ok((Stands::Done, format!("commit {}, {files}; the checkout cannot be read", commit.short())));
    match project.place() {
        Place::Checkout(_) => {}
        // A look at how things stand asks nobody.
        Place::Host(_) => {
            return Ok((Stands::Done, format!("commit {}, {files}, on GitHub", commit.short())));
        }
        Place::Nowhere => return elsewhere(),
    }
    match polc_sources::pin::changed_since(root, project, pin, "HEAD") {
        Ok(changed) if changed.is_empty() => {
            Ok((Stands::Done, format!("commit {}, {files}; HEAD holds the same blobs", commit.short())))
        }
        Ok(changed) => Ok((
            Stands::Stale,
            format!("commit {}, {files}; HEAD holds others: {}", commit.short(), changed.join(", ")),
        )),
        Err(SourcesError::Git(_)) => elsewhere(),
        Err(error) => Err(error.into()),
    }
}

fn fetch(root: &Root, project: &Project) -> Result<StageLine, CliError> {
    if !root.pin(&project.slug).exists() || !root.raw_sources(&project.slug).exists() {
        return Ok(missing());
    }
    let (pin, digest) = load_pin(root, project)?;
    let snapshots = Snapshots::open(&root.snapshots())?;
    let held = |blob| snapshots.of_blob(blob).is_some_and(|digest| snapshots.holds(digest));
    let sources = pin.sources(project);
    let lacking = sources.iter().filter(|source| !held(&source.file.blob)).count();
    if lacking == 0 {
        let earlier = match kept_pages(root, project, digest)? {
            None => return Ok((Stands::Stale, "the pages were fetched at another pin".to_owned())),
            Some(0) => String::new(),
            Some(kept) => format!("; {} as an earlier fetch read them", count(kept, "page")),
        };
        return Ok((Stands::Done, format!("{}{earlier}", count(sources.len(), "snapshot"))));
    }
    Ok((Stands::Stale, format!("{} not in the store", count(lacking, "snapshot"))))
}

fn manifest_stage(root: &Root, project: &Project) -> Result<StageLine, CliError> {
    let path = root.manifest(&project.slug);
    if !path.exists() {
        return Ok(missing());
    }
    let manifest = Manifest::load(&path)?;
    let admitted =
        manifest.sources.iter().filter(|source| source.role == polc_records::vocabulary::SourceRole::Rules);
    let detail = format!("{}, rules from {}", count(manifest.sources.len(), "source"), admitted.count());
    let pin = digest_of(&root.pin(&project.slug))?;
    if pin == Some(manifest.pin) {
        Ok((Stands::Done, detail))
    } else {
        Ok((Stands::Stale, format!("{detail}; made at another pin")))
    }
}

fn confirmed(decisions: &Decisions, manifest: Option<Digest>) -> StageLine {
    match manifest.map(|digest| decisions.manifest_confirmation(digest)) {
        None => missing(),
        Some(Some((by, at))) => (Stands::Done, format!("confirmed by {by}, {at}")),
        Some(None) => (Stands::Waiting, "the manifest is not confirmed as it stands".to_owned()),
    }
}

fn extract(
    root: &Root,
    project: &Project,
    manifest: Option<Digest>,
    decisions: &Decisions,
) -> Result<StageLine, CliError> {
    let path = root.proposal(&project.slug);
    if !path.exists() {
        return Ok(missing());
    }
    let (header, rows) = load_lines::<ProposalFile>(&path)?;
    let detail = format!("{} by {}", count(rows.len(), "row"), header.engine);
    let (_, cues) = Cues::load(root, project)?;
    if Some(header.manifest) != manifest {
        Ok((Stands::Stale, format!("{detail}; from another manifest")))
    } else if header.cues != cues && !is_frozen(root, project, decisions) {
        Ok((Stands::Stale, format!("{detail}; by other cues")))
    } else {
        Ok((Stands::Done, detail))
    }
}

fn decided(root: &Root, project: &Project, decisions: &Decisions) -> Result<StageLine, CliError> {
    let path = root.proposal(&project.slug);
    if !path.exists() {
        return Ok(missing());
    }
    let (_, rows) = load_lines::<ProposalFile>(&path)?;
    let open = rows.iter().filter(|row| decisions.on_row(row.digest).is_none()).count();
    if open == 0 {
        Ok((Stands::Done, format!("all {} decided (by file)", count(rows.len(), "row"))))
    } else {
        Ok((Stands::Waiting, format!("{open} of {} undecided", count(rows.len(), "row"))))
    }
}

fn frozen(root: &Root, project: &Project, decisions: &Decisions) -> Result<StageLine, CliError> {
    let Some(freeze) = decisions.freeze().filter(|_| is_frozen(root, project, decisions)) else {
        let proposed = root.proposal(&project.slug).exists();
        return Ok(if proposed { (Stands::Waiting, "not frozen".to_owned()) } else { missing() });
    };
    let detail = format!("{} by {}, {}", count(freeze.ids.len(), "rule"), freeze.by, freeze.at);
    if digest_of(&root.extraction(&project.slug))? != Some(freeze.extraction) {
        Ok((Stands::Stale, format!("{detail}; extraction.csv was changed since")))
    } else if made_otherwise(root, project, freeze.made_from)? {
        Ok((Stands::Stale, format!("{detail}; of another proposal")))
    } else {
        Ok((Stands::Done, detail))
    }
}

fn made_otherwise(root: &Root, project: &Project, made_from: MadeFrom) -> Result<bool, CliError> {
    Ok(match made_from {
        MadeFrom::Proposal(digest) => digest_of(&root.proposal(&project.slug))? != Some(digest),
        MadeFrom::Import(_) => false,
    })
}

fn classify(root: &Root, project: &Project, decisions: &Decisions) -> Result<StageLine, CliError> {
    let slug = &project.slug;
    let imported = imported_labels(root, slug)?;
    if imported.is_none() && (!root.rules(slug).exists() || !root.facts(slug).exists()) {
        return Ok(missing());
    }
    let corpus = Corpus::load(&root.rules(slug), slug)?;
    let in_scope = corpus.rows.iter().filter(|row| row.verdict.level().is_some()).count();
    let detail = format!(
        "{}, {in_scope} in scope, {} binding",
        count(corpus.rows.len(), "rule"),
        corpus.binding().count()
    );
    if imported.is_some() {
        let changed = digest_of(&root.rules(slug))? != imported;
        let (stands, how) = if changed {
            (Stands::Stale, "rules.csv was changed since it was imported")
        } else {
            (Stands::Done, "labels imported")
        };
        return Ok((stands, format!("{detail}; {how}")));
    }
    let (header, _) = polc_records::facts::load_facts(&root.facts(slug))?;
    let detail = format!("{detail}, setting {}", header.setting);
    let prompts = asked_by(&Prompts::load(root)?, &Definitions::load(root)?);
    let stale = if decisions.freeze().map(|freeze| freeze.extraction) != Some(header.extraction) {
        "from another extraction"
    } else if digest_of(&root.rules(slug))? != Some(header.rules) {
        "rules.csv was changed since"
    } else if header.setting != project.setting {
        "for another setting"
    } else if header.cues != Cues::load(root, project)?.1 {
        "by other cues"
    } else if header.rubrics != Rubrics::load(root, &project.setting)?.versions {
        "by other rubric tables"
    } else if header.asked.is_some_and(|asked| asked.prompts != prompts) {
        "by other prompts"
    } else if !has_changed_labels(&corpus, decisions) {
        "before labels were changed"
    } else {
        return Ok((Stands::Done, detail));
    };
    Ok((Stands::Stale, format!("{detail}; {stale}")))
}

fn accepted(root: &Root, project: &Project, decisions: &Decisions) -> Result<StageLine, CliError> {
    let slug = &project.slug;
    let (Some(rules), Some(report)) =
        (digest_of(&root.rules(slug))?, read_text_if_there(&root.acceptance(slug))?)
    else {
        return Ok(missing());
    };
    if !report.contains(&rules.to_string()) {
        return Ok((Stands::Stale, "the checks were made of another corpus".to_owned()));
    }
    if report.contains(": not accepted,") {
        return Ok((Stands::Waiting, "checks fail: the report says which".to_owned()));
    }
    Ok(match decisions.acceptance(rules, Digest::of(&report)) {
        Some((by, at)) => (Stands::Done, format!("accepted, read by {by}, {at}")),
        None => (Stands::Waiting, "nobody is on record as having read the corpus and the report".to_owned()),
    })
}

fn rules_file(root: &Root, project: &Project) -> Result<StageLine, CliError> {
    let slug = &project.slug;
    let path = root.rules_file(slug);
    let (Some(is), true) = (read_text_if_there(&path)?, root.rules(slug).exists()) else {
        return Ok(missing());
    };
    let corpus = Corpus::load(&root.rules(slug), slug)?;
    let rules = count(corpus.binding().count(), "binding rule");
    if is == polc_extraction::rules_file::render(project, &corpus) {
        Ok((Stands::Done, rules))
    } else {
        Ok((Stands::Stale, "of another corpus".to_owned()))
    }
}

fn compile(root: &Root, project: &Project) -> Result<StageLine, CliError> {
    let slug = &project.slug;
    let registry = root.pack(slug).join("src/main.rs");
    if !registry.exists() || !root.rules(slug).exists() {
        return Ok(missing());
    }
    let corpus = Corpus::load(&root.rules(slug), slug)?;
    let lines = checker_status(&root.pack(slug), slug, &corpus)?;
    let of = |standing: CheckerStanding| lines.iter().filter(|line| line.standing == standing).count();
    let detail = [
        CheckerStanding::Written,
        CheckerStanding::Stub,
        CheckerStanding::Changed,
        CheckerStanding::Absent,
        CheckerStanding::Orphaned,
    ]
    .into_iter()
    .filter(|standing| of(*standing) > 0)
    .map(|standing| format!("{} {}", of(standing), standing.as_str()))
    .collect::<Vec<_>>()
    .join(", ");
    let registry = read_text(&registry)?;
    let current = digest_of(&root.rules(slug))?.is_some_and(|digest| registry.contains(&digest.to_string()));
    if !current || of(CheckerStanding::Absent) > 0 {
        Ok((Stands::Stale, format!("{detail}; from another corpus")))
    } else if of(CheckerStanding::Stub) + of(CheckerStanding::Changed) > 0 {
        Ok((Stands::Waiting, format!("{detail}: unfinished")))
    } else {
        Ok((Stands::Done, detail))
    }
}

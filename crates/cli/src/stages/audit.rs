//! The audit: what is drawn from, what raters see, what they gave back.

mod given;
mod shown;
mod writers;

pub(crate) use given::{Given, given, stale};
pub(crate) use shown::shown;
pub(crate) use writers::refuse_writers;

use super::classify::load_corpus;
use super::compile::{OpenPack, open};
use crate::arguments::{PlanArguments, PopulationSource};
use crate::exit::CliError;
use crate::session::{Session, count};
use polc_audit::allocation::{Allocation, Stratum, Terms, allocate, strata};
use polc_audit::draw::draw;
use polc_audit::population::Population;
use polc_checker::cases::RuleReport;
use polc_checker::declaration::State;
use polc_checker::pack::Blunt;
use polc_compile::files::crate_digest;
use polc_compile::status::{CheckerStanding, status};
use polc_records::Digest;
use polc_records::audit::{AuditCheck, AuditFolder, DrawMethod, DrawnProject, Mix, SampleFile, SampleHeader};
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::store::{JsonLines, load_lines, read_text, render_lines, write_once};
use polc_records::vocabulary::{EvidenceType, Exactness};
use std::path::Path;

/// How many checkers are named that stand in the way.
const TOLD: usize = 12;

impl PlanArguments {
    fn terms(&self) -> Terms {
        Terms { size: self.size, census: self.census, floor: self.floor }
    }

    /// What is drawn of each project.
    pub(crate) fn allot(&self, strata: &[Stratum]) -> Result<Allocation, CliError> {
        allocate(strata, self.terms()).map_err(|refused| CliError::Misuse {
            what: refused.to_string(),
            help: format!("say --size {} or more, or lower --census or --floor", refused.least),
        })
    }

    /// The projects, as far as an allocation is concerned: nothing is built.
    pub(crate) fn strata(&self, session: &Session) -> Result<Vec<Stratum>, CliError> {
        match &self.population {
            PopulationSource::File(path) => Ok(strata(&Population::parse(path, &read_text(path)?)?)),
            PopulationSource::Corpora => {
                let root = session.root()?;
                let mut strata = Vec::new();
                for slug in compiled(session, &root)? {
                    let (corpus, _) = load_corpus(&root, &session.project(&root, &slug)?)?;
                    let has = |kind| corpus.binding().any(|row| row.evidence == kind);
                    let rare = [EvidenceType::Differential, EvidenceType::Trajectory];
                    strata.push(Stratum {
                        project: slug,
                        population: corpus.binding().count(),
                        minima: rare.into_iter().filter(|kind| has(*kind)).count(),
                    });
                }
                Ok(strata)
            }
        }
    }
}

/// The projects of a root that have checkers. The others are named.
fn compiled(session: &Session, root: &Root) -> Result<Vec<Slug>, CliError> {
    let (compiled, others): (Vec<Slug>, Vec<Slug>) =
        root.projects()?.into_iter().partition(|slug| root.pack(slug).join("Cargo.toml").exists());
    for slug in others {
        session.tell(format!("{slug} has no checkers: nothing is drawn of it"));
    }
    if compiled.is_empty() {
        return Err(CliError::Gate {
            what: "no project of this root has checkers".to_owned(),
            help: "run `polc compile SLUG --stubs`, or name a table of labels with --population FILE"
                .to_owned(),
        });
    }
    Ok(compiled)
}

/// The crate of a project, built, with what its cases came to.
pub(crate) struct Checked {
    pub(crate) project: Project,
    pub(crate) pack: OpenPack,
    pub(crate) reports: Vec<RuleReport>,
    pub(crate) digest: Digest,
}

impl Checked {
    /// Builds the crate and runs its cases.
    ///
    /// Refuses one with a stub, a checker that was written for another text, or a case that fails: what is known to be
    /// unfinished is not audited.
    pub(crate) fn open(session: &Session, root: &Root, slug: &Slug) -> Result<Checked, CliError> {
        let project = session.project(root, slug)?;
        session.tell(format!("building the checkers of {slug} …"));
        let pack = open(session, root, &project)?;
        let reports = pack.program.cases(Blunt::None)?;
        let standing = status(&root.pack(slug), slug, &pack.corpus)?;
        let mut unfit: Vec<String> = standing
            .iter()
            .filter(|line| !matches!(line.standing, CheckerStanding::Written | CheckerStanding::Orphaned))
            .map(|line| format!("{} ({})", line.rule, line.standing.as_str()))
            .collect();
        let failing = reports.iter().filter(|report| report.state == State::Written && !report.passed());
        unfit.extend(failing.map(|report| format!("{} (a case fails)", report.rule)));
        if !unfit.is_empty() {
            let more = unfit.len().saturating_sub(TOLD);
            let named = unfit.iter().take(TOLD).cloned().collect::<Vec<_>>().join(", ");
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            return Err(CliError::Gate {
                what: format!("{} of {slug} cannot be audited: {named}{more}", count(unfit.len(), "checker")),
                help: format!("write them and mend their cases first: polc compile test {slug}"),
            });
        }
        let digest = crate_digest(&root.pack(slug))?;
        Ok(Checked { project, pack, reports, digest })
    }

    /// Its checkers, as an audit draws them.
    pub(crate) fn checks(&self) -> Vec<AuditCheck> {
        let exact = |rule: &str| {
            self.pack.description.checkers.iter().any(|checker| checker.rule == rule && checker.exact)
        };
        let of = self.pack.corpus.binding().map(|row| AuditCheck {
            project: self.project.slug.clone(),
            check: row.id.clone(),
            evidence: row.evidence,
            exactness: if exact(&row.id.to_string()) { Exactness::Exact } else { Exactness::Approximate },
        });
        of.collect()
    }
}

/// All checkers of a root.
pub(crate) fn population(root: &Root, all: &[Checked]) -> Result<Population, CliError> {
    let checks = all.iter().flat_map(Checked::checks).collect();
    Ok(Population::new(&root.generated(), checks)?)
}

/// Every project that has checkers, built.
pub(crate) fn open_all(session: &Session, root: &Root) -> Result<Vec<Checked>, CliError> {
    compiled(session, root)?.iter().map(|slug| Checked::open(session, root, slug)).collect()
}

/// A sample that was drawn.
pub(crate) struct Drawn {
    pub(crate) header: SampleHeader,
    pub(crate) sample: Vec<AuditCheck>,
    /// How many fewer there are than were asked for.
    pub(crate) short_by: usize,
}

/// Draws a sample.
pub(crate) fn drawn(
    session: &Session,
    root: &Root,
    plan: &PlanArguments,
    seed: u64,
) -> Result<Drawn, CliError> {
    let (population, digests) = match &plan.population {
        PopulationSource::File(path) => {
            session.tell(
                "a table of labels does not say whether cases pass: that is not known of this population",
            );
            (Population::parse(path, &read_text(path)?)?, Vec::new())
        }
        PopulationSource::Corpora => {
            let all = open_all(session, root)?;
            let digests = all.iter().map(|checked| (checked.project.slug.clone(), checked.digest)).collect();
            (population(root, &all)?, digests)
        }
    };
    let allocation = plan.allot(&strata(&population))?;
    let projects = allocation.projects.iter().map(|of| DrawnProject {
        project: of.project.clone(),
        population: of.population,
        drawn: of.drawn,
        mix: Mix::of(population.checks().iter().filter(|check| check.project == of.project)),
        checkers: digests.iter().find(|(slug, _)| *slug == of.project).map(|(_, digest)| *digest),
    });
    let header = SampleHeader {
        schema: SampleFile::SCHEMA,
        method: DrawMethod::MinimaFirst1,
        seed,
        size: plan.size,
        census: plan.census,
        floor: plan.floor,
        population: population.digest(),
        projects: projects.collect(),
    };
    Ok(Drawn { header, sample: draw(&population, &allocation, seed), short_by: allocation.short_by })
}

/// Keeps a sample. One that was drawn is never replaced: a sample that can be drawn again until it suits is none.
pub(crate) fn keep(folder: &AuditFolder, drawn: &Drawn) -> Result<(), CliError> {
    let path = folder.sample();
    let text = render_lines::<SampleFile>(&path, &drawn.header, &drawn.sample)?;
    if write_once(&path, text.as_bytes())? || read_text(&path)? == text {
        return Ok(());
    }
    Err(CliError::Gate {
        what: format!("{} holds another sample", path.display()),
        help: "give this audit another name: a sample that was drawn is not drawn again".to_owned(),
    })
}

/// A sample that was kept, with its digest.
pub(crate) struct Kept {
    pub(crate) header: SampleHeader,
    pub(crate) sample: Vec<AuditCheck>,
    pub(crate) digest: Digest,
}

/// Reads a sample.
pub(crate) fn load(folder: &AuditFolder) -> Result<Kept, CliError> {
    let path = folder.sample();
    require(&path, "nothing has been drawn", "polc audit draw NAME --size N --seed SEED")?;
    let digest = Digest::of(read_text(&path)?);
    let (header, sample) = load_lines::<SampleFile>(&path)?;
    Ok(Kept { header, sample, digest })
}

fn require(path: &Path, what: &str, command: &str) -> Result<(), CliError> {
    if path.exists() {
        return Ok(());
    }
    Err(CliError::Gate {
        what: format!("{what}: there is no {}", path.display()),
        help: format!("run `{command}`"),
    })
}

/// Refuses raters who decided on rules of a project that was drawn from, by the names in the records of decisions.
pub(crate) fn refuse_reviewers(root: &Root, header: &SampleHeader, raters: &[&str]) -> Result<(), CliError> {
    for project in &header.projects {
        let slug = &project.project;
        let decisions = polc_records::decisions::Decisions::load(&root.decisions(slug), slug)?;
        for rater in raters {
            let decided = |by: &str| polc_audit::score::same_person(by, rater);
            if decisions.all.iter().filter_map(|decision| decision.by()).any(decided) {
                return Err(CliError::Gate {
                    what: format!("`{rater}` decided on rules of {slug}"),
                    help: "nobody rates what they wrote or reviewed: name another rater".to_owned(),
                });
            }
        }
    }
    Ok(())
}

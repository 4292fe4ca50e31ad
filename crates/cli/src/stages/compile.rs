//! `compile` and `check`: the crate of a project.

use super::classify::load_corpus;
use crate::exit::CliError;
use crate::session::{Session, today};
use polc_checker::PullRequest;
use polc_checker::executable::Description;
use polc_compile::build::{Program, build};
use polc_compile::render::{Rendered, render, rule_digest};
use polc_compile::worker::Worker;
use polc_evidence::range::{Range, evidence};
use polc_grading::check::{BindingRule, CheckOptions, CheckReport, PackOutcomes, report};
use polc_records::Problem;
use polc_records::corpus::Corpus;
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::waivers::Waivers;
use polc_sources::project::open_checkout;
use std::path::PathBuf;
use std::time::Duration;

/// Renders the crate.
pub(crate) fn stubs(root: &Root, project: &Project) -> Result<Rendered, CliError> {
    let (corpus, digest) = load_corpus(root, project)?;
    Ok(render(root, &project.slug, &corpus, digest)?)
}

/// A contribution to be checked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contribution<'c> {
    pub(crate) base: &'c str,
    pub(crate) head: &'c str,
    pub(crate) pull_request: Option<&'c PullRequest>,
}

/// The crate of a project, built, with the corpus that it was compiled from.
#[derive(Debug)]
pub(crate) struct OpenPack {
    pub(crate) corpus: Corpus,
    rules: PathBuf,
    waivers: Waivers,
    pub(crate) program: Program,
    pub(crate) description: Description,
}

impl OpenPack {
    /// Every binding rule.
    pub(crate) fn rules(&self) -> Result<Vec<BindingRule<'_>>, Problem> {
        self.corpus
            .binding()
            .map(|row| {
                let waiver = self.waivers.on(&row.id, today());
                Ok(BindingRule { row, digest: rule_digest(&self.rules, row)?, waiver })
            })
            .collect()
    }
}

/// Builds the crate of a project.
pub(crate) fn open(session: &Session, root: &Root, project: &Project) -> Result<OpenPack, CliError> {
    let (corpus, digest) = load_corpus(root, project)?;
    let gate =
        |what: String| CliError::Gate { what, help: format!("run `polc compile {} --stubs`", project.slug) };
    if !root.pack(&project.slug).join("Cargo.toml").exists() {
        return Err(gate(format!("the rules of `{}` have not been compiled", project.slug)));
    }
    let program = build(root, &project.slug)?;
    session.tell_of_sandbox(program.confinement());
    let description = program.describe()?;
    if description.corpus != digest.to_string() {
        return Err(gate("the checkers were compiled from another corpus".to_owned()));
    }
    let waivers = Waivers::load(&root.waivers(&project.slug))?;
    Ok(OpenPack { corpus, rules: root.rules(&project.slug), waivers, program, description })
}

/// How long a check may take over one contribution.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Grades one contribution, here and now.
pub(crate) fn check(
    session: &Session,
    root: &Root,
    project: &Project,
    contribution: Contribution<'_>,
    options: CheckOptions,
) -> Result<CheckReport, CliError> {
    let range = Range {
        project: project.slug.as_str(),
        base: contribution.base,
        head: contribution.head,
        pull_request: contribution.pull_request,
    };
    let evidence = evidence(&open_checkout(root, project)?, &range)?;
    let pack = open(session, root, project)?;
    let rows = Worker::new(&pack.program, &pack.description, TIME_LIMIT).grade(&evidence)?;
    let outcomes = PackOutcomes { checkers: &pack.description.checkers, rows: &rows };
    Ok(report(project.slug.as_str(), &pack.rules()?, outcomes, options))
}

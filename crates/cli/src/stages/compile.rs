//! `compile` and `check`: the crate of a project.

use super::classify::load_corpus;
use crate::exit::CliError;
use crate::session::today;
use polc_checker::PullRequest;
use polc_compile::build::build;
use polc_compile::render::{Rendered, render, rule_digest};
use polc_evidence::range::{Range, evidence};
use polc_grading::check::{BindingRule, CheckOptions, CheckReport, PackOutcomes, report};
use polc_records::Problem;
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::waivers::Waivers;
use polc_sources::project::open_checkout;

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

/// Grades one contribution, here and now.
pub(crate) fn check(
    root: &Root,
    project: &Project,
    contribution: Contribution<'_>,
    options: CheckOptions,
) -> Result<CheckReport, CliError> {
    let (corpus, digest) = load_corpus(root, project)?;
    let range = Range {
        project: project.slug.as_str(),
        base: contribution.base,
        head: contribution.head,
        pull_request: contribution.pull_request,
    };
    let evidence = evidence(&open_checkout(root, project)?, &range)?;
    if !root.pack(&project.slug).join("Cargo.toml").exists() {
        return Err(CliError::Gate {
            what: format!("the rules of `{}` have not been compiled", project.slug),
            help: format!("run `polc compile {} --stubs`", project.slug),
        });
    }
    let program = build(root, &project.slug)?;
    let description = program.describe()?;
    if description.corpus != digest.to_string() {
        return Err(CliError::Gate {
            what: "the checkers were compiled from another corpus".to_owned(),
            help: format!("run `polc compile {} --stubs`", project.slug),
        });
    }
    let path = root.rules(&project.slug);
    let waivers = Waivers::load(&root.waivers(&project.slug))?;
    let rules = corpus
        .binding()
        .map(|row| {
            Ok(BindingRule { row, digest: rule_digest(&path, row)?, waiver: waivers.on(&row.id, today()) })
        })
        .collect::<Result<Vec<_>, Problem>>()?;
    let rows = program.grade(&evidence)?;
    let pack = PackOutcomes { checkers: &description.checkers, rows: &rows };
    Ok(report(project.slug.as_str(), &rules, pack, options))
}

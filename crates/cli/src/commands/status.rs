//! `status`: where each project stands.

use crate::exit::{CliError, Exit};
use crate::session::Session;
use crate::stages::status::{ProjectStatus, Stands, status};
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::project::Project;
use serde::Serialize;
use std::fmt::Write;

/// Where projects stand, as JSON.
#[derive(Debug, Serialize)]
struct StatusReport {
    schema: u32,
    projects: Vec<ProjectStatus>,
}

/// Ends a command that did a stage: as JSON, its result is where the project stands now.
pub(super) fn done(session: &Session, root: &Root, project: &Project) -> Result<Exit, CliError> {
    if session.json {
        session.print_json(&StatusReport { schema: 1, projects: vec![status(root, project)?] })?;
    }
    Ok(Exit::Done)
}

pub(super) fn run(session: &Session, slug: Option<&Slug>) -> Result<Exit, CliError> {
    let root = session.root()?;
    let slugs = match slug {
        Some(slug) => vec![slug.clone()],
        None => root.projects()?,
    };
    let mut projects = Vec::new();
    for slug in &slugs {
        let project = session.described(&root, slug)?;
        projects.push(status(&root, &project)?);
    }
    if session.json {
        session.print_json(&StatusReport { schema: 1, projects })?;
    } else {
        for project in &projects {
            session.print(human(project))?;
        }
        if projects.is_empty() {
            session.tell("no project yet\nnext: polc init org/repo");
        }
    }
    Ok(Exit::Done)
}

fn human(project: &ProjectStatus) -> String {
    let mut text = format!("{}\n", project.project);
    for stage in &project.stages {
        let stands = match stage.stands {
            Stands::Done => "done",
            Stands::Stale => "STALE",
            Stands::Waiting => "WAITS",
            Stands::Missing => "-",
            Stands::NotNeeded => "n/a",
        };
        // Writing to a string cannot fail.
        let _written = writeln!(text, "  {:12}  {stands:5}  {}", stage.stage, stage.detail);
    }
    let next = project.next.as_deref().unwrap_or("nothing: every stage is done");
    let _written = writeln!(text, "  next: {next}");
    text
}

//! `status`: where each project stands.

use crate::exit::{CliError, Exit};
use crate::session::Session;
use crate::stages::status::{ProjectStatus, Stands, status};
use polc_records::ids::Slug;
use std::fmt::Write;

pub(super) fn run(session: &Session, slug: Option<&Slug>) -> Result<Exit, CliError> {
    let root = session.root()?;
    let slugs = match slug {
        Some(slug) => vec![slug.clone()],
        None => root.projects()?,
    };
    let mut all = Vec::new();
    for slug in &slugs {
        let project = session.project(&root, slug)?;
        all.push(status(&root, &project)?);
    }
    if session.json {
        session.print_json(&all)?;
    } else {
        for project in &all {
            session.print(human(project))?;
        }
        if all.is_empty() {
            session.tell("no project yet\nnext: polc init org/repo --git PATH");
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
        };
        // Writing to a string cannot fail.
        let _written = writeln!(text, "  {:12}  {stands:5}  {}", stage.stage, stage.detail);
    }
    let next = project.next.as_deref().unwrap_or("nothing: every stage is done");
    let _written = writeln!(text, "  next: {next}");
    text
}

//! `audit`.

mod automated;
mod sheets;

use crate::arguments::{AuditCommand, DrawArguments, PlanArguments, ScoreArguments, ScoreFormat};
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::audit::{Given, drawn, given, keep, load, refuse_reviewers, refuse_writers, stale};
use polc_audit::allocation::Allocation;
use polc_audit::report::{csv, markdown, terminal};
use polc_audit::score::{Rated, blind, score};
use polc_records::audit::AuditFolder;
use polc_records::ids::Slug;
use polc_records::layout::Root;

pub(super) fn run(session: &Session, given: AuditCommand) -> Result<Exit, CliError> {
    match given {
        AuditCommand::Plan(given) => plan(session, &given),
        AuditCommand::Draw(given) => draw(session, &given),
        AuditCommand::Sheets(given) => sheets::write_all(session, &given),
        AuditCommand::Try(given) => sheets::run_case(session, &given),
        AuditCommand::Automated(given) => automated::run(session, &given),
        AuditCommand::Score(given) => tell_score(session, &given),
    }
}

fn folder(root: &Root, name: &Slug) -> AuditFolder {
    AuditFolder(root.audit(name))
}

fn plan(session: &Session, given: &PlanArguments) -> Result<Exit, CliError> {
    let allocation = given.allot(&given.strata(session)?)?;
    if session.json {
        session.print_json(&allocation.projects)?;
    } else {
        session.print(table(&allocation))?;
    }
    tell_short(session, allocation.short_by);
    Ok(Exit::Done)
}

fn table(allocation: &Allocation) -> String {
    let width = allocation.projects.iter().map(|of| of.project.as_str().len()).max().unwrap_or(0).max(7);
    let mut text = format!("{:width$}  checkers  drawn\n", "project");
    let (mut all, mut drawn) = (0, 0);
    for of in &allocation.projects {
        text.push_str(&format!("{:width$}  {:8}  {:5}\n", of.project, of.population, of.drawn));
        all += of.population;
        drawn += of.drawn;
    }
    text.push_str(&format!("{:width$}  {all:8}  {drawn:5}\n", "total"));
    text
}

fn tell_short(session: &Session, short_by: usize) {
    if short_by > 0 {
        session.tell(format!("every checker is drawn, and there are {short_by} fewer than were asked for"));
    }
}

fn draw(session: &Session, given: &DrawArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let folder = folder(&root, &given.name);
    let drawn = drawn(session, &root, &given.plan, given.seed)?;
    keep(&folder, &drawn)?;
    tell_short(session, drawn.short_by);
    let all: usize = drawn.header.projects.iter().map(|project| project.population).sum();
    session.tell(format!(
        "{} of {all} drawn with the seed {}, in {}",
        drawn.sample.len(),
        given.seed,
        root.shown(&folder.sample()).display()
    ));
    session.tell(format!("next: polc audit sheets {} --rater A --rater B", given.name));
    if session.json {
        session.print_json(&drawn.header)?;
    }
    Ok(Exit::Done)
}

fn tell_score(session: &Session, arguments: &ScoreArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let folder = folder(&root, &arguments.name);
    let kept = load(&folder)?;
    let Given { one, other } = given(&folder, &kept, &arguments.ratings)?;
    blind(&one, &other)?;
    refuse_reviewers(&root, &kept.header, &[&one.rater, &other.rater])?;
    if !arguments.ratings.is_empty() {
        // Sheets are refused when they are written; who changes a checker after that makes it stale.
        refuse_writers(&root, &kept.header, &[&one.rater, &other.rater])?;
    }
    let stale = stale(&root, &kept.header)?;
    let automated = automated::load(&folder, &kept)?;
    let score = score(&Rated {
        header: &kept.header,
        sample: &kept.sample,
        raters: [&one, &other],
        automated: automated.as_ref(),
        stale: &stale,
    });
    match (session.json, arguments.format) {
        (true, _) => session.print_json(&score)?,
        (false, ScoreFormat::Text) => session.print(terminal(&score))?,
        (false, ScoreFormat::Csv) => session.print(csv(&score))?,
        (false, ScoreFormat::Markdown) => session.print(markdown(&score))?,
    }
    if stale.is_empty() {
        return Ok(Exit::Done);
    }
    let named: Vec<&str> = stale.iter().map(Slug::as_str).collect();
    session.tell(format!(
        "stale: the checkers of {} were changed since they were drawn ({}): the figures are of what they were",
        count(stale.len(), "project"),
        named.join(", ")
    ));
    Ok(Exit::Found)
}

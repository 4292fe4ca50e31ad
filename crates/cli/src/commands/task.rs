//! `task`: what a harness tells an agent.

use crate::arguments::{SettingName, TaskCommand, TaskRenderArguments};
use crate::exit::{CliError, Exit};
use crate::session::Session;
use polc_evidence::task::{Provision, Task, render, strip};
use polc_records::layout::Root;
use polc_records::manifest::Manifest;
use polc_records::project::Project;
use std::path::Path;

pub(super) fn run(session: &Session, step: &TaskCommand) -> Result<Exit, CliError> {
    let TaskCommand::Render(given) = step;
    session.has_no_json("a text for a prompt")?;
    let root = session.root()?;
    let task = task(given)?;
    let project = project(session, &root, &task)?;
    let provision = match given.setting {
        SettingName::Native => Provision::Native { places: places(&root, &project, given)? },
        SettingName::Consolidated => consolidated(session, &root, &project, given)?,
    };
    let added = render(&root, &project.repository, &provision, &given.submit)?;
    let mut text = String::new();
    if let Some(file) = &given.prompt {
        let prompt = std::fs::read_to_string(file).map_err(|error| CliError::Misuse {
            what: format!("{}: cannot read it: {error}", file.display()),
            help: "name the scaffold's prompt as a file of text".to_owned(),
        })?;
        let (kept, stripped) = strip(&root, &prompt)?;
        for sentence in &stripped {
            let (at, why) = (sentence.line, &sentence.why);
            session.tell(format!("stripped from line {at}, since {why}: {}", sentence.text));
        }
        text = format!("{}\n\n", kept.trim_end());
    } else if let Some(statement) = &task.problem_statement {
        text = format!("## The task\n\n{}\n\n", statement.trim());
    }
    session.print(text + &added)?;
    Ok(Exit::Done)
}

/// The task by its name, from a file where one is given.
fn task(given: &TaskRenderArguments) -> Result<Task, CliError> {
    let named = Path::new(&given.instance);
    let Some(file) = given.tasks.as_deref().or_else(|| named.is_file().then_some(named)) else {
        return Ok(Task::named(&given.instance));
    };
    let mut tasks = Task::read_all(file)?;
    if given.tasks.is_some() {
        tasks.retain(|task| task.id == given.instance);
    }
    match (tasks.pop(), tasks.len()) {
        (Some(task), 0) => Ok(task),
        (found, more) => Err(CliError::Misuse {
            what: format!(
                "{}: {} tasks there are meant",
                file.display(),
                more + usize::from(found.is_some())
            ),
            help: "name the one task by its id, and the file with --tasks".to_owned(),
        }),
    }
}

fn project(session: &Session, root: &Root, task: &Task) -> Result<Project, CliError> {
    let known = root.projects()?;
    match task.slugs().into_iter().find(|slug| known.contains(slug)) {
        Some(slug) => session.described(root, &slug),
        None => {
            let known: Vec<String> = known.iter().map(ToString::to_string).collect();
            Err(CliError::Misuse {
                what: format!("`{}` is of no project here; there are: {}", task.id, known.join(", ")),
                help: "an id reads org__repo-number; a task file may name the repository as `repo`"
                    .to_owned(),
            })
        }
    }
}

/// Where the rules are published: as was said, else the entry page, else every source that was admitted.
fn places(root: &Root, project: &Project, given: &TaskRenderArguments) -> Result<Vec<String>, CliError> {
    if let Some(docs) = given.docs.as_ref().or(project.docs.as_ref()) {
        return Ok(vec![docs.to_string()]);
    }
    let path = root.manifest(&project.slug);
    if !path.is_file() {
        return Err(CliError::Misuse {
            what: format!("it is not known where the rules of {} are published", project.slug),
            help: "name the page where contributors begin to read with --docs".to_owned(),
        });
    }
    let manifest = Manifest::load(&path)?;
    Ok(manifest
        .sources
        .iter()
        .filter(|source| source.gives_rules())
        .map(|source| source.url.clone())
        .collect())
}

fn consolidated(
    session: &Session,
    root: &Root,
    project: &Project,
    given: &TaskRenderArguments,
) -> Result<Provision, CliError> {
    let path = root.rules_file(&project.slug);
    let shown = root.shown(&path).display().to_string();
    let Ok(text) = std::fs::read_to_string(&path) else {
        return Err(CliError::Misuse {
            what: format!("there is no {shown}"),
            help: format!("write it with `polc rules-file {}`", project.slug),
        });
    };
    session.tell(format!(
        "mount {shown} at {}, and let the scaffold cut no output of it: it has {} characters",
        given.rules_file,
        text.chars().count()
    ));
    Ok(Provision::Consolidated { rules_file: given.rules_file.clone() })
}

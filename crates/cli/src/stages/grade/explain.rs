//! One row of a grade, with all that it rests on.

use super::super::compile::{OpenPack, open};
use super::super::pulls::Pulls;
use super::super::runs::{Listed, list};
use super::Grading;
use crate::exit::CliError;
use crate::session::Session;
use polc_checker::Evidence;
use polc_checker::explain::Explanation;
use polc_compile::files::crate_digest;
use polc_grading::rows::{Row, Rules};
use polc_records::layout::Root;
use polc_records::project::Project;
use serde::Serialize;

/// How many names are told to whoever named none that there is.
const MOST_NEAR: usize = 3;

/// A row, and why it is what it is.
#[derive(Debug, Serialize)]
pub(crate) struct ExplainedRow {
    schema: u32,
    /// As `grade` writes it.
    pub(crate) row: Row,
    /// What the checker did; where the row is an error of another kind, it counts for nothing.
    pub(crate) explanation: Explanation,
}

/// Grades one run by one rule, and tells how.
pub(crate) fn explain(
    session: &Session,
    root: &Root,
    project: &Project,
    given: &Grading<'_>,
    run: &str,
    rule: &str,
) -> Result<ExplainedRow, CliError> {
    let pack = open(session, root, project)?;
    let OpenPack { program, description, .. } = &pack;
    let known: Vec<&str> = description.checkers.iter().map(|checker| checker.rule.as_str()).collect();
    if !known.contains(&rule) {
        return Err(unknown(&format!("`{}` has no checker for `{rule}`", project.slug), rule, &known));
    }
    let (ordinal, evidence) = find(given, Pulls { session, root, project }, run)?;
    let explanation = program.explain(rule, &evidence)?;
    let rules = Rules::new(&pack.rules()?, description, crate_digest(&root.pack(&project.slug))?);
    let rows = rules.rows(ordinal, &evidence.run, std::slice::from_ref(&explanation.row));
    let row = rows.into_iter().find(|row| row.rule == rule);
    let row = row.ok_or_else(|| unknown(&format!("there is no row for `{rule}`"), rule, &known))?;
    Ok(ExplainedRow { schema: 1, row, explanation })
}

/// The first run of a list with this id, or from this source.
fn find(given: &Grading<'_>, pulls: Pulls<'_>, wanted: &str) -> Result<(u64, Evidence), CliError> {
    let mut names = Vec::new();
    let mut found = None;
    list(given.runs, &given.options, Some(pulls), |listed: Listed| {
        let (ordinal, source) = (listed.ordinal, listed.source.clone());
        let read = listed.read(&given.options).map(|(evidence, _remarks)| evidence);
        let id = read.as_ref().ok().map(|evidence| evidence.run.id.clone());
        let is_wanted = source == wanted || id.as_deref() == Some(wanted);
        names.extend(id);
        names.push(source);
        if is_wanted {
            found = Some((ordinal, read));
        }
        !is_wanted
    });
    match found {
        Some((ordinal, Ok(evidence))) => Ok((ordinal, evidence)),
        Some((_, Err(error))) => Err(CliError::Misuse {
            what: format!("the run `{wanted}` cannot be read: {error}"),
            help: "name a run that `grade` reads".to_owned(),
        }),
        None => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let what = format!("none of the runs is called `{wanted}`");
            Err(unknown(&what, wanted, &names))
        }
    }
}

/// A name that is not known, with those that are near.
fn unknown(what: &str, wanted: &str, names: &[&str]) -> CliError {
    let near = similar::get_close_matches(wanted, names, MOST_NEAR, 0.6);
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let help = match (near.as_slice(), names) {
        ([], []) => "there is none at all".to_owned(),
        ([], names) => format!("there are {}, the first of them {}", names.len(), quoted(&names[..1])),
        (near, _) => format!("near it are {}", quoted(near)),
    };
    CliError::Misuse { what: what.to_owned(), help }
}

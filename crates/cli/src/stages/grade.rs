//! `grade`: stored runs against the crate of a project, in order, on several threads.

mod explain;
mod merge;
mod output;

pub(crate) use explain::{ExplainedRow, explain};
pub(crate) use merge::merge;
pub(crate) use output::Output;

use super::compile::{OpenPack, open};
use super::ordered::ordered;
use super::pulls::Pulls;
use super::runs::{Listed, list};
use crate::exit::CliError;
use crate::session::Session;
use output::Kept;
use polc_compile::files::crate_digest;
use polc_compile::worker::Worker;
use polc_evidence::run::Options;
use polc_grading::rows::{GradeLine, GradeSummary, ListPart, ReadRun, Rules, RunLine, Tally};
use polc_records::Digest;
use polc_records::digest::Digesting;
use polc_records::layout::Root;
use polc_records::project::Project;
use std::path::PathBuf;
use std::time::Duration;

/// What is to be graded, and how.
#[derive(Debug)]
pub(crate) struct Grading<'g> {
    pub(crate) runs: &'g [PathBuf],
    pub(crate) options: Options,
    pub(crate) part: ListPart,
    pub(crate) threads: usize,
    pub(crate) limit: Duration,
    pub(crate) output: Option<&'g std::path::Path>,
}

/// Grades runs, and writes their rows.
pub(crate) fn grade(
    session: &Session,
    root: &Root,
    project: &Project,
    given: &Grading<'_>,
) -> Result<GradeSummary, CliError> {
    let pulls = Pulls { session, root, project };
    let pack = open(session, root, project)?;
    let OpenPack { program, description, .. } = &pack;
    let rules = Rules::new(&pack.rules()?, description, crate_digest(&root.pack(&project.slug))?);
    let head = rules.head(project.slug.as_str(), given.part);
    let mut output = Output::begin(given.output, &head)?;
    let mut kept = output.kept()?;
    let mut listing = Digesting::default();
    let mut listed = 0;
    ordered(
        given.threads,
        |take| {
            list(given.runs, &given.options, Some(pulls), |run| {
                listed = run.ordinal;
                listing.add(&run.source);
                listing.add("\n");
                !given.part.has(run.ordinal) || take((run, kept.as_mut().and_then(Kept::next)))
            });
        },
        || Worker::new(program, description, given.limit),
        |worker, (run, kept)| one(worker, &rules, run, kept, &given.options),
        |graded| output.add(graded?),
    )?;
    output.finish(project.slug.as_str(), listed, listing.finish())
}

/// What became of one run.
#[derive(Debug)]
pub(crate) enum GradedRun {
    /// Its lines.
    New { text: Vec<u8>, tally: Tally },
    /// Its lines were written before, of the same evidence.
    Kept,
    /// Lines were written before, of something else.
    Another { ordinal: u64 },
}

fn one(
    worker: &mut Worker<'_>,
    rules: &Rules,
    run: Listed,
    kept: Option<RunLine>,
    options: &Options,
) -> Result<GradedRun, CliError> {
    let (ordinal, source) = (run.ordinal, run.source.clone());
    let mut read = run.read(options);
    if let (Ok((evidence, remarks)), Some(project)) = (&mut read, &options.project)
        && evidence.run.project != *project
    {
        remarks.push(format!("the run is of `{}`, and the rules are of `{project}`", evidence.run.project));
    }
    let became = match &read {
        Ok((evidence, remarks)) => ReadRun::Whole {
            run: evidence.run.id.clone(),
            evidence: Digest::of_json(evidence)?,
            remarks: remarks.clone(),
        },
        Err(error) => ReadRun::Failed { error: error.clone() },
    };
    let line = RunLine { ordinal, source, read: became };
    if let Some(kept) = kept {
        return Ok(if kept == line { GradedRun::Kept } else { GradedRun::Another { ordinal } });
    }
    let mut lines = vec![GradeLine::Run(line)];
    if let Ok((evidence, _)) = read {
        let outcomes = worker.grade(&evidence)?;
        let rows = rules.rows(ordinal, &evidence.run, &outcomes);
        lines.extend(rows.into_iter().map(Box::new).map(GradeLine::Row));
    }
    let (mut text, mut tally) = (Vec::new(), Tally::default());
    for line in lines {
        tally.count(&line);
        serde_json::to_writer(&mut text, &line)?;
        text.push(b'\n');
    }
    Ok(GradedRun::New { text, tally })
}

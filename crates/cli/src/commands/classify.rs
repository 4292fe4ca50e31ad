//! `classify`.

use super::stages::summary;
use super::status::done;
use crate::arguments::ClassifyArguments;
use crate::asking::{Answering, Asking, AskingStage, Ended, asks_nobody, tell_remarks};
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::classify::{Found, Frozen, by_baseline, by_model_before, classify_by};
use polc_extraction::classify::definitions::Definitions;
use polc_extraction::classify::endpoint::{Answered, Classifying, Sheet, Unanswered, asked_by};
use polc_extraction::endpoint::Suspicions;
use polc_records::corpus::Corpus;
use polc_records::decisions::Decisions;
use polc_records::layout::Root;
use polc_records::project::Project;
use polc_records::visible::visible;

/// How many rules without facts are told of.
const TOLD: usize = 12;

pub(super) fn run(session: &Session, given: &ClassifyArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let slug = &given.slug;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    let answering = given.ask.answering(session, &root, slug, AskingStage::Classify)?;
    let decisions = Decisions::load(&root.decisions(slug), slug)?;
    match answering {
        Answering::Baseline if given.ask.dry_run => asks_nobody(session),
        Answering::Baseline if given.samples.get() > 1 => Err(CliError::Misuse {
            what: "the baseline answers alike every time".to_owned(),
            help: "leave --samples out, or name another engine".to_owned(),
        }),
        Answering::Baseline => {
            let frozen = Frozen::of(&root, &project, &decisions)?;
            let found = by_baseline(&root, &project, &frozen)?;
            let corpus = classify_by(&root, &project, frozen, found)?;
            tell(session, &root, &project, &corpus);
            done(session, &root, &project)
        }
        Answering::Model(asking) => {
            let frozen = Frozen::of(&root, &project, &decisions)?;
            by_model(session, (&root, &project), &asking, frozen, given)
        }
    }
}

fn by_model(
    session: &Session,
    (root, project): (&Root, &Project),
    asking: &Asking,
    frozen: Frozen,
    given: &ClassifyArguments,
) -> Result<Exit, CliError> {
    let (slug, samples) = (&project.slug, given.samples);
    let definitions = Definitions::load(root)?;
    let by = (asking.model(), &asked_by(asking.prompts(), &definitions)[..], samples);
    let before = by_model_before(root, project, &frozen, by)?;
    if let Some(before) = before.filter(|_| asking.is_endpoint() && !given.ask.dry_run) {
        session.tell(format!("`{}` answered all of this before: nothing is asked", asking.model()));
        return label(session, root, project, frozen, before);
    }
    let answered = {
        let suspicions = Suspicions::load(root)?;
        let classifying = Classifying::new(&Sheet {
            cues: &frozen.cues,
            rubrics: &frozen.rubrics,
            definitions: &definitions,
            suspicions: &suspicions,
            rows: &frozen.extraction.rows,
        })?;
        let requests = classifying.requests(&asking.asker(&|_| {}), samples)?;
        if given.ask.dry_run {
            return asking.plan(session, &requests);
        }
        asking.announce(session, requests.len());
        asking.wait(session, requests.len(), async |asker| classifying.ask(asker, samples).await)??
    };
    if let Ended::Waiting = asking.ended(session, &answered.failures)? {
        return Ok(Exit::Done);
    }
    let Answered { facts, asked, open, requests, .. } = answered;
    tell_remarks(session, &asked);
    if !open.is_empty() {
        tell_open(session, &open, frozen.extraction.rows.len());
        session.tell(format!(
            "a rule without facts has no label: nothing was written, and what was answered is kept\n\
             next: polc classify {slug}, with more --repairs or another model"
        ));
        return Ok(Exit::Failed);
    }
    asking.keep(root, slug, &requests)?;
    label(session, root, project, frozen, Found { facts, by: Some((asked, samples)) })
}

/// Labels the rules, and tells whether a person has to look at answers that were not taken.
fn label(
    session: &Session,
    root: &Root,
    project: &Project,
    frozen: Frozen,
    found: Found,
) -> Result<Exit, CliError> {
    let refused = found.by.as_ref().map_or(0, |(asked, _)| asked.refused.len());
    let corpus = classify_by(root, project, frozen, found)?;
    tell(session, root, project, &corpus);
    let exit = done(session, root, project)?;
    if refused == 0 {
        return Ok(exit);
    }
    session.tell(format!("{} not taken: the run log lists them", count(refused, "answer")));
    Ok(Exit::Found)
}

fn tell(session: &Session, root: &Root, project: &Project, corpus: &Corpus) {
    let slug = &project.slug;
    session.tell(summary(corpus));
    session
        .tell(format!("in {}\nnext: polc compile {slug} --stubs", root.shown(&root.rules(slug)).display()));
}

fn tell_open(session: &Session, open: &[Unanswered], rows: usize) {
    session.tell(format!("{} of {} have no facts", open.len(), count(rows, "rule")));
    for rule in open.iter().take(TOLD) {
        session.tell(format!("{}: {}", rule.rule, visible(&rule.why)));
    }
    if let Some(more @ 1..) = open.len().checked_sub(TOLD) {
        session.tell(format!("… and {more} more"));
    }
}

//! `extract`.

use super::status::done;
use crate::arguments::ExtractArguments;
use crate::asking::{Answering, Asking, AskingStage, Ended, asks_nobody, tell_remarks};
use crate::exit::{CliError, Exit};
use crate::session::{Session, count, now};
use crate::stages::decide::undecided;
use crate::stages::extract::{Proposed, Reading, propose, update, write};
use polc_extraction::endpoint::{Passages, Suspicions};
use polc_records::layout::Root;
use polc_records::ledger::{Fate, LedgerLine};
use polc_records::project::Project;
use std::collections::BTreeMap;

pub(super) fn run(session: &Session, given: &ExtractArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let slug = &given.slug;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    if given.update {
        return take_over(session, &root, &project);
    }
    match given.ask.answering(session, &root, slug, AskingStage::Extract)? {
        Answering::Baseline if given.ask.dry_run => asks_nobody(session),
        Answering::Baseline => {
            let proposed = propose(&root, &project)?;
            tell(session, &proposed);
            tell_next(
                session,
                &proposed,
                "every row was proposed by the baseline, without a model",
                slug.as_str(),
            );
            done(session, &root, &project)
        }
        Answering::Model(asking) => by_model(session, &root, &project, &asking, given.ask.dry_run),
    }
}

/// Takes the rows of the last freeze over to the sources as they are now.
fn take_over(session: &Session, root: &Root, project: &Project) -> Result<Exit, CliError> {
    let slug = &project.slug;
    let updated = update(root, project, &now())?;
    let [same, again] = updated.sections;
    session.tell(format!(
        "{} unchanged, {} read again: {} kept, {} moved, {} new, {} retired",
        count(same, "section"),
        again,
        count(updated.kept, "row"),
        updated.moved,
        updated.new,
        updated.retired
    ));
    let open = undecided(root, project)?;
    session.tell(if open > 0 {
        format!("{} to be decided\nnext: polc decide {slug} --sheet FILE", count(open, "row"))
    } else {
        format!("nothing is to be decided\nnext: polc freeze {slug} --by NAME")
    });
    done(session, root, project)
}

fn by_model(
    session: &Session,
    root: &Root,
    project: &Project,
    asking: &Asking,
    dry_run: bool,
) -> Result<Exit, CliError> {
    let slug = &project.slug;
    let reading = Reading::of(root, project)?;
    let sources = reading.sources(root)?;
    let suspicions = Suspicions::load(root)?;
    let passages = {
        let asker = asking.asker(&|_| {});
        let passages = Passages::of(&asker, slug.as_str(), &reading.cues, &suspicions, &sources)?;
        if dry_run {
            return asking.plan(session, &passages.requests(&asker));
        }
        passages
    };
    asking.announce(session, passages.len());
    let drawn = asking.wait(session, passages.len(), async |asker| passages.ask(asker).await)??;
    if let Ended::Waiting = asking.ended(session, &drawn.failures)? {
        return Ok(Exit::Done);
    }
    let proposed = write(root, project, &reading, drawn.extracted, Some(drawn.asked.clone()))?;
    asking.keep(root, slug, &drawn.requests)?;
    tell(session, &proposed);
    tell_remarks(session, &drawn.asked);
    if drawn.open.is_empty() {
        let who = format!(
            "every row was proposed by the model `{}` and has its quote in its source",
            asking.model()
        );
        tell_next(session, &proposed, &who, slug.as_str());
        let exit = done(session, root, project)?;
        return Ok(if drawn.asked.refused.is_empty() { exit } else { Exit::Found });
    }
    session.tell(format!(
        "{} not accounted for, the first in {}: {}\nnext: polc extract {slug}, with more --repairs or another model; the \
         gate of `polc freeze` stays closed until then",
        if drawn.open.len() == 1 { "1 sentence is".to_owned() } else { format!("{} sentences are", drawn.open.len()) },
        drawn.open[0].source,
        drawn.open[0].text
    ));
    done(session, root, project)?;
    Ok(Exit::Failed)
}

fn tell(session: &Session, proposed: &Proposed) {
    session.tell(format!(
        "{} from {}; {} in the ledger: {}",
        count(proposed.rows.len(), "row"),
        count(proposed.sources, "source"),
        count(proposed.ledger.len(), "sentence"),
        fates(&proposed.ledger)
    ));
}

fn tell_next(session: &Session, proposed: &Proposed, who: &str, slug: &str) {
    if proposed.frozen {
        session.tell(
            "the extraction is frozen and this is the proposal it was frozen from: nothing was written",
        );
    } else {
        session.tell(format!("{who}\nnext: polc decide {slug} --sheet FILE"));
    }
}

fn fates(ledger: &[LedgerLine]) -> String {
    let mut fates: BTreeMap<String, usize> = BTreeMap::new();
    for line in ledger {
        let fate = match &line.outcome {
            Fate::Rule { .. } => "of rules".to_owned(),
            Fate::NoRule(reason) => reason.to_string(),
            Fate::Restates(_) => "restating".to_owned(),
        };
        *fates.entry(fate).or_default() += 1;
    }
    fates.into_iter().map(|(fate, count)| format!("{count} {fate}")).collect::<Vec<_>>().join(", ")
}

//! `extract`, `freeze`, `classify`.

use super::status::done;
use crate::arguments::{ExtractArguments, ProposeArguments, SignedArguments};
use crate::asking::{Answering, AskingStage, asks_nobody};
use crate::exit::{CliError, Exit};
use crate::session::{Session, count, now};
use crate::stages;
use polc_records::corpus::{Corpus, Verdict};
use polc_records::layout::Root;
use polc_records::ledger::Fate;
use polc_records::project::Project;
use polc_records::vocabulary::{Level, ModalLevel, ScopeRoute};
use std::collections::BTreeMap;

pub(super) fn extract(session: &Session, asked: &ProposeArguments) -> Result<Exit, CliError> {
    let given = &asked.given;
    let root = session.root()?;
    let slug = &given.slug;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    match given.ask.answering(session, &root, slug, AskingStage::Extract)? {
        Answering::Baseline if given.ask.dry_run => return asks_nobody(session),
        Answering::Baseline => {}
        Answering::Model(_) => {
            return Err(CliError::Misuse {
                what: "no model draws rules yet".to_owned(),
                help: "say --engine baseline".to_owned(),
            });
        }
    }
    if asked.update {
        return update(session, &root, &project);
    }
    let proposed = stages::extract::propose(&root, &project)?;
    let mut fates: BTreeMap<String, usize> = BTreeMap::new();
    for line in &proposed.ledger {
        let fate = match &line.outcome {
            Fate::Rule { .. } => "of rules".to_owned(),
            Fate::NoRule(reason) => reason.to_string(),
            Fate::Restates(_) => "restating".to_owned(),
        };
        *fates.entry(fate).or_default() += 1;
    }
    let fates: Vec<String> = fates.into_iter().map(|(fate, count)| format!("{count} {fate}")).collect();
    session.tell(format!(
        "{} from {}; {} in the ledger: {}",
        count(proposed.rows.len(), "row"),
        count(proposed.sources, "source"),
        count(proposed.ledger.len(), "sentence"),
        fates.join(", ")
    ));
    if proposed.frozen {
        session.tell(
            "the extraction is frozen and this is the proposal it was frozen from: nothing was written",
        );
    } else {
        session.tell(format!(
            "every row was proposed by the baseline, without a model\nnext: polc decide {slug} --sheet FILE"
        ));
    }
    done(session, &root, &project)
}

/// Takes the rows of the last freeze over to the sources as they are now.
fn update(session: &Session, root: &Root, project: &Project) -> Result<Exit, CliError> {
    let slug = &project.slug;
    let updated = stages::extract::update(root, project, &now())?;
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
    let open = stages::decide::undecided(root, project)?;
    session.tell(if open > 0 {
        format!("{} to be decided\nnext: polc decide {slug} --sheet FILE", count(open, "row"))
    } else {
        format!("nothing is to be decided\nnext: polc freeze {slug} --by NAME")
    });
    done(session, root, project)
}

pub(super) fn freeze(session: &Session, given: &SignedArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let slug = &given.slug;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    let frozen = stages::decide::freeze_rows(&root, &project, &given.by, &now())?;
    session.tell(format!(
        "checkpoint 2: {} frozen in {}\nnext: polc classify {slug}",
        count(frozen.rows.len(), "rule"),
        root.shown(&root.extraction(slug)).display()
    ));
    done(session, &root, &project)
}

pub(super) fn classify(session: &Session, given: &ExtractArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let slug = &given.slug;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    match given.ask.answering(session, &root, slug, AskingStage::Classify)? {
        Answering::Baseline if given.ask.dry_run => return asks_nobody(session),
        Answering::Baseline => {}
        Answering::Model(_) => {
            return Err(CliError::Misuse {
                what: "no model classifies yet".to_owned(),
                help: "say --engine baseline".to_owned(),
            });
        }
    }
    let corpus = stages::classify::classify(&root, &project)?;
    session.tell(summary(&corpus));
    session
        .tell(format!("in {}\nnext: polc compile {slug} --stubs", root.shown(&root.rules(slug)).display()));
    done(session, &root, &project)
}

/// Label counts, the four routes never pooled, and the rows whose level is not the modal level.
pub(crate) fn summary(corpus: &Corpus) -> String {
    let level = |level| corpus.rows.iter().filter(|row| row.verdict.level() == Some(level)).count();
    let out = |route| {
        let is_out = |verdict: &Verdict| matches!(verdict, Verdict::OutOfScope { route: out, .. } if out.route() == route);
        corpus.rows.iter().filter(|row| is_out(&row.verdict)).count()
    };
    let implied = |modal| if modal == ModalLevel::Should { Level::Should } else { Level::Must };
    let raised = corpus
        .rows
        .iter()
        .filter(|row| row.verdict.level() == Some(Level::Must) && implied(row.modal) == Level::Should);
    let lowered = corpus
        .rows
        .iter()
        .filter(|row| row.verdict.level() == Some(Level::Should) && implied(row.modal) == Level::Must);
    let unsure = corpus.rows.iter().filter(|row| row.low_confidence.is_some()).count();
    format!(
        "{}: {} must (binding), {} should; out of scope: {} not observable, {} subjective, {} duplicate, {} trigger; \
         level above the modal verb's on {}, below it on {}; low confidence on {unsure}",
        count(corpus.rows.len(), "rule"),
        level(Level::Must),
        level(Level::Should),
        out(ScopeRoute::N1),
        out(ScopeRoute::N2),
        out(ScopeRoute::N3),
        out(ScopeRoute::N4),
        raised.count(),
        lowered.count()
    )
}

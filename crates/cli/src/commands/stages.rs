//! `freeze`, and what a classification came to.

use super::status::done;
use crate::arguments::SignedArguments;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count, now};
use crate::stages;
use polc_records::corpus::{Corpus, Verdict};
use polc_records::vocabulary::{Level, ModalLevel, ScopeRoute};

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

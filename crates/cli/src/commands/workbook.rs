//! `workbook`: a spreadsheet out, a spreadsheet in.

use super::status::done;
use crate::arguments::WorkbookArguments;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count, now};
use crate::stages::workbook;

pub(super) fn run(session: &Session, given: &WorkbookArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let slug = &given.slug;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    let file = root.workbook(slug);
    let shown = root.shown(&file).display();
    if let (Some(from), Some(by)) = (&given.from, &given.by) {
        let changed = workbook::record(&root, &project, from, by, &now())?;
        session.tell(format!(
            "labels of {} changed (by workbook); {shown} is up to date",
            count(changed, "rule")
        ));
    } else {
        let exported = workbook::export(&root, &project)?;
        for unsettled in &exported.unsettled {
            session.tell(format!("to decide again: {unsettled}"));
        }
        session.tell(format!("{} in {shown}", count(exported.rows, "rule")));
        session.tell(if exported.editable {
            format!("edits in it come back with `polc workbook {slug} --from FILE --by NAME`")
        } else {
            "its labels were imported and stay as they were released: edits in it cannot come back".to_owned()
        });
    }
    done(session, &root, &project)
}

//! `decide`: a sheet out, a sheet in.

use super::status::done;
use crate::arguments::DecideArguments;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count, now};
use crate::stages::decide;
use polc_extraction::review::Decider;
use polc_records::store::{read_text, write_atomically};
use std::path::Path;

pub(super) fn run(session: &Session, given: &DecideArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let slug = &given.slug;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    if let (Some(file), Some(by)) = (&given.from, &given.by) {
        let decider = Decider { by: by.clone(), at: now() };
        let recorded = decide::record(&root, &project, file, &read_text(file)?, &decider)?;
        let open = decide::undecided(&root, &project)?;
        session.tell(format!("{} recorded (by file), {open} left", count(recorded, "decision")));
        session.tell(if open == 0 {
            format!("next: polc freeze {slug} --by NAME")
        } else {
            format!("next: polc decide {slug} --sheet FILE")
        });
        return done(session, &root, &project);
    }
    session.has_no_json("a sheet")?;
    let sheet = decide::sheet(&root, &project, given.all)?;
    match &given.sheet {
        Some(file) if file != Path::new("-") => {
            if file.exists() {
                return Err(CliError::Misuse {
                    what: format!("{} exists already", file.display()),
                    help: "name another file: a sheet that was filled in is not overwritten".to_owned(),
                });
            }
            write_atomically(file, sheet.as_bytes())?;
            session.tell(format!(
                "{} to decide on {}",
                count(sheet.matches("[[row]]").count(), "row"),
                file.display()
            ));
        }
        _ => session.print(sheet)?,
    }
    Ok(Exit::Done)
}

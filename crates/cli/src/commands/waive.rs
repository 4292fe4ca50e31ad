//! `waive`: violations of a rule fail no check for a while.

use super::explain::project_of;
use crate::arguments::WaiveArguments;
use crate::exit::{CliError, Exit};
use crate::session::{Session, today};
use crate::stages::classify::load_corpus;
use polc_records::store::save_toml;
use polc_records::waivers::{Waiver, Waivers};

pub(super) fn run(session: &Session, given: WaiveArguments) -> Result<Exit, CliError> {
    session.has_no_json("a record")?;
    let root = session.root()?;
    let project = project_of(&root, &given.rule)?;
    let _lock = root.lock(&project.slug)?;
    let (corpus, _) = load_corpus(&root, &project)?;
    let misuse = |what: String, help: &str| CliError::Misuse { what, help: help.to_owned() };
    if !corpus.binding().any(|row| row.id == given.rule) {
        let what = format!("{} does not bind: nothing would be waived", given.rule);
        return Err(misuse(what, "`polc explain` says what is known of a rule"));
    }
    if given.until < today() {
        return Err(misuse(format!("{} is over", given.until), "name a day that is still to come"));
    }
    let path = root.waivers(&project.slug);
    let mut waivers = Waivers::load(&path)?;
    waivers.waive(Waiver { rule: given.rule.clone(), reason: given.reason, until: given.until });
    save_toml(&path, &waivers)?;
    session.tell(format!(
        "{} is waived until {}, in {}",
        given.rule,
        given.until,
        root.shown(&path).display()
    ));
    Ok(Exit::Done)
}

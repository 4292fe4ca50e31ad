//! `dehydrate` and `hydrate`: the files of a project without the sentences of others, and with them.

use super::status::done;
use crate::arguments::HydrateArguments;
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::hydrate::{dehydrate, hydrate, take_snapshots};
use polc_records::ids::Slug;

/// `dehydrate`.
pub(super) fn out(session: &Session, slug: &Slug) -> Result<Exit, CliError> {
    let root = session.root()?;
    let project = session.project(&root, slug)?;
    let _lock = root.lock(slug)?;
    let dehydrated = dehydrate(&root, &project)?;
    session.tell(format!(
        "{} stand by reference to {}, in {}; what they quote is not in them\nto restore them: polc hydrate {slug}",
        count(dehydrated.files, "file"),
        count(dehydrated.sources, "source"),
        root.shown(&root.by_reference(slug)).display()
    ));
    if !dehydrated.unread.is_empty() {
        session.tell(format!(
            "warning: no text, so left as they are, whatever they quote: {}",
            dehydrated.unread.join(", ")
        ));
    }
    done(session, &root, &project)
}

/// `hydrate`.
pub(super) fn back(session: &Session, given: &HydrateArguments) -> Result<Exit, CliError> {
    let root = session.root()?;
    let slug = &given.slug;
    let project = session.described(&root, slug)?;
    let _lock = root.lock(slug)?;
    if let Some(folder) = &given.from {
        take_snapshots(&root, slug, folder)?;
    }
    let restored = hydrate(&root, &project)?;
    let files = count(restored.files, "file");
    if restored.other_workbook {
        session.tell(format!(
            "{files} restored, each with the digest that it had but for the workbook: this version of polc writes \
             the same rules in other bytes\nto put it by reference as it is now: polc dehydrate {slug}"
        ));
        done(session, &root, &project)?;
        return Ok(Exit::Found);
    }
    session.tell(format!("{files} restored, each with the digest that it had"));
    done(session, &root, &project)
}

//! Edits of a workbook against the corpus as it is now, label by label.

use super::{EditedRow, Faults};
use crate::corpus::{Corpus, CorpusRow};
use crate::decisions::Relabel;
use crate::extraction::compose_applies_to;
use crate::ids::RuleId;
use crate::labels::Standing;
use crate::problem::Problem;
use std::path::Path;

/// The labels that a workbook changes: rule by rule, those that the corpus has not got already. `path`
/// is only named in errors.
///
/// A label that was not edited changes nothing, whatever became of it since. One that was edited
/// changes where the corpus still has what the workbook was written with.
///
/// # Errors
/// All at once: edits of what was frozen, and conflicts: labels that were changed in the workbook and
/// in the corpus, and not to the same.
pub fn merge(path: &Path, rows: &[EditedRow], ours: &Corpus) -> Result<Vec<(RuleId, Vec<Relabel>)>, Faults> {
    let mut merged = Vec::new();
    let mut faults = Vec::new();
    for EditedRow { base, theirs } in rows {
        let id = &base.id;
        faults.extend(frozen_edits(path, base, theirs));
        let edits = Relabel::between(base, theirs);
        if edits.is_empty() {
            continue;
        }
        let Some(ours) = ours.row(id).filter(|ours| frozen(ours) == frozen(base)) else {
            faults.push(Problem::new(
                path,
                format!(
                    "{id}: its labels were edited, and the corpus has no such rule or another text of it"
                ),
                "write a fresh workbook with `polc workbook`, and make the edit there where it still holds",
            ));
            continue;
        };
        let mut changes = Vec::new();
        for edit in edits {
            match edit.standing(ours) {
                Standing::Before => changes.push(edit),
                Standing::After => {}
                Standing::Neither => faults.push(conflict(path, ours, &edit)),
            }
        }
        if !changes.is_empty() {
            merged.push((id.clone(), changes));
        }
    }
    if faults.is_empty() { Ok(merged) } else { Err(Faults(faults)) }
}

fn conflict(path: &Path, ours: &CorpusRow, edit: &Relabel) -> Problem {
    Problem::new(
        path,
        format!(
            "{}: `{}` was changed here and in the corpus\n  written with  {}\n  here now      {}\n  corpus now    {}",
            ours.id,
            edit.label(),
            edit.before(),
            edit.after(),
            edit.words_of(ours)
        ),
        "take the label of the corpus over into the workbook, or write a fresh workbook with `polc workbook` \
         and decide there",
    )
}

/// What was frozen: each field by its name.
fn frozen(row: &CorpusRow) -> [(&'static str, String); 8] {
    let field = |text: &Option<String>| text.clone().map_or_else(String::new, |text| format!("`{text}`"));
    [
        ("Source", row.source.to_string()),
        ("Original text", row.original.clone()),
        ("Atomic rule", row.rule.clone()),
        ("Applies to", compose_applies_to(&row.applies_to)),
        ("Category", row.category.to_string()),
        ("Modal", row.modal.to_string()),
        ("Trigger", field(&row.trigger)),
        ("Remark", field(&row.remark)),
    ]
}

fn frozen_edits(path: &Path, base: &CorpusRow, theirs: &CorpusRow) -> Vec<Problem> {
    let pairs = frozen(base).into_iter().zip(frozen(theirs));
    let edited = pairs.filter(|(base, theirs)| base != theirs);
    edited
        .map(|((name, before), (_, after))| {
            Problem::new(
                path,
                format!(
                    "{}: it was frozen, and cannot be edited here\n  frozen    {before}\n  here now  {after}",
                    base.id
                ),
                "restore it here; what a rule says is decided before the freeze, with `polc decide`",
            )
            .field(name)
        })
        .collect()
}

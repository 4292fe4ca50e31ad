//! What became of a rule from freeze to freeze, and who decided it.

use crate::exit::CliError;
use polc_records::Digest;
use polc_records::decisions::{Action, DecidedBy, Decision, Decisions, IssuedId};
use polc_records::ids::RuleId;
use polc_records::proposal::Row;
use std::collections::BTreeSet;

/// Everything that was decided on a rule and everything that became of it, in order.
pub(super) fn history(rule: &RuleId, decisions: &Decisions) -> Result<Vec<String>, CliError> {
    let rows = decisions.all.iter().filter_map(|decision| issued(decision, rule)).map(|issued| issued.row);
    let mut history = History { rule, rows: rows.collect(), last: None, stands: false };
    let mut events = Vec::new();
    for decision in &decisions.all {
        events.extend(history.event(decision)?);
    }
    Ok(events)
}

/// The row that a decision gives to a rule.
fn issued<'d>(decision: &'d Decision, rule: &RuleId) -> Option<&'d IssuedId> {
    let ids = match decision {
        Decision::Freeze { ids, .. } | Decision::Import { ids, .. } | Decision::Carry { ids, .. } => ids,
        Decision::Manifest { .. }
        | Decision::Row { .. }
        | Decision::Add { .. }
        | Decision::Relabel { .. }
        | Decision::Accept { .. } => return None,
    };
    ids.iter().find(|issued| issued.id == *rule)
}

/// A rule, as far as its history has been told.
struct History<'h> {
    rule: &'h RuleId,
    /// Every row that ever had its id.
    rows: BTreeSet<Digest>,
    /// The last of them.
    last: Option<&'h IssuedId>,
    /// Whether the last freeze had it.
    stands: bool,
}

impl<'h> History<'h> {
    fn event(&mut self, decision: &'h Decision) -> Result<Option<String>, CliError> {
        let issued = issued(decision, self.rule);
        let told = match decision {
            Decision::Row { row, action, replaces, by, decided_by, at, .. } => {
                let is_it = replaces.as_ref() == Some(self.rule);
                self.decided(*row, action, is_it)?
                    .map(|what| format!("{what} by {by}{}, {at}", how(*decided_by)))
            }
            Decision::Add { row, by, decided_by, at, .. } => {
                self.is_row(row)?.then(|| format!("added by {by}{}, {at}", how(*decided_by)))
            }
            Decision::Carry { at, .. } => issued.map(|_| {
                format!("carried over to another place: the pages changed, its sentence did not, {at}")
            }),
            Decision::Freeze { by, at, .. } => {
                self.frozen(issued).map(|what| format!("{what} by {by}, {at}"))
            }
            Decision::Import { by, at, .. } => issued.map(|_| format!("imported by {by}, {at}")),
            Decision::Relabel { rule, by, at, .. } => {
                (rule == self.rule).then(|| format!("labels changed by {by}, {at}"))
            }
            Decision::Manifest { .. } | Decision::Accept { .. } => None,
        };
        if matches!(decision, Decision::Freeze { .. } | Decision::Import { .. }) {
            self.stands = issued.is_some();
        }
        self.last = issued.or(self.last);
        Ok(told)
    }

    fn is_row(&self, row: &Row) -> Result<bool, CliError> {
        Ok(self.rows.contains(&row.digest()?))
    }

    /// What was decided on a proposed row, where it became the rule or had been it.
    fn decided(&self, row: Digest, action: &Action, is_it: bool) -> Result<Option<&'static str>, CliError> {
        if is_it {
            return Ok(Some("a new row was said to be this rule, in other words,"));
        }
        Ok(match action {
            Action::Accept => self.rows.contains(&row).then_some("accepted"),
            Action::Amend(amended) => self.is_row(amended)?.then_some("accepted in other words"),
            Action::Split(parts) => {
                let mut is_part = false;
                for part in parts {
                    is_part |= self.is_row(part)?;
                }
                is_part.then_some("split off a row")
            }
            Action::Merge(_) => self.rows.contains(&row).then_some("merged into another row"),
            Action::Drop(_) => self.rows.contains(&row).then_some("dropped"),
        })
    }

    /// What a freeze made of the rule.
    fn frozen(&self, issued: Option<&IssuedId>) -> Option<&'static str> {
        match (issued, self.last) {
            (None, _) => self.stands.then_some("retired at the freeze"),
            (Some(_), None) => Some("frozen"),
            (Some(_), Some(_)) if !self.stands => Some("back at the freeze"),
            (Some(now), Some(last)) if now.row == last.row => Some("frozen again"),
            (Some(now), Some(last)) if now.identity == last.identity => Some("frozen again, read otherwise,"),
            (Some(_), Some(_)) => Some("frozen again in other words"),
        }
    }
}

/// How a decision was made. A row that a file decided may not have been seen by anyone.
const fn how(decided_by: DecidedBy) -> &'static str {
    match decided_by {
        DecidedBy::File => " (by file)",
        DecidedBy::Workbook => " (by workbook)",
        DecidedBy::Carried => " (carried over)",
    }
}

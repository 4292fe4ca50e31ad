//! Decision sheets: the proposed rows beside their sources, to be decided in any editor.
//!
//! A sheet is TOML. What a reviewer has to see stands in comments; what is decided stands in fields.
//! A row with an empty decision stays undecided, so that no sheet waves everything through.

use crate::ExtractionError;
use crate::classify::duplicates::ratio;
use crate::documents::ReadSource;
use crate::grounding::Grounds;
use crate::lexis::tokens;
use polc_records::Digest;
use polc_records::decisions::{Action, DecidedBy, Decision, Decisions, DropReason};
use polc_records::ids::{RuleId, Slug};
use polc_records::locator::{Locator, SectionPath};
use polc_records::proposal::{ContextQuote, Part, ProposedRow, Row};
use polc_records::store::TomlFile;
use polc_records::visible::visible;
use polc_records::vocabulary::{AppliesTo, Category, Form, LedgerReason, ModalLevel};
use polc_text::document::fold_space;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A sheet as it is read back.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    #[serde(rename = "schema")]
    _schema: u32,
    project: Slug,
    #[serde(default, rename = "row")]
    rows: Vec<SheetRow>,
    #[serde(default, rename = "add")]
    added: Vec<AddedRow>,
}

impl TomlFile for Sheet {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "decision sheet";
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct SheetRow {
    digest: Digest,
    decision: String,
    /// Why it is dropped.
    #[serde(default)]
    reason: Option<LedgerReason>,
    /// The row that it restates, where that is why it is dropped.
    #[serde(default)]
    restates: Option<Digest>,
    /// The row that it is merged into.
    #[serde(default)]
    into: Option<Digest>,
    /// That the clause before a quote which begins mid-sentence was read.
    #[serde(default)]
    acknowledged: bool,
    /// The rule of an earlier freeze that this one is, in other words.
    #[serde(default)]
    replaces: Option<RuleId>,
    /// What is changed.
    #[serde(default)]
    amend: Option<Changes>,
    /// The rows that stand in its place, each by what differs.
    #[serde(default)]
    split: Vec<Changes>,
}

/// What a person changes in a row. An empty text takes an optional field away.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Changes {
    quote: Option<String>,
    rule: Option<String>,
    condition: Option<String>,
    modal: Option<ModalLevel>,
    applies_to: Option<Vec<AppliesTo>>,
    category: Option<Category>,
    context: Option<Vec<ContextQuote>>,
    trigger: Option<String>,
}

/// A rule that no engine proposed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct AddedRow {
    source: String,
    section: Vec<String>,
    quote: String,
    rule: String,
    #[serde(default)]
    condition: Option<String>,
    modal: ModalLevel,
    applies_to: Vec<AppliesTo>,
    category: Category,
    #[serde(default)]
    context: Vec<ContextQuote>,
    #[serde(default)]
    trigger: Option<String>,
    /// That the clause before a quote which begins mid-sentence was read.
    #[serde(default)]
    acknowledged: bool,
}

/// Who decides, and when.
#[derive(Debug, Clone)]
pub struct Decider {
    /// The name.
    pub by: String,
    /// RFC 3339.
    pub at: String,
}

const HEAD: &str = "\
# Each row stands below what its source says. Set `decision` to one of
#   accept   it stands as proposed
#   amend    it stands with the fields of [row.amend] (quote, rule, condition, modal, applies_to, category,
#            context, trigger); an empty text takes condition or trigger away
#   split    the rows of [[row.split]] stand in its place, each given by what differs
#   merge    it is part of the row whose digest `into` names
#   drop     it is no rule: `reason` is one of the reasons below, or `restates` names the row it repeats
# A row left empty stays undecided. Where a quote begins mid-sentence, `acknowledged = true` says that the
# clause before it was read. Where the row is a rule that has an id already, in other words, `replaces`
# names the id, and it is kept. A rule that is missing is added with [[add]] (source, section, quote, rule,
# modal, applies_to, category; condition, context, trigger and acknowledged where they are needed), and taken
# back by a row that drops its digest.
";

/// Renders a sheet with the rows that are not decided yet, or with all, those added included.
///
/// # Errors
/// As [`Row::digest`].
pub fn render(
    slug: &Slug,
    sources: &[ReadSource<'_>],
    proposal: &[ProposedRow],
    decisions: &Decisions,
    earlier: &[EarlierRule],
    all: bool,
) -> Result<String, ExtractionError> {
    let gone = gone(proposal, decisions, earlier)?;
    let mut sheet = HEAD.to_owned();
    let reasons = LedgerReason::SPELLINGS.join(", ");
    // Writing to a string cannot fail.
    let _written =
        write!(sheet, "# Reasons: {reasons}.\n\nschema = {}\nproject = \"{slug}\"\n", Sheet::SCHEMA);
    let url = |key: &str| {
        sources.iter().find(|read| read.source.key == key).map_or("", |read| read.source.url.as_str())
    };
    for (index, proposed) in proposal.iter().enumerate() {
        if !all && decisions.on_row(proposed.digest).is_some() {
            continue;
        }
        let element = proposed.locator.segments.last().and_then(|segment| segment.element.as_deref());
        let url = url(&proposed.row.source);
        let shown = Shown {
            name: format!("{}/{}", index + 1, proposal.len()),
            digest: proposed.digest,
            row: &proposed.row,
            link: element.map_or(url.to_owned(), |element| format!("{url}#{element}")),
            found_by: &proposed.found_by,
            was: gone
                .iter()
                .map(|row| (likeness(row, &proposed.row), *row))
                .filter(|(overlap, _)| *overlap >= ALIKE)
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, row)| row),
        };
        render_row(&mut sheet, &shown);
    }
    let added = decisions.added().map_err(crate::json)?;
    for added in added.iter().filter(|_| all) {
        let shown = Shown {
            name: "added".to_owned(),
            digest: added.digest,
            row: added.row,
            link: url(&added.row.source).to_owned(),
            found_by: "a person",
            was: None,
        };
        render_row(&mut sheet, &shown);
    }
    if !gone.is_empty() {
        sheet.push_str(RETIRED);
        for row in gone {
            let _written = writeln!(sheet, "#   {}: {}", row.id, visible(&fold_space(&row.rule)));
        }
    }
    Ok(sheet)
}

const RETIRED: &str = "\
# These rules have no row any more. They are retired at the freeze, each unless `replaces` names it above; their
# ids are given to no other rule.
";

/// A rule of the last freeze.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierRule {
    /// Its id.
    pub id: RuleId,
    /// What it says.
    pub rule: String,
    /// What it quotes.
    pub original: String,
}

/// A row as a sheet shows it.
struct Shown<'r> {
    name: String,
    digest: Digest,
    row: &'r Row,
    link: String,
    found_by: &'r str,
    /// The rule of the last freeze that it may be, in other words.
    was: Option<&'r EarlierRule>,
}

/// The overlap of words from which a new row may be a rule that is gone, in other words.
const ALIKE: f64 = 0.5;

/// The rules of the last freeze that are not among the proposed rows, or among those added, any more.
fn gone<'r>(
    proposal: &[ProposedRow],
    decisions: &Decisions,
    earlier: &'r [EarlierRule],
) -> Result<Vec<&'r EarlierRule>, ExtractionError> {
    let mut there = BTreeSet::new();
    let added = decisions.added().map_err(crate::json)?;
    for row in proposal.iter().map(|proposed| &proposed.row).chain(added.iter().map(|added| added.row)) {
        there.insert(row.identity().map_err(crate::json)?);
    }
    for row in decisions.all.iter().filter_map(Decision::amended).flatten() {
        there.insert(row.identity().map_err(crate::json)?);
    }
    let ids = decisions.freeze().map_or(&[][..], |freeze| freeze.ids);
    let issued = decisions.issued();
    // A row that was taken over to another place has another identity there.
    let is_there = |id: &RuleId| issued.get(id).is_some_and(|issued| there.contains(&issued.identity));
    let replaced = |id: &RuleId| {
        let on_row = proposal.iter().filter_map(|proposed| decisions.on_row(proposed.digest));
        on_row.into_iter().any(|decision| match decision {
            Decision::Row { replaces, .. } => replaces.as_ref() == Some(id),
            _ => false,
        })
    };
    let gone: BTreeSet<&RuleId> =
        ids.iter().map(|issued| &issued.id).filter(|id| !is_there(id) && !replaced(id)).collect();
    Ok(earlier.iter().filter(|row| gone.contains(&row.id)).collect())
}

/// How much of the words of a rule and a row is the same, of what they quote or of what they say.
fn likeness(was: &EarlierRule, row: &Row) -> f64 {
    overlap(&was.rule, &row.rule).max(overlap(&was.original, &row.quote))
}

/// How much of the words of two texts is the same, from 0 to 1.
fn overlap(a: &str, b: &str) -> f64 {
    let words = |text| tokens(text).into_iter().map(|token| token.lower).collect::<BTreeSet<String>>();
    let (a, b) = (words(a), words(b));
    let shared = a.intersection(&b).count();
    ratio(shared, a.len() + b.len() - shared)
}

fn render_row(sheet: &mut String, shown: &Shown<'_>) {
    let row = shown.row;
    let mut line = |name: &str, text: &str| {
        let _written = writeln!(sheet, "# {name:<10} {}", visible(&fold_space(text)));
    };
    line(&shown.name, &format!("{} | {}", row.source, row.section));
    line("link", &shown.link);
    if let Some(preceding) = &row.preceding {
        line("BEFORE", preceding);
    }
    line("quote", &row.quote);
    line("rule", &row.rule);
    let applies: Vec<&str> = row.applies_to.iter().map(|value| value.as_str()).collect();
    line("labels", &format!("{} | {} | {} | {}", row.modal, applies.join(", "), row.category, row.form));
    for (name, value) in [("condition", &row.condition), ("trigger", &row.trigger)] {
        if let Some(value) = value {
            line(name, value);
        }
    }
    for context in &row.context {
        line(context.kind.as_str(), &context.quote);
    }
    line("found by", shown.found_by);
    if let Some(was) = shown.was {
        line("was", &format!("{}: {}", was.id, was.rule));
    }
    let acknowledged = if row.preceding.is_some() { "acknowledged = false\n" } else { "" };
    let replaces = shown.was.map_or(String::new(), |was| format!("# replaces = \"{}\"\n", was.id));
    let digest = shown.digest;
    let _written =
        write!(sheet, "[[row]]\ndigest = \"{digest}\"\ndecision = \"\"\n{replaces}{acknowledged}\n");
}

/// What a sheet is read against.
struct Desk<'d> {
    grounds: Grounds<'d>,
    proposal: &'d [ProposedRow],
    added: Vec<Digest>,
}

/// Turns a sheet into the decisions that it makes and that are not in force already.
///
/// # Errors
/// Every fault of the sheet at once: a row that was not proposed, a decision that is none, a quote
/// that is not in its source (with the nearest passage), a clause that was not acknowledged.
pub fn read_sheet(
    slug: &Slug,
    sheet: &Sheet,
    sources: &[ReadSource<'_>],
    proposal: &[ProposedRow],
    decisions: &Decisions,
    decider: &Decider,
) -> Result<Vec<Decision>, ExtractionError> {
    let added = decisions.added().map_err(crate::json)?.iter().map(|added| added.digest).collect();
    let desk = Desk { grounds: Grounds::new(sources), proposal, added };
    let (by, decided_by, at) = (&decider.by, DecidedBy::File, &decider.at);
    let issued = decisions.issued();
    let mut faults = Vec::new();
    let mut made = Vec::new();
    if sheet.project != *slug {
        faults.push(format!("the sheet is for the project `{}`, not `{slug}`", sheet.project));
    }
    for row in &sheet.rows {
        match desk.decided(row) {
            Ok(None) => {}
            Ok(Some(_)) if row.replaces.as_ref().is_some_and(|id| !issued.contains_key(id)) => {
                let id = row.replaces.as_ref().map_or(String::new(), ToString::to_string);
                faults.push(format!(
                    "row {}: {id} was never given, so nothing replaces it",
                    row.digest.short()
                ));
            }
            Ok(Some((action, acknowledged))) => made.push(Decision::Row {
                row: row.digest,
                action,
                acknowledged,
                replaces: row.replaces.clone(),
                by: by.clone(),
                decided_by,
                at: at.clone(),
            }),
            Err(message) => faults.push(format!("row {}: {message}", row.digest.short())),
        }
    }
    for added in &sheet.added {
        match desk.add(added) {
            Ok((row, acknowledged)) => made.push(Decision::Add {
                row: Box::new(row),
                acknowledged,
                by: by.clone(),
                decided_by,
                at: at.clone(),
            }),
            Err(message) => faults.push(format!("added rule `{}`: {message}", added.rule)),
        }
    }
    if !faults.is_empty() {
        return Err(ExtractionError::Sheet(faults));
    }
    let mut new = Vec::new();
    for decision in made {
        if !decisions.holds(&decision).map_err(crate::json)? {
            new.push(decision);
        }
    }
    Ok(new)
}

/// The clauses before the quotes of rows, which whoever decides has to have read.
fn clauses<'r>(rows: impl IntoIterator<Item = &'r Row>, read: bool) -> Result<Vec<String>, String> {
    let mut clauses: Vec<String> = rows.into_iter().filter_map(|row| row.preceding.clone()).collect();
    clauses.dedup();
    if read || clauses.is_empty() {
        return Ok(clauses);
    }
    Err(format!(
        "it begins mid-sentence: read what stands before it ({}) and set `acknowledged = true`",
        clauses.join(" / ")
    ))
}

impl SheetRow {
    /// The fields that were filled in beside the decision.
    fn given(&self) -> Vec<&'static str> {
        let fields = [
            ("reason", self.reason.is_some()),
            ("restates", self.restates.is_some()),
            ("into", self.into.is_some()),
            ("replaces", self.replaces.is_some()),
            ("amend", self.amend.is_some()),
            ("split", !self.split.is_empty()),
        ];
        fields.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
    }

    /// Refuses a decision that is none, and fields that do not go with it.
    fn goes_together(&self) -> Result<(), String> {
        let takes: &[&str] = match self.decision.as_str() {
            "" => &[],
            "accept" => &["replaces"],
            "amend" => &["replaces", "amend"],
            "split" => &["split"],
            "merge" => &["into"],
            "drop" => &["reason", "restates"],
            other => {
                return Err(format!("`{other}` is no decision; allowed: accept, amend, split, merge, drop"));
            }
        };
        match (self.given().into_iter().find(|field| !takes.contains(field)), self.decision.as_str()) {
            (None, _) => Ok(()),
            (Some(field), "") => Err(format!("`{field}` is given, but `decision` is empty")),
            (Some(field), decision) => Err(format!("`{field}` does not go with `{decision}`")),
        }
    }
}

impl Desk<'_> {
    /// What a row of the sheet decides, and the clauses acknowledged; none where it is left empty.
    fn decided(&self, row: &SheetRow) -> Result<Option<(Action, Vec<String>)>, String> {
        row.goes_together()?;
        if row.decision.is_empty() {
            return Ok(None);
        }
        let Some(proposed) = self.proposal.iter().find(|proposed| proposed.digest == row.digest) else {
            return match (row.reason, self.added.contains(&row.digest)) {
                (Some(reason), true) => Ok(Some((Action::Drop(DropReason::NoRule(reason)), Vec::new()))),
                (None, true) => {
                    Err("an added rule is taken back by `drop` with a `reason`, or left".to_owned())
                }
                (_, false) => Err("it is not in the proposal: make a new sheet".to_owned()),
            };
        };
        let action = self.action(row, proposed)?;
        let acknowledged = match &action {
            Action::Accept => clauses([&proposed.row], row.acknowledged)?,
            Action::Amend(amended) => clauses([amended.as_ref()], row.acknowledged)?,
            Action::Split(rows) => clauses(rows, row.acknowledged)?,
            Action::Merge(_) | Action::Drop(_) => Vec::new(),
        };
        Ok(Some((action, acknowledged)))
    }

    fn action(&self, row: &SheetRow, proposed: &ProposedRow) -> Result<Action, String> {
        let other = |digest: Digest| {
            let proposed = self.proposal.iter().any(|other| other.digest == digest);
            if digest != row.digest && proposed {
                Ok(digest)
            } else {
                Err(format!("{} is no other row of the proposal", digest.short()))
            }
        };
        match (row.decision.as_str(), &row.amend, row.split.as_slice(), row.into, row.reason, row.restates) {
            ("amend", Some(changes), ..) => {
                Ok(Action::Amend(Box::new(self.changed(proposed, changes, None)?)))
            }
            ("amend", ..) => Err("`amend` needs the fields of [row.amend]".to_owned()),
            ("split", _, [_, _, ..], ..) => {
                let of = u32::try_from(row.split.len()).unwrap_or(u32::MAX);
                let rows = (1..).zip(&row.split);
                let rows: Result<Vec<Row>, String> = rows
                    .map(|(index, changes)| self.changed(proposed, changes, Some(Part { index, of })))
                    .collect();
                Ok(Action::Split(rows?))
            }
            ("split", ..) => Err("`split` needs two or more [[row.split]]".to_owned()),
            ("merge", _, _, Some(into), ..) => other(into).map(Action::Merge),
            ("merge", ..) => Err("`merge` needs `into`".to_owned()),
            ("drop", _, _, _, Some(reason), None) => Ok(Action::Drop(DropReason::NoRule(reason))),
            ("drop", _, _, _, None, Some(restated)) => {
                other(restated).map(|restated| Action::Drop(DropReason::Restates(restated)))
            }
            ("drop", ..) => Err("`drop` needs either `reason` or `restates`".to_owned()),
            _ => Ok(Action::Accept),
        }
    }

    fn changed(&self, proposed: &ProposedRow, changes: &Changes, part: Option<Part>) -> Result<Row, String> {
        let mut row = proposed.row.clone();
        let optional = |field: &mut Option<String>, change: &Option<String>| {
            if let Some(change) = change {
                *field = Some(change.clone()).filter(|text| !text.is_empty());
            }
        };
        optional(&mut row.condition, &changes.condition);
        optional(&mut row.trigger, &changes.trigger);
        if let Some(rule) = &changes.rule {
            row.rule.clone_from(rule);
        }
        row.modal = changes.modal.unwrap_or(row.modal);
        row.category = changes.category.unwrap_or(row.category);
        if let Some(applies_to) = &changes.applies_to {
            row.applies_to.clone_from(applies_to);
            row.applies_to.sort();
            row.applies_to.dedup();
        }
        if let Some(context) = &changes.context {
            row.context.clone_from(context);
        }
        row.part = part.or(row.part);
        let recorded = match &changes.quote {
            Some(quote) => {
                row.quote.clone_from(quote);
                row.preceding = None;
                row.occurrence = 0;
                None
            }
            None => Some(&proposed.locator),
        };
        self.check(&mut row, recorded)?;
        Ok(row)
    }

    /// What has to hold of every row that a person wrote: filled in, and each quote in its source. A quote
    /// that has no place yet is spelled as its source spells it.
    fn check(&self, row: &mut Row, recorded: Option<&Locator>) -> Result<(), String> {
        if row.rule.trim().is_empty() || row.applies_to.is_empty() {
            return Err("a row has a rule and applies to something".to_owned());
        }
        let locator = self.grounds.prove(row, recorded)?;
        if let (None, Some(read)) = (recorded, self.grounds.source(&row.source)) {
            row.quote = read.document.quote(&locator);
            row.preceding = read.document.preceding_clause(&locator);
            if let Some(own) = locator.segments.last() {
                row.section = own.section.clone();
            }
        }
        Ok(())
    }

    fn add(&self, added: &AddedRow) -> Result<(Row, Vec<String>), String> {
        let mut row = Row {
            source: added.source.clone(),
            section: SectionPath(added.section.clone()),
            occurrence: 0,
            quote: added.quote.clone(),
            rule: added.rule.clone(),
            form: Form::Prose,
            condition: added.condition.clone(),
            modal: added.modal,
            applies_to: added.applies_to.clone(),
            category: added.category,
            context: added.context.clone(),
            trigger: added.trigger.clone(),
            preceding: None,
            part: None,
        };
        row.applies_to.sort();
        row.applies_to.dedup();
        let sections = self.grounds.source(&row.source).map(|read| &read.document.sections);
        if sections.is_some_and(|sections| sections.iter().all(|section| section.path != row.section)) {
            return Err(format!("`{}` has no section `{}`", row.source, row.section));
        }
        self.check(&mut row, None)?;
        let acknowledged = clauses([&row], added.acknowledged)?;
        Ok((row, acknowledged))
    }
}

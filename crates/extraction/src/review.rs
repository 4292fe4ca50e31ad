//! Decision sheets: the proposed rows beside their sources, to be decided in any editor.
//!
//! A sheet is TOML. What a reviewer has to see stands in comments; what is decided stands in fields.
//! A row with an empty decision stays undecided, so that no sheet waves everything through.

use crate::ExtractionError;
use crate::documents::ReadSource;
use crate::freeze::locate;
use polc_records::Digest;
use polc_records::decisions::{Action, DecidedBy, Decision, Decisions, DropReason};
use polc_records::ids::Slug;
use polc_records::locator::SectionPath;
use polc_records::proposal::{ContextQuote, Part, ProposedRow, Row};
use polc_records::store::TomlFile;
use polc_records::vocabulary::{AppliesTo, Category, Form, LedgerReason, ModalLevel};
use polc_text::document::fold_space;
use serde::Deserialize;
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
# clause before it was read. A rule that is missing is added with [[add]] (source, section, quote, rule,
# modal, applies_to, category).
";

/// Renders a sheet with the rows that are not decided yet, or with all.
pub fn render(
    slug: &Slug,
    sources: &[ReadSource<'_>],
    proposal: &[ProposedRow],
    decisions: &Decisions,
    all: bool,
) -> String {
    let mut sheet = HEAD.to_owned();
    let reasons = LedgerReason::SPELLINGS.join(", ");
    // Writing to a string cannot fail.
    let _written =
        write!(sheet, "# Reasons: {reasons}.\n\nschema = {}\nproject = \"{slug}\"\n", Sheet::SCHEMA);
    for (index, proposed) in proposal.iter().enumerate() {
        if !all && decisions.on_row(proposed.digest).is_some() {
            continue;
        }
        let url = sources
            .iter()
            .find(|read| read.source.key == proposed.row.source)
            .map_or("", |read| read.source.url.as_str());
        render_row(&mut sheet, index + 1, proposal.len(), proposed, url);
    }
    sheet
}

fn render_row(sheet: &mut String, number: usize, of: usize, proposed: &ProposedRow, url: &str) {
    let row = &proposed.row;
    let mut line = |name: &str, text: &str| {
        let _written = writeln!(sheet, "# {name:<10} {}", fold_space(text));
    };
    let element = proposed.locator.segments.last().and_then(|segment| segment.element.as_deref());
    let link = element.map_or(url.to_owned(), |element| format!("{url}#{element}"));
    line(&format!("{number}/{of}"), &format!("{} | {}", row.source, row.section));
    line("link", &link);
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
    line("found by", &proposed.found_by);
    let acknowledged = if row.preceding.is_some() { "acknowledged = false\n" } else { "" };
    let _written =
        write!(sheet, "[[row]]\ndigest = \"{}\"\ndecision = \"\"\n{acknowledged}\n", proposed.digest);
}

/// Turns a sheet into decisions.
///
/// # Errors
/// Every fault of the sheet at once: a row that was not proposed, a decision that is none, a quote
/// that is not in its source (with the nearest passage), a clause that was not acknowledged.
pub fn read_sheet(
    slug: &Slug,
    sheet: &Sheet,
    sources: &[ReadSource<'_>],
    proposal: &[ProposedRow],
    decider: &Decider,
) -> Result<Vec<Decision>, ExtractionError> {
    let mut faults = Vec::new();
    let mut decisions = Vec::new();
    if sheet.project != *slug {
        faults.push(format!("the sheet is for the project `{}`, not `{slug}`", sheet.project));
    }
    for row in sheet.rows.iter().filter(|row| !row.decision.is_empty()) {
        let name = row.digest.short();
        let Some(proposed) = proposal.iter().find(|proposed| proposed.digest == row.digest) else {
            faults.push(format!("row {name} is not in the proposal: make a new sheet"));
            continue;
        };
        match action(row, proposed, sources, proposal) {
            Ok(action) => {
                let acknowledged = acknowledged(&action, proposed);
                if acknowledged.is_some() && !row.acknowledged {
                    faults.push(format!(
                        "row {name} begins mid-sentence: read what stands before it ({}) and set `acknowledged = true`",
                        acknowledged.unwrap_or_default()
                    ));
                    continue;
                }
                decisions.push(Decision::Row {
                    row: row.digest,
                    action,
                    acknowledged,
                    by: decider.by.clone(),
                    decided_by: DecidedBy::File,
                    at: decider.at.clone(),
                });
            }
            Err(message) => faults.push(format!("row {name}: {message}")),
        }
    }
    for added in &sheet.added {
        match add(added, sources) {
            Ok(row) => decisions.push(Decision::Add {
                row: Box::new(row),
                by: decider.by.clone(),
                decided_by: DecidedBy::File,
                at: decider.at.clone(),
            }),
            Err(message) => faults.push(format!("added rule `{}`: {message}", added.rule)),
        }
    }
    if faults.is_empty() { Ok(decisions) } else { Err(ExtractionError::Sheet(faults)) }
}

fn acknowledged(action: &Action, proposed: &ProposedRow) -> Option<String> {
    match action {
        Action::Accept => proposed.row.preceding.clone(),
        Action::Amend(row) => row.preceding.clone(),
        Action::Split(rows) => rows.iter().find_map(|row| row.preceding.clone()),
        Action::Merge(_) | Action::Drop(_) => None,
    }
}

fn action(
    row: &SheetRow,
    proposed: &ProposedRow,
    sources: &[ReadSource<'_>],
    proposal: &[ProposedRow],
) -> Result<Action, String> {
    let is_proposed = |digest: Digest| proposal.iter().any(|other| other.digest == digest);
    let other = |digest: Digest| {
        if digest != row.digest && is_proposed(digest) {
            Ok(digest)
        } else {
            Err(format!("{} is no other row of the proposal", digest.short()))
        }
    };
    match row.decision.as_str() {
        "accept" => Ok(Action::Accept),
        "amend" => match &row.amend {
            Some(changes) => Ok(Action::Amend(Box::new(changed(&proposed.row, changes, sources, None)?))),
            None => Err("`amend` needs the fields of [row.amend]".to_owned()),
        },
        "split" if row.split.len() >= 2 => {
            let of = u32::try_from(row.split.len()).unwrap_or(u32::MAX);
            let rows = (1..).zip(&row.split);
            let rows: Result<Vec<Row>, String> = rows
                .map(|(index, changes)| changed(&proposed.row, changes, sources, Some(Part { index, of })))
                .collect();
            Ok(Action::Split(rows?))
        }
        "split" => Err("`split` needs two or more [[row.split]]".to_owned()),
        "merge" => match row.into {
            Some(into) => other(into).map(Action::Merge),
            None => Err("`merge` needs `into`".to_owned()),
        },
        "drop" => match (row.reason, row.restates) {
            (Some(reason), None) => Ok(Action::Drop(DropReason::NoRule(reason))),
            (None, Some(restated)) => {
                other(restated).map(|restated| Action::Drop(DropReason::Restates(restated)))
            }
            _ => Err("`drop` needs either `reason` or `restates`".to_owned()),
        },
        other => Err(format!("`{other}` is no decision; allowed: accept, amend, split, merge, drop")),
    }
}

fn changed(
    row: &Row,
    changes: &Changes,
    sources: &[ReadSource<'_>],
    part: Option<Part>,
) -> Result<Row, String> {
    let mut row = row.clone();
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
    if let Some(quote) = &changes.quote {
        row.quote.clone_from(quote);
        row.preceding = None;
        row.occurrence = 0;
    }
    check(&mut row, changes.quote.is_some(), sources)?;
    Ok(row)
}

/// What has to hold of every row that a person wrote: filled in, and each quote in its source.
fn check(row: &mut Row, quote_changed: bool, sources: &[ReadSource<'_>]) -> Result<(), String> {
    if row.rule.trim().is_empty() || row.applies_to.is_empty() {
        return Err("a row has a rule and applies to something".to_owned());
    }
    let locator = locate(sources, row)?;
    let Some(read) = sources.iter().find(|read| read.source.key == row.source) else {
        return Err(format!("`{}` is no source that rules are drawn from", row.source));
    };
    if quote_changed {
        row.quote = read.document.quote(&locator);
        row.preceding = read.document.preceding_clause(&locator);
        if let Some(own) = locator.segments.last() {
            row.section = own.section.clone();
        }
    }
    let index = polc_text::locate::Index::new(&read.document);
    for context in &row.context {
        let wanted = polc_text::locate::Wanted { quote: &context.quote, ..Default::default() };
        if let Err(nearest) = index.find(wanted) {
            let nearest = nearest.map_or(String::new(), |nearest| format!("; nearest passage: {nearest}"));
            return Err(format!("the context is not in `{}`: {}{nearest}", row.source, context.quote));
        }
    }
    Ok(())
}

fn add(added: &AddedRow, sources: &[ReadSource<'_>]) -> Result<Row, String> {
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
    check(&mut row, true, sources)?;
    Ok(row)
}

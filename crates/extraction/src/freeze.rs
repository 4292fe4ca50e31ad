//! Checkpoint 2 and the freeze: decided rows get their ids and become the extraction.

use crate::ExtractionError;
use crate::documents::ReadSource;
use polc_records::decisions::{Action, Decision, Decisions, DropReason, IssuedId};
use polc_records::extraction::{Extraction, ExtractionNotes, ExtractionRow};
use polc_records::ids::{RuleId, Slug};
use polc_records::ledger::{LedgerLine, Outcome, RowName, SentencePart};
use polc_records::locator::{Locator, SourceReference};
use polc_records::proposal::{ProposedRow, Row};
use polc_records::{Digest, Problem};
use polc_text::locate::{Index, Wanted};
use std::collections::BTreeMap;
use std::path::Path;

/// What a freeze writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frozen {
    /// The rows, with ids.
    pub extraction: Extraction,
    /// Every id and the digest of its row.
    pub ids: Vec<IssuedId>,
    /// Every sentence, with ids in place of digests.
    pub ledger: Vec<LedgerLine>,
}

/// A row that stands, with its place.
struct Standing {
    row: Row,
    digest: Digest,
    locator: Locator,
    /// The rows as proposed that it came from.
    from: Vec<Digest>,
}

/// Gives ids to the rows that the decisions let stand.
///
/// # Errors
/// A gate, with every row that is not decided or whose quote is not found in its source.
pub fn freeze(
    slug: &Slug,
    sources: &[ReadSource<'_>],
    proposal: &[ProposedRow],
    ledger: &[LedgerLine],
    decisions: &Decisions,
) -> Result<Frozen, ExtractionError> {
    let mut standing = standing(slug, sources, proposal, decisions)?;
    // Traversal order, then position: ids do not depend on the order of decisions.
    let order = |row: &Standing| {
        let source = sources.iter().position(|read| read.source.key == row.row.source);
        // The last segment is the row's own: a lead-in is shared by all items.
        let own = row.locator.segments.last().map_or(0, |segment| segment.start);
        (source, own, row.row.part.map_or(0, |part| part.index), row.row.rule.clone())
    };
    standing.sort_by_cached_key(order);
    let mut ids = Vec::new();
    let mut rows = Vec::new();
    for (number, row) in (1_u32..).zip(&standing) {
        let id = RuleId::new(slug, number);
        ids.push(IssuedId { id: id.clone(), row: row.digest });
        let url = sources
            .iter()
            .find(|read| read.source.key == row.row.source)
            .map_or("", |read| read.source.url.as_str());
        rows.push(frozen_row(id, &row.row, &row.locator, url));
    }
    let ledger = final_ledger(slug, ledger, &standing, &ids, decisions)?;
    Ok(Frozen { extraction: Extraction { rows }, ids, ledger })
}

/// A row as the extraction has it.
pub fn frozen_row(id: RuleId, row: &Row, locator: &Locator, url: &str) -> ExtractionRow {
    let own = locator.segments.last();
    let url = match own.and_then(|segment| segment.element.as_deref()) {
        Some(element) => format!("{url}#{element}"),
        None => url.to_owned(),
    };
    ExtractionRow {
        id,
        source: SourceReference { url, section: row.section.clone() },
        original: row.quote.clone(),
        rule: row.rule.clone(),
        modal: row.modal,
        applies_to: row.applies_to.clone(),
        category: row.category,
        context: row.context.clone(),
        notes: ExtractionNotes {
            form: row.form,
            condition: row.condition.clone(),
            preceding: row.preceding.clone(),
            part: row.part,
            trigger: row.trigger.clone(),
        },
    }
}

fn standing(
    slug: &Slug,
    sources: &[ReadSource<'_>],
    proposal: &[ProposedRow],
    decisions: &Decisions,
) -> Result<Vec<Standing>, ExtractionError> {
    let mut faults = Vec::new();
    let mut standing: Vec<Standing> = Vec::new();
    let mut merged: Vec<(Digest, Digest)> = Vec::new();
    for proposed in proposal {
        let Some(Decision::Row { action, acknowledged, .. }) = decisions.on_row(proposed.digest) else {
            faults.push(format!("row {} is not decided: {}", proposed.digest.short(), proposed.row.rule));
            continue;
        };
        let rows = match action {
            Action::Accept => vec![proposed.row.clone()],
            Action::Amend(row) => vec![row.as_ref().clone()],
            Action::Split(rows) => rows.clone(),
            Action::Merge(into) => {
                merged.push((proposed.digest, *into));
                continue;
            }
            Action::Drop(_) => continue,
        };
        for row in rows {
            if row.preceding.is_some() && row.preceding != *acknowledged {
                faults.push(format!(
                    "row {}: the quote begins mid-sentence, and the clause before it is not acknowledged: {}",
                    proposed.digest.short(),
                    row.preceding.as_deref().unwrap_or_default()
                ));
                continue;
            }
            let locator =
                if row == proposed.row { Ok(proposed.locator.clone()) } else { locate(sources, &row) };
            push(&mut standing, &mut faults, row, locator, Some(proposed.digest))?;
        }
    }
    for decision in &decisions.all {
        if let Decision::Add { row, .. } = decision {
            push(&mut standing, &mut faults, row.as_ref().clone(), locate(sources, row), None)?;
        }
    }
    for (row, into) in merged {
        match standing.iter_mut().find(|other| other.from.contains(&into) || other.digest == into) {
            Some(other) => other.from.push(row),
            None => faults.push(format!(
                "row {} is merged into {}, which does not stand",
                row.short(),
                into.short()
            )),
        }
    }
    if faults.is_empty() {
        return Ok(standing);
    }
    let help = format!(
        "see the rows beside their sources with `polc decide {slug} --sheet FILE`, decide them there, and read it with `--from FILE --by NAME`"
    );
    Err(ExtractionError::Gate { faults, help })
}

fn push(
    standing: &mut Vec<Standing>,
    faults: &mut Vec<String>,
    row: Row,
    locator: Result<Locator, String>,
    from: Option<Digest>,
) -> Result<(), ExtractionError> {
    let digest = row.digest().map_err(|error| ExtractionError::Json(error.to_string()))?;
    match locator {
        Ok(_) if standing.iter().any(|other| other.digest == digest) => {
            faults.push(format!("two rows are the same: {}", row.rule));
        }
        Ok(locator) => standing.push(Standing { row, digest, locator, from: from.into_iter().collect() }),
        Err(message) => faults.push(message),
    }
    Ok(())
}

/// Finds the quote of a row that a person wrote, in an admitted section of its source.
///
/// # Errors
/// In words: not found, with the nearest passage as a difference; ambiguous; not admitted.
pub fn locate(sources: &[ReadSource<'_>], row: &Row) -> Result<Locator, String> {
    let Some(read) = sources.iter().find(|read| read.source.key == row.source) else {
        return Err(format!("`{}` is no source that rules are drawn from", row.source));
    };
    let wanted = Wanted {
        quote: &row.quote,
        section: Some(&row.section),
        after: row.preceding.as_deref(),
        occurrence: Some(row.occurrence as usize),
    };
    let found = Index::new(&read.document).find(wanted).map_err(|nearest| {
        let nearest = nearest.map_or("no passage shares a word with it".to_owned(), |nearest| {
            format!("nearest passage, in `{}`: {nearest}", nearest.section)
        });
        format!("the quote is not in `{}`: {}\n  {nearest}", row.source, row.quote)
    })?;
    let Some(locator) = found.locator() else {
        let places = found.candidates.len();
        return Err(format!("the quote stands {places} times in `{}`: {}", row.source, row.quote));
    };
    match locator.segments.iter().find(|segment| !read.source.admits(&segment.section)) {
        Some(segment) => Err(format!(
            "the quote stands in the section `{}` of `{}`, which the manifest does not admit: {}",
            segment.section, row.source, row.quote
        )),
        None => Ok(locator.clone()),
    }
}

/// The ledger with ids: every sentence has a rule or a closed reason.
fn final_ledger(
    slug: &Slug,
    ledger: &[LedgerLine],
    standing: &[Standing],
    ids: &[IssuedId],
    decisions: &Decisions,
) -> Result<Vec<LedgerLine>, ExtractionError> {
    let mut of_proposed: BTreeMap<Digest, Vec<RuleId>> = BTreeMap::new();
    for (row, issued) in standing.iter().zip(ids) {
        for from in &row.from {
            of_proposed.entry(*from).or_default().push(issued.id.clone());
        }
    }
    let mut faults = Vec::new();
    let mut lines = Vec::new();
    for line in ledger {
        let mut line = line.clone();
        let quoting: Vec<RuleId> = standing
            .iter()
            .zip(ids)
            .filter(|(row, _)| row.row.source == line.source && covers(&row.locator, &line))
            .map(|(_, issued)| issued.id.clone())
            .collect();
        if let Outcome::Rule { rows, part } = &line.outcome {
            let named: Vec<Digest> = rows
                .iter()
                .filter_map(|name| match name {
                    RowName::Proposed(digest) => Some(*digest),
                    RowName::Frozen(_) => None,
                })
                .collect();
            let mut kept: Vec<RuleId> = named
                .iter()
                .flat_map(|digest| of_proposed.get(digest).cloned().unwrap_or_default())
                .collect();
            kept.extend(quoting);
            kept.sort();
            kept.dedup();
            line.outcome = if kept.is_empty() {
                match dropped(&named, decisions, &of_proposed) {
                    Some(outcome) => outcome,
                    None => {
                        faults.push(format!("the sentence has neither a rule nor a reason: {}", line.text));
                        continue;
                    }
                }
            } else {
                Outcome::Rule { rows: kept.into_iter().map(RowName::Frozen).collect(), part: *part }
            };
        } else if !quoting.is_empty() {
            let rows = quoting.into_iter().map(RowName::Frozen).collect();
            line.outcome = Outcome::Rule { rows, part: SentencePart::Quote };
        }
        lines.push(line);
    }
    if faults.is_empty() {
        Ok(lines)
    } else {
        Err(ExtractionError::Gate {
            faults,
            help: format!("give each dropped row a reason: `polc decide {slug} --sheet FILE`"),
        })
    }
}

fn covers(locator: &Locator, line: &LedgerLine) -> bool {
    locator.segments.iter().any(|segment| segment.start < line.end && line.start < segment.end)
}

/// The reason for which all rows of a sentence were dropped.
fn dropped(rows: &[Digest], decisions: &Decisions, ids: &BTreeMap<Digest, Vec<RuleId>>) -> Option<Outcome> {
    rows.iter().find_map(|digest| match decisions.on_row(*digest)? {
        Decision::Row { action: Action::Drop(DropReason::NoRule(reason)), .. } => {
            Some(Outcome::NoRule(*reason))
        }
        Decision::Row { action: Action::Drop(DropReason::Restates(other)), .. } => {
            ids.get(other)?.first().map(|id| Outcome::Restates(RowName::Frozen(id.clone())))
        }
        _ => None,
    })
}

/// Reads the frozen extraction and refuses one whose digest is not the one that was frozen.
///
/// # Errors
/// A gate where nothing was frozen; a problem where the file was changed since.
pub fn load_frozen(
    path: &Path,
    slug: &Slug,
    decisions: &Decisions,
) -> Result<(Extraction, Digest), ExtractionError> {
    let Some(freeze) = decisions.freeze() else {
        return Err(ExtractionError::Gate {
            faults: vec!["the extraction is not frozen".to_owned()],
            help: format!("run `polc freeze {slug} --by NAME`; `polc status {slug}` says what it waits for"),
        });
    };
    let text = polc_records::store::read_text(path)?;
    let digest = Digest::of(&text);
    if digest != freeze.extraction {
        return Err(Problem::new(
            path,
            format!("it was frozen with the digest {}, and has {digest} now", freeze.extraction),
            "a frozen extraction is never edited: restore it from version control",
        )
        .into());
    }
    Ok((Extraction::parse(path, slug, &text)?, digest))
}

//! Checkpoint 2 and the freeze: decided rows get their ids and become the extraction.

use crate::ExtractionError;
use crate::acceptance::{Bands, Plausible};
use crate::coverage::{Sentence, open, without_rules, words_in_scope};
use crate::documents::ReadSource;
use crate::grounding::Grounds;
use polc_records::decisions::{Action, Decision, Decisions, DropReason, IssuedId};
use polc_records::extraction::{Extraction, ExtractionNotes, ExtractionRow, SectionContext};
use polc_records::ids::{RuleId, Slug};
use polc_records::ledger::{Fate, LedgerLine, RowName, SectionWithoutRules, SentencePart};
use polc_records::locator::{Locator, SourceReference};
use polc_records::proposal::{ProposedRow, Row};
use polc_records::{Digest, Problem};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A row that stands, with its place.
struct StandingRow {
    row: Row,
    digest: Digest,
    identity: Digest,
    /// The id that a person says it has.
    replaces: Option<RuleId>,
    locator: Locator,
    /// The rows as proposed that it came from.
    from: Vec<Digest>,
}

/// The rows that the decisions let stand, with their ids: what a freeze writes.
pub struct Frozen<'s> {
    slug: &'s Slug,
    sources: &'s [ReadSource<'s>],
    decisions: &'s Decisions,
    /// In the order of the ids.
    rows: Vec<(RuleId, StandingRow)>,
}

/// Gives ids to the rows that the decisions let stand. A row that an earlier freeze gave an id keeps
/// it; the others get the next that was never given.
///
/// # Errors
/// A gate, with every row that is not decided or whose quotes are not found in the sources.
pub fn freeze<'s>(
    slug: &'s Slug,
    sources: &'s [ReadSource<'s>],
    proposal: &[ProposedRow],
    decisions: &'s Decisions,
) -> Result<Frozen<'s>, ExtractionError> {
    let mut standing = standing(slug, sources, proposal, decisions)?;
    // Traversal order, then position: ids do not depend on the order of decisions.
    standing.sort_by_cached_key(|row| {
        let source = sources.iter().position(|read| read.source.key == row.row.source);
        // The last segment is the row's own: a lead-in is shared by all items.
        let own = row.locator.segments.last().map_or(0, |segment| segment.start);
        (source, own, row.row.part.map_or(0, |part| part.index), row.row.rule.clone())
    });
    let mut rows = with_ids(slug, standing, decisions)?;
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Frozen { slug, sources, decisions, rows })
}

impl Frozen<'_> {
    /// The rows.
    pub fn extraction(&self) -> Extraction {
        let rows = self.rows.iter().map(|(id, row)| {
            let source = self.sources.iter().find(|read| read.source.key == row.row.source);
            let url = source.map_or("", |read| read.source.url.as_str());
            frozen_row(id.clone(), &row.row, &row.locator, url)
        });
        Extraction { rows: rows.collect() }
    }

    /// Checks that can only be made of all rows together (Table 13, second row): their number is
    /// plausible for what was read, and each names an address.
    ///
    /// # Errors
    /// A gate, with what does not hold.
    pub fn check(&self, bands: &Bands) -> Result<(), ExtractionError> {
        let mut faults = Vec::new();
        if let Plausible::Outside(measured) = bands.density(self.rows.len(), words_in_scope(self.sources)) {
            faults.push(measured);
        }
        for read in self.sources.iter().filter(|read| read.source.url.trim().is_empty()) {
            if self.rows.iter().any(|(_, row)| row.row.source == read.source.key) {
                faults
                    .push(format!("`{}` has no address: its rules could not be looked up", read.source.key));
            }
        }
        if faults.is_empty() {
            return Ok(());
        }
        let help = "look for sections that were overlooked or admitted whole: `polc manifest --show`; what is plausible for \
                    projects like yours is said in rubrics/acceptance.toml";
        Err(ExtractionError::Gate { faults, help: help.to_owned() })
    }

    /// Every id and the digest of its row.
    pub fn ids(&self) -> Vec<IssuedId> {
        self.rows
            .iter()
            .map(|(id, row)| IssuedId { id: id.clone(), row: row.digest, identity: row.identity })
            .collect()
    }

    /// Every sentence, with ids in place of digests, and the sections in scope from which no row stands.
    ///
    /// # Errors
    /// A gate, with every sentence that has neither a rule nor a closed reason.
    pub fn ledger(
        &self,
        proposed: &[LedgerLine],
    ) -> Result<(Vec<LedgerLine>, Vec<SectionWithoutRules>), ExtractionError> {
        let mut ledger = final_ledger(self.slug, proposed, &self.rows, self.decisions)?;
        ledger.extend(self.unread(proposed)?);
        let without = self.sources.iter().flat_map(|read| without_rules(read, &ledger)).collect();
        Ok((ledger, without))
    }
}

impl Frozen<'_> {
    /// Lines for the sentences that the engine accounted for nowhere and a standing row quotes.
    fn unread(&self, proposed: &[LedgerLine]) -> Result<Vec<LedgerLine>, ExtractionError> {
        let mut lines = Vec::new();
        let mut faults = Vec::new();
        for Sentence { source, start, end, text, section, hidden } in open(self.sources, proposed) {
            let mut line = LedgerLine {
                source,
                section,
                start,
                end,
                text,
                hidden,
                outcome: rule(Vec::new(), SentencePart::Quote),
            };
            let quoting =
                naming(&self.rows, |row| row.row.source == line.source && covers(&row.locator, &line));
            if quoting.is_empty() {
                faults.push(format!(
                    "`{}`: the sentence was accounted for nowhere: {}",
                    line.source, line.text
                ));
            } else {
                line.outcome = rule(quoting, SentencePart::Quote);
                lines.push(line);
            }
        }
        if faults.is_empty() {
            return Ok(lines);
        }
        let help = format!(
            "run `polc extract {0}` again, with more `--repairs` or another model; or add a row that quotes it by a sheet, `polc decide {0} --sheet FILE`",
            self.slug
        );
        Err(ExtractionError::Gate { faults, help })
    }
}

fn with_ids(
    slug: &Slug,
    standing: Vec<StandingRow>,
    decisions: &Decisions,
) -> Result<Vec<(RuleId, StandingRow)>, ExtractionError> {
    let issued = decisions.issued();
    let mut taken = BTreeSet::new();
    let mut faults = Vec::new();
    let mut ids: Vec<Option<&RuleId>> = vec![None; standing.len()];
    // The very same row first; then, in order, whoever says the same of the same sentence.
    for same in [IssuedId::is_row, IssuedId::is_rule] {
        for (row, id) in standing.iter().zip(&mut ids).filter(|(row, _)| row.replaces.is_none()) {
            if id.is_none() {
                let own = issued
                    .values()
                    .find(|issued| same(issued, row.digest, row.identity) && !taken.contains(&issued.id));
                *id = own.map(|issued| &issued.id);
                taken.extend(*id);
            }
        }
    }
    for (row, id) in standing.iter().zip(&mut ids) {
        let Some(replaces) = &row.replaces else { continue };
        match issued.get_key_value(replaces) {
            Some((issued, _)) if taken.insert(issued) => *id = Some(*issued),
            Some(_) => faults.push(format!("two rows would be {replaces}: {}", row.row.rule)),
            None => {
                faults.push(format!("{replaces} was never given, so nothing replaces it: {}", row.row.rule))
            }
        }
    }
    if !faults.is_empty() {
        let help = format!("correct `replaces`: `polc decide {slug} --sheet FILE --all`");
        return Err(ExtractionError::Gate { faults, help });
    }
    let mut fresh = issued.keys().map(|id| id.number()).max().unwrap_or(0) + 1..;
    let ids: Vec<RuleId> = ids
        .into_iter()
        .map(|id| id.cloned().unwrap_or_else(|| RuleId::new(slug, fresh.next().unwrap_or(u32::MAX))))
        .collect();
    Ok(ids.into_iter().zip(standing).collect())
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
        context: SectionContext::Quotes(row.context.clone()),
        notes: ExtractionNotes {
            form: row.form,
            condition: row.condition.clone(),
            preceding: row.preceding.clone(),
            part: row.part,
            trigger: row.trigger.clone(),
            remark: None,
        },
    }
}

fn standing(
    slug: &Slug,
    sources: &[ReadSource<'_>],
    proposal: &[ProposedRow],
    decisions: &Decisions,
) -> Result<Vec<StandingRow>, ExtractionError> {
    let mut desk = Desk { grounds: Grounds::new(sources), standing: Vec::new(), faults: Vec::new() };
    let mut merged: BTreeMap<Digest, Digest> = BTreeMap::new();
    for proposed in proposal {
        let digest = proposed.digest;
        let Some(Decision::Row { action, acknowledged, replaces, .. }) = decisions.on_row(digest) else {
            desk.faults.push(format!("row {} is not decided: {}", digest.short(), proposed.row.rule));
            continue;
        };
        let rows = match action {
            Action::Accept => std::slice::from_ref(&proposed.row),
            Action::Amend(row) => std::slice::from_ref(row.as_ref()),
            Action::Split(rows) => rows,
            Action::Merge(into) => {
                merged.insert(digest, *into);
                continue;
            }
            Action::Drop(_) => continue,
        };
        for row in rows {
            desk.push(row, acknowledged, Some((proposed, replaces.as_ref())))?;
        }
    }
    for added in decisions.added().map_err(crate::json)? {
        desk.push(added.row, added.acknowledged, None)?;
    }
    desk.merge(&merged);
    if desk.faults.is_empty() {
        return Ok(desk.standing);
    }
    let help = format!(
        "see the rows beside their sources with `polc decide {slug} --sheet FILE`, decide them there, and read it with `--from FILE --by NAME`"
    );
    Err(ExtractionError::Gate { faults: desk.faults, help })
}

/// The rows that stand, as they are gathered.
struct Desk<'s> {
    grounds: Grounds<'s>,
    standing: Vec<StandingRow>,
    faults: Vec<String>,
}

impl Desk<'_> {
    fn push(
        &mut self,
        row: &Row,
        acknowledged: &[String],
        proposed: Option<(&ProposedRow, Option<&RuleId>)>,
    ) -> Result<(), ExtractionError> {
        let (proposed, replaces) =
            proposed.map_or((None, None), |(proposed, replaces)| (Some(proposed), replaces));
        let digest = row.digest().map_err(crate::json)?;
        let identity = row.identity().map_err(crate::json)?;
        if let Some(preceding) = row.preceding.as_ref().filter(|clause| !acknowledged.contains(clause)) {
            self.faults.push(format!(
                "row {}: the quote begins mid-sentence, and the clause before it is not acknowledged: {preceding}",
                proposed.map_or(digest, |proposed| proposed.digest).short()
            ));
            return Ok(());
        }
        match self.grounds.prove(row, proposed.map(|proposed| &proposed.locator)) {
            Ok(_) if self.standing.iter().any(|other| is_same(&other.row, row)) => {
                self.faults.push(format!("two rows are the same: {}", row.rule));
            }
            Ok(locator) => self.standing.push(StandingRow {
                row: row.clone(),
                digest,
                identity,
                replaces: replaces.cloned(),
                locator,
                from: proposed.map(|proposed| proposed.digest).into_iter().collect(),
            }),
            Err(message) => self.faults.push(message),
        }
        Ok(())
    }

    /// Gives every merged row to the one that stands at the end of its chain.
    fn merge(&mut self, merged: &BTreeMap<Digest, Digest>) {
        for (row, into) in merged {
            let mut seen = BTreeSet::from([row]);
            let mut end = into;
            while let Some(next) = merged.get(end).filter(|_| seen.insert(end)) {
                end = next;
            }
            let stands = |other: &&mut StandingRow| other.from.contains(end) || other.digest == *end;
            let fault = if seen.contains(end) {
                "in a circle"
            } else if let Some(other) = self.standing.iter_mut().find(stands) {
                other.from.push(*row);
                continue;
            } else {
                "which does not stand"
            };
            self.faults.push(format!("row {} is merged into {}, {fault}", row.short(), into.short()));
        }
    }
}

/// The ledger with ids: every sentence has a rule or a closed reason.
fn final_ledger(
    slug: &Slug,
    ledger: &[LedgerLine],
    standing: &[(RuleId, StandingRow)],
    decisions: &Decisions,
) -> Result<Vec<LedgerLine>, ExtractionError> {
    let mut of_proposed: BTreeMap<Digest, Vec<RuleId>> = BTreeMap::new();
    for (id, row) in standing {
        for from in &row.from {
            of_proposed.entry(*from).or_default().push(id.clone());
        }
    }
    let mut faults = Vec::new();
    let mut lines = Vec::new();
    for line in ledger {
        let quoting = naming(standing, |row| row.row.source == line.source && covers(&row.locator, line));
        let outcome = match &line.outcome {
            Fate::Rule { rows, part } => {
                let named: Vec<Digest> = rows.iter().filter_map(RowName::proposed).collect();
                let mut kept = quoting;
                kept.extend(
                    named.iter().flat_map(|digest| of_proposed.get(digest).into_iter().flatten().cloned()),
                );
                kept.sort();
                kept.dedup();
                if kept.is_empty() {
                    dropped(&named, decisions, &of_proposed)
                } else {
                    Some(rule(kept, *part))
                }
            }
            _ if !quoting.is_empty() => Some(rule(quoting, SentencePart::Quote)),
            other => {
                let context =
                    naming(standing, |row| row.row.context.iter().any(|context| context.quote == line.text));
                Some(if context.is_empty() { other.clone() } else { rule(context, SentencePart::Context) })
            }
        };
        match outcome {
            Some(outcome) => lines.push(LedgerLine { outcome, ..line.clone() }),
            None => faults.push(format!("the sentence has neither a rule nor a reason: {}", line.text)),
        }
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

/// Whether two rows are one, but for which part of a sentence they are called.
fn is_same(a: &Row, b: &Row) -> bool {
    let whole = |row: &Row| Row { part: None, ..row.clone() };
    whole(a) == whole(b)
}

fn naming(standing: &[(RuleId, StandingRow)], keep: impl Fn(&StandingRow) -> bool) -> Vec<RuleId> {
    standing.iter().filter(|(_, row)| keep(row)).map(|(id, _)| id.clone()).collect()
}

fn rule(ids: Vec<RuleId>, part: SentencePart) -> Fate {
    Fate::Rule { rows: ids.into_iter().map(RowName::Frozen).collect(), part }
}

fn covers(locator: &Locator, line: &LedgerLine) -> bool {
    locator.segments.iter().any(|segment| segment.start < line.end && line.start < segment.end)
}

/// The reason for which all rows of a sentence were dropped.
fn dropped(rows: &[Digest], decisions: &Decisions, ids: &BTreeMap<Digest, Vec<RuleId>>) -> Option<Fate> {
    rows.iter().find_map(|digest| match decisions.on_row(*digest)? {
        Decision::Row { action: Action::Drop(DropReason::NoRule(reason)), .. } => Some(Fate::NoRule(*reason)),
        Decision::Row { action: Action::Drop(DropReason::Restates(other)), .. } => {
            ids.get(other)?.first().map(|id| Fate::Restates(RowName::Frozen(id.clone())))
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

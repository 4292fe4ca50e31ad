//! `extract --update`: the rows of a freeze taken over to sources that have changed since.
//!
//! A section whose sentences are what they were keeps its rows, wherever it stands now. The others are read again;
//! of what comes out, a row that differs from an earlier one in nothing but its place is that row.

mod ledger;

use self::ledger::Lines;
use crate::ExtractionError;
use crate::baseline;
use crate::baseline::extract::{Extracted, extract};
use crate::baseline::units::units;
use crate::coverage::without_rules;
use crate::cues::Cues;
use crate::documents::ReadSource;
use crate::drift::narrowed;
use crate::grounding::Grounds;
use polc_records::Digest;
use polc_records::decisions::{Action, AddedRow, DecidedBy, Decision, Decisions, DropReason, IssuedId};
use polc_records::ledger::LedgerLine;
use polc_records::locator::SectionPath;
use polc_records::manifest::Source;
use polc_records::proposal::{ProposedRow, Row};
use polc_text::locate::{Index, Wanted};
use std::collections::{BTreeMap, BTreeSet};

/// What there was before.
#[derive(Debug, Clone, Copy)]
pub struct Earlier<'e> {
    /// The proposal.
    pub rows: &'e [ProposedRow],
    /// The ledger.
    pub ledger: &'e [LedgerLine],
    /// What was decided.
    pub decisions: &'e Decisions,
    /// Whether a model drew the rows. What is read again is read without one, and then says so.
    pub by_a_model: bool,
}

/// What taking over came to.
#[derive(Debug, Clone, Default)]
pub struct Updated {
    /// The rows, the ledger and the sections without a row, as of a proposal.
    pub extracted: Extracted,
    /// The decisions on rows that stand elsewhere now.
    pub decisions: Vec<Decision>,
    /// The ids of rows that stand elsewhere now.
    pub ids: Vec<IssuedId>,
    /// Added rows that are not there any more, or stand elsewhere.
    pub gone: Vec<Digest>,
    /// How many sections were as they were, how many were read again.
    pub sections: [usize; 2],
    /// How many rows are what and where they were.
    pub kept: usize,
    /// How many rows stand elsewhere.
    pub moved: usize,
    /// How many rows there are for which there was none.
    pub new: usize,
    /// How many rows are not there any more.
    pub retired: usize,
}

/// Source and section.
type Spot = (String, SectionPath);

/// Takes rows, decisions and ids over.
///
/// # Errors
/// Only where a row cannot be written as JSON, which is a fault of ours.
pub fn update(
    cues: &Cues,
    sources: &[ReadSource<'_>],
    earlier: Earlier<'_>,
    at: &str,
) -> Result<Updated, ExtractionError> {
    let grounds = Grounds::new(sources);
    let now = Sections::now(sources);
    let mut paired = now.pair(&Sections::then(earlier.ledger));
    let mut carried = Carried::default();
    // A row that cannot be proven in its section any more, though the sentences are the same, takes the
    // section with it: code or a context has changed.
    for (spot, was) in paired.clone() {
        let rows = earlier.rows.iter().filter(|row| of_spot(&row.row, &was));
        match rows.map(|row| placed(row, &was, &spot, &grounds)).collect::<Option<Vec<_>>>() {
            Some(rows) => carried.rows.extend(rows),
            None => {
                paired.remove(&spot);
            }
        }
    }
    let mut fresh = read_again(cues, sources, &now, &paired)?;
    if earlier.by_a_model {
        fresh
            .rows
            .iter_mut()
            .for_each(|row| row.found_by = format!("{}: {}", baseline::ENGINE, row.found_by));
    }
    carried.claim(&fresh, earlier.rows);
    let mut updated = Updated::default();
    carried.count(earlier.rows, fresh.rows.len(), &mut updated);
    updated.sections = [paired.len(), now.texts.len() - paired.len()];
    carried.decide(earlier.decisions, &grounds, at, &mut updated)?;
    added(earlier.decisions, &paired, sources, &grounds, at, &mut updated)?;
    let kept = carried.rows.into_iter().map(|kept| kept.row);
    updated.extracted.rows = kept.chain(fresh.rows).collect();
    in_order(sources, &mut updated.extracted.rows);
    let lines = Lines {
        rows: &updated.extracted.rows,
        paired: &paired,
        earlier: earlier.ledger,
        fresh: &fresh.ledger,
    };
    updated.extracted.ledger = lines.ledger(sources);
    let ledger = &updated.extracted.ledger;
    updated.extracted.without_rules = sources.iter().flat_map(|read| without_rules(read, ledger)).collect();
    Ok(updated)
}

/// The ledger of a proposal as it was before any of its rows had an id, from the one that names ids.
pub fn proposed_ledger(
    sources: &[ReadSource<'_>],
    rows: &[ProposedRow],
    ledger: &[LedgerLine],
) -> Vec<LedgerLine> {
    let paired = Sections::now(sources).pair(&Sections::then(ledger));
    Lines { rows, paired: &paired, earlier: ledger, fresh: &[] }.ledger(sources)
}

fn of_spot(row: &Row, spot: &Spot) -> bool {
    (&row.source, &row.section) == (&spot.0, &spot.1)
}

/// A row as it is in another place.
fn moved(row: &Row, from: &Spot, to: &Spot) -> Row {
    let section = if row.section == from.1 { to.1.clone() } else { row.section.clone() };
    Row { source: to.0.clone(), section, ..row.clone() }
}

/// An earlier row, and as what it stands now.
#[derive(Clone)]
struct Kept {
    was: Digest,
    from: Spot,
    row: ProposedRow,
}

/// A row in its new place; none where it is not proven there.
fn placed(proposed: &ProposedRow, from: &Spot, to: &Spot, grounds: &Grounds<'_>) -> Option<Kept> {
    let row = moved(&proposed.row, from, to);
    let locator = grounds.prove(&row, Some(&proposed.locator)).ok()?;
    let own = locator.segments.last()?;
    let digest = row.digest().ok().filter(|_| own.section == to.1)?;
    let row = ProposedRow { digest, row, locator, found_by: proposed.found_by.clone() };
    Some(Kept { was: proposed.digest, from: from.clone(), row })
}

fn in_order(sources: &[ReadSource<'_>], rows: &mut [ProposedRow]) {
    rows.sort_by_cached_key(|row| {
        let source = sources.iter().position(|read| read.source.key == row.row.source);
        let own = row.locator.segments.last().map_or(0, |segment| segment.start);
        (source, own, row.row.part.map_or(0, |part| part.index))
    });
}

/// The sentences of every section in scope, each with whether a rendered view hides it.
struct Sections {
    order: Vec<Spot>,
    texts: BTreeMap<Spot, Vec<(String, bool)>>,
}

impl Sections {
    fn of(lines: impl Iterator<Item = (Spot, String, bool)>) -> Self {
        let mut sections = Sections { order: Vec::new(), texts: BTreeMap::new() };
        for (spot, text, hidden) in lines {
            let texts = sections.texts.entry(spot.clone()).or_default();
            if texts.is_empty() {
                sections.order.push(spot);
            }
            texts.push((text, hidden));
        }
        sections
    }

    fn then(ledger: &[LedgerLine]) -> Self {
        let spot = |line: &LedgerLine| (line.source.clone(), line.section.clone());
        Self::of(ledger.iter().map(|line| (spot(line), line.text.clone(), line.hidden)))
    }

    fn now(sources: &[ReadSource<'_>]) -> Self {
        Self::of(sources.iter().flat_map(|read| {
            units(read).into_iter().map(|unit| {
                let section = read.document.section_of(&read.document.blocks[unit.block]);
                ((read.source.key.clone(), section.path.clone()), unit.quote, unit.hidden)
            })
        }))
    }

    /// For each section that says what one said before, that one: the same place first, then the same source.
    fn pair(&self, then: &Sections) -> BTreeMap<Spot, Spot> {
        let mut paired: BTreeMap<Spot, Spot> = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for same in
            [(|spot, was| spot == was) as fn(&Spot, &Spot) -> bool, |spot, was| spot.0 == was.0, |_, _| true]
        {
            for spot in &self.order {
                if paired.contains_key(spot) {
                    continue;
                }
                let says = |was: &&Spot| then.texts.get(*was) == self.texts.get(spot);
                let mut free = then.order.iter().filter(|was| !taken.contains(*was) && same(spot, was));
                if let Some(was) = free.find(says) {
                    taken.insert(was.clone());
                    paired.insert(spot.clone(), was.clone());
                }
            }
        }
        paired
    }
}

/// What the sections that have no counterpart come to, read again.
fn read_again(
    cues: &Cues,
    sources: &[ReadSource<'_>],
    now: &Sections,
    paired: &BTreeMap<Spot, Spot>,
) -> Result<Extracted, ExtractionError> {
    let mut fresh = Extracted::default();
    for read in sources {
        let changed: Vec<SectionPath> = now
            .order
            .iter()
            .filter(|spot| spot.0 == read.source.key && !paired.contains_key(*spot))
            .map(|spot| spot.1.clone())
            .collect();
        let narrow: Option<Source> = narrowed(read.source, &read.document, &changed);
        let Some(narrow) = narrow else { continue };
        let one = extract(cues, &[ReadSource { source: &narrow, document: read.document.clone() }])?;
        fresh.rows.extend(one.rows);
        fresh.ledger.extend(one.ledger);
    }
    Ok(fresh)
}

/// Earlier rows, each by the digest that it had, as they are now.
#[derive(Default)]
struct Carried {
    /// Those of sections that are what they were.
    rows: Vec<Kept>,
    /// Those that came out again when their section was read again.
    again: Vec<Kept>,
}

impl Carried {
    /// Finds earlier rows among those that were read again: the very same ones first.
    fn claim(&mut self, fresh: &Extracted, earlier: &[ProposedRow]) {
        let mut taken: BTreeSet<Digest> = self.rows.iter().map(|kept| kept.was).collect();
        let mut claimed = BTreeSet::new();
        for same in [
            (|one, other| one == other) as fn(&Row, &Row) -> bool,
            |one, other| one.source == other.source && anywhere(one) == anywhere(other),
            |one, other| anywhere(one) == anywhere(other),
        ] {
            for (index, row) in fresh.rows.iter().enumerate() {
                if claimed.contains(&index) {
                    continue;
                }
                let free = earlier.iter().filter(|was| !taken.contains(&was.digest));
                if let Some(was) = free.into_iter().find(|was| same(&row.row, &was.row)) {
                    taken.insert(was.digest);
                    claimed.insert(index);
                    let from = (was.row.source.clone(), was.row.section.clone());
                    self.again.push(Kept { was: was.digest, from, row: row.clone() });
                }
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = &Kept> {
        self.rows.iter().chain(&self.again)
    }

    fn count(&self, earlier: &[ProposedRow], fresh: usize, updated: &mut Updated) {
        let stands = self.all().count();
        updated.kept = self.all().filter(|kept| kept.was == kept.row.digest).count();
        updated.moved = stands - updated.kept;
        updated.new = fresh - self.again.len();
        updated.retired = earlier.len() - stands;
    }

    /// Takes over what was decided on rows that stand elsewhere now, or that name one which does.
    fn decide(
        &self,
        decisions: &Decisions,
        grounds: &Grounds<'_>,
        at: &str,
        updated: &mut Updated,
    ) -> Result<(), ExtractionError> {
        let now: BTreeMap<Digest, Digest> = self.all().map(|kept| (kept.was, kept.row.digest)).collect();
        let issued: BTreeMap<Digest, &IssuedId> =
            decisions.issued().into_values().map(|issued| (issued.row, issued)).collect();
        for kept in self.all() {
            let Some(Decision::Row { action, acknowledged, replaces, by, .. }) = decisions.on_row(kept.was)
            else {
                continue;
            };
            let Some((taken, stand)) = kept.action(action, &now, grounds) else { continue };
            for (was, row) in stand {
                let digest = row.digest().map_err(crate::json)?;
                if let Some(issued) = issued.get(&was).filter(|_| was != digest) {
                    let identity = row.identity().map_err(crate::json)?;
                    updated.ids.push(IssuedId { id: issued.id.clone(), row: digest, identity });
                }
            }
            if kept.was != kept.row.digest || taken != *action {
                updated.decisions.push(Decision::Row {
                    row: kept.row.digest,
                    action: taken,
                    acknowledged: acknowledged.clone(),
                    replaces: replaces.clone(),
                    by: by.clone(),
                    decided_by: DecidedBy::Carried,
                    at: at.to_owned(),
                });
            }
        }
        Ok(())
    }
}

impl Kept {
    /// What was decided on the row, said of it as it stands now, with the rows that stand, each by the digest that
    /// it had. None where it cannot be said any more: then the row waits for a decision.
    fn action(
        &self,
        action: &Action,
        now: &BTreeMap<Digest, Digest>,
        grounds: &Grounds<'_>,
    ) -> Option<(Action, Vec<(Digest, Row)>)> {
        let to = (self.row.row.source.clone(), self.row.row.section.clone());
        let elsewhere = |row: &Row| {
            let moved = moved(row, &self.from, &to);
            grounds.prove(&moved, None).ok()?;
            Some((row.digest().ok()?, moved))
        };
        Some(match action {
            Action::Accept => (Action::Accept, vec![(self.was, self.row.row.clone())]),
            Action::Amend(amended) => {
                let (was, row) = elsewhere(amended)?;
                (Action::Amend(Box::new(row.clone())), vec![(was, row)])
            }
            Action::Split(rows) => {
                let rows = rows.iter().map(elsewhere).collect::<Option<Vec<_>>>()?;
                (Action::Split(rows.iter().map(|(_, row)| row.clone()).collect()), rows)
            }
            Action::Merge(into) => (Action::Merge(*now.get(into)?), Vec::new()),
            Action::Drop(DropReason::Restates(other)) => {
                (Action::Drop(DropReason::Restates(*now.get(other)?)), Vec::new())
            }
            Action::Drop(reason @ DropReason::NoRule(_)) => (Action::Drop(reason.clone()), Vec::new()),
        })
    }
}

/// What a row says, wherever it stands.
fn anywhere(row: &Row) -> Row {
    Row { source: String::new(), section: SectionPath::default(), occurrence: 0, ..row.clone() }
}

/// Takes over the rows that people added: those whose sentence stands elsewhere are added there.
fn added(
    decisions: &Decisions,
    paired: &BTreeMap<Spot, Spot>,
    sources: &[ReadSource<'_>],
    grounds: &Grounds<'_>,
    at: &str,
    updated: &mut Updated,
) -> Result<(), ExtractionError> {
    let issued: BTreeMap<Digest, &IssuedId> =
        decisions.issued().into_values().map(|issued| (issued.row, issued)).collect();
    for AddedRow { digest, row, acknowledged } in decisions.added().map_err(crate::json)? {
        let was = (row.source.clone(), row.section.clone());
        let proven = grounds.prove(row, None);
        let in_place = |locator: &polc_records::locator::Locator| {
            locator.segments.last().is_some_and(|own| own.section == row.section)
        };
        if proven.as_ref().is_ok_and(in_place) {
            updated.kept += 1;
            continue;
        }
        updated.gone.push(digest);
        let moved_section = paired.iter().find(|(_, from)| **from == was).map(|(spot, _)| spot.clone());
        let Some(moved) = moved_section.or_else(|| only_place(row, sources)).and_then(|to| {
            let moved = Row { source: to.0, section: to.1, occurrence: 0, ..row.clone() };
            grounds.prove(&moved, None).is_ok().then_some(moved)
        }) else {
            updated.retired += 1;
            continue;
        };
        updated.moved += 1;
        let (new, identity) = (moved.digest().map_err(crate::json)?, moved.identity().map_err(crate::json)?);
        updated.ids.extend(issued.get(&digest).map(|issued| IssuedId {
            id: issued.id.clone(),
            row: new,
            identity,
        }));
        let by = adder(decisions, digest)?;
        updated.decisions.push(Decision::Add {
            row: Box::new(moved),
            acknowledged: acknowledged.to_vec(),
            by,
            decided_by: DecidedBy::Carried,
            at: at.to_owned(),
        });
    }
    Ok(())
}

/// Who added a row.
fn adder(decisions: &Decisions, digest: Digest) -> Result<String, ExtractionError> {
    for decision in decisions.all.iter().rev() {
        if let Decision::Add { row, by, .. } = decision
            && row.digest().map_err(crate::json)? == digest
        {
            return Ok(by.clone());
        }
    }
    Ok(String::new())
}

/// The one place in scope where the quote of a row stands.
fn only_place(row: &Row, sources: &[ReadSource<'_>]) -> Option<Spot> {
    let wanted = Wanted { quote: &row.quote, ..Wanted::default() };
    let mut spots = BTreeSet::new();
    for read in sources {
        let found = Index::new(&read.document).seek(wanted);
        for locator in found.map_or(Vec::new(), |found| found.candidates) {
            let own = locator.segments.last().map(|own| own.section.clone());
            spots.extend(own.filter(|own| read.source.admits(own)).map(|own| (read.source.key.clone(), own)));
        }
    }
    if spots.len() == 1 { spots.pop_first() } else { None }
}

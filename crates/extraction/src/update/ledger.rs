//! The ledger of rows that were taken over: every sentence of the sources as they are now.

use super::{Spot, of_spot};
use crate::baseline::units::units;
use crate::documents::ReadSource;
use polc_records::ledger::{Fate, LedgerLine, RowName, SentencePart};
use polc_records::proposal::ProposedRow;
use polc_records::vocabulary::LedgerReason;
use std::collections::BTreeMap;
use std::ops::Range;

/// What a ledger is made from.
pub(super) struct Lines<'l> {
    pub(super) rows: &'l [ProposedRow],
    pub(super) paired: &'l BTreeMap<Spot, Spot>,
    pub(super) earlier: &'l [LedgerLine],
    pub(super) fresh: &'l [LedgerLine],
}

impl Lines<'_> {
    /// Every sentence of the sources: of a section that was read again as it came out, of the others as before.
    pub(super) fn ledger(&self, sources: &[ReadSource<'_>]) -> Vec<LedgerLine> {
        let mut before: BTreeMap<Spot, std::vec::IntoIter<&LedgerLine>> = BTreeMap::new();
        for (spot, was) in self.paired {
            let lines: Vec<&LedgerLine> = self
                .earlier
                .iter()
                .filter(|line| (&line.source, &line.section) == (&was.0, &was.1))
                .collect();
            before.insert(spot.clone(), lines.into_iter());
        }
        let mut ledger = Vec::new();
        for read in sources {
            let key = &read.source.key;
            for unit in units(read) {
                let range = unit.source(&read.document);
                let section = read.document.section_of(&read.document.blocks[unit.block]).path.clone();
                let spot = (key.clone(), section);
                let fresh = || {
                    self.fresh.iter().find(|line| {
                        line.source == *key && line.start == range.start && line.end == range.end
                    })
                };
                let outcome = match before.get_mut(&spot).and_then(Iterator::next) {
                    Some(line) => self.outcome(line, &spot, range.clone()),
                    None => {
                        fresh().map_or(Fate::NoRule(LedgerReason::Description), |line| line.outcome.clone())
                    }
                };
                ledger.push(LedgerLine {
                    source: spot.0,
                    section: spot.1,
                    start: range.start,
                    end: range.end,
                    text: unit.quote,
                    hidden: unit.hidden,
                    outcome,
                });
            }
        }
        ledger
    }

    /// What became of a sentence, with the rows as they are now in place of those that were named.
    fn outcome(&self, line: &LedgerLine, spot: &Spot, at: Range<usize>) -> Fate {
        let named = |keep: &dyn Fn(&ProposedRow) -> bool| -> Vec<RowName> {
            let rows = self.rows.iter().filter(|row| keep(row));
            rows.map(|row| RowName::Proposed(row.digest)).collect()
        };
        let quoting = named(&|row| {
            let covers =
                row.locator.segments.iter().any(|segment| segment.start < at.end && at.start < segment.end);
            row.row.source == spot.0 && covers
        });
        let says = |row: &ProposedRow| row.row.context.iter().any(|context| context.quote == line.text);
        // The same words may be a context elsewhere too.
        let context = || match named(&|row| says(row) && of_spot(&row.row, spot)) {
            rows if rows.is_empty() => named(&says),
            rows => rows,
        };
        let (part, rows) = match &line.outcome {
            Fate::Rule { part: SentencePart::Context, .. } => (SentencePart::Context, context()),
            Fate::Rule { part, .. } => (*part, quoting),
            Fate::NoRule(_) | Fate::Restates(_) => (SentencePart::Quote, quoting),
        };
        match &line.outcome {
            _ if !rows.is_empty() => Fate::Rule { rows, part },
            Fate::NoRule(reason) => Fate::NoRule(*reason),
            Fate::Rule { .. } | Fate::Restates(_) => Fate::NoRule(LedgerReason::Description),
        }
    }
}

//! Rows and ledger of a source, from what was taken of its passages.

use super::check::{Account, Checked, Good, own};
use super::passage::Text;
use crate::ExtractionError;
use crate::baseline;
use crate::baseline::extract::{Extracted, extract};
use crate::coverage::without_rules;
use crate::cues::Cues;
use crate::endpoint::answer::PassageAnswer;
use polc_records::Digest;
use polc_records::asked::Remark;
use polc_records::ledger::{Fate, LedgerLine, RowName, SentencePart};
use polc_records::proposal::{Part, ProposedRow, Row};
use polc_records::vocabulary::LedgerReason;
use std::collections::{BTreeMap, BTreeSet};

/// An answer, what was taken of it, and where it came from.
pub(super) struct Taken {
    pub(super) answer: PassageAnswer,
    pub(super) checked: Checked,
    /// The model and the request, in words.
    pub(super) from: String,
}

/// Adds the rows and the sentences of a source to what was drawn from the sources before it.
pub(super) fn finish(
    text: &Text<'_>,
    cues: &Cues,
    passages: &[Option<Taken>],
    extracted: &mut Extracted,
    refused: &mut Vec<Remark>,
) -> Result<(), ExtractionError> {
    let mut ledger: BTreeMap<usize, Fate> = BTreeMap::new();
    for taken in passages.iter().flatten() {
        let digests = rows(text, taken, extracted)?;
        for (unit, account) in &taken.checked.accounts {
            let named = |rules: &BTreeSet<usize>| -> Vec<RowName> {
                rules
                    .iter()
                    .filter_map(|rule| digests.get(rule))
                    .map(|digest| RowName::Proposed(*digest))
                    .collect()
            };
            let fate = match account {
                Account::Rules(rules, part) => Fate::Rule { rows: named(rules), part: *part },
                Account::NoRule(reason) => Fate::NoRule(*reason),
                Account::Restates(rule) => match digests.get(rule) {
                    Some(digest) => Fate::Restates(RowName::Proposed(*digest)),
                    None => continue,
                },
            };
            ledger.insert(*unit, fate);
        }
        // What introduces the items of another passage is part of their rules there.
        for good in &taken.checked.good {
            let Some(digest) = digests.get(&good.index) else { continue };
            for (unit, part) in (good.quoted.iter().map(|unit| (unit, SentencePart::Quote)))
                .chain(good.lead_ins.iter().map(|unit| (unit, SentencePart::LeadIn)))
            {
                let name = RowName::Proposed(*digest);
                match ledger.get_mut(unit) {
                    Some(Fate::Rule { rows, .. }) if rows.contains(&name) => {}
                    Some(Fate::Rule { rows, .. }) => rows.push(name),
                    _ => drop(ledger.insert(*unit, Fate::Rule { rows: vec![name], part })),
                }
            }
        }
    }
    contested(text, cues, passages, &mut ledger, extracted, refused)?;
    let document = text.document();
    let lines: Vec<LedgerLine> = ledger
        .into_iter()
        .map(|(unit, outcome)| LedgerLine {
            source: text.read.source.key.clone(),
            section: document.section_of(&document.blocks[text.units[unit].block]).path.clone(),
            start: text.ranges[unit].start,
            end: text.ranges[unit].end,
            text: text.units[unit].quote.clone(),
            hidden: text.units[unit].hidden,
            outcome,
        })
        .collect();
    // Of a section with an open sentence nobody knows yet that it gave no rule.
    let open: BTreeSet<_> = open(text, &lines);
    let without = without_rules(text.read, &lines);
    extracted.without_rules.extend(without.into_iter().filter(|section| !open.contains(&section.section)));
    extracted.ledger.extend(lines);
    Ok(())
}

/// Rows for the sentences that oblige by their words and that the model calls no rule where that is not for it to say:
/// those of the baseline, for a person to accept or to drop.
fn contested(
    text: &Text<'_>,
    cues: &Cues,
    passages: &[Option<Taken>],
    ledger: &mut BTreeMap<usize, Fate>,
    extracted: &mut Extracted,
    refused: &mut Vec<Remark>,
) -> Result<(), ExtractionError> {
    let contested: BTreeMap<usize, LedgerReason> =
        passages.iter().flatten().flat_map(|taken| taken.checked.contested.clone()).collect();
    if contested.is_empty() {
        return Ok(());
    }
    let by_words = extract(cues, std::slice::from_ref(text.read))?;
    for (unit, reason) in contested {
        if ledger.contains_key(&unit) {
            continue;
        }
        let line = by_words.ledger.iter().find(|line| line.start == text.ranges[unit].start);
        let Some(Fate::Rule { rows, part: SentencePart::Quote }) = line.map(|line| &line.outcome) else {
            refused.push(Remark {
                asked_for: format!("{}, sentence {}", text.read.source.key, unit + 1),
                what: format!("the model calls it `{reason}`, the baseline a part of another rule"),
            });
            continue;
        };
        for proposed in by_words.rows.iter().filter(|row| rows.contains(&RowName::Proposed(row.digest))) {
            let found_by = format!(
                "{}, where a model calls the sentence `{reason}` in a source that speaks to models: {}",
                baseline::ENGINE,
                proposed.found_by
            );
            if !extracted.rows.iter().any(|row| row.digest == proposed.digest) {
                extracted.rows.push(ProposedRow { found_by, ..proposed.clone() });
            }
        }
        ledger.insert(unit, Fate::Rule { rows: rows.clone(), part: SentencePart::Quote });
    }
    Ok(())
}

/// The sections that have a sentence without a line.
fn open(text: &Text<'_>, lines: &[LedgerLine]) -> BTreeSet<polc_records::locator::SectionPath> {
    let known: BTreeSet<usize> = lines.iter().map(|line| line.start).collect();
    let document = text.document();
    let units = text.units.iter().zip(&text.ranges).filter(|(_, range)| !known.contains(&range.start));
    units.map(|(unit, _)| document.section_of(&document.blocks[unit.block]).path.clone()).collect()
}

/// The rows of an answer, in the order of the document; the digest of each by its place in the answer.
fn rows(
    text: &Text<'_>,
    taken: &Taken,
    extracted: &mut Extracted,
) -> Result<BTreeMap<usize, Digest>, ExtractionError> {
    let mut good: Vec<&Good> = taken.checked.good.iter().collect();
    good.sort_by_key(|good| (own(&good.quoted), good.index));
    let mut digests = BTreeMap::new();
    for this in &good {
        let of_sentence: Vec<usize> = good
            .iter()
            .filter(|other| own(&other.quoted) == own(&this.quoted))
            .map(|other| other.index)
            .collect();
        let part = (of_sentence.len() > 1).then(|| {
            let index = of_sentence.iter().position(|index| *index == this.index).unwrap_or_default() + 1;
            let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            Part { index: number(index), of: number(of_sentence.len()) }
        });
        let row = row(text, taken, this, part, &extracted.rows);
        let digest = row.digest().map_err(crate::json)?;
        digests.insert(this.index, digest);
        let mut found_by = taken.from.clone();
        for doubt in &this.doubts {
            found_by.push_str(&format!("; doubtful: {doubt}"));
        }
        extracted.rows.push(ProposedRow { digest, row, locator: this.locator.clone(), found_by });
    }
    Ok(digests)
}

fn row(text: &Text<'_>, taken: &Taken, good: &Good, part: Option<Part>, earlier: &[ProposedRow]) -> Row {
    let document = text.document();
    let said = &taken.answer.rules[good.index];
    let unit = &text.units[own(&good.quoted)];
    let key = &text.read.source.key;
    let section = document.section_of(&document.blocks[unit.block]).path.clone();
    let quote = document.quote(&good.locator);
    let rule = said.rule.trim().to_owned();
    let same = |other: &&ProposedRow| {
        let other = &other.row;
        (&other.source, &other.section, &other.quote, &other.rule) == (key, &section, &quote, &rule)
    };
    let occurrence = u32::try_from(earlier.iter().filter(same).count()).unwrap_or(u32::MAX);
    let applies_to: BTreeSet<_> = said.applies_to.iter().copied().collect();
    let words = |words: &Option<String>| {
        words.as_deref().map(str::trim).filter(|words| !words.is_empty()).map(str::to_owned)
    };
    Row {
        source: key.clone(),
        occurrence,
        form: unit.form(document),
        condition: words(&said.condition),
        modal: said.modal,
        applies_to: applies_to.into_iter().collect(),
        category: said.category,
        context: good.context.iter().map(|(_, context)| context.clone()).collect(),
        trigger: words(&said.trigger),
        preceding: document.preceding_clause(&good.locator),
        part,
        section,
        quote,
        rule,
    }
}

//! Rows and ledger of the sources in scope.

use super::clause::{LeadIn, Obligation, Reader, Reading, Speech, lower_first};
use super::tag::{Tagged, applies_to, category, trigger};
use super::units::{Unit, locator, units};
use crate::ExtractionError;
use crate::coverage::without_rules;
use crate::cues::Cues;
use crate::documents::ReadSource;
use crate::lexis::{Phrases, Token, TokenKind, covered, tokens};
use polc_records::ledger::{Fate, LedgerLine, RowName, SectionWithoutRules, SentencePart};
use polc_records::proposal::{ContextQuote, Part, ProposedRow, Row};
use polc_records::vocabulary::{ContextKind, LedgerReason, ModalLevel};
use polc_text::BlockId;
use std::collections::BTreeMap;
use std::ops::Range;

/// What the sources gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The rows, in document order.
    pub rows: Vec<ProposedRow>,
    /// Every sentence.
    pub ledger: Vec<LedgerLine>,
    /// Sections in scope without a row.
    pub without_rules: Vec<SectionWithoutRules>,
}

/// Reads every sentence of every section in scope.
///
/// # Errors
/// Only where a row cannot be written as JSON, which is a fault of ours.
pub fn extract(cues: &Cues, sources: &[ReadSource<'_>]) -> Result<Extracted, ExtractionError> {
    let mut extracted = Extracted::default();
    for source in sources {
        SourceReader::new(cues, source).read(&mut extracted)?;
    }
    Ok(extracted)
}

/// A rule before its row is made.
struct Draft {
    /// The unit that it is drawn from.
    unit: usize,
    obligation: Obligation,
    /// What is quoted.
    parts: Vec<(BlockId, Range<usize>)>,
    part: Option<Part>,
    context: Vec<ContextQuote>,
}

/// What a unit came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Read {
    Rule,
    /// Part of a rule that another unit gave.
    Lent(SentencePart),
    No(Speech),
}

struct SourceReader<'s> {
    cues: &'s Cues,
    reader: Reader<'s>,
    read: &'s ReadSource<'s>,
    units: Vec<Unit>,
    lead_ins: BTreeMap<usize, LeadIn>,
    drafts: Vec<Draft>,
    reads: Vec<Read>,
    /// For each unit that lends itself to rules, their drafts.
    lent: BTreeMap<usize, Vec<usize>>,
}

impl<'s> SourceReader<'s> {
    fn new(cues: &'s Cues, read: &'s ReadSource<'s>) -> Self {
        let units = units(read);
        let reader = Reader::new(cues);
        let mut lead_ins = BTreeMap::new();
        for lead_in in units.iter().filter_map(|unit| unit.lead_in) {
            lead_ins.entry(lead_in).or_insert_with(|| reader.lead_in(&units[lead_in].quote));
        }
        let reads = vec![Read::No(Speech::Description); units.len()];
        SourceReader { cues, reader, read, units, lead_ins, drafts: Vec::new(), reads, lent: BTreeMap::new() }
    }

    fn read(mut self, extracted: &mut Extracted) -> Result<(), ExtractionError> {
        for index in 0..self.units.len() {
            self.read_unit(index);
        }
        self.spell_out();
        self.drafts.sort_by_key(|draft| draft.unit);
        self.lend_lead_ins();
        for index in 0..self.units.len() {
            self.attach_context(index);
        }
        self.finish(extracted)
    }

    fn read_unit(&mut self, index: usize) {
        let unit = &self.units[index];
        if unit.heading || self.lead_ins.contains_key(&index) {
            return;
        }
        let own = self.reader.read(&self.spoken(index));
        let (reading, with_lead_in) = match unit.lead_in.and_then(|at| Some((at, self.lead_ins.get(&at)?))) {
            Some((_, lead_in)) => self.under_lead_in(&unit.quote, own, lead_in),
            None => (own, false),
        };
        let reading = match reading {
            Reading::NoRule(_) if unit.task => Reading::Rules(vec![checklist_item(&unit.quote)]),
            Reading::NoRule(speech) => match self.introduced_command(unit) {
                Some(obligation) => Reading::Rules(vec![obligation]),
                None => Reading::NoRule(speech),
            },
            rules @ Reading::Rules(_) => rules,
        };
        match reading {
            Reading::NoRule(speech) => self.reads[index] = Read::No(speech),
            Reading::Rules(obligations) => {
                let mut parts = Vec::new();
                if let (true, Some(lead_in)) = (with_lead_in, unit.lead_in) {
                    parts.push((self.units[lead_in].block, self.units[lead_in].plain.clone()));
                }
                parts.push((unit.block, unit.plain.clone()));
                parts.extend(unit.code.clone());
                self.reads[index] = Read::Rule;
                self.draft(index, obligations, &parts);
            }
        }
    }

    /// `The checks can be run as follows:` before a command says which command to run.
    fn introduced_command(&self, unit: &Unit) -> Option<Obligation> {
        let (block, line) = unit.code.as_ref()?;
        let command = self.read.document.blocks[*block].prose.plain[line.clone()].trim_start_matches("$ ");
        let words = tokens(&unit.quote);
        let found = self.cues.imperative.commands.find(&words)?;
        Some(Obligation {
            rule: format!("Run `{command}`."),
            condition: None,
            modal: ModalLevel::Should,
            found_by: format!("command after `{}`", covered(&unit.quote, &words, found)),
        })
    }

    /// The words of a unit, with the code that it introduces.
    fn spoken(&self, index: usize) -> String {
        let unit = &self.units[index];
        match &unit.code {
            Some((block, line)) => {
                let code = &self.read.document.blocks[*block].prose.plain[line.clone()];
                format!("{} `{code}`", unit.quote.trim_end_matches(':').trim_end())
            }
            None => unit.quote.clone(),
        }
    }

    /// An item completes the frame of its lead-in, or stands by itself under its condition. Also
    /// whether the lead-in is needed to understand it.
    fn under_lead_in(&self, item: &str, own: Reading, lead_in: &LeadIn) -> (Reading, bool) {
        let condition = lead_in.condition.as_deref();
        let whole = matches!(&own, Reading::Rules(rules) if rules.iter().all(|rule| !rule.found_by.starts_with("imperative")));
        if let (Some(frame), false) = (&lead_in.frame, whole) {
            let composed = match condition {
                Some(condition) => format!("{condition}, {frame} {}", lower_first(item)),
                None => format!("{frame} {}", lower_first(item)),
            };
            if let Reading::Rules(mut rules) = self.reader.read(&composed) {
                for rule in &mut rules {
                    rule.found_by = format!("item that completes `{frame}`, {}", rule.found_by);
                }
                return (Reading::Rules(rules), true);
            }
        }
        match (own, condition) {
            (Reading::Rules(_), Some(condition)) => {
                (self.reader.read(&format!("{condition}, {}", lower_first(item))), true)
            }
            (own, _) => (own, false),
        }
    }

    fn draft(&mut self, unit: usize, obligations: Vec<Obligation>, parts: &[(BlockId, Range<usize>)]) {
        let of = u32::try_from(obligations.len()).unwrap_or(u32::MAX);
        for (index, obligation) in (1_u32..).zip(obligations) {
            let part = (of > 1).then_some(Part { index, of });
            self.drafts.push(Draft { unit, obligation, parts: parts.to_vec(), part, context: Vec::new() });
        }
    }

    /// A lead-in that is a rule which its items only spell out is one rule with all of them.
    fn spell_out(&mut self) {
        let spelled: Vec<usize> = self
            .lead_ins
            .iter()
            .filter(|(_, lead_in)| lead_in.spelled_out)
            .map(|(index, _)| *index)
            .collect();
        for lead_in in spelled {
            let items: Vec<usize> =
                (0..self.units.len()).filter(|index| self.units[*index].lead_in == Some(lead_in)).collect();
            if items.iter().any(|item| self.reads[*item] == Read::Rule) {
                continue;
            }
            let named: Vec<&str> =
                items.iter().map(|item| self.units[*item].quote.trim_end_matches(['.', ';', ','])).collect();
            let lead = self.units[lead_in].quote.trim_end_matches(':');
            let Reading::Rules(mut rules) = self.reader.read(lead) else {
                continue;
            };
            let Some(rule) = rules.first_mut() else { continue };
            rule.rule = format!("{}: {}.", rule.rule.trim_end_matches('.'), named.join("; "));
            rules.truncate(1);
            let parts: Vec<_> = std::iter::once(lead_in)
                .chain(items.iter().copied())
                .map(|index| (self.units[index].block, self.units[index].plain.clone()))
                .collect();
            self.reads[lead_in] = Read::Rule;
            let draft = self.drafts.len();
            self.draft(lead_in, rules, &parts);
            for item in items {
                self.reads[item] = Read::Lent(SentencePart::Quote);
                self.lent.entry(item).or_default().push(draft);
            }
        }
    }

    /// A lead-in that a rule quotes belongs to it.
    fn lend_lead_ins(&mut self) {
        // Drafts were sorted: what was lent before is looked up again by its quote.
        self.lent.clear();
        for (draft, content) in self.drafts.iter().enumerate() {
            for (index, unit) in self.units.iter().enumerate() {
                let quoted =
                    content.parts.iter().any(|(block, plain)| *block == unit.block && *plain == unit.plain);
                if quoted && index != content.unit {
                    self.lent.entry(index).or_default().push(draft);
                    if self.reads[index] != Read::Lent(SentencePart::Quote) {
                        self.reads[index] = Read::Lent(SentencePart::LeadIn);
                    }
                }
            }
        }
    }

    /// A sentence that grants, threatens, enforces or offers something stays with its rule.
    fn attach_context(&mut self, index: usize) {
        let Read::No(_) = self.reads[index] else { return };
        let quote = self.units[index].quote.clone();
        let words = tokens(&quote);
        let lists: [(&Phrases, ContextKind); 4] = [
            (&self.cues.context.exception, ContextKind::Exception),
            (&self.cues.context.consequence, ContextKind::Consequence),
            (&self.cues.context.tooling, ContextKind::Tooling),
            (&self.cues.context.alternative, ContextKind::Alternative),
        ];
        let Some((_, kind)) = lists.into_iter().find(|(list, _)| list.any(&words)) else {
            return;
        };
        let governed = self.governed(index, &words);
        if governed.is_empty() {
            return;
        }
        for draft in &governed {
            self.drafts[*draft].context.push(ContextQuote { kind, quote: quote.clone() });
        }
        self.reads[index] = Read::Lent(SentencePart::Context);
        self.lent.insert(index, governed);
    }

    /// The rules that a sentence of context speaks of: those of its section before it that it names,
    /// all of them where it says so, else those of the sentence before.
    fn governed(&self, index: usize, words: &[Token]) -> Vec<usize> {
        let section = self.read.document.blocks[self.units[index].block].section;
        let before: Vec<usize> = (0..self.drafts.len())
            .filter(|draft| {
                let unit = self.drafts[*draft].unit;
                unit < index && self.read.document.blocks[self.units[unit].block].section == section
            })
            .collect();
        let all = words
            .first()
            .is_some_and(|first| matches!(first.lower.as_str(), "these" | "those" | "all" | "none"));
        if all {
            return before;
        }
        if words.iter().any(|word| word.lower.starts_with("limit")) {
            let limits: Vec<usize> = before
                .iter()
                .copied()
                .filter(|draft| self.drafts[*draft].obligation.rule.chars().any(|c| c.is_ascii_digit()))
                .collect();
            if !limits.is_empty() {
                return limits;
            }
        }
        let last = before.iter().map(|draft| self.drafts[*draft].unit).max();
        before.into_iter().filter(|draft| Some(self.drafts[*draft].unit) == last).collect()
    }

    fn finish(&self, extracted: &mut Extracted) -> Result<(), ExtractionError> {
        let mut digests = Vec::new();
        for draft in &self.drafts {
            let row = self.row(draft, &extracted.rows);
            let digest = row.digest().map_err(crate::json)?;
            digests.push(digest);
            extracted.rows.push(ProposedRow {
                digest,
                row,
                locator: locator(&self.read.document, &draft.parts),
                found_by: draft.obligation.found_by.clone(),
            });
        }
        let document = &self.read.document;
        for (index, unit) in self.units.iter().enumerate() {
            let names =
                |drafts: &[usize]| drafts.iter().map(|draft| RowName::Proposed(digests[*draft])).collect();
            let own: Vec<usize> =
                (0..self.drafts.len()).filter(|draft| self.drafts[*draft].unit == index).collect();
            let outcome = match self.reads[index] {
                Read::Rule => Fate::Rule { rows: names(&own), part: SentencePart::Quote },
                Read::Lent(part) => {
                    Fate::Rule { rows: names(self.lent.get(&index).map_or(&[], Vec::as_slice)), part }
                }
                Read::No(speech) => Fate::NoRule(self.reason(unit, speech)),
            };
            let source = unit.source(document);
            extracted.ledger.push(LedgerLine {
                source: self.read.source.key.clone(),
                section: document.section_of(&document.blocks[unit.block]).path.clone(),
                start: source.start,
                end: source.end,
                text: unit.quote.clone(),
                hidden: unit.hidden,
                outcome,
            });
        }
        extracted.without_rules.extend(without_rules(self.read, &extracted.ledger));
        Ok(())
    }

    fn row(&self, draft: &Draft, earlier: &[ProposedRow]) -> Row {
        let document = &self.read.document;
        let place = locator(document, &draft.parts);
        let section = document.section_of(&document.blocks[self.units[draft.unit].block]).path.clone();
        let rule = draft.obligation.rule.clone();
        let name = self.read.source.key.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default().replace(['-', '_'], " ");
        let about = format!("{} {stem}", document.title.as_deref().unwrap_or_default());
        let tagged = Tagged { rule: &rule, section: &section, kind: &self.read.source.kind, about: &about };
        let category = category(self.cues, &tagged);
        let quote = document.quote(&place);
        let occurrence = earlier
            .iter()
            .filter(|other| {
                let other = &other.row;
                (&other.source, &other.section, &other.quote, &other.rule)
                    == (&self.read.source.key, &section, &quote, &rule)
            })
            .count();
        Row {
            source: self.read.source.key.clone(),
            occurrence: u32::try_from(occurrence).unwrap_or(u32::MAX),
            applies_to: applies_to(self.cues, &rule, category),
            category,
            trigger: trigger(self.cues, draft.obligation.condition.as_deref()),
            condition: draft.obligation.condition.clone(),
            form: self.units[draft.unit].form(document),
            modal: draft.obligation.modal,
            context: draft.context.clone(),
            preceding: document.preceding_clause(&place),
            part: draft.part,
            section,
            quote,
            rule,
        }
    }

    /// Why a sentence is no rule.
    fn reason(&self, unit: &Unit, speech: Speech) -> LedgerReason {
        let words = tokens(&unit.quote);
        match speech {
            Speech::Maintainer => LedgerReason::MaintainerAct,
            Speech::Reviewer => LedgerReason::AboutReviewing,
            Speech::User => LedgerReason::NotContributors,
            Speech::Description | Speech::Permission if unit.tabular => LedgerReason::Catalogue,
            Speech::Description | Speech::Permission if self.cues.reasons.rationale.any(&words) => {
                LedgerReason::Rationale
            }
            Speech::Description | Speech::Permission if self.cues.reasons.history.any(&words) => {
                LedgerReason::History
            }
            Speech::Description | Speech::Permission => LedgerReason::Description,
        }
    }
}

/// A check box without a verb of its own: what it says has to hold.
fn checklist_item(quote: &str) -> Obligation {
    let mut words = Vec::new();
    for token in tokens(quote) {
        let text = &quote[token.range.clone()];
        words.push(match (token.kind, text) {
            (TokenKind::Word, "I") => (token.range, "you"),
            (TokenKind::Word, "my" | "My") => (token.range, "your"),
            (TokenKind::Word, "I've" | "I’ve") => (token.range, "you have"),
            _ => (token.range, text),
        });
    }
    let mut statement = String::new();
    let mut end = 0;
    for (range, word) in words {
        if range.start > end && end > 0 {
            statement.push(' ');
        }
        statement.push_str(word);
        end = range.end;
    }
    let statement = statement.trim_end_matches(['.', ';', ',']);
    Obligation {
        rule: format!("Make sure that it holds: {}.", lower_first(statement)),
        condition: None,
        modal: ModalLevel::Must,
        found_by: "item of a checklist".to_owned(),
    }
}

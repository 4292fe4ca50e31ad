//! Coverage: sections in scope that gave no rule say so, and why (invariant 6).

use crate::baseline::units::units;
use crate::documents::ReadSource;
use polc_records::ledger::{Fate, LedgerLine, SectionWithoutRules};
use polc_records::locator::SectionPath;
use polc_text::BlockKind;
use std::collections::{BTreeMap, BTreeSet};

/// A sentence of a section in scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// The source, by its key.
    pub source: String,
    /// First byte in the quoting text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The source's own text.
    pub text: String,
    /// Its section.
    pub section: SectionPath,
    /// Whether a rendered view hides it.
    pub hidden: bool,
}

/// Every sentence of every section in scope, as the sources have them: the ledger has each of them.
pub fn sentences(sources: &[ReadSource<'_>]) -> Vec<Sentence> {
    let of = |read: &ReadSource<'_>| -> Vec<Sentence> {
        let units = units(read).into_iter();
        let sentence = units.map(|unit| {
            let range = unit.source(&read.document);
            let section = read.document.section_of(&read.document.blocks[unit.block]).path.clone();
            Sentence {
                source: read.source.key.clone(),
                start: range.start,
                end: range.end,
                text: unit.quote,
                section,
                hidden: unit.hidden,
            }
        });
        sentence.collect()
    };
    sources.iter().flat_map(of).collect()
}

/// The sentences that no line of a ledger accounts for.
pub fn open(sources: &[ReadSource<'_>], ledger: &[LedgerLine]) -> Vec<Sentence> {
    let known: BTreeSet<(&str, usize)> =
        ledger.iter().map(|line| (line.source.as_str(), line.start)).collect();
    let mut open = sentences(sources);
    open.retain(|sentence| !known.contains(&(sentence.source.as_str(), sentence.start)));
    open
}

/// How many words the sections in scope have, headings and code included.
pub fn words_in_scope(sources: &[ReadSource<'_>]) -> usize {
    sources.iter().map(words_of).sum()
}

/// How many words the sections of a source have that are in scope.
pub(crate) fn words_of(read: &ReadSource<'_>) -> usize {
    let sections = read.document.sections.iter().filter(|section| read.source.admits(&section.path));
    sections.map(|section| read.document.text[section.range.clone()].split_whitespace().count()).sum()
}

/// The sections of a source that are in scope and gave no rule.
pub(crate) fn without_rules(read: &ReadSource<'_>, ledger: &[LedgerLine]) -> Vec<SectionWithoutRules> {
    let mut found: Vec<SectionWithoutRules> = Vec::new();
    for section in crate::assess::sections(&read.document) {
        if !read.source.admits(&section) || found.iter().any(|earlier| earlier.section == section) {
            continue;
        }
        let outcomes = ledger
            .iter()
            .filter(|line| line.source == read.source.key && line.section == section)
            .map(|line| &line.outcome);
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut rules = false;
        for outcome in outcomes {
            match outcome {
                Fate::Rule { .. } => rules = true,
                Fate::NoRule(reason) => *counts.entry(reason.to_string()).or_default() += 1,
                Fate::Restates(_) => *counts.entry("restated".to_owned()).or_default() += 1,
            }
        }
        if !rules {
            let reason = reason(read, &section, &counts);
            found.push(SectionWithoutRules { source: read.source.key.clone(), section, reason });
        }
    }
    found
}

fn reason(read: &ReadSource<'_>, section: &SectionPath, counts: &BTreeMap<String, usize>) -> String {
    if counts.is_empty() {
        let document = &read.document;
        let code = document
            .blocks
            .iter()
            .any(|block| block.kind == BlockKind::Code && document.section_of(block).path == *section);
        return format!("none, because it holds {}", if code { "only code" } else { "no sentence" });
    }
    let counted: Vec<String> = counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    format!("none, because its sentences are: {}", counted.join(", "))
}

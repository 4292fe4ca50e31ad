//! Coverage: sections in scope that gave no rule say so, and why (invariant 6).

use crate::documents::ReadSource;
use polc_records::ledger::{LedgerLine, Outcome, SectionWithoutRules};
use polc_records::locator::SectionPath;
use polc_text::BlockKind;
use std::collections::BTreeMap;

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
                Outcome::Rule { .. } => rules = true,
                Outcome::NoRule(reason) => *counts.entry(reason.to_string()).or_default() += 1,
                Outcome::Restates(_) => *counts.entry("restated".to_owned()).or_default() += 1,
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

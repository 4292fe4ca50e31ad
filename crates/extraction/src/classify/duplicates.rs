//! Pairs of rows that may state one obligation: proposed by overlap of content words, decided by code.

use crate::cues::Cues;
use crate::lexis::{TokenKind, tokens};
use polc_records::extraction::ExtractionRow;
use polc_records::facts::ProposedDuplicate;
use polc_records::ids::RuleId;
use std::collections::BTreeSet;

/// The overlap from which two rows are proposed as one obligation (3.3 counts overlap alike).
const OVERLAP: f64 = 0.6;

/// For each row, the other rows that it may state again.
pub fn propose(cues: &Cues, rows: &[ExtractionRow]) -> Vec<Vec<ProposedDuplicate>> {
    let words: Vec<BTreeSet<String>> = rows.iter().map(|row| content_words(cues, &row.rule)).collect();
    let pair = |index: usize, other: usize| {
        let overlap = jaccard(&words[index], &words[other]);
        (index != other && overlap >= OVERLAP).then(|| ProposedDuplicate {
            of: rows[other].id.clone(),
            because: format!("{:.0} % of their content words are the same", overlap * 100.0),
        })
    };
    (0..rows.len()).map(|index| (0..rows.len()).filter_map(|other| pair(index, other)).collect()).collect()
}

/// The words that carry meaning, numbers left out: two limits on one thing are one obligation.
pub fn content_words(cues: &Cues, text: &str) -> BTreeSet<String> {
    tokens(text)
        .into_iter()
        .filter(|token| token.kind != TokenKind::Mark)
        .map(|token| token.lower)
        .filter(|word| !cues.words.stop.is_word(word) && !word.chars().all(|c| c.is_ascii_digit()))
        .collect()
}

/// The overlap of two sets, from 0 to 1.
pub fn jaccard(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let shared = a.intersection(b).count();
    let all = a.union(b).count();
    if all == 0 {
        return 0.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of words in a sentence")]
    let overlap = shared as f64 / all as f64;
    overlap
}

/// What code needs of a row to say which of a pair governs.
#[derive(Debug, Clone)]
pub struct Candidate<'r> {
    /// The row.
    pub id: &'r RuleId,
    /// Whether it can govern: in scope but for duplication.
    pub governs: bool,
    /// How strict it is: the higher, the stricter.
    pub strictness: u8,
    /// The rows it is paired with.
    pub pairs: &'r [ProposedDuplicate],
}

/// For each row, the one that governs it, if any: the stricter governs the weaker, the earlier an
/// equal one. A governing row is in scope and not governed itself, so that there are no chains.
pub fn governing<'r>(candidates: &[Candidate<'r>]) -> Vec<Option<&'r RuleId>> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&candidates[*a], &candidates[*b]);
        b.governs.cmp(&a.governs).then(b.strictness.cmp(&a.strictness)).then(a.id.cmp(b.id))
    });
    let mut kept: Vec<usize> = Vec::new();
    let mut governed = vec![None; candidates.len()];
    for index in order {
        let candidate = &candidates[index];
        let paired = |other: &&usize| {
            let other = &candidates[**other];
            candidate.pairs.iter().any(|pair| pair.of == *other.id)
                || other.pairs.iter().any(|pair| pair.of == *candidate.id)
        };
        match kept.iter().find(paired) {
            Some(other) => governed[index] = Some(candidates[*other].id),
            None if candidate.governs => kept.push(index),
            None => {}
        }
    }
    governed
}

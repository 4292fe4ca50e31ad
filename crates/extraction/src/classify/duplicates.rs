//! Pairs of rows that may state one obligation: proposed by an engine, decided by code.

use crate::cues::Cues;
use crate::lexis::{Token, TokenKind, tokens};
use polc_records::extraction::ExtractionRow;
use polc_records::facts::{ProposedDuplicate, RuleFacts};
use polc_records::ids::RuleId;
use polc_records::vocabulary::{Artifact, Level, ModalLevel};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

/// The overlap from which two rows are proposed as one obligation (3.3 counts overlap alike).
pub(crate) const OVERLAP: f64 = 0.6;

/// For each row, the other rows that it may state again.
pub fn propose(cues: &Cues, rows: &[ExtractionRow]) -> Vec<Vec<ProposedDuplicate>> {
    let words: Vec<BTreeSet<String>> = rows.iter().map(|row| content_words(cues, &row.rule)).collect();
    let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, words) in words.iter().enumerate() {
        for word in words {
            by_word.entry(word).or_default().push(index);
        }
    }
    let of = |index: usize| {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for word in &words[index] {
            for other in by_word.get(word.as_str()).into_iter().flatten().filter(|other| **other != index) {
                *shared.entry(*other).or_default() += 1;
            }
        }
        let pairs = shared.into_iter().filter_map(|(other, shared)| {
            let all = words[index].len() + words[other].len() - shared;
            let overlap = ratio(shared, all);
            (overlap >= OVERLAP).then(|| ProposedDuplicate {
                of: rows[other].id.clone(),
                because: format!("{:.0} % of their content words are the same", overlap * 100.0),
            })
        });
        pairs.collect()
    };
    (0..rows.len()).map(of).collect()
}

/// The words that carry meaning, numbers left out: two limits on one thing are one obligation.
pub fn content_words(cues: &Cues, text: &str) -> BTreeSet<String> {
    in_order(cues, text).into_iter().collect()
}

fn in_order(cues: &Cues, text: &str) -> Vec<String> {
    tokens(text)
        .into_iter()
        .filter(|token| token.kind != TokenKind::Mark && number(token).is_none())
        .map(|token| token.lower)
        .filter(|word| !cues.words.stop.is_word(word))
        .collect()
}

/// What part of all words is shared, from 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "counts of words in a sentence")]
pub(crate) fn ratio(shared: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// The number that a token is, in digits or, from two to ten, in words.
pub(super) fn number(token: &Token) -> Option<u64> {
    const WORDS: [&str; 9] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    if token.kind == TokenKind::Code {
        return None;
    }
    let named = (2..).zip(WORDS).find(|(_, word)| *word == token.lower).map(|(number, _)| number);
    named.or_else(|| token.lower.replace(',', "").parse().ok())
}

/// Which way a number bounds what it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Ceiling,
    Floor,
    /// Neither is said.
    Unsaid,
}

/// What code compares two rows by.
#[derive(Debug, Clone)]
pub struct Content<'r> {
    forbids: bool,
    /// Its content words in order, numbers left out.
    words: Vec<String>,
    /// The code spans and other spellings of their own among them.
    spelled: BTreeSet<String>,
    artifacts: &'r [Artifact],
    condition: BTreeSet<String>,
    numbers: Vec<u64>,
    bound: Bound,
}

impl<'r> Content<'r> {
    /// The content of a row.
    pub fn new(cues: &Cues, row: &'r ExtractionRow, facts: &'r RuleFacts) -> Self {
        let words = tokens(&row.rule);
        let forbids = row.modal == ModalLevel::Prohibited
            || cues.facts.forbids.any(&words)
            || cues.limits.negative.any(&words);
        let limits = &cues.limits;
        let bound = if limits.ceiling.any(&words) {
            Bound::Ceiling
        } else if limits.floor.any(&words) {
            Bound::Floor
        } else if limits.beyond.any(&words) {
            if forbids { Bound::Ceiling } else { Bound::Floor }
        } else if limits.short_of.any(&words) {
            if forbids { Bound::Floor } else { Bound::Ceiling }
        } else {
            Bound::Unsaid
        };
        let spelled =
            words.iter().filter(|token| token.kind == TokenKind::Code).map(|token| token.lower.clone());
        Content {
            forbids,
            spelled: spelled.collect(),
            words: in_order(cues, &row.rule),
            artifacts: &facts.artifacts,
            condition: row
                .notes
                .condition
                .as_deref()
                .map_or_else(BTreeSet::new, |condition| content_words(cues, condition)),
            numbers: words.iter().filter_map(number).collect(),
            bound,
        }
    }

    /// How the limit of one row compares with that of another on the same obligation.
    ///
    /// # Errors
    /// In words, where they are not one obligation, or it cannot be told.
    fn strictness(&self, other: &Self) -> Result<Ordering, Apart> {
        let (a, b) = (&self.numbers, &other.numbers);
        let one_way = self.bound == other.bound || [self.bound, other.bound].contains(&Bound::Unsaid);
        let limits = match (self.bound, other.bound, a.as_slice(), b.as_slice()) {
            _ if a == b && (a.is_empty() || one_way) => Ordering::Equal,
            _ if a == b => return Err(Apart::Different),
            (Bound::Ceiling, Bound::Ceiling, [a], [b]) => b.cmp(a),
            (Bound::Floor, Bound::Floor, [a], [b]) => a.cmp(b),
            _ => return Err(Apart::Unclear("their numbers cannot be compared")),
        };
        let same_artifact = self.artifacts.iter().any(|artifact| other.artifacts.contains(artifact));
        if !same_artifact || self.condition != other.condition {
            return Err(Apart::Different);
        }
        // A ceiling may be set by a prohibition or by a demand; without a limit the two are opposites.
        if self.spelled != other.spelled {
            return Err(Apart::Different);
        }
        self.says_the_same(other)?;
        if self.forbids != other.forbids && (a.is_empty() || self.bound == Bound::Unsaid) {
            return Err(Apart::Different);
        }
        Ok(limits)
    }
}

impl Content<'_> {
    /// Words in another order, or one word in the place of another, may change what is asked for.
    fn says_the_same(&self, other: &Self) -> Result<(), Apart> {
        let sets = [&self.words, &other.words].map(|words| words.iter().collect::<BTreeSet<_>>());
        let [ours, theirs] = &sets;
        if ours.difference(theirs).next().is_some() && theirs.difference(ours).next().is_some() {
            return Err(Apart::Unclear("each names something that the other does not"));
        }
        let shared = |words: &[String]| -> Vec<String> {
            let both = words.iter().filter(|word| ours.contains(word) && theirs.contains(word));
            both.cloned().collect()
        };
        if shared(&self.words) != shared(&other.words) {
            return Err(Apart::Unclear("they have the same words in another order"));
        }
        Ok(())
    }
}

/// Why a proposed pair is two obligations.
enum Apart {
    Different,
    /// Code cannot tell.
    Unclear(&'static str),
}

/// What code needs of a row to say which of a pair governs.
#[derive(Debug, Clone)]
pub struct Candidate<'r> {
    /// The row.
    pub id: &'r RuleId,
    /// Whether it can govern: in scope but for duplication.
    pub governs: bool,
    /// Its level.
    pub level: Level,
    /// What it says.
    pub content: Content<'r>,
    /// The rows it is paired with.
    pub pairs: &'r [ProposedDuplicate],
}

/// What became of a row's pairs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Governed<'r> {
    /// The row that governs it.
    pub by: Option<&'r RuleId>,
    /// Whether that row asks for something else: another level, or a tighter limit.
    pub conflict: bool,
    /// What could not be told of a pair, in words.
    pub unclear: Vec<String>,
}

/// Decides every pair: the stricter governs the weaker, the earlier an equal one. A governing row is
/// in scope and not governed itself, so that there are no chains.
pub fn governing<'r>(candidates: &[Candidate<'r>]) -> Vec<Governed<'r>> {
    let index_of: BTreeMap<&RuleId, usize> =
        candidates.iter().enumerate().map(|(index, candidate)| (candidate.id, index)).collect();
    let mut paired = vec![BTreeSet::new(); candidates.len()];
    for (index, candidate) in candidates.iter().enumerate() {
        for other in candidate.pairs.iter().filter_map(|pair| index_of.get(&pair.of)) {
            paired[index].insert(*other);
            paired[*other].insert(index);
        }
    }
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&candidates[*a], &candidates[*b]);
        let key =
            |candidate: &Candidate<'r>| (Reverse(candidate.governs), Reverse(candidate.level == Level::Must));
        key(a)
            .cmp(&key(b))
            .then_with(|| tightness(&b.content).cmp(&tightness(&a.content)))
            .then(a.id.cmp(b.id))
    });
    let mut kept = vec![false; candidates.len()];
    let mut governed = vec![Governed::default(); candidates.len()];
    for index in order {
        let candidate = &candidates[index];
        for other in paired[index].iter().copied().filter(|other| kept[*other]) {
            let governor = &candidates[other];
            match governor.content.strictness(&candidate.content) {
                Ok(Ordering::Less) if candidate.governs => {
                    let what = format!("{} has the higher level and the wider limit", governor.id);
                    governed[index].unclear.push(what);
                }
                Ok(limits) => {
                    governed[index].by = Some(governor.id);
                    governed[index].conflict = governor.level != candidate.level || limits != Ordering::Equal;
                    break;
                }
                Err(Apart::Different) => {}
                Err(Apart::Unclear(why)) => {
                    governed[index].unclear.push(format!("it may state what {} states: {why}", governor.id));
                }
            }
        }
        kept[index] = candidate.governs && governed[index].by.is_none();
    }
    governed
}

/// A key by which of two limits on one thing the tighter one comes first.
fn tightness(content: &Content<'_>) -> i128 {
    match (content.bound, content.numbers.as_slice()) {
        (Bound::Ceiling, [number]) => -i128::from(*number),
        (Bound::Floor, [number]) => i128::from(*number),
        _ => 0,
    }
}

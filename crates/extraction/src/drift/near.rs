//! Sentences that were not there before: what a rule may have become, and what no rule has.

use super::today::{Proposed, Read, Was, folded};
use super::{Change, FEWEST_WORDS, NewSentence, Part, Place, passage};
use polc_records::extraction::ExtractionRow;
use polc_text::locate::ELISION;
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeSet;

/// From what part of the same words on a new text in a rule's own section has taken its place.
pub const IN_PLACE: f32 = 0.5;

/// The same of a new text in another section or on another page.
pub const ELSEWHERE: f32 = 0.75;

/// Which side of a difference words are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// On both.
    Both,
    /// Only then.
    Then,
    /// Only now.
    Now,
}

/// A text that was not there before.
pub(super) struct Passage {
    pub(super) quote: String,
    pub(super) text: String,
    pub(super) place: Place,
    /// The sentences of it that were not there before, folded.
    pub(super) sentences: Vec<String>,
}

/// The texts that were not there before.
pub(super) struct Successors<'s> {
    read: &'s Read<'s>,
    passages: Vec<Passage>,
    /// The sentences that took the place of others, folded.
    taken: BTreeSet<String>,
}

impl<'s> Successors<'s> {
    pub(super) fn new(was: &Was, rows: &[ExtractionRow], read: &'s Read<'s>) -> Self {
        let quoted_then: BTreeSet<String> = rows.iter().map(|row| folded(&row.original)).collect();
        // A sentence that went from one page to another is not new, one that is on both is.
        let is_new = |source: &str, text: &str| {
            if was.of_source(source).is_some_and(|known| known.contains(text)) {
                return false;
            }
            // What a source was known to say is not new where that source is shown again.
            let shown = read.source(source).and_then(|read| was.of_source(read.same_text_as()?));
            if shown.is_some_and(|known| known.contains(text)) {
                return false;
            }
            let still = |key: &str| read.source(key).is_some_and(|read| read.says(text));
            was.sources_with(text).all(still)
        };
        let mut passages = Vec::new();
        for Proposed { sentence, quoted, code, .. } in read.proposed() {
            let new: Vec<String> =
                quoted.into_iter().filter(|text| is_new(&sentence.place.source, text)).collect();
            // The same sentence may introduce other code than before.
            if !new.is_empty() || (code && !quoted_then.contains(&folded(&sentence.quote))) {
                passages.push(passage(&sentence.quote, sentence.place, new));
            }
        }
        for read in read.sources() {
            for sentence in read.sentences().iter().filter(|sentence| is_new(read.key(), &sentence.text)) {
                passages.push(passage(&sentence.quote, sentence.place.clone(), vec![sentence.text.clone()]));
            }
        }
        Successors { read, passages, taken: BTreeSet::new() }
    }

    /// The new text that took the place of a rule's quote.
    pub(super) fn of(&self, row: &ExtractionRow, then: &Place, key: &str) -> Option<(Place, Change)> {
        let bar = |place: &Place| {
            if place.source == key && place.section == then.section { IN_PLACE } else { ELSEWHERE }
        };
        let best = self.best(&row.original, bar)?;
        Some((best.place.clone(), change(Part::Quote, &row.original, Some(&best.quote))))
    }

    /// What became of a context that is not there any more, beside the rule that it belongs to.
    pub(super) fn of_context(&self, quote: &str, place: &Place) -> Change {
        let bar = |other: &Place| {
            if (&other.source, &other.section) == (&place.source, &place.section) { IN_PLACE } else { 2.0 }
        };
        change(Part::Context, quote, self.best(quote, bar).map(|passage| passage.quote.as_str()))
    }

    /// The text that is nearest above its bar: those in place first, then those that took no other's place.
    fn best(&self, quote: &str, bar: impl Fn(&Place) -> f32) -> Option<&Passage> {
        let quote = folded(quote);
        let near = self.passages.iter().filter_map(|passage| {
            let (bar, similar) = (bar(&passage.place), similar(&quote, &passage.text));
            let taken = passage.sentences.iter().any(|text| self.taken.contains(text));
            (similar >= bar).then_some((bar, similar, taken, passage))
        });
        let best = near.reduce(|best, next| {
            let order = next.0.total_cmp(&best.0).then(best.1.total_cmp(&next.1)).then(next.2.cmp(&best.2));
            if order.is_lt() { next } else { best }
        });
        best.map(|(.., passage)| passage)
    }

    /// Notes that a text took the place of another.
    pub(super) fn take(&mut self, quote: &str) {
        let of = |passage: &&Passage| passage.quote == quote;
        let sentences = self.passages.iter().filter(of).flat_map(|passage| passage.sentences.clone());
        self.taken.extend(sentences.collect::<Vec<_>>());
    }

    /// The obligations that no rule has: not quoted where one stands, and in the place of none.
    pub(super) fn left(&self, stand: &BTreeSet<(String, usize)>) -> Vec<NewSentence> {
        let new: BTreeSet<(&str, &str)> = self
            .passages
            .iter()
            .flat_map(|passage| {
                passage.sentences.iter().map(|text| (passage.place.source.as_str(), text.as_str()))
            })
            .collect();
        let proposed =
            self.read.proposed().into_iter().filter(|Proposed { sentence, start, quoted, .. }| {
                let source = sentence.place.source.as_str();
                !stand.contains(&(source.to_owned(), *start))
                    && quoted.iter().any(|text| new.contains(&(source, text.as_str())))
                    && !quoted.iter().any(|text| self.taken.contains(text))
            });
        proposed.map(|proposed| proposed.sentence).collect()
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// What part of the words of two texts is the same, in order, from 0 to 1, whatever the marks beside the words. Of
/// two items of one list it is their own words that count; and a text is near to one that goes on where it ends.
fn similar(a: &str, b: &str) -> f32 {
    let (one, other) = (bare(a), bare(b));
    let whole = ratio(&one, &other);
    let lead_in =
        [a, b].into_iter().find_map(|text| text.split_once(ELISION.trim())).map(|(lead_in, _)| bare(lead_in));
    let own =
        lead_in.and_then(|lead_in| Some((one.strip_prefix(&*lead_in)?, other.strip_prefix(&*lead_in)?)));
    let near = own.map_or(whole, |(one, other)| ratio(one, other).min(whole));
    let (short, long) = if one.len() < other.len() { (&one, &other) } else { (&other, &one) };
    if own.is_none() && short.len() >= FEWEST_WORDS && long.starts_with(short) {
        near.max(IN_PLACE)
    } else {
        near
    }
}

fn ratio(a: &[String], b: &[String]) -> f32 {
    TextDiff::from_slices(
        &a.iter().map(String::as_str).collect::<Vec<_>>(),
        &b.iter().map(String::as_str).collect::<Vec<_>>(),
    )
    .ratio()
}

/// The words without the marks beside them.
fn bare(text: &str) -> Vec<String> {
    let bare =
        text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    bare.filter(|word| !word.is_empty()).collect()
}

fn change(part: Part, then: &str, now: Option<&str>) -> Change {
    let (old, new) = (words(then), words(now.unwrap_or_default()));
    let diff = TextDiff::from_slices(&old, &new);
    let mut difference: Vec<(Side, String)> = Vec::new();
    for change in diff.iter_all_changes() {
        let side = match change.tag() {
            ChangeTag::Equal => Side::Both,
            ChangeTag::Delete => Side::Then,
            ChangeTag::Insert => Side::Now,
        };
        match difference.last_mut().filter(|(last, _)| *last == side) {
            Some((_, text)) => {
                text.push(' ');
                text.push_str(change.value());
            }
            None => difference.push((side, change.value().to_owned())),
        }
    }
    Change { part, passage: now.map(str::to_owned), similar: diff.ratio(), difference }
}

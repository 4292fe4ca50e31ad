//! A document as one text of words, in which quotes are sought.

use super::quote::Reading;
use crate::document::BlockId;
use crate::normal::Normal;
use std::collections::HashSet;
use std::ops::Range;

/// All words of a document in one text, blocks parted by a space.
#[derive(Default)]
pub(super) struct Stream {
    pub(super) text: String,
    pub(super) placed: Vec<Placed>,
    /// Each of the words: a quote with another one cannot stand here.
    pub(super) words: HashSet<String>,
}

pub(super) struct Placed {
    pub(super) block: BlockId,
    pub(super) start: usize,
    pub(super) normal: Normal,
}

impl Placed {
    pub(super) fn end(&self) -> usize {
        self.start + self.normal.text.len()
    }
}

impl Stream {
    pub(super) fn has_words_of(&self, reading: &Reading) -> bool {
        words_of(&reading.exact).all(|word| self.words.contains(word))
    }

    /// Where a text stands, not cutting words; one place may begin within another.
    pub(super) fn occurrences(&self, needle: &str) -> Vec<Range<usize>> {
        let step = needle.chars().next().map_or(1, char::len_utf8);
        let mut from = 0;
        let places = std::iter::from_fn(|| {
            let at = from + self.text.get(from..)?.find(needle)?;
            from = at + step;
            Some(at..at + needle.len())
        });
        places.filter(|range| self.parts_words(range)).collect()
    }

    /// Whether neither end of a range cuts a word.
    pub(super) fn parts_words(&self, range: &Range<usize>) -> bool {
        let text = &self.text;
        let cuts = |before: &str, after: &str| {
            before.ends_with(|c: char| c.is_alphanumeric())
                && after.starts_with(|c: char| c.is_alphanumeric())
        };
        !cuts(&text[..range.start], &text[range.start..]) && !cuts(&text[..range.end], &text[range.end..])
    }

    pub(super) fn blocks_of(&self, range: &Range<usize>) -> impl Iterator<Item = &Placed> {
        let first = self.placed.partition_point(|placed| placed.end() <= range.start);
        let end = range.end;
        self.placed[first..].iter().take_while(move |placed| placed.start < end)
    }

    pub(super) fn placed_block(&self, block: BlockId) -> Option<&Placed> {
        let at = self.placed.partition_point(|placed| placed.block < block);
        self.placed.get(at).filter(|placed| placed.block == block)
    }

    pub(super) fn is_whole_block(&self, range: &Range<usize>) -> bool {
        let trim = |text: &str| text.trim_end_matches(['.', ',', ';', ':']).len();
        self.blocks_of(range).any(|placed| {
            placed.start == range.start && trim(&self.text[range.clone()]) == trim(&placed.normal.text)
        })
    }
}

/// The words of a normalised text: a match never cuts one.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

//! What a quote that was not found resembles most.

use crate::document::{Document, fold_space};
use crate::sentence::sentences;
use polc_records::locator::SectionPath;
use similar::{ChangeTag, TextDiff};
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// The passage nearest to a quote.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// The source's own text.
    pub passage: String,
    /// Where it stands.
    pub section: SectionPath,
    /// How much of the two is the same, from 0 to 1.
    pub ratio: f32,
    /// The quote against the passage, compared word by word, in stretches of one kind.
    pub difference: Vec<(Change, String)>,
}

/// What a stretch of a difference is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// In both.
    Same,
    /// Only in the quote.
    OnlyQuote,
    /// Only in the source.
    OnlySource,
}

/// How many passages are compared word by word; the others share too few words.
const COMPARED: usize = 20;

/// The sentences of a document, ready to be compared with many quotes.
#[derive(Debug, Clone, Default)]
pub struct Passages {
    passages: Vec<Passage>,
    /// For each word, the passages that it stands in.
    of_word: HashMap<String, Vec<usize>>,
}

#[derive(Debug, Clone)]
struct Passage {
    text: String,
    section: SectionPath,
    /// How many words it has, each counted once.
    words: usize,
}

impl Passages {
    /// Takes a document apart.
    pub fn of(document: &Document) -> Self {
        let mut all = Passages::default();
        for block in &document.blocks {
            for sentence in sentences(&block.prose) {
                let text = block.prose.quote(&document.text, &sentence);
                let words = words(&text);
                let section = document.section_of(block).path.clone();
                let passage = Passage { section, words: words.len(), text };
                for word in words {
                    all.of_word.entry(word).or_default().push(all.passages.len());
                }
                all.passages.push(passage);
            }
        }
        all
    }

    /// Finds the passage that is nearest to a quote. None where no word is shared.
    pub fn nearest(&self, quote: &str) -> Option<Nearest> {
        let quote = fold_space(quote);
        let wanted = words(&quote);
        let mut shared = vec![0_usize; self.passages.len()];
        for at in wanted.iter().filter_map(|word| self.of_word.get(word)).flatten() {
            shared[*at] += 1;
        }
        let mut likely: Vec<(f32, usize)> = shared
            .iter()
            .enumerate()
            .filter(|(_, shared)| **shared > 0)
            .map(|(at, shared)| {
                let union = wanted.len() + self.passages[at].words - shared;
                #[expect(clippy::cast_precision_loss, reason = "counts of words in a sentence")]
                let overlap = *shared as f32 / union as f32;
                (overlap, at)
            })
            .collect();
        likely.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let best = likely
            .into_iter()
            .take(COMPARED)
            .map(|(_, at)| (alike(&quote, &self.passages[at].text), at))
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        let (ratio, at) = best?;
        let Passage { text, section, .. } = &self.passages[at];
        let mut difference: Vec<(Change, String)> = Vec::new();
        for change in TextDiff::from_words(&quote, text).iter_all_changes() {
            let kind = match change.tag() {
                ChangeTag::Equal => Change::Same,
                ChangeTag::Delete => Change::OnlyQuote,
                ChangeTag::Insert => Change::OnlySource,
            };
            match difference.last_mut() {
                Some((last, text)) if *last == kind => text.push_str(change.value()),
                _ => difference.push((kind, change.value().to_owned())),
            }
        }
        Some(Nearest { passage: text.clone(), section: section.clone(), ratio, difference })
    }
}

/// How much of the words of two texts is the same, from 0 to 1. The space between them counts for nothing.
fn alike(quote: &str, passage: &str) -> f32 {
    let [quote, passage] = [quote, passage].map(|text| text.split(' ').collect::<Vec<_>>());
    TextDiff::from_slices(&quote, &passage).ratio()
}

/// Finds the passage of a document that is nearest to one quote.
pub fn nearest(document: &Document, quote: &str) -> Option<Nearest> {
    Passages::of(document).nearest(quote)
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

impl fmt::Display for Nearest {
    /// `[-only in the quote-]` and `{+only in the source+}`, as a word difference is written.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, text) in &self.difference {
            match kind {
                Change::Same => out.write_str(text)?,
                Change::OnlyQuote => write!(out, "[-{text}-]")?,
                Change::OnlySource => write!(out, "{{+{text}+}}")?,
            }
        }
        Ok(())
    }
}

//! What a quote that was not found resembles most.

use crate::document::{Document, fold_space};
use crate::sentence::sentences;
use polc_records::locator::SectionPath;
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeSet;
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
    /// The quote against the passage, word by word.
    pub difference: Vec<(Change, String)>,
}

/// What a word of a difference is.
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

/// Finds the passage of a document that is nearest to a quote. None where no word is shared.
pub fn nearest(document: &Document, quote: &str) -> Option<Nearest> {
    let quote = fold_space(quote);
    let wanted = words(&quote);
    let mut passages: Vec<(f32, usize, String)> = Vec::new();
    for (id, block) in document.blocks.iter().enumerate() {
        for sentence in sentences(&block.prose) {
            let passage = block.prose.quote(&document.text, &sentence);
            let found = words(&passage);
            let shared = wanted.intersection(&found).count();
            if shared > 0 {
                #[expect(clippy::cast_precision_loss, reason = "counts of words in a sentence")]
                let overlap = shared as f32 / wanted.union(&found).count() as f32;
                passages.push((overlap, id, passage));
            }
        }
    }
    passages.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let best = passages
        .into_iter()
        .take(COMPARED)
        .map(|(_, id, passage)| (TextDiff::from_words(&quote, &passage).ratio(), id, passage))
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (ratio, id, passage) = best?;
    let difference = TextDiff::from_words(&quote, &passage)
        .iter_all_changes()
        .map(|change| {
            let kind = match change.tag() {
                ChangeTag::Equal => Change::Same,
                ChangeTag::Delete => Change::OnlyQuote,
                ChangeTag::Insert => Change::OnlySource,
            };
            (kind, change.value().to_owned())
        })
        .collect();
    let section = document.section_of(&document.blocks[id]).path.clone();
    Some(Nearest { passage, section, ratio, difference })
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
        let mut rest = self.difference.as_slice();
        while let Some((kind, _)) = rest.first() {
            let run = rest.iter().take_while(|(next, _)| next == kind).count();
            let text: String = rest[..run].iter().map(|(_, word)| word.as_str()).collect();
            match kind {
                Change::Same => out.write_str(&text)?,
                Change::OnlyQuote => write!(out, "[-{text}-]")?,
                Change::OnlySource => write!(out, "{{+{text}+}}")?,
            }
            rest = &rest[run..];
        }
        Ok(())
    }
}

//! What a manifest keeps of a model's words: none that are the page's own. A manifest is published with a corpus whose
//! quotes stand by reference.

use polc_text::Document;
use std::collections::HashSet;

/// So many words in a row are the page's own.
const RUN: usize = 4;

/// Every run of words of some documents.
pub(super) struct Runs(HashSet<Vec<String>>);

impl Runs {
    pub(super) fn of<'d>(documents: impl Iterator<Item = &'d Document>) -> Self {
        let texts = documents.flat_map(|document| {
            let plain = document.blocks.iter().map(|block| block.prose.plain.as_str());
            plain.chain([document.text.as_str()])
        });
        let words = texts.map(|text| text.split_whitespace().map(bare).collect::<Vec<_>>());
        Runs(words.flat_map(|words| words.windows(RUN).map(<[String]>::to_vec).collect::<Vec<_>>()).collect())
    }

    /// A text with marks of omission in the place of such runs.
    pub(super) fn left_out_of(&self, text: &str) -> String {
        let words: Vec<&str> = text.split_whitespace().collect();
        let bare: Vec<String> = words.iter().map(|word| bare(word)).collect();
        let mut own = vec![false; words.len()];
        for (at, run) in bare.windows(RUN).enumerate() {
            if self.0.contains(run) {
                own[at..at + RUN].fill(true);
            }
        }
        let mut kept: Vec<&str> = Vec::new();
        for (word, own) in words.into_iter().zip(own) {
            match own {
                true if kept.last() == Some(&"…") => {}
                true => kept.push("…"),
                false => kept.push(word),
            }
        }
        kept.join(" ")
    }
}

/// A word without the marks around it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

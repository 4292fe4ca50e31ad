//! The one normalisation after which a quote and its source have to be equal.
//!
//! *Exact*: Unicode NFC; any run of white space, no-break spaces included, is one space; soft
//! hyphens, zero-width characters and byte-order marks are dropped. *Folded*: also curly quotes as
//! straight ones, every dash as a hyphen, the ellipsis as three dots. Never NFKC, which would
//! rewrite what the source says; never case; never fuzzily.

use polc_records::locator::Fidelity;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// A normalised text that knows for each of its bytes where it came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Normal {
    /// The text, without white space at its ends.
    pub text: String,
    /// For each byte of `text`, the bytes of the original that it stands for.
    origin: Vec<(u32, u32)>,
}

impl Normal {
    /// The bytes of the original behind a range of the normalised text that is not empty.
    pub fn origin(&self, range: Range<usize>) -> Range<usize> {
        let start = self.origin[range.start].0 as usize;
        let end = self.origin[range.end - 1].1 as usize;
        start..end
    }

    fn push(&mut self, text: &str, from: Range<usize>) {
        let mark = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        self.text.push_str(text);
        self.origin.extend(std::iter::repeat_n((mark(from.start), mark(from.end)), text.len()));
    }
}

/// Normalises a text. Texts beyond 4 GiB are cut off in the map, not in the text.
pub fn normalise(text: &str, fidelity: Fidelity) -> Normal {
    let mut normal = Normal::default();
    let mut space: Option<Range<usize>> = None;
    let mut rest = text.char_indices().filter(|(_, c)| !is_invisible(*c)).peekable();
    let mut cluster = String::new();
    while let Some((start, first)) = rest.next() {
        let mut end = start + first.len_utf8();
        if first.is_whitespace() {
            space = Some(space.map_or(start, |space| space.start)..end);
            continue;
        }
        cluster.clear();
        cluster.push(first);
        while let Some((at, next)) = rest.next_if(|(_, next)| joins(*next)) {
            cluster.push(next);
            end = at + next.len_utf8();
        }
        if let Some(space) = space.take()
            && !normal.text.is_empty()
        {
            normal.push(" ", space);
        }
        for c in cluster.nfc() {
            match fold(c).filter(|_| fidelity == Fidelity::Folded) {
                Some(folded) => normal.push(folded, start..end),
                None => normal.push(c.encode_utf8(&mut [0; 4]), start..end),
            }
        }
    }
    normal
}

/// Whether a character may combine with what stands before it.
fn joins(c: char) -> bool {
    canonical_combining_class(c) != 0 || is_nfc_quick(std::iter::once(c)) != IsNormalized::Yes
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}'
    )
}

fn fold(c: char) -> Option<&'static str> {
    match c {
        '\u{2018}'..='\u{201b}' => Some("'"),
        '\u{201c}'..='\u{201f}' => Some("\""),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => Some("-"),
        '\u{2026}' => Some("..."),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact(text: &str) -> String {
        normalise(text, Fidelity::Exact).text
    }

    #[test]
    fn space_marks_and_accents() {
        assert_eq!(exact("  a\u{a0}\n b\u{ad}c\u{200b} "), "a bc");
        assert_eq!(exact("cafe\u{301}"), "caf\u{e9}");
        assert_eq!(normalise("“a” – b… ‑", Fidelity::Folded).text, "\"a\" - b... -");
        assert_eq!(exact("x² ﬁ ‑"), "x² ﬁ ‑", "compatibility characters are the source's own");
    }

    #[test]
    fn positions_lead_back() {
        let text = "a \u{a0} cafe\u{301}s";
        let normal = normalise(text, Fidelity::Exact);
        let at = normal.text.find('\u{e9}').unwrap();
        assert_eq!(&text[normal.origin(at..at + 2)], "e\u{301}");
        assert_eq!(&text[normal.origin(1..2)], " \u{a0} ");
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(text in "[a-z \u{a0}\u{ad}\u{301}\u{2018}\u{2026}\u{1100}\u{1161}\u{11a8}é\n]{0,40}") {
            for fidelity in [Fidelity::Exact, Fidelity::Folded] {
                let once = normalise(&text, fidelity).text;
                prop_assert_eq!(&normalise(&once, fidelity).text, &once);
            }
        }

        #[test]
        fn every_byte_has_an_origin_on_character_borders(text in "\\PC{0,60}") {
            let normal = normalise(&text, Fidelity::Folded);
            prop_assert_eq!(normal.text.len(), normal.origin.len());
            for index in 0..normal.text.len() {
                let range = normal.origin(index..index + 1);
                prop_assert!(text.get(range).is_some());
            }
        }
    }
}

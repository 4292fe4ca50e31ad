//! Where sentences begin and end.

use crate::document::Prose;
use std::ops::Range;

/// Words that end with a full stop without ending a sentence.
const ABBREVIATIONS: &[&str] = &[
    "a.k.a", "cf", "dr", "e.g", "eg", "i.e", "ie", "jr", "mr", "mrs", "ms", "prof", "resp", "sr", "viz", "vs",
];

/// The same, before a number only.
const BEFORE_A_NUMBER: &[&str] = &["ca", "fig", "no", "nr", "p", "pp", "sec", "vol"];

/// Words that may end a sentence with the full stop that they carry anyway.
const MAY_END: &[&str] = &[
    "a.m", "al", "approx", "dept", "esp", "est", "etc", "inc", "incl", "ltd", "max", "min", "p.m", "st",
    "u.s",
];

/// The sentences of a block's plain words, in order, without the space around them.
///
/// A full stop inside a code span, an abbreviation, a number or a name ends nothing.
pub fn sentences(prose: &Prose) -> Vec<Range<usize>> {
    let text = &prose.plain;
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if !matches!(c, '.' | '!' | '?' | '…') || at < start || prose.in_code(at) {
            continue;
        }
        let close = closing(text, at + c.len_utf8());
        let after = &text[close..];
        if after.starts_with(|next: char| next.is_whitespace()) && ends_here(prose, start, at, c, close) {
            push(text, start..close, &mut found);
            start = close;
        }
    }
    push(text, start..text.len(), &mut found);
    found
}

/// Past the marks that close with the sentence.
fn closing(text: &str, from: usize) -> usize {
    let rest = &text[from..];
    let closing =
        rest.find(|c: char| !matches!(c, '.' | '!' | '?' | '"' | '\'' | '”' | '’' | ')' | ']' | '»' | '…'));
    from + closing.unwrap_or(rest.len())
}

fn ends_here(prose: &Prose, start: usize, at: usize, mark: char, close: usize) -> bool {
    let text = &prose.plain;
    let after = text[close..].trim_start();
    let Some(next) = after.chars().next() else {
        return true;
    };
    let next_at = text.len() - after.len();
    let lower = next.is_lowercase() && !prose.in_code(next_at);
    let before = &text[start..at];
    if mark == '…' || before.ends_with('.') || text[at + mark.len_utf8()..].starts_with('.') {
        return !lower;
    }
    if mark != '.' {
        return !lower || !text[at + mark.len_utf8()..close].contains([')', '"', '\'', '”', '’']);
    }
    let word = before
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '/'))
        .next()
        .unwrap_or("");
    let word = word.to_lowercase();
    if ABBREVIATIONS.contains(&word.as_str()) {
        return false;
    }
    if BEFORE_A_NUMBER.contains(&word.as_str()) {
        return !next.is_ascii_digit();
    }
    if MAY_END.contains(&word.as_str()) {
        return !lower;
    }
    // An initial, or the number of an item.
    let single = word.chars().count() == 1 && word.chars().all(char::is_alphabetic) && word != "i";
    let numbered = before.trim().chars().all(|c| c.is_ascii_digit()) && !before.trim().is_empty();
    !(single && !prose.in_code(at.saturating_sub(1)) || numbered)
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let words = &text[range.clone()];
    let start = range.start + (words.len() - words.trim_start().len());
    let end = range.start + words.trim_end().len();
    if start < end {
        found.push(start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::sentences;
    use crate::document::{Document, Format};
    use proptest::prelude::*;

    fn split(markdown: &str) -> Vec<String> {
        let document = Document::derive(markdown.as_bytes(), Format::Markdown).unwrap();
        document
            .blocks
            .iter()
            .flat_map(|block| {
                sentences(&block.prose).into_iter().map(|range| block.prose.plain[range].replace('\n', " "))
            })
            .collect()
    }

    #[test]
    fn ends_are_found() {
        assert_eq!(
            split(
                "Every file ends with `zebra`. Never commit a walrus! Is the zoo old? `cargo fmt` says yes."
            ),
            [
                "Every file ends with zebra.",
                "Never commit a walrus!",
                "Is the zoo old?",
                "cargo fmt says yes."
            ]
        );
        assert_eq!(split("pytest is used. pip is not."), ["pytest is used.", "pip is not."]);
        assert_eq!(
            split("Say \"no.\" Then go. (Really.) Go."),
            ["Say \"no.\"", "Then go.", "(Really.)", "Go."]
        );
    }

    #[test]
    fn what_only_looks_like_an_end_is_none() {
        for whole in [
            "Use a tool, e.g. black, i.e. a formatter.",
            "Call `a. B` and version 1.2 of foo.py. It works".split(". It").next().unwrap(),
            "Wait... then push it, etc. and so on.",
            "Ask J. Doe vs. nobody.",
            "Files (docs, tests, etc.) count.",
        ] {
            assert_eq!(split(whole).len(), 1, "{whole}");
        }
        assert_eq!(split("Docs, tests, etc. Then push."), ["Docs, tests, etc.", "Then push."]);
    }

    proptest! {
        #[test]
        fn sentences_cover_every_word(text in "[a-zA-Z.!?,\"() \n]{0,80}") {
            let mut prose = crate::document::Prose::default();
            prose.push_text(&text, 0..text.len());
            let all: String = sentences(&prose).into_iter().map(|range| text[range].to_owned()).collect();
            let squeeze = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(squeeze(&all), squeeze(&text));
        }
    }
}

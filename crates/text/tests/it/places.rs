//! The kinds of the hard cases gr1, gr3 and gr5, on documents of any shape.

use polc_records::locator::{Fidelity, SectionPath};
use polc_text::locate::{Index, Wanted};
use polc_text::{Document, Format};
use proptest::collection::vec;
use proptest::prelude::*;

fn wanted(quote: &str) -> Wanted<'_> {
    Wanted { quote, ..Wanted::default() }
}

/// The formats in which the same blocks are written.
fn written(sections: &[Vec<String>], format: Format) -> Document {
    let mut text = String::from(if format == Format::Html { "<main><h1>Title</h1>" } else { "# Title\n\n" });
    for (number, blocks) in sections.iter().enumerate() {
        match format {
            Format::Html => {
                text.push_str(&format!("<h2>Part {number}</h2>"));
                blocks.iter().for_each(|block| text.push_str(&format!("<p>{block}</p>")));
            }
            _ => {
                text.push_str(&format!("## Part {number}\n\n"));
                blocks.iter().for_each(|block| text.push_str(&format!("{block}\n\n")));
            }
        }
    }
    Document::derive(text.as_bytes(), format).unwrap()
}

fn format() -> impl Strategy<Value = Format> {
    prop::sample::select(vec![Format::Markdown, Format::Html])
}

/// Words that are no other word of the tests.
fn words(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    vec("[a-f]{2,5}", count)
}

proptest! {
    /// gr1: every place is a candidate, and only what is known of the place chooses.
    #[test]
    fn every_place_of_a_sentence_is_told(before in vec(words(0..3), 1..5), at in 0_usize..5, format in format()) {
        let sections: Vec<Vec<String>> = before.iter().enumerate().map(|(number, words)| {
            let before = words.iter().map(|word| format!("{word} "));
            vec![format!("{}mark{number}. Add tests.", before.collect::<String>())]
        }).collect();
        let document = written(&sections, format);
        let index = Index::new(&document);
        let found = index.find(wanted("Add tests.")).unwrap();
        prop_assert_eq!(found.candidates.len(), sections.len());
        let starts: Vec<usize> = found.candidates.iter().map(|place| place.segments[0].start).collect();
        prop_assert!(starts.is_sorted());
        prop_assert_eq!(found.locator().is_some(), sections.len() == 1, "the first is no better than the others");
        let at = at % sections.len();
        let section = SectionPath(vec![format!("Part {at}")]);
        let after = format!("mark{at}.");
        for known in [
            Wanted { section: Some(&section), ..wanted("Add tests.") },
            Wanted { after: Some(&after), ..wanted("Add tests.") },
            Wanted { occurrence: Some(at), ..wanted("Add tests.") },
        ] {
            let found = index.find(known).unwrap();
            prop_assert_eq!(found.locator().map(|place| place.segments[0].start), Some(starts[at]), "{:?}", known);
        }
    }

    /// gr3: typography folds, and nothing else does.
    #[test]
    fn typography_folds_and_no_word_does(
        words in words(3..8),
        marks in vec(prop::sample::select(vec![(" “", " \""), ("” ", "\" "), (" – ", " - "), ("… ", "... "), ("’s ", "'s "), ("\u{a0}", " ")]), 8),
        changed in 0_usize..8,
        format in format(),
    ) {
        let (mut source, mut typed) = (String::from("Before this. "), String::new());
        for (word, (mark, plain)) in words.iter().zip(&marks) {
            source.push_str(&format!("{word}{mark}"));
            typed.push_str(&format!("{word}{plain}"));
        }
        source.push_str("end cafe\u{301}");
        typed.push_str("end caf\u{e9}");
        let document = written(&[vec![source.clone()]], format);
        let index = Index::new(&document);
        let found = index.find(wanted(&typed)).unwrap();
        let place = found.locator().unwrap();
        let folds = words.iter().zip(&marks).any(|(_, (mark, _))| *mark != "\u{a0}");
        prop_assert_eq!(place.fidelity, if folds { Fidelity::Folded } else { Fidelity::Exact });
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assert_eq!(squeezed(&document.quote(place)), squeezed(source.strip_prefix("Before this. ").unwrap()));
        let word = &words[changed % words.len()];
        for other in [typed.replacen(word, "zebra", 1), typed.replacen("end", "End", 1), typed.replacen("end ", "", 1)] {
            prop_assert!(index.find(wanted(&other)).is_err(), "{}", other);
        }
    }

    /// gr5: a quote over any blocks of a section has one segment for each, and all of it is covered.
    #[test]
    fn a_quote_over_blocks_is_covered_block_by_block(
        blocks in vec(words(1..5), 2..6), from in 0_usize..30, to in 0_usize..30, format in format(),
    ) {
        let numbered: Vec<Vec<String>> = blocks.iter().enumerate().map(|(block, words)| {
            words.iter().enumerate().map(|(at, word)| format!("{word}{block}x{at}")).collect()
        }).collect();
        let all: Vec<(usize, &String)> =
            numbered.iter().enumerate().flat_map(|(block, words)| words.iter().map(move |word| (block, word))).collect();
        let (from, to) = (from % all.len(), to % all.len());
        let range = &all[from.min(to)..=from.max(to)];
        let quote = range.iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" ");
        let paragraphs: Vec<String> = numbered.iter().map(|words| words.join(" ")).collect();
        let document = written(std::slice::from_ref(&paragraphs), format);
        let index = Index::new(&document);
        let found = index.find(wanted(&quote)).unwrap();
        let place = found.locator().unwrap();
        let touched: std::collections::BTreeSet<usize> = range.iter().map(|(block, _)| *block).collect();
        prop_assert_eq!(place.segments.len(), touched.len());
        prop_assert_eq!(document.quote(place), quote.clone());
        prop_assert!(index.find(wanted(&format!("{quote} more"))).is_err(), "a part is no match");
        prop_assert!(index.find(wanted(&quote[..quote.len() - 1])).is_err(), "a word is not cut");
        let split: Vec<Vec<String>> = paragraphs.into_iter().map(|paragraph| vec![paragraph]).collect();
        let apart = written(&split, format);
        prop_assert_eq!(Index::new(&apart).find(wanted(&quote)).is_ok(), touched.len() == 1, "over a heading");
    }
}

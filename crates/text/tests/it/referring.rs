//! Text by reference: out and back gives the same bytes, and nothing else does.

use polc_records::references::Voice;
use polc_text::reference::{Concordance, Escape, Unrestored, referred, restore, spoken};
use polc_text::{Document, Format};
use proptest::prelude::*;
use std::collections::BTreeMap;

const SAID: &str =
    "Never commit a \"walrus\" \\ since walruses do not merge. Feed it. Sign it \u{1f9ad} twice, please.";

fn out(file: &str, escapes: &[Escape], quoted: &[&str]) -> String {
    Concordance::of(vec![(3, SAID.to_owned())], quoted.iter().copied()).refer(file, escapes).text
}

fn back(text: &str, said: &str) -> Result<String, Unrestored> {
    restore(text, &BTreeMap::from([(3, said.to_owned())]))
}

#[test]
fn what_a_source_says_is_referred_to_as_each_kind_of_file_writes_it() {
    for (file, escapes, expected) in [
        ("Rule: Never commit a \"walrus\" \\ since, yes", "a.md", "Rule: ⟦3:0-31"),
        (r#"{"quote":"Never commit a \"walrus\" \\ since","n":1}"#, "a.jsonl", r#"{"quote":"⟦3:0-31 json"#),
        ("C001,\"Never commit a \"\"walrus\"\" \\ since\",x", "a.csv", "C001,\"⟦3:0-31 csv"),
        ("a commit a \"walrus\" is a", "a.md", "a commit a \"walrus\" is a"),
    ] {
        let text = out(file, Escape::of_file(escapes), &[]);
        assert!(text.starts_with(expected), "{text}");
        assert_eq!(back(&text, SAID).unwrap(), file);
    }
    assert!(out("\"Feed it.\" Feed items.", &[Escape::None], &["Feed it."]).ends_with("\" Feed items."));
    assert_eq!(out("⟦ Feed it.", &[Escape::None], &[]), "⟦⟧ Feed it.");
}

#[test]
fn a_source_that_says_something_else_is_refused_and_so_is_what_is_no_reference() {
    let text = out("since walruses do not merge", &[Escape::None], &[]);
    let other = SAID.replace("merge", "nerge");
    assert!(matches!(back(&text, &other).unwrap_err(), Unrestored::Otherwise { voice: 3, .. }));
    assert!(matches!(back(&text, &SAID[..20]).unwrap_err(), Unrestored::Otherwise { .. }));
    assert_eq!(restore(&text, &BTreeMap::new()).unwrap_err(), Unrestored::NoVoice(3));
    for wrong in ["⟦", "⟦x⟧", "⟦3:0⟧", "⟦3:0-4 xml 00⟧", "⟦3:9-4 0000000000000000⟧"] {
        assert!(back(wrong, SAID).is_err(), "{wrong}");
    }
    assert_eq!(referred(&text).unwrap().into_iter().collect::<Vec<_>>(), [3]);
}

#[test]
fn a_page_and_a_file_speak_as_they_are_quoted() {
    let bytes = b"# A\n\nName `it`,\n*always*.\n\n- So.\n";
    let document = Document::derive(bytes, Format::Markdown).unwrap();
    let voices = [Voice::Quoted, Voice::Words, Voice::Raw].map(|voice| spoken(&document, bytes, voice));
    assert_eq!(
        voices,
        ["A Name `it`, always. So.", "A Name it, always. So.", std::str::from_utf8(bytes).unwrap()]
    );
}

/// Files made of what sources say and of what they do not.
fn file() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        (0..SAID.len(), 0..SAID.len()).prop_map(|(a, b)| {
            let floor = |at: usize| (0..=at).rev().find(|at| SAID.is_char_boundary(*at)).unwrap();
            SAID[floor(a.min(b))..floor(a.max(b))].to_owned()
        }),
        "[a-c \"\\\\,\n⟦⟧]{0,6}",
        Just(SAID.replace('"', "\\\"")),
        Just(SAID.replace('"', "\"\"")),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn out_and_back_gives_the_same_bytes(file in file(), name in prop::sample::select(vec!["a.md", "a.csv", "a.jsonl", "a.toml"])) {
        let text = out(&file, Escape::of_file(name), &["Feed it.", "Sign it"]);
        prop_assert_eq!(back(&text, SAID).unwrap(), file);
    }

    #[test]
    fn no_run_of_four_words_is_left(file in file()) {
        let text = out(&file, &[Escape::None], &[]);
        let own = text.split('⟦').map(|piece| piece.split_once('⟧').map_or(piece, |(_, own)| own));
        for own in own {
            let words: Vec<&str> = own.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            for run in words.windows(4) {
                let at = |word: &str| word.as_ptr() as usize - own.as_ptr() as usize;
                let run = &own[at(run[0])..at(run[3]) + run[3].len()];
                let cut = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                let said = SAID.match_indices(run).any(|(at, _)| {
                    !cut(SAID[..at].chars().next_back()) && !cut(SAID[at + run.len()..].chars().next())
                });
                prop_assert!(!said, "{run} is left in {text}");
            }
        }
    }

    #[test]
    fn no_other_source_gives_the_file(file in file(), at in 0..SAID.len(), with in "[x-z]") {
        let text = out(&file, &[Escape::None], &[]);
        let other: String = SAID.char_indices().map(|(index, c)| if index == at { with.clone() } else { c.to_string() }).collect();
        if let Ok(restored) = back(&text, &other) {
            prop_assert_eq!(restored, file);
        }
    }
}

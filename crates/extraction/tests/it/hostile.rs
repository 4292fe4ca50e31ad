//! Documents as they come: nothing makes the engine panic, and every row it proposes is found again.

use crate::extracting::{cues, source};
use polc_extraction::baseline::extract::extract;
use polc_extraction::documents::ReadSource;
use polc_extraction::grounding::Grounds;
use polc_records::proposal::ProposedRow;
use polc_testkit::shared;
use polc_text::{Document, Format};
use proptest::prelude::*;

/// How many rows a document gives, and those that are not found: where they were recorded, and by a
/// search for their quote.
fn lost(key: &str, bytes: &[u8]) -> Option<(usize, Vec<String>, Vec<String>)> {
    let document = Document::derive(bytes, Format::of_path(key)).ok()?;
    let source = source(key, "contributing", std::str::from_utf8(bytes).ok()?);
    let sources = [ReadSource { source: &source, document }];
    let rows = extract(&cues(), &sources).unwrap().rows;
    let grounds = Grounds::new(&sources);
    let lost = |recorded: bool| {
        let missed = |proposed: &&ProposedRow| {
            let found = grounds.prove(&proposed.row, recorded.then_some(&proposed.locator));
            found.as_ref().map(|place| &place.segments) != Ok(&proposed.locator.segments)
        };
        rows.iter().filter(missed).map(|proposed| format!("{key}: {}", proposed.row.quote)).collect()
    };
    Some((rows.len(), lost(true), lost(false)))
}

#[test]
fn every_proposed_row_is_found_again() {
    let Some(folder) = shared::shared("sites") else {
        return;
    };
    let (mut rows, mut missing, mut elsewhere) = (0, Vec::new(), Vec::new());
    for path in shared::files_below(&folder) {
        let name = path.to_string_lossy().into_owned();
        let name = name.trim_end_matches(".txt");
        if !(name.contains("/offnav/") || name.contains("/_sources/"))
            || Format::of_path(name) == Format::Plain
        {
            continue;
        }
        if let Some((seen, recorded, searched)) = lost(name, &std::fs::read(&path).unwrap()) {
            rows += seen;
            missing.extend(recorded);
            elsewhere.extend(searched);
        }
    }
    assert!(rows > 4000, "only {rows} rows were proposed");
    assert!(missing.is_empty(), "{} of {rows} rows:\n{}", missing.len(), missing.join("\n"));
    assert!(elsewhere.len() * 1000 < rows, "{} of {rows} rows:\n{}", elsewhere.len(), elsewhere.join("\n"));
}

/// Marks, verbs and other pieces that parsers trip over, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "Run",
        "Never",
        "do not",
        "You must",
        "Please",
        "if",
        "unless",
        "`a b`",
        "``c``",
        "`",
        "*",
        "**",
        "_",
        "\\*b\\*",
        "<name>",
        "&amp;",
        "é",
        "…",
        "。",
        "1）",
        "a. ",
        "(b) ",
        "1. ",
        "- ",
        "* ",
        "* [ ] ",
        "> ",
        "# ",
        "## ",
        "---",
        "===",
        "```",
        "~~~",
        "<!--",
        "-->",
        ".. note::",
        ".. ",
        ":role:`x`",
        ":field: ",
        "::",
        "| a | b |",
        "|---|",
        "+--+",
        "\u{2028}",
        "\u{feff}",
        "\t",
        "\r\n",
        "\n",
        "\n\n",
        "\n    ",
        ".",
        ",",
        ":",
        ";",
        "!",
        "the",
        "tests",
        "80 characters",
        "\u{0301}",
        "[a](b)",
        "[x]: y",
        "[^1]",
        "'",
        "\"",
        "(",
        ")",
        "—",
        "2）",
        "must",
        "not",
        "and",
        "or",
    ]);
    prop::collection::vec((piece, prop::sample::select(vec!["", " ", "\n"])), 0..40)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, gap)| format!("{piece}{gap}")).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn nothing_written_makes_it_panic(text in pieces()) {
        for key in ["a.md", "a.rst", "a.yml"] {
            if let Some((_, recorded, _)) = lost(key, text.as_bytes()) {
                prop_assert!(recorded.is_empty(), "{}", recorded.join("\n"));
            }
        }
    }
}

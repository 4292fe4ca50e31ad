use polc_records::locator::{Fidelity, SectionPath};
use polc_testkit::shared;
use polc_text::locate::{Chosen, ChosenBy, Index, Wanted};
use polc_text::sentence::sentences;
use polc_text::{Document, Format};

fn markdown(text: &str) -> Document {
    Document::derive(text.as_bytes(), Format::Markdown).unwrap()
}

fn wanted(quote: &str) -> Wanted<'_> {
    Wanted { quote, ..Wanted::default() }
}

/// The hard case gr1.
#[test]
fn the_same_sentence_twice_is_told_apart_or_called_ambiguous() {
    let Some(case) = shared::case("gr1") else { return };
    let document = markdown(case["input"]["text"].as_str().unwrap());
    let index = Index::new(&document);
    let spans = case["expected"]["spans"].as_array().unwrap();
    for (extraction, span) in case["input"]["extractions"].as_array().unwrap().iter().zip(spans) {
        let wanted =
            Wanted { after: extraction["after"].as_str(), ..wanted(extraction["quote"].as_str().unwrap()) };
        let found = index.find(wanted).unwrap();
        let starts: Vec<usize> = found.candidates.iter().map(|place| place.segments[0].start).collect();
        assert_eq!(serde_json::json!(starts), case["expected"]["occurrences"]);
        match found.locator() {
            Some(place) => {
                assert_eq!(serde_json::json!([place.segments[0].start, place.segments[0].end]), *span);
            }
            None => assert_eq!(span, "ambiguous"),
        }
    }
}

/// Whoever quotes a list may write it in one line.
#[test]
fn an_item_behind_its_lead_in_may_have_its_mark() {
    let document = markdown("> You promise:\n>\n> - To come.\n> - To stay.\n");
    assert_eq!(segments(&document, "You promise: - To come."), Some(2));
    assert_eq!(segments(&document, "You promise: - To leave."), None);
}

/// The hard case gr3. It calls quote b folded, where an accent is composed in one and not in the
/// other; `docs/reference.md` counts Unicode NFC as exact, so b is exact here.
#[test]
fn typography_is_folded_and_a_paraphrase_is_not() {
    let Some(case) = shared::case("gr3") else { return };
    let text = case["input"]["text"].as_str().unwrap();
    let document = markdown(text);
    let index = Index::new(&document);
    let quote = |name: &str| case["input"]["quotes"][name].as_str().unwrap();
    let fidelity =
        |name: &str| index.find(wanted(quote(name))).map(|found| found.locator().unwrap().fidelity);
    assert_eq!(fidelity("a").unwrap(), Fidelity::Folded);
    assert_eq!(fidelity("b").unwrap(), Fidelity::Exact);
    assert!(fidelity("c").is_err() && fidelity("d").is_err());
    let found = index.find(wanted(quote("a"))).unwrap();
    let stored = document.quote(found.locator().unwrap());
    assert!(
        stored.contains('“') && stored.contains('…'),
        "what is stored is the source's own text: {stored}"
    );
    let nearest = index.find(wanted(quote("c"))).unwrap_err().unwrap();
    insta::assert_snapshot!(nearest.to_string(), @r#"Use [-"feat"-]{+“feat”+} [---]{+‑+} never [-over-]{+more than+} 72 [-characters-]{+characters…+}"#);
}

/// The hard case gr5.
#[test]
fn quotes_over_blocks_have_one_segment_a_block() {
    let Some(case) = shared::case("gr5") else { return };
    let blocks: Vec<&str> =
        case["input"]["blocks"].as_array().unwrap().iter().map(|block| block.as_str().unwrap()).collect();
    let document = markdown(&format!("{}\n\n- {}\n- {}\n", blocks[0], blocks[1], blocks[2]));
    let index = Index::new(&document);
    let leaves: Vec<_> = document.blocks.iter().filter(|block| !block.prose.plain.is_empty()).collect();
    for (name, expected) in case["expected"].as_object().unwrap().iter().filter(|(name, _)| *name != "rule") {
        let found = index.find(wanted(case["input"]["quotes"][name].as_str().unwrap())).unwrap();
        let place = found.locator().unwrap();
        let segments: Vec<[usize; 3]> = place
            .segments
            .iter()
            .map(|segment| {
                let (id, _, plain) = document.block_at(segment).unwrap();
                let leaf = leaves.iter().position(|leaf| std::ptr::eq(*leaf, &document.blocks[id])).unwrap();
                [leaf, plain.start, plain.end]
            })
            .collect();
        assert_eq!(serde_json::json!(segments), expected["segments"], "{name}");
        let elided = document.quote(place).contains("[...]");
        assert_eq!(elided, expected["contiguous"] == false, "{name}");
    }
}

#[test]
fn part_of_a_quote_is_never_a_match() {
    let document =
        markdown("Before you push, you must:\n\n- run the linter;\n- add a changelog entry.\n\nThe end.\n");
    let index = Index::new(&document);
    for quote in [
        "you must: run the linter and more;",
        "you must: add a change",
        "inter; add",
        "Before you push, you must: The end.",
    ] {
        assert!(index.find(wanted(quote)).is_err(), "{quote}");
    }
    for quote in
        ["you must: [...] add a changelog entry.", "Before you push, you must … add a changelog entry."]
    {
        assert_eq!(index.find(wanted(quote)).unwrap().locator().unwrap().segments.len(), 2, "{quote}");
    }
}

fn page(html: &str) -> Document {
    Document::derive(format!("<main>{html}</main>").as_bytes(), Format::Html).unwrap()
}

/// How many segments a quote has; none where it is not found.
fn segments(document: &Document, quote: &str) -> Option<usize> {
    Index::new(document).seek(wanted(quote)).map(|found| found.locator().unwrap().segments.len())
}

/// The kind of gr5: a quote in pieces is found where each piece is whole, and says so.
#[test]
fn items_that_are_left_out_and_fragments_that_are_joined_are_segments() {
    let document = page(
        "<p>Use one of these:</p><ul><li>fix: mends a thing.</li><li>feat: adds one.</li><li>misc: the \
         rest, as it is.</li></ul><h2>Other</h2><p>Feed the lion. Then feed the seal.</p>",
    );
    assert_eq!(segments(&document, "* fix: mends a thing.\n* misc: the rest, as it is."), Some(2));
    assert_eq!(segments(&document, "* fix: mends a thing.\n* misc: the rest"), None, "part of an item");
    assert_eq!(
        segments(&document, "* misc: the rest, as it is.\n* fix: mends a thing."),
        None,
        "not in order"
    );
    assert_eq!(segments(&document, "* fix: mends a thing.\n\nFeed the lion."), None, "of two sections");
    assert_eq!(segments(&document, "mends a thing. / adds one."), Some(2));
    assert_eq!(segments(&document, "feat: adds one. / Feed the lion."), None, "of two sections");
    assert_eq!(segments(&markdown("Use and / or, and no more.\n"), "and / or, and no more"), Some(1));
    let document = markdown("Change these:\n\n- one / two of them;\n- if three, `a_b` / `c_d` of them.\n");
    for quote in [
        "Change these: [...] if three, `a_b` / `c_d` of them.",
        "Change these: if three, a_b / c_d of them.",
        "Change these: [...] two of them; / if three",
    ] {
        assert_eq!(segments(&document, quote), Some(if quote.ends_with("three") { 3 } else { 2 }), "{quote}");
    }
}

/// A page may be quoted from the text that it was made of.
#[test]
fn a_quote_of_a_page_may_have_the_marks_of_the_text_behind_it() {
    let document = page(
        "<p>Name it <code>fix_it</code> or <em>do</em> not, by <a href=x>PEP 8</a>, see <a href=y>the guide</a>. \
         Pass <code>**kwargs</code>.</p><ol><li><p>Run it:</p><pre>$ run it</pre></li></ol>",
    );
    for quote in [
        "Name it `fix_it` or *do* not, by [PEP 8](x), see [the guide](y).",
        "Name it ``fix_it`` or *do* not, by :pep:`8`, see `the guide <y>`_.",
        "Pass `**kwargs`.",
    ] {
        assert_eq!(segments(&document, quote), Some(1), "{quote}");
    }
    assert_eq!(segments(&document, "#. Run it::\n\n       $ run it"), Some(2));
    for quote in
        ["Name it fixit or do not", "by :pep:`80`", "Name it `fix_it` or *do not*, by PEP 8, with the guide"]
    {
        assert_eq!(segments(&document, quote), None, "{quote}");
    }
}

#[test]
fn a_section_of_which_headings_are_left_out_chooses_too() {
    let document = markdown("# G\n\n## A\n\n### B\n\n#### C\n\nAdd tests.\n\n## D\n\nAdd tests.\n");
    let index = Index::new(&document);
    for (named, told) in [(&["A", "C"][..], true), (&["C", "A"], false), (&["E"], false), (&[], false)] {
        let section = SectionPath(named.iter().map(ToString::to_string).collect());
        let found = index.find(Wanted { section: Some(&section), ..wanted("Add tests.") }).unwrap();
        let expected = told.then_some(Chosen { index: 0, by: ChosenBy::Section });
        assert_eq!((found.candidates.len(), found.chosen), (2, expected), "{named:?}");
    }
}

/// The kind of gr1.
#[test]
fn places_that_begin_within_each_other_are_all_told() {
    let document = markdown("Repeat it. Repeat it. Repeat it. é é é\n");
    let index = Index::new(&document);
    for (quote, places) in [("Repeat it.", 3), ("Repeat it. Repeat it.", 2), ("é é", 2), ("epeat it.", 0)] {
        let found = index.seek(wanted(quote));
        assert_eq!(found.as_ref().map_or(0, |found| found.candidates.len()), places, "{quote}");
        assert!(found.is_none_or(|found| found.chosen.is_none()), "{quote}");
    }
}

#[test]
fn a_quote_may_leave_out_the_middle_of_one_block() {
    let document = markdown("Feed the seal at noon. It is grey. Feed the walrus at night.\n");
    let index = Index::new(&document);
    let found = index.find(wanted("Feed the seal at noon. [...] Feed the walrus at night.")).unwrap();
    let quote = document.quote(found.locator().unwrap());
    assert_eq!(quote, "Feed the seal at noon. [...] Feed the walrus at night.");
}

#[test]
fn a_section_or_an_occurrence_chooses() {
    let document = markdown("# Guide\n\n## Code\n\nAdd tests.\n\n## Docs\n\nAdd tests. Twice: add tests.\n");
    let index = Index::new(&document);
    assert_eq!(index.find(wanted("Add tests.")).unwrap().locator(), None);
    let docs = SectionPath(vec!["Docs".to_owned()]);
    let found = index.find(Wanted { section: Some(&docs), ..wanted("Add tests.") }).unwrap();
    assert_eq!(found.locator().unwrap().segments[0].section, docs);
    let second = index.find(Wanted { occurrence: Some(1), ..wanted("Add tests.") }).unwrap();
    assert_eq!(second.locator().unwrap().segments[0].section, docs);
}

#[test]
fn the_clause_before_is_shown() {
    let document = markdown("If you touch `a.rs`, run the suite.\n\nYou must:\n\n- push; then wait\n");
    let index = Index::new(&document);
    let before = |quote: &str| {
        let found = index.find(wanted(quote)).unwrap();
        document.preceding_clause(found.locator().unwrap())
    };
    assert_eq!(before("run the suite.").as_deref(), Some("If you touch `a.rs`,"));
    assert_eq!(before("If you touch `a.rs`, run the suite."), None);
    assert_eq!(before("push; then wait").as_deref(), Some("You must:"));
    assert_eq!(before("You must: push; then wait"), None);
}

/// Every sentence of every real file is found where it stands.
#[test]
fn what_is_quoted_is_found_again() {
    let Some(folder) = shared::shared("sites") else {
        return;
    };
    let (mut sentences_seen, mut missed) = (0_usize, Vec::new());
    for path in shared::files_below(&folder) {
        let name = path.to_string_lossy().into_owned();
        let raw = name.contains("/offnav/") || name.contains("/_sources/");
        let format = Format::of_path(name.trim_end_matches(".txt"));
        if !raw || format == Format::Plain {
            continue;
        }
        let Ok(document) = Document::derive(&std::fs::read(&path).unwrap(), format) else {
            continue;
        };
        let index = Index::new(&document);
        for (id, block) in document.blocks.iter().enumerate() {
            for sentence in sentences(&block.prose) {
                sentences_seen += 1;
                let quote = block.prose.quote(&document.text, &sentence);
                let segment = document.segment(id, sentence).unwrap();
                let found = index.find(wanted(&quote));
                let at_home = found.as_ref().is_ok_and(|found| {
                    found.candidates.iter().any(|place| {
                        let first = &place.segments[0];
                        first.start == segment.start
                            && place.segments.last().map(|last| last.end) == Some(segment.end)
                    })
                });
                if !at_home {
                    missed.push(format!("{name}: {quote}"));
                }
            }
        }
    }
    assert!(sentences_seen > 10_000, "only {sentences_seen} sentences were read");
    assert!(
        missed.len() * 1000 < sentences_seen,
        "{} of {sentences_seen} missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

//! Laws of what changes and what does not, on documentation made up of sections and sentences.

use crate::extracting::{cues, project, root, source};
use polc_extraction::assess::Headings;
use polc_extraction::baseline::extract::{Extracted, extract};
use polc_extraction::cues::Cues;
use polc_extraction::documents::ReadSource;
use polc_extraction::drift::{Change, Drift, Fate, Part, Reading, Then, Today, compare};
use polc_extraction::freeze::frozen_row;
use polc_extraction::update::{Earlier, Updated, update};
use polc_records::Digest;
use polc_records::decisions::Decisions;
use polc_records::extraction::ExtractionRow;
use polc_records::ids::{RuleId, Slug};
use polc_records::ledger::{Fate as Outcome, LedgerLine, SentencePart};
use polc_records::locator::{Fidelity, SectionPath};
use polc_records::manifest::{Manifest, Source};
use polc_records::vocabulary::SourceRole;
use polc_text::locate::{Index, Wanted};
use polc_text::normal::normalise;
use polc_text::{Document, Format};
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::LazyLock;

/// A source: its sections, each with the number of its heading and those of its sentences.
type Sections = Vec<(usize, Vec<usize>)>;

const HEADINGS: [&str; 5] = ["Files", "Commits", "Tests", "Style", "Pull requests"];

/// Some differ in a word, some in a mark, some are no obligation; lists and code are among them.
const SENTENCES: [&str; 18] = [
    "Never commit a walrus.",
    "Never commit a walrus or a seal.",
    "Every file must end with a newline.",
    "Every file should end with a newline.",
    "We are happy about every animal.",
    "Add a test for every cage that is mended.",
    "Add a test for every cage that is mended, and run it.",
    "Run `feed --all` before you push.",
    "Use these words:\n\n- a lion\n- a seal\n",
    "Do the following:\n\n1. Feed the lion.\n2. Close the cage.\n",
    "Run this command:\n\n```sh\nfeed the lion\n```\n",
    "Run this command:\n\n```sh\nfeed the seal\n```\n",
    "Don’t wake the keeper, unless it rains.",
    "Don't wake the keeper, unless it rains.",
    "Commit messages must be short. Long ones are cut.",
    "You must not tease the bear. CI rejects it.",
    "Do the following:\n\n1. Feed the lion\n2. Close the cage\n",
    "Do the following:\n\n1. Feed the lion at noon\n2. Close the cage\n",
];

fn sections() -> impl Strategy<Value = Sections> {
    vec((0..HEADINGS.len(), vec(0..SENTENCES.len(), 0..5)), 0..4)
}

fn documentation() -> impl Strategy<Value = Vec<Sections>> {
    vec(sections(), 1..4)
}

fn text(sections: &Sections) -> String {
    let mut text = "# Contributing to the zoo\n".to_owned();
    for (heading, sentences) in sections {
        text.push_str(&format!("\n## {}\n", HEADINGS[*heading]));
        sentences.iter().for_each(|sentence| text.push_str(&format!("\n{}\n", SENTENCES[*sentence])));
    }
    text
}

static CUES: LazyLock<Cues> = LazyLock::new(cues);
static ASSESSED: LazyLock<Headings> = LazyLock::new(|| Headings::load(&root()).unwrap());

/// Documentation with what the engine makes of it.
struct Read {
    manifest: Manifest,
    documents: Vec<Document>,
}

impl Read {
    fn of(documentation: &[Sections]) -> Read {
        let texts: Vec<String> = documentation.iter().map(text).collect();
        let key = |index: usize| format!("page-{index}.md");
        let sources = texts.iter().enumerate().map(|(index, text)| source(&key(index), "contributing", text));
        let sources: Vec<Source> = sources.collect();
        let documents = texts.iter().map(|text| Document::derive(text.as_bytes(), Format::of_path("a.md")));
        Read {
            manifest: Manifest::new(Digest::of("pin"), sources, None),
            documents: documents.collect::<Result<_, _>>().unwrap(),
        }
    }

    fn sources(&self) -> Vec<ReadSource<'_>> {
        let both = self.manifest.sources.iter().zip(&self.documents);
        both.map(|(source, document)| ReadSource { source, document: document.clone() }).collect()
    }

    fn extracted(&self) -> Extracted {
        extract(&CUES, &self.sources()).unwrap()
    }

    fn frozen(&self, extracted: &Extracted) -> Vec<ExtractionRow> {
        let slug: Slug = "zoo".parse().unwrap();
        let url = |key: &str| self.manifest.source(key).unwrap().url.clone();
        let rows = extracted.rows.iter().zip(1..);
        rows.map(|(row, number)| {
            frozen_row(RuleId::new(&slug, number), &row.row, &row.locator, &url(&row.row.source))
        })
        .collect()
    }

    fn today(&self) -> Vec<Today> {
        let today = |read: ReadSource<'_>| Today {
            key: read.source.key.clone(),
            kind: read.source.kind.clone(),
            role: SourceRole::Rules,
            url: read.source.url.clone(),
            same_text_as: None,
            reading: Reading::Read(Box::new(read.document)),
        };
        self.sources().into_iter().map(today).collect()
    }
}

fn drift(then: &Read, rows: &[ExtractionRow], extracted: &Extracted, today: &[Today]) -> Drift {
    let then = Then { project: &project(), manifest: &then.manifest, rows, ledger: &extracted.ledger };
    compare(&CUES, &ASSESSED, then, today).unwrap()
}

fn updated(now: &Read, earlier: &Extracted) -> Updated {
    let decisions = Decisions { project: "zoo".parse().unwrap(), all: Vec::new() };
    let earlier =
        Earlier { rows: &earlier.rows, ledger: &earlier.ledger, decisions: &decisions, by_a_model: false };
    update(&CUES, &now.sources(), earlier, "2026-01-02T03:04:05Z").unwrap()
}

fn holds(document: &Document, quote: &str) -> bool {
    Index::new(document).seek(Wanted { quote, ..Wanted::default() }).is_some()
}

fn folded(text: &str) -> String {
    normalise(text, Fidelity::Folded).text
}

/// A ledger without the rules that its contexts belong to: of equal contexts of one section each names all of them.
fn without_contexts(ledger: &[LedgerLine]) -> Vec<LedgerLine> {
    let mut ledger = ledger.to_vec();
    for line in &mut ledger {
        if let Outcome::Rule { rows, part: SentencePart::Context } = &mut line.outcome {
            rows.clear();
        }
    }
    ledger
}

/// In the order of other numbers.
fn shuffled<T: Clone>(items: &[T], order: &[u8]) -> Vec<T> {
    let mut items: Vec<(u8, T)> = order.iter().copied().cycle().zip(items.iter().cloned()).collect();
    items.sort_by_key(|(place, _)| *place);
    items.into_iter().map(|(_, item)| item).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn beside_what_was_frozen_every_rule_is_the_same(pages in documentation()) {
        let then = Read::of(&pages);
        let extracted = then.extracted();
        let rows = then.frozen(&extracted);
        let drift = drift(&then, &rows, &extracted, &then.today());
        prop_assert_eq!(drift.rules.len(), rows.len());
        for rule in &drift.rules {
            prop_assert_eq!(&rule.fate, &Fate::Same, "{:?}", rule);
        }
        prop_assert_eq!(&drift.sentences, &[]);
        prop_assert_eq!(&drift.sources, &[]);
        prop_assert_eq!((drift.is_change(), drift.is_complete()), (false, true));
    }

    #[test]
    fn the_order_of_rows_and_sources_makes_no_difference(
        pages in (documentation(), documentation()),
        order in vec(any::<u8>(), 1..16),
    ) {
        let (then, now) = (Read::of(&pages.0), Read::of(&pages.1));
        let extracted = then.extracted();
        let rows = then.frozen(&extracted);
        let straight = drift(&then, &rows, &extracted, &now.today());
        let mut other = Read::of(&pages.0);
        other.manifest.sources = shuffled(&other.manifest.sources, &order);
        let ledger = Extracted { ledger: shuffled(&extracted.ledger, &order), ..Extracted::default() };
        let crooked = drift(&other, &shuffled(&rows, &order), &ledger, &shuffled(&now.today(), &order));
        prop_assert_eq!(crooked, straight);
    }

    #[test]
    fn what_is_said_of_a_rule_can_be_looked_up(pages in (documentation(), documentation())) {
        let (then, now) = (Read::of(&pages.0), Read::of(&pages.1));
        let extracted = then.extracted();
        let rows = then.frozen(&extracted);
        let today = now.today();
        let drift = drift(&then, &rows, &extracted, &today);
        prop_assert_eq!(drift.rules.len(), rows.len());
        let fresh = now.extracted();
        let says = |source: Option<&str>, section: &SectionPath, quote: &str| {
            fresh.rows.iter().any(|row| {
                source.is_none_or(|source| row.row.source == source)
                    && row.row.section == *section
                    && folded(&row.row.quote) == folded(quote)
            })
        };
        for rule in &drift.rules {
            let at = rule.then.source.as_str();
            match &rule.fate {
                Fate::Same => prop_assert!(says(Some(at), &rule.then.section, &rule.quote), "{:?}", rule),
                Fate::Moved(place) => {
                    prop_assert!(says(Some(&place.source), &place.section, &rule.quote), "{:?}", rule);
                }
                Fate::Changed(_, Change { part: Part::Context, .. }) => {}
                Fate::Changed(place, Change { passage, .. }) => {
                    prop_assert!(!says(Some(at), &rule.then.section, &rule.quote), "{:?}", rule);
                    let passage = passage.as_deref().unwrap_or_default();
                    let there = now.documents.iter().any(|document| holds(document, passage));
                    prop_assert!(there && folded(passage) != folded(&rule.quote), "{:?} {:?}", rule, place);
                }
                Fate::Gone(_) => {
                    prop_assert!(!says(Some(at), &rule.then.section, &rule.quote), "{:?}", rule);
                }
                Fate::Unknown(why) => prop_assert!(false, "everything was read: {}", why),
            }
        }
        for sentence in &drift.sentences {
            prop_assert!(says(Some(&sentence.place.source), &sentence.place.section, &sentence.quote));
        }
    }

    #[test]
    fn taking_over_to_the_same_sources_changes_nothing(pages in documentation()) {
        let then = Read::of(&pages);
        let extracted = then.extracted();
        let taken = updated(&then, &extracted);
        prop_assert_eq!(&taken.extracted.rows, &extracted.rows);
        prop_assert_eq!(without_contexts(&taken.extracted.ledger), without_contexts(&extracted.ledger));
        prop_assert_eq!(taken.sections[1], 0);
        prop_assert_eq!((taken.kept, taken.moved, taken.new, taken.retired), (extracted.rows.len(), 0, 0, 0));
        prop_assert!(taken.decisions.is_empty() && taken.ids.is_empty() && taken.gone.is_empty());
    }

    #[test]
    fn rows_are_taken_over_once_and_to_the_sources_that_are_there(pages in (documentation(), documentation())) {
        let (then, now) = (Read::of(&pages.0), Read::of(&pages.1));
        let extracted = then.extracted();
        let taken = updated(&now, &extracted);
        let rows = &taken.extracted.rows;
        prop_assert_eq!(taken.kept + taken.moved + taken.retired, extracted.rows.len());
        prop_assert_eq!(taken.kept + taken.moved + taken.new, rows.len());
        let sentences = |ledger: &[LedgerLine]| -> Vec<(String, usize, String)> {
            ledger.iter().map(|line| (line.source.clone(), line.start, line.text.clone())).collect()
        };
        prop_assert_eq!(sentences(&taken.extracted.ledger), sentences(&now.extracted().ledger));
        let again = updated(&now, &taken.extracted);
        prop_assert_eq!(&again.extracted.rows, rows);
        prop_assert_eq!(without_contexts(&again.extracted.ledger), without_contexts(&taken.extracted.ledger));
    }
}

#[test]
fn an_item_that_goes_on_is_another() {
    let (then, now) = (Read::of(&[vec![(0, vec![16])]]), Read::of(&[vec![(0, vec![17])]]));
    let extracted = then.extracted();
    let rows = then.frozen(&extracted);
    let drift = drift(&then, &rows, &extracted, &now.today());
    let fate = |end: &str| {
        let rule = drift.rules.iter().find(|rule| rule.quote.ends_with(end));
        &rule.unwrap_or_else(|| panic!("{:#?}", drift.rules)).fate
    };
    assert!(
        matches!(fate("Feed the lion"), Fate::Changed(_, Change { part: Part::Quote, .. })),
        "{:?}",
        fate("Feed the lion")
    );
    assert_eq!(fate("Close the cage"), &Fate::Same);
    assert_eq!(drift.sentences, []);
}

/// An item that consists of the last words of a sentence is no part of it.
#[test]
fn what_repeats_words_of_a_sentence_makes_it_no_new_one() {
    let then = Read::of(&[vec![(3, vec![1])], vec![(0, vec![1])]]);
    let now = Read::of(&[vec![(3, vec![8, 1])]]);
    let extracted = then.extracted();
    let drift = drift(&then, &then.frozen(&extracted), &extracted, &now.today());
    let fates: Vec<&Fate> = drift.rules.iter().map(|rule| &rule.fate).collect();
    assert!(matches!(fates.as_slice(), [Fate::Same, Fate::Gone(_)]), "{fates:?}");
}

//! How long the quotes of a large corpus take over a whole documentation site: those that stand in it, and
//! those that do not, which are answered with the nearest passage.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use polc_extraction::documents::ReadSource;
use polc_extraction::grounding::{Grounding, Grounds};
use polc_records::extraction::{ExtractionNotes, ExtractionRow, SectionContext};
use polc_records::ids::{RuleId, Slug};
use polc_records::locator::SourceReference;
use polc_records::manifest::Source;
use polc_records::vocabulary::{AppliesTo, Category, Form, ModalLevel};
use polc_testkit::shared::{files_below, shared};
use polc_text::sentence::sentences;
use polc_text::{Document, Format};

/// As many as the released corpus has of rules.
const QUOTES: usize = 1759;

fn main() {
    divan::main();
}

/// The pages of a site of the shared data; none where there is no such data.
fn pages(site: &str) -> Vec<(Source, Document)> {
    let folder = shared(&format!("sites/{site}")).into_iter();
    let pages = folder
        .flat_map(|folder| files_below(&folder))
        .filter(|file| file.extension() == Some("html".as_ref()));
    pages
        .map(|file| {
            let document = Document::derive(&std::fs::read(&file).unwrap(), Format::Html).unwrap();
            let (key, url) = (file.display().to_string(), format!("https://docs.example/{}", file.display()));
            let source = Source::whole(&key, "page", &url, document.snapshot);
            (source, document)
        })
        .collect()
}

/// Sentences of the site as rows, evenly over all pages; of every `one_in` a word is another one.
fn rows(pages: &[(Source, Document)], one_in: usize) -> Vec<ExtractionRow> {
    let slug: Slug = "bench".parse().unwrap();
    let all: Vec<(&Source, &Document, String)> = pages
        .iter()
        .flat_map(|(source, document)| {
            let quotes = document.blocks.iter().flat_map(|block| {
                sentences(&block.prose)
                    .into_iter()
                    .map(|sentence| block.prose.quote(&document.text, &sentence))
            });
            quotes.filter(|quote| quote.split(' ').count() > 4).map(move |quote| (source, document, quote))
        })
        .collect();
    let step = all.len() / QUOTES;
    assert!(step > 0, "the site has {} sentences", all.len());
    let row = |(number, (source, document, quote)): (usize, &(&Source, &Document, String))| {
        let last = quote.rfind(' ').unwrap();
        let missed = number.is_multiple_of(one_in);
        ExtractionRow {
            id: RuleId::new(&slug, u32::try_from(number + 1).unwrap()),
            source: SourceReference { url: source.url.clone(), section: document.sections[0].path.clone() },
            original: if missed { format!("{} zzyzx", &quote[..last]) } else { quote.clone() },
            rule: String::new(),
            modal: ModalLevel::Must,
            applies_to: vec![AppliesTo::Code],
            category: Category::Quality,
            context: SectionContext::Quotes(Vec::new()),
            notes: ExtractionNotes {
                form: Form::Unstated,
                condition: None,
                preceding: None,
                part: None,
                trigger: None,
                remark: None,
            },
        }
    };
    all.iter().step_by(step).take(QUOTES).enumerate().map(row).collect()
}

/// Of every four quotes one is missed, or every one.
#[divan::bench(args = [4, 1], sample_count = 10)]
fn quotes_of_a_site(bencher: divan::Bencher<'_, '_>, one_in: usize) {
    let pages = pages("sklearn-1.9");
    if pages.is_empty() {
        return;
    }
    let rows = rows(&pages, one_in);
    let sources: Vec<ReadSource<'_>> =
        pages.iter().map(|(source, document)| ReadSource { source, document: document.clone() }).collect();
    bencher.bench(|| {
        let grounds = Grounds::new(&sources);
        let stand = rows.iter().filter(|row| matches!(grounds.examine(row), Grounding::Stands(_))).count();
        assert!(stand <= QUOTES - QUOTES / one_in, "{stand}");
        stand
    });
}

/// What comes before: the pages as they are read.
#[divan::bench(sample_count = 10)]
fn pages_of_a_site(bencher: divan::Bencher<'_, '_>) {
    bencher.bench(|| pages("sklearn-1.9").len());
}

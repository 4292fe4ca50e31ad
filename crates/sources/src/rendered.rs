//! Files of the repository that are rendered as pages too: one text, two sources.
//!
//! What a page includes it shows, whatever the directive that does it is called, so the sentences decide and not the
//! markup of a generator.

use polc_records::manifest::{Manifest, Source};
use polc_records::vocabulary::{Inclusion, SourceRole};
use polc_text::Document;
use polc_text::sentence::sentences;
use std::collections::BTreeSet;

/// A text with fewer sentences than this is too short to be taken for another one.
const LEAST_SENTENCES: usize = 3;

/// The share of the sentences of a text that have to be in another one for it to say the same, in percent.
const LEAST_SHARE: usize = 90;

/// A sentence of fewer words says nothing about where it comes from.
const LEAST_WORDS: usize = 4;

/// The words of every sentence of a source, once each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentences(BTreeSet<String>);

/// How much of one text is in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overlap {
    /// How many of its sentences are there.
    pub shared: usize,
    /// How many it has.
    pub of: usize,
}

impl Sentences {
    /// The sentences of a document.
    ///
    /// Words alone are compared: what a generator makes of markup, of references and of quotes differs.
    pub fn of(document: &Document) -> Self {
        let text = |word: &str| -> String { word.chars().filter(|c| c.is_alphanumeric()).collect() };
        let words = |sentence: &str| -> Vec<String> {
            sentence
                .split_whitespace()
                .map(|word| text(word).to_lowercase())
                .filter(|word| !word.is_empty())
                .collect()
        };
        let all = document.blocks.iter().flat_map(|block| {
            let found = sentences(&block.prose).into_iter().map(|range| words(&block.prose.plain[range]));
            found.filter(|words| words.len() >= LEAST_WORDS).map(|words| words.join(" ")).collect::<Vec<_>>()
        });
        Sentences(all.collect())
    }

    /// How much of this text is in another.
    pub fn within(&self, other: &Self) -> Overlap {
        Overlap { shared: self.0.intersection(&other.0).count(), of: self.0.len() }
    }
}

impl Overlap {
    /// Whether the text says nothing of account that the other does not say.
    pub fn is_same(self) -> bool {
        self.of >= LEAST_SENTENCES && self.shared * 100 >= self.of * LEAST_SHARE
    }
}

/// The other source of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SameText {
    /// Which page.
    pub page: usize,
    /// Which of the two is drawn from: the one that holds all of the other.
    pub governs: Governs,
    /// How much of the one that is not drawn from is in the other.
    pub overlap: Overlap,
}

/// Which of two sources of one text is drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Governs {
    /// The page: people read it, and its sections have addresses.
    Page,
    /// The file: the page shows only some of it.
    File,
}

/// The pages that say the same as a file: the one with most in common of those that hold all of it, else every page
/// that shows only some of it.
pub fn renderings(file: &Sentences, pages: &[Sentences]) -> Vec<SameText> {
    let same = |governs, overlap: fn(&Sentences, &Sentences) -> Overlap| {
        let all = pages.iter().enumerate().map(move |(page, sentences)| (page, overlap(file, sentences)));
        let same = all.filter(|(_, overlap)| overlap.is_same());
        same.map(move |(page, overlap)| SameText { page, governs, overlap })
    };
    // The first of equals: pages come in the order of the traversal.
    let holds_all = same(Governs::Page, Sentences::within).rev().max_by_key(|same| same.overlap.shared);
    match holds_all {
        Some(page) => vec![page],
        None => same(Governs::File, |file, page| page.within(file)).collect(),
    }
}

/// Marks every file of a manifest that says the same as a page: rules are drawn from one of the two, and the other names
/// it. Where rules are drawn from one of them only, they are no two sources of rules and stay as they are.
pub fn mark<'d>(
    manifest: Manifest,
    is_page: impl Fn(&Source) -> bool,
    document: impl Fn(&str) -> Option<&'d Document>,
) -> Manifest {
    let Manifest { pin, asked, mut sources, .. } = manifest;
    let of = |source: &Source| Some(Sentences::of(document(&source.key)?));
    let drawn = |page| {
        let wanted = |(_, source): &(usize, &Source)| source.gives_rules() && is_page(source) == page;
        let read =
            sources.iter().enumerate().filter(wanted).filter_map(|(at, source)| Some((at, of(source)?)));
        read.unzip::<usize, Sentences, Vec<_>, Vec<_>>()
    };
    let ((pages, texts), (files, file_texts)) = (drawn(true), drawn(false));
    for (file, text) in files.into_iter().zip(&file_texts) {
        for SameText { page, governs, overlap } in renderings(text, &texts) {
            let (other, drawn_from) = match governs {
                Governs::Page => (file, pages[page]),
                Governs::File => (pages[page], file),
            };
            // A page that includes two files is named by both. One that stands back, nobody names.
            let (key, theirs) = (sources[drawn_from].key.clone(), Some(sources[other].key.clone()));
            let is_named = sources.iter().any(|source| source.same_text_as == theirs);
            if sources[drawn_from].same_text_as.is_none() && sources[other].gives_rules() && !is_named {
                stand_back(&mut sources[other], key, overlap);
            }
        }
    }
    Manifest::new(pin, sources, asked)
}

fn stand_back(source: &mut Source, drawn_from: String, overlap: Overlap) {
    let Overlap { shared, of } = overlap;
    source.role = SourceRole::ContextOnly;
    source.inclusion = Inclusion::Excluded;
    source.in_scope.clear();
    source.out.clear();
    source.reason =
        format!("{shared} of its {of} sentences are in `{drawn_from}`, which rules are drawn from");
    source.same_text_as = Some(drawn_from);
}

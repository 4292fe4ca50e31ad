//! The sources of today, as far as rules may be drawn from them.

use super::{NewSentence, Place, start};
use crate::ExtractionError;
use crate::assess::{Headings, PAGE, sections};
use crate::baseline::extract::{Extracted, extract};
use crate::baseline::units::{Unit, units};
use crate::cues::Cues;
use crate::documents::ReadSource;
use polc_records::ledger::LedgerLine;
use polc_records::locator::{Fidelity, Locator, SectionPath};
use polc_records::manifest::{Manifest, OutSection, Source};
use polc_records::proposal::ProposedRow;
use polc_records::vocabulary::{ExclusionCode, Inclusion, SourceRole};
use polc_text::locate::{Index, Wanted};
use polc_text::normal::normalise;
use polc_text::{BlockKind, Document};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A source of today, or what became of one.
#[derive(Debug, Clone)]
pub struct Today {
    /// Its key, as in the manifest.
    pub key: String,
    /// The kind of file that it is, or [`PAGE`].
    pub kind: String,
    /// The role that its kind has until a person says otherwise.
    pub role: SourceRole,
    /// Where it can be read.
    pub url: String,
    /// The source that says the same today.
    pub same_text_as: Option<String>,
    /// What was read.
    pub reading: Reading,
}

/// What asking for a source came to.
#[derive(Debug, Clone)]
pub enum Reading {
    /// It was read.
    Read(Box<Document>),
    /// Its address leads to the source with this key.
    MovedTo(String),
    /// There is no such source any more, and what says so.
    Gone(String),
    /// It could not be read, and why.
    Unread(String),
}

/// A text as texts are compared here.
pub(super) fn folded(text: &str) -> String {
    normalise(text, Fidelity::Folded).text
}

/// The sentences that were in scope.
pub(super) struct Was {
    by_place: BTreeMap<(String, SectionPath), Vec<String>>,
    by_source: BTreeMap<String, BTreeSet<String>>,
}

impl Was {
    pub(super) fn new(ledger: &[LedgerLine]) -> Self {
        let mut was = Was { by_place: BTreeMap::new(), by_source: BTreeMap::new() };
        for line in ledger {
            let text = folded(&line.text);
            was.by_place.entry((line.source.clone(), line.section.clone())).or_default().push(text.clone());
            was.by_source.entry(line.source.clone()).or_default().insert(text);
        }
        was
    }

    /// Whether a text stood in a section.
    pub(super) fn stood(&self, source: &str, section: &SectionPath, text: &str) -> bool {
        let text = folded(text);
        let lines = self.by_place.get(&(source.to_owned(), section.clone()));
        lines.is_some_and(|lines| lines.iter().any(|line| line.contains(&text)))
    }

    /// The longest sentence of a section that a text, folded, ends with: none where it ends within one.
    pub(super) fn whole_end(&self, source: &str, section: &SectionPath, text: &str) -> Option<&str> {
        let lines = self.by_place.get(&(source.to_owned(), section.clone()))?;
        let ends = lines.iter().map(String::as_str).filter(|line| text.ends_with(line));
        ends.max_by_key(|line| line.len())
    }

    fn knows(&self, source: &str, section: &SectionPath) -> bool {
        self.by_place.contains_key(&(source.to_owned(), section.clone()))
    }

    pub(super) fn of_source(&self, source: &str) -> Option<&BTreeSet<String>> {
        self.by_source.get(source)
    }

    /// The sources that had a sentence.
    pub(super) fn sources_with<'w>(&'w self, text: &'w str) -> impl Iterator<Item = &'w str> {
        self.by_source
            .iter()
            .filter(move |(_, texts)| texts.contains(text))
            .map(|(source, _)| source.as_str())
    }
}

/// Which sections rules may be drawn from today.
pub(super) struct Scope<'s> {
    pub(super) headings: &'s Headings,
    pub(super) manifest: &'s Manifest,
    pub(super) was: &'s Was,
}

impl Scope<'_> {
    /// The sections of a source that the manifest admits, and those that are new and that no heading puts out.
    fn of(&self, today: &Today, document: &Document) -> Vec<SectionPath> {
        let known = self.manifest.source(&today.key).filter(|source| source.snapshot.is_some());
        // A text that stood back for one that does not say the same any more is drawn from again.
        let stands_back = today.same_text_as.is_some();
        let asked = known.is_none_or(|source| {
            source.code == Some(ExclusionCode::Narrative) || (source.same_text_as.is_some() && !stands_back)
        });
        let off_topic = || {
            let title = document.title.clone().map(|title| SectionPath(vec![title]));
            title.is_some_and(|title| self.headings.exclusion(&title).is_some())
        };
        let nothing = match known {
            Some(source) if source.gives_rules() => false,
            _ => !asked || today.role != SourceRole::Rules || (today.kind == PAGE && off_topic()),
        };
        if nothing {
            return Vec::new();
        }
        let admits = |section: &SectionPath| match known.filter(|source| source.gives_rules()) {
            Some(source) if self.was.knows(&today.key, section) => source.admits(section),
            Some(source) if source.out.iter().any(|out| out.section == *section) => false,
            _ => self.headings.exclusion(section).is_none(),
        };
        sections(document).into_iter().filter(admits).collect()
    }
}

/// A source of which only some sections are in scope; none where none is.
pub(crate) fn narrowed(source: &Source, document: &Document, admitted: &[SectionPath]) -> Option<Source> {
    if admitted.is_empty() {
        return None;
    }
    let others = sections(document).into_iter().filter(|section| !admitted.contains(section));
    let out: Vec<OutSection> = others
        .map(|section| OutSection { section, code: ExclusionCode::Narrative, reason: String::new() })
        .collect();
    let inclusion = if out.is_empty() { Inclusion::Full } else { Inclusion::Partial };
    let in_scope = if out.is_empty() { Vec::new() } else { admitted.to_vec() };
    Some(Source {
        snapshot: Some(document.snapshot),
        role: SourceRole::Rules,
        inclusion,
        code: None,
        in_scope,
        out,
        ..source.clone()
    })
}

/// A source that was read, ready for many quotes.
pub(super) struct ReadToday<'r> {
    source: Source,
    same_text_as: Option<&'r str>,
    document: &'r Document,
    index: Index<'r>,
    sentences: Vec<Sentence>,
    texts: BTreeSet<String>,
    /// Where the baseline quotes what, by the quote, folded.
    quotes: BTreeMap<String, Vec<Locator>>,
}

/// A sentence in scope.
pub(super) struct Sentence {
    pub(super) quote: String,
    pub(super) text: String,
    pub(super) place: Place,
    /// Where it stands in the quoting text.
    bytes: Range<usize>,
}

impl ReadToday<'_> {
    pub(super) fn key(&self) -> &str {
        &self.source.key
    }

    pub(super) fn same_text_as(&self) -> Option<&str> {
        self.same_text_as
    }

    pub(super) fn has_section(&self, section: &SectionPath) -> bool {
        self.document.sections.iter().any(|known| known.path == *section)
    }

    /// Whether it says a sentence, folded, in scope.
    pub(super) fn says(&self, text: &str) -> bool {
        self.texts.contains(text)
    }

    pub(super) fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    /// Whether a sentence, folded, ends where a place does: it does not go on there.
    pub(super) fn ends_there(&self, text: &str, section: &SectionPath) -> bool {
        let mut of_section = self.sentences.iter().filter(|sentence| sentence.place.section == *section);
        of_section.any(|sentence| text.ends_with(&sentence.text) || sentence.text.ends_with(text))
    }

    /// Where a quote stands in the sections in scope. What the baseline quotes is there too: a quote of many items
    /// may be put together in a way that is not found by its words.
    pub(super) fn find(&self, wanted: Wanted<'_>) -> Vec<Locator> {
        let found = self.index.seek(wanted).map_or_else(
            || self.quotes.get(&folded(wanted.quote)).cloned().unwrap_or_default(),
            |found| found.candidates,
        );
        let admitted =
            |place: &Locator| place.segments.iter().all(|segment| self.source.admits(&segment.section));
        found.into_iter().filter(admitted).collect()
    }

    pub(super) fn place(&self, locator: &Locator) -> Place {
        let own = locator.segments.last();
        self.at(
            own.map_or_else(SectionPath::default, |own| own.section.clone()),
            own.and_then(|own| own.element.as_deref()),
        )
    }

    fn at(&self, section: SectionPath, element: Option<&str>) -> Place {
        let url = &self.source.url;
        let url = element.map_or_else(|| url.clone(), |element| format!("{url}#{element}"));
        Place { source: self.source.key.clone(), section, url }
    }

    fn sentence(&self, unit: &Unit) -> Sentence {
        let section = self.document.section_of(&self.document.blocks[unit.block]);
        let place = self.at(section.path.clone(), section.anchor.as_deref());
        Sentence {
            quote: unit.quote.clone(),
            text: folded(&unit.quote),
            place,
            bytes: unit.source(self.document),
        }
    }
}

/// Everything that was read of today's sources.
pub(super) struct Read<'r> {
    sources: Vec<ReadToday<'r>>,
    extracted: Extracted,
}

impl<'r> Read<'r> {
    pub(super) fn new(cues: &Cues, today: &[&'r Today], scope: &Scope<'_>) -> Result<Self, ExtractionError> {
        let mut read = Read { sources: Vec::new(), extracted: Extracted::default() };
        for source in today {
            let Reading::Read(document) = &source.reading else { continue };
            let described = Source::whole(&source.key, &source.kind, &source.url, document.snapshot);
            let Some(narrow) = narrowed(&described, document, &scope.of(source, document)) else { continue };
            let sources = [ReadSource { source: &narrow, document: document.as_ref().clone() }];
            let extracted = extract(cues, &sources)?;
            let units = units(&sources[0]);
            let mut quotes: BTreeMap<String, Vec<Locator>> = BTreeMap::new();
            for row in &extracted.rows {
                quotes.entry(folded(&row.row.quote)).or_default().push(row.locator.clone());
            }
            read.extracted.rows.extend(extracted.rows);
            let mut one = ReadToday {
                source: narrow.clone(),
                same_text_as: source.same_text_as.as_deref(),
                document,
                index: Index::new(document),
                sentences: Vec::new(),
                texts: BTreeSet::new(),
                quotes,
            };
            one.sentences = units.iter().map(|unit| one.sentence(unit)).collect();
            one.texts = one.sentences.iter().map(|sentence| sentence.text.clone()).collect();
            read.sources.push(one);
        }
        Ok(read)
    }

    pub(super) fn sources(&self) -> impl Iterator<Item = &ReadToday<'r>> {
        self.sources.iter()
    }

    pub(super) fn source(&self, key: &str) -> Option<&ReadToday<'r>> {
        self.sources.iter().find(|read| read.key() == key)
    }

    /// How many obligations the baseline finds in a source.
    pub(super) fn obligations(&self, key: &str) -> usize {
        self.extracted.rows.iter().filter(|row| row.row.source == key).count()
    }

    /// Whether a quote stands in any source.
    pub(super) fn holds(&self, quote: &str) -> bool {
        let wanted = Wanted { quote, ..Wanted::default() };
        self.sources.iter().any(|read| read.index.seek(wanted).is_some())
    }

    /// What the baseline proposes.
    pub(super) fn proposed(&self) -> Vec<Proposed> {
        let of = |proposed: &ProposedRow| {
            let read = self.source(&proposed.row.source)?;
            let sentence = NewSentence {
                place: read.place(&proposed.locator),
                quote: proposed.row.quote.clone(),
                rule: proposed.row.rule.clone(),
                found_by: proposed.found_by.clone(),
            };
            Some(Proposed {
                sentence,
                start: start(&proposed.locator),
                quoted: read.quoted(&proposed.locator),
                code: read.has_code(&proposed.locator),
            })
        };
        self.extracted.rows.iter().filter_map(of).collect()
    }
}

/// What the baseline proposes of today's sources.
pub(super) struct Proposed {
    pub(super) sentence: NewSentence,
    /// Where it begins.
    pub(super) start: usize,
    /// The sentences that it quotes, folded.
    pub(super) quoted: Vec<String>,
    /// Whether it quotes code that a sentence introduces.
    pub(super) code: bool,
}

impl ReadToday<'_> {
    fn has_code(&self, locator: &Locator) -> bool {
        let blocks = locator.segments.iter().filter_map(|segment| self.document.block_at(segment));
        blocks.into_iter().any(|(_, block, _)| block.kind == BlockKind::Code)
    }

    /// The sentences that a locator covers, folded: by where they stand. The words of an item may be part of another
    /// sentence too.
    fn quoted(&self, locator: &Locator) -> Vec<String> {
        let covers = |bytes: &Range<usize>| {
            locator.segments.iter().any(|segment| segment.start <= bytes.start && bytes.end <= segment.end)
        };
        let covered = self.sentences.iter().filter(|sentence| covers(&sentence.bytes));
        covered.map(|sentence| sentence.text.clone()).collect()
    }
}

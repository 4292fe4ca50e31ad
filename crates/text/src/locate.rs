//! Proving quotes: from a quote to the place in its source, or to the nearest passage.
//!
//! A quote matches where it equals the source after the one normalisation, never fuzzily. It may
//! run over several blocks, be a lead-in and one of its items, or leave something out where it says
//! so (`[...]`); then it has several segments, each matched whole.

mod quote;
mod stream;

pub use self::quote::{ELISION, Readings, pieces};

use self::quote::{ELISION_MARKS, JOIN_MARKS, Reading, elided};
use self::stream::{Placed, Stream, words_of};
use crate::document::{Block, BlockId, BlockKind, Document, fold_space};
use crate::nearest::{Nearest, Passages};
use crate::normal::normalise;
use polc_records::locator::{Fidelity, Locator, SectionPath, Segment};
use std::cell::OnceCell;
use std::ops::Range;

/// How many characters of its block a segment carries before and after itself.
const AROUND: usize = 40;

/// A quote to be found, and what is known of its place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'q> {
    /// The quote.
    pub quote: &'q str,
    /// The section it should stand in.
    pub section: Option<&'q SectionPath>,
    /// Text that stands before it.
    pub after: Option<&'q str>,
    /// Which of several it is, from 0, where nothing else tells.
    pub occurrence: Option<usize>,
}

/// A quote that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Every place, in document order.
    pub candidates: Vec<Locator>,
    /// The one that is meant; none where nothing separates them.
    pub chosen: Option<Chosen>,
}

/// The place that is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    /// Which candidate it is.
    pub index: usize,
    /// What it was told by.
    pub by: ChosenBy,
}

/// What tells which of several places is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChosenBy {
    /// There is no other.
    Only,
    /// The section that was named.
    Section,
    /// The text before it.
    Before,
    /// Its number among them.
    Occurrence,
}

impl Found {
    /// The place that is meant; none where the quote is ambiguous.
    pub fn locator(&self) -> Option<&Locator> {
        self.chosen.and_then(|chosen| self.candidates.get(chosen.index))
    }
}

/// A document made ready for many quotes.
pub struct Index<'d> {
    document: &'d Document,
    exact: OnceCell<Stream>,
    folded: OnceCell<Stream>,
    passages: OnceCell<Passages>,
}

/// A match: the stretches of the stream that the quote covers.
type Stretches = Vec<Range<usize>>;

impl<'d> Index<'d> {
    /// Prepares a document.
    pub fn new(document: &'d Document) -> Self {
        Index { document, exact: OnceCell::new(), folded: OnceCell::new(), passages: OnceCell::new() }
    }

    /// Finds a quote.
    ///
    /// # Errors
    /// The nearest passage, where the quote is not found and any passage shares a word with it.
    pub fn find(&self, wanted: Wanted<'_>) -> Result<Found, Option<Nearest>> {
        self.seek(wanted).ok_or_else(|| self.nearest(wanted.quote))
    }

    /// The passage that resembles a quote most; none where no passage shares a word with it.
    pub fn nearest(&self, quote: &str) -> Option<Nearest> {
        self.passages.get_or_init(|| Passages::of(self.document)).nearest(quote)
    }

    /// Finds a quote, and says nothing of what resembles it.
    pub fn seek(&self, wanted: Wanted<'_>) -> Option<Found> {
        self.seek_read(wanted, &Readings::of(wanted.quote))
    }

    /// As [`Index::seek`], with what the quote may say, for one that is sought in many documents.
    pub fn seek_read(&self, wanted: Wanted<'_>, readings: &Readings<'_>) -> Option<Found> {
        let readings = readings.against(self.document.format);
        let stream = self.stream(Fidelity::Exact);
        let possible: Vec<&Reading> =
            readings.iter().filter(|reading| stream.has_words_of(reading)).collect();
        for fidelity in [Fidelity::Exact, Fidelity::Folded] {
            for reading in &possible {
                let stream = self.stream(fidelity);
                let matches = self.matches(stream, reading, fidelity);
                if !matches.is_empty() {
                    return Some(self.choose(stream, &matches, fidelity, wanted));
                }
            }
        }
        None
    }

    fn stream(&self, fidelity: Fidelity) -> &Stream {
        let cell = match fidelity {
            Fidelity::Exact => &self.exact,
            Fidelity::Folded => &self.folded,
        };
        cell.get_or_init(|| {
            let mut stream = Stream::default();
            for (block, content) in self.document.blocks.iter().enumerate() {
                let normal = normalise(&content.prose.plain, fidelity);
                if normal.text.is_empty() {
                    continue;
                }
                if !stream.text.is_empty() {
                    stream.text.push(' ');
                }
                let start = stream.text.len();
                stream.text.push_str(&normal.text);
                stream.placed.push(Placed { block, start, normal });
            }
            stream.words = words_of(&stream.text).map(str::to_owned).collect();
            stream
        })
    }

    fn matches(&self, stream: &Stream, reading: &Reading, fidelity: Fidelity) -> Vec<Stretches> {
        let whole = match fidelity {
            Fidelity::Exact => &reading.exact,
            Fidelity::Folded => &reading.folded,
        };
        if whole.is_empty() {
            return Vec::new();
        }
        let found: Vec<Stretches> = stream
            .occurrences(whole)
            .into_iter()
            .filter(|range| self.in_one_section(stream, range))
            .map(|range| vec![range])
            .collect();
        if !found.is_empty() {
            return found;
        }
        let text = reading.blocks.join(" ");
        for marks in [ELISION_MARKS, JOIN_MARKS] {
            let pieces: Vec<String> =
                elided(&text, marks).map(|piece| normalise(piece, fidelity).text).collect();
            if pieces.len() > 1 && !pieces.iter().any(String::is_empty) {
                let found = self.chained(stream, |piece| piece.contains(' '), &pieces);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        let led_in = self.with_lead_in(stream, whole);
        if !led_in.is_empty() || reading.blocks.len() < 2 {
            return led_in;
        }
        let blocks: Vec<String> =
            reading.blocks.iter().map(|block| normalise(block, fidelity).text).collect();
        self.chained(stream, |_| false, &blocks)
    }

    fn in_one_section(&self, stream: &Stream, range: &Range<usize>) -> bool {
        let mut sections = stream.blocks_of(range).map(|placed| self.document.blocks[placed.block].section);
        let first = sections.next();
        sections.all(|section| Some(section) == first)
    }

    /// Pieces one after the other within a section: whole blocks, unless a piece may be part of one.
    fn chained(
        &self,
        stream: &Stream,
        may_be_part: impl Fn(&str) -> bool,
        pieces: &[String],
    ) -> Vec<Stretches> {
        let places: Vec<Vec<Range<usize>>> = pieces
            .iter()
            .map(|piece| {
                let mut found = stream.occurrences(piece);
                found.retain(|range| may_be_part(piece) || stream.is_whole_block(range));
                found
            })
            .collect();
        let section = |range: &Range<usize>| {
            stream.blocks_of(range).next().map(|placed| self.document.blocks[placed.block].section)
        };
        let Some((first, rest)) = places.split_first() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for start in first {
            let mut chain = vec![start.clone()];
            for next in rest {
                let at = chain.last().map_or(0, |range| range.end);
                let mut later =
                    next.iter().filter(|range| range.start >= at && section(range) == section(start));
                let nearest = later.clone().next();
                match later.find(|range| stream.is_whole_block(range)).or(nearest) {
                    Some(range) => chain.push(range.clone()),
                    None => break,
                }
            }
            if chain.len() == pieces.len() {
                found.push(chain);
            }
        }
        // Of the chains that end alike only the last start is near its end.
        found.dedup_by(|later, earlier| {
            let same = later[1..] == earlier[1..];
            if same {
                std::mem::swap(later, earlier);
            }
            same
        });
        found
    }

    /// The end of a lead-in, then a later item of its list from the start.
    fn with_lead_in(&self, stream: &Stream, quote: &str) -> Vec<Stretches> {
        let mut found = Vec::new();
        let borders: Vec<usize> = quote.match_indices(' ').map(|(index, _)| index).collect();
        for (id, block) in self.document.blocks.iter().enumerate() {
            if !matches!(block.kind, BlockKind::List { .. }) {
                continue;
            }
            let Some(lead_in) =
                self.document.previous_sibling(id).and_then(|lead_in| stream.placed_block(lead_in))
            else {
                continue;
            };
            for border in
                borders.iter().rev().filter(|border| lead_in.normal.text.ends_with(&quote[..**border]))
            {
                let head = lead_in.end() - border..lead_in.end();
                if !stream.parts_words(&head) {
                    continue;
                }
                let tail = &quote[border + 1..];
                let items = self.document.children(id).filter_map(|(item, _)| {
                    stream
                        .placed
                        .iter()
                        .find(|placed| placed.block > item && self.is_within(placed.block, item))
                });
                for item in items {
                    let range = item.start..item.start + tail.len();
                    if item.normal.text.starts_with(tail) && stream.parts_words(&range) {
                        found.push(vec![head.clone(), range]);
                    }
                }
            }
        }
        found
    }

    fn is_within(&self, block: BlockId, container: BlockId) -> bool {
        self.document.ancestors(block).any(|(id, _)| id == container)
    }

    fn choose(
        &self,
        stream: &Stream,
        matches: &[Stretches],
        fidelity: Fidelity,
        wanted: Wanted<'_>,
    ) -> Found {
        let candidates: Vec<Locator> =
            matches.iter().map(|stretches| self.locator(stream, stretches, fidelity)).collect();
        let mut left: Vec<usize> = (0..candidates.len()).collect();
        let mut by = ChosenBy::Only;
        if let Some(section) = wanted.section {
            let named = |holds: fn(&SectionPath, &SectionPath) -> bool| {
                let within = |index: &usize| {
                    candidates[*index].segments.first().is_some_and(|first| holds(&first.section, section))
                };
                left.iter().copied().filter(within).collect::<Vec<_>>()
            };
            let same = named(SectionPath::eq);
            let within = if same.is_empty() { named(runs_through) } else { same };
            if !within.is_empty() && within.len() < left.len() {
                (left, by) = (within, ChosenBy::Section);
            }
        }
        if let Some(after) = wanted.after
            && left.len() > 1
        {
            let after = normalise(after, fidelity).text;
            let distance = |index: usize| {
                let start = matches[index].first().map_or(0, |range| range.start);
                stream.text[..start].rfind(&after).map(|at| start - at)
            };
            if let Some(least) = left.iter().filter_map(|index| distance(*index)).min() {
                left.retain(|index| distance(*index) == Some(least));
                by = ChosenBy::Before;
            }
        }
        let chosen = match (left.as_slice(), wanted.occurrence) {
            ([only], _) => Some(Chosen { index: *only, by }),
            (several, Some(occurrence)) => {
                several.get(occurrence).map(|index| Chosen { index: *index, by: ChosenBy::Occurrence })
            }
            _ => None,
        };
        Found { candidates, chosen }
    }

    fn locator(&self, stream: &Stream, stretches: &[Range<usize>], fidelity: Fidelity) -> Locator {
        let segments = stretches
            .iter()
            .flat_map(|range| {
                stream.blocks_of(range).filter_map(|placed| {
                    let start = range.start.max(placed.start) - placed.start;
                    let end = range.end.min(placed.end()) - placed.start;
                    (start < end)
                        .then(|| self.document.segment(placed.block, placed.normal.origin(start..end)))?
                })
            })
            .collect();
        Locator {
            snapshot: self.document.snapshot,
            derivation: self.document.format.derivation().to_owned(),
            fidelity,
            segments,
        }
    }
}

/// Whether the headings that were named stand among those above a place, in their order: whoever quotes
/// may leave some out.
fn runs_through(section: &SectionPath, named: &SectionPath) -> bool {
    let mut above = section.0.iter();
    !named.0.is_empty() && named.0.iter().all(|heading| above.any(|other| other == heading))
}

impl Document {
    /// The segment that a range of a block's plain words is.
    pub fn segment(&self, block: BlockId, plain: Range<usize>) -> Option<Segment> {
        let content = &self.blocks[block];
        let source = content.prose.to_source(plain.clone())?;
        let section = self.section_of(content);
        let before = tail(&content.prose.plain[..plain.start], AROUND);
        let after = head(&content.prose.plain[plain.end..], AROUND);
        Some(Segment {
            start: source.start,
            end: source.end,
            section: section.path.clone(),
            element: section.anchor.clone(),
            before: fold_space(before),
            after: fold_space(after),
        })
    }

    /// The source's own text at a locator: segments that follow each other joined by a space, the
    /// others by [`ELISION`].
    pub fn quote(&self, locator: &Locator) -> String {
        let mut quote = String::new();
        let mut last: Option<BlockId> = None;
        for segment in &locator.segments {
            let Some((id, block, plain)) = self.block_at(segment) else {
                continue;
            };
            if let Some(last) = last {
                // Two segments of one block have words between them.
                let follows = id > last
                    && self.blocks[last + 1..id].iter().all(|between| between.prose.plain.trim().is_empty());
                quote.push_str(if follows { " " } else { ELISION });
            }
            quote.push_str(&block.prose.quote(&self.text, &plain));
            last = Some(id);
        }
        quote
    }

    /// The block and the plain words that a segment covers.
    pub fn block_at(&self, segment: &Segment) -> Option<(BlockId, &Block, Range<usize>)> {
        self.blocks.iter().enumerate().find_map(|(id, block)| {
            let first = block.prose.runs.iter().find(|run| run.source.end > segment.start)?;
            let last = block.prose.runs.iter().rev().find(|run| run.source.start < segment.end)?;
            if first.source.start > segment.start || last.source.end < segment.end {
                return None;
            }
            let linear = |run: &crate::document::Run| run.plain.len() == run.source.len();
            let start = if linear(first) {
                first.plain.start + (segment.start - first.source.start)
            } else {
                first.plain.start
            };
            let end =
                if linear(last) { last.plain.end - (last.source.end - segment.end) } else { last.plain.end };
            (start < end).then_some((id, block, start..end))
        })
    }

    /// The clause before a quote that begins mid-sentence: a reviewer has to see it (Table 14).
    /// For an item of a list whose lead-in the quote leaves out, that is the lead-in.
    pub fn preceding_clause(&self, locator: &Locator) -> Option<String> {
        let (id, block, plain) = self.block_at(locator.segments.first()?)?;
        let sentence = crate::sentence::sentences(&block.prose)
            .into_iter()
            .find(|sentence| sentence.start <= plain.start && plain.start < sentence.end)?;
        if sentence.start < plain.start {
            let before = block.prose.quote(&self.text, &(sentence.start..plain.start));
            return Some(before).filter(|before| before.chars().any(char::is_alphanumeric));
        }
        let begins_the_item =
            sentence.start == block.prose.plain.len() - block.prose.plain.trim_start().len();
        let lead_in = self.lead_in(id).filter(|_| begins_the_item)?;
        Some(fold_space(
            &self.blocks[lead_in].prose.quote(&self.text, &(0..self.blocks[lead_in].prose.plain.len())),
        ))
    }

    /// The block that introduces the list whose item this block begins, where it ends with a colon
    /// or an unfinished sentence.
    pub fn lead_in(&self, id: BlockId) -> Option<BlockId> {
        let item = self.blocks[id].parent?;
        if !matches!(self.blocks[item].kind, BlockKind::Item { .. }) || self.children(item).next()?.0 != id {
            return None;
        }
        let list = self.blocks[item].parent?;
        let lead_in = self.previous_sibling(list)?;
        let words = self.blocks[lead_in].prose.plain.trim_end();
        (!words.is_empty()
            && words.ends_with([':', ','])
            && self.blocks[lead_in].kind == BlockKind::Paragraph)
            .then_some(lead_in)
    }
}

fn tail(text: &str, characters: usize) -> &str {
    let start = text.char_indices().rev().take(characters).last().map_or(text.len(), |(index, _)| index);
    &text[start..]
}

fn head(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(index, _)| &text[..index])
}

//! Proving quotes: from a quote to the place in its source, or to the nearest passage.
//!
//! A quote matches where it equals the source after the one normalisation, never fuzzily. It may
//! run over several blocks, be a lead-in and one of its items, or leave something out where it says
//! so (`[...]`); then it has several segments, each matched whole.

use crate::document::{Block, BlockId, BlockKind, Document, Format, fold_space};
use crate::nearest::{Nearest, nearest};
use crate::normal::{Normal, normalise};
use polc_records::locator::{Fidelity, Locator, SectionPath, Segment};
use std::cell::OnceCell;
use std::ops::Range;

/// What stands in a quote between segments that do not follow each other.
pub const ELISION: &str = " [...] ";

/// Ways in which an elision is written.
const ELISION_MARKS: &[&str] = &["[...]", "[…]", "(...)", "(…)", " ... ", " … "];

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
    pub chosen: Option<usize>,
}

impl Found {
    /// The place that is meant; none where the quote is ambiguous.
    pub fn locator(&self) -> Option<&Locator> {
        self.chosen.and_then(|index| self.candidates.get(index))
    }
}

/// A document made ready for many quotes.
pub struct Index<'d> {
    document: &'d Document,
    exact: OnceCell<Stream>,
    folded: OnceCell<Stream>,
}

/// All words of a document in one text, blocks parted by a space.
struct Stream {
    text: String,
    placed: Vec<Placed>,
}

struct Placed {
    block: BlockId,
    start: usize,
    normal: Normal,
}

impl Placed {
    fn end(&self) -> usize {
        self.start + self.normal.text.len()
    }
}

/// A match: the stretches of the stream that the quote covers.
type Stretches = Vec<Range<usize>>;

impl<'d> Index<'d> {
    /// Prepares a document.
    pub fn new(document: &'d Document) -> Self {
        Index { document, exact: OnceCell::new(), folded: OnceCell::new() }
    }

    /// Finds a quote.
    ///
    /// # Errors
    /// The nearest passage, where the quote is not found and any passage shares a word with it.
    pub fn find(&self, wanted: Wanted<'_>) -> Result<Found, Option<Nearest>> {
        self.seek(wanted).ok_or_else(|| nearest(self.document, wanted.quote))
    }

    /// Finds a quote, and says nothing of what resembles it.
    pub fn seek(&self, wanted: Wanted<'_>) -> Option<Found> {
        let mut readings = vec![wanted.quote.to_owned()];
        for words in [self.unmarked(wanted.quote), self.words(wanted.quote)] {
            if readings.iter().all(|reading| fold_space(&words) != fold_space(reading)) {
                readings.push(words);
            }
        }
        for fidelity in [Fidelity::Exact, Fidelity::Folded] {
            for reading in &readings {
                let stream = self.stream(fidelity);
                let matches = self.matches(stream, reading, fidelity);
                if !matches.is_empty() {
                    return Some(self.choose(stream, &matches, fidelity, wanted));
                }
            }
        }
        None
    }

    /// What a quote says that has the marks of code spans and no others, as ours have.
    fn unmarked(&self, quote: &str) -> String {
        match self.document.format {
            Format::Markdown => crate::markdown::unmarked(quote),
            Format::RestructuredText => crate::rst::unmarked(quote),
            Format::Yaml | Format::Plain | Format::Html => quote.to_owned(),
        }
    }

    /// What a quote says when all marks of the source's format are parsed away.
    fn words(&self, quote: &str) -> String {
        match self.document.format {
            Format::Markdown => crate::markdown::inline_words(quote),
            Format::RestructuredText => crate::rst::inline_words(quote),
            Format::Yaml | Format::Plain | Format::Html => quote.to_owned(),
        }
    }

    fn stream(&self, fidelity: Fidelity) -> &Stream {
        let cell = match fidelity {
            Fidelity::Exact => &self.exact,
            Fidelity::Folded => &self.folded,
        };
        cell.get_or_init(|| {
            let mut stream = Stream { text: String::new(), placed: Vec::new() };
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
            stream
        })
    }

    fn matches(&self, stream: &Stream, quote: &str, fidelity: Fidelity) -> Vec<Stretches> {
        let whole = normalise(quote, fidelity).text;
        if whole.is_empty() {
            return Vec::new();
        }
        let found: Vec<Stretches> = stream
            .occurrences(&whole)
            .into_iter()
            .filter(|range| self.in_one_section(stream, range))
            .map(|range| vec![range])
            .collect();
        if !found.is_empty() {
            return found;
        }
        let pieces: Vec<String> = elided(quote).map(|piece| normalise(piece, fidelity).text).collect();
        if pieces.len() > 1 {
            return if pieces.iter().any(String::is_empty) {
                Vec::new()
            } else {
                self.chained(stream, &pieces)
            };
        }
        self.with_lead_in(stream, &whole)
    }

    fn in_one_section(&self, stream: &Stream, range: &Range<usize>) -> bool {
        let mut sections = stream.blocks_of(range).map(|placed| self.document.blocks[placed.block].section);
        let first = sections.next();
        sections.all(|section| Some(section) == first)
    }

    /// Pieces one after the other within a section.
    fn chained(&self, stream: &Stream, pieces: &[String]) -> Vec<Stretches> {
        let places: Vec<Vec<Range<usize>>> = pieces
            .iter()
            .map(|piece| {
                let short = !piece.contains(' ');
                let mut found = stream.occurrences(piece);
                found.retain(|range| !short || stream.is_whole_block(range));
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
        if let Some(section) = wanted.section {
            let within = |index: &usize| {
                candidates[*index].segments.first().is_some_and(|first| first.section == *section)
            };
            if left.iter().any(within) {
                left.retain(within);
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
            }
        }
        let chosen = match (left.as_slice(), wanted.occurrence) {
            ([only], _) => Some(*only),
            (several, Some(occurrence)) => several.get(occurrence).copied(),
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

impl Stream {
    /// Where a text stands, not cutting words.
    fn occurrences(&self, needle: &str) -> Vec<Range<usize>> {
        self.text
            .match_indices(needle)
            .map(|(at, _)| at..at + needle.len())
            .filter(|range| self.parts_words(range))
            .collect()
    }

    /// Whether neither end of a range cuts a word.
    fn parts_words(&self, range: &Range<usize>) -> bool {
        let text = &self.text;
        let cuts = |before: &str, after: &str| {
            before.ends_with(|c: char| c.is_alphanumeric())
                && after.starts_with(|c: char| c.is_alphanumeric())
        };
        !cuts(&text[..range.start], &text[range.start..]) && !cuts(&text[..range.end], &text[range.end..])
    }

    fn blocks_of(&self, range: &Range<usize>) -> impl Iterator<Item = &Placed> {
        let first = self.placed.partition_point(|placed| placed.end() <= range.start);
        let end = range.end;
        self.placed[first..].iter().take_while(move |placed| placed.start < end)
    }

    fn placed_block(&self, block: BlockId) -> Option<&Placed> {
        let at = self.placed.partition_point(|placed| placed.block < block);
        self.placed.get(at).filter(|placed| placed.block == block)
    }

    fn is_whole_block(&self, range: &Range<usize>) -> bool {
        let trim = |text: &str| text.trim_end_matches(['.', ',', ';', ':']).len();
        self.blocks_of(range).any(|placed| {
            placed.start == range.start && trim(&self.text[range.clone()]) == trim(&placed.normal.text)
        })
    }
}

/// The pieces between elision marks.
fn elided(quote: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(quote);
    std::iter::from_fn(move || {
        let text = rest?;
        let mark = ELISION_MARKS.iter().filter_map(|mark| Some((text.find(mark)?, mark.len()))).min();
        match mark {
            Some((at, length)) => {
                rest = Some(&text[at + length..]);
                Some(&text[..at])
            }
            None => {
                rest = None;
                Some(text)
            }
        }
    })
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
                let follows =
                    self.blocks[last + 1..id].iter().all(|between| between.prose.plain.trim().is_empty());
                quote.push_str(if id > last && follows { " " } else { ELISION });
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

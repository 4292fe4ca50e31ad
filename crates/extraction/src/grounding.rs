//! Grounding: every quote of a row in the snapshots, never fuzzily (invariant 5).

use crate::documents::ReadSource;
use polc_records::extraction::ExtractionRow;
use polc_records::locator::{Fidelity, Locator, SourceReference};
use polc_records::proposal::{ContextQuote, Row};
use polc_text::locate::{Index, Wanted};
use polc_text::nearest::{Nearest, nearest};

/// The retrieved sources, made ready for many quotes.
pub struct Grounds<'s> {
    sources: Vec<(&'s ReadSource<'s>, Index<'s>)>,
}

impl<'s> Grounds<'s> {
    /// Prepares every retrieved source: rules are quoted from those that the manifest admits, context
    /// from any.
    pub fn new(sources: &'s [ReadSource<'s>]) -> Self {
        Grounds { sources: sources.iter().map(|read| (read, Index::new(&read.document))).collect() }
    }

    /// The source with a key.
    pub fn source(&self, key: &str) -> Option<&'s ReadSource<'s>> {
        self.sources.iter().map(|(read, _)| *read).find(|read| read.source.key == key)
    }

    /// Where a row's quote stands: where it was recorded, if the snapshot says there what the row
    /// quotes, else where it is found. Its context quotes have to stand somewhere too.
    ///
    /// # Errors
    /// In words: not found, with the nearest passage as a difference; ambiguous; not admitted.
    pub fn prove(&self, row: &Row, recorded: Option<&Locator>) -> Result<Locator, String> {
        let Some((read, index)) = self.sources.iter().find(|(read, _)| read.source.key == row.source) else {
            return Err(format!("`{}` is no source that was retrieved", row.source));
        };
        let document = &read.document;
        let stands = |place: &&Locator| {
            place.snapshot == document.snapshot
                && place.derivation == document.format.derivation()
                && document.quote(place) == row.quote
        };
        let locator = match recorded.filter(stands) {
            Some(place) => place.clone(),
            None => locate(index, row)?,
        };
        admitted(read, &locator, &row.quote)?;
        self.prove_context(&row.context)?;
        Ok(locator)
    }

    /// Whether the source at an address was retrieved.
    pub fn hold(&self, source: &SourceReference) -> bool {
        self.at(source).is_some()
    }

    fn at(&self, source: &SourceReference) -> Option<&(&'s ReadSource<'s>, Index<'s>)> {
        self.sources.iter().find(|(read, _)| read.source.url == page(source))
    }

    /// How the quote of a frozen row is found in the source that its address names.
    ///
    /// # Errors
    /// As [`Grounds::prove`].
    pub fn prove_frozen(&self, row: &ExtractionRow) -> Result<Fidelity, String> {
        let url = page(&row.source);
        let Some((read, index)) = self.at(&row.source) else {
            return Err(format!("`{url}` is no source that was retrieved"));
        };
        let wanted = Wanted { quote: &row.original, section: Some(&row.source.section), ..Wanted::default() };
        let found =
            index.find(wanted).map_err(|nearest| not_found(&format!("`{url}`"), &row.original, nearest))?;
        let mut refusal = None;
        let place = found.candidates.iter().find(|place| match admitted(read, place, &row.original) {
            Ok(()) => true,
            Err(message) => {
                refusal.get_or_insert(message);
                false
            }
        });
        let fidelity = place.map(|place| place.fidelity).ok_or(refusal.unwrap_or_default())?;
        self.prove_context(row.context.quotes())?;
        Ok(fidelity)
    }

    fn prove_context(&self, context: &[ContextQuote]) -> Result<(), String> {
        for context in context {
            let wanted = Wanted { quote: &context.quote, ..Wanted::default() };
            if self.sources.iter().any(|(_, index)| index.seek(wanted).is_some()) {
                continue;
            }
            let passages =
                self.sources.iter().filter_map(|(read, _)| nearest(&read.document, &context.quote));
            let closest = passages.reduce(|best, next| if next.ratio > best.ratio { next } else { best });
            return Err(not_found("any retrieved source", &context.quote, closest));
        }
        Ok(())
    }
}

/// The address without the place on the page.
fn page(source: &SourceReference) -> &str {
    source.url.split('#').next().unwrap_or_default()
}

fn locate(index: &Index<'_>, row: &Row) -> Result<Locator, String> {
    let wanted = Wanted {
        quote: &row.quote,
        section: Some(&row.section),
        after: row.preceding.as_deref(),
        occurrence: Some(row.occurrence as usize),
    };
    let found =
        index.find(wanted).map_err(|nearest| not_found(&format!("`{}`", row.source), &row.quote, nearest))?;
    found.locator().cloned().ok_or_else(|| {
        format!("the quote stands {} times in `{}`: {}", found.candidates.len(), row.source, row.quote)
    })
}

fn admitted(read: &ReadSource<'_>, locator: &Locator, quote: &str) -> Result<(), String> {
    match locator.segments.iter().find(|segment| !read.source.admits(&segment.section)) {
        Some(segment) => Err(format!(
            "the quote stands in the section `{}` of `{}`, which the manifest does not admit: {quote}",
            segment.section, read.source.key
        )),
        None => Ok(()),
    }
}

fn not_found(source: &str, quote: &str, nearest: Option<Nearest>) -> String {
    let nearest = nearest.map_or("no passage shares a word with it".to_owned(), |nearest| {
        format!("nearest passage, in `{}`: {nearest}", nearest.section)
    });
    format!("the quote is not in {source}: {quote}\n  {nearest}")
}

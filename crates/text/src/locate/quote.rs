//! What a quote says: in which ways its words may be read, and where it leaves something out.

use crate::document::{Document, Format, fold_space};
use crate::normal::normalise;
use polc_records::locator::Fidelity;
use std::cell::OnceCell;

/// What stands in a quote between segments that do not follow each other.
pub const ELISION: &str = " [...] ";

/// Ways in which an elision is written.
pub(super) const ELISION_MARKS: &[&str] = &["[...]", "[…]", "(...)", "(…)", " ... ", " … "];

/// The same, with the way in which a join of fragments is written: a mark that is often text.
pub(super) const JOIN_MARKS: &[&str] = &["[...]", "[…]", "(...)", "(…)", " ... ", " … ", " / "];

/// What a quote may say: its words as they stand, and without the marks of the format that it is
/// written in. That is the format of its source; a page may be quoted from the text it was made of.
pub struct Readings<'q> {
    quote: &'q str,
    plain: OnceCell<Vec<Reading>>,
    markdown: OnceCell<Vec<Reading>>,
    rst: OnceCell<Vec<Reading>>,
    html: OnceCell<Vec<Reading>>,
}

/// One of them, normalised.
pub(super) struct Reading {
    /// Its blocks: one, where the quote is not parsed.
    pub(super) blocks: Vec<String>,
    pub(super) exact: String,
    pub(super) folded: String,
}

impl<'q> Readings<'q> {
    /// Those of a quote.
    pub fn of(quote: &'q str) -> Self {
        let cell = OnceCell::new;
        Readings { quote, plain: cell(), markdown: cell(), rst: cell(), html: cell() }
    }

    /// Those that count against a source of a format.
    pub(super) fn against(&self, format: Format) -> &[Reading] {
        let (quote, markdown, rst) = (self.quote, Format::Markdown, Format::RestructuredText);
        let cell = match format {
            Format::Markdown => &self.markdown,
            Format::RestructuredText => &self.rst,
            Format::Html => &self.html,
            Format::Yaml | Format::Plain => &self.plain,
        };
        cell.get_or_init(|| {
            let parsed = match format {
                Format::Markdown => {
                    let mut readings = vec![
                        vec![crate::markdown::unmarked(quote)],
                        vec![crate::markdown::inline_words(quote)],
                        blocks(quote, markdown),
                    ];
                    // A list whose lines were joined to one.
                    if quote.contains(": - ") {
                        readings.push(blocks(&quote.replace(": - ", ":\n\n- "), markdown));
                    }
                    readings
                }
                Format::RestructuredText => vec![
                    vec![crate::rst::unmarked(quote)],
                    vec![crate::rst::inline_words(quote)],
                    blocks(quote, rst),
                ],
                Format::Html => {
                    vec![blocks(quote, markdown), blocks(&crate::rst::with_roles_shown(quote), rst)]
                }
                Format::Yaml | Format::Plain => Vec::new(),
            };
            let mut readings: Vec<Reading> = Vec::new();
            for blocks in std::iter::once(vec![quote.to_owned()]).chain(parsed) {
                let text = blocks.join(" ");
                let exact = normalise(&text, Fidelity::Exact).text;
                let known = readings.iter().position(|reading| reading.exact == exact);
                match known.map(|at| &mut readings[at]) {
                    Some(known) if known.blocks.len() < blocks.len() => known.blocks = blocks,
                    Some(_) => {}
                    None => {
                        let folded = normalise(&text, Fidelity::Folded).text;
                        readings.push(Reading { blocks, exact, folded });
                    }
                }
            }
            readings
        })
    }
}

/// The words of each block of a quote that is written in a format.
fn blocks(quote: &str, format: Format) -> Vec<String> {
    let blocks = Document::derive(quote.as_bytes(), format).map(|document| document.blocks);
    let words = blocks.into_iter().flatten().map(|block| block.prose.plain);
    words.filter(|words| !words.trim().is_empty()).collect()
}

/// The sentences and lines that a quote is made of, parted also where an elision or a join is written.
pub fn pieces(quote: &str) -> Vec<String> {
    let parts =
        elided(quote, JOIN_MARKS).flat_map(|part| Document::derive(part.as_bytes(), Format::Markdown));
    let mut pieces = Vec::new();
    for block in parts.flat_map(|part| part.blocks) {
        for sentence in crate::sentence::sentences(&block.prose) {
            pieces.push(fold_space(&block.prose.plain[sentence]));
        }
    }
    pieces
}

/// The pieces between marks.
pub(super) fn elided<'q>(quote: &'q str, marks: &'static [&str]) -> impl Iterator<Item = &'q str> {
    let mut rest = Some(quote);
    std::iter::from_fn(move || {
        let text = rest?;
        let mark = marks.iter().filter_map(|mark| Some((text.find(mark)?, mark.len()))).min();
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

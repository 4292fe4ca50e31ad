//! Where a quote stands: sections, segments, locators.

use crate::digest::Digest;
use crate::notes::{escape, split_escaped};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The headings above a position, outermost first. Empty for text before the first heading.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SectionPath(pub Vec<String>);

/// How the empty path is written where people read it.
const TOP: &str = "(top of file)";

impl SectionPath {
    /// The innermost heading.
    pub fn heading(&self) -> Option<&str> {
        self.0.last().map(String::as_str)
    }
}

impl fmt::Display for SectionPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return out.write_str(TOP);
        }
        let escaped: Vec<String> = self.0.iter().map(|heading| escape(heading)).collect();
        out.write_str(&escaped.join(" | "))
    }
}

/// How a quote was found (see `sources.md`, "Text and quotes", in words: `docs/reference.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fidelity {
    /// Equal after Unicode NFC, white space folded, invisible characters dropped.
    Exact,
    /// Equal only with quotation marks, dashes and the ellipsis folded as well.
    Folded,
}

/// One unbroken stretch of a source's quoting text. Offsets are bytes of UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The headings above it.
    pub section: SectionPath,
    /// The nearest id that a link can point to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// The text just before, in its block.
    pub before: String,
    /// The text just after, in its block.
    pub after: String,
}

/// Where a quote stands in one snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locator {
    /// The bytes that were read.
    pub snapshot: Digest,
    /// Format and version of the function that made the quoting text, as in `markdown/1`.
    pub derivation: String,
    /// How the quote was found.
    pub fidelity: Fidelity,
    /// The stretches, in the order of the quote. Never empty.
    pub segments: Vec<Segment>,
}

/// The `Source` column: an address first, then the section.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceReference {
    /// Where the source can be read.
    pub url: String,
    /// The section in it.
    pub section: SectionPath,
}

impl fmt::Display for SourceReference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} | {}", escape(&self.url), self.section)
    }
}

impl std::str::FromStr for SourceReference {
    type Err = crate::problem::Malformed;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let malformed = || crate::problem::Malformed {
            what: "source",
            value: text.to_owned(),
            why: "expected `<URL> | <Section>[ | <Subsection>]`, the address first",
        };
        let mut parts = split_escaped(text).into_iter();
        let url = parts.next().filter(|url| !url.is_empty()).ok_or_else(malformed)?;
        let headings: Vec<String> = parts.collect();
        match headings.as_slice() {
            [] => Err(malformed()),
            [only] if only == TOP => Ok(SourceReference { url, section: SectionPath::default() }),
            _ => Ok(SourceReference { url, section: SectionPath(headings) }),
        }
    }
}

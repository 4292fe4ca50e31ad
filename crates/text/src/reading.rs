//! A rendered page as Markdown, for a person or a model to read.
//!
//! What is text is decided once, for the quoting text and for this. Here the content is first written
//! down as plain HTML (`plain`): what Markdown has no word for (definition lists, tabs, folded parts,
//! notes, cells with blocks) becomes what it has one for. `htmd` lays that out, with handlers of ours
//! where Markdown is particular (`markup`).

mod markup;
mod plain;

use crate::document::{Document, Format, NotText};
use crate::dom::Page;
use crate::page::{Content, PageParts};
use polc_records::locator::SectionPath;

/// Name and version of the function that makes the Markdown of a page: a change of what it returns for
/// any input is a new version.
pub const DERIVATION: &str = "reading/1";

/// The Markdown of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    document: Document,
}

impl Reading {
    /// Makes the Markdown from the bytes of a page.
    ///
    /// # Errors
    /// Where the bytes are not UTF-8, as for the quoting text.
    pub fn derive(bytes: &[u8]) -> Result<Self, NotText> {
        let text = std::str::from_utf8(bytes).map_err(|error| NotText { offset: error.valid_up_to() })?;
        Ok(Reading::of_page(text, &PageParts::default()))
    }

    /// Makes the Markdown from the text of a page, decoded already. Whatever the text, there is one.
    pub fn of_page(html: &str, parts: &PageParts) -> Self {
        let page = Page::parse(html);
        let markdown = markup::markdown(&plain::html(&Content::of(&page, parts)));
        Reading { document: Document::of_text(&markdown, Format::Markdown) }
    }

    /// The whole of it.
    pub fn markdown(&self) -> &str {
        &self.document.text
    }

    /// The sections in order, under the paths that they have in the quoting text of the page. The first
    /// is what stands before any heading; it may be empty.
    pub fn sections(&self) -> impl Iterator<Item = (&SectionPath, &str)> {
        self.document
            .sections
            .iter()
            .map(|section| (&section.path, &self.document.text[section.range.clone()]))
    }

    /// The Markdown as a document, in which quotes can be found.
    pub fn document(&self) -> &Document {
        &self.document
    }
}

//! Where the content of a page stands, and what in it is text.

use super::tabs::Tabs;
use crate::document::fold_space;
use crate::dom::{Element, Page, Piece, Selector};

/// Which parts of a page are its content, and which are no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageParts {
    /// Selectors of the content, the best one first; without a match the whole body is content.
    pub content: Vec<Selector>,
    /// Selectors of what is no text.
    pub apart: Vec<Selector>,
}

impl Default for PageParts {
    fn default() -> Self {
        let list =
            |selectors: &[&str]| selectors.iter().filter_map(|selector| selector.parse().ok()).collect();
        PageParts { content: list(CONTENT), apart: list(APART) }
    }
}

/// Where the text of a page stands, whatever made the page.
const CONTENT: &[&str] = &[
    "[itemprop=articleBody]",
    "#yui-main",
    "[role=main] article",
    "article[role=main]",
    "[role=main]",
    "main article",
    "main",
    "article",
];

/// What is no text, whatever made the page.
const APART: &[&str] = &[
    "script",
    "style",
    "template",
    "noscript",
    "nav",
    "footer",
    "button",
    "svg",
    "iframe",
    "[role=navigation]",
    "[role=search]",
    "a.headerlink",
    "a.hash-link",
    ".linenos",
    ".linenodiv",
    ".copybtn",
    ".related",
    ".toc-drawer",
    ".prev-next-area",
    ".bd-sidebar-secondary",
    ".md-source-file",
    ".md-content__button",
    ".viewcode-link",
    ".btn-copybutton",
];

/// The content of a page, where it has one of its own.
pub fn content<'p>(page: &'p Page, parts: &PageParts) -> Option<Element<'p>> {
    parts.content.iter().find_map(|selector| page.elements().find(|element| selector.matches(*element)))
}

/// The content of one page: the quoting text and the reading Markdown are both made from it.
pub(crate) struct Content<'p> {
    /// The element that holds it.
    pub(crate) root: Element<'p>,
    apart: &'p [Selector],
    tabs: Tabs,
}

impl<'p> Content<'p> {
    pub(crate) fn of(page: &'p Page, parts: &'p PageParts) -> Self {
        let root =
            content(page, parts).or_else(|| page.named("body").next()).unwrap_or_else(|| page.outermost());
        Content { root, apart: &parts.apart, tabs: Tabs::of(page) }
    }

    /// Whether an element is text, unless what it stands in is none.
    pub(crate) fn shows(&self, element: Element<'_>) -> bool {
        let hidden = element.attribute("hidden").is_some() && self.tab(element).is_none();
        !hidden
            && !is_permalink(element)
            && !self.tabs.is_label(element)
            && !self.apart.iter().any(|selector| selector.matches(element))
    }

    /// The label of one of several alternatives.
    pub(crate) fn tab(&self, element: Element<'_>) -> Option<&str> {
        self.tabs.label(element)
    }

    /// The text in an element as it stands, with the line breaks of preformatted text.
    pub(crate) fn literal(&self, top: Element<'_>) -> String {
        let mut text = String::new();
        let mut open: Vec<Step<'_>> = top.children().rev().map(Step::Piece).collect();
        while let Some(step) = open.pop() {
            match step {
                Step::Piece(Piece::Text(words)) => text.push_str(words),
                Step::Piece(Piece::Element(element)) if self.shows(element) => match element.name() {
                    "br" => text.push('\n'),
                    "div" | "li" | "p" | "tr" => {
                        end_line(&mut text);
                        open.push(Step::EndLine);
                        open.extend(element.children().rev().map(Step::Piece));
                    }
                    _ => open.extend(element.children().rev().map(Step::Piece)),
                },
                Step::Piece(Piece::Element(_) | Piece::Comment(_)) => {}
                Step::EndLine => end_line(&mut text),
            }
        }
        text
    }

    /// The words in an element.
    pub(crate) fn words(&self, element: Element<'_>) -> String {
        fold_space(&self.literal(element))
    }
}

enum Step<'p> {
    Piece(Piece<'p>),
    EndLine,
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// Whether a link only marks the place that it stands at.
fn is_permalink(element: Element<'_>) -> bool {
    let here = element.name() == "a" && element.attribute("href").is_some_and(|href| href.starts_with('#'));
    here && matches!(element.text().trim(), "¶" | "#" | "§" | "🔗" | "\u{f0c1}" | "")
}

/// The elements that stand directly in one.
pub(crate) fn elements(element: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    element.children().filter_map(as_element)
}

/// The elements in one, at any depth.
pub(crate) fn elements_below(element: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    element.pieces().filter_map(as_element)
}

pub(crate) fn as_element(piece: Piece<'_>) -> Option<Element<'_>> {
    match piece {
        Piece::Element(element) => Some(element),
        Piece::Text(_) | Piece::Comment(_) => None,
    }
}

/// Elements that are stretches of a sentence, unless they hold blocks.
const INLINE: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font",
    "i", "img", "input", "ins", "kbd", "label", "mark", "nobr", "picture", "q", "ruby", "s", "samp", "small",
    "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
];

/// Elements that are in a sentence without a word of it.
const WORDLESS: &[&str] =
    &["br", "button", "noscript", "path", "script", "source", "style", "svg", "template", "wbr"];

/// Whether an element is a stretch of a sentence.
pub(crate) fn is_inline(element: Element<'_>) -> bool {
    INLINE.contains(&element.name()) && !has_blocks(element)
}

/// Whether blocks stand in an element.
pub(crate) fn has_blocks(element: Element<'_>) -> bool {
    elements_below(element).any(|inner| {
        let name = inner.name();
        !INLINE.contains(&name) && !WORDLESS.contains(&name)
    })
}

/// Whether an element is a code span.
pub(crate) fn is_code(element: Element<'_>) -> bool {
    matches!(element.name(), "code" | "kbd" | "samp" | "tt") && !has_blocks(element)
}

/// The state of an item's check box, where it begins with one.
pub(crate) fn task(item: Element<'_>) -> Option<bool> {
    let first = item.pieces().find(|piece| match piece {
        Piece::Text(text) => !text.trim().is_empty(),
        Piece::Element(element) => element.name() == "input",
        Piece::Comment(_) => false,
    });
    let first = first.and_then(as_element)?;
    (first.attribute("type") == Some("checkbox")).then(|| first.attribute("checked").is_some())
}

/// Whether a row of a table is its heading.
pub(crate) fn is_header(row: Element<'_>) -> bool {
    row.parent().is_some_and(|parent| parent.name() == "thead")
        || elements(row).all(|cell| cell.name() == "th")
}

/// Kinds of notes, by the class that a page gives them.
const NOTES: &[&str] = &[
    "attention",
    "caution",
    "danger",
    "error",
    "hint",
    "important",
    "note",
    "seealso",
    "tip",
    "warning",
    "info",
    "success",
    "question",
    "example",
    "quote",
    "abstract",
    "bug",
    "failure",
];

/// Notes on the version that something is true of, which say so in their own words.
const VERSIONS: &[&str] = &["versionadded", "versionchanged", "versionremoved", "deprecated"];

/// The kind of a note, in lower case.
pub(crate) fn admonition(element: Element<'_>) -> Option<&str> {
    let named = |names: &[&str]| element.classes().find(|class| names.contains(class));
    let version = named(VERSIONS);
    let is_note = version.is_some() || named(&["admonition", "callout", "alert"]).is_some();
    (is_note && !is_inline(element)).then(|| named(NOTES).or(version).unwrap_or("note"))
}

/// Whether a kind of note has no name that stands above it.
pub(crate) fn is_of_version(kind: &str) -> bool {
    VERSIONS.contains(&kind)
}

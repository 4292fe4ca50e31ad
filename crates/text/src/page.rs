//! A rendered page: a walk of its content that keeps what a page shows, with section and element.
//!
//! The quoting text is written by the walk: for a page, words and source are the same. What a page
//! has around its content, and what only helps to use it (permalinks, copy buttons, line numbers), is
//! no text.

use crate::document::{BlockKind, Builder, Prose, RunKind, fold_space};
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
        PageParts {
            content: list(&[
                "[role=main] article",
                "article[role=main]",
                "[role=main]",
                "main article",
                "main",
                "article",
            ]),
            apart: list(APART),
        }
    }
}

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
    "[hidden]",
    "a.headerlink",
    "a.anchor",
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

pub(crate) fn parse(html: &str, parts: &PageParts, builder: &mut Builder) {
    let page = Page::parse(html);
    let root =
        content(&page, parts).or_else(|| page.named("body").next()).unwrap_or_else(|| page.outermost());
    let mut walk = Walk { apart: &parts.apart, builder, line: Line::default(), kind: BlockKind::Paragraph };
    walk.children(root);
    walk.flush();
}

/// Words as they are gathered, until a block ends.
#[derive(Default)]
struct Line {
    pieces: Vec<(String, RunKind)>,
}

impl Line {
    /// Adds words, white space as a page folds it.
    fn push(&mut self, text: &str, kind: RunKind) {
        let mut folded = String::new();
        for c in text.chars() {
            match c {
                ' ' | '\t' | '\n' | '\r' | '\u{c}' => {
                    let open = folded.ends_with(' ') || (folded.is_empty() && self.ends_open());
                    if !open {
                        folded.push(' ');
                    }
                }
                c => folded.push(c),
            }
        }
        match self.pieces.last_mut() {
            _ if folded.is_empty() => {}
            Some((last, of)) if *of == kind => last.push_str(&folded),
            _ => self.pieces.push((folded, kind)),
        }
    }

    /// Whether a space at this place would be folded away.
    fn ends_open(&self) -> bool {
        self.pieces.last().is_none_or(|(last, _)| last.ends_with(' '))
    }
}

struct Walk<'b> {
    apart: &'b [Selector],
    builder: &'b mut Builder,
    line: Line,
    /// What the words that are gathered will be.
    kind: BlockKind,
}

impl Walk<'_> {
    fn children(&mut self, parent: Element<'_>) {
        for child in parent.children() {
            self.piece(child);
        }
    }

    fn piece(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Comment(_) => {}
            Piece::Text(text) => self.line.push(text, RunKind::Text),
            Piece::Element(element) if self.is_apart(element) => {}
            Piece::Element(element) => self.element(element),
        }
    }

    fn is_apart(&self, element: Element<'_>) -> bool {
        is_permalink(element) || self.apart.iter().any(|selector| selector.matches(element))
    }

    fn element(&mut self, element: Element<'_>) {
        let name = element.name();
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(element),
            "code" | "kbd" | "samp" | "tt" if !has_blocks(element) => {
                let words = element.text();
                self.line.push(&words, RunKind::Code);
            }
            "br" | "wbr" => self.line.push(if name == "br" { " " } else { "" }, RunKind::Text),
            "ul" | "ol" | "menu" => self.within(BlockKind::List { ordered: name == "ol" }, element),
            "li" => self.within(BlockKind::Item { task: task(element) }, element),
            "dt" => self.as_kind(BlockKind::Term, element),
            "dd" => self.within(BlockKind::Definition, element),
            "blockquote" => self.within(BlockKind::Quote, element),
            "table" => self.within(BlockKind::Table, element),
            "tr" => self.within(BlockKind::Row { header: is_header(element) }, element),
            "td" | "th" => self.cell(element),
            "pre" => self.code(element),
            "details" => self.details(element),
            _ => self.other(element),
        }
    }

    /// An element without a meaning of its own: a note, a tab, a block, or a stretch of a sentence.
    fn other(&mut self, element: Element<'_>) {
        if let Some(label) = admonition(element) {
            self.within(BlockKind::Admonition { label }, element);
        } else if let Some(label) = tab(element) {
            self.within(BlockKind::Tab { label }, element);
        } else if INLINE.contains(&element.name()) && !has_blocks(element) {
            self.children(element);
        } else {
            self.flush();
            self.children(element);
            self.flush();
        }
    }

    /// A block that holds others.
    fn within(&mut self, kind: BlockKind, element: Element<'_>) {
        self.flush();
        let at = self.builder.write("");
        let id = self.builder.open(kind, at.clone());
        self.children(element);
        self.flush();
        let end = self.builder.write("").end;
        self.builder.ends(id, at.start..end);
        self.builder.close();
    }

    /// A block whose words have a kind of their own.
    fn as_kind(&mut self, kind: BlockKind, element: Element<'_>) {
        self.flush();
        let before = std::mem::replace(&mut self.kind, kind);
        self.children(element);
        self.flush();
        self.kind = before;
    }

    /// A cell may hold blocks of its own; its words are cells either way.
    fn cell(&mut self, element: Element<'_>) {
        self.as_kind(BlockKind::Cell, element);
    }

    fn heading(&mut self, element: Element<'_>) {
        self.flush();
        let level = element.name().as_bytes().get(1).map_or(6, |digit| digit - b'0');
        self.children(element);
        let Some((range, prose)) = self.written() else { return };
        self.builder.heading(level, range, prose);
        self.builder.anchored(anchor(element));
    }

    fn code(&mut self, element: Element<'_>) {
        self.flush();
        let mut text = String::new();
        self.literal(element, &mut text);
        let text = text.trim_matches('\n');
        let range = self.builder.write(text);
        let mut prose = Prose::default();
        prose.push_text(text, range.clone());
        self.builder.leaf(BlockKind::Code, range, prose);
        self.builder.write("\n\n");
    }

    /// Text as it stands, what is apart left out.
    fn literal(&self, element: Element<'_>, text: &mut String) {
        for child in element.children() {
            match child {
                Piece::Comment(_) => {}
                Piece::Text(words) => text.push_str(words),
                Piece::Element(element) if self.is_apart(element) => {}
                Piece::Element(element) => self.literal(element, text),
            }
        }
    }

    fn details(&mut self, element: Element<'_>) {
        let summary = elements(element).find(|child| child.name() == "summary");
        let summary = summary.map_or(String::new(), |summary| fold_space(&summary.text()));
        self.within(BlockKind::Details { summary }, element);
    }

    /// Ends the block whose words were gathered.
    fn flush(&mut self) {
        if let Some((range, prose)) = self.written() {
            self.builder.leaf(self.kind.clone(), range, prose);
        }
    }

    /// Writes the words gathered so far.
    fn written(&mut self) -> Option<(std::ops::Range<usize>, Prose)> {
        let mut pieces = std::mem::take(&mut self.line).pieces;
        if let Some((last, _)) = pieces.last_mut() {
            last.truncate(last.trim_end_matches(' ').len());
        }
        if pieces.iter().all(|(words, _)| words.trim().is_empty()) {
            return None;
        }
        let mut prose = Prose::default();
        let start = self.builder.write("").start;
        for (words, kind) in &pieces {
            let range = self.builder.write(words);
            prose.push(words, range.clone(), range, *kind);
        }
        let end = self.builder.write("").end;
        self.builder.write("\n\n");
        Some((start..end, prose))
    }
}

/// Whether a link only marks the place that it stands at.
fn is_permalink(element: Element<'_>) -> bool {
    let here = element.name() == "a" && element.attribute("href").is_some_and(|href| href.starts_with('#'));
    here && matches!(element.text().trim(), "¶" | "#" | "§" | "🔗" | "\u{f0c1}" | "")
}

/// The elements that stand directly in one.
fn elements(element: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    element.children().filter_map(as_element)
}

/// The elements in one, at any depth.
fn elements_below(element: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    element.pieces().filter_map(as_element)
}

fn as_element(piece: Piece<'_>) -> Option<Element<'_>> {
    match piece {
        Piece::Element(element) => Some(element),
        Piece::Text(_) | Piece::Comment(_) => None,
    }
}

/// Elements that are stretches of a sentence, unless they hold blocks.
const INLINE: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font",
    "i", "img", "input", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var",
];

fn has_blocks(element: Element<'_>) -> bool {
    elements_below(element).any(|inner| {
        let name = inner.name();
        !INLINE.contains(&name) && !matches!(name, "br" | "wbr" | "svg" | "path" | "button" | "script")
    })
}

/// The id that a link to a heading points to: its own, that of the section it begins, or that of the
/// anchor in it.
fn anchor(heading: Element<'_>) -> Option<&str> {
    let section = || {
        let parent = heading.parent()?;
        let begins = elements(parent).find(|child| child.name() != "span");
        (begins == Some(heading)).then_some(parent)
    };
    let inside = || elements_below(heading).find_map(|inner| inner.attribute("id"));
    let link = || {
        let mut links = elements_below(heading).filter_map(|inner| inner.attribute("href"));
        links.find_map(|href| href.strip_prefix('#'))
    };
    heading.attribute("id").or_else(|| section()?.attribute("id")).or_else(link).or_else(inside)
}

/// The state of an item's check box, where it begins with one.
fn task(item: Element<'_>) -> Option<bool> {
    let first = item.pieces().find(|piece| match piece {
        Piece::Text(text) => !text.trim().is_empty(),
        Piece::Element(element) => element.name() == "input",
        Piece::Comment(_) => false,
    });
    let first = first.and_then(as_element)?;
    (first.attribute("type") == Some("checkbox")).then(|| first.attribute("checked").is_some())
}

/// Whether a row of a table is its heading.
fn is_header(row: Element<'_>) -> bool {
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
    "deprecated",
    "versionadded",
    "versionchanged",
    "info",
    "success",
    "question",
    "example",
    "quote",
    "abstract",
    "bug",
    "failure",
];

fn admonition(element: Element<'_>) -> Option<String> {
    let mut classes = element.classes();
    let is_note = element.classes().any(|class| matches!(class, "admonition" | "callout" | "alert"));
    let version = element.classes().find(|class| class.starts_with("version") || *class == "deprecated");
    let kind = classes.find(|class| NOTES.contains(class));
    (is_note || version.is_some()).then(|| kind.or(version).unwrap_or("note").to_owned())
}

/// The label of one of several alternatives: a panel after its label, or the panel of a set whose
/// labels stand together.
fn tab(element: Element<'_>) -> Option<String> {
    let is = |element: Element<'_>, wanted: &str| element.classes().any(|class| class == wanted);
    let words = |label: Element<'_>| fold_space(&label.text());
    let before = || element.parent().into_iter().flat_map(elements).take_while(|sibling| *sibling != element);
    if is(element, "sd-tab-content") {
        return before().filter(|label| label.name() == "label").last().map(words);
    }
    if is(element, "tabbed-block") {
        let set = std::iter::successors(element.parent(), |above| above.parent())
            .find(|set| is(*set, "tabbed-set"))?;
        let mut labels = elements_below(set).filter(|label| label.name() == "label");
        return labels.nth(before().count()).map(words);
    }
    None
}

//! A rendered page: a walk of its content that keeps what a page shows, with section and element.
//!
//! The quoting text is written by the walk: for a page, words and source are the same. What a page
//! has around its content, and what only helps to use it (permalinks, copy buttons, line numbers), is
//! no text.

mod content;
mod tabs;

use crate::document::{BlockKind, Builder, Prose, RunKind};
use crate::dom::{Element, Page, Piece};
pub(crate) use content::{
    Content, admonition, elements, has_blocks, is_code, is_header, is_inline, is_of_version, task,
};
pub use content::{PageParts, content};

/// How deep the walk follows elements; what stands deeper is read as one stretch of text.
pub(crate) const DEEPEST: usize = 128;

pub(crate) fn parse(html: &str, parts: &PageParts, builder: &mut Builder) {
    let page = Page::parse(html);
    let content = Content::of(&page, parts);
    let mut walk =
        Walk { content: &content, builder, line: Line::default(), kind: BlockKind::Paragraph, depth: 0 };
    walk.children(content.root);
    walk.flush();
}

/// Words as they are gathered, until a block ends.
#[derive(Default)]
struct Line {
    pieces: Vec<(String, RunKind)>,
    /// What they link to.
    links: Vec<(std::ops::Range<usize>, String)>,
}

impl Line {
    /// How many bytes were gathered.
    fn length(&self) -> usize {
        self.pieces.iter().map(|(words, _)| words.len()).sum()
    }

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

struct Walk<'b, 'p> {
    content: &'b Content<'p>,
    builder: &'b mut Builder,
    line: Line,
    /// What the words that are gathered will be.
    kind: BlockKind,
    /// In how many elements of the content the walk is.
    depth: usize,
}

impl Walk<'_, '_> {
    fn children(&mut self, parent: Element<'_>) {
        for child in parent.children() {
            self.piece(child);
        }
    }

    fn piece(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Comment(_) => {}
            Piece::Text(text) => self.line.push(text, RunKind::Text),
            Piece::Element(element) if !self.content.shows(element) => {}
            Piece::Element(element) if self.depth == DEEPEST => {
                let words = self.content.literal(element);
                self.flush();
                self.line.push(&words, RunKind::Text);
                self.flush();
            }
            Piece::Element(element) => {
                self.depth += 1;
                self.element(element);
                self.depth -= 1;
            }
        }
    }

    fn element(&mut self, element: Element<'_>) {
        let name = element.name();
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(element),
            _ if is_code(element) => self.line.push(&self.content.literal(element), RunKind::Code),
            "br" | "wbr" => self.line.push(if name == "br" { " " } else { "" }, RunKind::Text),
            "ul" | "ol" | "menu" => self.list(element),
            "li" => self.within(BlockKind::Item { task: task(element) }, element),
            "dt" => self.as_kind(BlockKind::Term, element),
            "dd" => self.within(BlockKind::Definition, element),
            "blockquote" => self.within(BlockKind::Quote, element),
            "table" => self.within(BlockKind::Table, element),
            "tr" => self.within(BlockKind::Row { header: is_header(element) }, element),
            "td" | "th" => self.cell(element),
            "pre" => self.code(element),
            "details" => self.details(element),
            "a" => self.link(element),
            _ => self.other(element),
        }
    }

    /// An element without a meaning of its own: a note, a tab, a block, or a stretch of a sentence.
    fn other(&mut self, element: Element<'_>) {
        if let Some(label) = self.content.tab(element).map(str::to_owned) {
            self.tab(label, element);
        } else if let Some(label) = admonition(element) {
            self.within(BlockKind::Admonition { label: label.to_owned() }, element);
        } else if is_inline(element) {
            self.children(element);
        } else {
            self.flush();
            self.children(element);
            self.flush();
        }
    }

    /// A link. One around blocks counts as one of the last of them.
    fn link(&mut self, element: Element<'_>) {
        let is_inline = is_inline(element);
        let from = self.line.length();
        self.other(element);
        let Some(target) = element.attribute("href").map(str::trim) else { return };
        if is_inline {
            self.line.links.push((from..self.line.length(), target.to_owned()));
        } else {
            self.builder.linked(target);
        }
    }

    /// A block that holds others.
    fn within(&mut self, kind: BlockKind, element: Element<'_>) {
        self.block(kind, |walk| walk.children(element));
    }

    fn block(&mut self, kind: BlockKind, inside: impl FnOnce(&mut Self)) {
        self.flush();
        let at = self.builder.write("");
        let id = self.builder.open(kind, at.clone());
        inside(self);
        self.flush();
        let end = self.builder.write("").end;
        self.builder.ends(id, at.start..end);
        self.builder.close();
    }

    /// A list. One that stands directly in it belongs to the item before.
    fn list(&mut self, list: Element<'_>) {
        self.block(BlockKind::List { ordered: list.name() == "ol" }, |walk| {
            let mut children = list.children().peekable();
            while let Some(child) = children.next() {
                match child {
                    Piece::Element(item) if item.name() == "li" && walk.content.shows(item) => {
                        walk.block(BlockKind::Item { task: task(item) }, |walk| {
                            walk.children(item);
                            while let Some(more) = children.next_if(|next| !is_item(next)) {
                                walk.piece(more);
                            }
                        });
                    }
                    _ => walk.piece(child),
                }
            }
        });
    }

    /// One of several alternatives. Its label is text, at its head.
    fn tab(&mut self, label: String, panel: Element<'_>) {
        let words = label.clone();
        self.block(BlockKind::Tab { label }, |walk| {
            walk.line.push(&words, RunKind::Text);
            walk.flush();
            walk.children(panel);
        });
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
        let text = self.content.literal(element);
        let text = text.trim_matches('\n');
        let range = self.builder.write(text);
        let mut prose = Prose::default();
        prose.push_text(text, range.clone());
        self.builder.leaf(BlockKind::Code, range, prose);
        self.builder.write("\n\n");
    }

    fn details(&mut self, element: Element<'_>) {
        let summary = elements(element).find(|child| child.name() == "summary");
        let summary = summary.map_or(String::new(), |summary| self.content.words(summary));
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
        let Line { mut pieces, links } = std::mem::take(&mut self.line);
        if let Some((last, _)) = pieces.last_mut() {
            last.truncate(last.trim_end().len());
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
        let last = prose.plain.len();
        prose.links = links.into_iter().map(|(at, to)| (at.start.min(last)..at.end.min(last), to)).collect();
        let end = self.builder.write("").end;
        self.builder.write("\n\n");
        Some((start..end, prose))
    }
}

/// The id that a link to a heading points to: its own, that of the section it begins, or that of the
/// anchor in it.
fn anchor(heading: Element<'_>) -> Option<&str> {
    let section = || {
        let parent = heading.parent()?;
        let begins = elements(parent).find(|child| child.name() != "span");
        (begins == Some(heading)).then_some(parent)
    };
    let inside = || content::elements_below(heading).find_map(|inner| inner.attribute("id"));
    let link = || {
        let mut links = content::elements_below(heading).filter_map(|inner| inner.attribute("href"));
        links.find_map(|href| href.strip_prefix('#'))
    };
    heading.attribute("id").or_else(|| section()?.attribute("id")).or_else(link).or_else(inside)
}

/// Whether a piece is an item of a list.
fn is_item(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Element(element) if element.name() == "li")
}

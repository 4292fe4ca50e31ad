//! The content of a page as HTML of a few elements, each of which Markdown can say.

mod line;
mod table;

use super::markup;
use crate::dom::{Element, Piece};
use crate::page::{
    Content, DEEPEST, admonition, elements, has_blocks, is_code, is_inline, is_of_version, task,
};
use line::{Line, following};

/// How deep lists, notes and quotations are laid out in each other; what is deeper stands in the last.
const NESTED: usize = 24;

/// Writes the content of a page down in plain elements.
pub(super) fn html(content: &Content<'_>) -> String {
    let mut plain = Plain { content, out: String::new(), line: None, at: At::default(), depth: 0, nested: 0 };
    plain.children(content.root);
    plain.flush();
    plain.out
}

/// What is written next, and how.
#[derive(Debug, Clone, Copy, Default)]
struct At<'p> {
    /// At the head of an item, whose first line is no paragraph of its own.
    head: bool,
    /// What the next line begins with.
    lead: Option<Lead>,
    /// In a cell: all in one line.
    cell: Option<Cell>,
    /// In a heading.
    heading: bool,
    link: bool,
    emphasis: bool,
    /// The element that is the title of the note around.
    title: Option<Element<'p>>,
}

/// How much of a cell is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    Begun,
}

/// What an item begins with, beside what the list gives it.
#[derive(Debug, Clone, Copy)]
enum Lead {
    Bullet,
    Number(u32),
    Task { done: bool },
}

struct Plain<'c, 'p> {
    content: &'c Content<'p>,
    out: String,
    line: Option<Line>,
    at: At<'p>,
    /// In how many elements of the content the walk is.
    depth: usize,
    /// In how many lists, notes and quotations.
    nested: usize,
}

impl<'p> Plain<'_, 'p> {
    fn children(&mut self, parent: Element<'p>) {
        for child in parent.children() {
            self.piece(child);
        }
    }

    fn piece(&mut self, piece: Piece<'p>) {
        match piece {
            Piece::Comment(_) => {}
            Piece::Text(text) => self.text(text),
            Piece::Element(element) if !self.content.shows(element) => {}
            Piece::Element(element) if self.depth == DEEPEST => {
                let words = self.content.literal(element);
                self.flush();
                self.text(&words);
                self.flush();
            }
            Piece::Element(element) => {
                self.depth += 1;
                self.element(element);
                self.depth -= 1;
            }
        }
    }

    fn element(&mut self, element: Element<'p>) {
        match element.name() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(element),
            _ if is_code(element) => self.code_span(&self.content.literal(element)),
            "br" => self.line_break(),
            "wbr" | "img" | "input" => {}
            "hr" if self.at.cell.is_none() => {
                self.flush();
                self.out.push_str("<hr>");
            }
            "ul" | "ol" | "menu" => self.list(element),
            "dl" => self.definitions(element),
            "dt" => self.labelled_line(element),
            "blockquote" => self.nest("blockquote", |plain| plain.children(element)),
            "table" => self.table(element),
            "pre" => self.code(element),
            "details" => self.details(element),
            "a" => self.link(element),
            "b" | "strong" => self.emphasis("strong", element),
            "em" | "i" => self.emphasis("em", element),
            _ => self.other(element),
        }
    }

    fn other(&mut self, element: Element<'p>) {
        if self.at.title == Some(element) {
            self.labelled_line(element);
        } else if let Some(label) = self.content.tab(element).map(str::to_owned) {
            self.part(|plain| plain.strong(|plain| plain.text(&label)), |plain| plain.children(element));
        } else if let Some(kind) = admonition(element) {
            self.note(kind, element);
        } else if is_inline(element) {
            self.children(element);
        } else {
            self.flush();
            self.children(element);
            self.flush();
        }
    }

    /// A heading, or within a cell a line.
    fn heading(&mut self, element: Element<'p>) {
        self.flush();
        if self.at.cell.is_none() && !self.content.words(element).is_empty() {
            self.begin(&format!("<{}>", element.name()), &format!("</{}>", element.name()));
            self.with(|at| at.heading = true, |plain| plain.children(element));
        } else {
            self.children(element);
        }
        self.flush();
    }

    /// A note: a quotation that says first what it is.
    fn note(&mut self, kind: &str, element: Element<'p>) {
        let is_title = |inner: &Element<'p>| {
            inner.classes().any(|class| class.ends_with("-title") || class.ends_with("-heading"))
        };
        let title = elements(element).find(is_title);
        self.nest("blockquote", |plain| {
            if title.is_none() && !is_of_version(kind) {
                let mut name = kind.to_owned();
                name[..1].make_ascii_uppercase();
                plain.strong(|plain| plain.text(&name));
                plain.flush();
            }
            plain.with(|at| at.title = title, |plain| plain.children(element));
        });
    }

    fn details(&mut self, element: Element<'p>) {
        let summary = elements(element).find(|child| child.name() == "summary");
        self.part(
            |plain| {
                if let Some(summary) = summary.filter(|summary| plain.content.shows(*summary)) {
                    plain.labelled_line(summary);
                }
            },
            |plain| {
                for child in element.children() {
                    if !matches!(child, Piece::Element(inner) if Some(inner) == summary) {
                        plain.piece(child);
                    }
                }
            },
        );
    }

    /// A part with a label: an item that begins with it.
    fn part(&mut self, label: impl FnOnce(&mut Self), body: impl FnOnce(&mut Self)) {
        self.nest("ul", |plain| {
            plain.item(|plain| {
                label(plain);
                plain.flush();
                body(plain);
            });
        });
    }

    /// A list. Whatever stands in it and is no item belongs to the item before.
    fn list(&mut self, list: Element<'p>) {
        let name = if list.name() == "ol" { "ol" } else { "ul" };
        let start =
            list.attribute("start").and_then(|start| start.parse().ok()).filter(|start| *start < 100_000);
        let mut number: u32 = start.unwrap_or(1);
        let open = match start {
            Some(start) if name == "ol" => format!("ol start=\"{start}\""),
            _ => name.to_owned(),
        };
        self.nest(&open, |plain| {
            let mut children = list.children().peekable();
            while let Some(child) = children.next() {
                let item = match child {
                    Piece::Element(item) if item.name() == "li" => Some(item),
                    Piece::Text(text) if text.trim().is_empty() => continue,
                    Piece::Comment(_) => continue,
                    _ => None,
                };
                let says = |item| plain.content.shows(item) && !plain.content.words(item).is_empty();
                if item.is_some_and(|item| !says(item)) {
                    continue;
                }
                let mark = if name == "ol" { Lead::Number(number) } else { Lead::Bullet };
                number += 1;
                plain.item(|plain| {
                    let in_cell = plain.at.cell.is_some().then_some(mark);
                    plain.at.lead = item.and_then(task).map(|done| Lead::Task { done }).or(in_cell);
                    match item {
                        Some(item) => plain.children(item),
                        None => plain.piece(child),
                    }
                    while let Some(more) =
                        children.next_if(|next| !matches!(next, Piece::Element(next) if next.name() == "li"))
                    {
                        plain.piece(more);
                    }
                });
            }
        });
    }

    /// A definition list: each term is a label, and what is said of it stands below.
    fn definitions(&mut self, list: Element<'p>) {
        // Terms and definitions may stand in groups.
        let is_group = |element: Element<'p>| {
            element.name() == "div" && elements(element).any(|part| matches!(part.name(), "dt" | "dd"))
        };
        let shows = |part: &Piece<'p>| match part {
            Piece::Element(element) => self.content.shows(*element),
            Piece::Text(_) => true,
            Piece::Comment(_) => false,
        };
        let mut parts: Vec<Piece<'p>> = Vec::new();
        for child in list.children().filter(shows) {
            match child {
                Piece::Element(group) if is_group(group) => parts.extend(group.children().filter(shows)),
                _ => parts.push(child),
            }
        }
        let is_term = |part: &Piece<'p>| matches!(part, Piece::Element(element) if element.name() == "dt");
        let is_blank = |part: &Piece<'p>| matches!(part, Piece::Text(text) if text.trim().is_empty());
        self.nest("ul", |plain| {
            let groups = parts.chunk_by(|_, next| !is_term(next));
            for group in groups.filter(|group| !group.iter().all(is_blank)) {
                plain.item(|plain| {
                    for part in group {
                        plain.piece(*part);
                    }
                });
            }
        });
    }

    fn code(&mut self, element: Element<'p>) {
        self.flush();
        let text = self.content.literal(element);
        let text = text.trim_matches('\n');
        if text.trim().is_empty() {
        } else if self.at.cell.is_some() {
            for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
                self.line();
                self.out.push_str(&markup::raw(&markup::code_span(line)));
                self.flush();
            }
        } else {
            self.at.head = false;
            self.out.push_str(&markup::code(text, language(element).unwrap_or_default()));
        }
    }

    fn link(&mut self, element: Element<'p>) {
        let words = self.content.literal(element);
        let href = element.attribute("href").map(str::trim).unwrap_or_default();
        let leads = !href.is_empty() && !href.starts_with("javascript:") && !words.trim().is_empty();
        if !leads || self.at.link || self.at.heading || !is_inline(element) {
            return self.other(element);
        }
        self.space_before(&words);
        self.line();
        self.settle();
        // Before a link it would make a picture of it.
        if self.out.ends_with('!') {
            self.out.pop();
            self.out.push_str(&markup::raw("\\!"));
        }
        self.out.push_str(&format!("<a href=\"{}\">", markup::attribute(&markup::address(href))));
        self.with(|at| at.link = true, |plain| plain.children(element));
        self.settle();
        self.out.push_str("</a>");
        self.ends_with(')');
    }

    /// Stress, where its marks stand free: otherwise they would be read as asterisks.
    fn emphasis(&mut self, name: &str, element: Element<'p>) {
        let words = self.content.literal(element);
        let free = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || ".,;:!?()\"'“”‘’—–-/".contains(c));
        let before = if words.starts_with(char::is_whitespace) { None } else { self.last() };
        let after = if words.ends_with(char::is_whitespace) { None } else { following(element) };
        let plain = self.at.emphasis || words.trim().is_empty() || !is_inline(element);
        if plain || !free(before) || !free(after) {
            return self.other(element);
        }
        self.space_before(&words);
        self.stressed(name, |plain| plain.children(element));
    }

    fn strong(&mut self, inside: impl FnOnce(&mut Self)) {
        self.stressed("strong", inside);
    }

    fn stressed(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        self.line();
        self.settle();
        self.out.push_str(&format!("<{name}>"));
        self.with(|at| at.emphasis = true, inside);
        self.settle();
        self.out.push_str(&format!("</{name}>"));
        self.ends_with('*');
    }

    /// A term, a title or a summary: a line in strong letters where it is no more than a line.
    fn labelled_line(&mut self, element: Element<'p>) {
        self.flush();
        if has_blocks(element) || self.at.emphasis || self.content.words(element).is_empty() {
            self.children(element);
        } else {
            self.strong(|plain| plain.children(element));
        }
        self.flush();
    }

    /// Something that holds blocks.
    fn nest(&mut self, element: &str, inside: impl FnOnce(&mut Self)) {
        self.flush();
        let open = self.at.cell.is_none() && self.nested < NESTED;
        if open {
            self.out.push_str(&format!("<{element}>"));
            self.at.head = false;
        }
        self.nested += 1;
        self.with(|at| at.title = None, inside);
        self.nested -= 1;
        self.flush();
        if open {
            self.out.push_str(&format!("</{}>", element.split(' ').next().unwrap_or_default()));
        }
    }

    /// An item of the list that was opened last.
    fn item(&mut self, inside: impl FnOnce(&mut Self)) {
        let open = self.at.cell.is_none() && self.nested <= NESTED;
        self.flush();
        if open {
            self.out.push_str("<li>");
            self.at.head = true;
        }
        inside(self);
        self.flush();
        self.at.lead = None;
        if open {
            self.out.push_str("</li>");
            self.at.head = false;
        }
    }

    /// Does something with other circumstances; what happened to the line and to the cell stays.
    fn with(&mut self, change: impl FnOnce(&mut At<'p>), inside: impl FnOnce(&mut Self)) {
        let before = self.at;
        change(&mut self.at);
        inside(self);
        let cell = before.cell.and(self.at.cell);
        let head = before.head && self.at.head;
        let lead = before.lead.and(self.at.lead);
        self.at = At { head, lead, cell, ..before };
    }
}

/// The language that a page gives a block of code.
fn language(code: Element<'_>) -> Option<&str> {
    let around = std::iter::successors(Some(code), |inner| inner.parent()).take(8);
    let language = elements(code).take(1).chain(around).flat_map(Element::classes).find_map(|class| {
        ["language-", "highlight-", "lang-"].iter().find_map(|prefix| class.strip_prefix(prefix))
    })?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "+-_.#".contains(c);
    (!matches!(language, "default" | "none" | "text") && language.chars().all(plain)).then_some(language)
}

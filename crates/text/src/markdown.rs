//! Markdown: CommonMark with tables, task lists, footnotes and alerts, by pulldown-cmark.

use crate::document::{BlockKind, Builder, Prose, RunKind};
use crate::html::{BLOCK_TAGS, Piece, pieces};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_GFM);

pub(crate) fn parse(text: &str, builder: &mut Builder) {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let front = front_matter(&text[start..]);
    let mut walker =
        Walker { text, base: start, builder, leaf: None, links: Vec::new(), comments: Vec::new() };
    if front > 0 {
        walker.front_matter(start..start + front);
    }
    // Blank where the front matter stands: the parser's offsets are those of the text.
    let blank = text[start..start + front].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' });
    walker.walk(&blank.chain(text[start + front..].chars()).collect::<String>());
}

/// The length of the metadata that a text begins with. Anywhere else the same line of dashes is a rule
/// across the page.
fn front_matter(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let mut length = match lines.next() {
        Some(first) if first.trim_end() == "---" => first.len(),
        _ => return 0,
    };
    for (index, line) in lines.enumerate() {
        length += line.len();
        match line.trim_end() {
            "" if index == 0 => return 0,
            "---" | "..." => return length,
            _ => {}
        }
    }
    0
}

/// The words of a quote as [`crate::document::Prose::quote`] writes it: only code spans still have
/// their marks.
pub(crate) fn unmarked(quote: &str) -> String {
    let mut words = String::new();
    let mut rest = quote;
    while let Some(open) = rest.find('`') {
        let marks = backticks(&rest[open..]);
        let body = &rest[open + marks..];
        words.push_str(&rest[..open]);
        match closing(body, marks) {
            Some(close) => {
                let code = &body[..close];
                let inner = code.strip_prefix(' ').and_then(|code| code.strip_suffix(' '));
                words.push_str(inner.filter(|inner| !inner.trim().is_empty()).unwrap_or(code));
                rest = &body[close + marks..];
            }
            None => {
                words.push_str(&rest[open..open + marks]);
                rest = body;
            }
        }
    }
    words.push_str(rest);
    words
}

fn backticks(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'`').count()
}

/// Where a run of exactly so many backticks starts.
fn closing(body: &str, marks: usize) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = body[from..].find('`').map(|at| at + from) {
        let length = backticks(&body[at..]);
        if length == marks {
            return Some(at);
        }
        from = at + length;
    }
    None
}

/// The plain words of one line of inline Markdown: what a quote says when its marks are parsed away.
pub(crate) fn inline_words(markdown: &str) -> String {
    let mut words = String::new();
    for event in Parser::new_ext(markdown, OPTIONS) {
        match event {
            Event::Text(text) | Event::Code(text) => words.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::Start(Tag::Item | Tag::Paragraph) => words.push(' '),
            _ => {}
        }
    }
    words
}

struct Leaf {
    kind: LeafKind,
    range: Range<usize>,
    prose: Prose,
}

enum LeafKind {
    Heading(u8),
    Block(BlockKind),
    /// The text of a tight list item, which has no paragraph of its own.
    Implicit,
}

struct Walker<'t, 'b> {
    text: &'t str,
    /// Where the fragment that is parsed starts in `text`.
    base: usize,
    builder: &'b mut Builder,
    leaf: Option<Leaf>,
    links: Vec<(usize, String)>,
    /// Comments met within the block that is being read.
    comments: Vec<(Range<usize>, Range<usize>)>,
}

impl Walker<'_, '_> {
    fn walk(&mut self, fragment: &str) {
        let mut html_until = None;
        for (event, range) in Parser::new_ext(fragment, OPTIONS).into_offset_iter() {
            let range = range.start + self.base..range.end + self.base;
            match event {
                Event::Start(Tag::HtmlBlock) => {
                    self.flush();
                    html_until = Some(range.end);
                    self.html_block(range);
                }
                Event::End(TagEnd::HtmlBlock) => html_until = None,
                Event::Html(_) if html_until.is_some() => {}
                Event::Start(tag) => self.start(&tag, range),
                Event::End(tag) => self.end(tag),
                inline => self.inline(&inline, range),
            }
        }
        self.flush();
    }

    /// The lines between the marks.
    fn front_matter(&mut self, range: Range<usize>) {
        let text = self.text;
        self.begin(LeafKind::Block(BlockKind::Field { key: "front matter".to_owned() }), range.clone());
        let lines: Vec<&str> = text[range.clone()].split_inclusive('\n').collect();
        let mut at = range.start;
        for (index, line) in lines.iter().enumerate() {
            let within = index > 0 && index + 1 < lines.len();
            if let Some(leaf) = self.leaf.as_mut().filter(|_| within) {
                leaf.prose.push_text(line, at..at + line.len());
            }
            at += line.len();
        }
        self.flush();
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {
                self.implicit(&range);
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.implicit(&range);
                let at = self.leaf.as_ref().map_or(0, |leaf| leaf.prose.plain.len());
                self.links.push((at, dest_url.to_string()));
            }
            Tag::Paragraph => self.begin(LeafKind::Block(BlockKind::Paragraph), range),
            Tag::Heading { level, .. } => self.begin(LeafKind::Heading(*level as u8), range),
            Tag::TableCell => self.begin(LeafKind::Block(BlockKind::Cell), range),
            Tag::CodeBlock(kind) => {
                // Text indented inside a comment is laid out, not code.
                let laid_out = matches!(kind, CodeBlockKind::Indented) && self.base > 0;
                let kind = if laid_out { BlockKind::Paragraph } else { BlockKind::Code };
                self.begin(LeafKind::Block(kind), range);
            }
            container => {
                self.flush();
                self.builder.open(container_kind(container), range);
            }
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::HtmlBlock => {}
            TagEnd::Link | TagEnd::Image => {
                if let (Some((start, url)), Some(leaf)) = (self.links.pop(), self.leaf.as_mut()) {
                    leaf.prose.links.push((start..leaf.prose.plain.len(), url));
                }
            }
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell | TagEnd::CodeBlock => self.flush(),
            _ => {
                self.flush();
                self.builder.close();
            }
        }
    }

    fn inline(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Text(words) => {
                self.implicit(&range);
                if let Some(leaf) = &mut self.leaf {
                    leaf.prose.push_text(words, range.clone());
                    leaf.range.end = leaf.range.end.max(range.end);
                }
            }
            Event::Code(words) => {
                self.implicit(&range);
                let outer = range.clone();
                let inner = match self.text[range.clone()].find(words.as_ref()) {
                    Some(at) => range.start + at..range.start + at + words.len(),
                    None => range,
                };
                if let Some(leaf) = &mut self.leaf {
                    leaf.range.end = leaf.range.end.max(outer.end);
                    leaf.prose.push(words, inner, outer, RunKind::Code);
                }
            }
            Event::SoftBreak | Event::HardBreak => self.line_break(range),
            Event::InlineHtml(html) | Event::Html(html) => {
                for piece in pieces(html) {
                    match piece {
                        Piece::Comment { inner, outer } => self.comments.push((
                            inner.start + range.start..inner.end + range.start,
                            outer.start + range.start..outer.end + range.start,
                        )),
                        Piece::Tag(name) if name.eq_ignore_ascii_case("br") => self.line_break(range.clone()),
                        Piece::Tag(_) | Piece::Text(_) => {}
                    }
                }
            }
            Event::TaskListMarker(done) => self.builder.retag(BlockKind::Item { task: Some(*done) }),
            _ => {}
        }
    }

    fn line_break(&mut self, range: Range<usize>) {
        if let Some(leaf) = &mut self.leaf {
            leaf.prose.push_text("\n", range);
        }
    }

    fn begin(&mut self, kind: LeafKind, range: Range<usize>) {
        self.flush();
        self.leaf = Some(Leaf { kind, range, prose: Prose::default() });
    }

    /// Starts the paragraph of a tight list item at its first word.
    fn implicit(&mut self, range: &Range<usize>) {
        if self.leaf.is_none() {
            self.begin(LeafKind::Implicit, range.clone());
        }
    }

    fn flush(&mut self) {
        if let Some(leaf) = self.leaf.take() {
            match leaf.kind {
                LeafKind::Heading(level) => self.builder.heading(level, leaf.range, leaf.prose),
                LeafKind::Block(kind) => self.builder.leaf(kind, leaf.range, leaf.prose),
                LeafKind::Implicit => self.builder.leaf(BlockKind::Paragraph, leaf.range, leaf.prose),
            }
        }
        for (inner, outer) in std::mem::take(&mut self.comments) {
            self.comment(inner, outer);
        }
    }

    fn comment(&mut self, inner: Range<usize>, outer: Range<usize>) {
        self.builder.open(BlockKind::Comment, outer);
        let text = self.text;
        Walker {
            text,
            base: inner.start,
            builder: &mut *self.builder,
            leaf: None,
            links: Vec::new(),
            comments: Vec::new(),
        }
        .walk(&text[inner]);
        self.builder.close();
    }

    fn html_block(&mut self, range: Range<usize>) {
        let base = range.start;
        let mut prose = Prose::default();
        let mut start = base;
        for piece in pieces(&self.text[range.clone()]) {
            match piece {
                Piece::Text(text) => {
                    let source = text.start + base..text.end + base;
                    if prose.plain.is_empty() {
                        start = source.start;
                    }
                    prose.push_text(&self.text[source.clone()], source);
                }
                Piece::Tag(name) if BLOCK_TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name)) => {
                    self.html_paragraph(start, &mut prose);
                }
                Piece::Tag(_) => {}
                Piece::Comment { inner, outer } => {
                    self.html_paragraph(start, &mut prose);
                    self.comment(inner.start + base..inner.end + base, outer.start + base..outer.end + base);
                }
            }
        }
        self.html_paragraph(start, &mut prose);
    }

    fn html_paragraph(&mut self, start: usize, prose: &mut Prose) {
        let prose = std::mem::take(prose);
        let end = prose.runs.last().map_or(start, |run| run.source.end);
        self.builder.leaf(BlockKind::Paragraph, start..end, prose);
    }
}

fn container_kind(tag: &Tag<'_>) -> BlockKind {
    match tag {
        Tag::List(start) => BlockKind::List { ordered: start.is_some() },
        Tag::Item => BlockKind::Item { task: None },
        Tag::Table(_) => BlockKind::Table,
        Tag::TableHead => BlockKind::Row { header: true },
        Tag::TableRow => BlockKind::Row { header: false },
        Tag::FootnoteDefinition(_) => BlockKind::Definition,
        Tag::BlockQuote(Some(kind)) => BlockKind::Admonition { label: format!("{kind:?}").to_lowercase() },
        _ => BlockKind::Quote,
    }
}

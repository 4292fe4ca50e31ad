//! From the events of the CommonMark parser to lines.

use super::admonition::{Plain, plain};
use super::{Block, BlockKind, Code, Comment, Fence, Heading, Item, Link, LinkKind, Markdown};
use crate::diff::lines;
use crate::pattern::Pattern;
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};
use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

static ADDRESS: Pattern = Pattern::new(r#"^https?://[^\s<>"'`|\\]*[^\s<>"'`|\\.,;:!?)\]*_]"#);

struct Reader<'t> {
    text: &'t str,
    /// Where each line begins.
    starts: Vec<usize>,
    /// The lines that hold code.
    code: BTreeSet<usize>,
    /// The parts of the text that hold comments.
    hidden: Vec<Range<usize>>,
    /// The numbers of the next items of the lists that are open.
    lists: Vec<Option<u64>>,
    /// The links that are open, by their place.
    open: Vec<usize>,
    html: Option<Range<usize>>,
    /// Where the last bare address ends.
    bare_end: usize,
    markdown: Markdown,
}

pub(super) fn read(text: &str) -> Markdown {
    let all = lines(text);
    let Plain { lines: plain, skipped, admonitions } = plain(&all);
    let text = plain.join("\n");
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut reader = Reader {
        text: &text,
        starts,
        code: BTreeSet::new(),
        hidden: Vec::new(),
        lists: Vec::new(),
        open: Vec::new(),
        html: None,
        bare_end: 0,
        markdown: Markdown { admonitions, ..Markdown::default() },
    };
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES;
    let mut events = Parser::new_ext(&text, options).into_offset_iter();
    for (event, range) in events.by_ref() {
        reader.event(event, range);
    }
    for (name, definition) in events.reference_definitions().iter() {
        let line = reader.line(definition.span.start);
        let link =
            Link { kind: LinkKind::Definition, to: definition.dest.to_string(), text: name.to_owned(), line };
        reader.markdown.links.push(link);
    }
    reader.finish(skipped + 1..=plain.len())
}

impl Reader<'_> {
    /// The number of the line that holds a byte.
    fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).max(1)
    }

    fn span(&self, range: &Range<usize>) -> RangeInclusive<usize> {
        let end = range.start + self.text.get(range.clone()).map_or(0, |text| text.trim_end().len());
        self.line(range.start)..=self.line(end.saturating_sub(1).max(range.start))
    }

    fn block(&mut self, kind: BlockKind, range: &Range<usize>) {
        let lines = self.span(range);
        self.markdown.blocks.push(Block { kind, lines });
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, &range),
            Event::End(TagEnd::List(_)) => drop(self.lists.pop()),
            Event::End(TagEnd::Link | TagEnd::Image) => drop(self.open.pop()),
            Event::End(TagEnd::HtmlBlock) => {
                if let Some(html) = self.html.take() {
                    self.comments(html);
                }
            }
            Event::Code(text) => {
                self.read_out(&text);
                let line = self.line(range.start);
                self.markdown.codes.push(Code { text: text.to_string(), line });
            }
            Event::Text(text) => {
                self.read_out(&text);
                if self.open.is_empty() && self.html.is_none() && !self.code.contains(&self.line(range.start))
                {
                    self.bare(&range);
                }
            }
            Event::InlineHtml(_) => self.comments(range),
            Event::Html(_) => {
                if let Some(html) = &mut self.html {
                    html.end = html.end.max(range.end);
                }
            }
            Event::Rule => self.block(BlockKind::Rule, &range),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Paragraph => self.block(BlockKind::Paragraph, range),
            Tag::Table(_) => self.block(BlockKind::Table, range),
            Tag::BlockQuote(_) => self.block(BlockKind::Quote, range),
            Tag::HtmlBlock => {
                self.block(BlockKind::Html, range);
                self.html = Some(range.clone());
            }
            Tag::Heading { level, .. } => self.heading(level as usize, range),
            Tag::CodeBlock(kind) => self.code_block(&kind, range),
            Tag::List(first) => self.lists.push(first),
            Tag::Item => {
                let depth = self.lists.len().saturating_sub(1);
                let next = self.lists.last_mut().and_then(Option::as_mut);
                let number = next.map(|next| std::mem::replace(next, next.saturating_add(1)));
                let lines = self.span(range);
                self.markdown.items.push(Item { number, lines, depth });
            }
            Tag::Link { link_type, dest_url, .. } => {
                let kind = match link_type {
                    LinkType::Inline => LinkKind::Inline,
                    LinkType::Autolink | LinkType::Email => LinkKind::Autolink,
                    _ => LinkKind::Reference,
                };
                self.link(kind, dest_url.to_string(), range);
            }
            Tag::Image { dest_url, .. } => self.link(LinkKind::Image, dest_url.to_string(), range),
            _ => {}
        }
    }

    fn link(&mut self, kind: LinkKind, to: String, range: &Range<usize>) {
        self.open.push(self.markdown.links.len());
        let line = self.line(range.start);
        self.markdown.links.push(Link { kind, to, text: String::new(), line });
    }

    /// What is read is the text of the innermost link around it.
    fn read_out(&mut self, text: &str) {
        if let Some(link) = self.open.last().and_then(|at| self.markdown.links.get_mut(*at)) {
            link.text.push_str(text);
        }
    }

    /// The addresses that stand bare in a text. The parser ends a text at marks that an address may hold.
    fn bare(&mut self, range: &Range<usize>) {
        let mut from = range.start.max(self.bare_end);
        while let Some(at) = self.text.get(from..range.end).and_then(|text| text.find("http")) {
            let at = from + at;
            from = at + "http".len();
            let before = self.text[..at].chars().next_back();
            if before.is_some_and(char::is_alphanumeric) {
                continue;
            }
            let Some(address) = ADDRESS.first(&self.text[at..]) else { continue };
            from = at + address.len();
            self.bare_end = from;
            let line = self.line(at);
            let link = Link { kind: LinkKind::Bare, text: address.to_owned(), to: address.to_owned(), line };
            self.markdown.links.push(link);
        }
    }

    fn heading(&mut self, level: usize, range: &Range<usize>) {
        let source = self.text.get(range.clone()).unwrap_or_default().trim_end();
        let first = self.line(range.start);
        let (text, line) = if source.starts_with('#') {
            let text = source.trim_start_matches('#').trim();
            let bare = text.trim_end_matches('#');
            let is_closed = bare.is_empty() || bare.ends_with([' ', '\t']);
            (if is_closed { bare.trim_end() } else { text }.to_owned(), first)
        } else {
            let mut lines: Vec<_> = source.lines().map(str::trim).collect();
            lines.pop();
            (lines.join(" "), first + lines.len().saturating_sub(1))
        };
        self.markdown.headings.push(Heading { level, text, line });
    }

    fn code_block(&mut self, kind: &CodeBlockKind<'_>, range: &Range<usize>) {
        let lines = self.span(range);
        self.code.extend(lines.clone());
        let CodeBlockKind::Fenced(info) = kind else {
            self.markdown.blocks.push(Block { kind: BlockKind::IndentedCode, lines });
            return;
        };
        let source = self.text.get(range.clone()).unwrap_or_default();
        let marks =
            opening(source.lines().next().unwrap_or_default().trim()).map_or("```", |(marks, _)| marks);
        let first = self.starts[*lines.start() - 1];
        let last = self.starts.get(*lines.end()).copied().unwrap_or(self.text.len());
        let all = self.text.get(first..last).map(super::super::diff::lines).unwrap_or_default();
        let mut body: Vec<String> = all.iter().skip(1).map(|line| (*line).to_owned()).collect();
        if body.last().is_some_and(|last| closes(last.trim_matches([' ', '\t', '>', '\r']), marks)) {
            body.pop();
        }
        self.markdown.fences.push(Fence { info: info.trim().to_owned(), line: *lines.start(), body });
    }

    /// The comments within HTML.
    fn comments(&mut self, range: Range<usize>) {
        let mut from = range.start;
        while let Some(start) = self.text.get(from..range.end).and_then(|html| html.find("<!--")) {
            let start = from + start;
            let inner = &self.text[start + 4..range.end];
            let (length, end) = inner.find("-->").map_or((inner.len(), range.end), |at| (at, start + 7 + at));
            let text = inner[..length].trim().to_owned();
            let lines = self.span(&(start..end));
            self.markdown.comments.push(Comment { text, lines });
            self.hidden.push(start..end);
            from = end;
        }
    }

    fn finish(mut self, numbers: RangeInclusive<usize>) -> Markdown {
        let mut hidden = self.hidden.iter().peekable();
        for number in numbers {
            let start = self.starts.get(number - 1).copied().unwrap_or(self.text.len());
            let end = self.starts.get(number).map_or(self.text.len(), |next| next - 1);
            while hidden.peek().is_some_and(|range| range.end <= start) {
                hidden.next();
            }
            if self.code.contains(&number) {
                continue;
            }
            let (mut line, mut from, mut is_cut) = (String::new(), start, false);
            for range in hidden.clone().take_while(|range| range.start < end) {
                line.push_str(self.text.get(from..range.start.max(from)).unwrap_or_default());
                from = range.end.clamp(from, end);
                is_cut = true;
            }
            line.push_str(self.text.get(from..end).unwrap_or_default());
            if !(is_cut && line.trim().is_empty()) {
                self.markdown.prose.push((number, line));
            }
        }
        let mut markdown = self.markdown;
        markdown.links.sort_by_key(|link| link.line);
        markdown.comments.sort_by_key(|comment| *comment.lines.start());
        markdown
    }
}

/// The marks that open a fence, and what stands behind them.
pub(super) fn opening(line: &str) -> Option<(&str, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = line.trim_start_matches(mark);
    let marks = &line[..line.len() - info.len()];
    (marks.len() >= 3 && !(mark == '`' && info.contains('`'))).then(|| (marks, info.trim()))
}

/// A fence is closed by as many of its marks or more, and nothing behind them.
pub(super) fn closes(line: &str, marks: &str) -> bool {
    line.starts_with(marks) && line.trim_start_matches(&marks[..1]).is_empty()
}

//! The blocks of a text, tried in the order in which docutils tries them.

use super::frame::{Frame, Piece, indent};
use super::{Block, BlockKind, DEEPEST, Dialect, Heading, Item, ListKind, Rst, inline, list, table};
use unicode_width::UnicodeWidthChar;

/// Reads frames, and gathers what is found.
pub(super) struct Reader<'d> {
    pub(super) dialect: &'d Dialect<'d>,
    pub(super) rst: Rst,
    /// The adornments of headings, by level: the character, and whether there is a line above.
    styles: Vec<(char, bool)>,
    /// How many tables the lines at hand stand in.
    tables: usize,
}

/// How many columns a text takes.
fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(1)).sum()
}

/// The character that a line is made of, where it is made of one mark of punctuation alone.
fn adornment(line: &str) -> Option<char> {
    let line = line.trim_end();
    let first = line.chars().next().filter(char::is_ascii_punctuation)?;
    line.chars().all(|c| c == first).then_some(first)
}

impl<'d> Reader<'d> {
    pub(super) fn new(dialect: &'d Dialect<'d>) -> Self {
        Reader { dialect, rst: Rst::default(), styles: Vec::new(), tables: 0 }
    }

    /// What was found, in the order of the lines.
    pub(super) fn finish(mut self) -> Rst {
        self.rst.blocks.sort_by_key(|block| *block.lines.start());
        self.rst.headings.sort_by_key(|heading| heading.line);
        self.rst.prose.sort_by_key(|(number, _)| *number);
        self.rst.prose.dedup_by_key(|(number, _)| *number);
        self.rst
    }

    /// Reads lines that stand in `depth` constructs.
    pub(super) fn read(&mut self, frame: &Frame<'_>, depth: usize) {
        if depth > DEEPEST {
            self.rst.too_deep.get_or_insert(frame.number(0));
            return;
        }
        let mut at = 0;
        while let Some(line) = frame.line(at) {
            at = if frame.is_blank(at) { at + 1 } else { self.construct(frame, at, line, depth).max(at + 1) };
        }
    }

    /// Reads one construct, and says where the next one may begin.
    fn construct(&mut self, frame: &Frame<'_>, at: usize, line: &str, depth: usize) -> usize {
        if indent(line) > 0 {
            let quote = frame.indented(at);
            self.block(BlockKind::Quote, frame, at, quote.next, depth);
            self.read(&quote.frame, depth + 1);
            return quote.next;
        }
        self.item(frame, at, line, depth)
            .or_else(|| self.marked_block(frame, at, line, depth))
            .or_else(|| self.explicit(frame, at, line, depth))
            .or_else(|| self.overlined(frame, at, line, depth))
            .unwrap_or_else(|| self.text(frame, at, line, depth))
    }

    /// A block, up to the line before an index, blank lines left out.
    fn block(&mut self, kind: BlockKind, frame: &Frame<'_>, at: usize, next: usize, depth: usize) {
        let lines = frame.number(at)..=frame.number(last_filled(frame, at, next));
        self.rst.blocks.push(Block { kind, lines, depth });
    }

    /// An item of a list, but for definitions, which their first line does not tell.
    fn item(&mut self, frame: &Frame<'_>, at: usize, line: &str, depth: usize) -> Option<usize> {
        let (kind, marker, bytes) = list::marker(line, frame.line(at + 1))?;
        let is_filled = !line.get(bytes..).unwrap_or_default().trim().is_empty();
        let is_aligned = matches!(kind, ListKind::Bullet | ListKind::Enumerated);
        let body = match is_aligned && is_filled {
            true => frame.aligned(at, bytes),
            false => frame.below(at, bytes),
        };
        if kind == ListKind::Option && (0..body.frame.len()).all(|index| body.frame.is_blank(index)) {
            return None;
        }
        let lines = frame.number(at)..=frame.number(last_filled(frame, at, body.next));
        self.rst.items.push(Item { kind, marker: marker.to_owned(), lines, depth });
        if kind == ListKind::Field {
            self.inline(&[(marker, frame.number(at))]);
        }
        self.read(&body.frame, depth + 1);
        Some(body.next)
    }

    /// A block whose first line gives it away: a doctest, lines behind bars, a table.
    fn marked_block(&mut self, frame: &Frame<'_>, at: usize, line: &str, depth: usize) -> Option<usize> {
        if line == ">>>" || line.starts_with(">>> ") {
            let next = frame.end_of_paragraph(at);
            self.block(BlockKind::Doctest, frame, at, next, depth);
            return Some(next);
        }
        if is_line_block(line) {
            let next = (at + 1..frame.len())
                .find(|index| frame.line(*index).is_none_or(|line| !is_line_block(line) && indent(line) == 0))
                .unwrap_or(frame.len());
            self.block(BlockKind::Line, frame, at, next, depth);
            let bare: Vec<_> =
                frame.slice(at..next).iter().map(|(line, n)| (line.trim_start_matches('|'), *n)).collect();
            self.prose(&bare);
            return Some(next);
        }
        let next = table::end(frame, at)?;
        self.block(BlockKind::Table, frame, at, next, depth);
        self.tables += 1;
        for cell in table::cells(frame.slice(at..next)) {
            self.read(&cell, depth + 1);
        }
        self.tables -= 1;
        Some(next)
    }

    /// A heading with a line above it, or a line between paragraphs.
    fn overlined(&mut self, frame: &Frame<'_>, at: usize, line: &str, depth: usize) -> Option<usize> {
        let mark = adornment(line)?;
        let overline = line.chars().count();
        let title = frame.line(at + 1).filter(|_| !frame.is_blank(at + 1));
        let Some(title) = title else {
            if overline < 4 {
                return None;
            }
            self.block(BlockKind::Transition, frame, at, at + 1, depth);
            return Some(at + 1);
        };
        let below = frame.line(at + 2).unwrap_or_default();
        if adornment(title).is_some() {
            // Two lines of marks are neither a heading nor a transition.
            return (overline >= 4).then_some(at + 2);
        }
        let underline = below.trim_end().chars().count();
        let is_alike = adornment(below) == Some(mark);
        if !is_alike || (overline < 4 && (underline != overline || width(title.trim_end()) > overline)) {
            return None;
        }
        self.heading(Heading {
            level: 0,
            text: title.trim().to_owned(),
            adornment: mark,
            underline,
            overline: Some(overline),
            width: width(title.trim_end()),
            line: frame.number(at + 1),
            lines: frame.number(at)..=frame.number(at + 2),
            depth,
        });
        Some(at + 3)
    }

    /// A heading, at the level that its adornment has in this text.
    fn heading(&mut self, mut heading: Heading) {
        let style = (heading.adornment, heading.overline.is_some());
        let known = self.styles.iter().position(|known| *known == style);
        heading.level = known.unwrap_or(self.styles.len()) + 1;
        if known.is_none() {
            self.styles.push(style);
        }
        self.inline(&[(&heading.text, heading.line)]);
        self.rst.headings.push(heading);
    }

    /// A heading with a line below it, a term with its definition, or a paragraph.
    fn text(&mut self, frame: &Frame<'_>, at: usize, line: &str, depth: usize) -> usize {
        let below = frame.line(at + 1).filter(|_| !frame.is_blank(at + 1));
        if let Some(below) = below {
            if let Some(mark) = adornment(below) {
                let (wide, long) = (width(line), below.chars().count());
                if wide <= long || long >= 4 {
                    self.heading(Heading {
                        level: 0,
                        text: line.trim().to_owned(),
                        adornment: mark,
                        underline: long,
                        overline: None,
                        width: wide,
                        line: frame.number(at),
                        lines: frame.number(at)..=frame.number(at + 1),
                        depth,
                    });
                    return at + 2;
                }
            } else if indent(below) > 0 {
                return self.definition(frame, at, line, depth);
            }
        }
        // A paragraph ends at a blank line; an indented one ends it too, though it should not stand there.
        let ends =
            |index: &usize| frame.is_blank(*index) || frame.line(*index).is_some_and(|line| indent(line) > 0);
        let next = (at + 1..frame.len()).find(ends).unwrap_or(frame.len());
        self.paragraph(frame, at, next, depth)
    }

    fn definition(&mut self, frame: &Frame<'_>, at: usize, line: &str, depth: usize) -> usize {
        let body = frame.indented(at + 1);
        let lines = frame.number(at)..=frame.number(last_filled(frame, at, body.next));
        self.rst.items.push(Item { kind: ListKind::Definition, marker: line.to_owned(), lines, depth });
        self.inline(&[(line, frame.number(at))]);
        self.read(&body.frame, depth + 1);
        body.next
    }

    fn paragraph(&mut self, frame: &Frame<'_>, at: usize, next: usize, depth: usize) -> usize {
        let lines = frame.slice(at..next);
        let last = lines.last().map_or("", |(line, _)| *line);
        let opens = last.strip_suffix("::");
        let opens = opens
            .is_some_and(|before| before.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0);
        if !(opens && lines.len() == 1 && last == "::") {
            self.block(BlockKind::Paragraph, frame, at, next, depth);
            self.prose(lines);
        }
        if opens { self.literal(frame, next, depth) } else { next }
    }

    /// The literal block behind a paragraph: what is indented, or what a mark quotes.
    fn literal(&mut self, frame: &Frame<'_>, from: usize, depth: usize) -> usize {
        let Some(at) = (from..frame.len()).find(|index| !frame.is_blank(*index)) else { return frame.len() };
        let line = frame.line(at).unwrap_or_default();
        if indent(line) > 0 {
            let literal = frame.indented(at);
            self.block(BlockKind::Literal, frame, at, literal.next, depth);
            return literal.next;
        }
        let mark = line.chars().next().filter(char::is_ascii_punctuation).filter(|_| at > from);
        let Some(mark) = mark else { return at };
        let next = (at..frame.len())
            .find(|index| frame.line(*index).is_none_or(|line| !line.starts_with(mark)))
            .unwrap_or(frame.len());
        self.block(BlockKind::Literal, frame, at, next, depth);
        next
    }

    pub(super) fn prose(&mut self, lines: &[Piece<'_>]) {
        if self.tables == 0 {
            self.rst.prose.extend(lines.iter().map(|(line, number)| (*number, (*line).to_owned())));
        }
        self.inline(lines);
    }

    /// Reads the marks within lines that belong together.
    pub(super) fn inline(&mut self, lines: &[Piece<'_>]) {
        inline::read(lines, &mut self.rst);
    }

    /// A comment, and where the next construct may begin.
    pub(super) fn comment(&mut self, frame: &Frame<'_>, at: usize, depth: usize) -> usize {
        let is_bare = frame.line(at).is_some_and(|line| line.trim_end() == "..");
        let next = if is_bare && frame.is_blank(at + 1) { at + 1 } else { frame.below(at, 2).next };
        self.block(BlockKind::Comment, frame, at, next, depth);
        next
    }
}

/// The index of the last line before `next` that is not blank, from `at` on.
pub(super) fn last_filled(frame: &Frame<'_>, at: usize, next: usize) -> usize {
    (at..next.min(frame.len())).rev().find(|index| !frame.is_blank(*index)).unwrap_or(at)
}

fn is_line_block(line: &str) -> bool {
    line == "|" || line.starts_with("| ")
}

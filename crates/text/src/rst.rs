//! reStructuredText: the block structure of docutils, as far as prose needs it.

mod inline;
mod table;

use crate::document::{BlockKind, Builder, Prose, RunKind};
use inline::inline;
pub(crate) use inline::{unmarked, with_roles_shown, words as inline_words};
use std::ops::Range;

/// One line: where it starts, how far it is indented, its text without indentation and line end.
#[derive(Debug, Clone, Copy)]
struct Line<'t> {
    /// Offset of the first byte of `text`.
    at: usize,
    indent: usize,
    text: &'t str,
}

impl Line<'_> {
    fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

pub(crate) fn parse(text: &str, builder: &mut Builder) {
    let mut lines = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end();
        let words = body.trim_start_matches([' ', '\t', '\u{feff}']);
        let lead = &body[..body.len() - words.len()];
        let indent = lead.chars().map(|c| if c == '\t' { 8 } else { usize::from(c != '\u{feff}') }).sum();
        lines.push(Line {
            at: offset + lead.len(),
            indent: if words.is_empty() { 0 } else { indent },
            text: words,
        });
        offset += line.len();
    }
    Blocks { builder, styles: Vec::new() }.body(&lines);
}

struct Blocks<'b> {
    builder: &'b mut Builder,
    /// The heading styles met, outermost first: the character, and whether it stands above too.
    styles: Vec<(char, bool)>,
}

/// Directives whose content is a note.
const ADMONITIONS: &[&str] = &[
    "admonition",
    "attention",
    "caution",
    "danger",
    "deprecated",
    "error",
    "hint",
    "important",
    "note",
    "seealso",
    "tip",
    "topic",
    "versionadded",
    "versionchanged",
    "versionremoved",
    "warning",
];

/// Directives whose content is prose, laid out.
const LAYOUT: &[&str] = &[
    "card",
    "centered",
    "class",
    "compound",
    "container",
    "epigraph",
    "figure",
    "glossary",
    "grid",
    "grid-item",
    "grid-item-card",
    "highlights",
    "hlist",
    "list-table",
    "only",
    "pull-quote",
    "rst-class",
    "rubric",
    "sidebar",
    "tab-set",
    "table",
    "tabs",
];

impl Blocks<'_> {
    fn body(&mut self, lines: &[Line<'_>]) {
        let mut at = 0;
        while at < lines.len() {
            let line = &lines[at];
            if line.is_blank() {
                at += 1;
                continue;
            }
            let base = base_indent(&lines[at..]);
            at += if line.indent > base {
                self.quote(&lines[at..], base)
            } else if let Some(used) = self.title(&lines[at..]) {
                used
            } else {
                self.block(&lines[at..], base)
            };
        }
    }

    fn block(&mut self, lines: &[Line<'_>], base: usize) -> usize {
        let line = &lines[0];
        if line.text == ".." || line.text.starts_with(".. ") {
            return self.explicit(lines, base);
        }
        if let Some(marker) = list_marker(line.text) {
            return self.list(lines, base, marker);
        }
        if let Some(rows) = table::rows(lines) {
            return self.table(lines, &rows);
        }
        if field(line.text).is_some() {
            return self.field(lines, base);
        }
        if line.text.starts_with(">>> ") {
            let used = lines.iter().position(Line::is_blank).unwrap_or(lines.len());
            self.code(&lines[..used]);
            return used;
        }
        let is_definition = lines.get(1).is_some_and(|next| !next.is_blank() && next.indent > base);
        if is_definition && !line.text.ends_with("::") {
            self.leaf(BlockKind::Term, &lines[..1]);
            let used = 1 + indented(&lines[1..], base);
            self.builder.open(BlockKind::Definition, span(&lines[1..used]));
            self.body(&lines[1..used]);
            self.builder.close();
            return used;
        }
        self.paragraph(lines, base)
    }

    fn paragraph(&mut self, lines: &[Line<'_>], base: usize) -> usize {
        let mut used =
            lines.iter().position(|line| line.is_blank() || line.indent != base).unwrap_or(lines.len());
        used = used.max(1);
        let literal = lines[used - 1].text.ends_with("::");
        if literal {
            let mut kept: Vec<Line<'_>> = lines[..used].to_vec();
            if let Some(last) = kept.last_mut() {
                // `text::` shows one colon, `text ::` and `::` none.
                let stripped = last.text.trim_end_matches(':');
                let shown = if stripped.ends_with(' ') || stripped.is_empty() { 0 } else { 1 };
                last.text = last.text[..stripped.len() + shown].trim_end();
            }
            self.leaf(BlockKind::Paragraph, &kept);
            let body = indented(&lines[used..], base);
            self.code(&lines[used..used + body]);
            used += body;
        } else {
            self.leaf(BlockKind::Paragraph, &lines[..used]);
        }
        used
    }

    fn quote(&mut self, lines: &[Line<'_>], base: usize) -> usize {
        let used = indented(lines, base);
        self.builder.open(BlockKind::Quote, span(&lines[..used]));
        self.body(&lines[..used]);
        self.builder.close();
        used
    }

    fn title(&mut self, lines: &[Line<'_>]) -> Option<usize> {
        let [first, second, ..] = lines else { return None };
        let (text, style, used) = match (adornment(first.text), adornment(second.text)) {
            (Some(over), _) => {
                let under = lines.get(2).and_then(|line| adornment(line.text))?;
                let fits = over == under && !second.is_blank() && first.text.len() >= width(second.text);
                if !fits {
                    return None;
                }
                (second, (over, true), 3)
            }
            (None, Some(under)) if first.indent == 0 && second.indent == 0 => {
                if second.text.len() < width(first.text).min(4) {
                    return None;
                }
                (first, (under, false), 2)
            }
            _ => return None,
        };
        let level = match self.styles.iter().position(|known| *known == style) {
            Some(level) => level,
            None => {
                self.styles.push(style);
                self.styles.len() - 1
            }
        };
        let level = u8::try_from(level + 1).unwrap_or(u8::MAX);
        self.builder.heading(level, span(&lines[..used]), inline(&[*text]));
        Some(used)
    }

    fn list(&mut self, lines: &[Line<'_>], base: usize, first: Marker) -> usize {
        let mut used = 0;
        let mut items = Vec::new();
        while used < lines.len() {
            let next = used + lines[used..].iter().take_while(|line| line.is_blank()).count();
            let Some(line) = lines.get(next) else { break };
            let Some(marker) = list_marker(line.text).filter(|marker| marker.ordered == first.ordered) else {
                break;
            };
            if line.indent != base {
                break;
            }
            let body = 1 + indented(&lines[next + 1..], base);
            items.push((next, next + body, marker.width));
            used = next + body;
        }
        self.builder.open(BlockKind::List { ordered: first.ordered }, span(&lines[..used]));
        for (start, end, width) in items {
            self.builder.open(BlockKind::Item { task: None }, span(&lines[start..end]));
            let mut content: Vec<Line<'_>> = lines[start..end].to_vec();
            shift(&mut content[0], width);
            self.item(&content);
            self.builder.close();
        }
        self.builder.close();
        used
    }

    /// The content of an item: the first line may be indented otherwise than the ones below.
    fn item(&mut self, content: &[Line<'_>]) {
        let below = content[1..].iter().filter(|line| !line.is_blank()).map(|line| line.indent).min();
        let mut content = content.to_vec();
        if let (Some(indent), Some(head)) = (below, content.first_mut()) {
            head.indent = head.indent.min(indent);
        }
        if let Some(task) = task_box(content[0].text) {
            self.builder.retag(BlockKind::Item { task: Some(task) });
            let indent = content[0].indent;
            shift(&mut content[0], 4);
            content[0].indent = indent;
        }
        self.body(&content);
    }

    fn table(&mut self, lines: &[Line<'_>], table: &table::Rows<'_>) -> usize {
        self.builder.open(BlockKind::Table, span(&lines[..table.used]));
        for (header, row) in &table.rows {
            let all: Vec<Line<'_>> = row.iter().flatten().copied().collect();
            self.builder.open(BlockKind::Row { header: *header }, span(&all));
            for cell in row {
                self.leaf(BlockKind::Cell, cell);
            }
            self.builder.close();
        }
        self.builder.close();
        table.used
    }

    fn field(&mut self, lines: &[Line<'_>], base: usize) -> usize {
        let line = &lines[0];
        let used = 1 + indented(&lines[1..], base);
        if let Some((name, width)) = field(line.text) {
            self.builder.open(BlockKind::Field { key: name.to_owned() }, span(&lines[..used]));
            let mut content = lines[..used].to_vec();
            shift(&mut content[0], width);
            self.item(&content);
            self.builder.close();
        }
        used
    }

    fn explicit(&mut self, lines: &[Line<'_>], base: usize) -> usize {
        let head = &lines[0];
        let used = 1 + indented(&lines[1..], base);
        let rest = head.text[2..].trim_start();
        let mut content = lines[..used].to_vec();
        shift(&mut content[0], head.text.len() - rest.len());
        if let Some((name, argument)) = directive(rest) {
            shift(&mut content[0], rest.len() - argument.len());
            self.directive(name, &content);
        } else if rest.starts_with('[') && rest.contains("] ") {
            shift(&mut content[0], rest.find("] ").map_or(0, |at| at + 2));
            self.builder.open(BlockKind::Definition, span(&content));
            self.item(&content);
            self.builder.close();
        } else if !(rest.starts_with('_') || rest.starts_with('|') || rest.starts_with("__")) {
            self.builder.open(BlockKind::Comment, span(&lines[..used]));
            self.item(&content);
            self.builder.close();
        }
        used
    }

    fn directive(&mut self, name: &str, content: &[Line<'_>]) {
        let argument = content[0];
        let options = content[1..].iter().take_while(|line| field(line.text).is_some()).count();
        let body = &content[1 + options..];
        let kind = if ADMONITIONS.contains(&name) {
            BlockKind::Admonition { label: name.to_owned() }
        } else if matches!(name, "tab-item" | "tab" | "code-tab" | "group-tab") {
            BlockKind::Tab { label: argument.text.to_owned() }
        } else if matches!(name, "dropdown" | "details" | "collapse") {
            BlockKind::Details { summary: argument.text.to_owned() }
        } else if LAYOUT.contains(&name) {
            BlockKind::Quote
        } else {
            self.code(body);
            return;
        };
        let labelled = matches!(kind, BlockKind::Tab { .. } | BlockKind::Details { .. });
        self.builder.open(kind, span(content));
        if !argument.is_blank()
            && !labelled
            && !matches!(name, "only" | "class" | "rst-class" | "grid" | "figure")
        {
            // Without options the first paragraph may begin on the directive's own line.
            let lead = if options == 0 { body.iter().take_while(|line| !line.is_blank()).count() } else { 0 };
            self.leaf(BlockKind::Paragraph, &[&[argument], &body[..lead]].concat());
            self.body(&body[lead..]);
        } else {
            self.body(body);
        }
        self.builder.close();
    }

    fn code(&mut self, lines: &[Line<'_>]) {
        let mut prose = Prose::default();
        for line in lines {
            if !prose.plain.is_empty() {
                prose.push_text("\n", line.at..line.at);
            }
            prose.push(line.text, line.at..line.end(), line.at..line.end(), RunKind::Text);
        }
        self.builder.leaf(BlockKind::Code, span(lines), prose);
    }

    fn leaf(&mut self, kind: BlockKind, lines: &[Line<'_>]) {
        self.builder.leaf(kind, span(lines), inline(lines));
    }
}

/// Moves the start of a line past a marker.
fn shift(line: &mut Line<'_>, width: usize) {
    line.at += width;
    line.indent += width;
    line.text = &line.text[width..];
}

/// The bytes from the first line's text to the last one's.
fn span(lines: &[Line<'_>]) -> Range<usize> {
    let mut filled = lines.iter().filter(|line| !line.is_blank());
    let start = filled.next().map_or(0, |line| line.at);
    let end = lines.iter().rev().find(|line| !line.is_blank()).map_or(start, Line::end);
    start..end.max(start)
}

fn base_indent(lines: &[Line<'_>]) -> usize {
    lines.iter().filter(|line| !line.is_blank()).map(|line| line.indent).min().unwrap_or(0)
}

/// How many lines from the start are blank or indented deeper than `base`, trailing blanks left out.
fn indented(lines: &[Line<'_>], base: usize) -> usize {
    let run = lines.iter().take_while(|line| line.is_blank() || line.indent > base).count();
    lines[..run].iter().rposition(|line| !line.is_blank()).map_or(0, |last| last + 1)
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// The character of a line that only repeats one punctuation mark.
fn adornment(text: &str) -> Option<char> {
    let first = text.chars().next().filter(char::is_ascii_punctuation)?;
    (text.len() >= 2 && text.chars().all(|c| c == first) && !(first == '.' && text.len() < 4))
        .then_some(first)
}

#[derive(Debug, Clone, Copy)]
struct Marker {
    ordered: bool,
    /// Bytes up to the item's text.
    width: usize,
}

fn list_marker(text: &str) -> Option<Marker> {
    let mut chars = text.char_indices();
    let (_, first) = chars.next()?;
    if matches!(first, '-' | '*' | '+' | '•' | '‣') {
        let after = text[first.len_utf8()..].strip_prefix(' ')?;
        let words = after.trim_start();
        return (!words.is_empty()).then_some(Marker { ordered: false, width: text.len() - words.len() });
    }
    let (open, body) = match text.strip_prefix('(') {
        Some(body) => (1, body),
        None => (0, text),
    };
    let end = body.find(|c: char| !c.is_ascii_alphanumeric() && c != '#')?;
    let label = &body[..end];
    let numbered = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit()) && label.len() < 4;
    if !(numbered || label == "#" || (label.len() == 1 && label.is_ascii())) {
        return None;
    }
    let closing = body[end..].chars().next()?;
    let closes = if open == 1 { closing == ')' } else { matches!(closing, '.' | ')') };
    let after = body[end + closing.len_utf8()..].strip_prefix(' ').filter(|_| closes)?;
    let words = after.trim_start();
    (!words.is_empty()).then_some(Marker { ordered: true, width: text.len() - words.len() })
}

fn task_box(text: &str) -> Option<bool> {
    match text.get(..4)? {
        "[ ] " => Some(false),
        "[x] " | "[X] " => Some(true),
        _ => None,
    }
}

/// The name of a field and the bytes up to its value.
fn field(text: &str) -> Option<(&str, usize)> {
    let body = text.strip_prefix(':')?;
    let end = body.find(':')?;
    let name = &body[..end];
    let after = &body[end + 1..];
    let named = !name.is_empty() && !name.starts_with(' ') && !name.contains('`');
    let parted = after.is_empty() || after.starts_with(' ');
    (named && parted).then(|| (name, text.len() - after.trim_start().len()))
}

/// The name of a directive and its argument.
fn directive(text: &str) -> Option<(&str, &str)> {
    let end = text.find("::")?;
    let name = text[..end].trim_end();
    let named = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '+'));
    named.then(|| (name, text[end + 2..].trim_start()))
}

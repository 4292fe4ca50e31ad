//! A source's quoting text with everything that a position needs: its block, its section, its element.
//!
//! The types serve every format. For a repository file the quoting text is the file's own text,
//! comments included, and each block knows which bytes of it are words and which are markup; for a
//! page it is the text of a walk of its elements, where the two are the same.

use crate::page::PageParts;
use polc_records::Digest;
use polc_records::locator::SectionPath;
use std::ops::Range;
use std::path::Path;

/// Index of a block in [`Document::blocks`].
pub type BlockId = usize;

/// The format that a source is parsed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// CommonMark with tables, task lists, footnotes and alerts; HTML comments are kept.
    Markdown,
    /// reStructuredText.
    RestructuredText,
    /// YAML: every scalar, and every comment that has a line of its own.
    Yaml,
    /// Anything else: one block, not prose.
    Plain,
    /// A rendered page: a walk of its content, whose text is the quoting text.
    Html,
}

impl Format {
    /// The format that a path's ending asks for.
    pub fn of_path(path: &str) -> Format {
        let path = Path::new(path);
        let extension =
            path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
        match extension.as_deref() {
            Some("md" | "markdown" | "mdown" | "mdc" | "txt") => Format::Markdown,
            Some("rst" | "rest") => Format::RestructuredText,
            Some("html" | "htm" | "xhtml") => Format::Html,
            Some("yml" | "yaml") => Format::Yaml,
            Some(_) => Format::Plain,
            None => {
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                if name.eq_ignore_ascii_case("codeowners") { Format::Plain } else { Format::Markdown }
            }
        }
    }

    /// Name and version of the function that makes the quoting text: a change of what it returns
    /// for any input is a new version.
    pub const fn derivation(self) -> &'static str {
        match self {
            Format::Markdown => "markdown/1",
            Format::RestructuredText => "rst/1",
            Format::Yaml => "yaml/1",
            Format::Plain => "plain/1",
            Format::Html => "html/2",
        }
    }
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading; its prose is the heading's text.
    Heading,
    /// Running text.
    Paragraph,
    /// A list; its children are items.
    List {
        /// Whether the items are numbered.
        ordered: bool,
    },
    /// One item of a list.
    Item {
        /// The state of its check box, where it has one.
        task: Option<bool>,
    },
    /// The term of a definition list.
    Term,
    /// What is said of the term before it.
    Definition,
    /// A quotation.
    Quote,
    /// A note, warning, tip and so on.
    Admonition {
        /// The kind, in lower case.
        label: String,
    },
    /// A table; its children are rows.
    Table,
    /// A row; its children are cells.
    Row {
        /// Whether it is the heading of the table.
        header: bool,
    },
    /// One cell.
    Cell,
    /// Code, or anything else that is not prose.
    Code,
    /// A part that can be folded away.
    Details {
        /// What stands there when it is.
        summary: String,
    },
    /// One of several alternatives of which a page shows one.
    Tab {
        /// Its label.
        label: String,
    },
    /// A comment: not shown in a rendered view.
    Comment,
    /// A value under a key: YAML, front matter, field lists.
    Field {
        /// The key, with the keys above it.
        key: String,
    },
}

/// A stretch of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKind {
    /// Text.
    Text,
    /// A code span: its words are literal.
    Code,
}

/// A stretch of a block's plain words and the bytes of the quoting text that they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// In [`Prose::plain`].
    pub plain: Range<usize>,
    /// In [`Document::text`]. Where the two differ in length (an entity), they stand for each other
    /// as a whole.
    pub source: Range<usize>,
    /// The same with the marks of a code span.
    pub outer: Range<usize>,
    /// What it is.
    pub kind: RunKind,
}

/// The words of a block, inline markup taken away by parsing it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prose {
    /// The words.
    pub plain: String,
    /// Where they come from, in order, without overlap.
    pub runs: Vec<Run>,
    /// What they link to.
    pub links: Vec<(Range<usize>, String)>,
}

impl Prose {
    /// Appends words.
    pub(crate) fn push(&mut self, words: &str, source: Range<usize>, outer: Range<usize>, kind: RunKind) {
        if words.is_empty() {
            return;
        }
        let start = self.plain.len();
        self.plain.push_str(words);
        self.runs.push(Run { plain: start..self.plain.len(), source, outer, kind });
    }

    /// Appends text that is its own source.
    pub(crate) fn push_text(&mut self, words: &str, source: Range<usize>) {
        self.push(words, source.clone(), source, RunKind::Text);
    }

    /// The bytes of the quoting text behind a range of plain words.
    pub fn to_source(&self, plain: Range<usize>) -> Option<Range<usize>> {
        let first = self.runs.iter().find(|run| run.plain.end > plain.start)?;
        let last = self.runs.iter().rev().find(|run| run.plain.start < plain.end)?;
        let linear = |run: &Run| run.plain.len() == run.source.len();
        let start = if linear(first) && plain.start > first.plain.start {
            first.source.start + (plain.start - first.plain.start)
        } else {
            first.source.start
        };
        let end = if linear(last) && plain.end < last.plain.end {
            last.source.end - (last.plain.end - plain.end)
        } else {
            last.source.end
        };
        (start < end).then_some(start..end)
    }

    /// Plain words as they are quoted: white space folded, code spans with the source's own marks.
    pub fn quote(&self, text: &str, plain: &Range<usize>) -> String {
        let mut quote = String::new();
        for run in &self.runs {
            let start = run.plain.start.max(plain.start);
            let end = run.plain.end.min(plain.end);
            if start >= end {
                continue;
            }
            let words = &self.plain[start..end];
            if run.kind == RunKind::Code && start == run.plain.start && end == run.plain.end {
                quote.push_str(&text[run.outer.clone()]);
            } else {
                quote.push_str(words);
            }
        }
        fold_space(&quote)
    }

    /// Whether a position of the plain words lies within a code span.
    pub fn in_code(&self, at: usize) -> bool {
        self.runs.iter().any(|run| run.kind == RunKind::Code && run.plain.start <= at && at < run.plain.end)
    }

    /// The code spans that lie within a range of the plain words.
    pub fn code_within(&self, range: &Range<usize>) -> impl Iterator<Item = &str> {
        self.runs
            .iter()
            .filter(|run| {
                run.kind == RunKind::Code && range.start <= run.plain.start && run.plain.end <= range.end
            })
            .map(|run| &self.plain[run.plain.clone()])
    }
}

/// White space folded to single spaces, none at the ends.
pub fn fold_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// One block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// The block it stands in.
    pub parent: Option<BlockId>,
    /// Its section, an index of [`Document::sections`].
    pub section: usize,
    /// Its bytes in the quoting text.
    pub range: Range<usize>,
    /// Whether a rendered view hides it.
    pub hidden: bool,
    /// Its words; a block that only holds others has none.
    pub prose: Prose,
}

/// A section: the text from one heading to the next, whatever their levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The headings above its text, the document's title left out where there is more below it.
    pub path: SectionPath,
    /// The id that a link to it points to.
    pub anchor: Option<String>,
    /// Its bytes in the quoting text, heading included.
    pub range: Range<usize>,
}

/// One source, ready to be quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The bytes that it was derived from.
    pub snapshot: Digest,
    /// How they were read.
    pub format: Format,
    /// The quoting text.
    pub text: String,
    /// The document's title: its only heading of the highest level, where it comes first.
    pub title: Option<String>,
    /// The sections in order. The first is what stands before any heading; it may be empty.
    pub sections: Vec<Section>,
    /// The blocks in document order, parents before children.
    pub blocks: Vec<Block>,
}

/// Bytes that are no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset} is not UTF-8; save the file as UTF-8, or exclude it in the manifest")]
pub struct NotText {
    /// The first bad byte.
    pub offset: usize,
}

impl Document {
    /// Derives the document from a snapshot's bytes.
    ///
    /// # Errors
    /// Where the bytes are not UTF-8 (a byte-order mark is allowed).
    pub fn derive(bytes: &[u8], format: Format) -> Result<Document, NotText> {
        let text = std::str::from_utf8(bytes).map_err(|error| NotText { offset: error.valid_up_to() })?;
        Ok(Document::of_text(text, format))
    }

    /// Derives the document from text.
    pub(crate) fn of_text(text: &str, format: Format) -> Document {
        let mut builder = Builder::new(text);
        let snapshot = Digest::of(text.as_bytes());
        match format {
            Format::Markdown => crate::markdown::parse(text, &mut builder),
            Format::RestructuredText => crate::rst::parse(text, &mut builder),
            Format::Yaml => crate::yaml::parse(text, &mut builder),
            Format::Plain => crate::plain::parse(text, &mut builder),
            Format::Html => return Document::of_page(snapshot, text, &PageParts::default()),
        }
        builder.finish(snapshot, format)
    }

    /// Derives the document from the text of a rendered page, decoded already. Its quoting text is what
    /// a walk of the content gives, whatever the page's own white space.
    pub fn of_page(snapshot: Digest, html: &str, parts: &PageParts) -> Document {
        let mut builder = Builder::new("");
        crate::page::parse(html, parts, &mut builder);
        builder.finish(snapshot, Format::Html)
    }

    /// The section of a block.
    pub fn section_of(&self, block: &Block) -> &Section {
        &self.sections[block.section]
    }

    /// The blocks within which a block stands, innermost first.
    pub fn ancestors(&self, id: BlockId) -> impl Iterator<Item = (BlockId, &Block)> {
        std::iter::successors(self.blocks[id].parent, |id| self.blocks[*id].parent)
            .map(|id| (id, &self.blocks[id]))
    }

    /// The children of a block, in order.
    pub fn children(&self, id: BlockId) -> impl Iterator<Item = (BlockId, &Block)> {
        self.blocks.iter().enumerate().skip(id + 1).filter(move |(_, block)| block.parent == Some(id))
    }

    /// The block before this one among those that stand in the same block.
    pub fn previous_sibling(&self, id: BlockId) -> Option<BlockId> {
        let parent = self.blocks[id].parent;
        (0..id).rev().find(|earlier| self.blocks[*earlier].parent == parent)
    }

    /// The line, from 1, of a byte of the quoting text.
    pub fn line(&self, offset: usize) -> usize {
        self.text.as_bytes()[..offset.min(self.text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
    }
}

/// Collects sections and blocks while a format is parsed.
pub(crate) struct Builder {
    text: String,
    headings: Vec<Heading>,
    blocks: Vec<Block>,
    open: Vec<BlockId>,
    /// How deep in hidden blocks the parser is.
    hidden: usize,
    anchors: std::collections::BTreeMap<String, usize>,
}

struct Heading {
    level: u8,
    text: String,
    anchor: Option<String>,
    start: usize,
    /// Whether it is a heading of the text, and not only a name.
    is_heading: bool,
}

impl Builder {
    fn new(text: &str) -> Self {
        Builder {
            text: text.to_owned(),
            headings: Vec::new(),
            blocks: Vec::new(),
            open: Vec::new(),
            hidden: 0,
            anchors: std::collections::BTreeMap::new(),
        }
    }

    /// Opens a block that others will stand in.
    pub(crate) fn open(&mut self, kind: BlockKind, range: Range<usize>) -> BlockId {
        if kind == BlockKind::Comment {
            self.hidden += 1;
        }
        let id = self.push(kind, range, Prose::default());
        self.open.push(id);
        id
    }

    /// Says where a block lies, once its end is known.
    pub(crate) fn ends(&mut self, id: BlockId, range: Range<usize>) {
        self.blocks[id].range = range;
    }

    /// Closes the block that was opened last.
    pub(crate) fn close(&mut self) {
        if let Some(id) = self.open.pop()
            && self.blocks[id].kind == BlockKind::Comment
        {
            self.hidden -= 1;
        }
    }

    /// Adds a block with words.
    pub(crate) fn leaf(&mut self, kind: BlockKind, range: Range<usize>, prose: Prose) {
        if !prose.plain.trim().is_empty() {
            self.push(kind, range, prose);
        }
    }

    fn push(&mut self, kind: BlockKind, range: Range<usize>, prose: Prose) -> BlockId {
        let block = Block {
            kind,
            parent: self.open.last().copied(),
            section: self.headings.len(),
            range,
            hidden: self.hidden > 0,
            prose,
        };
        self.blocks.push(block);
        self.blocks.len() - 1
    }

    /// Adds a heading. One inside a comment or another block makes no section.
    pub(crate) fn heading(&mut self, level: u8, range: Range<usize>, prose: Prose) {
        if prose.plain.trim().is_empty() {
            return;
        }
        if self.hidden > 0 || !self.open.is_empty() {
            self.leaf(BlockKind::Paragraph, range, prose);
            return;
        }
        let text = fold_space(&prose.plain);
        let anchor = self.anchor(&text);
        self.headings.push(Heading { level, text, anchor, start: range.start, is_heading: true });
        self.push(BlockKind::Heading, range, prose);
    }

    /// Adds text to the quoting text of a page, and gives where it stands.
    pub(crate) fn write(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }

    /// Lets the last words link to something.
    pub(crate) fn linked(&mut self, target: &str) {
        if let Some(Block { prose, .. }) =
            self.blocks.iter_mut().rev().find(|block| !block.prose.plain.is_empty())
        {
            prose.links.push((0..prose.plain.len(), target.to_owned()));
        }
    }

    /// Gives the last heading the id that its page has for it.
    pub(crate) fn anchored(&mut self, id: Option<&str>) {
        if let Some(last) = self.headings.last_mut() {
            last.anchor = id.map(str::to_owned);
        }
    }

    /// A section that has a name but no heading of its own: a key of YAML.
    pub(crate) fn section(&mut self, level: u8, name: &str, start: usize) {
        let text = name.to_owned();
        self.headings.push(Heading { level, text, anchor: None, start, is_heading: false });
    }

    /// The name of the section that is open.
    pub(crate) fn last_section(&self) -> Option<&str> {
        self.headings.last().map(|heading| heading.text.as_str())
    }

    /// The id that code hosts give a heading.
    fn anchor(&mut self, heading: &str) -> Option<String> {
        let mut slug = String::new();
        for c in heading.to_lowercase().chars() {
            if c.is_alphanumeric() || c == '-' || c == '_' {
                slug.push(c);
            } else if c == ' ' {
                slug.push('-');
            }
        }
        let count = self.anchors.entry(slug.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            slug = format!("{slug}-{}", *count - 1);
        }
        (!slug.is_empty()).then_some(slug)
    }

    /// Changes the kind of the block that was opened last.
    pub(crate) fn retag(&mut self, kind: BlockKind) {
        if let Some(id) = self.open.last() {
            self.blocks[*id].kind = kind;
        }
    }

    fn finish(self, snapshot: Digest, format: Format) -> Document {
        let title = self.title();
        let skip = usize::from(title.is_some() && self.headings.len() > 1);
        let mut sections =
            vec![Section { path: SectionPath::default(), anchor: None, range: 0..self.text.len() }];
        let mut above: Vec<&Heading> = Vec::new();
        for (index, heading) in self.headings.iter().enumerate() {
            while above.last().is_some_and(|last| last.level >= heading.level) {
                above.pop();
            }
            above.push(heading);
            let path = above.iter().map(|heading| heading.text.clone());
            let path: Vec<String> = if index == 0 { path.collect() } else { path.skip(skip).collect() };
            if let Some(last) = sections.last_mut() {
                last.range.end = heading.start;
            }
            sections.push(Section {
                path: SectionPath(path),
                anchor: heading.anchor.clone(),
                range: heading.start..self.text.len(),
            });
        }
        Document { snapshot, format, text: self.text, title, sections, blocks: self.blocks }
    }

    fn title(&self) -> Option<String> {
        let first = self.headings.first()?;
        let alone = self.headings[1..].iter().all(|heading| heading.level > first.level);
        (alone && first.is_heading).then(|| first.text.clone())
    }
}

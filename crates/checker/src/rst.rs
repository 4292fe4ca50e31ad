//! reStructuredText as checkers need it: headings with their adornment, directives, roles, literals, links,
//! lists, and the prose between them, read as docutils reads them. Every construct says its lines.
//!
//! What a directive holds is read on, but for those whose body is text of its own (`code-block` and the like,
//! [`Dialect::verbatim`]). Nothing is looked up: an unknown directive or role is as good as a known one.

mod block;
mod explicit;
mod frame;
mod inline;
mod list;
mod table;

use std::ops::RangeInclusive;

/// How deep constructs may stand in one another. What stands deeper is not read.
const DEEPEST: usize = 40;

/// What directives cannot say of themselves. `Dialect::default()` knows those of docutils and Sphinx.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dialect<'d> {
    /// Directives whose body is no reStructuredText, beyond those that are known.
    pub verbatim: &'d [&'d str],
    /// Directives without an argument, whose text may begin on their first line, beyond those that are known.
    pub unargued: &'d [&'d str],
}

/// Directives of docutils and Sphinx whose body is no reStructuredText.
pub const VERBATIM: &[&str] = &[
    "autosummary",
    "bibliography",
    "code",
    "code-block",
    "console",
    "csv-table",
    "currentmodule",
    "default-domain",
    "default-role",
    "digraph",
    "doctest",
    "graph",
    "graphviz",
    "highlight",
    "include",
    "index",
    "inheritance-diagram",
    "ipython",
    "jupyter-execute",
    "literalinclude",
    "math",
    "mermaid",
    "meta",
    "minigallery",
    "module",
    "nbinput",
    "nboutput",
    "parsed-literal",
    "plot",
    "productionlist",
    "program-output",
    "prompt",
    "raw",
    "role",
    "sourcecode",
    "testcleanup",
    "testcode",
    "testoutput",
    "testsetup",
    "tikz",
    "toctree",
    "unicode",
];

/// Directives of docutils and Sphinx whose text may begin on their first line.
pub const UNARGUED: &[&str] = &[
    "attention",
    "caution",
    "compound",
    "danger",
    "epigraph",
    "error",
    "hint",
    "highlights",
    "hlist",
    "important",
    "line-block",
    "math",
    "note",
    "parsed-literal",
    "pull-quote",
    "replace",
    "seealso",
    "tip",
    "todo",
    "warning",
    "meta",
];

impl Dialect<'_> {
    fn is_verbatim(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        VERBATIM.contains(&name.as_str()) || self.verbatim.contains(&name.as_str())
    }

    fn is_unargued(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        UNARGUED.contains(&name.as_str()) || self.unargued.contains(&name.as_str())
    }
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// From 1, by the order in which adornments appear in the text.
    pub level: usize,
    /// Its text, with inline marks.
    pub text: String,
    /// The character that adorns it.
    pub adornment: char,
    /// How many characters stand below it.
    pub underline: usize,
    /// How many characters stand above it, where any do.
    pub overline: Option<usize>,
    /// How many columns its text takes; wide characters take two.
    pub width: usize,
    /// The number of the line of its text, from 1.
    pub line: usize,
    /// Its lines, with the adornment.
    pub lines: RangeInclusive<usize>,
    /// How many constructs it stands in: 0 for a section of the document.
    pub depth: usize,
}

impl Heading {
    /// Whether the adornment is as long as the text, and as long above as below: `Title` over `=====`.
    pub fn is_adorned_in_full(&self) -> bool {
        self.underline >= self.width && self.overline.is_none_or(|overline| overline == self.underline)
    }

    /// Whether the adornment is exactly as long as the text.
    pub fn is_adorned_exactly(&self) -> bool {
        self.underline == self.width && self.overline.is_none_or(|overline| overline == self.width)
    }
}

/// A name with a value: an option of a directive, or a field of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// What stands between the colons.
    pub name: String,
    /// What stands behind them, lines joined.
    pub value: String,
    /// The number of its first line, from 1.
    pub line: usize,
}

/// A directive: `.. name:: argument`, its options, its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// Its name, with the domain where one is written: `py:function`.
    pub name: String,
    /// What stands behind the name, lines joined; empty where nothing does.
    pub argument: String,
    /// Its options, in order.
    pub options: Vec<Field>,
    /// The lines of its body; none where it has no body.
    pub body: Option<RangeInclusive<usize>>,
    /// Its body, without the indentation.
    pub text: String,
    /// What it is substituted for: the name in `.. |name| image:: x`.
    pub substitutes: Option<String>,
    /// The number of its first line, from 1.
    pub line: usize,
    /// Its lines.
    pub lines: RangeInclusive<usize>,
    /// How many constructs it stands in.
    pub depth: usize,
}

impl Directive {
    /// The value of an option: `directive.option("maxdepth")`.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|option| option.name == name).map(|option| option.value.as_str())
    }

    /// The name without its domain: `function` of `py:function`.
    pub fn bare_name(&self) -> &str {
        self.name.rsplit(':').next().unwrap_or(&self.name)
    }
}

/// Text with a role: `` :name:`text` ``, or `` `text` `` with the default one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    /// The name, with the domain where one is written; none for the default role.
    pub name: Option<String>,
    /// What stands between the backquotes, without the target.
    pub text: String,
    /// What stands between `<` and `>` behind the text.
    pub target: Option<String>,
    /// The number of the line that it begins on, from 1.
    pub line: usize,
}

impl Role {
    /// The name without its domain: `meth` of `py:meth`.
    pub fn bare_name(&self) -> Option<&str> {
        self.name.as_deref().map(|name| name.rsplit(':').next().unwrap_or(name))
    }
}

/// Where a link goes, or a target stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// An address, or a path.
    Address(String),
    /// A name that is defined elsewhere.
    Name(String),
    /// The next anonymous target, or, for a target, the place where it stands.
    Here,
}

/// A link in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// What is read.
    pub text: String,
    /// Where it goes: a name for `text_`, an address for `` `text <address>`_ `` and for a bare address.
    pub to: Destination,
    /// Whether it ends in two underscores.
    pub is_anonymous: bool,
    /// The number of the line that it begins on, from 1.
    pub line: usize,
}

/// A target of links: `.. _name: address`, `.. _name:`, `__ address`, or `` _`name` `` in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTarget {
    /// Its name; none where it is anonymous.
    pub name: Option<String>,
    /// What it stands for.
    pub to: Destination,
    /// Its lines.
    pub lines: RangeInclusive<usize>,
}

/// What stands behind `.. [label]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The label: `1`, `#`, `#name` and `*` are footnotes, other names citations.
    pub label: String,
    /// Its lines.
    pub lines: RangeInclusive<usize>,
}

impl Note {
    /// Whether it is a footnote, and no citation.
    pub fn is_footnote(&self) -> bool {
        self.label.starts_with(['#', '*']) || self.label.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// What marks an item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListKind {
    /// `-`, `*`, `+` or a bullet.
    Bullet,
    /// A number or a letter.
    Enumerated,
    /// `:name: value`.
    Field,
    /// A term with an indented definition below it.
    Definition,
    /// `-o FILE  what it does`.
    Option,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What kind of list it is of.
    pub kind: ListKind,
    /// The bullet, the number, the name of the field, the term or the options.
    pub marker: String,
    /// Its lines.
    pub lines: RangeInclusive<usize>,
    /// How many constructs it stands in.
    pub depth: usize,
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockKind {
    /// Prose.
    Paragraph,
    /// The text behind `::`, indented or quoted.
    Literal,
    /// From `>>>` to the next blank line.
    Doctest,
    /// Lines behind `|`.
    Line,
    /// An indented text.
    Quote,
    /// `..` and no construct behind it.
    Comment,
    /// A table, with grid lines or without.
    Table,
    /// A line of marks between paragraphs.
    Transition,
}

/// A block that is no heading, directive, note, target or item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its lines.
    pub lines: RangeInclusive<usize>,
    /// How many constructs it stands in.
    pub depth: usize,
}

/// A span between `**`, `*`, ``` `` ```, or `|`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// What stands between the marks.
    pub text: String,
    /// The number of the line that it begins on, from 1.
    pub line: usize,
}

/// A text in reStructuredText.
#[derive(Debug, Clone, Default)]
pub struct Rst {
    blocks: Vec<Block>,
    headings: Vec<Heading>,
    directives: Vec<Directive>,
    items: Vec<Item>,
    notes: Vec<Note>,
    targets: Vec<LinkTarget>,
    roles: Vec<Role>,
    literals: Vec<Marked>,
    emphasis: Vec<Marked>,
    strong: Vec<Marked>,
    substitutions: Vec<Marked>,
    references: Vec<Marked>,
    links: Vec<Link>,
    prose: Vec<(usize, String)>,
    too_deep: Option<usize>,
}

impl Rst {
    /// Reads a text: `Rst::new(file.head_text()?)`.
    pub fn new(text: &str) -> Self {
        Rst::read(text, 1, false, &Dialect::default())
    }

    /// Reads a text whose directives are not those of docutils and Sphinx alone.
    pub fn with(text: &str, dialect: &Dialect<'_>) -> Self {
        Rst::read(text, 1, false, dialect)
    }

    /// Reads the text of a docstring: what its lines are indented by, the first one left out, is taken away.
    /// `first` is the number of the line that the text begins on.
    pub fn of_docstring(text: &str, first: usize, dialect: &Dialect<'_>) -> Self {
        Rst::read(text, first, true, dialect)
    }

    fn read(text: &str, first: usize, is_docstring: bool, dialect: &Dialect<'_>) -> Self {
        let mut lines = frame::expanded(text);
        if is_docstring {
            frame::dedent(&mut lines);
        }
        let pieces: Vec<_> = lines.iter().map(String::as_str).zip(first..).collect();
        let mut reader = block::Reader::new(dialect);
        reader.read(&frame::Frame::new(&pieces), 0);
        reader.finish()
    }

    /// The number of a line that stands in too many constructs to be read, where there is one. What is not
    /// found in such a text may be there all the same.
    pub fn too_deep(&self) -> Option<usize> {
        self.too_deep
    }

    /// The headings, in order.
    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// The heading whose text stands on a line, from 1.
    pub fn heading_at(&self, line: usize) -> Option<&Heading> {
        self.headings.iter().find(|heading| heading.line == line)
    }

    /// The heading that a line stands below: the last one above it.
    pub fn heading_over(&self, line: usize) -> Option<&Heading> {
        self.headings.iter().rev().find(|heading| heading.depth == 0 && *heading.lines.start() <= line)
    }

    /// The lines of the section with a heading, the heading left out, up to the next one of its level or above.
    /// The heading is compared without regard to case.
    pub fn section(&self, heading: &str) -> Option<RangeInclusive<usize>> {
        let at = self.headings.iter().position(|found| found.text.eq_ignore_ascii_case(heading))?;
        let (heading, behind) = (&self.headings[at], &self.headings[at + 1..]);
        let next = behind.iter().find(|next| next.depth == 0 && next.level <= heading.level);
        let end = next.map_or(usize::MAX, |next| next.lines.start() - 1);
        Some(heading.lines.end() + 1..=end)
    }

    /// The directives, in the order of their lines, nested ones too.
    pub fn directives(&self) -> &[Directive] {
        &self.directives
    }

    /// The directives with a name, the domain counted or not: `function` finds `py:function`.
    pub fn directives_named<'r>(&'r self, name: &'r str) -> impl Iterator<Item = &'r Directive> + 'r {
        self.directives.iter().filter(move |found| found.name == name || found.bare_name() == name)
    }

    /// The innermost directive that a line stands in, from 1.
    pub fn directive_around(&self, line: usize) -> Option<&Directive> {
        self.directives.iter().filter(|found| found.lines.contains(&line)).max_by_key(|found| found.depth)
    }

    /// The texts with a role, in order.
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// The inline literals: ``` ``x`` ```.
    pub fn literals(&self) -> &[Marked] {
        &self.literals
    }

    /// The emphasised texts: `*x*`.
    pub fn emphasis(&self) -> &[Marked] {
        &self.emphasis
    }

    /// The strongly emphasised texts: `**x**`.
    pub fn strong(&self) -> &[Marked] {
        &self.strong
    }

    /// The uses of substitutions: `|x|`. Their definitions are directives that substitute.
    pub fn substitutions(&self) -> &[Marked] {
        &self.substitutions
    }

    /// The references to footnotes and citations: `[x]_`.
    pub fn references(&self) -> &[Marked] {
        &self.references
    }

    /// The links, bare addresses among them.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The targets of links.
    pub fn targets(&self) -> &[LinkTarget] {
        &self.targets
    }

    /// The footnotes and citations.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The items of lists, in the order of their lines, nested ones too.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The other blocks, in the order of their lines.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The blocks of a kind.
    pub fn blocks_of(&self, kind: BlockKind) -> impl Iterator<Item = &Block> + '_ {
        self.blocks.iter().filter(move |block| block.kind == kind)
    }

    /// The lines of prose, with their numbers: paragraphs wherever they stand, without headings, tables, code,
    /// comments and the first lines of directives.
    pub fn prose(&self) -> impl Iterator<Item = (usize, &str)> + '_ {
        self.prose.iter().map(|(number, line)| (*number, line.as_str()))
    }

    /// Whether a line, from 1, is prose.
    pub fn is_prose(&self, line: usize) -> bool {
        self.prose.binary_search_by_key(&line, |(number, _)| *number).is_ok()
    }
}

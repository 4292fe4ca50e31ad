//! Markdown as checkers need it: headings, lines of prose, lists, check boxes, links, tables, code, comments,
//! admonitions; front matter left out. It is read as CommonMark with the extensions of GitHub.

mod admonition;
mod read;

use crate::pattern::Pattern;
use std::fmt;
use std::ops::RangeInclusive;

static BOX: Pattern = Pattern::new(r"^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s");

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// From 1.
    pub level: usize,
    /// Without its marks.
    pub text: String,
    /// The number of its line, from 1: the last one of its text, where it is underlined.
    pub line: usize,
}

/// A check box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckBox {
    /// What stands behind it.
    pub text: String,
    /// Whether it is ticked.
    pub ticked: bool,
    /// The number of its line, from 1.
    pub line: usize,
}

impl fmt::Display for CheckBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", if self.ticked { 'x' } else { ' ' }, self.text)
    }
}

/// A fenced block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// What stands behind the opening marks.
    pub info: String,
    /// The number of the line with the opening marks, from 1.
    pub line: usize,
    /// The lines between the marks.
    pub body: Vec<String>,
}

impl Fence {
    /// The language: the first word behind the marks, none for `{directive}`s.
    pub fn language(&self) -> Option<&str> {
        self.info.split([' ', ',', '{']).next().filter(|word| !word.is_empty())
    }

    /// The name of the directive that the fence is: `note` of `{note}`.
    pub fn directive(&self) -> Option<&str> {
        self.info.strip_prefix('{')?.split_once('}').map(|(name, _)| name)
    }
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its number, where the list is numbered.
    pub number: Option<u64>,
    /// Its lines.
    pub lines: RangeInclusive<usize>,
    /// How many lists it stands in, itself left out.
    pub depth: usize,
}

/// How a link is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// `[text](address)`.
    Inline,
    /// `[text][name]`, `[name][]` or `[name]`, with a definition elsewhere.
    Reference,
    /// `[name]: address`.
    Definition,
    /// `![text](address)`.
    Image,
    /// `<address>`.
    Autolink,
    /// An address with nothing around it.
    Bare,
}

/// A link, an image, or the definition of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// How it is written.
    pub kind: LinkKind,
    /// Where it goes.
    pub to: String,
    /// What is read; the name, for a definition.
    pub text: String,
    /// The number of the line that it begins on, from 1.
    pub line: usize,
}

/// A span of code within a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// What stands between the backquotes.
    pub text: String,
    /// The number of the line that it begins on, from 1.
    pub line: usize,
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockKind {
    /// Prose.
    Paragraph,
    /// Code without marks, by its indentation.
    IndentedCode,
    /// A table.
    Table,
    /// HTML.
    Html,
    /// Lines behind `>`.
    Quote,
    /// A line of marks between paragraphs.
    Rule,
}

/// A block that is no heading, list or fence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its lines.
    pub lines: RangeInclusive<usize>,
}

/// A text set apart by `!!! note` or `:::note`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admonition {
    /// What it is called: `note`.
    pub kind: String,
    /// Its title, where it has one of its own.
    pub title: Option<String>,
    /// Its lines.
    pub lines: RangeInclusive<usize>,
}

/// A comment, `<!-- like this -->`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// What stands between the marks.
    pub text: String,
    /// Its lines.
    pub lines: RangeInclusive<usize>,
}

/// A text in Markdown.
#[derive(Debug, Clone, Default)]
pub struct Markdown {
    /// The lines of prose, with their numbers from 1.
    prose: Vec<(usize, String)>,
    headings: Vec<Heading>,
    fences: Vec<Fence>,
    items: Vec<Item>,
    links: Vec<Link>,
    codes: Vec<Code>,
    blocks: Vec<Block>,
    admonitions: Vec<Admonition>,
    comments: Vec<Comment>,
}

impl Markdown {
    /// Reads a text.
    pub fn new(text: &str) -> Self {
        read::read(text)
    }

    /// The lines of prose, with their numbers from 1: tables, lists and headings among them, code and comments
    /// not.
    pub fn prose(&self) -> impl Iterator<Item = (usize, &str)> + '_ {
        self.prose.iter().map(|(number, line)| (*number, line.as_str()))
    }

    /// Whether a line, from 1, is prose.
    pub fn is_prose(&self, line: usize) -> bool {
        self.prose.binary_search_by_key(&line, |(number, _)| *number).is_ok()
    }

    /// The headings.
    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// The heading on a line, from 1.
    pub fn heading_at(&self, line: usize) -> Option<&Heading> {
        self.headings.binary_search_by_key(&line, |heading| heading.line).ok().map(|at| &self.headings[at])
    }

    /// The fenced blocks of code.
    pub fn fences(&self) -> &[Fence] {
        &self.fences
    }

    /// The fenced block that opens on a line, from 1.
    pub fn fence_at(&self, line: usize) -> Option<&Fence> {
        self.fences.binary_search_by_key(&line, |fence| fence.line).ok().map(|at| &self.fences[at])
    }

    /// The items of lists, nested ones too, in the order of their lines.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The spans of code within lines.
    pub fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// The other blocks, in the order of their lines.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The blocks of a kind.
    pub fn blocks_of(&self, kind: BlockKind) -> impl Iterator<Item = &Block> + '_ {
        self.blocks.iter().filter(move |block| block.kind == kind)
    }

    /// The admonitions.
    pub fn admonitions(&self) -> &[Admonition] {
        &self.admonitions
    }

    /// The comments, wherever they stand but in code.
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// The line that a page begins with, from 1: the first that is neither blank, nor a comment, nor front
    /// matter.
    pub fn first_line(&self) -> Option<usize> {
        let prose = self.prose.iter().find(|(_, line)| !line.trim().is_empty()).map(|(number, _)| *number);
        prose.into_iter().chain(self.fences.first().map(|fence| fence.line)).min()
    }

    /// The prose below a heading, up to the next one of its level or above. The heading is compared
    /// without regard to case.
    pub fn section(&self, heading: &str) -> Option<Vec<&str>> {
        let at = self.headings.iter().position(|found| found.text.eq_ignore_ascii_case(heading))?;
        let (heading, behind) = (&self.headings[at], &self.headings[at + 1..]);
        let next = behind.iter().find(|next| next.level <= heading.level);
        let end = next.map_or(usize::MAX, |next| next.line);
        let inside = self.prose().filter(|(number, _)| *number > heading.line && *number < end);
        Some(inside.map(|(_, line)| line).collect())
    }

    /// Whether any word stands below a heading.
    pub fn is_filled(&self, heading: &str) -> bool {
        self.section(heading)
            .is_some_and(|lines| lines.iter().any(|line| line.contains(char::is_alphanumeric)))
    }

    /// The check boxes.
    pub fn check_boxes(&self) -> Vec<CheckBox> {
        let boxes = self.prose().filter_map(|(line, text)| {
            let state = *BOX.groups(text).first()?;
            let behind = text.split_once(']')?.1;
            Some(CheckBox { text: behind.trim().to_owned(), ticked: state != " ", line })
        });
        boxes.collect()
    }

    /// Whether a box is ticked that says this.
    pub fn is_ticked(&self, text: &str) -> bool {
        self.check_boxes().iter().any(|found| found.ticked && found.text.contains(text))
    }

    /// Where the links of the prose go, without what follows a number sign. Bare addresses are no links here,
    /// and a link by name counts where the name is defined.
    pub fn links(&self) -> Vec<&str> {
        let counted =
            |link: &&Link| matches!(link.kind, LinkKind::Inline | LinkKind::Image | LinkKind::Definition);
        let bare = |link: &'_ Link| -> usize { link.to.find('#').unwrap_or(link.to.len()) };
        self.links
            .iter()
            .filter(counted)
            .map(|link| &link.to[..bare(link)])
            .filter(|to| !to.is_empty())
            .collect()
    }

    /// The links, images, definitions and bare addresses, in the order of their lines.
    pub fn all_links(&self) -> &[Link] {
        &self.links
    }
}

/// A line of prose without what stands in spans of code.
pub fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

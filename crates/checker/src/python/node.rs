//! One node of a Python file, and how to get from it to others.

use super::index::{Mark, NONE, Row};
use super::kind::{Kind, Role};
use super::{Call, Definition, Python, names};
use crate::docstring::Doc;
use std::cell::OnceCell;
use std::ops::{Range, RangeInclusive};

/// A node of a Python file: a statement, an expression, or a part of one.
#[derive(Debug, Clone, Copy)]
pub struct Node<'p> {
    file: Python<'p>,
    row: u32,
}

/// The value of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Literal<'p> {
    /// A string.
    Str(&'p str),
    /// Bytes, as they are written.
    Bytes(&'p str),
    /// A whole number, as it is written.
    Integer(&'p str),
    /// Any other number, as it is written.
    Float(&'p str),
    /// `True` or `False`.
    Bool(bool),
    /// `None`.
    None,
    /// `...`
    Ellipsis,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.row == other.row && std::ptr::eq(self.file.syntax, other.file.syntax)
    }
}

impl<'p> Node<'p> {
    pub(super) fn new(file: Python<'p>, row: u32) -> Self {
        Node { file, row }
    }

    /// The file.
    pub fn file(self) -> Python<'p> {
        self.file
    }

    pub(super) fn row(self) -> u32 {
        self.row
    }

    /// The place for what is laid out in this string.
    pub(crate) fn doc(self) -> &'p OnceCell<Doc> {
        self.file.syntax.doc(self.file.text, self.row)
    }

    fn data(self) -> Row {
        let rows = &self.file.syntax.index(self.file.text).rows;
        let nowhere = || Row {
            kind: Kind::Module,
            role: Role::Other,
            mark: Mark::None,
            start: 0,
            end: 0,
            name: (NONE, NONE),
            parent: NONE,
            next: NONE,
            text: NONE,
        };
        rows.get(self.row as usize).copied().unwrap_or_else(nowhere)
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        self.data().kind
    }

    /// What it is to the node around it.
    pub fn role(self) -> Role {
        self.data().role
    }

    pub(super) fn mark(self) -> Mark {
        self.data().mark
    }

    /// Where it stands, in bytes; decorators are part of a definition.
    pub fn bytes(self) -> Range<usize> {
        let row = self.data();
        row.start as usize..row.end as usize
    }

    /// The lines it stands on, from 1.
    pub fn lines(self) -> RangeInclusive<usize> {
        let bytes = self.bytes();
        self.file.lines_of(bytes.start, bytes.end)
    }

    /// The line it begins on, from 1.
    pub fn line(self) -> usize {
        *self.lines().start()
    }

    /// The characters before it on its line.
    pub fn column(self) -> usize {
        let before = self.file.slice(0, self.bytes().start);
        before.rsplit('\n').next().unwrap_or_default().chars().count()
    }

    /// Its source.
    pub fn text(self) -> &'p str {
        let bytes = self.bytes();
        self.file.slice(bytes.start, bytes.end)
    }

    /// Its name: of a definition, a parameter, a keyword, a name, the last part of an attribute, what an
    /// import or an `except` binds.
    pub fn name(self) -> Option<&'p str> {
        let (start, end) = self.data().name;
        (start != NONE).then(|| self.file.slice(start as usize, end as usize))
    }

    pub(super) fn name_start(self) -> usize {
        self.data().name.0 as usize
    }

    /// The node around it.
    pub fn parent(self) -> Option<Node<'p>> {
        let parent = self.data().parent;
        (parent != NONE).then(|| Node::new(self.file, parent))
    }

    /// The nodes around it, the nearest first.
    pub fn ancestors(self) -> impl Iterator<Item = Node<'p>> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// The nodes directly inside, in the order of the source.
    pub fn children(self) -> impl Iterator<Item = Node<'p>> {
        let end = self.data().next;
        let first = (self.row + 1 < end).then(|| Node::new(self.file, self.row + 1));
        std::iter::successors(first, move |node| {
            let next = node.data().next;
            (next < end).then(|| Node::new(node.file, next))
        })
    }

    /// The nodes directly inside that are this to it.
    pub fn children_as(self, role: Role) -> impl Iterator<Item = Node<'p>> {
        self.children().filter(move |node| node.role() == role)
    }

    /// The first node directly inside that is this to it.
    pub fn child(self, role: Role) -> Option<Node<'p>> {
        self.children_as(role).next()
    }

    /// All nodes inside, those around before those inside.
    pub fn descendants(self) -> impl Iterator<Item = Node<'p>> {
        (self.row + 1..self.data().next).map(move |row| Node::new(self.file, row))
    }

    /// The nodes inside, without those of functions, classes and lambdas that stand in it.
    pub fn own_descendants(self) -> impl Iterator<Item = Node<'p>> {
        let end = self.data().next;
        let mut next = self.row + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let node = Node::new(self.file, next);
                let closed = matches!(node.kind(), Kind::Function | Kind::Class | Kind::Lambda);
                next = if closed { node.data().next } else { next + 1 };
                node
            })
        })
    }

    /// The statement it is or belongs to.
    pub fn statement(self) -> Option<Node<'p>> {
        std::iter::once(self).chain(self.ancestors()).find(|node| node.kind().is_statement())
    }

    /// The function or class that it stands in.
    pub fn enclosing(self) -> Option<Definition<'p>> {
        self.ancestors().find_map(Definition::of)
    }

    /// The function that it stands in.
    pub fn enclosing_function(self) -> Option<Definition<'p>> {
        self.ancestors().filter_map(Definition::of).find(|found| found.is_function())
    }

    /// The operators between its operands, as they are written: of a comparison, a sum, an `and`.
    pub fn operators(self) -> Vec<&'p str> {
        if !matches!(self.kind(), Kind::Compare | Kind::BinaryOp | Kind::BoolOp) {
            return Vec::new();
        }
        let operands: Vec<Range<usize>> = self.children().map(Node::bytes).collect();
        let between = operands.windows(2).map(|two| self.file.slice(two[0].end, two[1].start));
        between.map(|text| text.trim_matches(|c: char| c.is_whitespace() || "()\\".contains(c))).collect()
    }

    /// It as a call.
    pub fn as_call(self) -> Option<Call<'p>> {
        Call::of(self)
    }

    /// It as a definition.
    pub fn as_definition(self) -> Option<Definition<'p>> {
        Definition::of(self)
    }

    /// What it is, where it is a literal. An f-string is none.
    pub fn literal(self) -> Option<Literal<'p>> {
        Some(match self.kind() {
            Kind::Str => Literal::Str(self.string()?),
            Kind::Bytes => Literal::Bytes(self.text()),
            Kind::Number if self.mark() == Mark::Integer => Literal::Integer(self.text()),
            Kind::Number => Literal::Float(self.text()),
            Kind::Bool => Literal::Bool(self.mark() == Mark::True),
            Kind::None => Literal::None,
            Kind::Ellipsis => Literal::Ellipsis,
            _ => return None,
        })
    }

    /// The value of a string: escapes read, strings that stand together joined.
    pub fn string(self) -> Option<&'p str> {
        let row = self.data();
        if let Some(text) = self.file.syntax.index(self.file.text).texts.get(row.text as usize) {
            return Some(text);
        }
        match row.kind {
            Kind::Str => Some(self.quoted()?.inner),
            Kind::Piece => Some(self.text()),
            _ => None,
        }
    }

    /// The text of a string or an f-string; the values of an f-string stay as they are written, in braces.
    pub fn string_text(self) -> Option<String> {
        match self.kind() {
            Kind::Str | Kind::Piece => self.string().map(str::to_owned),
            Kind::FString => Some(
                self.children()
                    .filter_map(|part| match part.kind() {
                        Kind::Piece => part.string().map(str::to_owned),
                        Kind::FString if part.role() == Role::Other => Some(part.flat_text()),
                        _ if part.role() == Role::Value => Some(format!("{{{}}}", part.text())),
                        _ => None,
                    })
                    .collect(),
            ),
            // A text with values put into it afterwards.
            Kind::BinaryOp => self.children().next()?.string_part(),
            Kind::Call => {
                let callee = self.child(Role::Callee).filter(|callee| callee.name() == Some("format"))?;
                callee.child(Role::Value)?.string_part()
            }
            _ => None,
        }
    }

    fn string_part(self) -> Option<String> {
        match self.kind() {
            Kind::Str => self.string().map(str::to_owned),
            Kind::FString => self.string_text(),
            _ => None,
        }
    }

    fn flat_text(self) -> String {
        let parts = self.children().map(|part| match part.kind() {
            Kind::Piece => part.string().unwrap_or_default().to_owned(),
            _ => format!("{{{}}}", part.text()),
        });
        parts.collect()
    }

    /// The first string of it, as it is written: prefix, quotes, and what stands between them.
    pub(crate) fn quoted(self) -> Option<Quoted<'p>> {
        let quoted = Quoted::read(self.text())?;
        Some(if self.is_concatenated() { Quoted { inner: self.text(), ..quoted } } else { quoted })
    }

    /// Whether it is several strings that stand one behind the other.
    pub fn is_concatenated(self) -> bool {
        self.mark() == Mark::Concatenated
    }

    /// Whether the name, attribute or subscript is written to.
    pub fn is_stored(self) -> bool {
        self.mark() == Mark::Store
    }

    /// The dotted name that a name or a chain of attributes stands for: `numpy.array` of `np.array` behind
    /// `import numpy as np`, `pkg.module.f` of a function of this file, `print` of what Python has built in.
    /// None where it is a variable, or nothing tells.
    pub fn resolve(self) -> Option<String> {
        names::resolve(self)
    }

    /// The function or class of this file that a name stands for.
    pub fn definition(self) -> Option<Definition<'p>> {
        names::definition(self)
    }
}

/// A string as it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quoted<'p> {
    pub(crate) prefix: &'p str,
    pub(crate) quote: &'p str,
    pub(crate) inner: &'p str,
}

impl<'p> Quoted<'p> {
    fn read(text: &'p str) -> Option<Self> {
        let at = text.find(['"', '\''])?;
        let (prefix, rest) = text.split_at(at);
        let long = ["\"\"\"", "'''"].into_iter().any(|quote| rest.starts_with(quote) && rest.len() >= 6);
        let quote = &rest[..if long { 3 } else { 1 }];
        let rest = &rest[quote.len()..];
        let inner = rest.strip_suffix(quote).unwrap_or(rest);
        Some(Quoted { prefix, quote, inner })
    }
}

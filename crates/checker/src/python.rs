//! Python as checkers need it: definitions, imports and what names stand for, calls, raises, asserts,
//! strings, comments, docstrings.
//!
//! A file is parsed once, laid flat once, and handed out as handles that borrow from it ([`Python`],
//! [`Node`], [`Definition`], [`Call`], …). A file that does not parse, even where a parser could guess what
//! was meant, is told from one in which something is absent.
//!
//! Lines are numbered as a difference numbers them: `\n` ends one, alone or behind a `\r`.

mod build;
mod calls;
mod changes;
mod comments;
mod definitions;
mod depth;
mod imports;
mod index;
mod kind;
mod names;
mod node;
mod plant;
mod statements;
mod versions;
mod within;

pub use calls::{Argument, Call};
pub use changes::{Code, PythonChange, Spot};
pub use comments::{Comment, Pragma};
pub use definitions::{Decorator, Definition, Parameter, ParameterKind, TestNames, Visibility};
pub use imports::Import;
pub use kind::{Kind, Role};
pub use node::{Literal, Node};
pub use statements::{Assert, Assignment, Handler, Raise, Try};
pub use versions::{NewSyntax, Version};

pub(crate) use build::Lazy;

use crate::docstring::Docstring;
use build::Syntax;
use index::NONE;
use std::ops::RangeInclusive;

/// Why a file is no Python, and where that was seen first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxFault {
    /// The line, from 1.
    pub line: usize,
    /// In words.
    pub message: String,
}

/// A Python file that stands on its own, beside any evidence.
#[derive(Debug, Clone)]
pub struct Source {
    path: String,
    text: String,
    lazy: Lazy,
}

impl Source {
    /// A text with the path that it has in its repository.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Source { path: path.into(), text: text.into(), lazy: Lazy::default() }
    }

    /// The file, if it is Python.
    ///
    /// # Errors
    /// Where it does not parse.
    pub fn read(&self) -> Result<Python<'_>, &SyntaxFault> {
        self.lazy.read(&self.path, &self.text)
    }
}

/// A Python file.
#[derive(Debug, Clone, Copy)]
pub struct Python<'p> {
    path: &'p str,
    text: &'p str,
    syntax: &'p Syntax,
}

impl<'p> Python<'p> {
    /// The path in the repository.
    pub fn path(self) -> &'p str {
        self.path
    }

    /// The text.
    pub fn text(self) -> &'p str {
        self.text
    }

    /// The module's dotted name, as the path has it: `a.b` of `a/b.py`, of `src/a/b.py` and of
    /// `a/b/__init__.py`.
    pub fn module(self) -> String {
        imports::module(self.path)
    }

    /// The file as a node: its children are its statements.
    pub fn root(self) -> Node<'p> {
        Node::new(self, 0)
    }

    /// Every node, those around before those inside.
    pub fn nodes(self) -> impl Iterator<Item = Node<'p>> {
        let rows = u32::try_from(self.syntax.index(self.text).rows.len()).unwrap_or(NONE);
        (0..rows).map(move |row| Node::new(self, row))
    }

    /// The nodes of a kind, in the order of the source.
    pub fn of(self, kind: Kind) -> impl Iterator<Item = Node<'p>> {
        let rows = self.syntax.index(self.text).of_kind.get(kind as usize).map_or(&[][..], Vec::as_slice);
        rows.iter().map(move |row| Node::new(self, *row))
    }

    fn all<T>(self, kinds: &[Kind], make: impl Fn(Node<'p>) -> Option<T>) -> Vec<T> {
        let mut nodes: Vec<Node<'p>> = kinds.iter().flat_map(|kind| self.of(*kind)).collect();
        nodes.sort_by_key(|node| node.row());
        nodes.into_iter().filter_map(make).collect()
    }

    /// Functions, methods and classes, nested ones too, in the order of the source.
    pub fn definitions(self) -> Vec<Definition<'p>> {
        self.all(&[Kind::Function, Kind::Class], Definition::of)
    }

    /// Functions and methods.
    pub fn functions(self) -> Vec<Definition<'p>> {
        self.all(&[Kind::Function], Definition::of)
    }

    /// Classes.
    pub fn classes(self) -> Vec<Definition<'p>> {
        self.all(&[Kind::Class], Definition::of)
    }

    /// The definitions with a qualified name, such as `Class.method`: several, where it is overloaded or
    /// defined under conditions.
    pub fn defined(self, qualified: &str) -> Vec<Definition<'p>> {
        self.definitions().into_iter().filter(|found| found.qualified_name() == qualified).collect()
    }

    /// What is imported, one name each, wherever it stands.
    pub fn imports(self) -> Vec<Import<'p>> {
        self.all(&[Kind::Alias], Import::of)
    }

    /// Whether `*` brings in names that nothing here tells of.
    pub fn has_star_imports(self) -> bool {
        names::is_starred(self)
    }

    /// The calls.
    pub fn calls(self) -> Vec<Call<'p>> {
        self.all(&[Kind::Call], Call::of)
    }

    /// The `raise` statements.
    pub fn raises(self) -> Vec<Raise<'p>> {
        self.all(&[Kind::Raise], Raise::of)
    }

    /// The `assert` statements.
    pub fn asserts(self) -> Vec<Assert<'p>> {
        self.all(&[Kind::Assert], Assert::of)
    }

    /// The `try` statements.
    pub fn tries(self) -> Vec<Try<'p>> {
        self.all(&[Kind::Try], Try::of)
    }

    /// The assignments: `=`, `+=`, with annotation, and `:=`.
    pub fn assignments(self) -> Vec<Assignment<'p>> {
        let kinds = [Kind::Assign, Kind::AugmentedAssign, Kind::AnnotatedAssign, Kind::Named];
        self.all(&kinds, Assignment::of)
    }

    /// The strings and f-strings, docstrings too. Those written together are one.
    pub fn strings(self) -> Vec<Node<'p>> {
        let outer = |node: Node<'p>| node.parent().is_none_or(|up| up.kind() != Kind::FString);
        self.all(&[Kind::Str, Kind::FString], |node| outer(node).then_some(node))
    }

    /// The docstrings of the module, of its classes and of its functions, in the order of the source.
    pub fn docstrings(self) -> Vec<Docstring<'p>> {
        let inner = self.definitions().into_iter().filter_map(Definition::docstring);
        self.docstring().into_iter().chain(inner).collect()
    }

    /// The module's own docstring.
    pub fn docstring(self) -> Option<Docstring<'p>> {
        Docstring::of(self.root())
    }

    /// The comments, in order.
    pub fn comments(self) -> impl Iterator<Item = Comment<'p>> {
        let comments = &self.syntax.index(self.text).comments;
        comments.iter().map(move |(start, end)| Comment::new(self, *start as usize, *end as usize))
    }

    /// The names that `__all__` lists, where it is a list of strings; additions to it count.
    pub fn exports(self) -> Option<Vec<&'p str>> {
        let rows = self.syntax.exports(|| definitions::exports(self))?;
        Some(rows.iter().filter_map(|row| Node::new(self, *row).string()).collect())
    }

    /// Syntax that Pythons after 3.8 have brought, in order.
    pub fn new_syntax(self) -> &'p [NewSyntax] {
        self.syntax.new_syntax()
    }

    /// The syntax that a version does not know: every use of what came after it.
    pub fn newer_than(self, version: Version) -> impl Iterator<Item = &'p NewSyntax> {
        self.new_syntax().iter().filter(move |found| found.since > version)
    }

    /// The line, from 1, of a place in bytes.
    pub fn line_at(self, offset: usize) -> usize {
        self.syntax.line_at(offset)
    }

    /// How many lines Python counts: it ends one at a lone `\r` too.
    pub fn python_lines(self) -> usize {
        self.python_line_at(self.text.len()) - usize::from(self.text.ends_with(['\n', '\r']))
    }

    /// The line of a place in bytes as Python counts: it ends one at a lone `\r` too.
    pub fn python_line_at(self, offset: usize) -> usize {
        let before = self.text.as_bytes().get(..offset).unwrap_or(self.text.as_bytes());
        let lone = |at: usize| before[at] == b'\r' && before.get(at + 1) != Some(&b'\n');
        (0..before.len()).filter(|at| before[*at] == b'\n' || lone(*at)).count() + 1
    }

    pub(crate) fn lines_of(self, start: usize, end: usize) -> RangeInclusive<usize> {
        // What ends with its line end does not reach into the next line.
        self.line_at(start)..=self.line_at(end.saturating_sub(1).max(start))
    }

    pub(crate) fn slice(self, start: usize, end: usize) -> &'p str {
        self.text.get(start..end).unwrap_or_default()
    }
}

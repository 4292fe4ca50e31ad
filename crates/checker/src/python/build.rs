//! From a text to what is kept of it.

use super::depth::{MOST_USUAL, admit};
use super::index::Index;
use super::versions::{NewSyntax, removed};
use super::{Kind, Python, SyntaxFault};
use crate::docstring::Doc;
use ruff_python_ast::{ModModule, PythonVersion};
use ruff_python_parser::{Mode, ParseOptions, Parsed, parse_unchecked};
use ruff_text_size::Ranged;
use std::cell::{Cell, OnceCell};
use std::fmt;

/// The version that syntax is compared with: everything that came later is noted.
const OLDEST: PythonVersion = PythonVersion::PY38;

/// The stack that a deep text is read on: some thousands of bytes for each level.
const STACK: usize = 64 << 20;

/// What is kept of a text that parsed.
pub(super) struct Syntax {
    /// Until the rows are made of it.
    parsed: Cell<Option<Box<Parsed<ModModule>>>>,
    index: OnceCell<Index>,
    names: OnceCell<super::names::Names>,
    /// The rows of the names in `__all__`.
    exports: OnceCell<Option<Vec<u32>>>,
    /// What is laid out in each string, where that is asked.
    docs: OnceCell<Vec<OnceCell<Doc>>>,
    /// Where the lines begin.
    lines: Vec<u32>,
    new_syntax: Vec<NewSyntax>,
}

impl fmt::Debug for Syntax {
    /// A tree may be deeper than a stack: it is not printed.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Syntax").field("lines", &self.lines.len()).finish_non_exhaustive()
    }
}

impl Syntax {
    fn new(text: &str) -> Result<Self, SyntaxFault> {
        let lines = line_starts(text);
        let fault = |at: usize, message: String| SyntaxFault { line: line_of(&lines, at), message };
        let depth = admit(text).map_err(|refused| fault(refused.at, refused.why.to_owned()))?;
        if depth <= MOST_USUAL {
            return Syntax::parse(text, lines);
        }
        // The tree is dropped where there is room for it: as soon as the rows are made.
        stacker::grow(STACK, || {
            let syntax = Syntax::parse(text, lines)?;
            syntax.index(text);
            Ok(syntax)
        })
    }

    fn parse(text: &str, lines: Vec<u32>) -> Result<Self, SyntaxFault> {
        let fault = |at: usize, message: String| SyntaxFault { line: line_of(&lines, at), message };
        let options = ParseOptions::from(Mode::Module).with_target_version(OLDEST);
        let parsed = parse_unchecked(text, options).try_into_module();
        let parsed = parsed.ok_or_else(|| fault(0, "it is no module".to_owned()))?;
        let first = parsed.errors().iter().min_by_key(|error| error.range().start());
        if let Some(error) = first {
            return Err(fault(error.range().start().to_usize(), error.error.to_string()));
        }
        if let Some(error) = parsed.unsupported_syntax_errors().iter().find(|error| removed(error)) {
            return Err(fault(error.range.start().to_usize(), error.to_string()));
        }
        let new_syntax = parsed.unsupported_syntax_errors().iter();
        let new_syntax = new_syntax.filter_map(|found| NewSyntax::of(found, |at| line_of(&lines, at)));
        let mut new_syntax: Vec<NewSyntax> = new_syntax.collect();
        new_syntax.sort_by_key(|found| found.bytes);
        Ok(Syntax {
            parsed: Cell::new(Some(Box::new(parsed))),
            index: OnceCell::new(),
            names: OnceCell::new(),
            exports: OnceCell::new(),
            docs: OnceCell::new(),
            lines,
            new_syntax,
        })
    }

    /// The place for what is laid out in a string, by its row.
    pub(super) fn doc(&self, text: &str, row: u32) -> &OnceCell<Doc> {
        let strings = self.index(text).of_kind.get(Kind::Str as usize).map_or(&[][..], Vec::as_slice);
        let docs = self.docs.get_or_init(|| vec![OnceCell::new(); strings.len() + 1]);
        &docs[strings.partition_point(|string| *string < row)]
    }

    pub(super) fn index(&self, text: &str) -> &Index {
        self.index.get_or_init(|| self.parsed.take().map(|tree| Index::new(&tree, text)).unwrap_or_default())
    }

    pub(super) fn names(&self, make: impl FnOnce() -> super::names::Names) -> &super::names::Names {
        self.names.get_or_init(make)
    }

    pub(super) fn exports(&self, make: impl FnOnce() -> Option<Vec<u32>>) -> Option<&[u32]> {
        self.exports.get_or_init(make).as_deref()
    }

    pub(super) fn new_syntax(&self) -> &[NewSyntax] {
        &self.new_syntax
    }

    pub(super) fn line_at(&self, offset: usize) -> usize {
        line_of(&self.lines, offset)
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    let ends = text.bytes().zip(1_u32..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next);
    std::iter::once(0).chain(ends).collect()
}

fn line_of(lines: &[u32], offset: usize) -> usize {
    lines.partition_point(|start| *start as usize <= offset).max(1)
}

/// A text that is parsed when it is asked for. A copy starts anew.
#[derive(Default)]
pub(crate) struct Lazy(OnceCell<Box<Result<Syntax, SyntaxFault>>>);

impl Lazy {
    pub(crate) fn read<'p>(&'p self, path: &'p str, text: &'p str) -> Result<Python<'p>, &'p SyntaxFault> {
        let read = self.0.get_or_init(|| Box::new(Syntax::new(text)));
        let syntax = read.as_ref().as_ref()?;
        Ok(Python { path, text, syntax })
    }
}

impl Clone for Lazy {
    fn clone(&self) -> Self {
        Lazy::default()
    }
}

impl fmt::Debug for Lazy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Lazy")
    }
}

//! The tree of a Python file, laid flat: one row a node, parents before children.
//!
//! Made from the parser's tree without recursion, so that no text decides how deep the stack gets, and
//! walked the same way. The parser's tree is dropped once this is made.

use super::kind::{Kind, Role};
use super::plant::{Planted, children};
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{AnyStringFlags, Expr, FStringPart, ModModule, Stmt, StringFlags};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged, TextRange};

/// What is nowhere.
pub(super) const NONE: u32 = u32::MAX;

/// One node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) kind: Kind,
    pub(super) role: Role,
    pub(super) mark: Mark,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Where its name stands: of a definition, a parameter, an attribute, a keyword, an import.
    pub(super) name: (u32, u32),
    /// The row of the node around it.
    pub(super) parent: u32,
    /// The first row behind what is inside it.
    pub(super) next: u32,
    /// Its value among the texts, where that is not its source.
    pub(super) text: u32,
}

/// What else is to be known of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mark {
    #[default]
    None,
    /// A name that is written to.
    Store,
    /// A name that is deleted.
    Delete,
    /// `async`; of an import, `lazy`.
    Async,
    /// A literal that is true.
    True,
    Integer,
    Float,
    Complex,
    /// Strings that stand one behind the other.
    Concatenated,
    /// An import from so many packages above.
    Level(u8),
    PositionalOnly,
    KeywordOnly,
    Variadic,
    VariadicKeyword,
    /// `try` with `except*`.
    Star,
}

/// The rows of a file.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) rows: Vec<Row>,
    pub(super) texts: Vec<Box<str>>,
    /// The rows of each kind, in order.
    pub(super) of_kind: Vec<Vec<u32>>,
    /// Where the comments stand.
    pub(super) comments: Vec<(u32, u32)>,
}

/// A node that is still to be laid down.
pub(super) struct Pending<'a> {
    pub(super) node: Planted<'a>,
    pub(super) role: Role,
}

pub(super) fn span(range: TextRange) -> (u32, u32) {
    (range.start().to_u32(), range.end().to_u32())
}

impl Index {
    pub(super) fn new(parsed: &Parsed<ModModule>, source: &str) -> Self {
        let mut index = Index { of_kind: vec![Vec::new(); Kind::COUNT], ..Index::default() };
        let length = u32::try_from(source.len()).unwrap_or(NONE);
        index.lay(Kind::Module, Role::Other, (0, length), NONE);
        let mut open: Vec<(Pending<'_>, u32)> = Vec::new();
        let body = |statement| Pending { node: Planted::Stmt(statement), role: Role::Body };
        open.extend(parsed.suite().iter().rev().map(|statement| (body(statement), 0)));
        let mut inside = Vec::new();
        while let Some((pending, parent)) = open.pop() {
            let row = index.plant(&pending, parent, source);
            children(&pending.node, &mut inside);
            open.extend(inside.drain(..).rev().map(|child| (child, row)));
        }
        index.join();
        let comments = parsed.tokens().iter().filter(|token| token.kind() == TokenKind::Comment);
        index.comments = comments.map(|token| span(token.range())).collect();
        index
    }

    fn lay(&mut self, kind: Kind, role: Role, (start, end): (u32, u32), parent: u32) -> u32 {
        let row = u32::try_from(self.rows.len()).unwrap_or(NONE);
        let name = (NONE, NONE);
        let text = NONE;
        self.rows.push(Row { kind, role, mark: Mark::None, start, end, name, parent, next: 0, text });
        if let Some(rows) = self.of_kind.get_mut(kind as usize) {
            rows.push(row);
        }
        row
    }

    fn plant(&mut self, pending: &Pending<'_>, parent: u32, source: &str) -> u32 {
        let node = &pending.node;
        let row = self.lay(node.kind(), pending.role, node.range(), parent);
        let text = match node {
            Planted::Expr(Expr::StringLiteral(string)) => {
                let one = match string.value.as_slice() {
                    [one] => Some((one.range(), AnyStringFlags::from(one.flags))),
                    _ => None,
                };
                self.text_of(string.value.to_str(), one, source)
            }
            Planted::Part(FStringPart::Literal(literal)) => self.keep(&literal.value),
            Planted::Piece(value, range) => self.text_unless(value, span(*range), source),
            _ => NONE,
        };
        if let Some(laid) = self.rows.last_mut() {
            laid.text = text;
            laid.mark = node.mark();
            if let Some(name) = node.name() {
                laid.name = span(name);
            }
        }
        row
    }

    /// Keeps the value of a string, unless it is what stands between its quotes.
    fn text_of(&mut self, value: &str, one: Option<(TextRange, AnyStringFlags)>, source: &str) -> u32 {
        let Some((range, flags)) = one else { return self.keep(value) };
        let (start, end) = span(range);
        let inner = (start + flags.opener_len().to_u32(), end.saturating_sub(flags.closer_len().to_u32()));
        self.text_unless(value, inner, source)
    }

    fn text_unless(&mut self, value: &str, (start, end): (u32, u32), source: &str) -> u32 {
        let written = source.get(start as usize..end as usize);
        if written == Some(value) { NONE } else { self.keep(value) }
    }

    fn keep(&mut self, value: &str) -> u32 {
        self.texts.push(value.into());
        u32::try_from(self.texts.len() - 1).unwrap_or(NONE)
    }

    /// Says of each node where what is inside it ends.
    fn join(&mut self) {
        for row in (0..self.rows.len()).rev() {
            let next = self.rows[row].next.max(u32::try_from(row + 1).unwrap_or(NONE));
            self.rows[row].next = next;
            let parent = self.rows[row].parent as usize;
            if let Some(around) = self.rows.get_mut(parent) {
                around.next = around.next.max(next);
            }
        }
    }
}

/// The statements of a block, to be laid down.
pub(super) fn block<'a>(statements: &'a [Stmt], role: Role, into: &mut Vec<Pending<'a>>) {
    into.extend(statements.iter().map(|statement| Pending { node: Planted::Stmt(statement), role }));
}

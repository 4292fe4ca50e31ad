//! Syntax that depends on the version of Python.

use ruff_python_parser::{UnsupportedSyntaxError, UnsupportedSyntaxErrorKind as Syntax};

/// A version of Python 3: `Version(10)` is Python 3.10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u8);

impl Version {
    /// From a text such as `3.10`.
    pub fn parse(text: &str) -> Option<Version> {
        text.trim().strip_prefix("3.")?.parse().ok().map(Version)
    }
}

/// A use of syntax that came with a version of Python.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSyntax {
    /// The first version that has it.
    pub since: Version,
    /// What it is, such as `match statement`.
    pub what: &'static str,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Where it stands, in bytes.
    pub bytes: (usize, usize),
}

impl NewSyntax {
    pub(super) fn of(found: &UnsupportedSyntaxError, line: impl Fn(usize) -> usize) -> Option<Self> {
        let (since, what) = came(found.kind)?;
        let (start, end) = (found.range.start().to_usize(), found.range.end().to_usize());
        Some(NewSyntax { since: Version(since), what, line: line(start), bytes: (start, end) })
    }
}

/// Whether it is syntax that Python has no more.
pub(super) fn removed(found: &UnsupportedSyntaxError) -> bool {
    came(found.kind).is_none()
}

/// The version that brought it; none for what was taken out.
fn came(syntax: Syntax) -> Option<(u8, &'static str)> {
    Some(match syntax {
        Syntax::ParenthesizedKeywordArgumentName => return None,
        Syntax::Walrus => (8, "named expression"),
        Syntax::PositionalOnlyParameter => (8, "positional-only parameter"),
        Syntax::StarTuple(_) => (8, "unpacking in a returned or yielded tuple"),
        Syntax::UnparenthesizedNamedExpr(_) => (9, "named expression without parentheses"),
        Syntax::RelaxedDecorator(_) => (9, "decorator that is any expression"),
        Syntax::ParenthesizedContextManager => (9, "context managers in parentheses"),
        Syntax::UnparenthesizedUnpackInFor => (9, "unpacking in a `for` statement"),
        Syntax::Match => (10, "match statement"),
        Syntax::ExceptStar => (11, "`except*`"),
        Syntax::StarExpressionInIndex => (11, "unpacking in a subscript"),
        Syntax::StarAnnotation => (11, "unpacking in an annotation"),
        Syntax::TypeParameterList => (12, "type parameters"),
        Syntax::TypeAliasStatement => (12, "type statement"),
        Syntax::Pep701FString(_) => (12, "f-string with quotes, backslashes or comments in its braces"),
        Syntax::TypeParamDefault => (13, "default of a type parameter"),
        Syntax::UnparenthesizedExceptionTypes => (14, "exceptions without parentheses"),
        Syntax::TemplateStrings => (14, "t-string"),
        Syntax::UnpackingInComprehension(_) => (15, "unpacking in a comprehension"),
        Syntax::LazyImportStatement => (15, "lazy import"),
    })
}

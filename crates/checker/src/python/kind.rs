//! What a node of Python is, and what it is to the node around it.

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of Python's own grammar")]
pub enum Kind {
    Module,
    Function,
    Class,
    Return,
    Delete,
    TypeAlias,
    Assign,
    AugmentedAssign,
    AnnotatedAssign,
    For,
    While,
    If,
    /// An `elif` or the `else` of an `if`.
    Clause,
    With,
    WithItem,
    Match,
    Case,
    Raise,
    Try,
    /// An `except`.
    Handler,
    Assert,
    Import,
    ImportFrom,
    /// One name of an import.
    Alias,
    Global,
    Nonlocal,
    /// An expression that stands as a statement.
    Expression,
    Pass,
    Break,
    Continue,
    BoolOp,
    /// `name := value`
    Named,
    BinaryOp,
    UnaryOp,
    Lambda,
    /// `a if b else c`
    Conditional,
    Dict,
    Set,
    ListComprehension,
    SetComprehension,
    DictComprehension,
    Generator,
    /// A `for … in … if …` of a comprehension.
    Comprehension,
    Await,
    Yield,
    YieldFrom,
    Compare,
    Call,
    /// `name=value` of a call or a class; `**value` where it has no name.
    Keyword,
    /// An f-string, with the strings it is written together with.
    FString,
    /// A t-string.
    TString,
    /// The letters of an f-string.
    Piece,
    /// A string.
    Str,
    Bytes,
    Number,
    Bool,
    None,
    Ellipsis,
    Attribute,
    Subscript,
    Starred,
    Name,
    List,
    Tuple,
    Slice,
    Decorator,
    Parameter,
    TypeParameter,
    /// A pattern of a `case`.
    Pattern,
}

impl Kind {
    pub(super) const COUNT: usize = Kind::Pattern as usize + 1;

    /// Whether it is a statement.
    pub const fn is_statement(self) -> bool {
        (self as u8) >= Kind::Function as u8
            && (self as u8) <= Kind::Continue as u8
            && !matches!(self, Kind::Clause | Kind::WithItem | Kind::Case | Kind::Handler | Kind::Alias)
    }
}

/// What a node is to the node around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A statement of its block.
    Body,
    /// A statement of the `else` of a loop or a `try`.
    Else,
    /// A statement of `finally`.
    Finally,
    /// A decorator.
    Decorator,
    /// A parameter.
    Parameter,
    /// A parameter of a type.
    TypeParameter,
    /// A base class.
    Base,
    /// A positional argument.
    Argument,
    /// A keyword argument.
    Keyword,
    /// An annotation of a parameter or a name.
    Annotation,
    /// The default of a parameter.
    Default,
    /// A return annotation.
    Returns,
    /// What is assigned to, deleted, or bound by `for`, `with` and `as`.
    Target,
    /// A value.
    Value,
    /// A condition.
    Test,
    /// The message of an assertion.
    Message,
    /// What a `raise` or an `except` names.
    Exception,
    /// What stands behind `from` in a `raise`.
    Cause,
    /// What is called.
    Callee,
    /// An `except`, an `elif`, an `else`, a `case`, an item of `with`, a name of an import.
    Clause,
    /// What is looped over.
    Iterable,
    /// A key of a dictionary.
    Key,
    /// Anything else.
    Other,
}

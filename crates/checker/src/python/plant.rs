//! The parser's nodes as ours: kind, name, and what is inside.

use super::index::{Mark, Pending, block, span};
use super::kind::{Kind, Role};
use ruff_python_ast as ast;
use ruff_python_ast::{
    ExceptHandler, Expr, ExprContext, FStringPart, InterpolatedStringElement, Number, Stmt,
};
use ruff_text_size::{Ranged, TextRange};

/// A node of the parser's tree.
pub(super) enum Planted<'a> {
    Stmt(&'a Stmt),
    Expr(&'a Expr),
    Handler(&'a ast::ExceptHandlerExceptHandler),
    Clause(&'a ast::ElifElseClause),
    Item(&'a ast::WithItem),
    Case(&'a ast::MatchCase),
    Alias(&'a ast::Alias),
    Decorator(&'a ast::Decorator),
    Parameter(&'a ast::Parameter, Option<&'a Expr>, Mark),
    TypeParameter(&'a ast::TypeParam),
    Keyword(&'a ast::Keyword),
    Comprehension(&'a ast::Comprehension),
    Pattern(&'a ast::Pattern),
    /// A string or an f-string among those that are written together.
    Part(&'a FStringPart),
    /// Letters of an f-string.
    Piece(&'a str, TextRange),
}

impl Planted<'_> {
    pub(super) fn range(&self) -> (u32, u32) {
        span(match self {
            Planted::Stmt(node) => node.range(),
            Planted::Expr(node) => node.range(),
            Planted::Handler(node) => node.range(),
            Planted::Clause(node) => node.range(),
            Planted::Item(node) => node.range(),
            Planted::Case(node) => node.range(),
            Planted::Alias(node) => node.range(),
            Planted::Decorator(node) => node.range(),
            Planted::Parameter(node, default, _) => {
                default.map_or(node.range(), |default| node.range().cover(default.range()))
            }
            Planted::TypeParameter(node) => node.range(),
            Planted::Keyword(node) => node.range(),
            Planted::Comprehension(node) => node.range(),
            Planted::Pattern(node) => node.range(),
            Planted::Part(node) => node.range(),
            Planted::Piece(_, range) => *range,
        })
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Planted::Stmt(node) => statement(node),
            Planted::Expr(node) => expression(node),
            Planted::Handler(_) => Kind::Handler,
            Planted::Clause(_) => Kind::Clause,
            Planted::Item(_) => Kind::WithItem,
            Planted::Case(_) => Kind::Case,
            Planted::Alias(_) => Kind::Alias,
            Planted::Decorator(_) => Kind::Decorator,
            Planted::Parameter(..) => Kind::Parameter,
            Planted::TypeParameter(_) => Kind::TypeParameter,
            Planted::Keyword(_) => Kind::Keyword,
            Planted::Comprehension(_) => Kind::Comprehension,
            Planted::Pattern(_) => Kind::Pattern,
            Planted::Part(FStringPart::Literal(_)) | Planted::Piece(..) => Kind::Piece,
            Planted::Part(FStringPart::FString(_)) => Kind::FString,
        }
    }

    pub(super) fn name(&self) -> Option<TextRange> {
        match self {
            Planted::Stmt(Stmt::FunctionDef(node)) => Some(node.name.range),
            Planted::Stmt(Stmt::ClassDef(node)) => Some(node.name.range),
            Planted::Stmt(Stmt::ImportFrom(node)) => node.module.as_ref().map(|module| module.range),
            Planted::Expr(Expr::Attribute(node)) => Some(node.attr.range),
            Planted::Expr(Expr::Name(node)) => Some(node.range),
            Planted::Handler(node) => node.name.as_ref().map(|name| name.range),
            Planted::Alias(node) => Some(node.asname.as_ref().unwrap_or(&node.name).range),
            Planted::Parameter(node, ..) => Some(node.name.range),
            Planted::Keyword(node) => node.arg.as_ref().map(|name| name.range),
            Planted::TypeParameter(node) => Some(match node {
                ast::TypeParam::TypeVar(node) => node.name.range,
                ast::TypeParam::ParamSpec(node) => node.name.range,
                ast::TypeParam::TypeVarTuple(node) => node.name.range,
            }),
            Planted::Pattern(ast::Pattern::MatchAs(node)) => node.name.as_ref().map(|name| name.range),
            Planted::Pattern(ast::Pattern::MatchStar(node)) => node.name.as_ref().map(|name| name.range),
            Planted::Pattern(ast::Pattern::MatchMapping(node)) => node.rest.as_ref().map(|name| name.range),
            _ => None,
        }
    }

    pub(super) fn mark(&self) -> Mark {
        let when = |is: bool, mark: Mark| if is { mark } else { Mark::None };
        match self {
            Planted::Stmt(Stmt::FunctionDef(node)) => when(node.is_async, Mark::Async),
            Planted::Stmt(Stmt::For(node)) => when(node.is_async, Mark::Async),
            Planted::Stmt(Stmt::With(node)) => when(node.is_async, Mark::Async),
            Planted::Stmt(Stmt::Try(node)) => when(node.is_star, Mark::Star),
            Planted::Stmt(Stmt::ImportFrom(node)) => Mark::Level(u8::try_from(node.level).unwrap_or(u8::MAX)),
            Planted::Comprehension(node) => when(node.is_async, Mark::Async),
            Planted::Parameter(_, _, mark) => *mark,
            Planted::Expr(Expr::Name(node)) => context(node.ctx),
            Planted::Expr(Expr::Attribute(node)) => context(node.ctx),
            Planted::Expr(Expr::Subscript(node)) => context(node.ctx),
            Planted::Expr(Expr::BooleanLiteral(node)) => when(node.value, Mark::True),
            Planted::Expr(Expr::NumberLiteral(node)) => match node.value {
                Number::Int(_) => Mark::Integer,
                Number::Float(_) => Mark::Float,
                Number::Complex { .. } => Mark::Complex,
            },
            Planted::Expr(Expr::StringLiteral(node)) => {
                when(node.value.is_implicit_concatenated(), Mark::Concatenated)
            }
            Planted::Expr(Expr::FString(node)) => {
                when(node.value.is_implicit_concatenated(), Mark::Concatenated)
            }
            _ => Mark::None,
        }
    }
}

fn context(context: ExprContext) -> Mark {
    match context {
        ExprContext::Store => Mark::Store,
        ExprContext::Del => Mark::Delete,
        ExprContext::Load | ExprContext::Invalid => Mark::None,
    }
}

fn statement(node: &Stmt) -> Kind {
    match node {
        Stmt::FunctionDef(_) => Kind::Function,
        Stmt::ClassDef(_) => Kind::Class,
        Stmt::Return(_) => Kind::Return,
        Stmt::Delete(_) => Kind::Delete,
        Stmt::TypeAlias(_) => Kind::TypeAlias,
        Stmt::Assign(_) => Kind::Assign,
        Stmt::AugAssign(_) => Kind::AugmentedAssign,
        Stmt::AnnAssign(_) => Kind::AnnotatedAssign,
        Stmt::For(_) => Kind::For,
        Stmt::While(_) => Kind::While,
        Stmt::If(_) => Kind::If,
        Stmt::With(_) => Kind::With,
        Stmt::Match(_) => Kind::Match,
        Stmt::Raise(_) => Kind::Raise,
        Stmt::Try(_) => Kind::Try,
        Stmt::Assert(_) => Kind::Assert,
        Stmt::Import(_) => Kind::Import,
        Stmt::ImportFrom(_) => Kind::ImportFrom,
        Stmt::Global(_) => Kind::Global,
        Stmt::Nonlocal(_) => Kind::Nonlocal,
        Stmt::Expr(_) | Stmt::IpyEscapeCommand(_) => Kind::Expression,
        Stmt::Pass(_) => Kind::Pass,
        Stmt::Break(_) => Kind::Break,
        Stmt::Continue(_) => Kind::Continue,
    }
}

fn expression(node: &Expr) -> Kind {
    match node {
        Expr::BoolOp(_) => Kind::BoolOp,
        Expr::Named(_) => Kind::Named,
        Expr::BinOp(_) => Kind::BinaryOp,
        Expr::UnaryOp(_) => Kind::UnaryOp,
        Expr::Lambda(_) => Kind::Lambda,
        Expr::If(_) => Kind::Conditional,
        Expr::Dict(_) => Kind::Dict,
        Expr::Set(_) => Kind::Set,
        Expr::ListComp(_) => Kind::ListComprehension,
        Expr::SetComp(_) => Kind::SetComprehension,
        Expr::DictComp(_) => Kind::DictComprehension,
        Expr::Generator(_) => Kind::Generator,
        Expr::Await(_) => Kind::Await,
        Expr::Yield(_) => Kind::Yield,
        Expr::YieldFrom(_) => Kind::YieldFrom,
        Expr::Compare(_) => Kind::Compare,
        Expr::Call(_) => Kind::Call,
        Expr::FString(_) => Kind::FString,
        Expr::TString(_) => Kind::TString,
        Expr::StringLiteral(_) => Kind::Str,
        Expr::BytesLiteral(_) => Kind::Bytes,
        Expr::NumberLiteral(_) => Kind::Number,
        Expr::BooleanLiteral(_) => Kind::Bool,
        Expr::NoneLiteral(_) => Kind::None,
        Expr::EllipsisLiteral(_) => Kind::Ellipsis,
        Expr::Attribute(_) => Kind::Attribute,
        Expr::Subscript(_) => Kind::Subscript,
        Expr::Starred(_) => Kind::Starred,
        Expr::Name(_) | Expr::IpyEscapeCommand(_) => Kind::Name,
        Expr::List(_) => Kind::List,
        Expr::Tuple(_) => Kind::Tuple,
        Expr::Slice(_) => Kind::Slice,
    }
}

/// What is inside of a node, in the order of the source.
pub(super) fn children<'a>(node: &Planted<'a>, into: &mut Vec<Pending<'a>>) {
    match *node {
        Planted::Stmt(node) => of_statement(node, into),
        Planted::Expr(node) => super::within::of_expression(node, into),
        Planted::Handler(node) => {
            put(into, Role::Exception, node.type_.as_deref());
            block(&node.body, Role::Body, into);
        }
        Planted::Clause(node) => {
            put(into, Role::Test, node.test.as_ref());
            block(&node.body, Role::Body, into);
        }
        Planted::Item(node) => {
            put(into, Role::Value, [&node.context_expr]);
            put(into, Role::Target, node.optional_vars.as_deref());
        }
        Planted::Case(node) => {
            into.push(Pending { node: Planted::Pattern(&node.pattern), role: Role::Other });
            put(into, Role::Test, node.guard.as_deref());
            block(&node.body, Role::Body, into);
        }
        Planted::Decorator(node) => put(into, Role::Value, [&node.expression]),
        Planted::Parameter(node, default, _) => {
            put(into, Role::Annotation, node.annotation.as_deref());
            put(into, Role::Default, default);
        }
        Planted::TypeParameter(node) => {
            let (bound, default) = match node {
                ast::TypeParam::TypeVar(node) => (node.bound.as_deref(), node.default.as_deref()),
                ast::TypeParam::ParamSpec(node) => (None, node.default.as_deref()),
                ast::TypeParam::TypeVarTuple(node) => (None, node.default.as_deref()),
            };
            put(into, Role::Annotation, bound);
            put(into, Role::Default, default);
        }
        Planted::Keyword(node) => put(into, Role::Value, [&node.value]),
        Planted::Comprehension(node) => {
            put(into, Role::Target, [&node.target]);
            put(into, Role::Iterable, [&node.iter]);
            put(into, Role::Test, &node.ifs);
        }
        Planted::Pattern(node) => super::within::of_pattern(node, into),
        Planted::Part(FStringPart::FString(node)) => elements(&node.elements, into),
        Planted::Part(FStringPart::Literal(_)) | Planted::Piece(..) | Planted::Alias(_) => {}
    }
}

/// Expressions with a role.
pub(super) fn put<'a>(
    into: &mut Vec<Pending<'a>>,
    role: Role,
    expressions: impl IntoIterator<Item = &'a Expr>,
) {
    into.extend(expressions.into_iter().map(|node| Pending { node: Planted::Expr(node), role }));
}

/// Letters and values of an f-string, and of the format of a value.
pub(super) fn elements<'a>(
    elements: impl IntoIterator<Item = &'a InterpolatedStringElement>,
    into: &mut Vec<Pending<'a>>,
) {
    for element in elements {
        match element {
            InterpolatedStringElement::Literal(literal) => {
                let node = Planted::Piece(&literal.value, literal.range);
                into.push(Pending { node, role: Role::Other });
            }
            InterpolatedStringElement::Interpolation(field) => {
                put(into, Role::Value, [&*field.expression]);
                // A format has values of its own; its letters say nothing.
                let formats = field.format_spec.iter().flat_map(|spec| spec.elements.interpolations());
                put(into, Role::Other, formats.map(|field| &*field.expression));
            }
        }
    }
}

fn definition<'a>(
    decorators: &'a [ast::Decorator],
    parameters: Option<&'a ast::TypeParams>,
    into: &mut Vec<Pending<'a>>,
) {
    let decorated = |node| Pending { node: Planted::Decorator(node), role: Role::Decorator };
    into.extend(decorators.iter().map(decorated));
    let typed = |node| Pending { node: Planted::TypeParameter(node), role: Role::TypeParameter };
    into.extend(parameters.into_iter().flat_map(|all| &all.type_params).map(typed));
}

/// The parameters, in the order of the source.
pub(super) fn parameters<'a>(node: &'a ast::Parameters, into: &mut Vec<Pending<'a>>) {
    let mut add = |parameter, default, mark| {
        into.push(Pending { node: Planted::Parameter(parameter, default, mark), role: Role::Parameter });
    };
    let plain = [(&node.posonlyargs, Mark::PositionalOnly), (&node.args, Mark::None)];
    for (some, mark) in plain {
        some.iter().for_each(|one| add(&one.parameter, one.default.as_deref(), mark));
    }
    node.vararg.iter().for_each(|one| add(one, None, Mark::Variadic));
    node.kwonlyargs.iter().for_each(|one| add(&one.parameter, one.default.as_deref(), Mark::KeywordOnly));
    node.kwarg.iter().for_each(|one| add(one, None, Mark::VariadicKeyword));
}

/// The arguments of a call, or the bases and keywords of a class.
pub(super) fn arguments<'a>(node: &'a ast::Arguments, positional: Role, into: &mut Vec<Pending<'a>>) {
    put(into, positional, &node.args);
    into.extend(
        node.keywords.iter().map(|node| Pending { node: Planted::Keyword(node), role: Role::Keyword }),
    );
}

fn clauses<'a, T: 'a>(all: &'a [T], plant: impl Fn(&'a T) -> Planted<'a>, into: &mut Vec<Pending<'a>>) {
    into.extend(all.iter().map(|node| Pending { node: plant(node), role: Role::Clause }));
}

fn of_statement<'a>(node: &'a Stmt, into: &mut Vec<Pending<'a>>) {
    match node {
        Stmt::FunctionDef(node) => {
            definition(&node.decorator_list, node.type_params.as_deref(), into);
            parameters(&node.parameters, into);
            put(into, Role::Returns, node.returns.as_deref());
            block(&node.body, Role::Body, into);
        }
        Stmt::ClassDef(node) => {
            definition(&node.decorator_list, node.type_params.as_deref(), into);
            node.arguments.iter().for_each(|all| arguments(all, Role::Base, into));
            block(&node.body, Role::Body, into);
        }
        Stmt::Return(node) => put(into, Role::Value, node.value.as_deref()),
        Stmt::Delete(node) => put(into, Role::Target, &node.targets),
        Stmt::TypeAlias(node) => {
            put(into, Role::Target, [&*node.name]);
            definition(&[], node.type_params.as_deref(), into);
            put(into, Role::Value, [&*node.value]);
        }
        Stmt::Assign(node) => {
            put(into, Role::Target, &node.targets);
            put(into, Role::Value, [&*node.value]);
        }
        Stmt::AugAssign(node) => {
            put(into, Role::Target, [&*node.target]);
            put(into, Role::Value, [&*node.value]);
        }
        Stmt::AnnAssign(node) => {
            put(into, Role::Target, [&*node.target]);
            put(into, Role::Annotation, [&*node.annotation]);
            put(into, Role::Value, node.value.as_deref());
        }
        Stmt::For(node) => {
            put(into, Role::Target, [&*node.target]);
            put(into, Role::Iterable, [&*node.iter]);
            block(&node.body, Role::Body, into);
            block(&node.orelse, Role::Else, into);
        }
        Stmt::While(node) => {
            put(into, Role::Test, [&*node.test]);
            block(&node.body, Role::Body, into);
            block(&node.orelse, Role::Else, into);
        }
        Stmt::If(node) => {
            put(into, Role::Test, [&*node.test]);
            block(&node.body, Role::Body, into);
            clauses(&node.elif_else_clauses, Planted::Clause, into);
        }
        Stmt::With(node) => {
            clauses(&node.items, Planted::Item, into);
            block(&node.body, Role::Body, into);
        }
        Stmt::Match(node) => {
            put(into, Role::Value, [&*node.subject]);
            clauses(&node.cases, Planted::Case, into);
        }
        Stmt::Raise(node) => {
            put(into, Role::Exception, node.exc.as_deref());
            put(into, Role::Cause, node.cause.as_deref());
        }
        Stmt::Try(node) => {
            block(&node.body, Role::Body, into);
            let handler = |ExceptHandler::ExceptHandler(node): &'a ExceptHandler| Planted::Handler(node);
            clauses(&node.handlers, handler, into);
            block(&node.orelse, Role::Else, into);
            block(&node.finalbody, Role::Finally, into);
        }
        Stmt::Assert(node) => {
            put(into, Role::Test, [&*node.test]);
            put(into, Role::Message, node.msg.as_deref());
        }
        Stmt::Import(node) => clauses(&node.names, Planted::Alias, into),
        Stmt::ImportFrom(node) => clauses(&node.names, Planted::Alias, into),
        Stmt::Expr(node) => put(into, Role::Value, [&*node.value]),
        Stmt::Global(_)
        | Stmt::Nonlocal(_)
        | Stmt::Pass(_)
        | Stmt::Break(_)
        | Stmt::Continue(_)
        | Stmt::IpyEscapeCommand(_) => {}
    }
}

//! What is inside of expressions and patterns.

use super::index::Pending;
use super::kind::Role;
use super::plant::{Planted, arguments, elements, parameters, put};
use ruff_python_ast::{Comprehension, Expr, FStringPart, Pattern};

fn comprehensions<'a>(all: &'a [Comprehension], into: &mut Vec<Pending<'a>>) {
    into.extend(all.iter().map(|node| Pending { node: Planted::Comprehension(node), role: Role::Clause }));
}

pub(super) fn of_expression<'a>(node: &'a Expr, into: &mut Vec<Pending<'a>>) {
    match node {
        Expr::BoolOp(node) => put(into, Role::Value, &node.values),
        Expr::Named(node) => {
            put(into, Role::Target, [&*node.target]);
            put(into, Role::Value, [&*node.value]);
        }
        Expr::BinOp(node) => put(into, Role::Value, [&*node.left, &*node.right]),
        Expr::UnaryOp(node) => put(into, Role::Value, [&*node.operand]),
        Expr::Lambda(node) => {
            node.parameters.iter().for_each(|all| parameters(all, into));
            put(into, Role::Value, [&*node.body]);
        }
        Expr::If(node) => {
            put(into, Role::Value, [&*node.body]);
            put(into, Role::Test, [&*node.test]);
            put(into, Role::Value, [&*node.orelse]);
        }
        Expr::Dict(node) => {
            for item in &node.items {
                put(into, Role::Key, item.key.as_ref());
                put(into, Role::Value, [&item.value]);
            }
        }
        Expr::Set(node) => put(into, Role::Value, &node.elts),
        Expr::ListComp(node) => {
            put(into, Role::Value, [&*node.elt]);
            comprehensions(&node.generators, into);
        }
        Expr::SetComp(node) => {
            put(into, Role::Value, [&*node.elt]);
            comprehensions(&node.generators, into);
        }
        Expr::DictComp(node) => {
            put(into, Role::Key, node.key.as_deref());
            put(into, Role::Value, [&*node.value]);
            comprehensions(&node.generators, into);
        }
        Expr::Generator(node) => {
            put(into, Role::Value, [&*node.elt]);
            comprehensions(&node.generators, into);
        }
        Expr::Await(node) => put(into, Role::Value, [&*node.value]),
        Expr::Yield(node) => put(into, Role::Value, node.value.as_deref()),
        Expr::YieldFrom(node) => put(into, Role::Value, [&*node.value]),
        Expr::Compare(node) => {
            put(into, Role::Value, [&*node.left]);
            put(into, Role::Value, &node.comparators);
        }
        Expr::Call(node) => {
            put(into, Role::Callee, [&*node.func]);
            arguments(&node.arguments, Role::Argument, into);
        }
        Expr::FString(node) => match node.value.as_slice() {
            [FStringPart::FString(one)] => elements(&one.elements, into),
            parts => {
                into.extend(parts.iter().map(|part| Pending { node: Planted::Part(part), role: Role::Other }))
            }
        },
        Expr::TString(node) => node.value.iter().for_each(|part| elements(&part.elements, into)),
        Expr::Attribute(node) => put(into, Role::Value, [&*node.value]),
        Expr::Subscript(node) => {
            put(into, Role::Value, [&*node.value]);
            put(into, Role::Key, [&*node.slice]);
        }
        Expr::Starred(node) => put(into, Role::Value, [&*node.value]),
        Expr::List(node) => put(into, Role::Value, &node.elts),
        Expr::Tuple(node) => put(into, Role::Value, &node.elts),
        Expr::Slice(node) => {
            let parts = [&node.lower, &node.upper, &node.step];
            put(into, Role::Other, parts.into_iter().filter_map(|part| part.as_deref()));
        }
        Expr::StringLiteral(_)
        | Expr::BytesLiteral(_)
        | Expr::NumberLiteral(_)
        | Expr::BooleanLiteral(_)
        | Expr::NoneLiteral(_)
        | Expr::EllipsisLiteral(_)
        | Expr::Name(_)
        | Expr::IpyEscapeCommand(_) => {}
    }
}

pub(super) fn of_pattern<'a>(node: &'a Pattern, into: &mut Vec<Pending<'a>>) {
    let mut patterns = |all: &mut dyn Iterator<Item = &'a Pattern>| {
        into.extend(all.map(|node| Pending { node: Planted::Pattern(node), role: Role::Other }));
    };
    match node {
        Pattern::MatchValue(node) => put(into, Role::Value, [&*node.value]),
        Pattern::MatchSequence(node) => patterns(&mut node.patterns.iter()),
        Pattern::MatchMapping(node) => {
            patterns(&mut node.patterns.iter());
            put(into, Role::Key, &node.keys);
        }
        Pattern::MatchClass(node) => {
            patterns(&mut node.arguments.patterns.iter());
            patterns(&mut node.arguments.keywords.iter().map(|keyword| &keyword.pattern));
            put(into, Role::Callee, [&*node.cls]);
        }
        Pattern::MatchAs(node) => patterns(&mut node.pattern.iter().map(|pattern| &**pattern)),
        Pattern::MatchOr(node) => patterns(&mut node.patterns.iter()),
        Pattern::MatchSingleton(_) | Pattern::MatchStar(_) => {}
    }
}

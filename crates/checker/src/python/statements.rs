//! Raises, asserts, `try` statements, assignments.

use super::index::Mark;
use super::kind::{Kind, Role};
use super::{Call, Node};

/// A `raise`.
#[derive(Debug, Clone, Copy)]
pub struct Raise<'p>(Node<'p>);

impl<'p> Raise<'p> {
    pub(super) fn of(node: Node<'p>) -> Option<Self> {
        (node.kind() == Kind::Raise).then_some(Raise(node))
    }

    /// It as a node.
    pub fn node(self) -> Node<'p> {
        self.0
    }

    /// What is raised; nothing where the exception at hand goes on.
    pub fn exception(self) -> Option<Node<'p>> {
        self.0.child(Role::Exception)
    }

    /// The call that makes what is raised.
    pub fn call(self) -> Option<Call<'p>> {
        self.exception()?.as_call()
    }

    /// The dotted name of the class that is raised, called or not.
    pub fn resolve(self) -> Option<String> {
        self.class()?.resolve()
    }

    /// The class that is raised, as it is written.
    pub fn class(self) -> Option<Node<'p>> {
        self.call().map_or_else(|| self.exception(), |call| Some(call.callee()))
    }

    /// The first argument, where it is a text: values of an f-string stay in braces.
    pub fn message(self) -> Option<String> {
        self.call()?.positional().next()?.string_text()
    }

    /// What stands behind `from`.
    pub fn cause(self) -> Option<Node<'p>> {
        self.0.child(Role::Cause)
    }
}

/// An `assert`.
#[derive(Debug, Clone, Copy)]
pub struct Assert<'p>(Node<'p>);

impl<'p> Assert<'p> {
    pub(super) fn of(node: Node<'p>) -> Option<Self> {
        (node.kind() == Kind::Assert).then_some(Assert(node))
    }

    /// It as a node.
    pub fn node(self) -> Node<'p> {
        self.0
    }

    /// What is asserted.
    pub fn test(self) -> Node<'p> {
        self.0.child(Role::Test).unwrap_or(self.0)
    }

    /// Its message.
    pub fn message(self) -> Option<Node<'p>> {
        self.0.child(Role::Message)
    }
}

/// A `try`.
#[derive(Debug, Clone, Copy)]
pub struct Try<'p>(Node<'p>);

impl<'p> Try<'p> {
    pub(super) fn of(node: Node<'p>) -> Option<Self> {
        (node.kind() == Kind::Try).then_some(Try(node))
    }

    /// It as a node.
    pub fn node(self) -> Node<'p> {
        self.0
    }

    /// The statements that are tried.
    pub fn body(self) -> impl Iterator<Item = Node<'p>> {
        self.0.children_as(Role::Body)
    }

    /// Its `except` clauses.
    pub fn handlers(self) -> impl Iterator<Item = Handler<'p>> {
        self.0.children_as(Role::Clause).map(Handler)
    }

    /// The statements of its `finally`.
    pub fn finally(self) -> impl Iterator<Item = Node<'p>> {
        self.0.children_as(Role::Finally)
    }

    /// Whether its clauses are `except*`.
    pub fn is_star(self) -> bool {
        self.0.mark() == Mark::Star
    }
}

/// An `except`.
#[derive(Debug, Clone, Copy)]
pub struct Handler<'p>(Node<'p>);

impl<'p> Handler<'p> {
    /// It as a node.
    pub fn node(self) -> Node<'p> {
        self.0
    }

    /// Whether it names no exception.
    pub fn is_bare(self) -> bool {
        self.0.child(Role::Exception).is_none()
    }

    /// The exceptions that it names, each for itself.
    pub fn exceptions(self) -> Vec<Node<'p>> {
        match self.0.child(Role::Exception) {
            Some(tuple) if tuple.kind() == Kind::Tuple => tuple.children().collect(),
            one => one.into_iter().collect(),
        }
    }

    /// The name that it binds.
    pub fn name(self) -> Option<&'p str> {
        self.0.name()
    }

    /// Its statements.
    pub fn body(self) -> impl Iterator<Item = Node<'p>> {
        self.0.children_as(Role::Body)
    }

    /// Whether it does nothing: `pass`, `...`, or strings alone.
    pub fn is_silent(self) -> bool {
        self.body().all(|statement| match statement.kind() {
            Kind::Pass => true,
            Kind::Expression => {
                statement.children().all(|value| matches!(value.kind(), Kind::Ellipsis | Kind::Str))
            }
            _ => false,
        })
    }
}

/// An assignment: `=`, `+=`, with an annotation, or `:=`.
#[derive(Debug, Clone, Copy)]
pub struct Assignment<'p>(Node<'p>);

impl<'p> Assignment<'p> {
    pub(super) fn of(node: Node<'p>) -> Option<Self> {
        let kinds = [Kind::Assign, Kind::AugmentedAssign, Kind::AnnotatedAssign, Kind::Named];
        kinds.contains(&node.kind()).then_some(Assignment(node))
    }

    /// It as a node; its kind says which it is.
    pub fn node(self) -> Node<'p> {
        self.0
    }

    /// What is assigned to: names, attributes, subscripts; tuples and lists taken apart.
    pub fn targets(self) -> Vec<Node<'p>> {
        let mut found = Vec::new();
        let mut open: Vec<Node<'p>> = self.0.children_as(Role::Target).collect();
        open.reverse();
        while let Some(node) = open.pop() {
            if matches!(node.kind(), Kind::Tuple | Kind::List | Kind::Starred) {
                let mut inside: Vec<Node<'p>> = node.children().collect();
                inside.reverse();
                open.extend(inside);
            } else {
                found.push(node);
            }
        }
        found
    }

    /// The value; none of an annotation alone.
    pub fn value(self) -> Option<Node<'p>> {
        self.0.child(Role::Value)
    }

    /// The annotation.
    pub fn annotation(self) -> Option<Node<'p>> {
        self.0.child(Role::Annotation)
    }
}

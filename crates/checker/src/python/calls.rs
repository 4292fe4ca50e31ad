//! Calls and their arguments.

use super::kind::{Kind, Role};
use super::{Literal, Node};

/// A call.
#[derive(Debug, Clone, Copy)]
pub struct Call<'p>(Node<'p>);

/// An argument of a call.
#[derive(Debug, Clone, Copy)]
pub struct Argument<'p> {
    /// Its name, where it is passed by one.
    pub name: Option<&'p str>,
    /// Its value.
    pub value: Node<'p>,
}

impl<'p> Call<'p> {
    pub(super) fn of(node: Node<'p>) -> Option<Self> {
        (node.kind() == Kind::Call).then_some(Call(node))
    }

    /// It as a node.
    pub fn node(self) -> Node<'p> {
        self.0
    }

    /// What is called.
    pub fn callee(self) -> Node<'p> {
        self.0.child(Role::Callee).unwrap_or(self.0)
    }

    /// The dotted name of what is called, where that can be told.
    pub fn resolve(self) -> Option<String> {
        self.callee().resolve()
    }

    /// Whether what is called resolves to one of these dotted names: `print`, `numpy.testing.assert_equal`.
    pub fn is_any(self, names: &[&str]) -> bool {
        self.resolve().is_some_and(|dotted| names.contains(&dotted.as_str()))
    }

    /// The last name of what is called: `append` of `a[0].append(x)`.
    pub fn last_name(self) -> Option<&'p str> {
        self.callee().name()
    }

    /// The positional arguments; one with a star is a node of its own kind.
    pub fn positional(self) -> impl Iterator<Item = Node<'p>> {
        self.0.children_as(Role::Argument)
    }

    /// The arguments, the positional ones first. `**value` has no name and a mark of its own kind.
    pub fn arguments(self) -> impl Iterator<Item = Argument<'p>> {
        let positional = self.positional().map(|value| Argument { name: None, value });
        let named = self.0.children_as(Role::Keyword).filter_map(|keyword| {
            Some(Argument { name: keyword.name(), value: keyword.child(Role::Value)? })
        });
        positional.chain(named)
    }

    /// The argument with a name.
    pub fn keyword(self, name: &str) -> Option<Node<'p>> {
        self.arguments().find(|argument| argument.name == Some(name)).map(|argument| argument.value)
    }

    /// The argument at a place, from 0, or with a name.
    pub fn argument(self, at: usize, name: &str) -> Option<Node<'p>> {
        let before = self.positional().take(at + 1).all(|value| value.kind() != Kind::Starred);
        self.positional().nth(at).filter(|_| before).or_else(|| self.keyword(name))
    }

    /// The literal value of the argument at a place, or with a name.
    pub fn literal(self, at: usize, name: &str) -> Option<Literal<'p>> {
        self.argument(at, name)?.literal()
    }
}

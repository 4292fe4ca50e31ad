//! What a script is made of.

use super::{Assignment, RedirectionKind, Word};

/// Statements one after the other.
pub(super) type Sequence = Vec<Item>;

/// A statement, and whether it is sent into the background.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) node: Node,
    pub(super) in_background: bool,
}

/// How a statement of a list follows the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    And,
    Or,
}

#[derive(Debug)]
pub(super) enum Node {
    Simple(Simple),
    Pipeline(Vec<Node>),
    Not(Box<Node>),
    List(Box<Node>, Vec<(Link, Node)>),
    Subshell(Sequence),
    Group(Sequence),
    If {
        branches: Vec<(Sequence, Sequence)>,
        other: Option<Sequence>,
    },
    /// What is run once, and then again and again.
    Loop {
        /// The variable that each round sets.
        sets: Option<String>,
        once: Vec<Sequence>,
        round: Sequence,
    },
    /// What is run to choose, and the choices.
    Case {
        once: Vec<Sequence>,
        choices: Vec<Sequence>,
    },
    Function(Box<Node>),
    /// A statement with redirections: what their words run, and their documents.
    Redirected {
        runs: Vec<Sequence>,
        documents: Vec<usize>,
        node: Box<Node>,
    },
    /// A test or a sum: only what its words run.
    Words(Vec<Sequence>),
}

/// A simple command.
#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) assignments: Vec<Assignment>,
    pub(super) words: Vec<Word>,
    pub(super) redirections: Vec<(RedirectionKind, Option<u32>, Target)>,
    /// What its words run.
    pub(super) runs: Vec<Sequence>,
}

#[derive(Debug)]
pub(super) enum Target {
    Word(Word),
    /// A document, by number: it stands further below.
    Document(usize),
}

/// What a document holds, and what is run to make it.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) word: Word,
    pub(super) runs: Vec<Sequence>,
}

//! The tree that a browser without scripts makes of a page, by the parser of the HTML standard.

mod sink;

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName};
use sink::Sink;

/// A page as a tree. Whatever the text, there is one.
#[derive(Debug)]
pub struct Page {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    parent: Option<usize>,
    children: Vec<usize>,
    kind: Kind,
}

/// What a node is.
#[derive(Debug, Default)]
enum Kind {
    /// The page itself, or the content of a `<template>`, which is no part of the page.
    #[default]
    Root,
    Element {
        name: QualName,
        attributes: Vec<Attribute>,
        /// The content of a `<template>`.
        inert: Option<usize>,
    },
    Text(String),
    Comment(String),
}

/// An element of a page.
#[derive(Debug, Clone, Copy)]
pub struct Element<'p> {
    page: &'p Page,
    at: usize,
}

/// A piece of a page.
#[derive(Debug, Clone, Copy)]
pub enum Piece<'p> {
    /// An element.
    Element(Element<'p>),
    /// Text, with its character references resolved.
    Text(&'p str),
    /// A comment.
    Comment(&'p str),
}

impl Page {
    /// Parses the text of a page as a browser without scripts does: what is in `<noscript>` is a part of it.
    pub fn parse(text: &str) -> Self {
        let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
        let options = ParseOpts { tree_builder, ..ParseOpts::default() };
        html5ever::parse_document(Sink::new(), options).one(text)
    }

    /// Everything in the page, in the order of the text. What is in a `<template>` is left out.
    pub fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        self.below(0)
    }

    /// Every element of the page, in the order of the text.
    pub fn elements(&self) -> impl Iterator<Item = Element<'_>> {
        self.pieces().filter_map(|piece| match piece {
            Piece::Element(element) => Some(element),
            Piece::Text(_) | Piece::Comment(_) => None,
        })
    }

    /// Every element of one name, in lower case, in the order of the text.
    pub fn named(&self, name: &str) -> impl Iterator<Item = Element<'_>> {
        self.elements().filter(move |element| element.name() == name)
    }

    fn below(&self, top: usize) -> impl Iterator<Item = Piece<'_>> {
        let mut open: Vec<usize> = self.nodes[top].children.iter().rev().copied().collect();
        std::iter::from_fn(move || {
            let at = open.pop()?;
            open.extend(self.nodes[at].children.iter().rev());
            Some(at)
        })
        .filter_map(|at| self.piece(at))
    }

    fn piece(&self, at: usize) -> Option<Piece<'_>> {
        match &self.nodes[at].kind {
            Kind::Root => None,
            Kind::Element { .. } => Some(Piece::Element(Element { page: self, at })),
            Kind::Text(text) => Some(Piece::Text(text)),
            Kind::Comment(text) => Some(Piece::Comment(text)),
        }
    }
}

impl<'p> Element<'p> {
    /// Its name: in lower case, where it is one of HTML.
    pub fn name(self) -> &'p str {
        match &self.page.nodes[self.at].kind {
            Kind::Element { name, .. } => &name.local,
            Kind::Root | Kind::Text(_) | Kind::Comment(_) => "",
        }
    }

    /// The value of an attribute, whose name is given in lower case.
    pub fn attribute(self, name: &str) -> Option<&'p str> {
        let Kind::Element { attributes, .. } = &self.page.nodes[self.at].kind else { return None };
        attributes.iter().find(|attribute| &*attribute.name.local == name).map(|found| &*found.value)
    }

    /// What stands directly in it, in order.
    pub fn children(self) -> impl Iterator<Item = Piece<'p>> {
        self.page.nodes[self.at].children.iter().filter_map(move |at| self.page.piece(*at))
    }

    /// Everything in it at any depth, in the order of the text.
    pub fn pieces(self) -> impl Iterator<Item = Piece<'p>> {
        self.page.below(self.at)
    }

    /// The element around it; none around the outermost one.
    pub fn parent(self) -> Option<Element<'p>> {
        let at = self.page.nodes[self.at].parent?;
        matches!(self.page.nodes[at].kind, Kind::Element { .. }).then_some(Element { page: self.page, at })
    }

    /// All text in it, one piece after the other.
    pub fn text(self) -> String {
        let texts = self.pieces().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text),
            Piece::Element(_) | Piece::Comment(_) => None,
        });
        texts.collect()
    }
}

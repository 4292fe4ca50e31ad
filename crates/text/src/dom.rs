//! The tree that a browser without scripts makes of a page, and selectors on it.

mod depth;

use depth::Bounded;
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tokenizer::Tokenizer;
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use polc_records::problem::Malformed;
use scraper::{ElementRef, Html, HtmlTreeSink, Node};
use serde::{Deserialize, Deserializer};
use std::str::FromStr;

/// A page as a tree. Whatever the text, there is one.
#[derive(Debug)]
pub struct Page(Html);

/// An element of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element<'p>(pub(crate) ElementRef<'p>);

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

type NodeRef<'p> = ego_tree::NodeRef<'p, Node>;

impl Page {
    /// Parses the text of a page as a browser without scripts does: what is in `<noscript>` is a part of it,
    /// what is in `<template>` is not. A tag that stands deeper than pages are written opens no element.
    pub fn parse(text: &str) -> Self {
        let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
        let builder = TreeBuilder::new(HtmlTreeSink::new(Html::new_document()), options);
        let tokenizer = Tokenizer::new(Bounded::new(builder), Default::default());
        let queue = BufferQueue::default();
        queue.push_back(text.into());
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
        tokenizer.end();
        Page(tokenizer.sink.finish().finish())
    }

    /// Every element of the page, in the order of the text.
    pub fn elements(&self) -> impl Iterator<Item = Element<'_>> {
        self.pieces().filter_map(|piece| match piece {
            Piece::Element(element) => Some(element),
            Piece::Text(_) | Piece::Comment(_) => None,
        })
    }

    /// Everything in the page, in the order of the text.
    pub fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        below(self.0.tree.root())
    }

    /// Every element of one name, in lower case, in the order of the text.
    pub fn named(&self, name: &str) -> impl Iterator<Item = Element<'_>> {
        self.elements().filter(move |element| element.name() == name)
    }

    pub(crate) fn outermost(&self) -> Element<'_> {
        Element(self.0.root_element())
    }
}

/// Everything below a node, in the order of the text; the content of a `<template>` is left out.
fn below<'p>(top: NodeRef<'p>) -> impl Iterator<Item = Piece<'p>> {
    let mut open: Vec<NodeRef<'p>> = top.children().rev().collect();
    std::iter::from_fn(move || {
        let node = open.pop()?;
        open.extend(node.children().rev().filter(|child| !child.value().is_fragment()));
        Some(node)
    })
    .filter_map(piece)
}

fn piece(node: NodeRef<'_>) -> Option<Piece<'_>> {
    match node.value() {
        Node::Text(text) => Some(Piece::Text(text)),
        Node::Comment(text) => Some(Piece::Comment(text)),
        _ => ElementRef::wrap(node).map(|element| Piece::Element(Element(element))),
    }
}

impl<'p> Element<'p> {
    /// Its name: in lower case, where it is one of HTML.
    pub fn name(self) -> &'p str {
        self.0.value().name()
    }

    /// The value of an attribute, whose name is given in lower case.
    pub fn attribute(self, name: &str) -> Option<&'p str> {
        self.0.value().attr(name)
    }

    /// Its classes.
    pub fn classes(self) -> impl Iterator<Item = &'p str> {
        self.0.value().classes()
    }

    /// What stands directly in it, in order.
    pub fn children(self) -> impl DoubleEndedIterator<Item = Piece<'p>> {
        self.0.children().filter_map(piece)
    }

    /// Everything in it at any depth, in the order of the text.
    pub fn pieces(self) -> impl Iterator<Item = Piece<'p>> {
        below(*self.0)
    }

    /// What follows it directly.
    pub(crate) fn next(self) -> Option<Piece<'p>> {
        self.0.next_siblings().find_map(piece)
    }

    /// What tells it from every other element of the page.
    pub(crate) fn key(self) -> ego_tree::NodeId {
        self.0.id()
    }

    /// The element around it; none around the outermost one.
    pub fn parent(self) -> Option<Element<'p>> {
        self.0.parent().and_then(ElementRef::wrap).map(Element)
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

/// A CSS selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector(scraper::Selector);

impl Selector {
    /// Whether an element is one that this describes.
    pub fn matches(&self, element: Element<'_>) -> bool {
        self.0.matches(&element.0)
    }
}

impl FromStr for Selector {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        scraper::Selector::parse(text).map(Selector).map_err(|_| Malformed {
            what: "selector",
            value: text.to_owned(),
            why: "expected a selector as style sheets have it",
        })
    }
}

impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

//! Holds the parser to a depth. For each tag it looks through all elements that are open, and a page can
//! be made to open one more with every tag.

use ego_tree::NodeId;
use html5ever::LocalName;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{Tracer, TreeBuilder};
use scraper::HtmlTreeSink;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// How many elements the parser may hold: those that are open and, once more, those of them that style
/// text. No page that people wrote comes near it.
const DEEPEST: usize = 256;

/// Elements of HTML in which no other can stand.
const SHALLOW: &[&str] = &[
    "area",
    "base",
    "br",
    "col",
    "embed",
    "frame",
    "hr",
    "iframe",
    "img",
    "input",
    "link",
    "meta",
    "noembed",
    "noframes",
    "param",
    "plaintext",
    "script",
    "source",
    "style",
    "textarea",
    "title",
    "track",
    "wbr",
    "xmp",
];

/// A tree builder that opens no element beyond the depth: a space stands for the tag.
pub(super) struct Bounded {
    builder: TreeBuilder<NodeId, HtmlTreeSink>,
    /// How many elements of each name were not opened and have not ended.
    left_out: RefCell<HashMap<LocalName, usize>>,
}

impl Bounded {
    pub(super) fn new(builder: TreeBuilder<NodeId, HtmlTreeSink>) -> Self {
        Bounded { builder, left_out: RefCell::default() }
    }

    pub(super) fn finish(self) -> HtmlTreeSink {
        self.builder.sink
    }

    fn leaves_out(&self, tag: &Tag) -> bool {
        let of_html = !self.builder.adjusted_current_node_present_but_not_in_html_namespace();
        if of_html && SHALLOW.contains(&&*tag.name) {
            return false;
        }
        let mut left_out = self.left_out.borrow_mut();
        match tag.kind {
            TagKind::StartTag => {
                let held = Count::default();
                self.builder.trace_handles(&held);
                let too_deep = held.0.get() > DEEPEST;
                if too_deep {
                    *left_out.entry(tag.name.clone()).or_default() += 1;
                }
                too_deep
            }
            TagKind::EndTag => match left_out.get_mut(&tag.name) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    true
                }
                _ => false,
            },
        }
    }
}

impl TokenSink for Bounded {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line_number: u64) -> TokenSinkResult<NodeId> {
        let token = match token {
            Token::TagToken(tag) if self.leaves_out(&tag) => Token::CharacterTokens(" ".into()),
            token => token,
        };
        self.builder.process_token(token, line_number)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

#[derive(Default)]
struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = NodeId;

    fn trace_handle(&self, _: &NodeId) {
        self.0.set(self.0.get() + 1);
    }
}

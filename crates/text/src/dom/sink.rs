//! Where the parser puts the tree.

use super::{Kind, Node, Page};
use html5ever::tendril::StrTendril;
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::{Ref, RefCell};

/// The nodes so far; the first is the page. A handle is an index.
pub(super) struct Sink {
    nodes: RefCell<Vec<Node>>,
    /// What a node without a name would be called: the parser asks for names of elements alone.
    nameless: RefCell<QualName>,
}

impl Sink {
    pub(super) fn new() -> Self {
        let nameless = QualName::new(None, ns!(), local_name!(""));
        Self { nodes: RefCell::new(vec![Node::default()]), nameless: RefCell::new(nameless) }
    }

    fn add(&self, kind: Kind) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { kind, ..Node::default() });
        nodes.len() - 1
    }

    /// Puts a node or a text at a place among the children of another.
    fn insert(&self, parent: usize, place: usize, child: NodeOrText<usize>) {
        let child = match child {
            NodeOrText::AppendNode(child) => {
                self.remove_from_parent(&child);
                child
            }
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                let before = place.checked_sub(1).and_then(|at| nodes[parent].children.get(at).copied());
                if let Some(Kind::Text(present)) = before.map(|at| &mut nodes[at].kind) {
                    present.push_str(&text);
                    return;
                }
                drop(nodes);
                self.add(Kind::Text(text.to_string()))
            }
        };
        let mut nodes = self.nodes.borrow_mut();
        let place = place.min(nodes[parent].children.len());
        nodes[parent].children.insert(place, child);
        nodes[child].parent = Some(parent);
    }

    fn end_of(&self, parent: usize) -> usize {
        self.nodes.borrow()[parent].children.len()
    }
}

impl TreeSink for Sink {
    type Handle = usize;
    type Output = Page;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Page {
        Page { nodes: self.nodes.into_inner() }
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Ref<'a, QualName> {
        let name = Ref::filter_map(self.nodes.borrow(), |nodes| match &nodes[*target].kind {
            Kind::Element { name, .. } => Some(name),
            Kind::Root | Kind::Text(_) | Kind::Comment(_) => None,
        });
        name.unwrap_or_else(|_| self.nameless.borrow())
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> usize {
        let inert = flags.template.then(|| self.add(Kind::Root));
        self.add(Kind::Element { name, attributes, inert })
    }

    fn create_comment(&self, text: StrTendril) -> usize {
        self.add(Kind::Comment(text.to_string()))
    }

    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> usize {
        self.create_comment(data)
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        self.insert(*parent, self.end_of(*parent), child);
    }

    fn append_based_on_parent_node(&self, element: &usize, previous: &usize, child: NodeOrText<usize>) {
        let has_parent = self.nodes.borrow()[*element].parent.is_some();
        if has_parent { self.append_before_sibling(element, child) } else { self.append(previous, child) }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        match self.nodes.borrow()[*target].kind {
            Kind::Element { inert: Some(inert), .. } => inert,
            // The parser asks it of templates alone.
            Kind::Element { inert: None, .. } | Kind::Root | Kind::Text(_) | Kind::Comment(_) => *target,
        }
    }

    fn same_node(&self, one: &usize, other: &usize) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        if let NodeOrText::AppendNode(node) = &child {
            self.remove_from_parent(node);
        }
        let nodes = self.nodes.borrow();
        let Some(parent) = nodes[*sibling].parent else { return };
        let place = nodes[parent].children.iter().position(|at| at == sibling).unwrap_or_default();
        drop(nodes);
        self.insert(parent, place, child);
    }

    fn add_attrs_if_missing(&self, target: &usize, attributes: Vec<Attribute>) {
        let mut nodes = self.nodes.borrow_mut();
        let Kind::Element { attributes: present, .. } = &mut nodes[*target].kind else { return };
        for attribute in attributes {
            if !present.iter().any(|known| known.name == attribute.name) {
                present.push(attribute);
            }
        }
    }

    fn remove_from_parent(&self, target: &usize) {
        let mut nodes = self.nodes.borrow_mut();
        if let Some(parent) = nodes[*target].parent.take() {
            nodes[parent].children.retain(|at| at != target);
        }
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        let mut nodes = self.nodes.borrow_mut();
        let children = std::mem::take(&mut nodes[*node].children);
        for child in &children {
            nodes[*child].parent = Some(*new_parent);
        }
        nodes[*new_parent].children.extend(children);
    }
}

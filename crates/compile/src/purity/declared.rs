//! The names that the source of a checker declares and imports.

use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Ident, Item, UseTree};

/// A name without what makes it a raw one.
pub(super) fn plain(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// The names that a file declares and imports.
#[derive(Default)]
pub(super) struct Declared {
    /// Types, traits and parameters of types: what a path may begin with.
    pub(super) here: BTreeMap<String, Span>,
    /// By name, what is imported under it, anywhere in the file.
    pub(super) imported: BTreeMap<String, BTreeSet<Vec<String>>>,
}

/// What a `use` names.
pub(super) struct Import {
    pub(super) path: Vec<String>,
    pub(super) span: Span,
    pub(super) kind: ImportKind,
}

pub(super) enum ImportKind {
    /// Under its own name.
    Plain,
    /// Under another one.
    Renamed,
    /// Under none: for the methods of a trait.
    Unnamed,
    /// Everything below.
    Glob,
}

pub(super) fn imports(tree: &UseTree) -> Vec<Import> {
    fn below(tree: &UseTree, path: &[String], found: &mut Vec<Import>) {
        let with = |ident: &Ident| {
            let mut path = path.to_vec();
            // `use std::fmt::{self}` names the module.
            if path.is_empty() || ident != "self" {
                path.push(plain(ident));
            }
            path
        };
        match tree {
            UseTree::Path(tree_path) => below(&tree_path.tree, &with(&tree_path.ident), found),
            UseTree::Name(name) => {
                found.push(Import {
                    path: with(&name.ident),
                    span: name.ident.span(),
                    kind: ImportKind::Plain,
                });
            }
            UseTree::Rename(rename) => {
                let kind = if rename.rename == "_" { ImportKind::Unnamed } else { ImportKind::Renamed };
                found.push(Import { path: with(&rename.ident), span: rename.ident.span(), kind });
            }
            UseTree::Glob(glob) => {
                found.push(Import { path: path.to_vec(), span: glob.span(), kind: ImportKind::Glob });
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| below(tree, path, found)),
        }
    }
    let mut found = Vec::new();
    below(tree, &[], &mut found);
    found
}

impl<'ast> Visit<'ast> for Declared {
    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Enum(item) => Some(&item.ident),
            Item::Mod(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            _ => None,
        };
        self.here.extend(name.map(|name| (plain(name), name.span())));
        visit::visit_item(self, item);
    }

    fn visit_type_param(&mut self, parameter: &'ast syn::TypeParam) {
        self.here.insert(plain(&parameter.ident), parameter.ident.span());
        visit::visit_type_param(self, parameter);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        for import in imports(&item.tree) {
            if let (ImportKind::Plain, Some(name)) = (import.kind, import.path.last().cloned()) {
                self.imported.entry(name).or_default().insert(import.path);
            }
        }
    }
}

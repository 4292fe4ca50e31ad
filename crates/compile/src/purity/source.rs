//! The walk over the source of one checker.

use super::declared::{Declared, ImportKind, imports, plain};
use super::depth::too_deep;
use super::macros::{Arguments, Elements, Matched, Shows, Values, shows};
use super::names::{
    ATTRIBUTES, BANNED, DERIVES, MACROS, PRELUDE, PRIMITIVES, ROUNDED, RUNTIME_PRIVATE, TAKEN, is_standard,
};
use super::{Ban, Finding};
use proc_macro2::{Span, TokenStream};
use std::path::Path;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Ident, Item, Lit, Macro, Meta, QSelf, Safety, StaticMutability, Token, Type};

const OUTSIDE: Ban = Ban::new(
    "an outcome depends on the evidence alone",
    "take what the view hands out, and from the standard library what only computes",
);
const UNKNOWN: Ban = Ban::new(
    "nothing that this file declares or imports has that name",
    "import it from the runtime or the standard library, or declare it here",
);
const ALONE: Ban = Ban::new(
    "a checker is one file",
    "write what is needed here; what several checkers need belongs to the runtime",
);
const ORIGIN: Ban =
    Ban::new("a name has to say where it comes from", "import each name by itself, as what it is");
const EXPANDS: Ban =
    Ban::new("what a macro expands to cannot be read here", "write a function, or a macro of the language");
const UNSAFE: Ban =
    Ban::new("no promise about a checker holds where it is written so", "write it in safe code");
const ADDRESS: Ban = Ban::new(
    "where something lies in memory differs from run to run",
    "compare and print values; numbers are converted by `u64::from` and `usize::try_from`",
);
const INSIDES: Ban = Ban::new(
    "how a value is shown to programmers differs from version to version",
    "show it with `{}`, in quotes of your own",
);
const ROUNDS: Ban = Ban::new(
    "how it is rounded differs from system to system",
    "compute with whole numbers, with the four operations and with square roots",
);
const REMEMBERS: Ban = Ban::new(
    "what one run leaves behind would reach the next",
    "keep constants alone in a static: a Pattern, texts and numbers",
);
const ATTRIBUTE: Ban = Ban::new(
    "an attribute may change what is compiled, or where it is linked",
    "take it away; allowed are doc comments, derive, expect and must_use",
);
const LATER: Ban = Ban::new("nothing waits for anything in a checker", "write a plain function");

pub(super) fn findings(file: &Path, text: &str) -> Vec<Finding> {
    if let Some(span) = text.parse().ok().and_then(too_deep) {
        let ban = Ban::new("a reader, and the purity check, has to see through it", "write it more simply");
        return vec![ban.at(file, place(span), "what is nested too deeply")];
    }
    let parsed = match syn::parse_file(text) {
        Ok(parsed) => parsed,
        Err(error) => {
            let ban = Ban::new("nothing unread is built", "correct it");
            return vec![ban.at(file, place(error.span()), format!("this cannot be read as Rust ({error})"))];
        }
    };
    let mut declared = Declared::default();
    declared.visit_file(&parsed);
    let mut walk = Walk { file, declared, findings: Vec::new() };
    walk.taken();
    walk.visit_file(&parsed);
    let mut findings = walk.findings;
    findings.sort_by_key(|finding| (finding.line, finding.column));
    findings.dedup();
    findings
}

fn place(span: Span) -> (usize, usize) {
    (span.start().line, span.start().column + 1)
}

struct Walk<'w> {
    file: &'w Path,
    declared: Declared,
    findings: Vec<Finding>,
}

impl Walk<'_> {
    fn find(&mut self, ban: Ban, span: Span, what: impl Into<String>) {
        self.findings.push(ban.at(self.file, place(span), what));
    }

    /// A path by its segments; in a `use`, one segment is a path too.
    fn named(&mut self, path: &[String], span: Span, is_use: bool) {
        let shown = path.join("::");
        if path.iter().any(|name| name == "crate" || name == "super") {
            return self.find(ALONE, span, format!("`{shown}`"));
        }
        if path.len() < 2 && !is_use {
            return;
        }
        if let Some(banned) = path.iter().find(|name| BANNED.contains(&name.as_str())) {
            self.find(OUTSIDE, span, format!("`{banned}`"));
        }
        if let [.., of, last] = path
            && ["f32", "f64"].contains(&of.as_str())
            && ROUNDED.contains(&last.as_str())
        {
            self.find(ROUNDS, span, format!("`{last}`"));
        }
        let path = match path {
            [first, rest @ ..] if first == "self" => rest,
            _ => path,
        };
        let [first, rest @ ..] = path else { return };
        let mut origins = self.declared.imported.get(first).cloned().unwrap_or_default();
        origins.retain(|origin| origin != path);
        if origins.is_empty() {
            self.absolute(path, span);
        }
        // Where a name is imported in several places, each of them may be meant.
        for origin in origins {
            let whole: Vec<String> = origin.into_iter().chain(rest.iter().cloned()).collect();
            self.absolute(&whole, span);
        }
    }

    fn absolute(&mut self, path: &[String], span: Span) {
        let shown = path.join("::");
        let [first, rest @ ..] = path else { return };
        match first.as_str() {
            "std" | "core" => {
                if !is_standard(rest) {
                    self.find(OUTSIDE, span, format!("`{shown}`"));
                }
            }
            "polc_checker" => {
                if rest.first().is_some_and(|name| RUNTIME_PRIVATE.contains(&name.as_str())) {
                    self.find(OUTSIDE, span, format!("`{shown}`"));
                }
            }
            name if PRIMITIVES.contains(&name)
                || PRELUDE.contains(&name)
                || self.declared.here.contains_key(name) => {}
            name if TAKEN.contains(&name) => self.find(OUTSIDE, span, format!("`{shown}`")),
            _ => self.find(UNKNOWN, span, format!("`{shown}`")),
        }
    }

    fn path(&mut self, path: &syn::Path) {
        if path.leading_colon.is_some() {
            let shown: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
            self.find(ORIGIN, path.span(), format!("`::{}`", shown.join("::")));
        }
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        self.named(&names, path.span(), false);
        visit::visit_path(self, path);
    }

    /// A path that may begin with a type in angle brackets.
    fn qualified(&mut self, of: Option<&QSelf>, path: &syn::Path) {
        let Some(of) = of else { return self.path(path) };
        self.visit_type(&of.ty);
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        if of.position == 0 {
            // `<str>::len`: the type was looked at, and the rest belongs to it.
            if let Some(banned) = names.iter().find(|name| BANNED.contains(&name.as_str())) {
                self.find(OUTSIDE, path.span(), format!("`{banned}`"));
            }
        } else {
            if path.leading_colon.is_some() {
                self.find(ORIGIN, path.span(), format!("`::{}`", names.join("::")));
            }
            self.named(&names, path.span(), false);
        }
        visit::visit_path(self, path);
    }

    fn arguments(&mut self, name: &str, given: &Macro) {
        let parsed = match name {
            "matches" => given.parse_body::<Matched>().map(|Matched(arguments)| arguments),
            "vec" => given.parse_body::<Elements>().map(|Elements(arguments)| arguments),
            _ => given.parse_body::<Values>().map(|Values(arguments)| arguments),
        };
        let Ok(Arguments { values, pattern }) = parsed else {
            return self.find(EXPANDS, given.span(), format!("what stands in `{name}!`"));
        };
        for value in &values {
            match shows(value) {
                Some(Shows::Addresses) => self.find(ADDRESS, value.span(), "`{:p}`"),
                Some(Shows::Insides) => self.find(INSIDES, value.span(), "`{:?}`"),
                None => {}
            }
            self.visit_expr(value);
        }
        if let Some(pattern) = &pattern {
            self.visit_pat(pattern);
        }
    }

    fn derive(&mut self, attribute: &Attribute) {
        let derived = attribute.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
        let is_known = |path: &syn::Path| {
            path.get_ident().is_some_and(|name| {
                DERIVES.contains(&plain(name).as_str()) && !self.declared.imported.contains_key(&plain(name))
            })
        };
        if !derived.is_ok_and(|derived| derived.iter().all(is_known)) {
            self.find(ATTRIBUTE, attribute.span(), "a derive of something else than the language has");
        }
    }

    /// Whether a static of a type holds nothing that changes.
    fn is_constant(&self, of: &Type) -> bool {
        match of {
            Type::Reference(reference) => reference.mutability.is_none() && self.is_constant(&reference.elem),
            Type::Slice(slice) => self.is_constant(&slice.elem),
            Type::Array(array) => self.is_constant(&array.elem),
            Type::Paren(paren) => self.is_constant(&paren.elem),
            Type::Tuple(tuple) => tuple.elems.iter().all(|element| self.is_constant(element)),
            Type::Path(path) if path.qself.is_none() => {
                let names: Vec<String> = path.path.segments.iter().map(|part| plain(&part.ident)).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                match names.as_slice() {
                    ["Pattern"] => !self.declared.here.contains_key("Pattern"),
                    ["polc_checker", "Pattern"] | ["polc_checker", "pattern", "Pattern"] => true,
                    [name] => PRIMITIVES.contains(name),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn signature(&mut self, signature: &syn::Signature) {
        let span = signature.ident.span();
        if let Safety::Unsafe(_) | Safety::Safe(_) = signature.safety {
            self.find(UNSAFE, span, "an `unsafe` function");
        }
        if signature.abi.is_some() || signature.variadic.is_some() {
            self.find(UNSAFE, span, "an `extern` function");
        }
        if signature.asyncness.is_some() {
            self.find(LATER, span, "an `async` function");
        }
    }
}

/// The numbers that a cast may give: an address cannot become one of them.
const CASTS: &[&str] = &["char", "f32", "f64"];

fn is_number(value: &Expr) -> bool {
    match value {
        Expr::Lit(literal) => {
            matches!(literal.lit, Lit::Int(_) | Lit::Float(_) | Lit::Byte(_) | Lit::Char(_))
        }
        Expr::Unary(unary) => is_number(&unary.expr),
        Expr::Paren(paren) => is_number(&paren.expr),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_ident(&mut self, ident: &'ast Ident) {
        // The language takes some letters of other scripts for those of this one.
        if !ident.to_string().is_ascii() {
            self.find(ORIGIN, ident.span(), format!("`{ident}`, which is not ASCII"));
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let names: Vec<String> = attribute.path().segments.iter().map(|part| plain(&part.ident)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let is_inner = matches!(attribute.style, syn::AttrStyle::Inner(_));
        match (names.as_slice(), &attribute.meta) {
            (["doc"], Meta::NameValue(pair)) if matches!(&pair.value, Expr::Lit(_)) => {}
            _ if is_inner => self.find(ATTRIBUTE, attribute.span(), format!("`#![{}]`", names.join("::"))),
            (["derive"], _) => self.derive(attribute),
            (["rustfmt", "skip"], Meta::Path(_)) => {}
            ([name], Meta::Path(_) | Meta::List(_)) if ATTRIBUTES.contains(name) => {}
            (["must_use"], Meta::NameValue(pair)) if matches!(&pair.value, Expr::Lit(_)) => {}
            _ => self.find(ATTRIBUTE, attribute.span(), format!("`#[{}]`", names.join("::"))),
        }
    }

    /// Who sees a name changes nothing.
    fn visit_visibility(&mut self, _visibility: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.path(path);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        path.attrs.iter().for_each(|attribute| self.visit_attribute(attribute));
        self.qualified(path.qself.as_ref(), &path.path);
    }

    fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
        self.qualified(path.qself.as_ref(), &path.path);
    }

    fn visit_macro(&mut self, given: &'ast Macro) {
        let name = given.path.get_ident().map(plain);
        match name.filter(|name| MACROS.contains(&name.as_str())) {
            Some(name) => self.arguments(&name, given),
            None => {
                let names: Vec<String> = given.path.segments.iter().map(|part| plain(&part.ident)).collect();
                self.find(EXPANDS, given.path.span(), format!("`{}!`", names.join("::")));
            }
        }
    }

    /// What the parser kept as it stood.
    fn visit_token_stream(&mut self, tokens: &'ast TokenStream) {
        self.find(EXPANDS, tokens.span(), "something that the purity check does not know");
    }

    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::ExternCrate(item) => self.find(ORIGIN, item.span(), "`extern crate`"),
            Item::ForeignMod(item) => self.find(UNSAFE, item.span(), "an `extern` block"),
            Item::Mod(item) => self.find(ALONE, item.span(), format!("the module `{}`", item.ident)),
            Item::Union(item) => self.find(UNSAFE, item.span(), "a `union`"),
            Item::TraitAlias(item) => self.find(ORIGIN, item.span(), "a trait alias"),
            Item::Static(item) => {
                let is_mutable = matches!(item.mutability, StaticMutability::Mut(_));
                if is_mutable || !self.is_constant(&item.ty) {
                    self.find(REMEMBERS, item.ident.span(), format!("the static `{}`", item.ident));
                }
            }
            Item::Trait(item) if item.unsafety.is_some() => {
                self.find(UNSAFE, item.span(), "an `unsafe` trait")
            }
            Item::Impl(item) => {
                let last = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
                if last.is_some_and(|part| plain(&part.ident) == "Drop") {
                    let ban = Ban::new("nothing happens behind the back of a reader", "call a function");
                    self.find(ban, item.span(), "an implementation of `Drop`");
                }
                if item.unsafety.is_some() {
                    self.find(UNSAFE, item.span(), "an `unsafe` implementation");
                }
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        item.attrs.iter().for_each(|attribute| self.visit_attribute(attribute));
        if item.leading_colon.is_some() {
            self.find(ORIGIN, item.span(), "an import that begins with `::`");
        }
        for import in imports(&item.tree) {
            let shown = import.path.join("::");
            match import.kind {
                ImportKind::Glob => self.find(ORIGIN, import.span, format!("`use {shown}::*`")),
                ImportKind::Renamed => self.find(ORIGIN, import.span, format!("`use {shown} as …`")),
                ImportKind::Plain | ImportKind::Unnamed => {}
            }
            if !shown.is_ascii() {
                self.find(ORIGIN, import.span, format!("`{shown}`, which is not ASCII"));
            }
            self.named(&import.path, import.span, true);
        }
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.signature(signature);
        visit::visit_signature(self, signature);
    }

    fn visit_type(&mut self, of: &'ast Type) {
        match of {
            Type::Ptr(pointer) => self.find(ADDRESS, pointer.span(), "a raw pointer"),
            Type::FnPtr(pointer) => self.find(ADDRESS, pointer.span(), "a pointer to a function"),
            _ => {}
        }
        visit::visit_type(self, of);
    }

    fn visit_expr(&mut self, value: &'ast Expr) {
        match value {
            Expr::Unsafe(block) => self.find(UNSAFE, block.span(), "an `unsafe` block"),
            Expr::RawAddr(address) => self.find(ADDRESS, address.span(), "a raw address"),
            Expr::Async(block) => self.find(LATER, block.span(), "an `async` block"),
            Expr::Await(wait) => self.find(LATER, wait.span(), "`.await`"),
            Expr::Yield(wait) => self.find(LATER, wait.span(), "`yield`"),
            Expr::Closure(closure) if closure.asyncness.is_some() => {
                self.find(LATER, closure.span(), "an `async` closure");
            }
            Expr::Cast(cast) => {
                let to = match &*cast.ty {
                    Type::Path(path) => path.path.get_ident().map(plain),
                    _ => None,
                };
                let is_harmless = to.is_some_and(|to| CASTS.contains(&to.as_str()));
                if !is_harmless && !is_number(&cast.expr) {
                    self.find(ADDRESS, cast.as_token.span(), "a cast with `as`");
                }
            }
            Expr::MethodCall(call) if BANNED.contains(&plain(&call.method).as_str()) => {
                self.find(OUTSIDE, call.method.span(), format!("`{}`", plain(&call.method)));
            }
            Expr::MethodCall(call) if ROUNDED.contains(&plain(&call.method).as_str()) => {
                self.find(ROUNDS, call.method.span(), format!("`{}`", plain(&call.method)));
            }
            _ => {}
        }
        visit::visit_expr(self, value);
    }
}

impl Walk<'_> {
    /// Names of the language and of crates that a file gives to something of its own.
    fn taken(&mut self) {
        let taken: Vec<(String, Span)> = self
            .declared
            .here
            .iter()
            .filter(|(name, _)| {
                let name = name.as_str();
                PRIMITIVES.contains(&name) || TAKEN.contains(&name)
            })
            .map(|(name, span)| (name.clone(), *span))
            .collect();
        for (name, span) in taken {
            self.find(ORIGIN, span, format!("something of one's own that is called `{name}`"));
        }
    }
}

//! What a checker may call, in short: a page made from the comments of the runtime that polc carries.

use crate::runtime::FILES;
use polc_records::Problem;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Field, Fields, Item, ItemImpl, Lit, Meta, Type, UseTree, Variant, Visibility};

/// The modules that no checker needs: what a crate of checkers is run by, and what evidence is made with.
const LEFT_OUT: &[&str] = &["cases", "declaration", "executable", "explain", "pack", "patch"];

/// The types that no checker needs.
const TYPES_LEFT_OUT: &[&str] = &["Graded", "Outcome", "Fault", "Violation", "Run", "Absence", "Reading"];

/// The modules whose values a checker is handed, and never makes.
const HANDED_OUT: &[&str] =
    &["diff", "docstring", "evidence", "fragment", "markdown", "message", "proposal", "rst"];

/// The page.
///
/// # Errors
/// Where a file of the runtime cannot be read as Rust, which is a fault of ours.
pub fn summary() -> Result<String, Problem> {
    let crate_files = Runtime::read()?;
    let mut page = String::from(
        "# The runtime, in short\n\nMade by polc from the comments of `polc_checker`: do not edit it. A type stands with its \
         public fields, variants and methods; what is not here does not exist for a checker.\n",
    );
    let root = crate_files.files.get("lib").map(|file| file.items.as_slice()).unwrap_or_default();
    let mut exported = Vec::new();
    for item in root {
        if let Item::Use(used) = item {
            names(&used.tree, &mut exported);
        }
    }
    let _written = writeln!(page, "\nAt the root of `polc_checker` stand: `{}`.", exported.join("`, `"));
    for item in root {
        let Item::Mod(module) = item else { continue };
        let name = module.ident.to_string();
        if is_public(&module.vis) && !LEFT_OUT.contains(&name.as_str()) {
            crate_files.module(&name, &mut page);
        }
    }
    Ok(page)
}

/// The runtime, parsed: its files by their module, `shell::git`.
struct Runtime {
    files: BTreeMap<String, syn::File>,
}

impl Runtime {
    fn read() -> Result<Self, Problem> {
        let mut files = BTreeMap::new();
        for (path, text) in FILES.iter().filter(|(path, _)| path.ends_with(".rs")) {
            let parsed = syn::parse_file(text)
                .map_err(|error| Problem::new(Path::new(path), error.to_string(), "report this as a bug"))?;
            let module = path.trim_start_matches("src/").trim_end_matches(".rs").replace('/', "::");
            files.insert(module, parsed);
        }
        Ok(Runtime { files })
    }

    /// The items of a module that its users see: its own, and those of its parts that it passes on.
    fn items(&self, module: &str) -> Vec<&Item> {
        let Some(file) = self.files.get(module) else { return Vec::new() };
        let mut shown: Vec<&Item> = file.items.iter().filter(|item| public_name(item).is_some()).collect();
        for item in &file.items {
            let Item::Use(used) = item else { continue };
            let UseTree::Path(path) = &used.tree else { continue };
            let part = self.files.get(&format!("{module}::{}", path.ident));
            let (Some(part), true) = (part, is_public(&used.vis)) else { continue };
            let mut passed_on = Vec::new();
            names(&path.tree, &mut passed_on);
            let of_part = |item: &&Item| public_name(item).is_some_and(|name| passed_on.contains(&name));
            shown.extend(part.items.iter().filter(of_part));
        }
        shown
    }

    /// The blocks of methods of a type: those of its module and its parts, and of others where the name is its own.
    fn methods(&self, module: &str, name: &str) -> Vec<&ItemImpl> {
        let of = |path: &str| path == module || path.starts_with(&format!("{module}::"));
        let defined_in = |path: &str| {
            let top = path.split("::").next().unwrap_or_default();
            let family = self.files.iter().filter(|(path, _)| path.split("::").next() == Some(top));
            family.flat_map(|(_, file)| &file.items).any(|item| type_name(item).as_deref() == Some(name))
        };
        let blocks = self.files.iter().filter(|(path, _)| of(path) || !defined_in(path));
        blocks
            .flat_map(|(_, file)| &file.items)
            .filter_map(|item| match item {
                Item::Impl(block) if block.trait_.is_none() && self_name(block).as_deref() == Some(name) => {
                    Some(block)
                }
                _ => None,
            })
            .collect()
    }

    fn module(&self, module: &str, page: &mut String) {
        let items = self.items(module);
        let about = self.files.get(module).map(|file| first_paragraph(&file.attrs)).unwrap_or_default();
        let _written = writeln!(page, "\n## polc_checker::{module}\n\n{about}");
        let shown = items
            .iter()
            .filter(|item| type_name(item).is_none_or(|name| !TYPES_LEFT_OUT.contains(&name.as_str())));
        for item in shown {
            let _written = match item {
                Item::Fn(function) => {
                    writeln!(page, "\n- `{}`{}", code(&function.sig), said(&function.attrs))
                }
                Item::Const(constant) => writeln!(
                    page,
                    "\n- `const {}: {}`{}",
                    constant.ident,
                    code(&constant.ty),
                    said(&constant.attrs)
                ),
                Item::Type(alias) => {
                    let (name, target) = (&alias.ident, code(&alias.ty));
                    writeln!(
                        page,
                        "\n`type {name}{} = {target}`{}",
                        code(&alias.generics),
                        said(&alias.attrs)
                    )
                }
                Item::Struct(item) => {
                    let head = format!("struct {}{}", item.ident, code(&item.generics));
                    let _written = writeln!(page, "\n`{head}`{}", said(&item.attrs));
                    fields(&item.fields, page);
                    self.write_methods(module, &item.ident.to_string(), page)
                }
                Item::Enum(item) => {
                    let head = format!("enum {}{}", item.ident, code(&item.generics));
                    let _written = writeln!(page, "\n`{head}`{}", said(&item.attrs));
                    let variants: Vec<String> = item.variants.iter().map(variant).collect();
                    let _written = writeln!(page, "- one of `{}`", variants.join("`, `"));
                    self.write_methods(module, &item.ident.to_string(), page)
                }
                Item::Trait(item) => {
                    let _written = writeln!(page, "\n`trait {}`{}", item.ident, said(&item.attrs));
                    for part in &item.items {
                        if let syn::TraitItem::Fn(function) = part {
                            let _written =
                                writeln!(page, "- `{}`{}", code(&function.sig), said(&function.attrs));
                        }
                    }
                    Ok(())
                }
                _ => Ok(()),
            };
        }
    }

    fn write_methods(&self, module: &str, name: &str, page: &mut String) -> std::fmt::Result {
        for item in self.methods(module, name).into_iter().flat_map(|block| &block.items) {
            if let syn::ImplItem::Fn(function) = item
                && is_public(&function.vis)
                && (function.sig.receiver().is_some() || !HANDED_OUT.contains(&module))
            {
                let signature = code(&function.sig);
                let signature = signature.trim_start_matches("const ").trim_start_matches("fn ");
                writeln!(page, "- `{signature}`{}", said(&function.attrs))?;
            }
        }
        Ok(())
    }
}

/// The fields that a checker may read.
fn fields(fields: &Fields, page: &mut String) {
    let public = fields.iter().enumerate().filter(|(_, field)| is_public(&field.vis));
    let named: Vec<String> = public.map(|(number, field)| named(number, field)).collect();
    if !named.is_empty() {
        let _written = writeln!(page, "- fields `{}`", named.join("`, `"));
    }
}

fn named(number: usize, field: &Field) -> String {
    let name = field.ident.as_ref().map_or_else(|| number.to_string(), ToString::to_string);
    format!("{name}: {}", code(&field.ty))
}

fn variant(variant: &Variant) -> String {
    let (name, fields) = (&variant.ident, &variant.fields);
    let of = |part: fn(usize, &Field) -> String| {
        fields.iter().enumerate().map(|(number, field)| part(number, field)).collect::<Vec<_>>().join(", ")
    };
    match fields {
        Fields::Unit => name.to_string(),
        Fields::Named(_) => format!("{name} {{ {} }}", of(named)),
        Fields::Unnamed(_) => format!("{name}({})", of(|_, field| code(&field.ty))),
    }
}

/// The names that a `use` brings in.
fn names(tree: &UseTree, found: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => names(&path.tree, found),
        UseTree::Name(name) => found.push(name.ident.to_string()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, found)),
        UseTree::Rename(_) | UseTree::Glob(_) => {}
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn type_name(item: &Item) -> Option<String> {
    match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

fn public_name(item: &Item) -> Option<String> {
    let (name, visibility) = match item {
        Item::Struct(item) => (&item.ident, &item.vis),
        Item::Enum(item) => (&item.ident, &item.vis),
        Item::Trait(item) => (&item.ident, &item.vis),
        Item::Type(item) => (&item.ident, &item.vis),
        Item::Const(item) => (&item.ident, &item.vis),
        Item::Fn(item) => (&item.sig.ident, &item.vis),
        _ => return None,
    };
    is_public(visibility).then(|| name.to_string())
}

fn self_name(block: &ItemImpl) -> Option<String> {
    let Type::Path(path) = &*block.self_ty else { return None };
    path.path.segments.last().map(|segment| segment.ident.to_string())
}

/// The source of a part of the syntax, on one line.
fn code(part: &impl Spanned) -> String {
    in_one_line(&part.span().source_text().unwrap_or_default())
}

fn in_one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace("( ", "(").replace(", )", ")").replace(" )", ")")
}

/// The first sentence of a comment, to stand behind what it is about.
fn said(attributes: &[Attribute]) -> String {
    let text = first_sentence(attributes);
    if text.is_empty() { text } else { format!(": {text}") }
}

fn first_paragraph(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let Meta::NameValue(value) = &attribute.meta else { return None };
        let Expr::Lit(literal) = &value.value else { return None };
        let Lit::Str(text) = &literal.lit else { return None };
        value.path.is_ident("doc").then(|| text.value().trim().to_owned())
    });
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The first sentence of a comment.
fn first_sentence(attributes: &[Attribute]) -> String {
    let text = first_paragraph(attributes);
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    text[..end].to_owned()
}

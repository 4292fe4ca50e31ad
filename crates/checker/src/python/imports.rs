//! Imports, and the modules that they name.

use super::index::Mark;
use super::kind::{Kind, Role};
use super::{Node, Python};

/// The dotted name of the module at a path.
pub(super) fn module(path: &str) -> String {
    let path = path.strip_suffix(".py").or_else(|| path.strip_suffix(".pyi")).unwrap_or(path);
    let path = path.strip_prefix("src/").or_else(|| path.strip_prefix("lib/")).unwrap_or(path);
    path.strip_suffix("/__init__").unwrap_or(path).replace('/', ".")
}

/// One name that is imported.
#[derive(Debug, Clone, Copy)]
pub struct Import<'p>(Node<'p>);

impl<'p> Import<'p> {
    pub(super) fn of(node: Node<'p>) -> Option<Self> {
        (node.kind() == Kind::Alias).then_some(Import(node))
    }

    /// The name of it, as a node.
    pub fn node(self) -> Node<'p> {
        self.0
    }

    /// The statement it stands in.
    pub fn statement(self) -> Node<'p> {
        self.0.parent().unwrap_or(self.0)
    }

    /// Whether it is `from … import …`.
    pub fn is_from(self) -> bool {
        self.statement().kind() == Kind::ImportFrom
    }

    /// Whether it is `from … import *`.
    pub fn is_star(self) -> bool {
        self.0.text() == "*"
    }

    /// How many dots a relative import begins with; 0 of an absolute one.
    pub fn level(self) -> usize {
        match self.statement().mark() {
            Mark::Level(level) => usize::from(level),
            _ => 0,
        }
    }

    /// The name as it is written, without `as`.
    pub fn imported(self) -> &'p str {
        self.0.text().split_whitespace().next().unwrap_or_default()
    }

    /// The name that it binds: `np` of `import numpy as np`, `a` of `import a.b`.
    pub fn binds(self) -> Option<&'p str> {
        let name = self.0.name().filter(|_| !self.is_star())?;
        Some(if self.is_from() { name } else { name.split('.').next().unwrap_or(name) })
    }

    /// Whether it has an `as`.
    pub fn is_renamed(self) -> bool {
        self.0.text().split_whitespace().nth(1) == Some("as")
    }

    /// The module behind `from`, made absolute with this file's path; of `import a.b`, `a.b`. None where a
    /// relative one leads out of the repository.
    pub fn module(self) -> Option<String> {
        if !self.is_from() {
            return Some(self.imported().to_owned());
        }
        let named = self.statement().name().unwrap_or_default();
        match self.level() {
            0 => Some(named.to_owned()),
            level => relative(self.0.file(), level, named),
        }
    }

    /// The dotted name of what is imported: `x.y` of `from x import y`, `a.b` of `import a.b`; of a star,
    /// the module.
    pub fn target(self) -> Option<String> {
        let module = self.module()?;
        if !self.is_from() || self.is_star() {
            return Some(module);
        }
        Some(if module.is_empty() {
            self.imported().to_owned()
        } else {
            format!("{module}.{}", self.imported())
        })
    }

    /// What the name that it binds stands for: `a` of `import a.b`, `a.b` of `import a.b as c`.
    pub(super) fn bound_target(self) -> Option<String> {
        if self.is_from() || self.is_renamed() { self.target() } else { self.binds().map(str::to_owned) }
    }

    /// Whether it stands below `if TYPE_CHECKING`.
    pub fn is_for_types(self) -> bool {
        let mut below = self.0;
        self.0.ancestors().any(|up| {
            let in_body = up.kind() == Kind::If && below.role() == Role::Body;
            below = up;
            in_body && up.child(Role::Test).and_then(Node::name) == Some("TYPE_CHECKING")
        })
    }

    /// Whether it stands in a function.
    pub fn is_local(self) -> bool {
        self.0.enclosing_function().is_some()
    }

    /// Whether it stands in a `try`.
    pub fn is_tried(self) -> bool {
        self.0.ancestors().any(|up| up.kind() == Kind::Try)
    }
}

fn relative(file: Python<'_>, level: usize, named: &str) -> Option<String> {
    let of_package = file.path().ends_with("/__init__.py");
    let module = file.module();
    let mut parts: Vec<&str> = module.split('.').collect();
    for _ in usize::from(of_package)..level {
        parts.pop()?;
    }
    if parts.is_empty() {
        return None;
    }
    if !named.is_empty() {
        parts.push(named);
    }
    Some(parts.join("."))
}

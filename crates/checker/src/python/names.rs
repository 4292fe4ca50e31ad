//! What names stand for.
//!
//! A name is looked up from its scope outward, past the bodies of classes, as Python does. Where a scope
//! binds it more than once, the last binding before the use counts, or the last of all for uses in inner
//! functions; a binding in a branch (`json = None` below `except ImportError`) does not hide an import.

use super::imports;
use super::index::{Mark, NONE};
use super::kind::{Kind, Role};
use super::{Definition, Node, Python};

/// The bindings of a file, by scope, name and place.
#[derive(Debug, Default)]
pub(super) struct Names {
    bindings: Vec<Binding>,
    /// Whether anything is imported by `*`.
    starred: bool,
}

#[derive(Debug, Clone, Copy)]
struct Binding {
    scope: u32,
    name: (u32, u32),
    node: u32,
    what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Import,
    Definition,
    Variable,
    /// `global` or `nonlocal`.
    Global,
    Nonlocal,
}

fn is_scope(kind: Kind) -> bool {
    is_comprehension(kind) || matches!(kind, Kind::Module | Kind::Function | Kind::Class | Kind::Lambda)
}

fn is_comprehension(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ListComprehension | Kind::SetComprehension | Kind::DictComprehension | Kind::Generator
    )
}

/// The scope that a node is evaluated in: decorators, defaults, annotations and bases of a definition
/// belong to the one around it.
pub(super) fn scope_of(node: Node<'_>) -> Node<'_> {
    let mut outer = matches!(node.role(), Role::Decorator | Role::Base | Role::Returns | Role::Keyword);
    let mut below = node;
    while let Some(around) = below.parent() {
        if around.kind() == Kind::Parameter {
            outer = matches!(below.role(), Role::Annotation | Role::Default);
        } else if around.kind() == Kind::Keyword || around.kind() == Kind::Decorator {
            outer = matches!(around.role(), Role::Decorator)
                || around.parent().is_some_and(|up| up.kind() == Kind::Class);
        } else if is_scope(around.kind()) {
            let passes = outer
                || matches!(around.kind(), Kind::Function | Kind::Class)
                    && matches!(below.role(), Role::Decorator | Role::Base | Role::Returns | Role::Keyword);
            if !passes {
                return around;
            }
            outer = false;
        } else {
            outer = false;
        }
        below = around;
    }
    below
}

impl Names {
    fn new(file: Python<'_>) -> Self {
        let mut names = Names::default();
        for node in file.of(Kind::Name).filter(|node| node.is_stored() || node.mark() == Mark::Delete) {
            let mut scope = scope_of(node);
            // `:=` binds outside of a comprehension.
            if node.parent().is_some_and(|up| up.kind() == Kind::Named) {
                while is_comprehension(scope.kind()) {
                    scope = scope_of(scope);
                }
            }
            names.bind(scope, node, What::Variable);
        }
        for kind in [Kind::Parameter, Kind::Handler, Kind::Pattern, Kind::TypeParameter] {
            for node in file.of(kind).filter(|node| node.name().is_some()) {
                names.bind(scope_of(node), node, What::Variable);
            }
        }
        for node in file.definitions().into_iter().map(Definition::node) {
            names.bind(scope_of(node), node, What::Definition);
        }
        for import in file.imports() {
            names.starred |= import.is_star();
            if !import.is_star() {
                names.bind(scope_of(import.node()), import.node(), What::Import);
            }
        }
        for (kind, what) in [(Kind::Global, What::Global), (Kind::Nonlocal, What::Nonlocal)] {
            for node in file.of(kind) {
                for name in node.text().split([',', ' ', '\t', '\\', '\n', '\r', ';']).skip(1) {
                    let start = name.as_ptr() as usize - node.text().as_ptr() as usize + node.bytes().start;
                    names.add(scope_of(node).row(), start, name.len(), node.row(), what);
                }
            }
        }
        let text = |binding: &Binding| file.slice(binding.name.0 as usize, binding.name.1 as usize);
        names.bindings.sort_by(|a, b| (a.scope, text(a), a.name.0).cmp(&(b.scope, text(b), b.name.0)));
        names
    }

    fn bind(&mut self, scope: Node<'_>, node: Node<'_>, what: What) {
        if let Some(name) = node.name() {
            // `import a.b` binds `a`.
            let name =
                if what == What::Import { name.split('.').next().unwrap_or(name).trim() } else { name };
            self.add(scope.row(), node.name_start(), name.len(), node.row(), what);
        }
    }

    fn add(&mut self, scope: u32, start: usize, length: usize, node: u32, what: What) {
        let place = |offset: usize| u32::try_from(offset).unwrap_or(NONE);
        if length > 0 {
            let name = (place(start), place(start + length));
            self.bindings.push(Binding { scope, name, node, what });
        }
    }

    fn bound(&self, file: Python<'_>, scope: u32, name: &str) -> &[Binding] {
        let text = |binding: &Binding| file.slice(binding.name.0 as usize, binding.name.1 as usize);
        let key = |binding: &Binding| (binding.scope, text(binding)).cmp(&(scope, name));
        let first = self.bindings.partition_point(|binding| key(binding).is_lt());
        let count = self.bindings[first..].partition_point(|binding| key(binding).is_eq());
        &self.bindings[first..first + count]
    }
}

/// Whether a binding stands in a branch that the other ways through the scope go past.
fn in_branch(node: Node<'_>) -> bool {
    let up = node.ancestors().take_while(|up| !is_scope(up.kind()));
    up.into_iter().any(|up| matches!(up.kind(), Kind::If | Kind::Try | Kind::Handler | Kind::Match))
}

/// The binding that counts at a place: the node, and whether it is an import.
fn decide<'p>(file: Python<'p>, bindings: &[Binding], at: Option<usize>) -> Option<(Node<'p>, What)> {
    let before =
        at.map_or(bindings.len(), |at| bindings.partition_point(|found| (found.name.0 as usize) < at));
    let (earlier, later) = bindings.split_at(before);
    let considered = if earlier.is_empty() { later } else { earlier };
    let mut last = None;
    for binding in considered.iter().rev() {
        let node = Node::new(file, binding.node);
        if binding.what != What::Variable {
            return Some((node, binding.what));
        }
        last.get_or_insert((node, binding.what));
        if !in_branch(node) {
            break;
        }
    }
    last
}

/// The names that Python has built in, and those that a module begins with.
const BUILT_IN: &str = " ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup \
BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError \
ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis \
EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError \
FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError \
InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError \
NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError \
PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning \
RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit \
TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError \
UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError __build_class__ \
__debug__ __doc__ __file__ __import__ __loader__ __name__ __package__ __spec__ abs aiter all anext any ascii \
bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict \
dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id \
input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord \
pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple \
type vars zip ";

fn is_built_in(name: &str) -> bool {
    BUILT_IN.split_ascii_whitespace().any(|known| known == name)
}

pub(super) fn resolve(node: Node<'_>) -> Option<String> {
    let mut parts = Vec::new();
    let mut root = node;
    while root.kind() == Kind::Attribute {
        parts.push(root.name()?);
        root = root.child(Role::Value)?;
    }
    let mut dotted = match root.kind() {
        Kind::Name => of_name(root)?,
        _ => return None,
    };
    for part in parts.into_iter().rev() {
        dotted.push('.');
        dotted.push_str(part);
    }
    Some(dotted)
}

/// The definition of this file that a name stands for.
pub(super) fn definition(node: Node<'_>) -> Option<Definition<'_>> {
    let (bound, what) = (node.kind() == Kind::Name).then(|| look_up(node))??;
    (what == What::Definition).then(|| Definition::of(bound))?
}

fn look_up(node: Node<'_>) -> Option<(Node<'_>, What)> {
    let file = node.file();
    let names = file.syntax.names(|| Names::new(file));
    let name = node.name()?;
    let start = scope_of(node);
    let mut scope = start;
    loop {
        let bindings = names.bound(file, scope.row(), name);
        let visible = scope == start || scope.kind() != Kind::Class;
        if visible && !bindings.is_empty() {
            if bindings.iter().any(|found| found.what == What::Global) {
                return decide(file, names.bound(file, 0, name), None);
            }
            let nonlocal = bindings.iter().any(|found| found.what == What::Nonlocal);
            if !nonlocal {
                return decide(file, bindings, (scope == start).then(|| node.bytes().start));
            }
        }
        if scope.kind() == Kind::Module {
            return None;
        }
        scope = scope_of(scope);
    }
}

fn of_name(node: Node<'_>) -> Option<String> {
    let name = node.name()?;
    match look_up(node) {
        Some((bound, What::Import)) => imports::Import::of(bound)?.bound_target(),
        Some((bound, What::Definition)) => {
            let found = Definition::of(bound)?;
            let local = found.node().ancestors().any(|up| up.kind() == Kind::Function);
            (!local).then(|| format!("{}.{}", node.file().module(), found.qualified_name()))
        }
        Some((_, What::Variable | What::Global | What::Nonlocal)) => None,
        None => is_built_in(name).then(|| name.to_owned()),
    }
}

/// Whether a star import may bring names that nothing here tells of.
pub(super) fn is_starred(file: Python<'_>) -> bool {
    file.syntax.names(|| Names::new(file)).starred
}

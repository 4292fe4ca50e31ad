//! Functions, methods and classes.

use super::index::Mark;
use super::kind::{Kind, Role};
use super::{Call, Node, Python};
use crate::docstring::Docstring;
use std::ops::RangeInclusive;

/// A function, a method or a class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Definition<'p>(Node<'p>);

/// Whom a definition is for, and what makes it private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Anyone.
    Public,
    /// Its own name begins with an underscore, and is no `__name__`.
    PrivateName,
    /// A class around it is private.
    PrivateOwner,
    /// It stands in a function.
    Local,
    /// A part of the module's name begins with an underscore.
    PrivateModule,
    /// The module lists what it exports in `__all__`, and not this.
    NotExported,
}

/// How tests are recognised: what a project says of their names.
#[derive(Debug, Clone, Copy)]
pub struct TestNames<'a> {
    /// What names of functions begin with.
    pub functions: &'a [&'a str],
    /// What names of classes begin with; classes that derive from a `TestCase` are tests too.
    pub classes: &'a [&'a str],
    /// The folders that tests stand in, by name, at any depth; none where any will do.
    pub folders: &'a [&'a str],
}

impl Default for TestNames<'_> {
    fn default() -> Self {
        TestNames { functions: &["test"], classes: &["Test"], folders: &[] }
    }
}

impl<'p> Definition<'p> {
    pub(super) fn of(node: Node<'p>) -> Option<Self> {
        matches!(node.kind(), Kind::Function | Kind::Class).then_some(Definition(node))
    }

    /// It as a node; decorators are part of it.
    pub fn node(self) -> Node<'p> {
        self.0
    }

    /// Its name.
    pub fn name(self) -> &'p str {
        self.0.name().unwrap_or_default()
    }

    /// Its name with those of the definitions around it: `Class.method`.
    pub fn qualified_name(self) -> String {
        let mut names: Vec<&str> =
            self.0.ancestors().filter_map(Definition::of).map(Definition::name).collect();
        names.reverse();
        names.push(self.name());
        names.join(".")
    }

    /// Its qualified name behind the module's: `pkg.module.Class.method`.
    pub fn dotted_name(self) -> String {
        format!("{}.{}", self.0.file().module(), self.qualified_name())
    }

    /// Whether it is a function or a method.
    pub fn is_function(self) -> bool {
        self.0.kind() == Kind::Function
    }

    /// Whether it is a class.
    pub fn is_class(self) -> bool {
        self.0.kind() == Kind::Class
    }

    /// Whether it is an `async def`.
    pub fn is_async(self) -> bool {
        self.0.mark() == Mark::Async
    }

    /// The class whose body it stands in.
    pub fn class(self) -> Option<Definition<'p>> {
        self.0.enclosing().filter(|around| around.is_class())
    }

    /// Whether it is a function in the body of a class.
    pub fn is_method(self) -> bool {
        self.is_function() && self.class().is_some()
    }

    /// The decorators, from above.
    pub fn decorators(self) -> impl Iterator<Item = Decorator<'p>> {
        self.0.children_as(Role::Decorator).map(Decorator)
    }

    /// Whether a decorator resolves to one of these dotted names, or is written so.
    pub fn is_decorated(self, names: &[&str]) -> bool {
        self.decorators().any(|found| found.is_any(names))
    }

    /// Whether it declares an overload.
    pub fn is_overload(self) -> bool {
        self.is_decorated(&["typing.overload", "typing_extensions.overload", "overload"])
    }

    /// Whether it is a property, or sets or deletes one.
    pub fn is_property(self) -> bool {
        self.is_decorated(&["property", "functools.cached_property", "cached_property"])
            || self.is_property_part()
    }

    /// Whether it sets or deletes a property, whose text stands where it is read.
    pub fn is_property_part(self) -> bool {
        self.decorators().any(|found| matches!(found.written(), Some((_, "setter" | "deleter"))))
    }

    /// The parameters, in order.
    pub fn parameters(self) -> impl Iterator<Item = Parameter<'p>> {
        self.0.children_as(Role::Parameter).map(Parameter)
    }

    /// The parameters that a caller passes: without `self` or `cls` of a method that is no static one.
    pub fn passed_parameters(self) -> impl Iterator<Item = Parameter<'p>> {
        let bound = self.is_method() && !self.is_decorated(&["staticmethod"]);
        self.parameters().skip(usize::from(bound))
    }

    /// The return annotation.
    pub fn returns(self) -> Option<Node<'p>> {
        self.0.child(Role::Returns)
    }

    /// The base classes, as they are written; [`Node::resolve`] says what they are.
    pub fn bases(self) -> impl Iterator<Item = Node<'p>> {
        self.0.children_as(Role::Base)
    }

    /// Whether a base resolves to one of these dotted names, or ends in one written without dots.
    pub fn derives_from(self, names: &[&str]) -> bool {
        self.bases().any(|base| {
            let last = base.name();
            base.resolve().is_some_and(|dotted| names.contains(&dotted.as_str()))
                || last.is_some_and(|last| names.contains(&last))
        })
    }

    /// The statements of its body.
    pub fn body(self) -> impl Iterator<Item = Node<'p>> {
        self.0.children_as(Role::Body)
    }

    /// Its docstring.
    pub fn docstring(self) -> Option<Docstring<'p>> {
        Docstring::of(self.0)
    }

    /// The lines it stands on, decorators included.
    pub fn lines(self) -> RangeInclusive<usize> {
        self.0.lines()
    }

    /// Where `def`, `async` or `class` stands, in bytes.
    fn keyword(self) -> usize {
        let start = self.decorators().last().map_or(self.0.bytes().start, |last| last.0.bytes().end);
        let rest = self.0.file().slice(start, self.0.bytes().end);
        let mut at = 0;
        loop {
            let code = rest[at..].trim_start();
            at = rest.len() - code.len();
            match code.strip_prefix('#') {
                Some(comment) => at = rest.len() - comment.len() + comment.find(['\n', '\r']).unwrap_or(0),
                None => return start + at,
            }
        }
    }

    /// The lines it stands on without its decorators.
    pub fn lines_without_decorators(self) -> RangeInclusive<usize> {
        self.0.file().line_at(self.keyword())..=*self.lines().end()
    }

    /// The lines from `def` or `class` to the colon, as near as what stands there tells.
    pub fn header_lines(self) -> RangeInclusive<usize> {
        let first = *self.lines_without_decorators().start();
        let parts = self.0.children().filter(|child| !matches!(child.role(), Role::Body | Role::Decorator));
        let last = parts.map(|part| *part.lines().end()).max().unwrap_or(first);
        first..=last.max(first)
    }

    /// Whom it is for.
    pub fn visibility(self) -> Visibility {
        let private = |name: &str| {
            name.starts_with('_') && !(name.starts_with("__") && name.ends_with("__") && name.len() > 4)
        };
        let around: Vec<_> = self.0.ancestors().filter_map(Definition::of).collect();
        if around.iter().any(|up| up.is_function()) {
            return Visibility::Local;
        }
        if private(self.name()) {
            return Visibility::PrivateName;
        }
        if around.iter().any(|up| private(up.name())) {
            return Visibility::PrivateOwner;
        }
        let module = self.0.file().module();
        if module.split('.').any(private) {
            return Visibility::PrivateModule;
        }
        let top = around.last().map_or(self.name(), |up| up.name());
        match self.0.file().exports() {
            Some(names) if !names.contains(&top) => Visibility::NotExported,
            _ => Visibility::Public,
        }
    }

    /// Whether it is for anyone.
    pub fn is_public(self) -> bool {
        self.visibility() == Visibility::Public
    }

    /// Whether it is a test, or a class of tests.
    pub fn is_test(self, names: &TestNames<'_>) -> bool {
        let path = self.0.file().path();
        let folders: Vec<&str> = path.split('/').rev().skip(1).collect();
        let at_home = names.folders.is_empty() || names.folders.iter().any(|name| folders.contains(name));
        let begins = |name: &str, with: &[&str]| with.iter().any(|prefix| name.starts_with(prefix));
        let tests = |class: Definition<'_>| {
            begins(class.name(), names.classes)
                || class.bases().any(|base| base.name().is_some_and(|name| name.ends_with("TestCase")))
        };
        let is_test = match self.0.enclosing() {
            None if self.is_class() => tests(self),
            None => begins(self.name(), names.functions),
            Some(class) => {
                class.is_class()
                    && tests(class)
                    && (self.is_class() && tests(self)
                        || self.is_function() && begins(self.name(), names.functions))
            }
        };
        at_home && is_test
    }
}

/// A decorator.
#[derive(Debug, Clone, Copy)]
pub struct Decorator<'p>(Node<'p>);

impl<'p> Decorator<'p> {
    /// It as a node, with the `@`.
    pub fn node(self) -> Node<'p> {
        self.0
    }

    /// What stands behind the `@`.
    pub fn expression(self) -> Option<Node<'p>> {
        self.0.child(Role::Value)
    }

    /// The call, where it is one: `@lru_cache(maxsize=None)`.
    pub fn call(self) -> Option<Call<'p>> {
        self.expression()?.as_call()
    }

    fn function(self) -> Option<Node<'p>> {
        self.call().map_or_else(|| self.expression(), |call| Some(call.callee()))
    }

    /// The dotted name of what decorates, called or not.
    pub fn resolve(self) -> Option<String> {
        self.function()?.resolve()
    }

    /// Whether it resolves to one of these dotted names, or is written so.
    pub fn is_any(self, names: &[&str]) -> bool {
        let Some(function) = self.function() else { return false };
        match function.resolve() {
            Some(dotted) => names.contains(&dotted.as_str()),
            None => names.contains(&function.text()),
        }
    }

    /// The two last names of it, as they are written: `x` and `setter` of `@x.setter`.
    fn written(self) -> Option<(&'p str, &'p str)> {
        let attribute = self.function().filter(|function| function.kind() == Kind::Attribute)?;
        Some((attribute.child(Role::Value)?.name()?, attribute.name()?))
    }
}

/// A parameter of a function or a lambda.
#[derive(Debug, Clone, Copy)]
pub struct Parameter<'p>(Node<'p>);

/// How a parameter is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// By position, before `/`.
    PositionalOnly,
    /// By position or by name.
    Plain,
    /// `*args`
    Variadic,
    /// By name, behind `*`.
    KeywordOnly,
    /// `**kwargs`
    VariadicKeyword,
}

impl<'p> Parameter<'p> {
    /// It as a node.
    pub fn node(self) -> Node<'p> {
        self.0
    }

    /// Its name, without stars.
    pub fn name(self) -> &'p str {
        self.0.name().unwrap_or_default()
    }

    /// How it is passed.
    pub fn kind(self) -> ParameterKind {
        match self.0.mark() {
            Mark::PositionalOnly => ParameterKind::PositionalOnly,
            Mark::KeywordOnly => ParameterKind::KeywordOnly,
            Mark::Variadic => ParameterKind::Variadic,
            Mark::VariadicKeyword => ParameterKind::VariadicKeyword,
            _ => ParameterKind::Plain,
        }
    }

    /// Its annotation.
    pub fn annotation(self) -> Option<Node<'p>> {
        self.0.child(Role::Annotation)
    }

    /// Its default.
    pub fn default(self) -> Option<Node<'p>> {
        self.0.child(Role::Default)
    }
}

/// The rows of the names that `__all__` lists at the top of a module.
pub(super) fn exports(file: Python<'_>) -> Option<Vec<u32>> {
    let is_list = |node: &Node<'_>| node.kind() == Kind::Name && node.text() == "__all__";
    let mut names: Option<Vec<u32>> = None;
    for name in file.of(Kind::Name).filter(is_list) {
        if name.enclosing().is_some() {
            continue;
        }
        let Some(statement) = name.statement() else { continue };
        let assigns =
            matches!(statement.kind(), Kind::Assign | Kind::AugmentedAssign | Kind::AnnotatedAssign);
        let calls = matches!(statement.kind(), Kind::Expression);
        if assigns && name.role() == Role::Target
            || calls && name.parent().is_some_and(|up| up.kind() == Kind::Attribute)
        {
            // What is taken from elsewhere is known to nobody here.
            let foreign = |node: Node<'_>| node.kind() == Kind::Name && node.text() != "__all__";
            if statement.descendants().any(foreign) {
                return None;
            }
            let strings = statement.descendants().filter(|node| node.kind() == Kind::Str);
            names.get_or_insert_default().extend(strings.map(Node::row));
        }
    }
    names
}

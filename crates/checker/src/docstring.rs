//! Docstrings: the string, its text as Python shows it, and what is laid out in it.
//!
//! [`Docstring`] is the string in its file. [`Doc`] is what it says: summary, sections in the styles of
//! numpydoc, Google and Sphinx, the parameters named there, and the examples of `doctest`, which are neither
//! prose nor sections whatever they look like.

mod clean;
mod doctest;
mod entries;
mod fields;
mod sections;

pub use clean::cleandoc;
pub use doctest::{Example, examples};
pub use entries::Entry;
pub use fields::{Directive, Field};
pub use sections::{Section, Style};

use crate::python::{Definition, Kind, Node, Parameter, ParameterKind, Role};
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// The docstring of a module, a class or a function.
#[derive(Debug, Clone, Copy)]
pub struct Docstring<'p> {
    owner: Node<'p>,
    string: Node<'p>,
}

impl<'p> Docstring<'p> {
    /// The first statement of what it belongs to, where that is a plain string.
    pub(crate) fn of(owner: Node<'p>) -> Option<Self> {
        let first = owner.child(Role::Body).filter(|first| first.kind() == Kind::Expression)?;
        let string = first.children().next().filter(|value| value.kind() == Kind::Str)?;
        Some(Docstring { owner, string })
    }

    /// What it belongs to: the file, a class or a function.
    pub fn owner(self) -> Node<'p> {
        self.owner
    }

    /// The class or function that it belongs to.
    pub fn definition(self) -> Option<Definition<'p>> {
        self.owner.as_definition()
    }

    /// The string, as a node.
    pub fn node(self) -> Node<'p> {
        self.string
    }

    /// The lines from its opening to its closing quotes.
    pub fn lines(self) -> RangeInclusive<usize> {
        self.string.lines()
    }

    /// What stands between its quotes, as it is written.
    pub fn written(self) -> &'p str {
        self.string.quoted().map_or(self.string.text(), |quoted| quoted.inner)
    }

    /// Its quotes: `"""`, `'''`, `"` or `'`.
    pub fn quote(self) -> &'p str {
        self.string.quoted().map_or("", |quoted| quoted.quote)
    }

    /// What stands before its quotes: nothing, `r`, `u`, as it is written.
    pub fn prefix(self) -> &'p str {
        self.string.quoted().map_or("", |quoted| quoted.prefix)
    }

    /// Its value, as `__doc__` has it: escapes read, lines ended by `\n`.
    pub fn value(self) -> Cow<'p, str> {
        let value = self.string.string().unwrap_or_default();
        if value.contains('\r') && self.string.text().contains('\r') {
            return Cow::Owned(value.replace("\r\n", "\n").replace('\r', "\n"));
        }
        Cow::Borrowed(value)
    }

    /// Its text as `inspect.cleandoc` gives it: the indentation and blank ends taken off.
    pub fn text(self) -> String {
        cleandoc(&self.value())
    }

    /// What is laid out in it, with lines numbered as in the file. It is read once for all who ask.
    pub fn read(self) -> &'p Doc {
        self.string.doc().get_or_init(|| self.lay_out())
    }

    fn lay_out(self) -> Doc {
        let lines = self.lines();
        let numbers = clean::source_lines(self.written(), self.prefix().contains(['r', 'R']));
        let last = *lines.end();
        Doc::numbered(&self.value(), |line| {
            let below = numbers.get(line).or(numbers.last()).copied().unwrap_or(0);
            (lines.start() + below).min(last)
        })
    }

    /// The parameters of its function that it does not name, of those that a caller passes.
    pub fn undocumented_parameters(self) -> Vec<&'p str> {
        let named = self.read().parameter_names();
        let passed = self.definition().into_iter().flat_map(Definition::passed_parameters);
        passed.map(Parameter::name).filter(|name| !named.iter().any(|known| known == name)).collect()
    }

    /// The parameters that it names and its function does not have. What a `**kwargs` may take is known to
    /// nobody, and then nothing is said.
    pub fn unknown_parameters(self) -> Vec<String> {
        let Some(function) = self.definition().filter(|found| found.is_function()) else { return Vec::new() };
        if function.parameters().any(|parameter| parameter.kind() == ParameterKind::VariadicKeyword) {
            return Vec::new();
        }
        let mut named = self.read().parameter_names();
        named.retain(|name| !function.parameters().any(|parameter| parameter.name() == name));
        named
    }
}

/// What a docstring says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doc {
    lines: Vec<DocLine>,
    sections: Vec<Section>,
    fields: Vec<Field>,
    directives: Vec<Directive>,
    examples: Vec<Example>,
}

/// A line of a docstring's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocLine {
    /// The line of the file, from 1.
    pub number: usize,
    /// Its text, without the indentation of the docstring.
    pub text: String,
    /// Whether it belongs to an example: its code or its output.
    pub is_example: bool,
}

impl DocLine {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }
}

impl Doc {
    /// Reads the value of a docstring that stands in no file: its first line is line 1.
    pub fn new(value: &str) -> Doc {
        Doc::numbered(value, |line| line + 1)
    }

    fn numbered(value: &str, number: impl Fn(usize) -> usize) -> Doc {
        let mut examples = examples(value);
        let (skipped, cleaned) = clean::clean(value);
        let mut lines: Vec<DocLine> = cleaned
            .into_iter()
            .zip(skipped..)
            .map(|(text, line)| DocLine { number: line, text, is_example: false })
            .collect();
        let mut next = 0;
        for line in &mut lines {
            while examples.get(next).is_some_and(|example| *example.lines.end() < line.number) {
                next += 1;
            }
            line.is_example = examples.get(next).is_some_and(|example| example.lines.contains(&line.number));
            line.number = number(line.number);
        }
        for example in &mut examples {
            example.lines = number(*example.lines.start())..=number(*example.lines.end());
        }
        let (fields, directives) = fields::read(&lines);
        let sections = sections::read(&lines);
        Doc { lines, sections, fields, directives, examples }
    }

    /// Its lines, numbered as in the file.
    pub fn lines(&self) -> &[DocLine] {
        &self.lines
    }

    /// The lines that belong to no example.
    pub fn prose(&self) -> impl Iterator<Item = &DocLine> {
        self.lines.iter().filter(|line| !line.is_example)
    }

    /// The first paragraph, its lines joined by blanks: up to a blank line, an example, a section or a field.
    pub fn summary(&self) -> String {
        self.summary_lines().iter().map(|line| line.text.trim()).collect::<Vec<_>>().join(" ")
    }

    /// The lines of the first paragraph.
    pub fn summary_lines(&self) -> &[DocLine] {
        let heads = self.sections.iter().map(|section| *section.lines.start());
        let stops: Vec<usize> = heads
            .chain(self.fields.iter().map(|field| field.line))
            .chain(self.directives.iter().map(|directive| directive.line))
            .collect();
        let ends = |line: &DocLine| line.is_blank() || line.is_example || stops.contains(&line.number);
        let length = self.lines.iter().position(ends).unwrap_or(self.lines.len());
        &self.lines[..length]
    }

    /// Whether a blank line stands between the first paragraph and what follows.
    pub fn summary_stands_apart(&self) -> bool {
        self.lines.get(self.summary_lines().len()).is_none_or(DocLine::is_blank)
    }

    /// Its sections, in order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The section with a title, whose case does not count.
    pub fn section(&self, title: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.title.eq_ignore_ascii_case(title))
    }

    /// The fields of Sphinx: `:param x: …`.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The directives: `.. versionadded:: 1.0`.
    pub fn directives(&self) -> &[Directive] {
        &self.directives
    }

    /// The examples of `doctest`.
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// The parameters that it names, in any of the styles, in order.
    pub fn parameters(&self) -> Vec<Entry> {
        let sections = self.sections.iter().filter(|section| section.is_of_parameters());
        let mut entries: Vec<Entry> = sections.flat_map(|section| section.entries.iter().cloned()).collect();
        entries.extend(fields::parameters(&self.fields));
        entries
    }

    /// The names of the parameters that it names, without stars.
    pub fn parameter_names(&self) -> Vec<String> {
        self.parameters().into_iter().flat_map(|entry| entry.names).collect()
    }
}

//! Comments, and what they tell tools.

use super::Python;

/// A comment, from its mark to the end of its line.
#[derive(Debug, Clone, Copy)]
pub struct Comment<'p> {
    file: Python<'p>,
    start: usize,
    end: usize,
}

/// What a comment tells a tool: `# noqa: E501`, `# type: ignore[arg-type]`, `# pylint: disable=no-member`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pragma<'p> {
    /// What it tells, in lower case: `noqa`, `type: ignore`, `pylint`, `pragma`, `fmt`, …
    pub name: &'static str,
    /// What stands behind it: codes, or what is turned off. Parted at commas and blanks.
    pub codes: Vec<&'p str>,
}

const PRAGMAS: [&str; 18] = [
    "noqa",
    "type: ignore",
    "ruff: noqa",
    "flake8: noqa",
    "pylint",
    "pragma",
    "fmt",
    "yapf",
    "isort",
    "mypy",
    "pyright",
    "nosec",
    "nopep8",
    "nosonar",
    "pytype",
    "pyre-ignore",
    "ruff",
    "doctest",
];

impl<'p> Comment<'p> {
    pub(super) fn new(file: Python<'p>, start: usize, end: usize) -> Self {
        Comment { file, start, end }
    }

    /// The file.
    pub fn file(self) -> Python<'p> {
        self.file
    }

    /// Its text, with the mark.
    pub fn text(self) -> &'p str {
        self.file.slice(self.start, self.end)
    }

    /// Its text without the marks and the blanks around it.
    pub fn words(self) -> &'p str {
        self.text().trim_start_matches('#').trim()
    }

    /// Where it stands, in bytes.
    pub fn bytes(self) -> std::ops::Range<usize> {
        self.start..self.end
    }

    /// Its line, from 1.
    pub fn line(self) -> usize {
        self.file.line_at(self.start)
    }

    /// Whether nothing else stands on its line.
    pub fn stands_alone(self) -> bool {
        let before = self.file.slice(0, self.start);
        before.rsplit(['\n', '\r']).next().is_none_or(|line| line.trim().is_empty())
    }

    /// What it tells a tool; one comment can tell several, parted by marks.
    pub fn pragmas(self) -> Vec<Pragma<'p>> {
        self.text().split('#').filter_map(|part| pragma(part.trim())).collect()
    }

    /// What it tells a tool first.
    pub fn pragma(self) -> Option<Pragma<'p>> {
        self.pragmas().into_iter().next()
    }

    /// Whether it declares the encoding of the file.
    pub fn is_encoding(self) -> bool {
        self.line() <= 2 && self.stands_alone() && encoding(self.text()).is_some()
    }
}

fn pragma(text: &str) -> Option<Pragma<'_>> {
    PRAGMAS.into_iter().find_map(|name| {
        let rest = without(text, name)?;
        let ends =
            rest.chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '-' && next != '_');
        if !ends || !is_said(name, rest) {
            return None;
        }
        let codes = rest.trim_start_matches([':', ' ']).split(|c: char| c == ',' || c.is_whitespace());
        let codes = codes.map(|code| code.trim_matches(['[', ']'])).filter(|code| !code.is_empty());
        Some(Pragma { name, codes: codes.collect() })
    })
}

/// Words of the language need their colon: `# ruff is a linter` tells nothing.
fn is_said(name: &str, rest: &str) -> bool {
    name.contains("no") || name.contains("ignore") || rest.trim_start().starts_with(':')
}

/// A text behind a name, whose case and blanks do not count.
fn without<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = text;
    for part in name.split(' ') {
        rest = rest.trim_start();
        let begins = rest.get(..part.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(part));
        rest = if begins { &rest[part.len()..] } else { return None };
    }
    Some(rest)
}

/// The encoding that a comment names: `# -*- coding: latin-1 -*-`.
fn encoding(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("coding")?;
    let rest = rest.strip_prefix([':', '='])?.trim_start_matches([' ', '\t']);
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c)).unwrap_or(rest.len());
    (length > 0).then(|| &rest[..length])
}

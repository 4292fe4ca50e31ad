//! Selectors: the part of CSS that data tables need to name elements of a page.

use crate::dom::Element;
use polc_records::problem::Malformed;
use serde::{Deserialize, Deserializer};
use std::str::FromStr;

/// A pattern of elements: a name, `#id`, `.class`, `[attribute]` and `[attribute="value"]` (also with `^=`,
/// `$=`, `*=` and `~=`), any of them together; and several of these with spaces between, each somewhere
/// below the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    /// What the element itself must be.
    own: Vec<Test>,
    /// What it must stand below, from the nearest.
    above: Vec<Vec<Test>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    Name(String),
    Attribute { name: String, operator: Operator, value: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Present,
    Is,
    HasWord,
    Begins,
    Ends,
    Contains,
}

impl Selector {
    /// Whether an element is one that this describes.
    pub fn matches(&self, element: Element<'_>) -> bool {
        if !self.own.iter().all(|test| test.holds(element)) {
            return false;
        }
        let mut above = self.above.iter().peekable();
        let mut ancestors = std::iter::successors(element.parent(), |element| element.parent());
        while let Some(tests) = above.peek() {
            let Some(ancestor) = ancestors.next() else { return false };
            if tests.iter().all(|test| test.holds(ancestor)) {
                above.next();
            }
        }
        true
    }
}

impl Test {
    fn holds(&self, element: Element<'_>) -> bool {
        match self {
            Test::Name(name) => element.name() == name,
            Test::Attribute { name, operator, value } => {
                element.attribute(name).is_some_and(|found| operator.holds(found, value))
            }
        }
    }
}

impl Operator {
    fn holds(self, found: &str, value: &str) -> bool {
        match self {
            Operator::Present => true,
            Operator::Is => found == value,
            Operator::HasWord => found.split_ascii_whitespace().any(|word| word == value),
            Operator::Begins => found.starts_with(value),
            Operator::Ends => found.ends_with(value),
            Operator::Contains => found.contains(value),
        }
    }
}

impl FromStr for Selector {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let steps: Option<Vec<Vec<Test>>> = steps(text).into_iter().map(tests).collect();
        steps
            .and_then(|mut steps| {
                let own = steps.pop()?;
                steps.reverse();
                Some(Selector { own, above: steps })
            })
            .ok_or_else(|| Malformed {
                what: "selector",
                value: text.to_owned(),
                why: "expected names, `#id`, `.class` and `[attribute=\"value\"]` with spaces between",
            })
    }
}

/// The parts between spaces; a space in brackets parts nothing.
fn steps(text: &str) -> Vec<&str> {
    let mut inside = false;
    let parts = text.split(move |c: char| {
        match c {
            '[' => inside = true,
            ']' => inside = false,
            _ => {}
        }
        c.is_ascii_whitespace() && !inside
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// The tests of one part, all of which an element must pass.
fn tests(mut text: &str) -> Option<Vec<Test>> {
    let mut tests = Vec::new();
    while !text.is_empty() {
        let (test, rest) = test(text)?;
        tests.push(test);
        text = rest;
    }
    Some(tests)
}

/// The test that a text begins with, and what follows it.
fn test(text: &str) -> Option<(Test, &str)> {
    let with = |name: &str, operator, value: &str| Test::Attribute {
        name: name.to_owned(),
        operator,
        value: value.to_owned(),
    };
    if let Some(inside) = text.strip_prefix('[') {
        let (inside, rest) = inside.split_once(']')?;
        let (name, condition) = word(inside)?;
        let Some((operator, value)) = condition.split_once('=') else {
            return condition.is_empty().then(|| (with(name, Operator::Present, ""), rest));
        };
        let operator = match operator {
            "" => Operator::Is,
            "~" => Operator::HasWord,
            "^" => Operator::Begins,
            "$" => Operator::Ends,
            "*" => Operator::Contains,
            _ => return None,
        };
        return Some((with(name, operator, value.strip_prefix('"')?.strip_suffix('"')?), rest));
    }
    if let Some(id) = text.strip_prefix('#') {
        return word(id).map(|(id, rest)| (with("id", Operator::Is, id), rest));
    }
    if let Some(class) = text.strip_prefix('.') {
        return word(class).map(|(class, rest)| (with("class", Operator::HasWord, class), rest));
    }
    word(text).map(|(name, rest)| (Test::Name(name.to_owned()), rest))
}

/// The name that a text begins with, and what follows it.
fn word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'));
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (!word.is_empty()).then_some((word, rest))
}

impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

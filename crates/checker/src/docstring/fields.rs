//! Fields and directives, as Sphinx has them.

use super::DocLine;
use super::entries::{Entry, bare};

/// A field: `:param int x: what it is`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name: `param`, `returns`, `raises`, `type`, …
    pub name: String,
    /// What stands between its name and the second colon.
    pub argument: String,
    /// What is said, its lines joined by blanks.
    pub text: String,
    /// Its line in the file, from 1.
    pub line: usize,
}

/// A directive: `.. versionadded:: 1.0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// Its name.
    pub name: String,
    /// What stands behind the colons.
    pub argument: String,
    /// Its line in the file, from 1.
    pub line: usize,
}

const PARAMETERS: [&str; 8] = ["param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "kwparam"];

fn field(line: &DocLine) -> Option<Field> {
    let rest = line.text.trim_start().strip_prefix(':')?;
    // A colon within the argument, as in a role, does not end it.
    let end = rest.find(": ").or_else(|| rest.strip_suffix(':').map(str::len))?;
    let (name, argument) = rest[..end].split_once(' ').unwrap_or((&rest[..end], ""));
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    let text = rest[end + 1..].trim().to_owned();
    is_name.then(|| Field {
        name: name.to_owned(),
        argument: argument.trim().to_owned(),
        text,
        line: line.number,
    })
}

fn directive(line: &DocLine) -> Option<Directive> {
    let (name, argument) = line.text.trim_start().strip_prefix(".. ")?.split_once("::")?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_:.".contains(c));
    is_name.then(|| Directive {
        name: name.to_owned(),
        argument: argument.trim().to_owned(),
        line: line.number,
    })
}

pub(super) fn read(lines: &[DocLine]) -> (Vec<Field>, Vec<Directive>) {
    let (mut fields, mut directives): (Vec<Field>, Vec<Directive>) = (Vec::new(), Vec::new());
    let mut open: Option<usize> = None;
    for line in lines.iter().filter(|line| !line.is_example) {
        directives.extend(directive(line));
        if let Some(found) = field(line) {
            open = Some(line.indent());
            fields.push(found);
        } else if line.is_blank() {
        } else if open.is_some_and(|indent| line.indent() > indent) {
            if let Some(last) = fields.last_mut() {
                if !last.text.is_empty() {
                    last.text.push(' ');
                }
                last.text.push_str(line.text.trim());
            }
        } else {
            open = None;
        }
    }
    (fields, directives)
}

/// The parameters among the fields, with their types from `:type x:` or from the field itself.
pub(super) fn parameters(fields: &[Field]) -> Vec<Entry> {
    let mut found = Vec::new();
    for field in fields.iter().filter(|field| PARAMETERS.contains(&field.name.as_str())) {
        let (own, name) = field
            .argument
            .rsplit_once(' ')
            .map_or((None, field.argument.as_str()), |(typed, name)| (Some(typed.trim().to_owned()), name));
        let typed = || fields.iter().find(|other| other.name == "type" && other.argument == name);
        found.push(Entry {
            names: vec![bare(name)],
            annotation: own.or_else(|| typed().map(|other| other.text.clone())),
            text: field.text.clone(),
            line: field.line,
        });
    }
    found
}

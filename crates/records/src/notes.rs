//! `Notes` and its like: typed fields in a fixed order, written into one cell and read back without loss.

use std::fmt::Write;

/// The separator between fields.
const SEPARATOR: &str = " | ";

/// Escapes what the grammar uses: `|` and the backslash. Everything else stays as it is.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '|' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Splits at the separator and undoes [`escape`].
pub(crate) fn split_escaped(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(SEPARATOR) {
            parts.push(std::mem::take(&mut part));
            rest = after;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        if c == '\\'
            && let Some(escaped) = rest.chars().next()
        {
            part.push(escaped);
            rest = &rest[escaped.len_utf8()..];
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    parts
}

/// Composes fields into one cell.
pub(crate) fn compose<'f>(fields: impl IntoIterator<Item = (&'f str, String)>) -> String {
    let mut cell = String::new();
    for (name, value) in fields {
        if !cell.is_empty() {
            cell.push_str(SEPARATOR);
        }
        // Writing to a string cannot fail.
        let _written = write!(cell, "{name}: {}", escape(&value));
    }
    cell
}

/// A cell taken apart, its fields to be taken one by one.
#[derive(Debug)]
pub(crate) struct Fields {
    fields: Vec<(String, String)>,
}

impl Fields {
    /// Takes a cell apart.
    pub(crate) fn parse(cell: &str) -> Result<Self, String> {
        let mut fields: Vec<(String, String)> = Vec::new();
        for part in split_escaped(cell) {
            let Some((name, value)) = part.split_once(": ") else {
                return Err(format!(
                    "`{part}` has no field name: expected `Name: value`, fields parted by `{SEPARATOR}`"
                ));
            };
            if fields.iter().any(|(present, _)| present == name) {
                return Err(format!("the field `{name}` stands twice"));
            }
            fields.push((name.to_owned(), value.to_owned()));
        }
        Ok(Fields { fields })
    }

    /// Takes a field out, if it is there.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let index = self.fields.iter().position(|(present, _)| present == name)?;
        Some(self.fields.remove(index).1)
    }

    /// Takes a field out that has to be there.
    pub(crate) fn require(&mut self, name: &str) -> Result<String, String> {
        self.take(name).ok_or_else(|| format!("the field `{name}` is missing"))
    }

    /// Refuses what nobody took.
    pub(crate) fn finish(self, known: &[&str]) -> Result<(), String> {
        match self.fields.first() {
            None => Ok(()),
            Some((name, _)) => {
                Err(format!("the field `{name}` is unknown here; known: {}", known.join(", ")))
            }
        }
    }
}

/// Puts a value between quotation marks.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// Takes the quotation marks off again.
pub(crate) fn unquoted(text: &str) -> Result<String, String> {
    text.strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .map(str::to_owned)
        .ok_or_else(|| format!("`{text}` does not stand between quotation marks"))
}

//! Manifests of cargo as checkers need them: which dependencies stand where.

use crate::diff::lines;

/// A dependency in a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency<'t> {
    /// The table that it stands in: `dependencies`, `workspace.dependencies`.
    pub table: &'t str,
    /// Its name.
    pub name: &'t str,
    /// What is said of it, on the same line.
    pub value: &'t str,
    /// The number of its line, from 1.
    pub line: usize,
}

/// The dependencies of a manifest, in the order of its lines. One that is a table of its own counts as
/// none.
pub fn dependencies(manifest: &str) -> Vec<Dependency<'_>> {
    let mut table = "";
    let mut found = Vec::new();
    for (line, number) in lines(manifest).into_iter().zip(1..) {
        let text = line.trim();
        if let Some(header) = text.strip_prefix('[') {
            table = header.trim_end_matches(']').trim();
            continue;
        }
        if !table.ends_with("dependencies")
            || text.starts_with('#')
            || line.starts_with([' ', '\t', ']', '}'])
        {
            continue;
        }
        let Some((key, value)) = text.split_once('=') else { continue };
        let name = key.trim().split('.').next().unwrap_or_default().trim_matches('"');
        let inherits = key.trim().ends_with(".workspace");
        let value = if inherits { text } else { value.trim() };
        if !name.is_empty() {
            found.push(Dependency { table, name, value, line: number });
        }
    }
    found
}

//! Manifests of cargo as checkers need them: which dependencies stand where.

use crate::diff::lines;
use crate::pattern::Pattern;
use std::ops::RangeInclusive;

static INHERITED: Pattern = Pattern::new(r"\bworkspace\s*=\s*true\b");
static LOCAL: Pattern = Pattern::new(r"\bpath\s*=");
static SOURCE: Pattern =
    Pattern::new(r#"(?:^|\b(?:version|path|git|rev|branch|tag|package)\s*=\s*)"([^"]*)""#);

/// A dependency in a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency<'t> {
    /// The table that it stands in: `dependencies`, `workspace.dependencies`.
    pub table: &'t str,
    /// Its name.
    pub name: &'t str,
    /// What is said of it.
    pub value: String,
    /// The numbers of its lines, from 1.
    pub lines: RangeInclusive<usize>,
}

impl Dependency<'_> {
    /// Whether it is inherited from the workspace.
    pub fn is_inherited(&self) -> bool {
        INHERITED.is_in(&self.value)
    }

    /// Whether it lies in the same repository.
    pub fn is_local(&self) -> bool {
        LOCAL.is_in(&self.value)
    }

    /// Its version, path, repository and the like: what a lock is made from.
    pub fn sources(&self) -> Vec<&str> {
        SOURCE.groups(&self.value)
    }

    fn extend(&mut self, text: &str, line: usize) {
        self.value.push('\n');
        self.value.push_str(text);
        self.lines = *self.lines.start()..=line;
    }
}

/// The dependencies of a manifest, in the order of its lines. A line that is indented goes on with the one
/// above.
pub fn dependencies(manifest: &str) -> Vec<Dependency<'_>> {
    let mut table = "";
    let mut is_own_table = false;
    let mut found: Vec<Dependency<'_>> = Vec::new();
    for (line, number) in lines(manifest).into_iter().zip(1..) {
        let text = line.trim();
        if let Some(header) = text.strip_prefix('[').filter(|_| line.starts_with('[')) {
            let header = header.trim_start_matches('[').split(']').next().unwrap_or_default().trim();
            let own = header.rsplit_once("dependencies.");
            is_own_table = own.is_some();
            table = match own {
                Some((_, name)) => header[..header.len() - name.len()].trim_end_matches('.'),
                None if header.ends_with("dependencies") => header,
                None => "",
            };
            if let Some((_, name)) = own {
                let (name, value) = (name.trim_matches('"'), String::new());
                found.push(Dependency { table, name, value, lines: number..=number });
            }
            continue;
        }
        if table.is_empty() || text.is_empty() || text.starts_with('#') {
            continue;
        }
        let open = found.last_mut().filter(|last| last.table == table);
        if is_own_table || line.starts_with([' ', '\t', ']', '}']) {
            if let Some(open) = open {
                open.extend(text, number);
            }
            continue;
        }
        let name = text.split(['.', '=']).next().unwrap_or_default();
        let value = text[name.len()..].trim_start_matches(['.', '=', ' ']);
        let name = name.trim().trim_matches('"');
        match open.filter(|last| last.name == name) {
            Some(open) => open.extend(value, number),
            None => found.push(Dependency { table, name, value: value.to_owned(), lines: number..=number }),
        }
    }
    found
}

//! Which files of an organisation's `.github` repository hold for a repository of it, as GitHub documents it.
//!
//! A repository's own file of a type comes first, wherever GitHub looks for it: in `.github`, at the top, in `docs`, in
//! this order and without regard to case. Only a repository without any has the organisation's.

use std::collections::BTreeMap;

/// The types of file that an organisation can say for all, by the stem of their names.
const TYPES: [&str; 6] =
    ["code_of_conduct", "contributing", "governance", "issue_template", "pull_request_template", "security"];

/// Those of which there may be several, in a folder of this name.
const TEMPLATES: [&str; 2] = ["issue_template", "pull_request_template"];

/// Where GitHub looks for a file, in this order.
const FOLDERS: [&str; 3] = [".github/", "", "docs/"];

/// The endings of names that GitHub reads.
const ENDINGS: [&str; 4] = ["", ".md", ".rst", ".txt"];

/// What a path is to GitHub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// The one file of its type.
    File,
    /// One of several in a folder of their own.
    InFolder,
}

/// What becomes of an organisation's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chosen {
    /// It holds.
    Holds,
    /// Nothing says whether it does.
    Unsure(&'static str),
}

/// The type of a path, its form, and how early GitHub looks there.
fn community_file(path: &str) -> Option<(&'static str, Form, usize)> {
    let path = path.to_ascii_lowercase();
    // The top is the beginning of every path, so it comes last here.
    let place = [0, 2, 1].into_iter().find(|place| path.starts_with(FOLDERS[*place]))?;
    let inside = &path[FOLDERS[place].len()..];
    TYPES.into_iter().find_map(|kind| {
        let rest = inside.strip_prefix(kind)?;
        let form = match rest.strip_prefix('/') {
            Some(_) if TEMPLATES.contains(&kind) => Form::InFolder,
            None if ENDINGS.contains(&rest) => Form::File,
            // A folder of pages about contributing is the repository's own affair.
            Some(_) | None => return None,
        };
        Some((kind, form, place))
    })
}

/// Whether a repository lacks a file of any type that its organisation could say for it.
pub fn is_wanting(own: &[&str]) -> bool {
    let has = |kind: &str| own.iter().any(|path| community_file(path).is_some_and(|(of, ..)| of == kind));
    !TYPES.iter().all(|kind| has(kind))
}

/// The template that a new pull request is filled with: the first that GitHub finds, and those that only an address
/// which names them leads to.
pub fn pull_request_templates<'p>(paths: &[&'p str]) -> (Option<&'p str>, Vec<&'p str>) {
    let mut found: Vec<(usize, &str)> = Vec::new();
    let mut named = Vec::new();
    for path in paths {
        match community_file(path) {
            Some(("pull_request_template", Form::File, place)) => found.push((place, path)),
            Some(("pull_request_template", Form::InFolder, _)) => named.push(*path),
            _ => {}
        }
    }
    (found.into_iter().min().map(|(_, path)| path), named)
}

/// The files of an organisation that hold for a repository, or may.
pub fn choose<'p>(own: &[&str], theirs: &[&'p str]) -> BTreeMap<&'p str, Chosen> {
    let mut chosen = BTreeMap::new();
    for kind in TYPES {
        let of_kind = |path: &&str| community_file(path).filter(|(of, ..)| *of == kind);
        let own: Vec<Form> = own.iter().filter_map(|path| of_kind(path).map(|(_, form, _)| form)).collect();
        let mut theirs: Vec<(Form, usize, &str)> = theirs
            .iter()
            .filter_map(|path| of_kind(path).map(|(_, form, place)| (form, place, *path)))
            .collect();
        theirs.sort_unstable();
        let whole_folder = kind == "issue_template";
        let first = theirs.iter().find(|(form, ..)| *form == Form::File).map(|(.., path)| *path);
        let verdict = match own.iter().min() {
            None => Chosen::Holds,
            Some(Form::InFolder) if !whole_folder => {
                Chosen::Unsure("whether it holds beside a folder of templates is not documented")
            }
            Some(Form::File | Form::InFolder) => continue,
        };
        let holding = theirs.iter().filter(|(form, place, path)| match form {
            Form::File => Some(*path) == first,
            // Of folders only that in `.github` is read.
            Form::InFolder => whole_folder && *place == 0,
        });
        chosen.extend(holding.map(|(.., path)| (*path, verdict)));
    }
    chosen
}

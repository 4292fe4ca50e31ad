//! Where the files of a project stand that quote, and nothing else: a record that comes from elsewhere may
//! name any path.

use crate::exit::CliError;
use polc_records::Problem;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::references::{References, ReferringFile, Restored};
use polc_records::store::{load_toml, read_text_if_there, write_atomically};
use std::path::{Component, Path, PathBuf};

/// The name of the file that keeps others out of version control.
const IGNORE: &str = ".gitignore";

/// What ends our lines in a file of that name; others stand before and after them.
const IGNORE_END: &str = "# What stands by reference ends here.";

/// The record of a project: all of its paths are of the project's own files.
pub(super) fn load(root: &Root, slug: &Slug) -> Result<References, CliError> {
    let path = root.references(slug);
    let references: References = load_toml(&path)?;
    let refuse = |what: String| Err(Problem::new(&path, what, "restore it from version control").into());
    if references.project != *slug {
        return refuse(format!("it is the record of `{}`, not of `{slug}`", references.project));
    }
    for file in &references.files {
        if let Err(why) = own(root, slug, file) {
            return refuse(format!("{:?} {why}", file.path));
        }
    }
    Ok(references)
}

/// Why a file of a record is none that may be taken away and restored.
pub(super) fn own(root: &Root, slug: &Slug, file: &ReferringFile) -> Result<(), &'static str> {
    let name = &file.path;
    let plain = |part: Component<'_>| match part {
        Component::Normal(part) => !part.eq_ignore_ascii_case(".git"),
        _ => false,
    };
    let parts: PathBuf = Path::new(name).components().collect();
    let as_written = parts.to_str().is_some_and(|parts| parts == name);
    if !as_written || name.contains(|c: char| c == '\\' || c.is_control()) || !parts.components().all(plain) {
        return Err("is no plain path below the root");
    }
    let target = root.folder().join(name);
    let is_own = match file.restored {
        Restored::Made => target == root.workbook(slug),
        Restored::FromReferences => may_quote(root, slug, &target),
    };
    if !is_own {
        return Err("is no file of the project that may quote");
    }
    for path in [&target, &root.by_reference(slug).join(name)] {
        let below = path.ancestors().take_while(|path| *path != root.folder());
        if below.into_iter().any(Path::is_symlink) {
            return Err("is reached by a symbolic link");
        }
    }
    Ok(())
}

/// Whether a file is one of those that may quote. What is needed to fetch again, and what names a place and
/// quotes nothing but headings, stays as it is.
fn may_quote(root: &Root, slug: &Slug, path: &Path) -> bool {
    let folders = [root.corpus_folder(slug), root.pack(slug)];
    let inside = folders.iter().any(|folder| path != folder && path.starts_with(folder))
        || path == root.raw_sources(slug);
    inside
        && !path.starts_with(root.by_reference(slug))
        && path != root.project(slug)
        && !path.ends_with(IGNORE)
}

/// The files of a project that may quote, in order. A symbolic link is published as a link.
pub(super) fn candidates(root: &Root, slug: &Slug) -> Result<Vec<PathBuf>, CliError> {
    let mut found = Vec::new();
    for folder in [root.corpus_folder(slug), root.pack(slug)] {
        below(&folder, &mut found)?;
    }
    found.push(root.raw_sources(slug));
    found.retain(|path| path.is_file() && may_quote(root, slug, path));
    found.sort();
    Ok(found)
}

/// Every file below a folder, links left out.
pub(super) fn below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), CliError> {
    if !folder.is_dir() {
        return Ok(());
    }
    let list = |error: std::io::Error| Problem::io(folder, "list", &error);
    for entry in std::fs::read_dir(folder).map_err(list)? {
        let entry = entry.map_err(list)?;
        let kind = entry.file_type().map_err(list)?;
        if kind.is_dir() {
            below(&entry.path(), found)?;
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// Keeps the files of a record out of version control, and leaves what else is kept out as it is.
pub(super) fn ignore(root: &Root, slug: &Slug, files: &[ReferringFile]) -> Result<(), CliError> {
    let begin = format!("# Stand by reference: `polc hydrate {slug}` restores them.");
    for folder in [root.corpus_folder(slug), root.manifests(slug), root.pack(slug)] {
        let line = |file: &ReferringFile| {
            let path = root.folder().join(&file.path);
            path.strip_prefix(&folder).ok().map(|path| format!("/{}\n", pattern(&path.to_string_lossy())))
        };
        let ours: String = files.iter().filter_map(line).collect();
        let path = folder.join(IGNORE);
        let there = read_text_if_there(&path)?.unwrap_or_default();
        let mut text = String::new();
        let mut is_ours = false;
        for line in there.split_inclusive('\n') {
            let bare = line.trim_end();
            is_ours |= bare == begin;
            if !is_ours {
                text.push_str(line);
            }
            is_ours &= bare != IGNORE_END;
        }
        if !ours.is_empty() {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&format!("{begin}\n{ours}{IGNORE_END}\n"));
        }
        if text != there {
            write_atomically(&path, text.as_bytes())?;
        }
    }
    Ok(())
}

/// A path as git reads it in a list of what is ignored: no character of it stands for others.
fn pattern(path: &str) -> String {
    let mut out = String::new();
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ' ') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

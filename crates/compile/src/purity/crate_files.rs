//! What is around the sources of checkers: the files that cargo reads, and those that it finds by itself.

use super::{Ban, Finding};
use crate::CompileError;
use crate::files::CheckerFile;
use crate::render::{manifest, registry, workspace};
use polc_records::Problem;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::store::read_text_if_there;
use std::path::{Path, PathBuf};

const RENDERED: Ban = Ban::new(
    "it says what is built, and is made by polc alone",
    "run `polc compile SLUG --stubs`, which renders it",
);
const FOUND: Ban = Ban::new(
    "cargo, or the compiler, would find it by itself",
    "take it away: a crate has its manifest, its registry, and one file a checker",
);
const LINK: Ban = Ban::new("what it leads to is not part of the crate", "put the file itself there");
const CONFIG: Ban = Ban::new(
    "it changes what is built or how",
    "keep it in the configuration of cargo in your home folder, or take it away",
);

/// Everything around the sources of a crate that is not as polc makes it.
pub(super) fn findings(
    root: &Root,
    slug: &Slug,
    checkers: &[CheckerFile],
) -> Result<Vec<Finding>, CompileError> {
    let pack = root.pack(slug);
    let mut found = Vec::new();
    let main = pack.join("src/main.rs");
    let corpus = read_text_if_there(&main)?.unwrap_or_default();
    let corpus = corpus.split("\n    corpus: \"").nth(1).and_then(|rest| rest.split('"').next());
    // A digest and nothing else stands there, or the text is not what is rendered from it.
    let corpus = corpus.filter(|corpus| corpus.chars().all(|c| c.is_ascii_alphanumeric() || c == ':'));
    let rendered = [
        (main, registry(slug, corpus.unwrap_or_default(), checkers)?),
        (pack.join("Cargo.toml"), manifest(slug)),
        (root.generated().join("Cargo.toml"), workspace(root)?),
    ];
    for (path, made) in &rendered {
        let is = read_text_if_there(path)?;
        if is.as_deref() != Some(made) {
            found.push(RENDERED.at(
                root.shown(path),
                first_difference(is.as_deref(), made),
                "not as it is rendered",
            ));
        }
    }
    strangers(root, &pack, checkers, &mut found)?;
    for folder in [pack.as_path(), &root.generated(), root.folder()] {
        let is_root = folder == root.folder();
        for file in ["config", "config.toml"] {
            configuration(root, &folder.join(".cargo").join(file), is_root, &mut found)?;
        }
    }
    Ok(found)
}

/// The first line that differs, and its first column.
fn first_difference(is: Option<&str>, made: &str) -> (usize, usize) {
    let mut lines = is.unwrap_or_default().lines().zip(made.lines());
    (lines.position(|(is, made)| is != made).map_or(1, |at| at + 1), 1)
}

/// Files that nothing names and that are built all the same, and links out of the crate.
fn strangers(
    root: &Root,
    pack: &Path,
    checkers: &[CheckerFile],
    found: &mut Vec<Finding>,
) -> Result<(), Problem> {
    let sources: Vec<PathBuf> = checkers.iter().map(CheckerFile::source).collect();
    if pack.is_symlink() {
        found.push(LINK.at(root.shown(pack), (1, 1), "a symbolic link"));
    }
    let mut open = vec![pack.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| Problem::io(&folder, "list", &error))?;
        let mut entries = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| Problem::io(&folder, "list", &error))?;
        entries.sort();
        for path in entries {
            let below = path.strip_prefix(pack).unwrap_or(&path);
            // What is there of rules that are gone is not built.
            if below == Path::new("orphaned") {
                continue;
            }
            if path.is_symlink() {
                found.push(LINK.at(root.shown(&path), (1, 1), "a symbolic link"));
            } else if path.is_dir() {
                if is_found(below) {
                    found.push(FOUND.at(root.shown(&path), (1, 1), "a folder that cargo builds from"));
                }
                open.push(path);
            } else if is_found(below)
                || below.extension().is_some_and(|ending| ending == "rs")
                    && below != Path::new("src/main.rs")
                    && !sources.iter().any(|source| source == below)
            {
                found.push(FOUND.at(root.shown(&path), (1, 1), "a file that the registry does not name"));
            }
        }
    }
    Ok(())
}

/// Whether cargo or rustup take something by its place in a package.
fn is_found(below: &Path) -> bool {
    ["benches", "examples", "rust-toolchain", "rust-toolchain.toml", "src/bin", "tests"]
        .iter()
        .any(|place| below == Path::new(place))
}

/// The tables of cargo's configuration that say where packages come from and how much is printed.
const HARMLESS: &[&str] = &[
    "alias",
    "cache",
    "cargo-new",
    "future-incompat-report",
    "http",
    "net",
    "registries",
    "registry",
    "source",
    "term",
];

/// Configuration of cargo, which it takes from every folder above the one that it runs in.
fn configuration(root: &Root, path: &Path, is_root: bool, found: &mut Vec<Finding>) -> Result<(), Problem> {
    let Some(text) = read_text_if_there(path)? else { return Ok(()) };
    let tables: toml::Table = match toml::from_str(&text) {
        Ok(tables) => tables,
        Err(error) => return Err(Problem::new(path, error.to_string(), "correct it")),
    };
    for table in tables.keys().filter(|table| !is_root || !HARMLESS.contains(&table.as_str())) {
        let line = text
            .lines()
            .position(|line| line.trim_start().trim_start_matches('[').starts_with(table.as_str()));
        found.push(CONFIG.at(
            root.shown(path),
            (line.unwrap_or(0) + 1, 1),
            format!("`{table}` in a configuration of cargo"),
        ));
    }
    Ok(())
}

//! A root beside the one at hand, in which stages run without touching it.

use crate::exit::CliError;
use polc_records::Problem;
use polc_records::config::{CheckerSource, Config};
use polc_records::layout::Root;
use polc_records::store::{load_toml, save_toml, write_atomically};
use std::path::{Path, PathBuf};

/// Makes an empty root in `.polc/<name>` with the configuration and the tables of this one. What was
/// there before is removed, but for what cargo built.
pub(crate) fn root_beside(home: &Root, name: &str) -> Result<Root, CliError> {
    let folder = home.state().join(name);
    let built = Root::new(&folder).build();
    let kept = home.state().join(format!("{name}.built"));
    let wrong = |path: &Path, what: &str, error: &std::io::Error| Problem::io(path, what, error);
    if built.is_dir() && !kept.exists() {
        std::fs::rename(&built, &kept).map_err(|error| wrong(&built, "move", &error))?;
    }
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| wrong(&folder, "remove", &error))?;
    }
    std::fs::create_dir_all(&folder).map_err(|error| wrong(&folder, "make", &error))?;
    let root = Root::new(canonical(&folder)?);
    if kept.is_dir() {
        let built = root.build();
        let parent = built.parent().unwrap_or(&folder);
        std::fs::create_dir_all(parent).map_err(|error| wrong(parent, "make", &error))?;
        std::fs::rename(&kept, &built).map_err(|error| wrong(&kept, "move", &error))?;
    }
    let config: Config = load_toml(&home.config())?;
    let top = canonical(home.folder())?;
    let checker =
        config.checker.map(|checker| CheckerSource { path: top.join(checker.path).display().to_string() });
    save_toml(&root.config(), &Config::new(checker, config.endpoint))?;
    for data in ["stages", "rubrics"] {
        copy_folder(&home.folder().join(data), &root.folder().join(data))?;
    }
    Ok(root)
}

pub(crate) fn canonical(folder: &Path) -> Result<PathBuf, Problem> {
    folder.canonicalize().map_err(|error| Problem::io(folder, "find", &error))
}

pub(crate) fn copy_file(from: &Path, to: &Path) -> Result<(), CliError> {
    if !from.is_file() {
        return Ok(());
    }
    let bytes = std::fs::read(from).map_err(|error| Problem::io(from, "read", &error))?;
    Ok(write_atomically(to, &bytes)?)
}

pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<(), CliError> {
    if !from.is_dir() {
        return Ok(());
    }
    let entries = std::fs::read_dir(from).map_err(|error| Problem::io(from, "list", &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| Problem::io(from, "list", &error))?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy_folder(&path, &target)? } else { copy_file(&path, &target)? }
    }
    Ok(())
}

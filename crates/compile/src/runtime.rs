//! Where generated crates find the runtime: where `polc.toml` says, else the copy that polc carries.

use crate::CompileError;
use polc_records::Problem;
use polc_records::config::Config;
use polc_records::layout::Root;
use polc_records::store::{load_toml, write_atomically};
use std::path::Path;

macro_rules! carried {
    ($($file:literal),+ $(,)?) => {
        /// The files of the runtime, as this program carries them.
        pub const FILES: &[(&str, &str)] = &[$(($file, include_str!(concat!("../../checker/", $file)))),+];
    };
}

carried!(
    "Cargo.toml",
    "src/activity.rs",
    "src/activity/call.rs",
    "src/activity/check.rs",
    "src/activity/edit.rs",
    "src/activity/git.rs",
    "src/activity/outside.rs",
    "src/activity/path.rs",
    "src/activity/test.rs",
    "src/activity/work.rs",
    "src/cargo.rs",
    "src/cases.rs",
    "src/declaration.rs",
    "src/diff.rs",
    "src/docstring.rs",
    "src/docstring/clean.rs",
    "src/docstring/doctest.rs",
    "src/docstring/entries.rs",
    "src/docstring/fields.rs",
    "src/docstring/sections.rs",
    "src/evidence.rs",
    "src/evidence/file.rs",
    "src/evidence/outside.rs",
    "src/evidence/step.rs",
    "src/executable.rs",
    "src/explain.rs",
    "src/found.rs",
    "src/fragment.rs",
    "src/issue.rs",
    "src/lib.rs",
    "src/markdown.rs",
    "src/markdown/admonition.rs",
    "src/markdown/read.rs",
    "src/message.rs",
    "src/message/subject.rs",
    "src/message/trailer.rs",
    "src/message/verb.rs",
    "src/outcome.rs",
    "src/pack.rs",
    "src/patch.rs",
    "src/patch/names.rs",
    "src/patch/rebuild.rs",
    "src/pattern.rs",
    "src/proposal.rs",
    "src/python.rs",
    "src/python/build.rs",
    "src/python/calls.rs",
    "src/python/changes.rs",
    "src/python/comments.rs",
    "src/python/definitions.rs",
    "src/python/depth.rs",
    "src/python/imports.rs",
    "src/python/index.rs",
    "src/python/kind.rs",
    "src/python/names.rs",
    "src/python/node.rs",
    "src/python/plant.rs",
    "src/python/statements.rs",
    "src/python/versions.rs",
    "src/python/within.rs",
    "src/rst.rs",
    "src/rst/block.rs",
    "src/rst/explicit.rs",
    "src/rst/frame.rs",
    "src/rst/inline.rs",
    "src/rst/list.rs",
    "src/rst/table.rs",
    "src/rust.rs",
    "src/shell.rs",
    "src/shell/command.rs",
    "src/shell/compound.rs",
    "src/shell/git.rs",
    "src/shell/lex.rs",
    "src/shell/options.rs",
    "src/shell/parse.rs",
    "src/shell/tree.rs",
    "src/shell/variables.rs",
    "src/shell/walk.rs",
    "src/shell/word.rs",
    "src/target.rs",
    "src/test_output.rs",
    "src/view.rs",
);

/// The path of the runtime, as seen from `generated/`. Lays down the copy where none is configured.
///
/// # Errors
/// Where `polc.toml` cannot be read, names a folder without a runtime, or the copy not be written.
pub fn locate(root: &Root) -> Result<String, CompileError> {
    let config: Config = load_toml(&root.config())?;
    if let Some(checker) = config.checker {
        let folder = root.folder().join(&checker.path);
        if !folder.join("Cargo.toml").is_file() {
            return Err(Problem::new(
                &root.config(),
                format!("`{}` holds no polc-checker", checker.path),
                "correct the path, or take [checker] away: polc carries a copy",
            )
            .field("checker.path")
            .into());
        }
        let absolute = Path::new(&checker.path).is_absolute();
        return Ok(if absolute { checker.path } else { format!("../{}", checker.path) });
    }
    let folder = root.state().join("checker");
    for (file, text) in FILES {
        let text = if *file == "Cargo.toml" { standalone(text)? } else { (*text).to_owned() };
        write_atomically(&folder.join(file), text.as_bytes())?;
    }
    Ok("../.polc/checker".to_owned())
}

/// The versions that this program was built with: a crate of checkers builds with the same ones, so
/// without a network wherever polc itself was built.
const LOCK: &str = include_str!("../../../Cargo.lock");

/// Writes the lock of the generated workspace, where there is none yet. Cargo takes out of it what the
/// workspace does not need.
///
/// # Errors
/// Where it cannot be written.
pub fn seed_lock(root: &Root) -> Result<(), Problem> {
    let path = root.generated().join("Cargo.lock");
    if path.exists() { Ok(()) } else { write_atomically(&path, LOCK.as_bytes()) }
}

/// The manifest of the runtime for a place without its workspace.
fn standalone(manifest: &str) -> Result<String, CompileError> {
    let fault = |message: String| Problem::new(Path::new("Cargo.toml"), message, "report this as a bug");
    let mut table: toml::Table = toml::from_str(manifest).map_err(|error| fault(error.to_string()))?;
    table.remove("lints");
    table.remove("dev-dependencies");
    table.remove("bench");
    // Cargo would take a build script that lies in the folder of the copy.
    if let Some(package) = table.get_mut("package").and_then(toml::Value::as_table_mut) {
        package.insert("build".to_owned(), toml::Value::Boolean(false));
    }
    table.insert("workspace".to_owned(), toml::Value::Table(toml::Table::new()));
    Ok(toml::to_string(&table).map_err(|error| fault(error.to_string()))?)
}

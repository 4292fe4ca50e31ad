//! What rendering does to the files of a crate, worked out whole before any of them is touched.

use polc_records::Problem;
use polc_records::store::Batch;
use std::path::{Path, PathBuf};

/// Files to be moved, removed and written, in this order.
#[derive(Debug, Default)]
#[must_use = "nothing happens before `carry_out`"]
pub(crate) struct Plan {
    moves: Vec<(PathBuf, PathBuf)>,
    removals: Vec<PathBuf>,
    writes: Batch,
}

impl Plan {
    /// Moves a file, where it is there.
    pub(crate) fn rename(&mut self, from: PathBuf, to: PathBuf) {
        if from.exists() {
            self.moves.push((from, to));
        }
    }

    /// Removes a file, where it is there.
    pub(crate) fn remove(&mut self, path: PathBuf) {
        if path.exists() {
            self.removals.push(path);
        }
    }

    /// Writes a file, once everything is moved.
    pub(crate) fn write(&mut self, path: PathBuf, bytes: Vec<u8>) {
        self.writes.write(path, bytes);
    }

    /// Does it.
    ///
    /// # Errors
    /// Where a file would be moved over another one: then nothing is done. Or where one cannot be moved,
    /// removed or written.
    pub(crate) fn carry_out(self) -> Result<(), Problem> {
        if let Some((from, to)) = self.moves.iter().find(|(_, to)| to.exists()) {
            return Err(Problem::new(
                to,
                format!("this file is in the way of `{}`, which would be moved there", from.display()),
                "compare the two, rename or remove one of them, and run the command again; nothing was changed",
            ));
        }
        for (from, to) in &self.moves {
            rename(from, to)?;
        }
        for path in &self.removals {
            std::fs::remove_file(path).map_err(|error| Problem::io(path, "remove", &error))?;
        }
        self.writes.finish()
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), Problem> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Problem::io(folder, "make", &error))?;
    }
    std::fs::rename(from, to).map_err(|error| Problem::io(from, "move", &error))
}

//! What lies beside the file of a run, in a folder of its own.

use super::RunError;
use super::find::is_in_a_folder_of_its_own;
use crate::sections::Sections;
use std::path::Path;

/// The texts of the files that are there.
#[derive(Debug, Default)]
pub(super) struct Beside {
    pub(super) sections: Option<Sections>,
    pub(super) probe: Option<String>,
    pub(super) patch: Option<String>,
    pub(super) patch_committed: Option<String>,
    pub(super) report: Option<String>,
    pub(super) lint_report: Option<String>,
}

impl Beside {
    /// Reads what lies beside a file. Files that share their folder with other runs have nothing.
    pub(super) fn of(path: &Path) -> Result<Beside, RunError> {
        let folder = if path.is_dir() { Some(path) } else { path.parent() };
        let Some(folder) = folder.filter(|_| is_in_a_folder_of_its_own(path)) else {
            return Ok(Beside::default());
        };
        let first = |names: &[&str]| -> Result<Option<String>, RunError> {
            for name in names {
                let path = folder.join(name);
                if path.is_file() {
                    let bytes = std::fs::read(&path).map_err(|error| RunError::File { path, error })?;
                    // A patch may hold bytes of a file in another encoding.
                    let text = String::from_utf8_lossy(&bytes);
                    return Ok(Some(text.trim_start_matches('\u{feff}').to_owned()));
                }
            }
            Ok(None)
        };
        Ok(Beside {
            sections: first(&["bundle.txt", "collect.txt"])?.as_deref().and_then(Sections::of),
            probe: first(&["probe.txt"])?,
            patch: first(&["patch.diff"])?,
            patch_committed: first(&["patch_committed.diff"])?,
            report: first(&["eval_report.json", "report.json"])?,
            lint_report: first(&["lint_report.json"])?,
        })
    }
}

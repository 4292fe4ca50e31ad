//! Where runs are: files, folders of one, and files of many.

use super::RunError;
use crate::adapter::Adapter;
use crate::sample::Sample;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The file of a run in a folder of its own.
pub(super) const TRAJECTORY: &str = "trajectory.json";

/// A run: a file, or one record of a file that holds many.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    path: PathBuf,
    record: Option<Record>,
}

/// One line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Record {
    line: usize,
    start: u64,
    length: u64,
}

impl Place {
    /// A file that is one run.
    pub fn file(path: impl Into<PathBuf>) -> Place {
        Place { path: path.into(), record: None }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The line of the file, from 1, where it holds many runs.
    pub fn line(&self) -> Option<usize> {
        self.record.as_ref().map(|record| record.line)
    }

    pub(super) fn text(&self) -> Result<String, RunError> {
        let wrap = |error| RunError::File { path: self.path.clone(), error };
        let bytes = match &self.record {
            None => std::fs::read(&self.path).map_err(wrap)?,
            Some(record) => {
                let mut file = std::fs::File::open(&self.path).map_err(wrap)?;
                file.seek(SeekFrom::Start(record.start)).map_err(wrap)?;
                let mut bytes = Vec::new();
                file.take(record.length).read_to_end(&mut bytes).map_err(wrap)?;
                bytes
            }
        };
        String::from_utf8(bytes).map_err(|error| RunError::NotText {
            path: self.path.clone(),
            valid: error.utf8_error().valid_up_to(),
        })
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.record {
            None => write!(f, "{}", self.path.display()),
            Some(record) => write!(f, "{}:{}", self.path.display(), record.line),
        }
    }
}

/// Finds the runs at and below paths: those of a folder sorted, the paths themselves in their order.
///
/// # Errors
/// Where a path cannot be read, or no run is there.
pub fn find_runs<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<Place>, RunError> {
    let mut found = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let before = found.len();
        let wrap = |error| RunError::File { path: path.to_path_buf(), error };
        if std::fs::metadata(path).map_err(wrap)?.is_dir() {
            below(path, &mut found)?;
        } else {
            found.extend(places(path)?);
        }
        if found.len() == before {
            return Err(RunError::NoRun { path: path.to_path_buf() });
        }
    }
    Ok(found)
}

/// The runs below a folder. One that holds a `trajectory.json` is a run and nothing else.
fn below(folder: &Path, found: &mut Vec<Place>) -> Result<(), RunError> {
    let own = folder.join(TRAJECTORY);
    if own.is_file() {
        found.push(Place::file(own));
        return Ok(());
    }
    let wrap = |error| RunError::File { path: folder.to_path_buf(), error };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrap)? {
        entries.push(entry.map_err(wrap)?.path());
    }
    entries.sort();
    for path in entries {
        if path.is_dir() {
            below(&path, found)?;
        } else if may_be_a_run(&path) {
            found.extend(places(&path)?);
        }
    }
    Ok(())
}

/// What scaffolds call their files. Others beside them are reports, rows and indexes.
fn may_be_a_run(path: &Path) -> bool {
    let name = path.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    [".traj", ".traj.json", ".jsonl"].iter().any(|ending| name.ends_with(ending))
        && ![crate::run::ROWS].contains(&name)
}

/// The runs of a file.
fn places(path: &Path) -> Result<Vec<Place>, RunError> {
    let one = || vec![Place::file(path)];
    if path.extension().is_none_or(|extension| extension != "jsonl") {
        return Ok(one());
    }
    let wrap = |error| RunError::File { path: path.to_path_buf(), error };
    let mut lines = BufReader::new(std::fs::File::open(path).map_err(wrap)?);
    let (mut line, mut start) = (1, 0_u64);
    let mut records = Vec::new();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let length = lines.read_until(b'\n', &mut bytes).map_err(wrap)? as u64;
        if length == 0 {
            return Ok(records);
        }
        if !bytes.iter().all(u8::is_ascii_whitespace) {
            let is_first = records.is_empty();
            if is_first && !is_a_run(&bytes) {
                return Ok(one());
            }
            records.push(Place { path: path.to_path_buf(), record: Some(Record { line, start, length }) });
        }
        line += 1;
        start += length;
    }
}

/// Whether a line is a whole run, and not a part of one.
fn is_a_run(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|line| match Sample::of(line) {
        sample @ Sample::Object(_) => Adapter::holds_a_run(&sample),
        Sample::List(_) | Sample::Lines(_) | Sample::Empty | Sample::Other => false,
    })
}

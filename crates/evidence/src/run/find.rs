//! Where runs are: files, folders of one, and files of many.

use super::RunError;
use crate::adapter::Adapter;
use crate::sample::Sample;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The file of a run in a folder of its own, by the name before its ending.
const OF_A_FOLDER: &str = "trajectory";

/// The endings that scaffolds give to their files. Others beside them are reports and indexes.
const ENDINGS: [&str; 3] = [".traj", ".traj.json", ".jsonl"];

/// Files of other kinds with such an ending.
const OTHERS: [&str; 2] = ["rows.jsonl", "expected_rows.jsonl"];

/// A run: a file, one record of a file that holds many, or a folder of events.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    File,
    /// One line of a file.
    Record {
        line: usize,
        start: u64,
        length: u64,
    },
    /// A conversation of OpenHands, an event a file.
    Events,
}

/// What is to be read.
pub(super) enum Contents {
    Text(String),
    Events { state: Option<String>, events: Vec<(String, String)> },
}

impl Place {
    /// A file that is one run.
    pub fn file(path: impl Into<PathBuf>) -> Place {
        Place { path: path.into(), kind: Kind::File }
    }

    /// The file or the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn contents(&self) -> Result<Contents, RunError> {
        match self.kind {
            Kind::File => Ok(Contents::Text(text(&self.path)?)),
            Kind::Record { start, length, .. } => {
                let wrap = |error| RunError::File { path: self.path.clone(), error };
                let mut file = std::fs::File::open(&self.path).map_err(wrap)?;
                file.seek(SeekFrom::Start(start)).map_err(wrap)?;
                let mut bytes = Vec::new();
                file.take(length).read_to_end(&mut bytes).map_err(wrap)?;
                utf8(&self.path, bytes).map(|text| Contents::Text(text.trim_end().to_owned()))
            }
            Kind::Events => {
                let state = self.path.join(STATE);
                let state = if state.is_file() { Some(text(&state)?) } else { None };
                let mut events = Vec::new();
                for path in entries(&self.path.join(EVENTS))? {
                    let name = path.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
                    if name.starts_with("event-") {
                        events.push((name.to_owned(), text(&path)?));
                    }
                }
                Ok(Contents::Events { state, events })
            }
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            Kind::File | Kind::Events => write!(f, "{}", self.path.display()),
            Kind::Record { line, .. } => write!(f, "{}:{line}", self.path.display()),
        }
    }
}

const STATE: &str = "base_state.json";
const EVENTS: &str = "events";

fn text(path: &Path) -> Result<String, RunError> {
    let bytes = std::fs::read(path).map_err(|error| RunError::File { path: path.to_path_buf(), error })?;
    utf8(path, bytes)
}

fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, RunError> {
    let text = String::from_utf8(bytes).map_err(|error| RunError::NotText {
        path: path.to_path_buf(),
        valid: error.utf8_error().valid_up_to(),
    })?;
    Ok(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let wrap = |error| RunError::File { path: folder.to_path_buf(), error };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrap)? {
        entries.push(entry.map_err(wrap)?.path());
    }
    entries.sort();
    Ok(entries)
}

/// Whether the files beside a run are of this run alone.
pub(super) fn is_in_a_folder_of_its_own(path: &Path) -> bool {
    path.is_dir() || path.file_stem().is_some_and(|stem| stem == OF_A_FOLDER)
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
            below(path, &mut BTreeSet::new(), &mut found)?;
        } else {
            found.extend(places(path)?);
        }
        if found.len() == before {
            return Err(RunError::NoRun { path: path.to_path_buf() });
        }
    }
    Ok(found)
}

/// The runs below a folder. One that holds the file of a run is a run and nothing else. A folder that links lead to once
/// more, which may be one that it lies in, is gone into once.
fn below(folder: &Path, seen: &mut BTreeSet<PathBuf>, found: &mut Vec<Place>) -> Result<(), RunError> {
    let wrap = |error| RunError::File { path: folder.to_path_buf(), error };
    if !seen.insert(folder.canonicalize().map_err(wrap)?) {
        return Ok(());
    }
    let entries = entries(folder)?;
    if let Some(own) = entries.iter().find(|path| is_in_a_folder_of_its_own(path) && path.is_file()) {
        found.push(Place::file(own));
        return Ok(());
    }
    if folder.join(EVENTS).is_dir() && folder.join(STATE).is_file() {
        found.push(Place { path: folder.to_path_buf(), kind: Kind::Events });
        return Ok(());
    }
    for path in entries {
        let name = path.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
        // A pipe would be waited for; a link to nothing is named when it is read.
        let is_special = std::fs::metadata(&path).is_ok_and(|data| !data.is_file());
        let is_named = ENDINGS.iter().any(|ending| name.ends_with(ending)) && !OTHERS.contains(&name);
        let before = found.len();
        let went = if path.is_dir() {
            below(&path, seen, found)
        } else if is_named && !is_special {
            places(&path).map(|places| found.extend(places))
        } else {
            Ok(())
        };
        // What cannot be read stops nothing: it is a run that says so when it is read.
        if went.is_err() {
            found.truncate(before);
            found.push(Place::file(&path));
        }
    }
    Ok(())
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
            // An empty file is read, so that it is named.
            return Ok(if records.is_empty() { one() } else { records });
        }
        if !bytes.iter().all(u8::is_ascii_whitespace) {
            if records.is_empty() && !is_a_run(&bytes) {
                return Ok(one());
            }
            records.push(Place { path: path.to_path_buf(), kind: Kind::Record { line, start, length } });
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

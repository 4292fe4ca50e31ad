//! Reading and writing files: whole, checked, atomic.

use crate::problem::{Problem, line_and_column};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Reads a text file.
///
/// # Errors
/// Where it cannot be read, or is not UTF-8: then the place of the first bad byte is named.
pub fn read_text(path: &Path) -> Result<String, Problem> {
    let bytes = std::fs::read(path).map_err(|error| Problem::io(path, "read", &error))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count() + 1;
        Problem::new(path, format!("byte {good} is not UTF-8"), "save the file as UTF-8").at(line, None)
    })
}

/// Reads a text file, or nothing where there is none.
///
/// # Errors
/// As [`read_text`], but for a file that does not exist.
pub fn read_text_if_there(path: &Path) -> Result<Option<String>, Problem> {
    match path.try_exists() {
        Ok(true) => read_text(path).map(Some),
        Ok(false) => Ok(None),
        Err(error) => Err(Problem::io(path, "look for", &error)),
    }
}

/// Writes a file whole or not at all: to a temporary file beside it, synced, then renamed.
///
/// A run that is killed leaves the old file or the new one. Its temporary file bears the number of the
/// process: files that projects share may be written by two processes at once.
///
/// # Errors
/// Where the folder cannot be made or the file not written; the old file is then untouched.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    if replace(path, bytes)? { sync_folder(path.parent().unwrap_or(Path::new("."))) } else { Ok(()) }
}

/// Writes a file that nobody has written yet, whole or not at all. Gives whether it did: of several who write at
/// once, in one process or in many, one does.
///
/// # Errors
/// As [`write_atomically`].
pub fn write_once(path: &Path, bytes: &[u8]) -> Result<bool, Problem> {
    if path.exists() {
        return Ok(false);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| Problem::io(folder, "make", &error))?;
    // Several threads of this process may be at it.
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let temporary = temporary_name(path).with_extension(format!("{number}.polc-tmp"));
    let write = || -> std::io::Result<bool> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        match std::fs::hard_link(&temporary, path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            // A file system without links: the last one to write stays, and is whole.
            Err(_) => std::fs::rename(&temporary, path).map(|()| true),
        }
    };
    let written = write().map_err(|error| Problem::io(path, "write", &error));
    // It may have been renamed; a link of its own is of no use to anyone.
    let _removed = std::fs::remove_file(&temporary);
    if written? {
        sync_folder(folder)?;
        return Ok(true);
    }
    Ok(false)
}

/// Many files written together: each whole or not at all, in any order.
#[derive(Debug, Default)]
#[must_use = "nothing is written before `finish`"]
pub struct Batch {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// How many files of a batch wait for the disk at a time.
const AT_A_TIME: usize = 8;

impl Batch {
    /// Adds a file.
    pub fn write(&mut self, path: PathBuf, bytes: Vec<u8>) {
        self.files.insert(path, bytes);
    }

    /// Writes every file that holds other bytes than it should.
    ///
    /// # Errors
    /// As [`write_atomically`], for the first file by its path that could not be written.
    pub fn finish(self) -> Result<(), Problem> {
        let files: Vec<(PathBuf, Vec<u8>)> = self.files.into_iter().collect();
        let written: Vec<Result<bool, Problem>> = std::thread::scope(|scope| {
            let parts = files.chunks(files.len().div_ceil(AT_A_TIME).max(1));
            let running: Vec<_> = parts
                .map(|part| scope.spawn(|| part.iter().map(|(path, bytes)| replace(path, bytes)).collect()))
                .collect();
            let joined = running.into_iter().map(|part| {
                part.join().unwrap_or_else(|panic| -> Vec<_> { std::panic::resume_unwind(panic) })
            });
            joined.flatten().collect()
        });
        let mut folders = BTreeSet::new();
        for ((path, _), written) in files.iter().zip(written) {
            if written? {
                folders.extend(path.parent());
            }
        }
        folders.into_iter().try_for_each(sync_folder)
    }
}

/// Replaces a file, unless it holds these bytes already. Gives whether it did.
fn replace(path: &Path, bytes: &[u8]) -> Result<bool, Problem> {
    if std::fs::read(path).is_ok_and(|present| present == bytes) {
        return Ok(false);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| Problem::io(folder, "make", &error))?;
    let temporary = temporary_name(path);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&temporary, path)
    };
    write().map_err(|error| {
        // The temporary file is of no use to anyone; that it cannot be removed changes nothing.
        let _removed = std::fs::remove_file(&temporary);
        Problem::io(path, "write", &error)
    })?;
    Ok(true)
}

fn temporary_name(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.polc-tmp", std::process::id()));
    path.with_file_name(name)
}

fn sync_folder(folder: &Path) -> Result<(), Problem> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems cannot sync a folder; the rename is atomic there all the same.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        other => other.map_err(|error| Problem::io(folder, "sync", &error)),
    }
}

/// A file in TOML with a `schema` number, which polc reads.
pub trait TomlFile: DeserializeOwned {
    /// The newest schema version that this program reads, and the one it writes.
    const SCHEMA: u32;
    /// The oldest schema version that this program still reads as it is.
    const OLDEST: u32 = Self::SCHEMA;
    /// What the file is, in words, for errors.
    const WHAT: &'static str;
}

/// A file in TOML that polc writes too.
pub trait TomlRecord: TomlFile + Serialize {
    /// A comment that stands at the head of the file.
    const HEADER: &'static str;
}

/// Parses a TOML file; `path` is only named in errors.
///
/// # Errors
/// A schema that is missing or newer, a field that is unknown, a value that is not allowed: each
/// with its line and column.
pub fn parse_toml<T: TomlFile>(path: &Path, text: &str) -> Result<T, Problem> {
    let fault = |error: &toml::de::Error| toml_problem(path, text, error);
    let table: toml::Table = toml::from_str(text).map_err(|error| fault(&error))?;
    let schema = table.get("schema").and_then(toml::Value::as_integer);
    if !is_still_read(schema, T::OLDEST, T::SCHEMA) {
        check_schema(path, T::WHAT, T::SCHEMA, schema)?;
    }
    toml::from_str(text).map_err(|error| fault(&error))
}

/// Whether a schema is an older one that is read as it is.
fn is_still_read(schema: Option<i64>, oldest: u32, newest: u32) -> bool {
    schema.is_some_and(|schema| (i64::from(oldest)..i64::from(newest)).contains(&schema))
}

/// Reads a TOML file.
///
/// # Errors
/// As [`read_text`] and [`parse_toml`].
pub fn load_toml<T: TomlFile>(path: &Path) -> Result<T, Problem> {
    parse_toml(path, &read_text(path)?)
}

/// The text that [`save_toml`] writes.
///
/// # Errors
/// Only where a value cannot be written as TOML, which is a fault of ours.
pub fn render_toml<T: TomlRecord>(path: &Path, value: &T) -> Result<String, Problem> {
    let body = toml::to_string_pretty(value).map_err(|error| {
        Problem::new(path, format!("cannot be written as TOML: {error}"), "report this as a bug")
    })?;
    let header: String = T::HEADER.lines().map(|line| format!("# {line}\n")).collect();
    Ok(if header.is_empty() { body } else { format!("{header}\n{body}") })
}

/// Writes a TOML file.
///
/// # Errors
/// As [`write_atomically`].
pub fn save_toml<T: TomlRecord>(path: &Path, value: &T) -> Result<(), Problem> {
    write_atomically(path, render_toml(path, value)?.as_bytes())
}

/// A TOML error as a problem with its place.
pub fn toml_problem(path: &Path, text: &str, error: &toml::de::Error) -> Problem {
    let problem = Problem::new(
        path,
        error.message().trim_end().to_owned(),
        "correct the value and run the command again",
    );
    match error.span() {
        Some(span) => {
            let place = line_and_column(text, span.start);
            problem.at(place.line, place.column)
        }
        None => problem,
    }
}

/// Refuses a schema number that is missing, or that this program does not read.
///
/// # Errors
/// With the remedy: a newer polc, or the stage that writes the file.
pub fn check_schema(path: &Path, what: &str, supported: u32, found: Option<i64>) -> Result<(), Problem> {
    match found {
        Some(schema) if schema == i64::from(supported) => Ok(()),
        Some(schema) if schema > i64::from(supported) => Err(Problem::new(
            path,
            format!("this {what} has schema {schema}; this polc reads schema {supported}"),
            "install a newer polc",
        )
        .field("schema")),
        Some(schema) if schema >= 1 => Err(Problem::new(
            path,
            format!("this {what} has schema {schema}, which is older; this polc reads schema {supported}"),
            "run the stage that writes it again, or see the changelog for what to change",
        )
        .field("schema")),
        Some(schema) => Err(Problem::new(
            path,
            format!(
                "this {what} has schema {schema}, which never existed; this polc reads schema {supported}"
            ),
            "restore the file from version control",
        )
        .field("schema")),
        None => Err(Problem::new(
            path,
            format!("this {what} has no schema number"),
            format!("add `schema = {supported}`, or run the stage that writes the file again"),
        )
        .field("schema")),
    }
}

/// A file of JSON lines: a header with the schema, then one value a line.
pub trait JsonLines {
    /// The header line.
    type Header: Serialize + DeserializeOwned;
    /// One line after it.
    type Line: Serialize + DeserializeOwned;
    /// The newest schema version that this program reads, and the one it writes.
    const SCHEMA: u32;
    /// The oldest schema version that this program still reads as it is.
    const OLDEST: u32 = Self::SCHEMA;
    /// What the file is, in words, for errors.
    const WHAT: &'static str;
}

/// Parses a file of JSON lines; `path` is only named in errors.
///
/// # Errors
/// As [`parse_toml`], with the line.
pub fn parse_lines<F: JsonLines>(path: &Path, text: &str) -> Result<(F::Header, Vec<F::Line>), Problem> {
    #[derive(serde::Deserialize)]
    struct Schema {
        schema: Option<i64>,
    }
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
    let Some((_, first)) = lines.next() else {
        return Err(Problem::new(
            path,
            format!("this {} is empty", F::WHAT),
            "run the stage that writes it again",
        ));
    };
    let schema: Schema = parse_line(path, 0, first)?;
    if !is_still_read(schema.schema, F::OLDEST, F::SCHEMA) {
        check_schema(path, F::WHAT, F::SCHEMA, schema.schema).map_err(|problem| problem.at(1, None))?;
    }
    let header = parse_line(path, 0, first)?;
    let rest = lines.map(|(index, line)| parse_line(path, index, line)).collect::<Result<_, _>>()?;
    Ok((header, rest))
}

fn parse_line<T: DeserializeOwned>(path: &Path, index: usize, line: &str) -> Result<T, Problem> {
    serde_json::from_str(line).map_err(|error| {
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        Problem::new(path, message, "correct the line, or run the stage that writes the file again")
            .at(index + 1, Some(error.column()))
    })
}

/// Reads a file of JSON lines.
///
/// # Errors
/// As [`read_text`] and [`parse_lines`].
pub fn load_lines<F: JsonLines>(path: &Path) -> Result<(F::Header, Vec<F::Line>), Problem> {
    parse_lines::<F>(path, &read_text(path)?)
}

/// The text that [`save_lines`] writes.
///
/// # Errors
/// Only where a value cannot be written as JSON, which is a fault of ours.
pub fn render_lines<F: JsonLines>(
    path: &Path,
    header: &F::Header,
    lines: &[F::Line],
) -> Result<String, Problem> {
    let fault = |error: serde_json::Error| {
        Problem::new(path, format!("cannot be written as JSON: {error}"), "report this as a bug")
    };
    let mut text = serde_json::to_string(header).map_err(fault)?;
    text.push('\n');
    for line in lines {
        text.push_str(&serde_json::to_string(line).map_err(fault)?);
        text.push('\n');
    }
    Ok(text)
}

/// Writes a file of JSON lines.
///
/// # Errors
/// As [`write_atomically`].
pub fn save_lines<F: JsonLines>(path: &Path, header: &F::Header, lines: &[F::Line]) -> Result<(), Problem> {
    write_atomically(path, render_lines::<F>(path, header, lines)?.as_bytes())
}

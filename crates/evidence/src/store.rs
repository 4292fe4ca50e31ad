//! A store of large texts beside JSON: what is long is kept once, by its digest, however many values hold it.
//!
//! In the place of a long text stands `{"$stored": "sha256:…"}`. Keys that could be taken for that one have a dollar
//! sign more, so that any value comes back as it was.

use polc_records::{Digest, Problem};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The key of a reference.
const STORED: &str = "$stored";

/// A folder of texts, each in a file named by its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The store in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Store { folder: folder.into() }
    }

    /// Where a text is kept.
    pub fn path(&self, digest: &Digest) -> PathBuf {
        let hex = digest.hex();
        self.folder.join(&hex[..2]).join(&hex[2..])
    }

    /// Puts every text of more bytes than these into the store, and a reference in its place.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn put(&self, value: Value, bytes: usize) -> Result<Value, Problem> {
        Ok(match value {
            Value::String(text) if text.len() > bytes => {
                let digest = self.keep(&text)?;
                Value::Object(Map::from_iter([(STORED.to_owned(), Value::String(digest.to_string()))]))
            }
            Value::Array(values) => Value::Array(
                values.into_iter().map(|value| self.put(value, bytes)).collect::<Result<_, _>>()?,
            ),
            Value::Object(fields) => Value::Object(
                fields
                    .into_iter()
                    .map(|(key, value)| Ok((escaped(key), self.put(value, bytes)?)))
                    .collect::<Result<_, Problem>>()?,
            ),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
        })
    }

    /// Puts every text in the place of its reference again.
    ///
    /// # Errors
    /// Where a text is not there, or is not what it was: the file is named.
    pub fn take(&self, value: Value) -> Result<Value, Problem> {
        Ok(match value {
            Value::Object(fields) => match fields.get(STORED) {
                Some(reference) => Value::String(self.text(reference)?),
                None => Value::Object(
                    fields
                        .into_iter()
                        .map(|(key, value)| Ok((unescaped(key), self.take(value)?)))
                        .collect::<Result<_, Problem>>()?,
                ),
            },
            Value::Array(values) => {
                Value::Array(values.into_iter().map(|value| self.take(value)).collect::<Result<_, _>>()?)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
        })
    }

    fn keep(&self, text: &str) -> Result<Digest, Problem> {
        let digest = Digest::of(text);
        let path = self.path(&digest);
        if path.exists() {
            return Ok(digest);
        }
        let folder = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder).map_err(|error| Problem::io(folder, "make", &error))?;
        // Not synced one by one: a text that a failing machine loses is found missing when it is read.
        let temporary = path.with_extension("polc-tmp");
        std::fs::write(&temporary, text)
            .and_then(|()| std::fs::rename(&temporary, &path))
            .map_err(|error| Problem::io(&path, "write", &error))?;
        Ok(digest)
    }

    fn text(&self, reference: &Value) -> Result<String, Problem> {
        let digest: Digest = reference.as_str().and_then(|text| text.parse().ok()).ok_or_else(|| {
            Problem::new(&self.folder, format!("`{reference}` is no digest of a text"), PACK_AGAIN)
        })?;
        let path = self.path(&digest);
        let text = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(Problem::new(
                    &path,
                    format!("the text {digest} is not in the store"),
                    PACK_AGAIN,
                ));
            }
            Err(error) => return Err(Problem::io(&path, "read", &error)),
        };
        let found = Digest::of(&text);
        match String::from_utf8(text) {
            Ok(text) if found == digest => Ok(text),
            _ => Err(Problem::new(
                &path,
                format!("the text {digest} was changed: it is {found} now"),
                PACK_AGAIN,
            )),
        }
    }

    /// Waits until the disk has everything that was put in.
    ///
    /// # Errors
    /// Where the folder cannot be opened.
    pub fn sync(&self) -> Result<(), Problem> {
        let sync = |path: &Path| File::open(path).and_then(|file| file.sync_all());
        match sync(&self.folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Problem::io(&self.folder, "sync", &error))
            }
            _ => Ok(()),
        }
    }
}

const PACK_AGAIN: &str = "restore the file from a copy, or pack the runs again";

/// Whether a key is the one of a reference, behind any number of further dollar signs.
fn may_be_taken_for_one(key: &str) -> bool {
    key.trim_start_matches('$').len() + 1 == STORED.len() && key.ends_with(STORED)
}

fn escaped(key: String) -> String {
    if may_be_taken_for_one(&key) { format!("${key}") } else { key }
}

fn unescaped(key: String) -> String {
    match key.strip_prefix('$') {
        Some(rest) if may_be_taken_for_one(rest) => rest.to_owned(),
        _ => key,
    }
}

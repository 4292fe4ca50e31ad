//! Evidence in files: one run a line, and folders of such lines with their large texts in a store beside them.

use crate::store::Store;
use polc_checker::Evidence;
use polc_records::Problem;
use polc_records::store::write_atomically;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The schema version of a folder of packed evidence.
pub const SCHEMA: u32 = 1;

/// Texts of more bytes go into the store.
pub const LARGE: usize = 1024;

/// How long a line may be: a run of more bytes is not read.
pub const MOST_LINE: u64 = 512 * 1024 * 1024;

const DESCRIPTION: &str = "pack.json";
const LINES: &str = "runs.jsonl";
const STORE: &str = "store";

/// What a folder of packed evidence says of itself. Written last: a folder that has it is whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PackDescription {
    schema: u32,
    runs: u64,
}

/// A folder that evidence is packed into.
#[derive(Debug)]
pub struct Packing {
    folder: PathBuf,
    store: Store,
    lines: BufWriter<File>,
    runs: u64,
}

impl Packing {
    /// Begins a folder, which must not exist or be empty.
    ///
    /// # Errors
    /// Where there is something in it, or it cannot be made.
    pub fn begin(folder: &Path) -> Result<Self, Problem> {
        let io = |path: &Path, verb: &str, error: &std::io::Error| Problem::io(path, verb, error);
        std::fs::create_dir_all(folder).map_err(|error| io(folder, "make", &error))?;
        let mut entries = std::fs::read_dir(folder).map_err(|error| io(folder, "list", &error))?;
        if entries.next().is_some() {
            return Err(Problem::new(
                folder,
                "there is something in this folder",
                "name an empty one, or a new one",
            ));
        }
        let path = folder.join(LINES);
        let file = File::create(&path).map_err(|error| io(&path, "make", &error))?;
        Ok(Packing {
            folder: folder.to_path_buf(),
            store: Store::new(folder.join(STORE)),
            lines: BufWriter::new(file),
            runs: 0,
        })
    }

    /// Adds a run.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn add(&mut self, evidence: &Evidence) -> Result<(), Problem> {
        let path = self.folder.join(LINES);
        let write = |error: std::io::Error| Problem::io(&path, "write", &error);
        let value = serde_json::to_value(evidence).map_err(|error| write(error.into()))?;
        let mut line = self.store.put(value, LARGE)?.to_string();
        line.push('\n');
        self.lines.write_all(line.as_bytes()).map_err(write)?;
        self.runs += 1;
        Ok(())
    }

    /// Ends the folder. Gives how many runs are in it.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn finish(mut self) -> Result<u64, Problem> {
        let path = self.folder.join(LINES);
        let synced = self.lines.flush().and_then(|()| self.lines.get_ref().sync_all());
        synced.map_err(|error| Problem::io(&path, "write", &error))?;
        self.store.sync()?;
        let description = PackDescription { schema: SCHEMA, runs: self.runs };
        let path = self.folder.join(DESCRIPTION);
        let mut text = serde_json::to_string(&description)
            .map_err(|error| Problem::io(&path, "write", &error.into()))?;
        text.push('\n');
        write_atomically(&path, text.as_bytes())?;
        Ok(self.runs)
    }
}

/// A file of evidence, one run a line.
#[derive(Debug)]
pub struct EvidenceFile {
    path: PathBuf,
    packed: Option<Packed>,
}

/// What stands beside the lines of a folder.
#[derive(Debug)]
struct Packed {
    store: Store,
    runs: u64,
}

impl EvidenceFile {
    /// The evidence at a path: a folder of packed evidence, or a file whose first line is a run. None where the path
    /// holds something else.
    ///
    /// # Errors
    /// Where it cannot be read, or is of a later version.
    pub fn at(path: &Path) -> Result<Option<Self>, Problem> {
        if path.is_dir() {
            let packed = packed_in(path)?;
            return Ok(packed.map(|packed| EvidenceFile { path: path.join(LINES), packed: Some(packed) }));
        }
        if !holds_evidence(path).map_err(|error| Problem::io(path, "read", &error))? {
            return Ok(None);
        }
        let folder = path.parent().filter(|_| path.ends_with(LINES));
        let packed = folder.map(packed_in).transpose()?.flatten();
        Ok(Some(EvidenceFile { path: path.to_path_buf(), packed }))
    }

    /// Its lines.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn lines(&self) -> Result<Lines<BufReader<File>>, Problem> {
        let file = File::open(&self.path).map_err(|error| Problem::io(&self.path, "read", &error))?;
        Ok(Lines::of(BufReader::new(file)))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the large texts are, if they are not in the lines.
    pub fn store(&self) -> Option<&Store> {
        self.packed.as_ref().map(|packed| &packed.store)
    }

    /// How many runs were packed, if they were.
    pub fn runs(&self) -> Option<u64> {
        self.packed.as_ref().map(|packed| packed.runs)
    }
}

fn packed_in(folder: &Path) -> Result<Option<Packed>, Problem> {
    let path = folder.join(DESCRIPTION);
    if !path.is_file() {
        return Ok(None);
    }
    let text = polc_records::store::read_text(&path)?;
    let fault =
        |message: String| Problem::new(&path, message, "pack the runs again with this version of polc");
    let value: Value = serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
    let schema = value.get("schema").and_then(Value::as_i64);
    polc_records::store::check_schema(&path, "packed evidence", SCHEMA, schema)?;
    let PackDescription { runs, .. } =
        serde_json::from_value(value).map_err(|error| fault(error.to_string()))?;
    Ok(Some(Packed { store: Store::new(folder.join(STORE)), runs }))
}

/// Whether the first line of a file is evidence: by its beginning, which polc writes, or else by its keys.
fn holds_evidence(path: &Path) -> std::io::Result<bool> {
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "that they are there is what is asked")]
    struct Keys {
        schema: u32,
        run: RunKeys,
    }
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "that they are there is what is asked")]
    struct RunKeys {
        id: String,
        project: String,
    }
    let mut lines = Lines::of(BufReader::new(File::open(path)?));
    Ok(match lines.next() {
        Some(Ok(line)) => serde_json::from_slice::<Keys>(&line.text).is_ok(),
        Some(Err(_)) | None => false,
    })
}

/// A line that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// Its bytes.
    pub text: Vec<u8>,
}

/// The lines of a stream that are not blank, one at a time.
#[derive(Debug)]
pub struct Lines<R> {
    stream: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// Those of a stream.
    pub fn of(stream: R) -> Self {
        Lines { stream, number: 0 }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = std::io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut text = Vec::new();
            match (&mut self.stream).take(MOST_LINE).read_until(b'\n', &mut text) {
                Ok(0) => return None,
                Ok(_) => self.number += 1,
                Err(error) => return Some(Err(error)),
            }
            if text.len() as u64 == MOST_LINE && !text.ends_with(b"\n") {
                // What is left of it is passed over; what was read of it is no JSON, and says so.
                if let Err(error) = self.stream.skip_until(b'\n') {
                    return Some(Err(error));
                }
            }
            if !text.iter().all(u8::is_ascii_whitespace) {
                return Some(Ok(Line { number: self.number, text }));
            }
        }
    }
}

/// Reads a run from a line.
///
/// # Errors
/// In words: it is no evidence of this version, or a text of it is not in the store as it was.
pub fn evidence(text: &[u8], store: Option<&Store>) -> Result<Evidence, String> {
    let text = std::str::from_utf8(text).map_err(|error| format!("not UTF-8: {error}"))?;
    let Some(store) = store else {
        return Evidence::from_line(text).map_err(|error| {
            if text.contains("{\"$stored\":\"sha256:") {
                "it refers to texts in a store: name the folder that `polc evidence pack` made".to_owned()
            } else {
                error
            }
        });
    };
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let whole = store.take(value).map_err(|problem| problem.to_string())?;
    Evidence::from_line(&whole.to_string())
}

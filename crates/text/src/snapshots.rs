//! The store of snapshots: bytes by digest, and where each came from.

use encoding_rs::Encoding;
use polc_records::snapshot::{Origin, Retrieval, Snapshot};
use polc_records::store::{Batch, JsonLines, load_lines, read_text_if_there, save_lines, write_atomically};
use polc_records::{Digest, Problem};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The header of the index.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexHeader {
    /// Schema version.
    pub schema: u32,
}

/// The index of the store.
pub struct IndexFile;

impl JsonLines for IndexFile {
    type Header = IndexHeader;
    type Line = Snapshot;
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "snapshot index";
}

/// A folder of snapshots.
#[derive(Debug)]
pub struct Snapshots {
    folder: PathBuf,
    index: BTreeSet<Snapshot>,
}

impl Snapshots {
    /// Opens the store in a folder, which need not exist yet.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn open(folder: &Path) -> Result<Self, Problem> {
        let path = folder.join("index.jsonl");
        let index = match read_text_if_there(&path)? {
            Some(_) => load_lines::<IndexFile>(&path)?.1.into_iter().collect(),
            None => BTreeSet::new(),
        };
        Ok(Snapshots { folder: folder.to_path_buf(), index })
    }

    /// Puts a document in. The index is written by [`Snapshots::save`].
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn put(&mut self, bytes: &[u8], origin: Origin) -> Result<Digest, Problem> {
        let digest = Digest::of(bytes);
        write_atomically(&self.path(digest), bytes)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.index.insert(Snapshot { digest, bytes: length, origin });
        Ok(digest)
    }

    /// Puts many documents in, which is quicker than one by one. What was retrieved from the web before, and
    /// came back the same, keeps the time it was retrieved at first.
    ///
    /// # Errors
    /// Where one cannot be written: none is in the index then.
    pub fn put_all(&mut self, documents: Vec<(Vec<u8>, Origin)>) -> Result<(), Problem> {
        let mut files = Batch::default();
        let mut snapshots = Vec::new();
        for (bytes, origin) in documents {
            let digest = Digest::of(&bytes);
            let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            snapshots.push(Snapshot { digest, bytes: length, origin });
            files.write(self.path(digest), bytes);
        }
        files.finish()?;
        for snapshot in snapshots {
            let known = |(digest, known): (Digest, &Retrieval)| match &snapshot.origin {
                Origin::Web(new) => digest == snapshot.digest && new.same_but_later(known),
                Origin::Git { .. } | Origin::Import { .. } => false,
            };
            if !self.retrievals().any(known) {
                self.index.insert(snapshot);
            }
        }
        Ok(())
    }

    /// Puts a document in of which is known what it has to be, and not where it came from.
    ///
    /// # Errors
    /// Where it is another one, or cannot be written.
    pub fn take(&self, digest: Digest, bytes: &[u8]) -> Result<(), Problem> {
        let path = self.path(digest);
        let found = Digest::of(bytes);
        if found != digest {
            let what = format!("these are not the bytes of {digest}: their digest is {found}");
            return Err(Problem::new(&path, what, "ask for them again where they came from"));
        }
        write_atomically(&path, bytes)
    }

    /// Every snapshot of the index.
    pub fn all(&self) -> impl Iterator<Item = &Snapshot> {
        self.index.iter()
    }

    /// Takes out what is kept by none of `kept`, and gives how many documents and bytes that were.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn keep_only(&mut self, kept: &BTreeSet<Digest>) -> Result<(usize, u64), Problem> {
        let gone: BTreeSet<(Digest, u64)> = self
            .index
            .iter()
            .filter(|snapshot| !kept.contains(&snapshot.digest))
            .map(|snapshot| (snapshot.digest, snapshot.bytes))
            .collect();
        self.index.retain(|snapshot| kept.contains(&snapshot.digest));
        let lines: Vec<Snapshot> = self.index.iter().cloned().collect();
        // The index first: what it does not name is not missed.
        let header = IndexHeader { schema: IndexFile::SCHEMA };
        save_lines::<IndexFile>(&self.folder.join("index.jsonl"), &header, &lines)?;
        for (digest, _) in &gone {
            let path = self.path(*digest);
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Problem::io(&path, "remove", &error));
                }
                _ => {}
            }
        }
        Ok((gone.len(), gone.iter().map(|(_, bytes)| bytes).sum()))
    }

    /// What was retrieved from the web: the digest of each document, and how it was retrieved.
    pub fn retrievals(&self) -> impl Iterator<Item = (Digest, &Retrieval)> {
        self.index.iter().filter_map(|snapshot| match &snapshot.origin {
            Origin::Web(retrieval) => Some((snapshot.digest, retrieval.as_ref())),
            Origin::Git { .. } | Origin::Import { .. } => None,
        })
    }

    /// Writes the index, together with what others have put in since it was opened.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn save(&self) -> Result<(), Problem> {
        let lock = self.folder.join("index.lock");
        std::fs::create_dir_all(&self.folder)
            .and_then(|()| std::fs::File::create(&lock))
            .and_then(|file| file.lock().map(|()| file))
            .map_err(|error| Problem::io(&lock, "lock", &error))
            .and_then(|_held| self.save_alone())
    }

    fn save_alone(&self) -> Result<(), Problem> {
        let others = Snapshots::open(&self.folder)?.index;
        let lines: Vec<Snapshot> = self.index.union(&others).cloned().collect();
        save_lines::<IndexFile>(
            &self.folder.join("index.jsonl"),
            &IndexHeader { schema: IndexFile::SCHEMA },
            &lines,
        )
    }

    /// The bytes of a snapshot, checked against its digest.
    ///
    /// # Errors
    /// Where it is not there, or not what it was.
    pub fn get(&self, digest: Digest) -> Result<Vec<u8>, Problem> {
        let path = self.path(digest);
        let help = "run `polc fetch` again: it retrieves what is missing";
        let bytes = std::fs::read(&path).map_err(|error| {
            if error.kind() == std::io::ErrorKind::NotFound {
                Problem::new(&path, format!("the snapshot {digest} is not in the store"), help)
            } else {
                Problem::io(&path, "read", &error)
            }
        })?;
        let found = Digest::of(&bytes);
        if found == digest {
            Ok(bytes)
        } else {
            Err(Problem::new(
                &path,
                format!("these are not the bytes of {digest}: their digest is {found}"),
                help,
            ))
        }
    }

    /// The snapshot of a git blob, where it was put in.
    pub fn of_blob(&self, blob: &polc_records::ids::ObjectId) -> Option<Digest> {
        let of =
            |snapshot: &&Snapshot| matches!(&snapshot.origin, Origin::Git { blob: held, .. } if held == blob);
        self.index.iter().find(of).map(|snapshot| snapshot.digest)
    }

    /// The text of a page, in the encoding that it was read in when it was retrieved. U+FFFD stands where
    /// its bytes are no text.
    ///
    /// # Errors
    /// As [`Snapshots::get`], and where the index names an encoding that does not exist.
    pub fn page(&self, digest: Digest) -> Result<String, Problem> {
        let bytes = self.get(digest)?;
        let mut named = self.retrievals().filter(|(found, _)| *found == digest);
        let encoding = match named.find_map(|(_, retrieval)| retrieval.encoding.as_deref()) {
            Some(name) => Encoding::for_label(name.as_bytes()).ok_or_else(|| {
                let what = format!("{digest} was read in the encoding `{name}`, which does not exist");
                Problem::new(
                    &self.folder.join("index.jsonl"),
                    what,
                    "remove the line and run `polc fetch` again",
                )
            })?,
            None => encoding_rs::UTF_8,
        };
        Ok(encoding.decode_with_bom_removal(&bytes).0.into_owned())
    }

    /// Whether a snapshot is there, whole.
    pub fn holds(&self, digest: Digest) -> bool {
        self.get(digest).is_ok()
    }

    fn path(&self, digest: Digest) -> PathBuf {
        let hex = digest.hex();
        self.folder.join(&hex[..2]).join(hex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_comes_out_and_a_changed_byte_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Snapshots::open(folder.path()).unwrap();
        let origin =
            Origin::Git { blob: "a".repeat(40).parse().unwrap(), path: "CONTRIBUTING.md".to_owned() };
        let digest = store.put(b"# Rules\n", origin).unwrap();
        store.save().unwrap();
        let store = Snapshots::open(folder.path()).unwrap();
        assert_eq!(store.get(digest).unwrap(), b"# Rules\n");
        std::fs::write(store.path(digest), b"# Rulez\n").unwrap();
        let error = store.get(digest).unwrap_err().to_string();
        assert!(error.contains("not the bytes") && error.contains("polc fetch"), "{error}");
        let (mut one, mut two) =
            (Snapshots::open(folder.path()).unwrap(), Snapshots::open(folder.path()).unwrap());
        let origin =
            |digit: &str| Origin::Git { blob: digit.repeat(40).parse().unwrap(), path: "A".to_owned() };
        one.put(b"one\n", origin("1")).unwrap();
        two.put(b"two\n", origin("2")).unwrap();
        one.save().unwrap();
        two.save().unwrap();
        let both = Snapshots::open(folder.path()).unwrap();
        assert!(["1", "2"].iter().all(|digit| both.of_blob(&digit.repeat(40).parse().unwrap()).is_some()));
        let missing = store.get(Digest::of(b"other")).unwrap_err().to_string();
        assert!(missing.contains("not in the store"), "{missing}");
    }

    #[test]
    fn a_page_that_comes_back_the_same_is_kept_once_and_one_that_changed_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let retrieval = |etag: &str, second: u8| -> Origin {
            let line = format!(
                r#"{{"from":"web","url":"https://d.example/a","final_url":"https://d.example/a/","status":200,
                "etag":"{etag}","retrieved":"2026-01-01T00:00:0{second}Z"}}"#
            );
            serde_json::from_str(&line).unwrap()
        };
        let mut store = Snapshots::open(folder.path()).unwrap();
        store.put_all(vec![(b"one".to_vec(), retrieval("1", 1))]).unwrap();
        store.save().unwrap();
        let mut store = Snapshots::open(folder.path()).unwrap();
        store
            .put_all(vec![(b"one".to_vec(), retrieval("1", 2)), (b"two".to_vec(), retrieval("2", 3))])
            .unwrap();
        let mut found: Vec<_> =
            store.retrievals().map(|(digest, how)| (how.retrieved.to_string(), digest)).collect();
        found.sort();
        let expected = [("2026-01-01T00:00:01Z", "one"), ("2026-01-01T00:00:03Z", "two")];
        assert_eq!(found, expected.map(|(time, text)| (time.to_owned(), Digest::of(text))));
        assert_eq!(store.get(Digest::of("two")).unwrap(), b"two");
    }
}

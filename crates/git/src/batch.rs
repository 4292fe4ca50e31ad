//! Many objects through one git process.

use crate::{Commit, GitError, Repository};
use polc_records::ids::ObjectId;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A running `git cat-file --batch`.
#[derive(Debug)]
pub struct Objects {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: PathBuf,
}

const COMMAND: &str = "cat-file --batch";

impl Objects {
    pub(crate) fn start(repository: &Repository) -> Result<Self, GitError> {
        let mut process = repository
            .command()
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(GitError::NotRun)?;
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(GitError::Unexpected { command: COMMAND, what: "no pipes".to_owned() });
        };
        let folder = repository.folder().to_path_buf();
        Ok(Objects { process, requests, answers: BufReader::new(answers), folder })
    }

    /// The bytes of a blob.
    ///
    /// # Errors
    /// Where the repository does not hold it, or it is no blob.
    pub fn blob(&mut self, id: &ObjectId) -> Result<Vec<u8>, GitError> {
        self.object(id, "blob")
    }

    /// A commit.
    ///
    /// # Errors
    /// Where the repository does not hold it, or it is no commit.
    pub fn commit(&mut self, id: &ObjectId) -> Result<Commit, GitError> {
        let bytes = self.object(id, "commit")?;
        Commit::parse(id.clone(), &bytes)
    }

    fn object(&mut self, id: &ObjectId, wanted: &str) -> Result<Vec<u8>, GitError> {
        let broken =
            |error: std::io::Error| GitError::Unexpected { command: COMMAND, what: error.to_string() };
        writeln!(self.requests, "{id}").map_err(broken)?;
        self.requests.flush().map_err(broken)?;
        let mut head = String::new();
        self.answers.read_line(&mut head).map_err(broken)?;
        let words: Vec<&str> = head.trim_end().split(' ').collect();
        let (kind, size) = match words.as_slice() {
            [_, "missing"] => {
                return Err(GitError::NoObject { id: id.clone(), folder: self.folder.clone() });
            }
            [_, kind, size] => (*kind, size.parse::<usize>()),
            _ => {
                return Err(GitError::Unexpected { command: COMMAND, what: head });
            }
        };
        let Ok(size) = size else {
            return Err(GitError::Unexpected { command: COMMAND, what: head.clone() });
        };
        // One line end follows the bytes.
        let mut bytes = vec![0; size + 1];
        self.answers.read_exact(&mut bytes).map_err(broken)?;
        bytes.pop();
        if kind == wanted {
            Ok(bytes)
        } else {
            Err(GitError::Unexpected { command: COMMAND, what: format!("{id} is a {kind}, not a {wanted}") })
        }
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        // It ends by itself when its input closes; nothing is lost either way.
        let _killed = self.process.kill();
        let _waited = self.process.wait();
    }
}

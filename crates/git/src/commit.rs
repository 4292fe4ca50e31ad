//! A commit object, read byte by byte: a bad byte in a name ends nothing.

use crate::GitError;
use polc_records::ids::ObjectId;

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its id.
    pub id: ObjectId,
    /// Its parents, the first one first.
    pub parents: Vec<ObjectId>,
    /// Who wrote it.
    pub author: Person,
    /// Who committed it.
    pub committer: Person,
    /// The message as it is stored, but that bytes which are no text are replaced.
    pub message: String,
}

/// A name with an address and a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The name; bytes that are no UTF-8 are replaced.
    pub name: String,
    /// The address.
    pub email: String,
    /// Seconds since 1970, UTC.
    pub seconds: i64,
    /// The line as it is stored, where it is not UTF-8.
    pub raw: Option<Vec<u8>>,
}

impl Commit {
    pub(crate) fn parse(id: ObjectId, bytes: &[u8]) -> Result<Commit, GitError> {
        let unexpected =
            |what: &str| GitError::Unexpected { command: "cat-file", what: format!("commit {id}: {what}") };
        let border = bytes.windows(2).position(|pair| pair == b"\n\n");
        let (head, message) = match border {
            Some(at) => (&bytes[..at], &bytes[at + 2..]),
            None => (bytes.strip_suffix(b"\n").unwrap_or(bytes), &[][..]),
        };
        let mut parents = Vec::new();
        let (mut author, mut committer) = (None, None);
        for line in head.split(|byte| *byte == b'\n') {
            if let Some(parent) = line.strip_prefix(b"parent ") {
                parents.push(crate::object_id("cat-file", &String::from_utf8_lossy(parent))?);
            } else if let Some(person) = line.strip_prefix(b"author ") {
                author.get_or_insert_with(|| Person::parse(person));
            } else if let Some(person) = line.strip_prefix(b"committer ") {
                committer.get_or_insert_with(|| Person::parse(person));
            }
        }
        let author = author.ok_or_else(|| unexpected("no author"))?;
        let committer = committer.ok_or_else(|| unexpected("no committer"))?;
        Ok(Commit { parents, author, committer, message: String::from_utf8_lossy(message).into_owned(), id })
    }
}

impl Person {
    /// Reads `Name <address> seconds zone`, in whatever order its parts are damaged.
    pub fn parse(line: &[u8]) -> Person {
        let text = String::from_utf8_lossy(line);
        let open = text.find('<');
        let close = text.rfind('>');
        let (name, email, rest) = match (open, close) {
            (Some(open), Some(close)) if open < close => {
                (&text[..open], &text[open + 1..close], &text[close + 1..])
            }
            _ => (text.as_ref(), "", ""),
        };
        Person {
            name: name.trim().to_owned(),
            email: email.trim().to_owned(),
            seconds: rest.split_whitespace().next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0),
            raw: std::str::from_utf8(line).is_err().then(|| line.to_vec()),
        }
    }
}

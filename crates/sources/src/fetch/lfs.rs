//! Pointers of Git LFS: a blob that stands for a file which the repository does not hold.

use std::fmt;

/// The line that every pointer begins with.
const VERSION: &str = "version https://git-lfs.github.com/spec/v1";

/// The longest a pointer may be, by its specification.
const MOST_BYTES: usize = 1024;

/// What a pointer stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// The id of the file that is not there, with its method: `sha256:…`.
    pub oid: String,
    /// Its length.
    pub size: u64,
}

/// The pointer that bytes are. A text that speaks of pointers is none: the version stands on the first line, and the
/// other lines are keys and values.
pub fn pointer(bytes: &[u8]) -> Option<Pointer> {
    let text = std::str::from_utf8(bytes).ok().filter(|_| bytes.len() < MOST_BYTES)?;
    let mut lines = text.lines();
    lines.next().filter(|first| *first == VERSION)?;
    let (mut oid, mut size) = (None, None);
    for line in lines {
        match line.split_once(' ')? {
            ("oid", value) => oid = Some(value.to_owned()),
            ("size", value) => size = Some(value.parse().ok()?),
            _ => {}
        }
    }
    Some(Pointer { oid: oid?, size: size? })
}

impl fmt::Display for Pointer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pointer { oid, size } = self;
        write!(out, "a pointer of Git LFS: its {size} bytes ({oid}) are not in the repository")
    }
}

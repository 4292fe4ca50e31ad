//! What a crate of checkers may be made of. It is checked before every build, not trusted.
//!
//! A checker computes an outcome from the evidence that it is handed, and from nothing else: the same evidence gives
//! the same bytes, on every machine and on every day. What would let it do otherwise has a name, a macro or an
//! attribute in its source, and only what stands in tables here is allowed. What is around the source, the
//! manifests and the files that cargo finds by itself, has to be what polc renders.

mod crate_files;
mod declared;
mod depth;
mod macros;
mod names;
mod source;

use crate::CompileError;
use crate::files::read_crate;
use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::store::read_text;
use std::fmt;
use std::path::{Path, PathBuf};

/// Something in a crate that no checker may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file, below the root.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What stands there.
    pub what: String,
    /// Why it is banned.
    pub why: &'static str,
    /// What to write instead.
    pub instead: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { file, line, column, what, why, instead } = self;
        write!(to, "{}:{line}:{column}: {what}: {why}; {instead}", file.display())
    }
}

/// Why something is banned, and what to write instead.
#[derive(Debug, Clone, Copy)]
struct Ban {
    why: &'static str,
    instead: &'static str,
}

impl Ban {
    const fn new(why: &'static str, instead: &'static str) -> Self {
        Ban { why, instead }
    }

    fn at(self, file: &Path, (line, column): (usize, usize), what: impl Into<String>) -> Finding {
        Finding {
            file: file.to_path_buf(),
            line,
            column,
            what: what.into(),
            why: self.why,
            instead: self.instead,
        }
    }
}

/// The longest source that is walked, in bytes.
const MOST_SOURCE: usize = 128 << 10;

/// The stack that a source is walked on: enough for what nests as deep as such a source can.
const WALK_STACK: usize = 512 << 20;

/// Everything in the crate of a project that no checker may have.
///
/// # Errors
/// Where a file cannot be read or is no checker's.
pub fn findings(root: &Root, slug: &Slug) -> Result<Vec<Finding>, CompileError> {
    let pack = root.pack(slug);
    let checkers = read_crate(&pack, slug)?;
    let mut found = crate_files::findings(root, slug, &checkers)?;
    for checker in &checkers {
        let path = pack.join(checker.source());
        found.extend(source_findings(root.shown(&path), &read_text(&path)?));
    }
    Ok(found)
}

/// Everything in the source of one checker that no checker may have; `file` is what findings call it.
pub fn source_findings(file: &Path, text: &str) -> Vec<Finding> {
    if text.len() > MOST_SOURCE {
        let ban = Ban::new("a checker is two functions and a declaration", "write it in fewer than 128 KiB");
        return vec![ban.at(file, (1, 1), format!("a source of {} KiB", text.len() >> 10))];
    }
    // What nests deeply is walked deeply.
    let walked = std::thread::scope(|scope| {
        let walk = std::thread::Builder::new().stack_size(WALK_STACK);
        let walk = walk.spawn_scoped(scope, || source::findings(file, text));
        walk.ok().and_then(|walk| walk.join().ok())
    });
    walked.unwrap_or_else(|| {
        let ban = Ban::new("nothing unread is built", "write it more simply");
        vec![ban.at(file, (1, 1), "a source that could not be walked")]
    })
}

/// Refuses a crate that holds what no checker may have.
pub(crate) fn check(root: &Root, slug: &Slug) -> Result<(), CompileError> {
    let found = findings(root, slug)?;
    if found.is_empty() { Ok(()) } else { Err(CompileError::Impure(found)) }
}

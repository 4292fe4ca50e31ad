//! Unified diffs, of git and plain: read by the counts of their hunk headers, and applied to a text.
//!
//! Lines end at `\n` and nowhere else. Whatever a header does not announce is refused: a patch that
//! is read half would blame or excuse lines that nobody wrote.

mod names;
mod rebuild;

pub use names::quoted;
pub use rebuild::{RebuildError, rebuild, reversed};

use crate::diff::{Hunk, HunkLine};
use std::fmt;

/// What a patch does to one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilePatch {
    /// The path before; a new file has none.
    pub old_path: Option<String>,
    /// The path after; a deleted file has none.
    pub new_path: Option<String>,
    /// Whether the file before stays where it was.
    pub copied: bool,
    /// What the file is before, where that is said.
    pub old_mode: Option<Mode>,
    /// What the file is after, where that is said.
    pub new_mode: Option<Mode>,
    /// Whether the contents are not text, so that no hunk shows them.
    pub binary: bool,
    /// What changed, in order.
    pub hunks: Vec<Hunk>,
}

impl FilePatch {
    /// The path after the change; before it, for a deleted file.
    pub fn path(&self) -> &str {
        self.new_path.as_deref().or(self.old_path.as_deref()).unwrap_or_default()
    }

    /// Whether it changes a file that stays one, so that the patch does not hold its texts whole.
    pub fn changes_text(&self) -> bool {
        self.old_path.is_some() && self.new_path.is_some() && !self.binary
    }
}

/// What an entry of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// A file.
    File,
    /// A file that can be run.
    Executable,
    /// A symbolic link; its text is the target.
    Link,
    /// A commit of another repository.
    Submodule,
}

impl Mode {
    fn of(octal: &str) -> Option<Mode> {
        match octal {
            "100644" | "100664" => Some(Mode::File),
            "100755" => Some(Mode::Executable),
            "120000" => Some(Mode::Link),
            "160000" => Some(Mode::Submodule),
            _ => None,
        }
    }
}

/// Where a patch is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchError {
    /// The line of the patch, from 1.
    pub line: usize,
    /// What should be there.
    pub expected: String,
    /// What is there. None at the end of the text.
    pub found: Option<String>,
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PatchError { line, expected, found } = self;
        match found {
            Some(found) => write!(f, "line {line} of the patch: expected {expected}, found `{found}`"),
            None => write!(f, "line {line} of the patch: expected {expected}, and the text ends"),
        }
    }
}

impl std::error::Error for PatchError {}

/// Reads a unified diff. Text before, between and after the files is skipped.
///
/// # Errors
/// Where a header is malformed, or announces other lines than follow.
pub fn parse(text: &str) -> Result<Vec<FilePatch>, PatchError> {
    let mut reader = Reader::new(text);
    let mut files = Vec::new();
    while let Some(line) = reader.line() {
        if let Some(names) = line.strip_prefix("diff --git ") {
            files.push(reader.git_file(names)?);
        } else if line.starts_with("diff --cc ") || line.starts_with("diff --combined ") {
            return Err(reader.error("a diff against one side, and no combined one of a merge"));
        } else if reader.at_plain_file() {
            files.push(reader.plain_file()?);
        } else if line.starts_with("@@ -") {
            return Err(reader.error("the names of a file (`--- …`, `+++ …`) above a hunk"));
        } else {
            reader.at += 1;
        }
    }
    Ok(files)
}

/// The lines of a patch, and how far they are read.
struct Reader<'t> {
    lines: Vec<&'t str>,
    at: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        let mut lines: Vec<&str> = text.split('\n').collect();
        if lines.last() == Some(&"") {
            lines.pop();
        }
        // git quotes a carriage return in a name: where a header ends in one, all lines were
        // rewritten on their way, as a terminal does.
        let is_header = |line: &&&str| line.starts_with("diff --git ") || line.starts_with("+++ ");
        if lines.iter().find(is_header).is_some_and(|line| line.ends_with('\r')) {
            for line in &mut lines {
                *line = line.strip_suffix('\r').unwrap_or(line);
            }
        }
        Reader { lines, at: 0 }
    }

    fn line(&self) -> Option<&'t str> {
        self.lines.get(self.at).copied()
    }

    fn error(&self, expected: impl Into<String>) -> PatchError {
        let found = self.line().map(|line| line.chars().take(80).collect());
        PatchError { line: self.at + 1, expected: expected.into(), found }
    }

    /// Whether a pair of names begins here, and a hunk follows it.
    fn at_plain_file(&self) -> bool {
        let begins = |offset: usize, mark: &str| {
            self.lines.get(self.at + offset).is_some_and(|line| line.starts_with(mark))
        };
        begins(0, "--- ") && begins(1, "+++ ") && begins(2, "@@ -")
    }

    /// Reads a file below `diff --git`, which is at hand.
    fn git_file(&mut self, both: &str) -> Result<FilePatch, PatchError> {
        let mut file = FilePatch::default();
        let names = names::of_header(both);
        let head_line = self.error("names that are told apart, here or in the lines below");
        let (mut is_new, mut is_deleted) = (false, false);
        self.at += 1;
        while let Some(line) = self.line() {
            let field = |name: &str| line.strip_prefix(name);
            if let Some(mode) = field("old mode ") {
                file.old_mode = Some(self.mode(mode)?);
            } else if let Some(mode) = field("new mode ") {
                file.new_mode = Some(self.mode(mode)?);
            } else if let Some(mode) = field("new file mode ") {
                file.new_mode = Some(self.mode(mode)?);
                is_new = true;
            } else if let Some(mode) = field("deleted file mode ") {
                file.old_mode = Some(self.mode(mode)?);
                is_deleted = true;
            } else if let Some(name) = field("rename from ").or(field("copy from ")) {
                file.old_path = Some(self.name(name)?);
                file.copied = line.starts_with("copy");
            } else if let Some(name) = field("rename to ").or(field("copy to ")) {
                file.new_path = Some(self.name(name)?);
            } else if let Some(ids) = field("index ") {
                if let Some((_, mode)) = ids.rsplit_once(' ') {
                    let mode = self.mode(mode)?;
                    (file.old_mode, file.new_mode) = (Some(mode), Some(mode));
                }
            } else if field("similarity index ").or(field("dissimilarity index ")).is_none() {
                break;
            }
            self.at += 1;
        }
        let named = self.contents(&mut file)?;
        if file.old_path.is_none() || file.new_path.is_none() {
            let (old, new) = names.or(named).ok_or(head_line)?;
            file.old_path.get_or_insert(old);
            file.new_path.get_or_insert(new);
        }
        if is_new {
            file.old_path = None;
        }
        if is_deleted {
            file.new_path = None;
        }
        Ok(file)
    }

    /// Reads what follows the header of a git diff: nothing, a mark of binary contents, or hunks.
    /// Gives the names above the hunks, without prefixes.
    fn contents(&mut self, file: &mut FilePatch) -> Result<Option<(String, String)>, PatchError> {
        let Some(line) = self.line() else { return Ok(None) };
        if line.starts_with("Binary files ") && line.ends_with(" differ") {
            file.binary = true;
            self.at += 1;
        } else if line == "GIT binary patch" {
            file.binary = true;
            while self.line().is_some_and(|line| !line.starts_with("diff --git ")) {
                self.at += 1;
            }
        } else if line.starts_with("--- ") {
            let names = self.two_names()?;
            file.hunks = self.hunks()?;
            return Ok(Some(names::without_prefixes(names)));
        } else if line.starts_with("@@ -") {
            return Err(self.error("the names of a file (`--- …`, `+++ …`) above a hunk"));
        }
        Ok(None)
    }

    /// Reads a file that has two names and hunks alone.
    fn plain_file(&mut self) -> Result<FilePatch, PatchError> {
        let (old, new) = names::without_prefixes(self.two_names()?);
        let is = |name: &str| name == names::NULL;
        let (old, new) = match (is(&old), is(&new)) {
            (true, true) => {
                self.at -= 1;
                return Err(self.error("a name on one side at least"));
            }
            (true, false) => (None, Some(new)),
            (false, true) => (Some(old), None),
            // Two names of one file: nothing here says that it was moved.
            (false, false) => (Some(new.clone()), Some(new)),
        };
        Ok(FilePatch { old_path: old, new_path: new, hunks: self.hunks()?, ..FilePatch::default() })
    }

    fn two_names(&mut self) -> Result<(String, String), PatchError> {
        let mut read = |mark: &str| -> Result<String, PatchError> {
            let line = self.line().and_then(|line| line.strip_prefix(mark));
            let name = self.name(line.ok_or_else(|| self.error(format!("`{mark}` and a name")))?)?;
            self.at += 1;
            Ok(name)
        };
        Ok((read("--- ")?, read("+++ ")?))
    }

    fn name(&self, text: &str) -> Result<String, PatchError> {
        names::one(text).ok_or_else(|| self.error("a name that ends where its quotation marks do"))
    }

    fn mode(&self, text: &str) -> Result<Mode, PatchError> {
        Mode::of(text.trim_end()).ok_or_else(|| self.error("a mode of a file, a link or a submodule"))
    }

    fn hunks(&mut self) -> Result<Vec<Hunk>, PatchError> {
        let mut hunks: Vec<Hunk> = Vec::new();
        // The line on either side that is next.
        let (mut old_next, mut new_next) = (1, 1);
        while self.line().is_some_and(|line| line.starts_with("@@ -")) {
            let header = self.at;
            let hunk = self.hunk()?;
            let (old, new) = sizes(&hunk);
            let is_last = hunks.last().is_some_and(|last| last.old_unended || last.new_unended);
            if hunk.old_start < old_next || is_last && hunk.old_start > old_next {
                self.at = header;
                return Err(self.error(format!("a hunk at or after line {old_next} of the old side")));
            }
            if hunk.new_start != new_next + (hunk.old_start - old_next) {
                self.at = header;
                let right = new_next + (hunk.old_start - old_next);
                return Err(self.error(format!("line {right} on the new side, after the hunks above")));
            }
            (old_next, new_next) = (hunk.old_start + old, hunk.new_start + new);
            hunks.push(hunk);
        }
        if hunks.is_empty() {
            return Err(self.error("a hunk (`@@ -1,2 +1,2 @@`)"));
        }
        let is_signature = |line: &str| matches!(line.trim_end(), "--" | "---");
        if self.line().is_some_and(|line| line.starts_with([' ', '+', '-']) && !is_signature(line))
            && !self.at_plain_file()
        {
            return Err(self.error("no more lines than the header of the hunk announces"));
        }
        Ok(hunks)
    }

    fn hunk(&mut self) -> Result<Hunk, PatchError> {
        let header = self.line().and_then(Header::read);
        let header = header.ok_or_else(|| self.error("the header of a hunk (`@@ -1,2 +1,2 @@`)"))?;
        let mut hunk = Hunk {
            old_start: header.old.first(),
            new_start: header.new.first(),
            lines: Vec::new(),
            old_unended: false,
            new_unended: false,
        };
        let (mut old, mut new) = (header.old.count, header.new.count);
        self.at += 1;
        while old > 0 || new > 0 {
            let line = match self.line() {
                Some(line) => line,
                // A patch whose ends were trimmed has lost the blank lines it ended with.
                None if old == new && old <= LOST && !hunk.lines.is_empty() => "",
                None => return Err(self.error(format!("{old} old and {new} new lines more"))),
            };
            // A blank line is one of the context that has lost its mark.
            let (mark, text) = line.split_at_checked(1).unwrap_or((" ", line));
            let (read, on_old, on_new) = match mark {
                " " => (HunkLine::Context(text.to_owned()), 1, 1),
                "-" => (HunkLine::Removed(text.to_owned()), 1, 0),
                "+" => (HunkLine::Added(text.to_owned()), 0, 1),
                "\\" => {
                    self.unended(&mut hunk)?;
                    continue;
                }
                _ => return Err(self.error(format!("{old} old and {new} new lines more"))),
            };
            let goes_on = on_old > 0 && hunk.old_unended || on_new > 0 && hunk.new_unended;
            if on_old > old || on_new > new || goes_on {
                return Err(self.error(format!("{old} old and {new} new lines more")));
            }
            (old, new) = (old - on_old, new - on_new);
            hunk.lines.push(read);
            self.at += 1;
        }
        while self.line().is_some_and(|line| line.starts_with('\\')) {
            self.unended(&mut hunk)?;
        }
        Ok(hunk)
    }

    /// Reads the mark that the line before it has no end.
    fn unended(&mut self, hunk: &mut Hunk) -> Result<(), PatchError> {
        match hunk.lines.last() {
            Some(HunkLine::Context(_)) => (hunk.old_unended, hunk.new_unended) = (true, true),
            Some(HunkLine::Removed(_)) => hunk.old_unended = true,
            Some(HunkLine::Added(_)) => hunk.new_unended = true,
            None => return Err(self.error("a line that the mark of a missing line end is for")),
        }
        self.at += 1;
        Ok(())
    }
}

/// How many blank lines of context a trimmed patch may have lost at its end.
const LOST: usize = 3;

/// How many lines a hunk has on either side.
fn sizes(hunk: &Hunk) -> (usize, usize) {
    let count = |on: fn(&HunkLine) -> bool| hunk.lines.iter().filter(|line| on(line)).count();
    (count(|line| !matches!(line, HunkLine::Added(_))), count(|line| !matches!(line, HunkLine::Removed(_))))
}

/// `@@ -1,2 +1,2 @@`.
struct Header {
    old: Range,
    new: Range,
}

struct Range {
    start: usize,
    count: usize,
}

impl Header {
    fn read(line: &str) -> Option<Header> {
        let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
        let (new, _section) = rest.split_once(" @@")?;
        Some(Header { old: Range::read(old)?, new: Range::read(new)? })
    }
}

impl Range {
    fn read(text: &str) -> Option<Range> {
        let (start, count) = text.split_once(',').unwrap_or((text, "1"));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(start) || !is_number(count) {
            return None;
        }
        let range = Range { start: start.parse().ok()?, count: count.parse().ok()? };
        // Far beyond any text, and far from where sums overflow.
        let fits = range.start < usize::MAX / 4 && range.count < usize::MAX / 4;
        (fits && (range.count == 0 || range.start > 0)).then_some(range)
    }

    /// The first line. A range of none names the line before it.
    fn first(&self) -> usize {
        if self.count == 0 { self.start + 1 } else { self.start }
    }
}

//! The recorded answers of a root.

use polc_records::ids::Slug;
use polc_records::layout::Root;
use polc_records::recording::{ModelAnswer, ModelRequest, Recorded};
use polc_records::{Digest, Problem};
use similar::TextDiff;
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// How many lines of a difference are shown.
const MOST_LINES: usize = 40;

/// Recorded answers: a folder that new ones go to, and folders that are only read.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    others: Vec<PathBuf>,
}

/// The recorded request that is most like one that was not recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// What it was for.
    pub label: String,
    /// Its digest.
    pub digest: Digest,
    /// What is different, from the recorded one to the one that was asked.
    pub difference: String,
}

impl fmt::Display for Nearest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "the nearest is `{}` ({}), which differs in", self.label, self.digest.short())?;
        let mut lines = self.difference.lines();
        for line in lines.by_ref().take(MOST_LINES) {
            writeln!(out, "  {line}")?;
        }
        match lines.count() {
            0 => Ok(()),
            more => writeln!(out, "  … and {more} lines more"),
        }
    }
}

impl Store {
    /// The answers in a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Store { folder: folder.into(), others: Vec::new() }
    }

    /// The answers of a root, with those that a project keeps in version control.
    ///
    /// # Errors
    /// Where the root's state cannot be kept out of version control.
    pub fn of(root: &Root, slug: &Slug) -> Result<Self, Problem> {
        root.keep_state_apart()?;
        Ok(Store::new(root.answers()).with(root.recording(slug)))
    }

    /// With one more folder to read from.
    #[must_use]
    pub fn with(mut self, folder: impl Into<PathBuf>) -> Self {
        self.others.push(folder.into());
        self
    }

    /// What was recorded for a request.
    ///
    /// # Errors
    /// Where a file of that name is no recording of that request.
    pub fn find(&self, digest: &Digest) -> Result<Option<Recorded>, Problem> {
        let mut paths = self.folders().map(|folder| Recorded::path(folder, digest));
        paths.find(|path| path.is_file()).map(|path| Recorded::load(&path)).transpose()
    }

    /// Records an answer, and gives the one that is recorded: where somebody else was quicker, theirs, so that
    /// all who asked go on from the same answer.
    ///
    /// # Errors
    /// Where the file cannot be written, or read where there is one.
    pub fn record(
        &self,
        label: &str,
        request: &ModelRequest,
        answer: ModelAnswer,
    ) -> Result<Recorded, Problem> {
        let recorded = Recorded::new(label.to_owned(), request.clone(), answer);
        if recorded.save(&self.folder)? {
            return Ok(recorded);
        }
        Recorded::load(&Recorded::path(&self.folder, &request.digest()))
    }

    /// Copies the answers to these requests into a folder, and removes every other recording there.
    ///
    /// # Errors
    /// Where one is not recorded, or the folder cannot be written.
    pub fn keep(&self, folder: &Path, digests: &[Digest]) -> Result<(), Problem> {
        for digest in digests {
            let Some(recorded) = self.find(digest)? else {
                let path = Recorded::path(&self.folder, digest);
                return Err(Problem::new(&path, "it is not there", "ask the endpoint first"));
            };
            recorded.save(folder)?;
        }
        let kept: HashSet<PathBuf> = digests.iter().map(|digest| Recorded::path(folder, digest)).collect();
        for path in recordings(folder)?.into_iter().filter(|path| !kept.contains(path)) {
            std::fs::remove_file(&path).map_err(|error| Problem::io(&path, "remove", &error))?;
        }
        Ok(())
    }

    /// How many requests are recorded, and the one that is most like this one: of those with the same label the
    /// one with the most lines in common, else of all.
    pub(crate) fn nearest(
        &self,
        label: &str,
        request: &ModelRequest,
    ) -> Result<(usize, Option<Nearest>), Problem> {
        let mut paths = Vec::new();
        for folder in self.folders() {
            paths.extend(recordings(folder)?);
        }
        let asked = request.lines();
        let lines: HashSet<&str> = asked.lines().collect();
        let mut best: Option<((bool, usize), Recorded)> = None;
        for path in &paths {
            let recorded = Recorded::load(path)?;
            let text = recorded.request.lines();
            let common = text.lines().filter(|line| lines.contains(line)).count();
            let likeness = (recorded.label == label, common);
            if best.as_ref().is_none_or(|(most, _)| likeness > *most) {
                best = Some((likeness, recorded));
            }
        }
        let nearest = best.map(|(_, recorded)| {
            let before = recorded.request.lines();
            let difference =
                TextDiff::from_lines(&before, &asked).unified_diff().context_radius(1).to_string();
            Nearest { label: recorded.label, digest: recorded.request.digest(), difference }
        });
        Ok((paths.len(), nearest))
    }

    fn folders(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(&self.folder).chain(&self.others).map(PathBuf::as_path)
    }
}

/// The recordings of a folder, sorted; none where there is no such folder.
fn recordings(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Problem::io(folder, "list", &error)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| Problem::io(folder, "list", &error))?.path();
        let is_digest = path.file_stem().is_some_and(|stem| stem.len() == 64);
        if is_digest && path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

//! Where rows go: to standard output, or to a file that is whole or not there.
//!
//! The rows of a file stand in a file beside it until the last of them is written. A grade that was interrupted leaves
//! that one, and the next one goes on after the last run that is whole in it.

use super::GradedRun;
use crate::exit::CliError;
use polc_grading::rows::{GradeHead, GradeLine, GradeSummary, ReadRun, RunLine, Tally};
use polc_records::{Digest, Problem};
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Rows on their way.
#[derive(Debug)]
pub(crate) struct Output {
    file: Option<PartFile>,
    tally: Tally,
    /// How many runs were kept that have not come yet.
    kept: u64,
}

/// A file that is not whole yet.
#[derive(Debug)]
struct PartFile {
    whole: PathBuf,
    path: PathBuf,
    file: File,
}

impl Output {
    /// Begins with the first line, unless there is a file that began with it.
    pub(crate) fn begin(whole: Option<&Path>, head: &GradeHead) -> Result<Self, CliError> {
        let first = line(&GradeLine::Grade(head.clone()))?;
        let mut output = Output { file: None, tally: Tally::default(), kept: 0 };
        match whole {
            None => output.write(&first)?,
            Some(whole) => {
                let mut file = PartFile::open(whole)?;
                if file.length()? == 0 {
                    file.write(&first)?;
                } else {
                    output.tally = file.keep(&first, head.rules)?;
                    output.kept = output.tally.runs;
                }
                output.file = Some(file);
            }
        }
        Ok(output)
    }

    /// Begins with the first line, and with nothing that was written before.
    pub(crate) fn anew(whole: Option<&Path>, head: &GradeHead) -> Result<Self, CliError> {
        let output = Self::begin(whole, head)?;
        match &output.file {
            Some(file) if output.kept > 0 => {
                Err(another(&file.path, "it has runs, and a merge begins with none"))
            }
            Some(_) | None => Ok(output),
        }
    }

    /// The runs that were graded before.
    pub(crate) fn kept(&self) -> Result<Option<Kept>, CliError> {
        match &self.file {
            Some(file) if self.kept > 0 => Ok(Some(Kept::of(file, self.kept)?)),
            Some(_) | None => Ok(None),
        }
    }

    /// Takes the next run.
    pub(crate) fn add(&mut self, graded: GradedRun) -> Result<(), CliError> {
        match graded {
            GradedRun::Kept => {
                self.kept -= 1;
                Ok(())
            }
            GradedRun::New { text, tally } => {
                self.tally.add(tally);
                self.write(&text)
            }
            GradedRun::Another { ordinal } => Err(self.another(&format!("run {ordinal} is another"))),
        }
    }

    fn another(&self, what: &str) -> CliError {
        let path = self.file.as_ref().map_or(Path::new("-"), |file| &file.path);
        another(path, what)
    }

    fn write(&mut self, text: &[u8]) -> Result<(), CliError> {
        match &mut self.file {
            Some(file) => Ok(file.write(text)?),
            None => {
                let mut out = std::io::stdout().lock();
                out.write_all(text)?;
                Ok(out.flush()?)
            }
        }
    }

    /// Ends with the last line, and gives what all came to.
    pub(crate) fn finish(
        mut self,
        project: &str,
        listed: u64,
        list: Digest,
    ) -> Result<GradeSummary, CliError> {
        if self.kept > 0 {
            return Err(self.another("it has more runs"));
        }
        let summary = self.tally.summary(project, listed, list);
        self.write(&line(&GradeLine::End(summary.clone()))?)?;
        if let Some(file) = self.file {
            file.finish()?;
        }
        Ok(summary)
    }
}

fn another(path: &Path, what: &str) -> CliError {
    Problem::new(
        path,
        format!("an interrupted grade left this file, and not of the same work: {what}"),
        "remove the file to begin anew, or grade what it was begun with",
    )
    .into()
}

/// One line of a file of rows.
pub(super) fn line(line: &GradeLine) -> Result<Vec<u8>, CliError> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    Ok(text)
}

impl PartFile {
    fn open(whole: &Path) -> Result<Self, Problem> {
        let mut name = whole.file_name().map_or_else(OsString::new, OsString::from);
        name.push(".part");
        let path = whole.with_file_name(name);
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = opened.map_err(|error| Problem::io(&path, "open", &error))?;
        match file.try_lock() {
            Ok(()) => Ok(PartFile { whole: whole.to_path_buf(), path, file }),
            Err(TryLockError::WouldBlock) => Err(Problem::new(
                &path,
                "another polc is writing this file",
                "wait until it has finished, or name another file",
            )),
            Err(TryLockError::Error(error)) => Err(Problem::io(&path, "lock", &error)),
        }
    }

    fn problem(&self, verb: &str) -> impl FnOnce(std::io::Error) -> Problem {
        move |error| Problem::io(&self.path, verb, &error)
    }

    fn length(&self) -> Result<u64, Problem> {
        Ok(self.file.metadata().map_err(self.problem("read"))?.len())
    }

    /// Keeps the runs that are whole, and cuts off the rest. Gives what they came to.
    fn keep(&mut self, first: &[u8], rules: usize) -> Result<Tally, CliError> {
        let mut lines = BufReader::new(&self.file);
        let mut text = Vec::new();
        lines.read_until(b'\n', &mut text).map_err(self.problem("read"))?;
        // Less than a line is nothing: the grade was interrupted as it began.
        if text.ends_with(b"\n") && text != first {
            return Err(another(&self.path, "rules, checkers, runtime or part are others"));
        }
        if !text.ends_with(b"\n") {
            self.cut(0)?;
            self.write(first)?;
            return Ok(Tally::default());
        }
        let mut whole = text.len() as u64;
        let mut tally = Tally::default();
        while let Block::Run { text, tally: of_one, .. } =
            next_block(&mut lines, rules).map_err(self.problem("read"))?
        {
            tally.add(of_one);
            whole += text.len() as u64;
        }
        self.cut(whole)?;
        Ok(tally)
    }

    fn cut(&mut self, length: u64) -> Result<(), Problem> {
        let cut = self.file.set_len(length).and_then(|()| (&self.file).seek(SeekFrom::Start(length)));
        cut.map(|_| ()).map_err(self.problem("write"))
    }

    fn write(&mut self, text: &[u8]) -> Result<(), Problem> {
        (&self.file).write_all(text).map_err(self.problem("write"))
    }

    fn finish(self) -> Result<(), Problem> {
        self.file.sync_all().map_err(self.problem("write"))?;
        std::fs::rename(&self.path, &self.whole)
            .map_err(|error| Problem::io(&self.whole, "write", &error))?;
        let folder = self.whole.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|error| Problem::io(folder, "write", &error))
    }
}

/// What follows in a file of rows.
pub(super) enum Block {
    /// A run with all of its rows.
    Run { ordinal: u64, text: Vec<u8>, tally: Tally },
    /// The end.
    End(GradeSummary),
    /// Neither, or a part of it.
    Broken,
}

/// Reads on in a file of rows, from the end of a block to the end of the next.
pub(super) fn next_block(lines: &mut impl BufRead, rules: usize) -> std::io::Result<Block> {
    let mut next = |text: &mut Vec<u8>| -> std::io::Result<Option<GradeLine>> {
        let start = text.len();
        lines.read_until(b'\n', text)?;
        Ok(if text.ends_with(b"\n") { serde_json::from_slice(&text[start..]).ok() } else { None })
    };
    let (mut text, mut tally) = (Vec::new(), Tally::default());
    let Some(first) = next(&mut text)? else { return Ok(Block::Broken) };
    tally.count(&first);
    let (ordinal, rows) = match first {
        GradeLine::Run(RunLine { ordinal, read: ReadRun::Whole { .. }, .. }) => (ordinal, rules),
        GradeLine::Run(RunLine { ordinal, read: ReadRun::Failed { .. }, .. }) => (ordinal, 0),
        GradeLine::End(summary) => return Ok(Block::End(summary)),
        GradeLine::Grade(_) | GradeLine::Row(_) => return Ok(Block::Broken),
    };
    for _ in 0..rows {
        match next(&mut text)? {
            Some(row @ GradeLine::Row(_)) => tally.count(&row),
            Some(_) | None => return Ok(Block::Broken),
        }
    }
    Ok(Block::Run { ordinal, text, tally })
}

/// The runs that were graded before, in order.
#[derive(Debug)]
pub(crate) struct Kept {
    lines: BufReader<File>,
    left: u64,
}

impl Kept {
    fn of(file: &PartFile, runs: u64) -> Result<Self, Problem> {
        let opened = File::open(&file.path).map_err(file.problem("read"))?;
        Ok(Kept { lines: BufReader::new(opened), left: runs })
    }

    /// The next one.
    pub(crate) fn next(&mut self) -> Option<RunLine> {
        let mut text = Vec::new();
        while self.left > 0 {
            text.clear();
            // They were all read when the file was opened, under a lock.
            let read = self.lines.read_until(b'\n', &mut text).unwrap_or(0);
            if read == 0 {
                return None;
            }
            if let Some(GradeLine::Run(run)) =
                text.starts_with(b"{\"kind\":\"run\"").then(|| serde_json::from_slice(&text).ok()).flatten()
            {
                self.left -= 1;
                return Some(run);
            }
        }
        None
    }
}

//! Rows of the parts of a list, put together as if one grade had written them.

use super::GradedRun;
use super::output::{Block, Output, next_block};
use crate::exit::CliError;
use polc_grading::rows::{GradeHead, GradeLine, GradeSummary, ListPart};
use polc_records::Problem;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The rows of one part.
struct PartRows {
    path: PathBuf,
    lines: BufReader<File>,
    head: GradeHead,
    end: Option<GradeSummary>,
}

/// Merges the rows of all parts of a list.
pub(crate) fn merge(
    project: &str,
    files: &[PathBuf],
    output: Option<&Path>,
) -> Result<GradeSummary, CliError> {
    let mut parts = files.iter().map(|path| PartRows::open(path)).collect::<Result<Vec<_>, Problem>>()?;
    parts.sort_by_key(|part| part.place().part);
    let head = work_of(project, &parts)?;
    let mut output = Output::anew(output, &head)?;
    let mut runs = 0;
    loop {
        let turn = runs % parts.len() as u64;
        let Some(part) = parts.iter_mut().find(|part| part.place().part == turn + 1) else { break };
        match part.next_run(runs + 1)? {
            Some(run) => output.add(run)?,
            None => break,
        }
        runs += 1;
    }
    let ends = parts.iter_mut().map(PartRows::end).collect::<Result<Vec<_>, Problem>>()?;
    let list = ends.first().map(|end| (end.listed, end.list));
    for (part, end) in parts.iter().zip(&ends) {
        if Some((end.listed, end.list)) != list || end.listed != runs {
            return Err(part.problem("it is of another list of runs").into());
        }
    }
    match list {
        Some((listed, list)) => output.finish(project, listed, list),
        None => Err(misuse("there are no rows to merge")),
    }
}

fn misuse(what: &str) -> CliError {
    CliError::Misuse { what: what.to_owned(), help: "name the rows of every part, each once".to_owned() }
}

/// What all parts were graded by.
fn work_of(project: &str, parts: &[PartRows]) -> Result<GradeHead, CliError> {
    let whole = |part: &PartRows| GradeHead { part: None, ..part.head.clone() };
    let Some(first) = parts.first() else { return Err(misuse("there are no rows to merge")) };
    let head = whole(first);
    for (part, number) in parts.iter().zip(1..) {
        if whole(part) != head || head.project != project {
            return Err(part.problem("it was graded by other rules, checkers or another runtime").into());
        }
        if part.place() != (ListPart { part: number, of: parts.len() as u64 }) {
            let ListPart { part, of } = part.place();
            return Err(misuse(&format!("part {part} of {of} is among {} files", parts.len())));
        }
    }
    Ok(head)
}

impl PartRows {
    fn open(path: &Path) -> Result<Self, Problem> {
        let file = File::open(path).map_err(|error| Problem::io(path, "read", &error))?;
        let mut lines = BufReader::new(file);
        let mut text = Vec::new();
        lines.read_until(b'\n', &mut text).map_err(|error| Problem::io(path, "read", &error))?;
        match serde_json::from_slice(&text) {
            Ok(GradeLine::Grade(head)) => Ok(PartRows { path: path.to_path_buf(), lines, head, end: None }),
            Ok(_) | Err(_) => Err(Problem::new(
                path,
                "its first line does not say what it was graded by",
                "name files that `polc grade` wrote",
            )),
        }
    }

    fn place(&self) -> ListPart {
        self.head.part.unwrap_or(ListPart::WHOLE)
    }

    fn problem(&self, what: &str) -> Problem {
        Problem::new(&self.path, what, "grade every part of one list, to its end, with the same polc")
    }

    /// The next run, which has to have this ordinal; nothing at the end.
    fn next_run(&mut self, wanted: u64) -> Result<Option<GradedRun>, Problem> {
        let block = next_block(&mut self.lines, self.head.rules)
            .map_err(|error| Problem::io(&self.path, "read", &error))?;
        match block {
            Block::Run { ordinal, text, tally } if ordinal == wanted => {
                Ok(Some(GradedRun::New { text, tally }))
            }
            Block::Run { ordinal, .. } => {
                Err(self.problem(&format!("run {ordinal} stands where run {wanted} should")))
            }
            Block::End(end) => {
                self.end = Some(end);
                Ok(None)
            }
            Block::Broken => Err(self.problem("it is not whole")),
        }
    }

    /// The last line.
    fn end(&mut self) -> Result<GradeSummary, Problem> {
        if self.end.is_none() {
            // There is no run 0: whatever comes is the end, or too much.
            self.next_run(0)?;
        }
        self.end.clone().ok_or_else(|| self.problem("it is not whole"))
    }
}

//! What a checker is shown of the evidence: what it declares, and nothing else.

use crate::activity::{Root, Work};
use crate::declaration::{Declaration, Read, ReadSet};
use crate::diff::Diff;
use crate::evidence::{
    Absence, Commit, Content, Evaluation, Evidence, FileChange, Findings, Part, Probe, PullRequest,
    StatusEntry, Step, TestChanges, ToolRun,
};
use crate::explain::Tracer;
use crate::outcome::Missing;
use crate::target::Line;
use crate::target::origin::Source;
use std::cell::{Cell, RefCell};
use std::fmt;

/// The targets that a precondition selects, or the evidence that it lacks.
pub type Selection<T> = Result<Vec<T>, Missing>;

/// The evidence as one checker sees it.
pub struct View<'e> {
    evidence: &'e Evidence,
    declared: &'static [Read],
    touched: Cell<ReadSet>,
    undeclared: Cell<ReadSet>,
    foreign: Cell<bool>,
    unread: RefCell<Vec<(&'e FileChange, Missing)>>,
    trace: Option<&'e Tracer>,
}

/// Shows nothing of the evidence: what is printed could be read.
impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("declared", &self.declared).finish_non_exhaustive()
    }
}

/// Whether a value is one of a part, and no copy of one.
fn is_in<T>(part: &Part<Vec<T>>, value: &T) -> bool {
    matches!(part, Part::Recorded(values) if values.as_ptr_range().contains(&std::ptr::from_ref(value)))
}

impl<'e> View<'e> {
    pub(crate) fn new(evidence: &'e Evidence, declaration: &Declaration, trace: Option<&'e Tracer>) -> Self {
        View {
            evidence,
            declared: declaration.reads,
            touched: Cell::default(),
            undeclared: Cell::default(),
            foreign: Cell::new(false),
            unread: RefCell::new(Vec::new()),
            trace,
        }
    }

    /// Whether a target is made of this evidence.
    pub(crate) fn has(&self, source: Source<'_>) -> bool {
        match source {
            Source::File(file) => self.has_file(file),
            Source::Commit(commit) => is_in(&self.evidence.commits, commit),
            Source::PullRequest(request) => {
                matches!(&self.evidence.pull_request, Part::Recorded(own) if std::ptr::eq(own, request))
            }
            Source::Step(step) => is_in(&self.evidence.steps, step),
            Source::Whole => true,
        }
    }

    fn has_file(&self, file: &FileChange) -> bool {
        is_in(&self.evidence.files, file) || is_in(&self.evidence.worktree, file)
    }

    /// Only what is in the evidence can be asked about: what a checker makes itself is missing wherever it likes.
    pub(crate) fn known(&self, file: &FileChange) -> Result<(), Missing> {
        if self.has_file(file) {
            return Ok(());
        }
        self.foreign.set(true);
        Err(Missing::new("a file of another evidence", Absence::NotCarried))
    }

    /// Whether anything was asked about that is not in the evidence.
    pub(crate) fn was_foreign(&self) -> bool {
        self.foreign.get()
    }

    /// What was read so far, from now on nothing.
    pub(crate) fn take_touched(&self) -> ReadSet {
        self.touched.take()
    }

    /// The wanted files that could not be read so far.
    pub(crate) fn take_unread(&self) -> Vec<(&'e FileChange, Missing)> {
        self.unread.take()
    }

    /// Counts a wanted file that could not be read among the targets, as undetermined.
    pub(crate) fn leave_unread(&self, file: &'e FileChange, missing: Missing) {
        self.unread.borrow_mut().push((file, missing));
    }

    /// What was read without being declared.
    pub(crate) fn undeclared(&self) -> Vec<Read> {
        self.undeclared.get().reads()
    }

    /// A part that is not declared is not handed out, whatever the run holds of it.
    fn part<T>(&self, read: Read, part: &'e Part<T>) -> Result<&'e T, Missing> {
        self.touched.set(self.touched.get().with(read));
        if !self.declared.contains(&read) {
            self.undeclared.set(self.undeclared.get().with(read));
            return Err(Missing::new(read.as_str(), Absence::NotCarried));
        }
        match part {
            Part::Recorded(value) => Ok(value),
            Part::Missing(cause) => Err(Missing::new(read.as_str(), *cause)),
        }
    }

    /// The commits, oldest first.
    ///
    /// # Errors
    /// Where they were not recorded.
    pub fn commits(&self) -> Result<&'e [Commit], Missing> {
        self.part(Read::Commits, &self.evidence.commits).map(Vec::as_slice)
    }

    /// The files that were changed, sorted by path.
    ///
    /// # Errors
    /// Where they were not recorded.
    pub fn files(&self) -> Result<&'e [FileChange], Missing> {
        self.part(Read::Files, &self.evidence.files).map(Vec::as_slice)
    }

    /// The pull request's text.
    ///
    /// # Errors
    /// Where none was recorded.
    pub fn pull_request(&self) -> Result<&'e PullRequest, Missing> {
        self.part(Read::PullRequest, &self.evidence.pull_request)
    }

    /// The files of the tree at the end, committed or not, sorted by path.
    ///
    /// # Errors
    /// Where they were not recorded.
    pub fn worktree(&self) -> Result<&'e [FileChange], Missing> {
        self.part(Read::Worktree, &self.evidence.worktree).map(Vec::as_slice)
    }

    /// What git said of the tree at the end.
    ///
    /// # Errors
    /// Where it was not recorded.
    pub fn status(&self) -> Result<&'e [StatusEntry], Missing> {
        self.part(Read::Status, &self.evidence.status).map(Vec::as_slice)
    }

    /// What the agent did, in order.
    ///
    /// # Errors
    /// Where it was not recorded.
    pub fn steps(&self) -> Result<&'e [Step], Missing> {
        self.part(Read::Steps, &self.evidence.steps).map(Vec::as_slice)
    }

    /// What the agent did, as activities: tests run, files edited, commits made. The top of the repository is that
    /// which the run is known to have, or a guess.
    ///
    /// # Errors
    /// As [`View::steps`].
    pub fn work(&self, root: Root) -> Result<Work<'e>, Missing> {
        Ok(Work::of(self.steps()?, root))
    }

    /// What was recorded of the environment before the run.
    ///
    /// # Errors
    /// Where nothing was.
    pub fn probe(&self) -> Result<&'e Probe, Missing> {
        self.part(Read::Probe, &self.evidence.probe)
    }

    /// What the functional tests said.
    ///
    /// # Errors
    /// Where nothing was recorded.
    pub fn evaluation(&self) -> Result<&'e Evaluation, Missing> {
        self.part(Read::Evaluation, &self.evidence.evaluation)
    }

    /// The functional tests, by what they were expected to do and did.
    ///
    /// # Errors
    /// Where nothing was recorded, or not test by test.
    pub fn tests(&self) -> Result<&'e TestChanges, Missing> {
        let missing = || Missing::new("tests of the evaluation", Absence::NotInThisRun);
        self.evaluation()?.tests.as_ref().ok_or_else(missing)
    }

    /// What tools that ran outside found.
    ///
    /// # Errors
    /// Where none was recorded.
    pub fn tool_runs(&self) -> Result<&'e [ToolRun], Missing> {
        self.part(Read::ToolRuns, &self.evidence.tool_runs).map(Vec::as_slice)
    }

    /// What a tool found that ran outside, by its name: `view.findings("flake8")`.
    ///
    /// # Errors
    /// Where no run of it was recorded, or it was not there to be run.
    pub fn findings(&self, tool: &str) -> Result<&'e Findings, Missing> {
        let run = self.tool_runs()?.iter().find(|run| run.tool == tool);
        let findings = run.and_then(|run| run.findings.as_ref());
        findings.ok_or_else(|| Missing::new(tool, Absence::NotInThisRun))
    }

    /// The branch at the end.
    ///
    /// # Errors
    /// Where it was not recorded.
    pub fn branch(&self) -> Result<&'e str, Missing> {
        self.commits()?;
        let missing = || Missing::new("branch", Absence::NotInThisRun);
        self.evidence.run.branch.as_deref().ok_or_else(missing)
    }

    /// The pull request of a contribution that has a commit.
    ///
    /// # Errors
    /// Where one of the two was not recorded.
    pub fn proposal(&self) -> Selection<&'e PullRequest> {
        if self.commits()?.is_empty() { Ok(Vec::new()) } else { Ok(vec![self.pull_request()?]) }
    }

    /// The changed file with a path, after the change.
    ///
    /// # Errors
    /// As [`View::files`].
    pub fn file(&self, path: &str) -> Result<Option<&'e FileChange>, Missing> {
        Ok(self.files()?.iter().find(|file| file.path == path && !file.is_deleted()))
    }

    /// The text of a file after the change; none where the file is gone or is no text.
    ///
    /// # Errors
    /// Where it is a text that was not kept or cannot be read.
    pub fn head_text(&self, file: &'e FileChange) -> Result<Option<&'e str>, Missing> {
        self.known(file)?;
        match file.head.withheld() {
            Some(cause) => Err(Missing::new(&file.path, cause)),
            None => Ok(file.head_text()),
        }
    }

    /// The difference between the texts of a file. What is no text counts as empty.
    ///
    /// # Errors
    /// Where one of them is a text that was not kept or cannot be read.
    pub fn diff(&self, file: &'e FileChange) -> Result<&'e Diff, Missing> {
        self.known(file)?;
        let withheld = file.head.withheld().or(file.base.withheld());
        file.diff().ok_or_else(|| Missing::new(&file.path, withheld.unwrap_or(Absence::NotInThisRun)))
    }

    /// The wanted files that are texts after the change. One that cannot be read, on either side, is
    /// counted among the targets as undetermined, if a precondition asks; a post-condition asks for one
    /// file at a time, and cannot judge without it.
    ///
    /// # Errors
    /// As [`View::files`].
    pub fn texts(&self, wanted: impl Fn(&FileChange) -> bool) -> Selection<Text<'e>> {
        let mut texts = Vec::new();
        for file in self.wanted(wanted)? {
            match self.text(file) {
                Ok(text) => texts.extend(text),
                Err(missing) => self.unread.borrow_mut().push((file, missing)),
            }
        }
        Ok(texts)
    }

    /// The files that a checker wants. A trace is told of all, and which those are.
    fn wanted(
        &self,
        wanted: impl Fn(&FileChange) -> bool,
    ) -> Result<impl Iterator<Item = &'e FileChange>, Missing> {
        let trace = self.trace;
        Ok(self.files()?.iter().filter(move |file| {
            let wanted = wanted(file);
            if let Some(trace) = trace {
                trace.consider(file, wanted);
            }
            wanted
        }))
    }

    fn text(&self, file: &'e FileChange) -> Result<Option<Text<'e>>, Missing> {
        let Some(text) = self.head_text(file)? else { return Ok(None) };
        Ok(Some(Text { file, text, diff: self.diff(file)? }))
    }

    /// The lines that were written in the files that are wanted. A file whose lines cannot be known is
    /// counted as [`View::texts`] counts it.
    ///
    /// # Errors
    /// As [`View::files`].
    pub fn lines_written(&self, wanted: impl Fn(&FileChange) -> bool) -> Selection<Line<'e>> {
        let mut lines = Vec::new();
        for file in self.wanted(wanted)? {
            match self.authored_lines(file) {
                Ok(written) => lines.extend(written),
                Err(missing) => self.unread.borrow_mut().push((file, missing)),
            }
        }
        Ok(lines)
    }

    /// The paths that a commit changes.
    ///
    /// # Errors
    /// Where they were not recorded.
    pub fn paths(&self, commit: &'e Commit) -> Result<&'e [String], Missing> {
        if !is_in(&self.evidence.commits, commit) {
            self.foreign.set(true);
        }
        let missing = || Missing::new("paths of a commit", Absence::NotInThisRun);
        commit.paths.as_deref().ok_or_else(missing)
    }

    /// The lines that were written in a file, with their numbers; none where it is no text. A patch
    /// says them without the text around them.
    ///
    /// # Errors
    /// Where the text on one side was not kept or cannot be read, and there is no patch.
    pub fn authored_lines(&self, file: &'e FileChange) -> Result<Vec<Line<'e>>, Missing> {
        if let Some(trace) = self.trace {
            trace.consider(file, true);
        }
        if file.head == Content::NotRecorded {
            let added = self.diff(file)?.added();
            return Ok(added.map(|(number, text)| Line { file, number, text }).collect());
        }
        Ok(self.text(file)?.map_or(Vec::new(), |text| text.authored()))
    }
}

/// A file that is a text after the change.
#[derive(Debug, Clone, Copy)]
pub struct Text<'e> {
    /// The file.
    pub file: &'e FileChange,
    /// Its text.
    pub text: &'e str,
    /// What changed in it.
    pub diff: &'e Diff,
}

impl<'e> Text<'e> {
    /// The lines that were written, with their numbers.
    pub fn authored(&self) -> Vec<Line<'e>> {
        self.diff.authored().iter().filter_map(|number| self.line(*number)).collect()
    }

    /// The last line of the file, if it was written.
    pub fn last_written(&self) -> Option<Line<'e>> {
        let number = *self.diff.authored().last()?;
        let is_last = self.file.head_line(number + 1).is_none();
        self.line(number).filter(|_| is_last)
    }

    /// The lines that were written or stand where lines were deleted, with their numbers.
    pub fn touched(&self) -> Vec<Line<'e>> {
        self.diff.authored().union(self.diff.anchors()).filter_map(|number| self.line(*number)).collect()
    }

    fn line(&self, number: usize) -> Option<Line<'e>> {
        let file = self.file;
        file.head_line(number).map(|text| Line { file, number, text })
    }
}

//! Why a rule came to what it came to in one run: the same grade once more, with a trace.

use crate::declaration::{Layer, Ownership, Read, ReadSet};
use crate::evidence::{Absence, Evidence, FileChange, Part};
use crate::executable::OutcomeRow;
use crate::outcome::{Graded, Judgement, MOST_SNIPPET, Missing, Outcome};
use crate::pack::{Blunt, Entry, Pack};
use crate::target::origin::Source;
use crate::target::{Place, Target};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// One outcome, with all that it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// What the grade says.
    pub row: OutcomeRow,
    /// What the checker may hold a contributor responsible for.
    pub ownership: Ownership,
    /// Every part of the evidence that it declares or read.
    pub reads: Vec<ReadTrace>,
    /// The files that its precondition asked for by a condition, by path.
    pub considered: Vec<Considered>,
    /// The targets, in the order in which they were selected; then the files that could not be read.
    pub targets: Vec<TargetTrace>,
    /// How the judgements add up, in words.
    pub arithmetic: String,
}

/// A part of the evidence, and who read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadTrace {
    /// Which.
    pub read: Read,
    /// Whether the checker declares it.
    pub declared: bool,
    /// Which of its functions read it.
    pub by: Vec<Layer>,
    /// Why the run does not hold it, where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Absence>,
}

/// A file that a precondition looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Considered {
    /// Its path.
    pub path: String,
    /// What was seen.
    #[serde(flatten)]
    pub seen: FileSeen,
}

/// What a precondition saw of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "seen", rename_all = "kebab-case")]
pub enum FileSeen {
    /// The checker does not want it.
    NotWanted,
    /// It is no text after the change.
    NoText,
    /// Its text, or what changed in it, is not there.
    Missing {
        /// Why.
        cause: Absence,
    },
    /// What the contributor did in it. All other lines were there before.
    Lines {
        /// How many lines it has, where its text is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<usize>,
        /// The lines that were written, as first and last of each run.
        written: Vec<(usize, usize)>,
        /// The lines that stand where lines were deleted.
        anchors: Vec<usize>,
    },
}

/// A target, and what was said of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetTrace {
    /// Where it stands.
    pub place: Place,
    /// What stands there.
    pub snippet: String,
    /// Whether the contributor answers for it.
    pub owned: bool,
    /// Why, in words.
    pub why: String,
    /// What the post-condition read to judge it.
    pub reads: Vec<Read>,
    /// What was said of it. None where it was not judged, by a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Said>,
}

/// What a post-condition said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "said", rename_all = "kebab-case")]
pub enum Said {
    /// It keeps the rule.
    Satisfied,
    /// It breaks it.
    Violated {
        /// Why.
        reason: String,
    },
    /// It cannot be told.
    Undetermined {
        /// What was missing, and why.
        missing: String,
    },
}

/// What happens while a rule is graded. A grade that nobody asks about has none.
#[derive(Debug, Default)]
pub(crate) struct Tracer {
    considered: RefCell<BTreeMap<String, FileSeen>>,
    targets: RefCell<Vec<TargetTrace>>,
    read: RefCell<TracedReads>,
}

#[derive(Debug, Default)]
struct TracedReads {
    by_precondition: ReadSet,
    by_postcondition: ReadSet,
    is_judging: bool,
    judged: usize,
}

impl Tracer {
    /// A file is asked about. What a post-condition asks about is no target of this rule.
    pub(crate) fn consider(&self, file: &FileChange, wanted: bool) {
        if self.read.borrow().is_judging {
            return;
        }
        let mut considered = self.considered.borrow_mut();
        if wanted {
            considered.insert(file.path.clone(), seen(file));
        } else {
            considered.entry(file.path.clone()).or_insert(FileSeen::NotWanted);
        }
    }

    /// The precondition has selected.
    pub(crate) fn select<T: Target>(&self, read: ReadSet, targets: &[T], ownership: Ownership) {
        self.read(read);
        self.read.borrow_mut().is_judging = true;
        self.targets.borrow_mut().extend(targets.iter().map(|target| {
            let owned = target.is_owned(ownership);
            TargetTrace {
                place: target.place(),
                snippet: target.snippet().chars().take(MOST_SNIPPET).collect(),
                owned,
                why: why(target),
                reads: Vec::new(),
                said: None,
            }
        }));
    }

    /// The next target was judged.
    pub(crate) fn judge(&self, read: ReadSet, judgement: &Judgement) {
        self.read(read);
        let mut state = self.read.borrow_mut();
        if let Some(target) = self.targets.borrow_mut().get_mut(state.judged) {
            target.reads = read.reads();
            target.said = Some(match judgement {
                Judgement::Satisfied => Said::Satisfied,
                Judgement::Violated(reason) => Said::Violated { reason: reason.clone() },
                Judgement::Undetermined(missing) => Said::Undetermined { missing: missing.told() },
            });
        }
        state.judged += 1;
    }

    /// A wanted file could not be read.
    pub(crate) fn unread(&self, file: &FileChange, missing: &Missing) {
        self.targets.borrow_mut().push(TargetTrace {
            place: Place::File { path: file.path.clone() },
            snippet: file.path.clone(),
            owned: true,
            why: "the precondition wants it, and which of its lines were written is not known".to_owned(),
            reads: Vec::new(),
            said: Some(Said::Undetermined { missing: missing.told() }),
        });
    }

    /// Parts were read since the last time.
    pub(crate) fn read(&self, read: ReadSet) {
        let mut state = self.read.borrow_mut();
        if state.is_judging {
            state.by_postcondition = state.by_postcondition.union(read);
        } else {
            state.by_precondition = state.by_precondition.union(read);
        }
    }

    /// Every part that was read.
    pub(crate) fn touched(&self) -> ReadSet {
        let state = self.read.borrow();
        state.by_precondition.union(state.by_postcondition)
    }
}

fn seen(file: &FileChange) -> FileSeen {
    let Some(diff) = file.diff() else {
        let cause = file.head.withheld().or(file.base.withheld()).unwrap_or(Absence::NotInThisRun);
        return FileSeen::Missing { cause };
    };
    if file.head_text().is_none() && file.head.withheld().is_none() {
        return FileSeen::NoText;
    }
    FileSeen::Lines {
        lines: file.head_text().map(|text| crate::diff::lines(text).len()),
        written: runs(diff.authored()),
        anchors: diff.anchors().iter().copied().collect(),
    }
}

/// Numbers that follow each other, as first and last.
fn runs(numbers: &BTreeSet<usize>) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => runs.push((*number, *number)),
        }
    }
    runs
}

/// What makes a contributor answer for a target, or not.
fn why(target: &impl Target) -> String {
    match (target.source(), target.place()) {
        (Source::Commit(_), _) => "the contributor made the commit".to_owned(),
        (Source::PullRequest(_), _) => "the contributor wrote the pull request".to_owned(),
        (Source::Step(_), _) => "the contributor took the step".to_owned(),
        (Source::Whole, _) => "it is the contribution as a whole".to_owned(),
        (Source::File(file), Place::Lines { first, last, .. }) => of_lines(file, first, last),
        (Source::File(file), _) => of_file(file),
    }
}

fn of_file(file: &FileChange) -> String {
    match &file.old_path {
        _ if file.is_new() => "the file is new".to_owned(),
        Some(old) => format!("the file was moved here from {old}"),
        None if file.is_deleted() => "the file was there before, and was deleted".to_owned(),
        None => "the file was there before, and was changed".to_owned(),
    }
}

fn of_lines(file: &FileChange, first: usize, last: usize) -> String {
    let Some(diff) = file.diff() else { return "what changed in its file is not known".to_owned() };
    if first > last {
        return "it has no lines".to_owned();
    }
    let written = diff.authored().range(first..=last).count();
    let anchors = diff.anchors().range(first..=last).count();
    let deleted = if anchors > 0 { ", and lines were deleted there" } else { "" };
    match (last - first, written) {
        (_, 0) if anchors > 0 => "lines were deleted there".to_owned(),
        (_, 0) => "all of it was there before".to_owned(),
        (0, _) => format!("the line was written{deleted}"),
        (more, _) if written == more + 1 => format!("all of its lines were written{deleted}"),
        (more, _) => format!("{written} of its {} lines were written{deleted}", more.saturating_add(1)),
    }
}

/// Grades one rule on one run, and tells how.
pub fn explain(pack: &Pack, entry: &Entry, evidence: &Evidence) -> Explanation {
    let trace = Tracer::default();
    let graded = entry.traced(evidence, Blunt::None, Some(&trace));
    let state = trace.read.into_inner();
    let touched = state.by_precondition.union(state.by_postcondition);
    let declared = entry.declaration.reads;
    let reads = Read::ALL.into_iter().filter(|read| declared.contains(read) || touched.has(*read));
    let layers =
        [(Layer::Precondition, state.by_precondition), (Layer::Postcondition, state.by_postcondition)];
    let reads = reads.map(|read| ReadTrace {
        read,
        declared: declared.contains(&read),
        by: layers.into_iter().filter(|(_, reads)| reads.has(read)).map(|(layer, _)| layer).collect(),
        missing: missing(evidence, read),
    });
    let considered = trace.considered.into_inner().into_iter();
    let arithmetic = arithmetic(&graded);
    Explanation {
        row: OutcomeRow::of(pack, entry, evidence, graded),
        ownership: entry.declaration.ownership,
        reads: reads.collect(),
        considered: considered.map(|(path, seen)| Considered { path, seen }).collect(),
        targets: trace.targets.into_inner(),
        arithmetic,
    }
}

fn missing(evidence: &Evidence, read: Read) -> Option<Absence> {
    fn absence<T>(part: &Part<T>) -> Option<Absence> {
        match part {
            Part::Recorded(_) => None,
            Part::Missing(cause) => Some(*cause),
        }
    }
    match read {
        Read::Commits => absence(&evidence.commits),
        Read::Files => absence(&evidence.files),
        Read::PullRequest => absence(&evidence.pull_request),
        Read::Worktree => absence(&evidence.worktree),
        Read::Status => absence(&evidence.status),
        Read::Steps => absence(&evidence.steps),
        Read::Probe => absence(&evidence.probe),
        Read::Evaluation => absence(&evidence.evaluation),
        Read::ToolRuns => absence(&evidence.tool_runs),
    }
}

fn arithmetic(graded: &Graded) -> String {
    let Graded { selected, judged, violating, .. } = graded;
    let (satisfied, undetermined) = (judged - violating, selected - judged);
    let sum = format!(
        "{selected} selected = {satisfied} satisfied + {violating} violated + {undetermined} undetermined"
    );
    match &graded.outcome {
        Outcome::Violated => format!("{sum}; one that is violated is enough: violated"),
        Outcome::Satisfied => format!("{sum}; none is violated, and one is satisfied: satisfied"),
        Outcome::Inapplicable => "nothing was selected: inapplicable".to_owned(),
        Outcome::Withheld { .. } if *selected == 0 => {
            "the precondition could not select without what is missing: withheld".to_owned()
        }
        Outcome::Withheld { .. } => format!("{sum}; none could be judged: withheld"),
        Outcome::Error { .. } => "a fault of the checker counts as nothing: error".to_owned(),
    }
}

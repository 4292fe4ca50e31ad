//! The activities of a run in their order, and what came before what.

use super::{
    Activity, At, Call, Certainty, Check, Commit, Deed, Edit, Fetch, FilePath, FileRead, How, Install, Part,
    Proposal, Push,
};
use super::{Branch, Rewrite, Stage, TestCommand, TestResult, TestRun, Whereabouts, doings, test};
use crate::declaration::Ownership;
use crate::evidence::{Action, Step};
use crate::shell::{Command, Ended, Folder, Script};
use crate::target::origin::{Origin, Source};
use crate::target::{Place, Target};
use std::collections::{BTreeMap, BTreeSet};

/// How deep below the top of the machine a repository is looked for.
const DEEPEST: usize = 40;

/// The top of the repository on the machine of the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Root {
    /// It is known, as a probe may say it.
    Known(String),
    /// It is taken to be where the agent was most: the folder that most of its commands ran in.
    Guessed,
}

/// Everything that an agent did, in order.
#[derive(Debug)]
pub struct Work<'e> {
    steps: &'e [Step],
    /// The folder that each step starts in.
    starts: Vec<Folder>,
    root: Option<String>,
    /// Tests that a table of a checker makes known.
    extra: Vec<(usize, Activity)>,
}

/// One thing that was done, by which step, how certainly.
#[derive(Debug, Clone)]
pub struct Event<'e, T> {
    /// Where in the run.
    pub at: At,
    /// How certain it is that it took place.
    pub certainty: Certainty,
    /// How the command ended, where that is known: a commit that ended badly was not made.
    pub ended: Option<Ended>,
    /// The step.
    pub step: &'e Step,
    /// What was done.
    pub deed: T,
}

/// All of one kind, in order.
pub type Deeds<'e, T> = Vec<Event<'e, T>>;

/// Whether tests were run since some point, and passed. Where several were, the last that counts says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tested {
    /// They were run, and the last run passed.
    Passed(At),
    /// They were run, and the last run failed.
    Failed(At),
    /// They were run, and what came of the last run is not known.
    Unknown(At),
    /// None was run.
    NotRun,
}

impl<'e> Work<'e> {
    /// What was done in steps.
    pub fn of(steps: &'e [Step], root: Root) -> Self {
        let root = match root {
            Root::Known(path) => Folder::Known(String::new()).enter(&path).path().map(str::to_owned),
            Root::Guessed => guessed(steps),
        };
        let starts = starts(steps, root.as_deref());
        Work { steps, starts, root, extra: Vec::new() }
    }

    /// The same, with further commands that run tests, such as a script of the project.
    #[must_use]
    pub fn with_tests(mut self, table: &[TestCommand]) -> Self {
        for (number, step) in self.steps.iter().enumerate() {
            let runs = doings(step).filter_map(|doing| {
                let deed = Deed::Test(test::of(&doing, table)?);
                let (certainty, ended) = (doing.certainty(), doing.ended());
                Some(Activity { command: doing.at, certainty, ended, deed })
            });
            let mut runs: Vec<_> = runs.collect();
            test::settle(step, &mut runs);
            self.extra.extend(runs.into_iter().map(|run| (number, run)));
        }
        self
    }

    /// The top of the repository, where it is known or could be guessed.
    pub fn root(&self) -> Option<&str> {
        self.root.as_deref()
    }

    fn all<T: Clone>(&self, of: impl Fn(&Deed) -> Option<&T>) -> Deeds<'e, T> {
        let own = self
            .steps
            .iter()
            .enumerate()
            .flat_map(|(number, step)| step.activities().iter().map(move |activity| (number, activity)));
        let extra = self.extra.iter().map(|(number, activity)| (*number, activity));
        let mut events: Vec<_> = own
            .chain(extra)
            .filter_map(|(step, activity)| {
                let at = At { step, command: activity.command };
                let deed = of(&activity.deed)?.clone();
                let (certainty, ended) = (activity.certainty, activity.ended);
                Some(Event { at, certainty, ended, step: self.steps.get(step)?, deed })
            })
            .collect();
        events.sort_by_key(|event| event.at);
        events
    }

    /// Every command whose program is wanted, behind `env`, `uv run` and their like: for what has no kind of its
    /// own here, as a script of the project.
    pub fn runs_of(&self, wanted: impl Fn(&Call<'_>) -> bool) -> Deeds<'e, Command> {
        let mut runs = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            for doing in doings(step).filter(|doing| wanted(&doing.call)) {
                let at = At { step: number, command: doing.at };
                let (certainty, ended) = (doing.certainty(), doing.ended());
                runs.push(Event { at, certainty, ended, step, deed: doing.command.clone() });
            }
        }
        runs
    }

    /// Where a path of an event is in the repository.
    pub fn place_of<T>(&self, event: &Event<'_, T>, path: &FilePath) -> Whereabouts {
        let unknown = Folder::Unknown;
        path.seen_from(self.starts.get(event.at.step).unwrap_or(&unknown), self.root())
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $kind:ident($type:ty);)+) => {
        impl<'e> Work<'e> {
            $($(#[$doc])* pub fn $name(&self) -> Deeds<'e, $type> {
                self.all(|deed| if let Deed::$kind(one) = deed { Some(one) } else { None })
            })+
        }
    };
}

kinds! {
    /// Every test run.
    tests: Test(TestRun);
    /// Every run of a linter, a formatter or a type checker.
    checks: Check(Check);
    /// Every change of files.
    edits: Edit(Edit);
    /// Every reading or search of files.
    reads: Read(FileRead);
    /// Every page or repository that was fetched.
    fetches: Fetch(Fetch);
    /// Every installation of packages.
    installs: Install(Install);
    /// Every `git commit`.
    commits: Commit(Commit);
    /// Every `git push`.
    pushes: Push(Push);
    /// Every `git add`.
    stages: Stage(Stage);
    /// Every branch that was made or switched to.
    branches: Branch(Branch);
    /// Every rebase, merge, reset, stash and their like.
    rewrites: Rewrite(Rewrite);
    /// Every pull request that was opened.
    proposals: Propose(Proposal);
}

/// Whether an edit changed a file that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hit {
    Yes,
    Perhaps,
    No,
}

impl<'e> Work<'e> {
    fn hit(&self, edit: &Event<'_, Edit>, wanted: &impl Fn(&str) -> bool) -> Hit {
        let mut hit = if edit.deed.is_complete { Hit::No } else { Hit::Perhaps };
        for path in &edit.deed.paths {
            match self.place_of(edit, path) {
                Whereabouts::Inside(path) if wanted(&path) => return Hit::Yes,
                Whereabouts::Inside(_) | Whereabouts::Outside => {}
                Whereabouts::Unknown => hit = Hit::Perhaps,
            }
        }
        hit
    }

    /// The edits of files with wanted paths, given from the top of the repository. What only puts files back to
    /// what git has is none.
    pub fn edits_of(&self, wanted: impl Fn(&str) -> bool) -> Deeds<'e, Edit> {
        self.edits_that(|edit| self.hit(edit, &wanted) == Hit::Yes)
    }

    /// The same, and edits of which it is not known what they changed.
    pub fn possible_edits_of(&self, wanted: impl Fn(&str) -> bool) -> Deeds<'e, Edit> {
        self.edits_that(|edit| self.hit(edit, &wanted) != Hit::No)
    }

    fn edits_that(&self, is_one: impl Fn(&Event<'_, Edit>) -> bool) -> Deeds<'e, Edit> {
        let mut edits = self.edits();
        edits.retain(|edit| edit.deed.how != How::Restored && is_one(edit));
        edits
    }

    /// Whether a file with a wanted path was read before a place. A search counts where it names the file, and
    /// what failed does not count.
    pub fn was_read_before(&self, at: At, wanted: impl Fn(&str) -> bool) -> bool {
        self.reads().iter().take_while(|read| read.at < at).any(|read| {
            let failed = read.ended == Some(Ended::Badly) && read.deed.part != Part::Search;
            !failed
                && read.deed.paths.iter().any(|path| match self.place_of(read, path) {
                    Whereabouts::Inside(path) => wanted(&path),
                    Whereabouts::Outside | Whereabouts::Unknown => false,
                })
        })
    }

    /// What came of the tests that were run between two places; without an end, up to the last step. Runs that
    /// are not wanted, and such as started nothing, do not count.
    pub fn tested(&self, after: At, before: Option<At>, wanted: impl Fn(&TestRun) -> bool) -> Tested {
        let runs = self.tests();
        let counts = |run: &&Event<'_, TestRun>| {
            let in_time = run.at > after && before.is_none_or(|before| run.at < before);
            let ran = !matches!(run.deed.result, TestResult::Unknown(super::Unclear::NotStarted));
            in_time && ran && run.certainty > Certainty::Possible && wanted(&run.deed)
        };
        match runs.iter().rfind(counts) {
            None => Tested::NotRun,
            Some(run) => match run.deed.result {
                TestResult::Passed => Tested::Passed(run.at),
                TestResult::Failed => Tested::Failed(run.at),
                TestResult::Unknown(_) => Tested::Unknown(run.at),
            },
        }
    }

    /// What came of the tests that were run after the last edit of files with wanted paths, before a place or,
    /// without one, up to the end. None where no such file was edited. An edit of which it is not known what it
    /// changed counts, so that nothing untested passes for tested.
    pub fn tested_since_edit(&self, wanted: impl Fn(&str) -> bool, before: Option<At>) -> Option<Tested> {
        let edits = self.possible_edits_of(&wanted);
        let last = edits.iter().rfind(|edit| before.is_none_or(|before| edit.at < before))?;
        Some(self.tested(last.at, before, |_| true))
    }
}

/// The folder that speaks most for being the top: one vote for each command that ran there, and one for each
/// path that is named from there once and from the top of the machine another time.
fn guessed(steps: &[Step]) -> Option<String> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    let scripts = || steps.iter().filter_map(Step::script);
    for path in scripts().flat_map(Script::commands).filter_map(|command| command.folder.path()) {
        *count.entry(path).or_default() += 1;
    }
    let paths = || steps.iter().flat_map(Step::activities).flat_map(|activity| activity.deed.paths());
    let relative: BTreeSet<&str> = paths().filter_map(FilePath::relative).collect();
    for path in paths().filter_map(FilePath::absolute) {
        let cuts = path.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
        for at in cuts.take(DEEPEST).filter(|at| relative.contains(&path[at + 1..])) {
            *count.entry(&path[..at]).or_default() += 1;
        }
    }
    // Of two that are named as often, the first by name.
    let most = count.into_iter().reduce(|most, next| if next.1 > most.1 { next } else { most });
    most.map(|(path, _)| path.to_owned()).filter(|path| path != "/")
}

/// The folder that each step starts in: as recorded, else the top of the repository, until one ends elsewhere.
/// Some scaffolds keep the shell from step to step and some do not, so from then on it is not known.
fn starts(steps: &[Step], root: Option<&str>) -> Vec<Folder> {
    let top = root.map_or(Folder::FromStart(String::new()), |root| Folder::Known(root.to_owned()));
    let mut here = top.clone();
    let mut starts = Vec::with_capacity(steps.len());
    for step in steps {
        let start = match &step.action {
            Action::Shell { folder: None, .. } => here.clone(),
            // A folder that is recorded is part of the script, and tools do not follow the shell.
            Action::Shell { folder: Some(_), .. }
            | Action::Read { .. }
            | Action::Edit { .. }
            | Action::Fetch { .. }
            | Action::Tool { .. } => top.clone(),
        };
        if let Some(script) = step.script() {
            let end = script.end().from_start(&start);
            here = if end == top { top.clone() } else { Folder::Unknown };
        }
        starts.push(start);
    }
    starts
}

impl<T> Origin for Event<'_, T> {
    fn source(&self) -> Source<'_> {
        Source::Step(self.step)
    }
}

impl<T> Target for Event<'_, T> {
    fn place(&self) -> Place {
        Place::Step { index: self.at.step }
    }

    /// The command, or what the tool was called for.
    fn snippet(&self) -> String {
        match &self.step.action {
            Action::Shell { command, .. } => command.clone(),
            Action::Read { path, .. } => path.clone(),
            Action::Edit { paths, .. } => paths.join(" "),
            Action::Fetch { url } => url.clone(),
            Action::Tool { name, .. } => name.clone(),
        }
    }

    /// Every step is the contributor's.
    fn is_owned(&self, _ownership: Ownership) -> bool {
        true
    }
}

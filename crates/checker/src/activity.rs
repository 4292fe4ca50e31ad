//! What an agent did, as a checker asks for it: tests run, files edited and read, commits made and pushed.
//!
//! A step is read once, and each activity in it says by which step and command, and how certain it is that it
//! took place. Nothing is guessed: a path, a message or a result that the run does not show is unknown.

mod call;
mod check;
mod edit;
mod git;
mod outside;
mod path;
mod test;
mod work;

pub use call::{Call, python_text};
pub use check::{Check, Tool};
pub use edit::{Edit, FileRead, How, Part};
pub use git::{Branch, Commit, Force, Push, Rewrite, Stage};
pub use outside::{Fetch, Install, Means, Proposal};
pub use path::{FilePath, Whereabouts};
pub use test::{Runner, Scope, TEST_COMMANDS, TestCommand, TestResult, TestRun, Unclear};
pub use work::{Deeds, Event, Root, Tested, Work};

use crate::evidence::{Action, Step};
use crate::shell::{Command, Ended, Reach, Script};

/// Where in a run something was done. Later is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// The step, from 0.
    pub step: usize,
    /// The command of its script, from 0; 0 where a tool did it.
    pub command: usize,
}

/// How certain it is that something took place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// In a branch, a loop or behind `||`, or only part of what is known of it speaks for it.
    Possible,
    /// What stands before it had to succeed, and whether it did is not known.
    Likely,
    /// It did.
    Certain,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Tests were run.
    Test(TestRun),
    /// A linter, a formatter or a type checker was run.
    Check(Check),
    /// Files were written, moved or removed.
    Edit(Edit),
    /// Files were read or searched.
    Read(FileRead),
    /// Something was fetched from elsewhere.
    Fetch(Fetch),
    /// Packages were installed.
    Install(Install),
    /// A commit was made.
    Commit(Commit),
    /// Commits were pushed.
    Push(Push),
    /// Files were staged: `git add`.
    Stage(Stage),
    /// A branch was made or switched to.
    Branch(Branch),
    /// Commits or the tree were rearranged: rebase, merge, reset, stash and their like.
    Rewrite(Rewrite),
    /// A pull request was opened.
    Propose(Proposal),
}

impl Deed {
    /// The files and folders that it names.
    fn paths(&self) -> &[FilePath] {
        match self {
            Deed::Edit(edit) => &edit.paths,
            Deed::Read(read) => &read.paths,
            Deed::Check(check) => &check.paths,
            Deed::Stage(stage) => &stage.paths,
            Deed::Test(_)
            | Deed::Fetch(_)
            | Deed::Install(_)
            | Deed::Commit(_)
            | Deed::Push(_)
            | Deed::Branch(_)
            | Deed::Rewrite(_)
            | Deed::Propose(_) => &[],
        }
    }
}

/// One thing that was done in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activity {
    /// Which command of the step's script did it, from 0; 0 where a tool did.
    pub command: usize,
    /// How certain it is that it took place.
    pub certainty: Certainty,
    /// How the command ended, where that is known.
    pub ended: Option<Ended>,
    /// What was done.
    pub deed: Deed,
}

/// A command of a step, with what is known around it.
#[derive(Clone, Copy)]
struct Doing<'s> {
    step: &'s Step,
    script: &'s Script,
    /// Its number in the script.
    at: usize,
    command: &'s Command,
    /// What it comes to.
    call: Call<'s>,
}

impl Doing<'_> {
    fn ended(&self) -> Option<Ended> {
        self.command.ended(self.step.exit?)
    }

    fn certainty(&self) -> Certainty {
        match (self.command.reach, self.ended()) {
            (_, Some(_)) | (Reach::Always, None) => Certainty::Certain,
            (Reach::AfterSuccess, None) => Certainty::Likely,
            (Reach::Perhaps, None) => Certainty::Possible,
        }
    }
}

/// Every command of a step whose program is known.
fn doings(step: &Step) -> impl Iterator<Item = Doing<'_>> {
    let commands = step.script().into_iter().flat_map(|script| {
        script.commands().iter().enumerate().map(move |(at, command)| (script, at, command))
    });
    commands.filter_map(move |(script, at, command)| {
        Some(Doing { step, script, at, command, call: Call::of(command)? })
    })
}

/// What was done in a step, in order.
pub(crate) fn of_step(step: &Step) -> Vec<Activity> {
    let by_tool = |deed| vec![Activity { command: 0, certainty: Certainty::Certain, ended: None, deed }];
    match &step.action {
        Action::Read { path, lines } => by_tool(Deed::Read(FileRead::by_tool(path, lines.is_some()))),
        Action::Edit { paths, .. } => by_tool(Deed::Edit(Edit::by_tool(paths))),
        Action::Fetch { url } => by_tool(Deed::Fetch(Fetch::of_url(url))),
        Action::Tool { .. } => Vec::new(),
        Action::Shell { .. } => of_script(step),
    }
}

fn of_script(step: &Step) -> Vec<Activity> {
    let Some(script) = step.script() else { return Vec::new() };
    let mut known = doings(step).peekable();
    let mut found = Vec::new();
    for (at, command) in script.commands().iter().enumerate() {
        let mut deeds = Vec::new();
        let ended = step.exit.and_then(|exit| command.ended(exit));
        let certainty = match known.next_if(|doing| doing.at == at) {
            Some(doing) => {
                deeds.extend(of_doing(&doing));
                doing.certainty()
            }
            None if command.reach == Reach::Always => Certainty::Certain,
            None => Certainty::Possible,
        };
        deeds.extend(edit::redirected(command));
        found.extend(deeds.into_iter().map(|(weight, deed)| Activity {
            command: at,
            certainty: certainty.min(weight),
            ended,
            deed,
        }));
    }
    test::settle(step, &mut found);
    found
}

/// What a program does, each with how much its words alone say.
fn of_doing(doing: &Doing<'_>) -> Vec<(Certainty, Deed)> {
    let mut deeds: Vec<(Certainty, Deed)> = Vec::new();
    let mut add = |deed: Option<Deed>| deeds.extend(deed.map(|deed| (Certainty::Certain, deed)));
    if let Some(run) = test::of(doing, TEST_COMMANDS) {
        add(Some(Deed::Test(run)));
        return deeds;
    }
    if let Some(check) = check::of(doing) {
        let formatted = check.writes.then(|| Deed::Edit(Edit::by_formatter(&check)));
        add(Some(Deed::Check(check)));
        add(formatted);
        return deeds;
    }
    if doing.call.name() == "git" {
        return git::of(doing).into_iter().map(|deed| (Certainty::Certain, deed)).collect();
    }
    add(outside::of(doing));
    add(edit::read(doing).map(Deed::Read));
    deeds.extend(edit::of(doing));
    deeds
}

//! What was done with git.

use super::{Deed, Doing, Edit, FilePath, How, outside};
use crate::shell::{GitCall, GitCommit, Options, Takes, Word};

/// A commit: its message where it is known, and with what options.
pub type Commit = GitCommit;

/// How hard a push overwrites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Force {
    /// Not at all.
    No,
    /// Only what nobody else has pushed to: `--force-with-lease`.
    Lease,
    /// Whatever is there: `--force`, `-f`, or a `+` before what is pushed.
    Yes,
}

/// A push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Push {
    /// Where to, where it is named.
    pub remote: Option<String>,
    /// What, as written, without a `+`. None at all: what is configured.
    pub refspecs: Vec<String>,
    /// How hard.
    pub force: Force,
    /// Whether it removes a branch there.
    pub deletes: bool,
    /// Whether hooks are passed over.
    pub skips_hooks: bool,
    /// Whether a word of it cannot be known.
    pub is_unclear: bool,
}

impl Push {
    /// The branches there that it is said to write.
    pub fn branches(&self) -> impl Iterator<Item = &str> {
        let there = self.refspecs.iter().map(|spec| spec.rsplit(':').next().unwrap_or(spec));
        there.map(|name| name.strip_prefix("refs/heads/").unwrap_or(name))
    }
}

/// Files that were staged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// Which were named. `.` is a path like any other.
    pub paths: Vec<FilePath>,
    /// Whether everything was: `-A`, `--all`.
    pub all: bool,
    /// Whether everything was that git knows: `-u`.
    pub updated: bool,
    /// Whether it was done against what is ignored: `-f`.
    pub is_forced: bool,
}

/// A branch that was made or switched to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Its name, where it is known.
    pub name: Option<String>,
    /// Whether it was made.
    pub is_new: bool,
    /// Whether it was switched to.
    pub is_switched_to: bool,
}

/// A rearrangement of commits or of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rewrite {
    /// `git rebase`.
    Rebase,
    /// `git merge`.
    Merge,
    /// `git pull`, with a merge.
    Pull,
    /// `git pull --rebase`.
    PullRebase,
    /// `git reset --hard`: changes are lost.
    ResetHard,
    /// Any other `git reset`.
    Reset,
    /// `git stash`: changes are laid aside.
    Stash,
    /// `git stash pop`, `git stash apply`.
    Unstash,
    /// `git cherry-pick`.
    CherryPick,
    /// `git revert`.
    Revert,
    /// `git clean`: files that git does not know are lost.
    Clean,
    /// `git filter-branch` and its like.
    Filter,
}

/// What a call of git does.
pub(super) fn of(doing: &Doing<'_>) -> Vec<Deed> {
    if let Some(commit) = doing.script.git_commit(doing.at, doing.command) {
        return vec![Deed::Commit(commit)];
    }
    let Some(call) = doing.command.git() else { return Vec::new() };
    let plain = Options::of(call.arguments, &Takes::new("", &[]));
    if plain.has("dry-run", None) || plain.has("help", None) {
        return Vec::new();
    }
    let mut deeds = of_call(&call, &plain);
    deeds.extend(outside::by_git(call.subcommand, call.arguments).map(Deed::Fetch));
    deeds
}

fn of_call(call: &GitCall<'_>, plain: &Options<'_>) -> Vec<Deed> {
    let rewrite = |rewrite| vec![Deed::Rewrite(rewrite)];
    let edit = |how, words: &[&Word], complete| {
        let paths = words.iter().map(|word| FilePath::of_word_in(word, &call.folder)).collect();
        Deed::Edit(Edit { how, paths, is_complete: complete })
    };
    match call.subcommand {
        "push" => vec![Deed::Push(push(call))],
        "add" | "stage" => vec![Deed::Stage(stage(call, plain))],
        "switch" | "checkout" | "branch" => branch(call),
        "rebase" => rewrite(Rewrite::Rebase),
        "merge" => rewrite(Rewrite::Merge),
        "pull" if plain.has("rebase", Some('r')) => rewrite(Rewrite::PullRebase),
        "pull" => rewrite(Rewrite::Pull),
        "reset" if plain.has("hard", None) => {
            vec![Deed::Rewrite(Rewrite::ResetHard), edit(How::Restored, &[], false)]
        }
        "reset" => rewrite(Rewrite::Reset),
        "stash" => stash(call),
        "cherry-pick" => rewrite(Rewrite::CherryPick),
        "revert" => rewrite(Rewrite::Revert),
        "clean" => vec![Deed::Rewrite(Rewrite::Clean), edit(How::Removed, &plain.others, false)],
        "filter-branch" | "filter-repo" | "replace" => rewrite(Rewrite::Filter),
        "apply" | "am" if !plain.has("check", None) && !plain.has("stat", None) => {
            vec![edit(How::Patched, &[], false)]
        }
        "restore" => vec![edit(How::Restored, &plain.others, true)],
        "rm" if !plain.has("cached", None) => vec![edit(How::Removed, &plain.others, true)],
        "mv" => vec![edit(How::Moved, &plain.others, true)],
        _ => Vec::new(),
    }
}

const PUSH: Takes = Takes::new("o", &["--push-option", "--receive-pack", "--exec", "--repo"]);

fn push(call: &GitCall<'_>) -> Push {
    let options = Options::of(call.arguments, &PUSH);
    let named = options.others.iter().map(|word| word.text().unwrap_or(word.source()));
    let mut named = named.map(str::to_owned);
    let remote = named.next().or_else(|| options.values("repo", '\0').flatten().next().map(str::to_owned));
    let written: Vec<String> = named.collect();
    let is_over = written.iter().any(|spec| spec.starts_with('+'));
    let force = match () {
        () if options.has("force", Some('f')) || options.has("mirror", None) || is_over => Force::Yes,
        () if options.has("force-with-lease", None) => Force::Lease,
        () => Force::No,
    };
    Push {
        remote,
        force,
        deletes: options.has("delete", Some('d')) || written.iter().any(|spec| spec.starts_with(':')),
        skips_hooks: options.has("no-verify", None),
        is_unclear: options.unclear || options.others.iter().any(|word| word.text().is_none()),
        refspecs: written.iter().map(|spec| spec.trim_start_matches('+').to_owned()).collect(),
    }
}

fn stage(call: &GitCall<'_>, options: &Options<'_>) -> Stage {
    Stage {
        paths: options.others.iter().map(|word| FilePath::of_word_in(word, &call.folder)).collect(),
        all: options.has("all", Some('A')),
        updated: options.has("update", Some('u')),
        is_forced: options.has("force", Some('f')),
    }
}

const BRANCH: Takes = Takes::new("bBcCt", &["--create", "--force-create", "--orphan", "--track"]);

/// `git switch`, `git checkout` and `git branch`: a branch, or files that are put back.
fn branch(call: &GitCall<'_>) -> Vec<Deed> {
    let options = Options::of(call.arguments, &BRANCH);
    let text = |word: Option<&&Word>| word.and_then(|word| word.text()).map(str::to_owned);
    if call.subcommand == "branch" {
        let only_asks = ["list", "show-current", "contains", "merged", "delete", "set-upstream-to"];
        let letters = "avrdDmMu".chars().any(|c| options.has("", Some(c)));
        if letters || options.others.is_empty() || only_asks.iter().any(|name| options.has(name, None)) {
            return Vec::new();
        }
        let name = text(options.others.first());
        return vec![Deed::Branch(Branch { name, is_new: true, is_switched_to: false })];
    }
    let made = [("create", 'c'), ("force-create", 'C'), ("orphan", 'b'), ("orphan", 'B')];
    if let Some(name) = made.iter().find_map(|(long, short)| options.values(long, *short).next()) {
        let name = name.map(str::to_owned);
        return vec![Deed::Branch(Branch { name, is_new: true, is_switched_to: true })];
    }
    let dashes = call.arguments.iter().position(|word| word.text() == Some("--"));
    let restores = call.subcommand == "checkout"
        && (dashes.is_some_and(|at| at + 1 < call.arguments.len())
            || options.others.len() > 1
            || text(options.others.first()).is_some_and(|name| looks_like_path(&name)));
    if restores {
        let files = match dashes {
            Some(at) => call.arguments.get(at + 1..).unwrap_or_default().iter().collect(),
            None if options.others.len() > 1 => options.others[1..].to_vec(),
            None => options.others.clone(),
        };
        let paths = files.iter().map(|word| FilePath::of_word_in(word, &call.folder)).collect();
        return vec![Deed::Edit(Edit { how: How::Restored, paths, is_complete: dashes.is_some() })];
    }
    let name = text(options.others.first());
    vec![Deed::Branch(Branch { name, is_new: false, is_switched_to: true })]
}

/// Whether the one argument of `git checkout` is more likely a file than a branch.
fn looks_like_path(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    let is_version = last.starts_with(|c: char| c == 'v' || c.is_ascii_digit());
    name == "." || name.starts_with("./") || last.contains('.') && !is_version && !last.contains("..")
}

fn stash(call: &GitCall<'_>) -> Vec<Deed> {
    let first = call.arguments.iter().find_map(Word::text).unwrap_or("push");
    match first {
        "pop" | "apply" | "branch" => vec![Deed::Rewrite(Rewrite::Unstash)],
        "list" | "show" | "drop" | "clear" => Vec::new(),
        _ => vec![Deed::Rewrite(Rewrite::Stash)],
    }
}

//! The commits of a run that has no log: what its commands tell of them. The repository's own log says better.

use polc_checker::evidence::{Action, Commit, Step};
use polc_checker::message::Message;
use polc_checker::shell::{Command, CommitMessage, Folder, GitCall, GitCommit, Script, Word, standing};
use std::collections::BTreeSet;

/// What the commands of a run tell of its commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scraped {
    /// No command makes one.
    Nothing,
    /// Those that nothing took the place of, oldest first.
    Commits(Vec<Commit>),
    /// One is made whose message stands in no command, or it is not told which of them are left.
    Unknown,
}

/// What `git commit` prints where it makes none.
const REFUSED: [&str; 5] = [
    "nothing to commit",
    "nothing added to commit",
    "no changes added to commit",
    "Aborting commit",
    "Author identity unknown",
];

/// What makes commits, or takes some away, whose messages stand in no command.
const OTHERS: [&str; 7] = ["am", "cherry-pick", "filter-branch", "merge", "pull", "rebase", "revert"];

/// Reads the commands of an agent. One that is known to have failed made no commit.
pub(super) fn commits(steps: &[Step]) -> Scraped {
    let mut made: Vec<(usize, GitCommit)> = Vec::new();
    let mut others = Others::default();
    let mut is_clear = true;
    for (index, step) in steps.iter().enumerate() {
        let Some(script) = script(step) else { continue };
        let failed = step.exit.is_some_and(|code| code != 0);
        let other_folders = others.made_by(&script);
        is_clear &= failed || !script.git_calls().any(|call| OTHERS.contains(&call.subcommand));
        let commits: Vec<GitCommit> = script
            .git_commits()
            .into_iter()
            .filter(|commit| !other_folders.contains(&commit.folder))
            .collect();
        match were_made(step, &script, commits.len(), failed) {
            Some(true) => made.extend(commits.into_iter().map(|commit| (index, commit))),
            Some(false) => {}
            None => is_clear = false,
        }
        is_clear &= failed || made.is_empty() || !script.git_calls().any(|call| takes_back(&call));
    }
    if !is_clear {
        return Scraped::Unknown;
    }
    let (indices, made): (Vec<usize>, Vec<GitCommit>) = made.into_iter().unzip();
    let mut commits = Vec::new();
    for last in standing(&made).last {
        let Some(text) = message(&made, last) else { return Scraped::Unknown };
        commits.push(Commit {
            id: format!("command:{}", indices[last]),
            parents: Vec::new(),
            author: None,
            committer: None,
            message: Message::new(format!("{}\n", text.trim())),
            paths: None,
        });
    }
    if commits.is_empty() { Scraped::Nothing } else { Scraped::Commits(commits) }
}

fn script(step: &Step) -> Option<Script> {
    match &step.action {
        Action::Shell { command, folder: Some(folder) } => {
            Some(Script::parse_in(command, &Folder::Unknown.enter(folder)))
        }
        _ => step.command().map(Script::parse),
    }
}

/// Folders of repositories that the agent made for itself, as for a test.
#[derive(Debug, Default)]
struct Others(BTreeSet<String>);

impl Others {
    /// The folders of a script whose commits are not of the project. One that is not known is another one in another
    /// script.
    fn made_by(&mut self, script: &Script) -> Vec<Folder> {
        let mut folders = Vec::new();
        for call in script.git_calls().filter(|call| matches!(call.subcommand, "init" | "clone")) {
            let named = call.arguments.last().and_then(Word::text).filter(|word| !word.starts_with('-'));
            let folder = match (call.subcommand, named) {
                ("init", None) => call.folder,
                ("init", Some(name)) => call.folder.enter(name),
                // Its name may be that of what was cloned.
                (_, name) => {
                    let name = name.unwrap_or_default().trim_end_matches('/').trim_end_matches(".git");
                    let name =
                        if call.arguments.len() > 1 { name } else { name.rsplit('/').next().unwrap_or(name) };
                    call.folder.enter(name)
                }
            };
            self.0.extend(folder.path().map(str::to_owned));
            folders.push(folder);
        }
        folders.extend(self.0.iter().cloned().map(Folder::Known));
        folders
    }
}

/// Whether a call of git takes commits back.
fn takes_back(call: &GitCall<'_>) -> bool {
    let words: Vec<&str> = call.arguments.iter().map(|word| word.text().unwrap_or("?")).collect();
    let to = words.iter().take_while(|word| **word != "--").find(|word| !word.starts_with('-'));
    let is_whole = ["--soft", "--hard", "--keep", "--merge"].iter().any(|mode| words.contains(mode));
    let is_before = |to: &str| {
        ["HEAD~", "HEAD^", "HEAD@", "ORIG_HEAD", "@", "origin/"].iter().any(|it| to.starts_with(it))
    };
    call.subcommand == "reset" && to.is_some_and(|to| *to != "HEAD" && (is_whole || is_before(to)))
}

/// Whether a step made the commits that its script has. None where nothing tells.
fn were_made(step: &Step, script: &Script, commits: usize, failed: bool) -> Option<bool> {
    if commits == 0 {
        return Some(false);
    }
    let output = step.output.as_ref();
    let text = output.map_or("", |output| output.text.as_str());
    let shown = text.lines().filter(|line| is_summary(line)).count();
    if shown >= commits {
        return Some(true);
    }
    let calls = || script.git_calls();
    let is_quiet = calls().filter(|call| call.subcommand == "commit").any(|call| is_quiet(&call))
        || output.is_none_or(|output| output.truncated);
    let is_last =
        script.commands().last().and_then(Command::git).is_some_and(|call| call.subcommand == "commit");
    let refused = REFUSED.iter().any(|phrase| text.contains(phrase));
    match (failed, shown) {
        (_, 1..) if !is_quiet => None,
        // What failed may be what came after.
        (true, _) => {
            if is_quiet && !is_last && !refused {
                None
            } else {
                Some(false)
            }
        }
        // `git status` says the same after a commit.
        (false, _) => Some(!refused || calls().any(|call| call.subcommand == "status")),
    }
}

/// Whether a line is what git prints of a commit that it made: `[main 1a2b3c4] Subject`.
fn is_summary(line: &str) -> bool {
    let inside = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map(|(inside, _)| inside);
    inside.and_then(|inside| inside.rsplit_once(' ')).is_some_and(|(_, id)| {
        id.len() >= 4 && id.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    })
}

fn is_quiet(call: &GitCall<'_>) -> bool {
    call.arguments.iter().map(|word| word.text().unwrap_or_default()).any(|word| {
        let cluster = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
        word == "--quiet" || cluster.split(['m', 'F', 'C', 'c', 't']).next().unwrap_or_default().contains('q')
    })
}

/// The message of a commit: an amended one may keep that of the commit whose place it took. That of one that is signed
/// off ends with a name that stands in no command.
fn message(made: &[GitCommit], commit: usize) -> Option<&str> {
    // Of those that keep it there may be any number.
    let chain = made[..=commit].iter().rev().filter(|it| it.folder == made[commit].folder);
    for commit in chain {
        match &commit.message {
            _ if commit.signs_off => return None,
            CommitMessage::Text(text) => return Some(text),
            CommitMessage::Unknown => return None,
            CommitMessage::Kept => {}
        }
    }
    None
}

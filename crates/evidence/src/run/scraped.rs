//! The commits of a run that has no log: what its commands tell of them. The repository's own log says better.

use polc_checker::evidence::{Commit, Step};
use polc_checker::message::Message;
use polc_checker::shell::{CommitMessage, GitCommit, Script, standing};

/// What the commands of a run tell of its commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scraped {
    /// No command makes one.
    Nothing,
    /// Those that nothing took the place of, oldest first.
    Commits(Vec<Commit>),
    /// One is made whose message stands in no command.
    Unknown,
}

/// Reads the commands of an agent. One that is known to have failed made no commit.
pub(super) fn commits(steps: &[Step]) -> Scraped {
    let mut made: Vec<(usize, GitCommit)> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let failed = step.exit.is_some_and(|code| code != 0);
        if let Some(command) = step.command().filter(|_| !failed) {
            made.extend(Script::parse(command).git_commits().into_iter().map(|commit| (index, commit)));
        }
    }
    if made.is_empty() {
        return Scraped::Nothing;
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
    Scraped::Commits(commits)
}

/// The message of a commit: an amended one may keep that of the commit whose place it took.
fn message(made: &[GitCommit], commit: usize) -> Option<&str> {
    match &made[commit].message {
        CommitMessage::Text(text) => Some(text),
        CommitMessage::Unknown => None,
        CommitMessage::Kept => {
            let before = made[..commit].iter().rposition(|before| before.folder == made[commit].folder)?;
            message(made, before)
        }
    }
}

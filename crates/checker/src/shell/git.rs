//! What a script has git do.

use super::options::{Options, Takes};
use super::{Command, Folder, RedirectionKind, Script, Word};

/// Options of git itself that take a value in a word of its own.
const GLOBAL: [&str; 7] =
    ["-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--attr-source"];

/// Options of `git commit` that take a value.
const COMMIT: Takes = Takes {
    short: "CcmFt",
    attached: "Su",
    long: &[
        "--author",
        "--cleanup",
        "--date",
        "--file",
        "--fixup",
        "--message",
        "--pathspec-from-file",
        "--reedit-message",
        "--reuse-message",
        "--squash",
        "--template",
        "--trailer",
    ],
};

/// How many commands before one are searched for the file that it reads.
const FARTHEST: usize = 500;

/// A call of git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitCall<'s> {
    /// The folder whose repository it is about.
    pub folder: Folder,
    /// The subcommand.
    pub subcommand: &'s str,
    /// Everything after the subcommand.
    pub arguments: &'s [Word],
}

/// The message of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitMessage {
    /// The text, before git cleans it.
    Text(String),
    /// That of the commit which is amended.
    Kept,
    /// It is in a file or an editor, or holds what cannot be known.
    Unknown,
}

/// A `git commit`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitCommit {
    /// The folder whose repository it is made in.
    pub folder: Folder,
    /// Its message.
    pub message: CommitMessage,
    /// Whether it takes the place of the commit before it.
    pub amends: bool,
    /// Whether hooks are passed over.
    pub skips_hooks: bool,
    /// Whether every changed file goes in.
    pub takes_all: bool,
    /// Whether a trailer signs it off.
    pub signs_off: bool,
}

impl GitCommit {
    /// The first line of the message, where it is known.
    pub fn subject(&self) -> Option<&str> {
        match &self.message {
            CommitMessage::Text(text) => text.trim_start_matches('\n').lines().next(),
            CommitMessage::Kept | CommitMessage::Unknown => None,
        }
    }
}

/// What is left of commits that were made one after the other, by their place among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Those that nothing took the place of.
    pub last: Vec<usize>,
    /// Those that were amended.
    pub superseded: Vec<usize>,
}

/// Tells commits that stand from those that were amended in the same folder. Whether git made each of them, its
/// own log says better.
pub fn standing(commits: &[GitCommit]) -> Standing {
    let mut standing = Standing { last: Vec::new(), superseded: Vec::new() };
    for (at, commit) in commits.iter().enumerate() {
        let amended = standing.last.iter().rposition(|before| commits[*before].folder == commit.folder);
        if let Some(place) = amended.filter(|_| commit.amends) {
            standing.superseded.push(standing.last.remove(place));
        }
        standing.last.push(at);
    }
    standing
}

impl Command {
    /// What git is called for, if this is git with a subcommand that can be told.
    pub fn git(&self) -> Option<GitCall<'_>> {
        if self.name() != Some("git") {
            return None;
        }
        let is_elsewhere = |name: &str| matches!(name, "GIT_DIR" | "GIT_WORK_TREE");
        let mut folder = match self.assignments.iter().any(|set| is_elsewhere(&set.name)) {
            true => Folder::Unknown,
            false => self.folder.clone(),
        };
        let arguments = self.arguments();
        let mut at = 0;
        loop {
            match arguments.get(at)?.text()? {
                "-C" => {
                    let to = arguments.get(at + 1)?.text();
                    folder = to.map_or(Folder::Unknown, |to| folder.enter(to));
                    at += 2;
                }
                option if GLOBAL.contains(&option) => {
                    if matches!(option, "--git-dir" | "--work-tree") {
                        folder = Folder::Unknown;
                    }
                    at += 2;
                }
                option if option.starts_with('-') => {
                    if option.starts_with("--git-dir=") || option.starts_with("--work-tree=") {
                        folder = Folder::Unknown;
                    }
                    at += 1;
                }
                subcommand => return Some(GitCall { folder, subcommand, arguments: &arguments[at + 1..] }),
            }
        }
    }
}

impl Script {
    /// Every call of git, in order.
    pub fn git_calls(&self) -> impl Iterator<Item = GitCall<'_>> {
        self.commands().iter().filter_map(Command::git)
    }

    /// Every `git commit` that would make a commit, in order.
    pub fn git_commits(&self) -> Vec<GitCommit> {
        let numbered = self.commands().iter().enumerate();
        numbered.filter_map(|(at, command)| self.git_commit(at, command)).collect()
    }

    /// The `git commit` that a command of the script is, by its number.
    pub(crate) fn git_commit(&self, at: usize, command: &Command) -> Option<GitCommit> {
        let call = command.git().filter(|call| call.subcommand == "commit")?;
        let options = Options::of(call.arguments, &COMMIT);
        if options.has("dry-run", None) || options.has("help", Some('h')) {
            return None;
        }
        let amends = options.has("amend", None);
        let message = self.message(at, command, &options, amends);
        Some(GitCommit {
            folder: call.folder,
            message,
            amends,
            skips_hooks: options.has("no-verify", Some('n')),
            takes_all: options.has("all", Some('a')),
            signs_off: options.has("signoff", Some('s')),
        })
    }

    fn message(&self, at: usize, command: &Command, options: &Options<'_>, amends: bool) -> CommitMessage {
        if options.unclear || options.has("edit", Some('e')) {
            return CommitMessage::Unknown;
        }
        let paragraphs: Vec<_> = options.values("message", 'm').collect();
        let files: Vec<_> = options.values("file", 'F').collect();
        // A trailer goes into the message in a place that depends on what ends it.
        let others = ["reuse-message", "reedit-message", "fixup", "squash", "template", "trailer"];
        let is_from_another = others.iter().any(|name| options.has(name, None))
            || "Cct".chars().any(|c| options.has("", Some(c)));
        let text = match (&paragraphs[..], &files[..]) {
            _ if is_from_another => None,
            ([], []) if amends && options.has("no-edit", None) => return CommitMessage::Kept,
            ([], [Some("-")]) => self.read_by(command),
            ([], [Some(file)]) => self.written_to(file, at, &command.folder),
            ([_, ..], []) => {
                let texts: Option<Vec<&str>> = paragraphs.iter().copied().collect();
                texts.map(|texts| texts.join("\n\n"))
            }
            _ => None,
        };
        text.map_or(CommitMessage::Unknown, CommitMessage::Text)
    }

    /// What a command reads on its standard input.
    pub(crate) fn read_by(&self, command: &Command) -> Option<String> {
        if let Some(input) = command.input() {
            return input.text().map(str::to_owned);
        }
        let from = self.commands().get(command.reads_from?)?;
        let is_plain = from.arguments().iter().all(|word| word.text() == Some("-"));
        match from.name()? {
            "cat" if is_plain => from.input()?.text().map(str::to_owned),
            "echo" if from.arguments().first().and_then(Word::text)?.starts_with('-') => None,
            "echo" => {
                let words: Option<Vec<&str>> = from.arguments().iter().map(Word::text).collect();
                words.map(|words| words.join(" ")).filter(|text| !text.contains('\\'))
            }
            _ => None,
        }
    }

    /// What a `cat` of a document wrote into a file before a command.
    pub(crate) fn written_to(&self, file: &str, before: usize, folder: &Folder) -> Option<String> {
        let wanted = folder.enter(file);
        let is_it = |command: &Command, path: &Word| {
            let is_there = |path| match command.folder.enter(path) {
                Folder::Unknown => path == file && command.folder == *folder,
                there => there == wanted,
            };
            path.text().is_some_and(is_there)
        };
        let writes = |command: &&Command| {
            let is_write = |kind| matches!(kind, RedirectionKind::Write | RedirectionKind::Append);
            command.redirections.iter().any(|to| is_write(to.kind) && is_it(command, &to.target))
        };
        let writer = self.commands().get(..before)?.iter().rev().take(FARTHEST).find(writes)?;
        let is_whole = writer.redirections.iter().all(|to| to.kind != RedirectionKind::Append);
        if !is_whole || writer.name() != Some("cat") || !writer.arguments().is_empty() {
            return None;
        }
        writer.input()?.text().map(str::to_owned)
    }
}

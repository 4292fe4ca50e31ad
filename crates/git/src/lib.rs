//! Reads a local git repository through the git program.
//!
//! Only plumbing commands, so that no configuration of the user changes what they print; nothing is
//! ever written or asked for, and nothing fetched but what a caller lets a partial clone fetch. Of our crates this one uses only `records`, for object ids.

mod batch;
mod commit;

pub use batch::Objects;
pub use commit::{Commit, Person};

use polc_records::ids::ObjectId;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What git could not do.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The program is not there.
    #[error("cannot run git: {0}\nhelp: install git 2.30 or newer and see that it is on the PATH")]
    NotRun(std::io::Error),
    /// The folder is no repository.
    #[error("`{}` is not inside a git repository: {message}\nhelp: name a folder that `git clone` or `git init` made", folder.display())]
    NoRepository {
        /// The folder.
        folder: PathBuf,
        /// What git said.
        message: String,
    },
    /// A name does not lead to a commit.
    #[error("`{revision}` names no commit of `{}`: {message}\nhelp: {help}", folder.display())]
    NoCommit {
        /// What was asked for.
        revision: String,
        /// Where.
        folder: PathBuf,
        /// What git said.
        message: String,
        /// What to do.
        help: &'static str,
    },
    /// An object is not in the repository.
    #[error("`{}` does not hold the object {id}\nhelp: fetch the commits that are missing (`git fetch --unshallow` for a shallow clone)", folder.display())]
    NoObject {
        /// The object.
        id: ObjectId,
        /// Where.
        folder: PathBuf,
    },
    /// Two commits have no ancestor in common.
    #[error(
        "`{base}` and `{head}` have no commit in common\nhelp: fetch more history (`git fetch --unshallow`), or name another base"
    )]
    Unrelated {
        /// One.
        base: ObjectId,
        /// The other.
        head: ObjectId,
    },
    /// Anything else that git refused.
    #[error("`git {command}` failed in `{}`: {message}\nhelp: run the command by hand to see more", folder.display())]
    Failed {
        /// The command.
        command: String,
        /// Where.
        folder: PathBuf,
        /// What git said.
        message: String,
    },
    /// git printed what this program does not understand.
    #[error(
        "`git {command}` printed something unexpected: {what}\nhelp: report this as a bug, with the version of git"
    )]
    Unexpected {
        /// The command.
        command: &'static str,
        /// What.
        what: String,
    },
}

/// A local repository.
#[derive(Debug, Clone)]
pub struct Repository {
    folder: PathBuf,
    fetches: bool,
}

/// An entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// Path from the top; bytes that are no UTF-8 are replaced.
    pub path: String,
    /// What it is.
    pub kind: EntryKind,
    /// The object.
    pub id: ObjectId,
}

/// What an entry of a tree is, by its mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// A file.
    File,
    /// A file that can be run.
    Executable,
    /// A symbolic link; its blob holds the target.
    Link,
    /// A submodule: a commit of another repository.
    Submodule,
}

impl EntryKind {
    /// What a mode says, as git writes it; none for a mode of something else, such as a folder.
    pub fn of_mode(mode: &str) -> Option<EntryKind> {
        match mode {
            "100644" | "100664" => Some(EntryKind::File),
            "100755" => Some(EntryKind::Executable),
            "120000" => Some(EntryKind::Link),
            "160000" => Some(EntryKind::Submodule),
            _ => None,
        }
    }
}

/// One path that differs between two commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Before: path, kind and object; none for a new file.
    pub old: Option<TreeEntry>,
    /// After: path, kind and object; none for a deleted file.
    pub new: Option<TreeEntry>,
}

impl Repository {
    /// The repository that a folder lies in.
    ///
    /// # Errors
    /// Where git is missing or the folder is in no repository.
    pub fn open(folder: &Path) -> Result<Self, GitError> {
        // A path as people write it: `root/.` is `root`.
        let repository = Repository { folder: folder.components().collect(), fetches: false };
        if !folder.is_dir() {
            let message = "there is no such folder".to_owned();
            return Err(GitError::NoRepository { folder: repository.folder, message });
        }
        match repository.run(&["rev-parse", "--git-dir"]) {
            Ok(_) => Ok(repository),
            Err(GitError::Failed { message, .. }) => {
                Err(GitError::NoRepository { folder: repository.folder, message })
            }
            Err(other) => Err(other),
        }
    }

    /// The same repository, which fetches the objects that a partial clone left out when they are read.
    pub fn fetching(&self) -> Repository {
        Repository { folder: self.folder.clone(), fetches: true }
    }

    /// The folder it was opened at.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The commit that a revision names.
    ///
    /// # Errors
    /// Where it names none.
    pub fn resolve(&self, revision: &str) -> Result<ObjectId, GitError> {
        let no_commit = |message: String| GitError::NoCommit {
            revision: revision.to_owned(),
            folder: self.folder.clone(),
            message,
            help: if revision == "HEAD" {
                "commit something first"
            } else {
                "name a commit, branch or tag of it; a shallow clone may lack it (`git fetch --unshallow`)"
            },
        };
        if revision.starts_with('-') {
            return Err(no_commit("a revision does not begin with `-`".to_owned()));
        }
        let name = format!("{revision}^{{commit}}");
        match self.text(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name]) {
            Ok(id) => object_id("rev-parse", id.trim()),
            Err(GitError::Failed { message, .. }) => {
                Err(no_commit(if message.is_empty() { "git does not know it".to_owned() } else { message }))
            }
            Err(other) => Err(other),
        }
    }

    /// Every file, link and submodule of a commit, sorted by path.
    ///
    /// # Errors
    /// Where the tree cannot be read whole.
    pub fn tree(&self, commit: &ObjectId) -> Result<Vec<TreeEntry>, GitError> {
        let listing = self.run(&["ls-tree", "-r", "-z", "--full-tree", commit.as_str()])?;
        let unexpected = |what: &str| GitError::Unexpected { command: "ls-tree", what: what.to_owned() };
        let mut entries = Vec::new();
        for record in records(&listing) {
            let record = String::from_utf8_lossy(record);
            let (head, path) = record.split_once('\t').ok_or_else(|| unexpected(&record))?;
            let mut words = head.split(' ');
            let (mode, _, id) = (words.next(), words.next(), words.next());
            let (Some(mode), Some(id)) = (mode, id) else {
                return Err(unexpected(&record));
            };
            let kind = EntryKind::of_mode(mode).ok_or_else(|| unexpected(&record))?;
            entries.push(TreeEntry { path: path.to_owned(), kind, id: object_id("ls-tree", id)? });
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(entries)
    }

    /// The best common ancestor of two commits.
    ///
    /// # Errors
    /// Where they have none.
    pub fn merge_base(&self, base: &ObjectId, head: &ObjectId) -> Result<ObjectId, GitError> {
        match self.text(&["merge-base", base.as_str(), head.as_str()]) {
            Ok(id) => object_id("merge-base", id.lines().next().unwrap_or_default()),
            Err(GitError::Failed { message, .. }) if message.is_empty() => {
                Err(GitError::Unrelated { base: base.clone(), head: head.clone() })
            }
            Err(other) => Err(other),
        }
    }

    /// The commits that `head` has and `base` has not, oldest first.
    ///
    /// # Errors
    /// Where the history cannot be walked.
    pub fn commits_between(&self, base: &ObjectId, head: &ObjectId) -> Result<Vec<ObjectId>, GitError> {
        let range = format!("{base}..{head}");
        self.text(&["rev-list", "--reverse", "--topo-order", &range])?
            .lines()
            .map(|line| object_id("rev-list", line))
            .collect()
    }

    /// The commits up to one that changed anything in a folder, newest first. The folder lies in the one that this was
    /// opened at; where it never did, there are none.
    ///
    /// # Errors
    /// Where the history cannot be walked.
    pub fn commits_of(&self, head: &ObjectId, folder: &Path) -> Result<Vec<ObjectId>, GitError> {
        let unexpected = || GitError::Unexpected { command: "rev-list", what: folder.display().to_string() };
        let inside = folder.strip_prefix(&self.folder).unwrap_or(folder).to_str().ok_or_else(unexpected)?;
        // Without `--full-history` git leaves out branches whose changes were undone.
        let inside = format!(":(literal){inside}");
        self.text(&["rev-list", "--full-history", head.as_str(), "--", &inside])?
            .lines()
            .map(|line| object_id("rev-list", line))
            .collect()
    }

    /// The `count`-th first parent of a commit, or its oldest first-parent ancestor.
    ///
    /// # Errors
    /// Where the history cannot be walked.
    pub fn ancestor(&self, commit: &ObjectId, count: usize) -> Result<ObjectId, GitError> {
        let most = format!("--max-count={}", count + 1);
        let list = self.text(&["rev-list", "--first-parent", &most, commit.as_str()])?;
        object_id("rev-list", list.lines().last().unwrap_or_default())
    }

    /// The paths that differ between two commits, renames recognised, sorted by path.
    ///
    /// # Errors
    /// Where the difference cannot be made.
    pub fn changes(&self, base: &ObjectId, head: &ObjectId) -> Result<Vec<Change>, GitError> {
        let mut arguments = vec!["diff-tree", "-r", "-z", "--raw", "--no-abbrev"];
        // Said here, so that no configuration of a user changes what is found.
        arguments.extend(["-M", "-l1000", "--ignore-submodules=none", "--no-ext-diff", "--no-textconv"]);
        arguments.extend([base.as_str(), head.as_str()]);
        let listing = self.run(&arguments)?;
        let unexpected = |what: &str| GitError::Unexpected { command: "diff-tree", what: what.to_owned() };
        let mut parts = records(&listing).map(String::from_utf8_lossy);
        let mut changes = Vec::new();
        while let Some(head) = parts.next() {
            let words: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
            let [old_mode, new_mode, old_id, new_id, status] = words.as_slice() else {
                return Err(unexpected(&head));
            };
            let path = parts.next().ok_or_else(|| unexpected(&head))?.into_owned();
            let moved = status.starts_with(['R', 'C']);
            let new_path = if moved {
                parts.next().ok_or_else(|| unexpected(&head))?.into_owned()
            } else {
                path.clone()
            };
            changes
                .push(Change { old: side(old_mode, old_id, path)?, new: side(new_mode, new_id, new_path)? });
        }
        changes.sort_by(|a, b| path_of(a).cmp(path_of(b)));
        Ok(changes)
    }

    /// Opens the object store for many reads.
    ///
    /// # Errors
    /// Where git cannot be started.
    pub fn objects(&self) -> Result<Objects, GitError> {
        Objects::start(self)
    }

    /// Runs git and gives what it printed.
    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        let output =
            self.command().args(arguments).stdin(Stdio::null()).output().map_err(GitError::NotRun)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let message = String::from_utf8_lossy(&output.stderr);
        Err(GitError::Failed {
            command: arguments.join(" "),
            folder: self.folder.clone(),
            message: message.trim().trim_start_matches("fatal: ").to_owned(),
        })
    }

    fn text(&self, arguments: &[&str]) -> Result<String, GitError> {
        self.run(arguments).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn command(&self) -> Command {
        let mut git = Command::new("git");
        git.arg("--no-pager").current_dir(&self.folder);
        git.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_REPLACE_OBJECTS", "1");
        git.env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", if self.fetches { "0" } else { "1" });
        // Set where polc runs from a hook: they would name another repository than the folder does.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_EXTERNAL_DIFF"] {
            git.env_remove(variable);
        }
        git
    }
}

fn path_of(change: &Change) -> &str {
    change.new.as_ref().or(change.old.as_ref()).map_or("", |entry| entry.path.as_str())
}

fn side(mode: &str, id: &str, path: String) -> Result<Option<TreeEntry>, GitError> {
    if mode == "000000" {
        return Ok(None);
    }
    let kind = EntryKind::of_mode(mode)
        .ok_or_else(|| GitError::Unexpected { command: "diff-tree", what: format!("mode {mode}") })?;
    Ok(Some(TreeEntry { path, kind, id: object_id("diff-tree", id)? }))
}

/// What NUL bytes end.
fn records(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| *byte == 0).filter(|record| !record.is_empty())
}

fn object_id(command: &'static str, text: &str) -> Result<ObjectId, GitError> {
    text.parse().map_err(|_| GitError::Unexpected { command, what: text.to_owned() })
}

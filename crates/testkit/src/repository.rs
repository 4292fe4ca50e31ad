//! Temporary git repositories, made by the real git.

use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A repository that goes away with its value.
#[derive(Debug)]
pub struct TestRepository {
    folder: TempDir,
}

/// The time of every commit, so that ids are the same in every run.
const DATE: &str = "2026-01-02T03:04:05+00:00";

impl TestRepository {
    /// An empty repository on branch `main`.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let repository = TestRepository { folder };
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file, folders included.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let file = self.path().join(path);
        std::fs::create_dir_all(file.parent().expect("a file has a folder")).expect("the folder can be made");
        std::fs::write(&file, content).expect("the file can be written");
        file
    }

    /// Makes a symbolic link, folders included.
    pub fn link(&self, path: &str, target: &str) {
        let file = self.path().join(path);
        std::fs::create_dir_all(file.parent().expect("a file has a folder")).expect("the folder can be made");
        std::os::unix::fs::symlink(target, file).expect("the link can be made");
    }

    /// Commits everything there is and gives the commit's id.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs git in it and gives what it printed, trimmed.
    pub fn git(&self, arguments: &[&str]) -> String {
        let output = command(self.path()).args(arguments).output().expect("git runs");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

impl Default for TestRepository {
    fn default() -> Self {
        TestRepository::new()
    }
}

/// A git that reads no configuration but the repository's and writes everything the same way.
pub fn command(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "A Contributor")
        .env("GIT_AUTHOR_EMAIL", "contributor@example.org")
        .env("GIT_COMMITTER_NAME", "A Contributor")
        .env("GIT_COMMITTER_EMAIL", "contributor@example.org")
        .env("GIT_AUTHOR_DATE", DATE)
        .env("GIT_COMMITTER_DATE", DATE)
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE");
    git
}

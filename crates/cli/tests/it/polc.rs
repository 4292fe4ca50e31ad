//! The binary, in a temporary repository.

use polc_testkit::TestRepository;
use polc_testkit::repository::command as git_command;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The folder of this checkout.
pub(crate) fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// What a run of a program left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(command: &mut Command) -> Ran {
        let output = command.output().unwrap();
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Its standard output as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }
}

/// A command of polc in a folder, which never goes to the network.
pub(crate) fn polc(folder: &Path, arguments: &[&str]) -> Command {
    // As for git in tests: no configuration but the repository's, the same author everywhere.
    let mut command = Command::new(env!("CARGO_BIN_EXE_polc"));
    command.current_dir(folder).args(arguments).env("CARGO_NET_OFFLINE", "true");
    // A port that nothing listens on: what a test asks GitHub for comes from a server that the test names.
    command.env("GITHUB_API_URL", "http://127.0.0.1:9").env_remove("GITHUB_TOKEN");
    for (name, value) in git_command(folder).get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// A repository that is a root of polc and its own project `zoo`.
#[derive(Debug)]
pub(crate) struct Zoo {
    pub(crate) repository: TestRepository,
    _building: Option<Building>,
}

/// What the zoo expects, unless a test says otherwise.
pub(crate) const PAGE: &str = "# Contributing to the zoo\n\n\
    Every file ends with a newline. We are happy about every animal.\n\n\
    Never commit a walrus, since walruses do not merge.\n";

impl Zoo {
    /// With one page, committed, and nothing done yet.
    pub(crate) fn with(page: &str) -> Zoo {
        let repository = TestRepository::new();
        repository.write("CONTRIBUTING.md", page);
        repository.commit("Say what we expect");
        Zoo { repository, _building: None }
    }

    /// The same, in a test that builds checkers.
    pub(crate) fn that_builds(page: &str) -> Zoo {
        let zoo = Zoo::with(page);
        Zoo { _building: Some(share_builds(zoo.path())), ..zoo }
    }

    pub(crate) fn path(&self) -> &Path {
        self.repository.path()
    }

    pub(crate) fn polc(&self, arguments: &[&str]) -> Ran {
        Ran::of(&mut polc(self.path(), arguments))
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Runs commands that have to succeed; `zoo` stands for itself.
    #[track_caller]
    pub(crate) fn does(&self, commands: &[&str]) {
        for command in commands {
            self.polc(&command.split(' ').collect::<Vec<_>>()).exits(0);
        }
    }

    /// Everything up to the confirmed manifest.
    #[track_caller]
    pub(crate) fn up_to_manifest(&self) {
        self.does(&[
            "init zoo/zoo --git . --slug zoo --setting pull-request",
            "pin zoo",
            "fetch zoo",
            "manifest zoo",
            "manifest confirm zoo --by keeper",
        ]);
    }

    /// Everything up to the rendered stubs, each row accepted.
    #[track_caller]
    pub(crate) fn up_to_stubs(&self) {
        self.up_to_manifest();
        self.does(&["extract zoo"]);
        self.accept_all();
        self.does(&["freeze zoo --by keeper", "classify zoo", "compile zoo --stubs"]);
    }

    /// Accepts every row that waits.
    #[track_caller]
    pub(crate) fn accept_all(&self) {
        let sheet = self.polc(&["decide", "zoo", "--sheet", "-"]).exits(0).out;
        self.repository
            .write(".polc/accepted.toml", sheet.replace("decision = \"\"", "decision = \"accept\""));
        self.does(&["decide zoo --from .polc/accepted.toml --by keeper"]);
    }
}

/// Held by the one test that builds checkers: their crates bear the same name.
pub(crate) type Building = MutexGuard<'static, ()>;

static BUILDING: Mutex<()> = Mutex::new(());

/// Lets the crates of checkers of all tests share what cargo has built, one after the other.
pub(crate) fn share_builds(root: &Path) -> Building {
    let building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("checkers");
    std::fs::create_dir_all(&shared).unwrap();
    std::fs::create_dir_all(root.join(".polc")).unwrap();
    std::os::unix::fs::symlink(shared, root.join(".polc/target")).unwrap();
    building
}

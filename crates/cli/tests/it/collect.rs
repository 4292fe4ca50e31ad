//! The scripts for a harness, under every shell that is here, in repositories that the real git made.

use crate::polc::{Ran, polc};
use polc_checker::evidence::Part;
use polc_evidence::run::{Options, Place, RunRead, read_run};
use polc_testkit::TestRepository;
use polc_testkit::repository::command as git_command;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The shells, each with the options that a script must not be surprised by.
const SHELLS: [&[&str]; 5] =
    [&["dash"], &["dash", "-eu"], &["bash"], &["bash", "-eu", "-o", "pipefail", "-f"], &["busybox", "sh"]];

fn shells() -> impl Iterator<Item = &'static [&'static str]> {
    let there = |shell: &&[&str]| {
        let found = Command::new("sh").args(["-c", &format!("command -v {}", shell[0])]).output().unwrap();
        found.status.success()
    };
    let found: Vec<_> = SHELLS.into_iter().filter(there).collect();
    assert!(found.len() >= 4, "dash and bash are what the scripts are written for: {found:?}");
    found.into_iter()
}

/// A folder of a harness, beside the repository: the two scripts, and what the probe printed.
struct Harness {
    folder: TempDir,
}

impl Harness {
    fn new() -> Harness {
        let folder = tempfile::tempdir().unwrap();
        for script in ["probe", "collect"] {
            let printed = Ran::of(&mut polc(folder.path(), &["collect", script])).exits(0).out;
            std::fs::write(folder.path().join(format!("{script}.sh")), printed).unwrap();
        }
        Harness { folder }
    }

    fn command(&self, shell: &[&str], script: &str, folder: &Path) -> Command {
        let git = git_command(folder);
        let mut command = Command::new(shell[0]);
        command.current_dir(folder).args(&shell[1..]).arg(self.folder.path().join(script));
        for (name, value) in git.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    fn probe(&self, repository: &TestRepository) {
        let output = self.command(&["sh"], "probe.sh", repository.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::write(self.folder.path().join("probe.txt"), output.stdout).unwrap();
    }

    /// What collect prints, the same under every shell.
    fn collect(&self, folder: &Path, set: &[(&str, &str)]) -> Sections {
        let mut first: Option<Vec<u8>> = None;
        for shell in shells() {
            let mut command = self.command(shell, "collect.sh", folder);
            let output = command.envs(set.iter().copied()).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && errors.is_empty(), "{shell:?}: {errors}");
            match &first {
                None => first = Some(output.stdout),
                Some(first) => assert!(*first == output.stdout, "{shell:?} prints something else"),
            }
        }
        Sections::read(&first.unwrap())
    }
}

/// What collect printed, by section.
#[derive(Debug)]
struct Sections(BTreeMap<String, Vec<u8>>);

const NAMES: [&str; 6] = ["PROBE", "BRANCH", "LOG", "STATUS", "PATCH_COMMITTED", "PATCH"];

impl Sections {
    fn read(printed: &[u8]) -> Sections {
        let mut sections: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let mut order = Vec::new();
        for line in printed.split_inclusive(|byte| *byte == b'\n') {
            let name = NAMES.iter().find(|name| line == format!("==={name}===\n").as_bytes());
            match (name, order.last()) {
                // The last section goes to the end, whatever is in it.
                (Some(name), last) if last != Some(&"PATCH") => {
                    assert!(sections.insert((*name).to_owned(), Vec::new()).is_none(), "{name} twice");
                    order.push(*name);
                }
                (_, Some(last)) => sections.get_mut(*last).unwrap().extend(line),
                (_, None) => panic!("text before the first section: {}", String::from_utf8_lossy(line)),
            }
        }
        let expected: Vec<&str> = NAMES.into_iter().filter(|name| order.contains(name)).collect();
        assert_eq!(order, expected);
        Sections(sections)
    }

    /// All of it, as it was printed.
    fn whole(&self) -> Vec<u8> {
        let printed = NAMES.iter().filter_map(|name| Some((name, self.0.get(*name)?)));
        printed.flat_map(|(name, text)| [format!("==={name}===\n").as_bytes(), text].concat()).collect()
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.0[name].clone()).unwrap()
    }

    fn branch(&self, key: &str) -> String {
        let text = self.text("BRANCH");
        let value = text.lines().find_map(|line| line.strip_prefix(&format!("{key}=")));
        value.unwrap_or_else(|| panic!("no {key} in {text}")).to_owned()
    }
}

/// The tree that a patch makes of another one.
fn patched(repository: &TestRepository, start: &str, patch: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (index, file) = (folder.path().join("index"), folder.path().join("patch"));
    std::fs::write(&file, patch).unwrap();
    let git = |arguments: &[&OsStr]| {
        let output = git_command(repository.path())
            .args(["-c", "core.attributesFile=/dev/null"])
            .args(arguments)
            .env("GIT_INDEX_FILE", &index)
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let word = OsStr::new;
    if !start.is_empty() {
        git(&[word("read-tree"), word(start)]);
    }
    if !patch.is_empty() {
        git(&[word("apply"), word("--cached"), word("--whitespace=nowarn"), file.as_os_str()]);
    }
    git(&[word("write-tree")])
}

/// The tree as it stands.
fn standing(repository: &TestRepository) -> String {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("index");
    let git = |arguments: &[&str]| {
        let output =
            git_command(repository.path()).args(arguments).env("GIT_INDEX_FILE", &index).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["read-tree", "HEAD"]);
    git(&["add", "--all", "--ignore-errors"]);
    git(&["write-tree"])
}

/// Everything that a script could change: the index, the references, the objects.
fn state(repository: &TestRepository) -> (Option<Vec<u8>>, String, Vec<PathBuf>) {
    let folder = repository.path().join(".git");
    let index = std::fs::read(folder.join("index")).ok();
    (index, repository.git(&["for-each-ref"]), polc_testkit::shared::files_below(&folder.join("objects")))
}

/// One repository: what was there before the agent, and what it did.
struct Scene {
    name: &'static str,
    before: fn(&TestRepository),
    agent: fn(&TestRepository),
    commits: &'static str,
}

fn one_commit(repository: &TestRepository) {
    repository.write("a.py", "def f():\n    return 1\n");
    repository.write("old name.py", "x = 1\ny = 2\nz = 3\n");
    repository.write("gone.txt", "gone\n");
    repository.write("picture.bin", [0_u8, 1, 2, 255]);
    repository.commit("Begin");
}

fn nothing(_: &TestRepository) {}

fn much(repository: &TestRepository) {
    repository.write("a.py", "def f():\n    return 2\n");
    repository.git(&["mv", "old name.py", "new name.py"]);
    repository.write("picture.bin", [0_u8, 9, 2, 255, 7]);
    repository.commit("Change f\n\nIt was wrong.\n\nFixes: #1");
    std::fs::remove_file(repository.path().join("gone.txt")).unwrap();
    repository.write("staged.py", "s = 1\n");
    repository.git(&["add", "staged.py"]);
    repository.write("staged.py", "s = 2\n");
    repository.write("scratch/untracked.py", "no newline at the end");
    let script = repository.write("run.sh", "#!/bin/sh\n");
    std::fs::set_permissions(script, PermissionsExt::from_mode(0o755)).unwrap();
    repository.link("link", "a.py");
}

fn odd_names(repository: &TestRepository) {
    let names: [&[u8]; 8] =
        [b"a b", b"tab\there", b"new\nline", b"quo\"te", b"back\\slash", b"\xff\xfe", "é".as_bytes(), b"-n"];
    for name in names {
        let path = repository.path().join(OsStr::from_bytes(name));
        std::fs::write(path, "content\n").unwrap();
    }
    repository.commit("Add odd names");
    repository.git(&["mv", "new\nline", "other\tline"]);
    repository.git(&["mv", "quo\"te", "plain"]);
    repository.write("a b", "much\nmore\ncontent\n");
    repository.commit("Rename odd names");
    repository.write("===PATCH===", "===PATCH===\n===LOG===\n");
    repository.write("a b", "===PATCH===\ndiff --git a/x b/x\n===STATUS===\n\\ No newline at end of file");
}

fn prints_markers(repository: &TestRepository) {
    repository.write("log.txt", "===PROBE===\nmodel=x\n===BRANCH===\n===LOG===\n===STATUS===\n===PATCH===\n");
    repository.commit("===PATCH===\n\n===STATUS===\n===PATCH_COMMITTED===\n");
    repository.git(&["checkout", "--quiet", "-b", "===LOG==="]);
}

fn detached(repository: &TestRepository) {
    repository.git(&["checkout", "--quiet", "--detach"]);
    repository.write("a.py", "a = 1\n");
    repository.commit("Without a branch");
}

fn orphan(repository: &TestRepository) {
    repository.git(&["checkout", "--quiet", "--orphan", "fresh"]);
    repository.git(&["rm", "-r", "--quiet", "--force", "."]);
    repository.write("only.txt", "only\n");
}

fn amended_and_merged(repository: &TestRepository) {
    repository.git(&["checkout", "--quiet", "-b", "side"]);
    repository.write("side.py", "s = 1\n");
    repository.commit("Side");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.write("a.py", "a = 1\n");
    repository.commit("Main");
    repository.git(&["commit", "--quiet", "--amend", "-m", "Main, again"]);
    repository.git(&["merge", "--quiet", "--no-ff", "-m", "Merge side", "side"]);
}

fn conflict(repository: &TestRepository) {
    repository.git(&["checkout", "--quiet", "-b", "side"]);
    repository.write("a.py", "side = 1\n");
    repository.commit("Side");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.write("a.py", "main = 1\n");
    repository.commit("Main");
    let merge = git_command(repository.path()).args(["merge", "side"]).output().unwrap();
    assert!(!merge.status.success());
}

fn submodule(repository: &TestRepository) {
    let other = TestRepository::new();
    other.write("o.txt", "o\n");
    other.commit("Other");
    let from = other.path().to_str().unwrap();
    repository.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", from, "sub"]);
    repository.commit("Add a submodule");
    repository.write("sub/o.txt", "dirty\n");
    repository.git(&["config", "-f", ".gitmodules", "submodule.sub.ignore", "all"]);
    // A repository of its own without a commit, which git cannot add.
    std::fs::create_dir(repository.path().join("nested")).unwrap();
    repository.git(&["init", "--quiet", "nested"]);
    repository.write("nested/n.txt", "n\n");
}

fn broken_index(repository: &TestRepository) {
    repository.write("a.py", "a = 1\n");
    repository.commit("Change a");
    repository.write("b.py", "b = 1\n");
    repository.git(&["add", "--intent-to-add", "b.py"]);
    repository.git(&["update-index", "--assume-unchanged", "gone.txt"]);
}

fn big(repository: &TestRepository) {
    repository.write("big.txt", "a line of text, again and again\n".repeat(100_000));
    repository.write("long.txt", "x".repeat(1_000_000));
    repository.commit("Add much");
}

const SCENES: [Scene; 14] = [
    Scene { name: "nothing done", before: one_commit, agent: nothing, commits: "0" },
    Scene { name: "much done", before: one_commit, agent: much, commits: "1" },
    Scene { name: "odd names", before: one_commit, agent: odd_names, commits: "2" },
    Scene { name: "markers", before: one_commit, agent: prints_markers, commits: "1" },
    Scene { name: "detached", before: one_commit, agent: detached, commits: "1" },
    Scene { name: "orphan", before: one_commit, agent: orphan, commits: "0" },
    Scene { name: "merge", before: one_commit, agent: amended_and_merged, commits: "3" },
    Scene { name: "conflict", before: one_commit, agent: conflict, commits: "1" },
    Scene { name: "submodule", before: one_commit, agent: submodule, commits: "1" },
    Scene { name: "intent to add", before: one_commit, agent: broken_index, commits: "1" },
    Scene { name: "big", before: one_commit, agent: big, commits: "1" },
    Scene { name: "never a commit", before: nothing, agent: nothing, commits: "0" },
    Scene { name: "no commit yet", before: nothing, agent: odd_names, commits: "2" },
    Scene { name: "first commit", before: nothing, agent: one_commit, commits: "1" },
];

fn holds(scene: &Scene, hostile: bool) {
    let (repository, harness) = (TestRepository::new(), Harness::new());
    (scene.before)(&repository);
    harness.probe(&repository);
    let start = git_command(repository.path()).args(["rev-parse", "--verify", "HEAD"]).output().unwrap();
    let start = if start.status.success() { repository.git(&["rev-parse", "HEAD"]) } else { String::new() };
    (scene.agent)(&repository);
    if hostile {
        set_against_it(&repository);
    }
    let before = state(&repository);
    let sections = harness.collect(repository.path(), &[]);
    assert!(before == state(&repository), "{}: the repository was changed", scene.name);

    let born = git_command(repository.path()).args(["rev-parse", "--verify", "HEAD"]).output().unwrap();
    let head = if born.status.success() { repository.git(&["rev-parse", "HEAD"]) } else { String::new() };
    assert_eq!(sections.branch("start_head"), start, "{}", scene.name);
    assert_eq!(sections.branch("start_head_source"), "probe_start_head", "{}", scene.name);
    assert_eq!(sections.branch("head"), head, "{}", scene.name);
    assert_eq!(sections.branch("n_commits"), scene.commits, "{}", scene.name);
    let (committed, tree) = (&sections.0["PATCH_COMMITTED"], &sections.0["PATCH"]);
    if head.is_empty() {
        assert!(committed.is_empty() && sections.0["LOG"].is_empty(), "{}", scene.name);
    } else {
        let expected = repository.git(&["rev-parse", "HEAD^{tree}"]);
        assert_eq!(patched(&repository, &start, committed), expected, "{}: what was committed", scene.name);
    }
    assert_eq!(patched(&repository, &start, tree), standing(&repository), "{}: the tree", scene.name);
    reads_back(scene.name, &repository, &start, &head, &sections);
}

/// What a run hands in is read as what git itself says of the repository.
fn reads_back(name: &str, repository: &TestRepository, start: &str, head: &str, printed: &Sections) {
    let read = handed_in(&printed.whole());
    let evidence = &read.evidence;
    let git = |arguments: &[&str]| {
        let output = git_command(repository.path())
            .args([
                "-c",
                "diff.renames=true",
                "-c",
                "status.renames=true",
                "-c",
                "diff.relative=false",
                "-c",
                "diff.ignoreSubmodules=none",
            ])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(evidence.run.start.as_deref().unwrap_or_default(), start, "{name}");
    assert_eq!(evidence.run.head.as_deref().unwrap_or_default(), head, "{name}");
    let branch = repository.git(&["branch", "--show-current"]);
    assert_eq!(evidence.run.branch.as_deref().unwrap_or_default(), branch, "{name}");

    let commits = recorded(name, &evidence.commits);
    let range = if start.is_empty() { head.to_owned() } else { format!("{start}..{head}") };
    let list = if head.is_empty() { String::new() } else { git(&["rev-list", "--reverse", &range]) };
    let ids: Vec<&str> = commits.iter().map(|commit| commit.id.as_str()).collect();
    assert_eq!(ids, list.lines().collect::<Vec<_>>(), "{name}");
    for commit in commits {
        let stored = git(&["cat-file", "commit", &commit.id]);
        let message = stored.split_once("\n\n").map(|(_, message)| message.trim_matches('\n')).unwrap();
        assert_eq!(commit.message.raw().trim_matches('\n'), message, "{name}");
        let Some(paths) = &commit.paths else {
            assert!(commit.is_merge(), "{name}: {commit:?}");
            continue;
        };
        let changed = git(&[
            "diff-tree",
            "--ignore-submodules=none",
            "--root",
            "-r",
            "-z",
            "-M",
            "--name-only",
            "--no-commit-id",
            &commit.id,
        ]);
        assert_eq!(sorted(paths.iter().map(String::as_str)), sorted(names(&changed)), "{name}: {commit:?}");
    }

    let codes = git(&[
        "status",
        "--porcelain",
        "-z",
        "--no-renames",
        "--untracked-files=normal",
        "--ignore-submodules=none",
    ]);
    let moved = recorded(name, &evidence.status).iter().filter(|entry| entry.old_path.is_some()).count();
    let status =
        recorded(name, &evidence.status).iter().map(|entry| (entry.code.as_str(), entry.path.as_str()));
    let expected = names(&codes).map(|line| (&line[..2], &line[3..]));
    if moved == 0 {
        assert_eq!(sorted(status), sorted(expected), "{name}");
    }

    let nothing = repository.git(&["hash-object", "-t", "tree", "/dev/null"]);
    let from = if start.is_empty() { nothing.as_str() } else { start };
    let trees = [
        (&evidence.files, (!head.is_empty()).then(|| head.to_owned())),
        (&evidence.worktree, Some(standing(repository))),
    ];
    for (files, tree) in trees {
        let found = recorded(name, files).iter().map(|file| file.path.as_str());
        let changed = tree.map(|tree| {
            git(&["diff-tree", "--ignore-submodules=none", "-r", "-z", "-M", "--name-only", from, &tree])
        });
        assert_eq!(sorted(found), sorted(names(changed.as_deref().unwrap_or_default())), "{name}");
    }
}

/// A run that handed in what collect printed.
fn handed_in(printed: &[u8]) -> RunRead {
    let run = serde_json::json!({
        "instance_id": "zoo__ark-1", "model": "walrus-1", "setting": "native", "exit_status": "Submitted",
        "steps": [{"command": "ls", "output": "", "returncode": 0}], "pr_text": "",
        "submission": String::from_utf8_lossy(printed),
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    std::fs::write(&path, run.to_string()).unwrap();
    read_run(&Place::file(path), &Options::default()).unwrap()
}

fn recorded<'e, T>(name: &str, part: &'e Part<T>) -> &'e T {
    match part {
        Part::Recorded(value) => value,
        Part::Missing(absence) => panic!("{name}: {}", absence.as_str()),
    }
}

/// What stands between zero bytes.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('\0').filter(|name| !name.is_empty())
}

fn sorted<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort();
    all
}

/// Every setting that would change what git prints, in the repository itself.
fn set_against_it(repository: &TestRepository) {
    for (key, value) in [
        ("core.pager", "false"),
        ("pager.log", "true"),
        ("pager.diff", "sed s/a/b/"),
        ("color.ui", "always"),
        ("color.diff", "always"),
        ("color.status", "always"),
        ("diff.external", "false"),
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.renames", "false"),
        ("diff.context", "0"),
        ("diff.algorithm", "patience"),
        ("diff.wordRegex", "."),
        ("diff.submodule", "log"),
        ("diff.ignoreSubmodules", "all"),
        ("diff.suppressBlankEmpty", "true"),
        ("diff.relative", "true"),
        ("diff.loud.textconv", "tr a-z A-Z <"),
        ("core.quotePath", "false"),
        ("core.fsmonitor", "false"),
        ("core.hooksPath", "/nowhere"),
        ("log.showSignature", "true"),
        ("log.decorate", "full"),
        ("log.abbrevCommit", "true"),
        ("log.showRoot", "false"),
        ("i18n.logOutputEncoding", "UTF-16"),
        ("format.pretty", "oneline"),
        ("status.short", "true"),
        ("status.branch", "true"),
        ("status.showUntrackedFiles", "no"),
        ("status.renames", "false"),
        ("alias.log", "!false"),
        ("alias.diff-tree", "!false"),
    ] {
        repository.git(&["config", key, value]);
    }
    std::fs::write(repository.path().join(".git/info/attributes"), "*.py diff=loud\n").unwrap();
}

#[test]
fn what_collect_prints_makes_the_same_trees_under_every_shell_and_changes_nothing() {
    std::thread::scope(|scope| {
        for scene in &SCENES {
            scope.spawn(move || holds(scene, false));
        }
    });
}

#[test]
fn no_setting_of_the_repository_changes_what_collect_prints() {
    std::thread::scope(|scope| {
        for scene in SCENES.iter().filter(|scene| scene.name != "never a commit") {
            scope.spawn(move || holds(scene, true));
        }
    });
    let (plain, harness) = (TestRepository::new(), Harness::new());
    one_commit(&plain);
    harness.probe(&plain);
    much(&plain);
    let expected = harness.collect(plain.path(), &[]).0;
    set_against_it(&plain);
    assert_eq!(harness.collect(plain.path(), &[]).0, expected);
}

#[test]
fn no_variable_and_no_folder_changes_what_collect_prints() {
    let (repository, other, harness) = (TestRepository::new(), TestRepository::new(), Harness::new());
    one_commit(&repository);
    harness.probe(&repository);
    much(&repository);
    other.write("other.txt", "other\n");
    other.commit("Other");
    let expected = harness.collect(repository.path(), &[]).0;
    let elsewhere = other.path().join(".git");
    let elsewhere = elsewhere.to_str().unwrap();
    let probe = harness.folder.path().join("probe.txt");
    let set = [
        ("GIT_DIR", elsewhere),
        ("GIT_WORK_TREE", "/"),
        ("GIT_INDEX_FILE", "/nowhere/index"),
        ("GIT_OBJECT_DIRECTORY", "/nowhere/objects"),
        ("GIT_EXTERNAL_DIFF", "false"),
        ("GIT_PAGER", "false"),
        ("GIT_DIFF_OPTS", "-u0"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "diff.noprefix"),
        ("GIT_CONFIG_VALUE_0", "true"),
        ("GIT_LITERAL_PATHSPECS", "1"),
        ("GIT_TRACE", "1"),
        ("LC_ALL", "C.UTF-8"),
        ("COLUMNS", "20"),
        ("IFS", "/"),
        ("POSIXLY_CORRECT", "1"),
        ("BASH_FUNC_git%%", "() { echo no; }"),
        ("TMPDIR", "/nowhere"),
        ("RUN_PROBE", probe.to_str().unwrap()),
    ];
    let within = repository.path().join("scratch");
    assert_eq!(harness.collect(repository.path(), &set[..18]).0, expected);
    assert_eq!(harness.collect(&within, &set).0, expected, "from a folder of the repository");
    let named = [("RUN_REPOSITORY", repository.path().to_str().unwrap())];
    assert_eq!(harness.collect(other.path(), &named).0, expected, "from elsewhere");
}

#[test]
fn the_log_and_the_status_are_as_git_prints_them() {
    let (repository, harness) = (TestRepository::new(), Harness::new());
    one_commit(&repository);
    harness.probe(&repository);
    much(&repository);
    repository.write("patch.txt", "a patch\n");
    repository.write("a.py.orig", "before\n");
    repository.write("scratch/a.rej", "refused\n");
    let sections = harness.collect(repository.path(), &[]);
    let log = repository.git(&["log", "--format=raw", "--stat", "HEAD~1.."]);
    assert_eq!(sections.text("LOG").trim(), log);
    assert!(log.contains("\n    Fixes: #1\n\n a.py "), "{log}");
    let status = "?? a.py.orig\n?? link\n?? patch.txt\n?? run.sh\n?? scratch/\n";
    assert_eq!(sections.text("STATUS"), format!(" D gone.txt\nAM staged.py\n{status}"));
    let patch = sections.text("PATCH");
    let files: Vec<&str> = patch.lines().filter_map(|line| line.strip_prefix("diff --git a/")).collect();
    let expected = [
        "a.py b/a.py",
        "gone.txt b/gone.txt",
        "link b/link",
        "old name.py b/new name.py",
        "picture.bin b/picture.bin",
        "run.sh b/run.sh",
        "scratch/untracked.py b/scratch/untracked.py",
        "staged.py b/staged.py",
    ];
    assert_eq!(files, expected, "patch.txt, *.orig and *.rej are left out");
    assert!(patch.contains("similarity index 100%\nrename from old name.py\nrename to new name.py\n"));
    assert!(sections.text("PATCH_COMMITTED").contains("GIT binary patch"));
}

#[test]
fn the_start_is_what_is_known_best_and_without_one_nothing_counts_as_committed() {
    let (repository, harness) = (TestRepository::new(), Harness::new());
    repository.write("a", "1\n");
    let base = repository.commit("Base");
    repository.write("a", "2\n");
    let image = repository.commit("SWE-bench");
    harness.probe(&repository);
    repository.write("a", "3\n");
    let head = repository.commit("Change a");
    repository.write("b", "1\n");
    let told = |set: &[(&str, &str)]| {
        let sections = harness.collect(repository.path(), set);
        (sections.branch("start_head"), sections.branch("start_head_source"), sections)
    };
    let (start, source, _) = told(&[("RUN_BASE_COMMIT", &base)]);
    assert_eq!((start.as_str(), source.as_str()), (image.as_str(), "probe_start_head"));
    let (start, source, _) = told(&[("RUN_BASE_COMMIT", &base), ("RUN_START_HEAD", &head)]);
    assert_eq!((start.as_str(), source.as_str()), (head.as_str(), "run_meta"));
    let probe = harness.folder.path().join("probe.txt");
    let foreign = "f".repeat(40);
    std::fs::write(&probe, format!("start_head={foreign}\nbase_commit={base}\n")).unwrap();
    let (start, source, sections) = told(&[("RUN_BASE_COMMIT", "--all")]);
    assert_eq!((start.as_str(), source.as_str()), (base.as_str(), "probe_base_commit"));
    assert_eq!(sections.branch("n_commits"), "2");
    std::fs::write(&probe, "model=x\n===PATCH===\nno pair\nBAD=1\n# a comment\n").unwrap();
    let (start, source, sections) = told(&[("RUN_BASE_COMMIT", &base)]);
    assert_eq!((start.as_str(), source.as_str()), (base.as_str(), "run_meta_base_commit"));
    assert_eq!(sections.text("PROBE"), "model=x\n", "what is no pair is left out");
    std::fs::remove_file(&probe).unwrap();
    let (start, source, sections) = told(&[]);
    assert_eq!((start.as_str(), source.as_str()), (head.as_str(), "fallback_head_uncommitted_only"));
    assert_eq!(
        sections.0.keys().collect::<Vec<_>>(),
        ["BRANCH", "PATCH", "STATUS"],
        "the rest cannot be told"
    );
    assert_eq!(sections.branch("n_commits"), "");
    assert!(sections.text("PATCH").starts_with("diff --git a/b b/b\nnew file"));
}

/// What a probe has to say, in this order.
const PROBE_KEYS: &str = "probe_version instance_id base_commit base_commit_date dataset_created_at condition model \
    framework reasoning attempt_n start_head start_branch hooks_installed hooks_path repo_hooks_path \
    hook_config_present precommit_on_path tool_ruff tool_flake8 tool_black tool_isort tool_pytest network_tcp \
    network_docs docs_url rules_file_present rules_file_sha256 rules_file_chars rules_file_lines rules_file_path \
    git_user_name git_user_email python_version git_version";

#[test]
fn a_probe_says_what_there_is() {
    let (repository, harness, page) = (TestRepository::new(), Harness::new(), polc_testkit::Server::start());
    page.answer("/contributing", |_| polc_testkit::Reply::text("Welcome."));
    one_commit(&repository);
    repository.write(".pre-commit-config.yaml", "repos: []\n");
    let hook = repository.write(".git/hooks/pre-commit", "#!/bin/sh\n");
    std::fs::set_permissions(hook, PermissionsExt::from_mode(0o755)).unwrap();
    repository.git(&["config", "user.name", "Zoë = the keeper"]);
    let rules = harness.folder.path().join("RULES.md");
    std::fs::write(&rules, "# Zoë\n\nNo walrus…\n").unwrap();
    let base = repository.git(&["rev-parse", "HEAD"]);
    let docs = page.url("/contributing");
    let date = repository.git(&["show", "--no-patch", "--format=%cI"]);
    for shell in shells() {
        let output = harness
            .command(shell, "probe.sh", repository.path())
            .env("RUN_INSTANCE_ID", "zoo__zoo-1")
            .env("RUN_BASE_COMMIT", &base)
            .env("RUN_MODEL", "a model\n===PATCH===")
            .env("RUN_DOCS_URL", &docs)
            .env("RUN_RULES_FILE", &rules)
            .env_remove("GIT_AUTHOR_NAME")
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{shell:?}: {text}");
        let pairs: Vec<(&str, &str)> = text.lines().map(|line| line.split_once('=').unwrap()).collect();
        let keys: Vec<&str> = pairs.iter().map(|(key, _)| *key).collect();
        assert_eq!(keys, PROBE_KEYS.split_whitespace().collect::<Vec<_>>(), "{shell:?}");
        let value = |key: &str| pairs.iter().find(|(name, _)| *name == key).unwrap().1.to_owned();
        for (key, expected) in [
            ("instance_id", "zoo__zoo-1"),
            ("base_commit_date", &date),
            ("model", "a model"),
            ("start_head", &base),
            ("start_branch", "main"),
            ("hooks_installed", "1"),
            ("hook_config_present", "yes"),
            ("network_tcp", "ok"),
            ("network_docs", "ok"),
            ("rules_file_present", "yes"),
            ("rules_file_chars", "18"),
            ("rules_file_lines", "3"),
            ("git_user_name", "Zoë = the keeper"),
            ("git_user_email", "contributor@example.org"),
        ] {
            assert_eq!(value(key), expected, "{shell:?}: {key}");
        }
        assert_eq!(value("rules_file_sha256").len(), 64);
    }
}

#[test]
fn a_probe_without_a_network_or_tools_says_so() {
    let (repository, harness) = (TestRepository::new(), Harness::new());
    one_commit(&repository);
    let bare = tempfile::tempdir().unwrap();
    for tool in ["git", "env", "cat", "mkdir", "rm", "sed", "tr", "wc", "grep"] {
        let found = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output().unwrap();
        let found = String::from_utf8(found.stdout).unwrap();
        std::os::unix::fs::symlink(found.trim(), bare.path().join(tool)).unwrap();
    }
    let run = |set: &[(&str, &str)]| {
        let shell = ["/bin/dash"];
        let mut command = harness.command(&shell, "probe.sh", repository.path());
        Ran::of(command.envs(set.iter().copied()))
    };
    let closed = run(&[("RUN_DOCS_URL", "http://127.0.0.1:9/")]).exits(0).out;
    assert!(closed.contains("\nnetwork_tcp=unreachable\nnetwork_docs=unreachable\n"), "{closed}");
    let path = bare.path().to_str().unwrap();
    let without = run(&[("PATH", path), ("RUN_DOCS_URL", "http://127.0.0.1:9/")]).exits(0).out;
    assert!(without.contains("\nnetwork_tcp=skipped\nnetwork_docs=skipped\n"), "{without}");
    assert!(without.contains("\ntool_pytest=missing\n") && without.contains("\npython_version=missing\n"));
    std::fs::remove_file(bare.path().join("git")).unwrap();
    assert!(run(&[("PATH", path)]).exits(2).err.contains("there is no git on the PATH"));
    let nowhere = tempfile::tempdir().unwrap();
    let outside = Ran::of(&mut harness.command(&["/bin/dash"], "collect.sh", nowhere.path())).exits(2);
    assert!(outside.err.contains("git cannot read the repository in "), "{}", outside.err);
    assert_eq!(outside.out, "");
}

#[test]
fn shellcheck_finds_nothing_where_it_is_installed() {
    let harness = Harness::new();
    for script in ["probe.sh", "collect.sh"] {
        let path = harness.folder.path().join(script);
        match Command::new("shellcheck").args(["--shell", "sh"]).arg(path).output() {
            Ok(output) => {
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
            }
            Err(_) => polc_testkit::shared::skip("no shellcheck"),
        }
    }
}

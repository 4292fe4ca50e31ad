//! What an agent did, read from its steps.

use polc_checker::activity::{
    Activity, Certainty, Deed, Force, How, Part, Rewrite, Root, Runner, Scope, TestCommand, TestResult,
    Tested, Tool, Unclear, Whereabouts, Work,
};
use polc_checker::evidence::{Action, Output, Step};
use polc_checker::shell::CommitMessage;
use polc_checker::target::{Place, Target};
use proptest::prelude::*;

fn step(command: &str, exit: Option<i32>, output: &str) -> Step {
    Step { exit, output: Some(Output { text: output.to_owned(), truncated: false }), ..Step::shell(command) }
}

fn of(command: &str) -> Vec<Activity> {
    Step::shell(command).activities().to_vec()
}

/// The one test run of a step.
fn test(command: &str, exit: Option<i32>, output: &str) -> Option<(Runner, Scope, TestResult)> {
    let step = step(command, exit, output);
    let mut runs = step.activities().iter().filter_map(|activity| match &activity.deed {
        Deed::Test(run) => Some((run.runner, run.scope.clone(), run.result)),
        _ => None,
    });
    let one = runs.next();
    assert!(runs.next().is_none(), "{command}");
    one
}

#[test]
fn test_runs_are_told_from_what_only_looks_like_one() {
    for (command, runner) in [
        ("pytest", Runner::Pytest),
        ("python -m pytest -q", Runner::Pytest),
        ("cd /testbed && timeout 300 python3.9 -W ignore -m pytest -x 2>&1 | tail -5", Runner::Pytest),
        ("uv run --extra dev pytest", Runner::Pytest),
        ("poetry run python -m pytest", Runner::Pytest),
        ("conda run -n testbed pytest", Runner::Pytest),
        ("coverage run --source src -m pytest", Runner::Pytest),
        ("/opt/venv/bin/pytest", Runner::Pytest),
        ("PYTHONPATH=. pytest", Runner::Pytest),
        ("bash -c 'pytest -q'", Runner::Pytest),
        ("python -m unittest discover", Runner::Unittest),
        ("./tests/runtests.py", Runner::Django),
        ("python tests/runtests.py --settings=test_sqlite", Runner::Django),
        ("python manage.py test", Runner::Django),
        ("nosetests", Runner::Nose),
        ("tox -e py39", Runner::Environments),
        ("nox -s tests", Runner::Environments),
        ("hatch test", Runner::Environments),
        ("python bin/test", Runner::Script),
        ("./bin/test", Runner::Script),
        ("bin/doctest", Runner::Doctest),
        ("python -m doctest a.rst", Runner::Doctest),
        ("python setup.py test", Runner::Setup),
        ("make -j4 test", Runner::Make),
        ("cargo +nightly test -p a", Runner::Cargo),
        ("go test ./...", Runner::Go),
        ("npm test", Runner::JavaScript),
        ("npx jest", Runner::JavaScript),
    ] {
        assert_eq!(test(command, None, "").map(|run| run.0), Some(runner), "{command}");
    }
    for command in [
        "which pytest",
        "pip install pytest",
        "pytest --version",
        "pytest --collect-only",
        "echo pytest",
        "cat bin/test",
        "test -f a",
        "python test.py",
        "grep -rn pytest .",
        "python -c 'import pytest'",
        "make",
        "cargo test --no-run",
        "git commit -m pytest",
        "cat > t.sh <<'E'\npytest\nE",
    ] {
        assert_eq!(test(command, None, ""), None, "{command}");
    }
}

/// Paths, names and expressions of a selection.
fn selection(command: &str) -> Option<(Vec<String>, Vec<String>, Vec<String>)> {
    match test(command, None, "").unwrap().1 {
        Scope::Whole => None,
        Scope::Unknown => Some((vec!["?".to_owned()], Vec::new(), Vec::new())),
        Scope::Selection { paths, names, expressions } => {
            Some((paths.iter().map(|path| path.written.clone()).collect(), names, expressions))
        }
    }
}

#[test]
fn a_selection_is_told_from_the_whole_suite() {
    for whole in [
        "pytest",
        "pytest -x -q --tb=short",
        "pytest --tb short -n 4 -p no:cacheprovider",
        "tox",
        "bin/test",
        "cargo test --workspace",
        "go test ./...",
        "python -m unittest discover",
        "python -m unittest",
        "./runtests.py --parallel 1 -v 2",
    ] {
        assert_eq!(selection(whole), None, "{whole}");
    }
    let all = |paths: &[&str], names: &[&str], expressions: &[&str]| {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        Some((owned(paths), owned(names), owned(expressions)))
    };
    for (command, expected) in [
        ("pytest tests/a.py tests/b", all(&["tests/a.py", "tests/b"], &[], &[])),
        ("pytest 'tests/a.py::T::test_b[x]'", all(&["tests/a.py"], &["tests/a.py::T::test_b[x]"], &[])),
        ("pytest -k 'a and not b' -m slow", all(&[], &[], &["a and not b", "slow"])),
        ("pytest -ka", all(&[], &[], &["a"])),
        ("pytest --lf", all(&[], &[], &["lf"])),
        ("pytest $FILES", all(&["?"], &[], &[])),
        ("f=tests/a.py; pytest $f", all(&["tests/a.py"], &[], &[])),
        ("git diff --name-only | xargs pytest", all(&["?"], &[], &[])),
        ("./tests/runtests.py queries.test_q admin", all(&[], &["queries.test_q", "admin"], &[])),
        ("python -m unittest tests.test_a", all(&[], &["tests.test_a"], &[])),
        ("tox -e py39 -- tests/a.py", all(&["tests/a.py"], &[], &["py39"])),
        ("bin/test sympy/core", all(&["sympy/core"], &[], &[])),
        ("cargo test -p a roar", all(&[], &["roar"], &["a"])),
    ] {
        assert_eq!(selection(command), expected, "{command}");
    }
}

#[test]
fn a_code_counts_only_where_it_is_that_of_the_tests() {
    let unknown = TestResult::Unknown;
    for (command, exit, output, expected) in [
        ("pytest", Some(0), "", TestResult::Passed),
        ("pytest", Some(1), "", TestResult::Failed),
        ("cd /t && pytest", Some(1), "", TestResult::Failed),
        ("cd /t && pytest", Some(0), "", TestResult::Passed),
        ("cd /t; pytest", Some(0), "", TestResult::Passed),
        ("pytest && git push", Some(0), "", TestResult::Passed),
        ("pytest && git push", Some(1), "", unknown(Unclear::NoSummary)),
        ("pytest; true", Some(0), "", unknown(Unclear::NoSummary)),
        ("pytest || true", Some(0), "", unknown(Unclear::NoSummary)),
        ("pytest || true", Some(0), "3 failed, 1 passed in 0.1s", TestResult::Failed),
        ("pytest | tail -3", Some(0), "", unknown(Unclear::NoSummary)),
        ("pytest | tail -3", Some(0), "1 failed in 0.1s", TestResult::Failed),
        ("pytest | tail -3", Some(0), "4 passed in 0.1s", TestResult::Passed),
        ("set -o pipefail; pytest | tail -3", Some(0), "", TestResult::Passed),
        ("set -e; pytest; ls", Some(0), "", TestResult::Passed),
        ("pytest &", Some(0), "", unknown(Unclear::NoSummary)),
        ("pytest > log 2>&1; cat log", Some(0), "2 passed in 1s", unknown(Unclear::NoSummary)),
        ("if true; then pytest; fi", Some(0), "", unknown(Unclear::NoSummary)),
        ("pytest", Some(5), "no tests ran in 0.01s", unknown(Unclear::NothingRan)),
        ("pytest -k x", Some(0), "5 deselected in 0.01s", unknown(Unclear::NothingRan)),
        ("timeout 5 pytest", Some(124), "", unknown(Unclear::Stopped)),
        ("pytest", Some(127), "", unknown(Unclear::NotStarted)),
        ("pytest", None, "1 passed in 0.1s", TestResult::Passed),
        ("pytest 2>&1 | tail", Some(0), "python: No module named pytest", unknown(Unclear::NotStarted)),
        ("exit 0; pytest", Some(0), "", unknown(Unclear::NoSummary)),
    ] {
        assert_eq!(test(command, exit, output).unwrap().2, expected, "{command} {exit:?}");
    }
    assert!(matches!(&Step::shell("pytest").activities()[0].deed, Deed::Test(run)
        if run.result == unknown(Unclear::NotRecorded)));
    let twice = step("pytest a | tail; pytest b | tail", Some(0), "1 passed in 1s\n2 passed in 1s");
    let several = |activity: &Activity| matches!(&activity.deed, Deed::Test(run) if run.result == unknown(Unclear::Several));
    assert!(twice.activities().iter().all(several));
}

/// How files were changed, and which.
fn edits(command: &str) -> Vec<(How, Vec<String>, bool)> {
    let edits = of(command).into_iter().filter_map(|activity| match activity.deed {
        Deed::Edit(edit) => {
            let paths = edit.paths.iter().map(|path| path.written.clone()).collect();
            Some((edit.how, paths, edit.is_complete))
        }
        _ => None,
    });
    edits.collect()
}

#[test]
fn edits_name_their_files() {
    let one = |how: How, paths: &[&str], complete: bool| {
        vec![(how, paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>(), complete)]
    };
    for (command, expected) in [
        ("cat > a.py <<'EOF'\nx > y\nEOF", one(How::Written, &["a.py"], true)),
        ("cat <<EOF > a.py\nx\nEOF", one(How::Written, &["a.py"], true)),
        ("echo x >> a.py", one(How::Appended, &["a.py"], true)),
        ("echo x | tee -a a b", one(How::Appended, &["a", "b"], true)),
        ("echo x 2>/dev/null >&2", vec![]),
        ("echo x > $out", one(How::Written, &["$out"], false)),
        ("sed -i 's/a/b/' a.py b.py", one(How::InPlace, &["a.py", "b.py"], true)),
        ("sed -i.bak -e 's/a/b/' -e p a.py", one(How::InPlace, &["a.py"], true)),
        ("sed -i '' s/a/b/ a.py", one(How::InPlace, &["a.py"], true)),
        ("sed -n 1,5p a.py", vec![]),
        ("perl -pi -e 's/a/b/' a.py", one(How::InPlace, &["a.py"], true)),
        ("grep -l x . | xargs sed -i s/a/b/", one(How::InPlace, &[], false)),
        ("sed -i s/a/b/", vec![]),
        ("find . -name '*.py' -exec sed -i s/a/b/ {} \\;", one(How::InPlace, &["{}"], false)),
        ("patch -p1 < a.diff", one(How::Patched, &[], false)),
        ("git apply a.diff", one(How::Patched, &[], false)),
        ("git apply --check a.diff", vec![]),
        ("mv a b", one(How::Moved, &["a", "b"], true)),
        ("git mv a b", one(How::Moved, &["a", "b"], true)),
        ("cp a b", one(How::Written, &["b"], true)),
        ("rm -rf a", one(How::Removed, &["a"], true)),
        ("touch a", one(How::Touched, &["a"], true)),
        ("black src", one(How::Formatted, &["src"], false)),
        ("black --check src", vec![]),
        ("ruff check --fix .", one(How::Formatted, &[], false)),
        ("git checkout -- a.py", one(How::Restored, &["a.py"], true)),
        ("git checkout HEAD a.py", one(How::Restored, &["a.py"], false)),
        ("git restore a.py", one(How::Restored, &["a.py"], true)),
        ("git reset --hard", one(How::Restored, &[], false)),
        ("python - <<'E'\nwith open('a', 'w') as f:\n    f.write(x)\nE", one(How::Program, &[], false)),
        ("python -c 'Path(\"a\").write_text(\"b\")'", one(How::Program, &[], false)),
        ("python -c 'print(open(\"a\").read())'", vec![]),
        ("x='git status'; $x > /dev/null", vec![]),
    ] {
        assert_eq!(edits(command), expected, "{command}");
    }
    let script = "python - <<'E'\nopen('a', 'w')\nE";
    assert_eq!(of(script)[0].certainty, Certainty::Possible);
}

#[test]
fn reads_searches_and_fetches_are_told() {
    let read = |command: &str| match of(command).into_iter().next().map(|activity| activity.deed) {
        Some(Deed::Read(read)) => Some((
            read.part,
            read.paths.iter().map(|path| path.written.clone()).collect::<Vec<_>>().join(" "),
        )),
        _ => None,
    };
    for (command, expected) in [
        ("cat a b", Some((Part::Whole, "a b"))),
        ("nl -ba a | sed -n 1,5p", Some((Part::Whole, "a"))),
        ("sed -n '1,5p' a", Some((Part::Some, "a"))),
        ("head -n 5 a", Some((Part::Some, "a"))),
        ("head -5 a", Some((Part::Some, "a"))),
        ("grep -n 'x y' a b", Some((Part::Search, "a b"))),
        ("grep -rn -e x --include=*.py src", Some((Part::Search, "src"))),
        ("rg x", Some((Part::Search, "."))),
        ("git log | grep x", None),
        ("git log | head -5", None),
        ("cat <<E\nE", None),
        ("cat < a", Some((Part::Whole, "a"))),
    ] {
        let expected = expected.map(|(part, paths)| (part, paths.to_owned()));
        assert_eq!(read(command), expected, "{command}");
    }
    let hosts = |command: &str| match &of(command)[0].deed {
        Deed::Fetch(fetch) => fetch.hosts().join(" "),
        other => panic!("{command}: {other:?}"),
    };
    assert_eq!(hosts("curl -sL -o x https://a@Docs.Example.org:8/p -H 'A: b'"), "docs.example.org");
    assert_eq!(hosts("wget -O - http://example.org"), "example.org");
    assert_eq!(hosts("git clone git@example.org:a/b.git"), "example.org");
    assert_eq!(hosts("curl \"$url\""), "");
    let installs = |command: &str| match &of(command)[0].deed {
        Deed::Install(install) => (install.packages.join(" "), install.is_project),
        other => panic!("{command}: {other:?}"),
    };
    assert_eq!(installs("python -m pip install -q a 'b>1'"), ("a b>1".to_owned(), false));
    assert_eq!(installs("pip install -e .[dev]"), (".[dev]".to_owned(), true));
    assert_eq!(installs("uv pip install a"), ("a".to_owned(), false));
    assert_eq!(installs("sudo apt-get -y install a"), ("a".to_owned(), false));
    assert_eq!(installs("npm ci"), (String::new(), true));
}

#[test]
fn what_git_does_is_told() {
    let push = |command: &str| match &of(command)[0].deed {
        Deed::Push(push) => push.clone(),
        other => panic!("{command}: {other:?}"),
    };
    for (command, force) in [
        ("git push", Force::No),
        ("git push -f origin a", Force::Yes),
        ("git push origin +a", Force::Yes),
        ("git push --force-with-lease=a origin a", Force::Lease),
        ("git push --force-with-lease --force origin", Force::Yes),
        ("git push -uf origin a", Force::Yes),
    ] {
        assert_eq!(push(command).force, force, "{command}");
    }
    let whole = push("git -C x push -u origin HEAD:refs/heads/main");
    assert_eq!(
        (whole.remote.as_deref(), whole.branches().collect::<Vec<_>>()),
        (Some("origin"), vec!["main"])
    );
    assert!(push("git push origin :a").deletes && push("git push $r").is_unclear);
    let rewrites = |command: &str| match &of(command)[0].deed {
        Deed::Rewrite(rewrite) => Some(*rewrite),
        _ => None,
    };
    assert_eq!(rewrites("git reset --hard HEAD~1"), Some(Rewrite::ResetHard));
    assert_eq!(rewrites("git pull --rebase"), Some(Rewrite::PullRebase));
    assert_eq!(rewrites("git stash"), Some(Rewrite::Stash));
    assert_eq!(rewrites("git stash pop"), Some(Rewrite::Unstash));
    assert_eq!(of("git stash list"), []);
    let branch = |command: &str| match of(command).into_iter().next().map(|activity| activity.deed) {
        Some(Deed::Branch(branch)) => {
            Some((branch.name.unwrap_or_default(), branch.is_new, branch.is_switched_to))
        }
        _ => None,
    };
    assert_eq!(branch("git checkout -b a/b"), Some(("a/b".to_owned(), true, true)));
    assert_eq!(branch("git switch --create=a"), Some(("a".to_owned(), true, true)));
    assert_eq!(branch("git switch main"), Some(("main".to_owned(), false, true)));
    assert_eq!(branch("git branch a"), Some(("a".to_owned(), true, false)));
    assert_eq!(branch("git branch -a"), None);
    assert_eq!(branch("git checkout src/a.py"), None);
    let Deed::Stage(stage) = &of("git add -A")[0].deed else { panic!() };
    assert!(stage.all && stage.paths.is_empty());
    let Deed::Commit(commit) = &of("git commit -sm a")[0].deed else { panic!() };
    assert!(commit.signs_off && commit.message == CommitMessage::Text("a".to_owned()));
    let Deed::Propose(proposal) = &of("gh pr create -t 'A b' --body \"$(cat <<'E'\nc\nE\n)\" -d")[0].deed
    else {
        panic!()
    };
    assert_eq!((proposal.title.as_deref(), proposal.body.as_deref()), (Some("A b"), Some("c")));
    assert!(proposal.is_draft);
    let Deed::Check(check) = &of("python -m flake8 a.py")[0].deed else { panic!() };
    assert_eq!((check.tool, check.writes, check.paths.len()), (Tool::Flake8, false, 1));
}

#[test]
fn paths_are_seen_from_the_repository() {
    let places = |steps: &[Step], root: Root| -> Vec<Whereabouts> {
        let work = Work::of(steps, root);
        let reads = work.reads();
        reads.iter().map(|read| work.place_of(read, &read.deed.paths[0])).collect()
    };
    let inside = |path: &str| Whereabouts::Inside(path.to_owned());
    let known = || Root::Known("/t/".to_owned());
    let tool = Step::of(Action::Read { path: "/t/a".to_owned(), lines: None });
    let steps = [
        Step::shell("cat a ./b/../c"),
        Step::shell("cd /t/s && cat ../a"),
        Step::shell("cd /t && cat a"),
        Step::shell("cat /etc/x"),
        Step::shell("cd s; cat a"),
        tool.clone(),
        Step::shell("cat a"),
        Step::shell("cat /t/a"),
    ];
    assert_eq!(places(&steps, known())[0], inside("a"));
    let after = [
        inside("a"),
        inside("a"),
        inside("a"),
        Whereabouts::Outside,
        inside("s/a"),
        inside("a"),
        // One step went elsewhere, and whether the shell is kept is not known.
        Whereabouts::Unknown,
        inside("a"),
    ];
    // The second step ends elsewhere, the third comes back.
    assert_eq!(places(&steps, known()), after);
    let guess = [Step::shell("cd /t && ls && cat b"), Step::shell("cd /x && cat a"), tool];
    assert_eq!(places(&guess, Root::Guessed), [inside("b"), Whereabouts::Outside, inside("a")]);
    let twice = [Step::shell("cat s/a"), Step::shell("cat /t/s/a"), Step::shell("cat /x/a")];
    assert_eq!(places(&twice, Root::Guessed), [inside("s/a"), inside("s/a"), Whereabouts::Outside]);
    let nothing = [Step::shell("cat a"), Step::shell("cat /t/b")];
    assert_eq!(places(&nothing, Root::Guessed), [inside("a"), Whereabouts::Unknown]);
}

#[test]
fn what_came_before_what_is_told() {
    let steps = vec![
        step("cat src/a.py", Some(0), ""),
        step("sed -i s/a/b/ src/a.py", Some(0), ""),
        step("pytest | tail", Some(0), "1 failed, 2 passed in 1s"),
        Step::of(Action::Edit { paths: vec!["/t/src/a.py".to_owned()], text: String::new() }),
        step("pytest && git commit -am x", Some(0), ""),
        step("echo x > notes.md", Some(0), ""),
    ];
    let work = Work::of(&steps, Root::Known("/t".to_owned()));
    let is_code = |path: &str| path.ends_with(".py");
    let edits = work.edits_of(is_code);
    assert_eq!(edits.iter().map(|edit| edit.at.step).collect::<Vec<_>>(), [1, 3]);
    assert!(work.was_read_before(edits[0].at, |path| path == "src/a.py"));
    assert!(!work.was_read_before(edits[0].at, |path| path == "src/b.py"));
    assert!(
        matches!(work.tested(edits[0].at, Some(edits[1].at), |_| true), Tested::Failed(at) if at.step == 2)
    );
    assert!(matches!(work.tested_since_edit(is_code, None), Some(Tested::Passed(at)) if at.step == 4));
    let commits = work.commits();
    assert!(matches!(work.tested_since_edit(is_code, Some(commits[0].at)), Some(Tested::Passed(_))));
    assert_eq!(work.tested_since_edit(|path| path.ends_with(".md"), None), Some(Tested::NotRun));
    assert_eq!(work.tested_since_edit(|path| path.ends_with(".rs"), None), None);
    assert_eq!(commits[0].place(), Place::Step { index: 4 });
    assert_eq!(commits[0].snippet(), "pytest && git commit -am x");
    let failed =
        [step("cat a", Some(1), ""), step("grep x b", Some(1), ""), step("sed -i s/a/b/ a", Some(0), "")];
    let work_of_failed = Work::of(&failed, Root::Guessed);
    let edit = work_of_failed.edits()[0].at;
    assert!(!work_of_failed.was_read_before(edit, |path| path == "a"));
    assert!(work_of_failed.was_read_before(edit, |path| path == "b"), "it was searched in vain");
    let docs = [step("sed -i s/a/b/ a.rst && cd docs && uv run ./build.py", Some(0), "")];
    let work_of_docs = Work::of(&docs, Root::Guessed);
    let built = work_of_docs.runs_of(|call| call.name() == "build.py");
    assert!(built[0].at > work_of_docs.edits()[0].at && built[0].ended.is_some());
    let own = TestCommand { program: "bin/check", words: &[], runner: Runner::Script, short: "", long: &[] };
    let steps = [step("./bin/check", Some(0), "")];
    let work = Work::of(&steps, Root::Guessed);
    assert!(work.tests().is_empty());
    assert_eq!(work.with_tests(&[own]).tests()[0].deed.result, TestResult::Passed);
}

#[test]
fn a_step_is_read_once_and_a_copy_anew() {
    let step = Step::shell("git push");
    assert!(std::ptr::eq(step.activities(), step.activities()));
    let other = Step { action: Action::Shell { command: "ls".to_owned(), folder: None }, ..step.clone() };
    assert!(other.activities().is_empty());
    assert_eq!(step, step.clone());
    assert_eq!(serde_json::to_string(&step).unwrap(), r#"{"action":{"shell":{"command":"git push"}}}"#);
}

proptest! {
    #[test]
    fn no_command_is_too_much(
        parts in prop::collection::vec(prop_oneof![
            prop::sample::select(vec![
                "pytest ", "git ", "push ", "commit ", "checkout ", "add ", "sed ", "-i ", "-", "--", "=", "+", ":", "::",
                "python ", "-m ", "-c ", "- ", "xargs ", "find . -exec ", "\\; ", "{} ", "uv run ", "cargo test ", "npm run ",
                "curl ", "http://", "@", "pip install ", "gh pr create ", "-t ", "$x ", "x=$x$x;", "'", "\"", "<<E\n", "E\n",
                "> ", "a.py ", "/", "..", "cd ", "&& ", "|| ", "; ", "| ", "( ", ") ", "tox -e ", "make test ", "é", "\n",
                "if ", "then ", "fi ", "open('a','w')", "for x in ", "do ", "done ", "set -e;", "exit ",
            ]).prop_map(str::to_owned),
            any::<String>(),
        ], 0..40),
        exit in prop::option::of(0..140),
        text in "([0-9]{1,12} )?(failed|passed|Ran 1 test in 1s|OK|\n|\\PC)*",
    ) {
        let command: String = parts.concat();
        let step = step(&command, exit, &text);
        let commands = step.script().unwrap().commands().len();
        for activity in step.activities() {
            prop_assert!(activity.command < commands);
        }
        let steps = [step];
        let work = Work::of(&steps, Root::Guessed);
        let _read = (work.tested_since_edit(|_| true, None), work.pushes().len());
    }
}

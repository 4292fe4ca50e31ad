//! Test runs: with what, over what, and whether they passed.

use super::{Activity, Call, Deed, Doing, FilePath};
use crate::evidence::Step;
use crate::shell::{Ended, Options, RedirectionKind, Takes};
use crate::test_output::TestSummary;

/// What runs tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Runner {
    /// pytest.
    Pytest,
    /// The unittest of Python.
    Unittest,
    /// The runner of Django, or of a project that uses it.
    Django,
    /// nose and its like.
    Nose,
    /// tox, nox or hatch: tests in environments of their own.
    Environments,
    /// `bin/test` and its like: a script of the project.
    Script,
    /// Examples in documentation.
    Doctest,
    /// `setup.py test`.
    Setup,
    /// A target of make or just.
    Make,
    /// cargo.
    Cargo,
    /// go.
    Go,
    /// A script of a JavaScript package, or jest and its like.
    JavaScript,
}

/// A command that runs tests.
#[derive(Debug, Clone, Copy)]
pub struct TestCommand {
    /// The program: its name, a module of Python, or the end of its path, as in `bin/test`.
    pub program: &'static str,
    /// Words that follow, each with any of its spellings.
    pub words: &'static [&'static [&'static str]],
    /// What it is.
    pub runner: Runner,
    /// Letters of options that take a value.
    pub short: &'static str,
    /// Options that take a value, with their dashes.
    pub long: &'static [&'static str],
}

const fn runs(program: &'static str, runner: Runner) -> TestCommand {
    TestCommand { program, words: &[], runner, short: "", long: &[] }
}

const fn with(
    program: &'static str,
    words: &'static [&'static [&'static str]],
    runner: Runner,
) -> TestCommand {
    TestCommand { program, words, runner, short: "", long: &[] }
}

const PYTEST: TestCommand = TestCommand {
    program: "pytest",
    words: &[],
    runner: Runner::Pytest,
    short: "kmnpcorWr",
    long: &[
        "--tb",
        "--maxfail",
        "--durations",
        "--rootdir",
        "--ignore",
        "--deselect",
        "--cov",
        "--cov-report",
        "--cov-config",
        "--timeout",
        "--dist",
        "--junitxml",
        "--junit-xml",
        "--import-mode",
        "--color",
        "--confcutdir",
        "--log-level",
        "--log-cli-level",
        "--basetemp",
        "--override-ini",
        "--numprocesses",
        "--randomly-seed",
        "--config-file",
    ],
};

const DJANGO: TestCommand = TestCommand {
    program: "runtests.py",
    words: &[],
    runner: Runner::Django,
    short: "kv",
    long: &[
        "--settings",
        "--parallel",
        "--tag",
        "--exclude-tag",
        "--verbosity",
        "--start-at",
        "--start-after",
    ],
};

const SCRIPTS: &[&str] = &["test", "tests", "check"];

/// The commands that are known to run tests. A checker that knows more hands them to [`super::Work`].
pub const TEST_COMMANDS: &[TestCommand] = &[
    PYTEST,
    TestCommand { program: "py.test", ..PYTEST },
    TestCommand { program: "unittest", short: "kspt", ..runs("unittest", Runner::Unittest) },
    DJANGO,
    TestCommand { program: "manage.py", words: &[&["test"]], ..DJANGO },
    TestCommand { program: "django-admin", words: &[&["test"]], ..DJANGO },
    TestCommand { program: "django", words: &[&["test"]], ..DJANGO },
    runs("nosetests", Runner::Nose),
    runs("nose", Runner::Nose),
    runs("nose2", Runner::Nose),
    TestCommand { short: "ec", long: &["--workdir", "--result-json"], ..runs("tox", Runner::Environments) },
    TestCommand {
        short: "sekfpt",
        long: &["--session", "--sessions", "--python", "--tags"],
        ..runs("nox", Runner::Environments)
    },
    with("hatch", &[&["test"]], Runner::Environments),
    TestCommand { short: "k", long: &["--seed", "--timeout", "--split"], ..runs("bin/test", Runner::Script) },
    runs("bin/doctest", Runner::Doctest),
    runs("doctest", Runner::Doctest),
    with("setup.py", &[&["test", "pytest"]], Runner::Setup),
    with("make", &[SCRIPTS], Runner::Make),
    with("just", &[SCRIPTS], Runner::Make),
    TestCommand {
        words: &[&["test", "t"]],
        short: "pjF",
        long: &[
            "--test",
            "--package",
            "--features",
            "--bin",
            "--example",
            "--jobs",
            "--target",
            "--manifest-path",
        ],
        ..runs("cargo", Runner::Cargo)
    },
    TestCommand {
        words: &[&["nextest"], &["run"]],
        short: "pjFE",
        long: &["--test", "--package", "--features", "--profile", "--filter-expr"],
        ..runs("cargo", Runner::Cargo)
    },
    with("go", &[&["test"]], Runner::Go),
    with("npm", &[&["test", "t"]], Runner::JavaScript),
    with("npm", &[&["run", "run-script"], &["test", "test:unit", "tests"]], Runner::JavaScript),
    with("pnpm", &[&["test", "t"]], Runner::JavaScript),
    with("pnpm", &[&["run"], &["test", "test:unit"]], Runner::JavaScript),
    with("yarn", &[&["test"]], Runner::JavaScript),
    with("yarn", &[&["run"], &["test"]], Runner::JavaScript),
    with("bun", &[&["test"]], Runner::JavaScript),
    TestCommand { short: "t", long: &["--testNamePattern", "--config"], ..runs("jest", Runner::JavaScript) },
    TestCommand {
        short: "t",
        long: &["--testNamePattern", "--config"],
        ..runs("vitest", Runner::JavaScript)
    },
    TestCommand { short: "gf", long: &["--grep", "--config"], ..runs("mocha", Runner::JavaScript) },
];

/// Over what tests were run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Everything that the runner finds by itself.
    Whole,
    /// What was named.
    Selection {
        /// Files and folders, without what stands behind `::`.
        paths: Vec<FilePath>,
        /// Tests: node ids as written, labels, modules.
        names: Vec<String>,
        /// Expressions, as behind `-k` and `-m`.
        expressions: Vec<String>,
    },
    /// It cannot be told.
    Unknown,
}

/// What came of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestResult {
    /// Some ran, and none failed.
    Passed,
    /// At least one failed, or the run broke.
    Failed,
    /// It is not known.
    Unknown(Unclear),
}

/// Why a result is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unclear {
    /// No test ran.
    NothingRan,
    /// The program was not found or could not be started.
    NotStarted,
    /// It was stopped from outside, as by a time limit.
    Stopped,
    /// Several were run in one step, and its output is of all of them.
    Several,
    /// The output has no summary, and the code that is known is not that of the tests.
    NoSummary,
    /// Nothing was recorded of how it ended.
    NotRecorded,
    /// The output was cut, and may have told of failures where it was.
    Cut,
}

/// Tests that were run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestRun {
    /// With what.
    pub runner: Runner,
    /// Over what.
    pub scope: Scope,
    /// What came of it.
    pub result: TestResult,
}

impl TestRun {
    /// Whether everything was run that the runner finds.
    pub fn is_whole(&self) -> bool {
        self.scope == Scope::Whole
    }
}

/// The test run that a command is, by a table of commands. Of its result only that is told which it shows itself.
pub(super) fn of(doing: &Doing<'_>, table: &[TestCommand]) -> Option<TestRun> {
    let call = &doing.call;
    let (known, behind) = table.iter().find_map(|known| Some((known, known.behind(call)?)))?;
    let arguments = call.arguments.get(behind..).unwrap_or_default();
    let takes = Takes { short: known.short, attached: "", long: known.long };
    let options = Options::of(arguments, &takes);
    let asks = [("help", Some('h')), ("version", None), ("collect-only", None), ("co", None), ("list", None)];
    let lists =
        [("fixtures", None), ("markers", None), ("no-run", None), ("listenvs", None), ("notest", None)];
    let only_asks = known.runner != Runner::JavaScript
        && asks.iter().chain(&lists).any(|(long, short)| options.has(long, *short));
    if only_asks {
        return None;
    }
    let result = match doing.ended() {
        Some(Ended::Well) => TestResult::Passed,
        Some(Ended::Badly) => badly(known.runner, doing.step.exit),
        Some(Ended::Stopped) => TestResult::Unknown(Unclear::Stopped),
        None => TestResult::Unknown(Unclear::NotRecorded),
    };
    Some(TestRun { runner: known.runner, scope: scope(doing, known.runner, &options), result })
}

/// What a code other than 0 says.
fn badly(runner: Runner, exit: Option<i32>) -> TestResult {
    match (runner, exit) {
        (_, Some(126 | 127)) | (Runner::Pytest, Some(4)) => TestResult::Unknown(Unclear::NotStarted),
        (Runner::Pytest | Runner::Unittest, Some(5)) => TestResult::Unknown(Unclear::NothingRan),
        (Runner::Pytest, Some(2)) => TestResult::Unknown(Unclear::Stopped),
        _ => TestResult::Failed,
    }
}

fn scope(doing: &Doing<'_>, runner: Runner, options: &Options<'_>) -> Scope {
    if options.unclear || doing.call.is_handed_more {
        return Scope::Unknown;
    }
    let (mut paths, mut names, mut expressions) = (Vec::new(), Vec::new(), Vec::new());
    let selectors: &[(&str, char)] = match runner {
        Runner::Pytest => &[("", 'k'), ("", 'm'), ("deselect", '\0'), ("ignore", '\0')],
        Runner::Unittest | Runner::Django | Runner::Script => {
            &[("", 'k'), ("tag", '\0'), ("exclude-tag", '\0')]
        }
        Runner::Environments => &[("session", 's'), ("sessions", 'e')],
        Runner::Cargo => &[("package", 'p'), ("test", '\0'), ("filter-expr", 'E')],
        Runner::JavaScript => &[("testNamePattern", 't'), ("grep", 'g')],
        Runner::Nose | Runner::Doctest | Runner::Setup | Runner::Make | Runner::Go => &[],
    };
    for (long, short) in selectors {
        expressions.extend(options.values(long, *short).map(|value| value.unwrap_or_default().to_owned()));
    }
    let reruns =
        [("lf", None), ("last-failed", None), ("sw", None), ("stepwise", None), ("lib", None), ("doc", None)];
    expressions.extend(
        reruns.iter().filter(|(long, short)| options.has(long, *short)).map(|(long, _)| (*long).to_owned()),
    );
    // `discover` and `./...` find everything.
    let is_all =
        |text: &str| matches!((runner, text), (Runner::Unittest, "discover") | (Runner::Go, "./..."));
    for word in options.others.iter().filter(|word| !word.text().is_some_and(is_all)) {
        let text = word.pattern().unwrap_or(word.source());
        let is_path = match runner {
            Runner::Unittest | Runner::Django => text.ends_with(".py") || text.contains('/'),
            Runner::Cargo => false,
            _ => true,
        };
        if text.contains("::") || !is_path {
            names.push(text.to_owned());
        }
        if is_path {
            let path = FilePath::of_word(word, doing.command);
            paths.push(path.before("::"));
        }
    }
    match (&paths[..], &names[..], &expressions[..]) {
        ([], [], []) => Scope::Whole,
        _ => Scope::Selection { paths, names, expressions },
    }
}

impl TestCommand {
    /// Where the arguments of the tests begin in a call, if the call is this command.
    fn behind(&self, call: &Call<'_>) -> Option<usize> {
        let is_program = match self.program.contains('/') {
            true => {
                let rest = call.program.strip_suffix(self.program);
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            }
            false => call.name() == self.program,
        };
        // `test` and `doctest` are modules of Python, and other things elsewhere.
        let is_module_alone = matches!(self.program, "unittest" | "doctest" | "nose" | "django");
        if !is_program || is_module_alone && !call.is_module {
            return None;
        }
        let mut at = 0;
        for spellings in self.words {
            while call.argument(at).is_some_and(|text| text.starts_with(['-', '+'])) {
                at += 1;
            }
            if !spellings.contains(&call.argument(at)?) {
                return None;
            }
            at += 1;
        }
        Some(at)
    }
}

/// Reads from the output of a step what its codes do not say of the tests in it.
pub(super) fn settle(step: &Step, activities: &mut [Activity]) {
    let runs = activities.iter().filter(|activity| matches!(activity.deed, Deed::Test(_))).count();
    let script = step.script();
    for activity in activities.iter_mut() {
        let command = script.and_then(|script| script.commands().get(activity.command));
        let Deed::Test(run) = &mut activity.deed else { continue };
        let is_shown = command.is_none_or(|command| {
            !command.redirections.iter().any(|to| {
                let writes = matches!(to.kind, RedirectionKind::Write | RedirectionKind::Append);
                writes && to.descriptor.is_none_or(|stream| stream == 1)
            })
        });
        run.result = result(run.result, step, runs, is_shown);
    }
}

fn result(by_code: TestResult, step: &Step, runs: usize, is_shown: bool) -> TestResult {
    let summary = step.output.as_ref().filter(|_| runs == 1 && is_shown).and_then(TestSummary::of);
    match (by_code, summary) {
        (TestResult::Failed, _) => TestResult::Failed,
        (TestResult::Passed, Some(summary)) if summary.is_empty() => TestResult::Unknown(Unclear::NothingRan),
        (TestResult::Passed, _) => TestResult::Passed,
        (TestResult::Unknown(Unclear::NotRecorded), Some(summary)) => summary.result(),
        (TestResult::Unknown(Unclear::NotRecorded), None) => TestResult::Unknown(match &step.output {
            None => Unclear::NotRecorded,
            Some(_) if runs > 1 => Unclear::Several,
            Some(output) if crate::test_output::was_not_started(&output.text) => Unclear::NotStarted,
            Some(_) => Unclear::NoSummary,
        }),
        (TestResult::Unknown(why), _) => TestResult::Unknown(why),
    }
}

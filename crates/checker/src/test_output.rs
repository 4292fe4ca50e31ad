//! What the output of a test run says of it: how many tests failed and passed, and which.
//!
//! The words of pytest, unittest and what is built on it, the runner of sympy, cargo, go and jest are known. An
//! output of which a part is missing is read as far as it goes, and says that it is not complete: that no failure
//! is named there does not mean that there was none.

use crate::activity::{TestResult, Unclear};
use crate::evidence::Output;
use crate::pattern::Pattern;
use std::collections::BTreeSet;

/// `6 failed, 90 passed in 1.20s`, with or without a frame.
static PYTEST: Pattern = Pattern::new(
    r"^=*\s*(?:no tests ran|no tests collected|\d+ (?:failed|passed|errors?|skipped|xfailed|xpassed|deselected|warnings?|rerun|subtests passed))(?:,.*| in .*|\s*=+| \(.*)?$",
);
/// `!!! Interrupted: 1 error during collection !!!`, `!!! KeyboardInterrupt !!!`, `INTERNALERROR>`.
static BROKEN: Pattern = Pattern::new(
    r"^(?:!+ (?:Interrupted: \d+ errors? during collection|KeyboardInterrupt|_pytest\.outcomes\.Exit.*) !+|INTERNALERROR> .*)$",
);
/// `Ran 12 tests in 0.010s`.
static RAN: Pattern = Pattern::new(r"^Ran \d+ tests? in ");
/// `OK`, `OK (skipped=1)`, `FAILED (failures=1, errors=2)`, `NO TESTS RAN`.
static UNITTEST: Pattern = Pattern::new(r"^(?:OK|FAILED|NO TESTS RAN)(?: \(.*\))?$");
/// `test result: FAILED. 3 passed; 1 failed; …`.
static CARGO: Pattern = Pattern::new(r"^test result: (?:ok|FAILED)\. ");
/// `tests finished: 12 passed, 1 failed, 2 exceptions, in 3.10 seconds`, in a frame or not.
static SYMPY: Pattern = Pattern::new(r"^=*\s*tests finished: .*\d+ \w+.*, in [\d.]+ seconds\s*=*$");
/// `Tests:       1 failed, 5 passed, 6 total`, also in colours.
static JEST: Pattern = Pattern::new(r"^Tests:?\s+(?:\d+ \w+[,|\s]*)+(?:\(\d+\)|total)?$");
/// `ok   pkg 0.01s`, `FAIL pkg 0.01s`, `FAIL pkg [build failed]`.
static GO: Pattern = Pattern::new(r"^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\)|\[.*\])");
/// A colour of a terminal.
static COLOUR: Pattern = Pattern::new("\u{1b}\\[[0-9;]*m");

/// What an output says of a test run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestSummary {
    /// How many failed or broke, as the summary counts them.
    pub failed: usize,
    /// How many passed, as the summary counts them.
    pub passed: usize,
    /// How many were left out: skipped, deselected, expected to fail.
    pub skipped: usize,
    /// Those that failed, as far as they are named.
    pub named: BTreeSet<String>,
    /// Whether it says that the run broke off.
    pub broken: bool,
    truncated: bool,
}

impl TestSummary {
    /// Reads an output; none where no summary of a test run stands in it.
    pub fn of(output: &Output) -> Option<TestSummary> {
        let mut reading = Reading {
            summary: TestSummary { truncated: output.truncated, ..TestSummary::default() },
            ran: None,
            is_one: false,
            is_go: output.text.lines().any(|line| line.starts_with("--- ") || line.starts_with("=== RUN")),
        };
        for line in output.text.lines() {
            match line.contains('\u{1b}') {
                true => reading.line(COLOUR.without(line).trim_end()),
                false => reading.line(line.trim_end()),
            }
        }
        reading.is_one.then_some(reading.summary)
    }

    /// Whether the output names every test that failed. What is not complete may have named others.
    pub fn is_complete(&self) -> bool {
        !self.truncated && self.named.len() >= self.failed
    }

    /// Whether no test ran.
    pub fn is_empty(&self) -> bool {
        self.failed == 0 && self.passed == 0 && !self.broken
    }

    /// What came of the run. An output that was cut may have held other summaries: that none failed in those is
    /// not known where several are counted, so it is taken from the counts alone.
    pub fn result(&self) -> TestResult {
        match () {
            () if self.failed > 0 || self.broken => TestResult::Failed,
            () if self.is_empty() => TestResult::Unknown(Unclear::NothingRan),
            () => TestResult::Passed,
        }
    }
}

/// Whether an output says of a program that it could not be started.
pub(crate) fn was_not_started(text: &str) -> bool {
    let says = |line: &str| {
        line.ends_with(": command not found")
            || line.ends_with(": not found")
            || line.contains(": No module named ")
            || line.ends_with(": No such file or directory") && line.contains("can't open file")
    };
    text.lines().rev().take(20).any(says)
}

struct Reading {
    summary: TestSummary,
    /// How many tests unittest says it ran, until it says what came of them.
    ran: Option<usize>,
    is_one: bool,
    /// Whether it has lines of go: `FAIL pkg 0.1s` means other things elsewhere.
    is_go: bool,
}

impl Reading {
    fn line(&mut self, line: &str) {
        // Nearly all lines are none of these.
        let Some(first) = line.chars().next() else { return };
        match first {
            't' if CARGO.is_in(line) => {
                self.adds(before(line, "passed"), before(line, "failed"), before(line, "ignored"))
            }
            '=' | 't' if SYMPY.is_in(line) => {
                let failed =
                    ["failed", "exceptions", "exception"].iter().map(|word| before(line, word)).sum();
                let skipped = ["skipped", "expected"].iter().map(|word| before(line, word)).sum();
                self.is(before(line, "passed"), failed, skipped);
            }
            '=' | 'n' | ' ' | '0'..='9' if PYTEST.is_in(line) => {
                let sum = |words: &[&str]| words.iter().map(|word| before(line, word)).sum();
                // The last summary counts: a run may be repeated.
                self.is(
                    before(line, "passed"),
                    sum(&["failed", "error", "errors"]),
                    sum(&["skipped", "deselected", "xfailed"]),
                );
                self.summary.passed += before(line, "xpassed");
            }
            '!' | 'I' if BROKEN.is_in(line) => {
                self.is_one = true;
                self.summary.broken = true;
            }
            'R' if RAN.is_in(line) => {
                self.ran = line.split(' ').nth(1).and_then(|number| number.parse::<usize>().ok());
            }
            'O' | 'F' | 'N' if self.ran.is_some() && UNITTEST.is_in(line) => self.unittest(line),
            'T' if JEST.is_in(line) => {
                self.is(
                    before(line, "passed"),
                    before(line, "failed"),
                    before(line, "skipped") + before(line, "todo"),
                );
            }
            'o' | 'F' if GO.is_in(line) && (self.is_go || first == 'o') => {
                let fails = first == 'F';
                self.adds(usize::from(!fails && !line.contains("[no test")), usize::from(fails), 0);
            }
            _ => {
                if let Some(name) = named(line) {
                    self.summary.named.insert(name.to_owned());
                }
            }
        }
    }

    fn is(&mut self, passed: usize, failed: usize, skipped: usize) {
        self.is_one = true;
        (self.summary.passed, self.summary.failed, self.summary.skipped) = (passed, failed, skipped);
    }

    /// One of several summaries.
    fn adds(&mut self, passed: usize, failed: usize, skipped: usize) {
        let before = &self.summary;
        let sum = |one: usize, other: usize| one.saturating_add(other);
        self.is(sum(before.passed, passed), sum(before.failed, failed), sum(before.skipped, skipped));
    }

    fn unittest(&mut self, line: &str) {
        let all = self.ran.take().unwrap_or_default();
        let failed =
            behind(line, "failures=") + behind(line, "errors=") + behind(line, "unexpected successes=");
        let skipped = behind(line, "skipped=") + behind(line, "expected failures=");
        // What says that it failed did, whatever it counts.
        let failed = if line.starts_with("FAILED") { failed.max(1) } else { failed };
        self.is(all.saturating_sub(failed + skipped), failed, skipped);
    }
}

/// The test that a line reports as failed.
fn named(line: &str) -> Option<&str> {
    let marks = ["FAILED ", "FAIL: ", "FAIL ", "ERROR: ", "ERROR ", "--- FAIL: "];
    let is_word = |name: &&str| !name.is_empty() && !name.starts_with('(');
    if let Some(rest) = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark)) {
        return rest.split([' ', '\t']).next().filter(is_word);
    }
    // The frame of sympy: `____ sympy/core/tests/test_a.py:test_b ____`.
    if let Some(inner) = line.strip_prefix('_').and_then(|line| line.strip_suffix('_')) {
        let name = inner.trim_matches(['_', ' ']);
        return (name.contains(".py:") && !name.contains(' ')).then_some(name);
    }
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

/// The number before a word.
fn before(line: &str, word: &str) -> usize {
    let mut last = 0;
    for piece in line.split([' ', ',', ';', '=', '|', '(']).filter(|piece| !piece.is_empty()) {
        if piece == word {
            return last;
        }
        last = piece.parse::<u32>().map_or(0, |number| number as usize);
    }
    0
}

/// The number behind a mark.
fn behind(line: &str, mark: &str) -> usize {
    let Some((_, rest)) = line.split_once(mark) else { return 0 };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse::<u32>().map_or(0, |number| number as usize)
}

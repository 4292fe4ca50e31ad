//! What the output of a test run says of it: how many tests failed and passed, and which.
//!
//! The words of pytest, unittest and cargo are known. An output of which a part is missing is read as far as it
//! goes, and says that it is not complete: that no failure is named there does not mean that there was none.

use crate::evidence::Output;
use crate::pattern::Pattern;
use std::collections::BTreeSet;

/// `6 failed, 90 passed in 1.20s`, with or without a frame.
static PYTEST: Pattern = Pattern::new(
    r"^=*\s*(?:no tests ran|\d+ (?:failed|passed|errors?|skipped|xfailed|xpassed|deselected|warnings?))(?:,.*| in .*|\s*=+)?$",
);
/// `Ran 12 tests in 0.010s`.
static RAN: Pattern = Pattern::new(r"^Ran \d+ tests? in ");
/// `OK`, `OK (skipped=1)`, `FAILED (failures=1, errors=2)`.
static UNITTEST: Pattern = Pattern::new(r"^(?:OK|FAILED)(?: \(.*\))?$");
/// `test result: FAILED. 3 passed; 1 failed; …`.
static CARGO: Pattern = Pattern::new(r"^test result: (?:ok|FAILED)\. ");

/// What an output says of a test run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestSummary {
    /// How many failed or broke, as the summary counts them.
    pub failed: usize,
    /// How many passed, as the summary counts them.
    pub passed: usize,
    /// Those that failed, as far as they are named.
    pub named: BTreeSet<String>,
    truncated: bool,
}

impl TestSummary {
    /// Reads an output; none where no summary of a test run stands in it.
    pub fn of(output: &Output) -> Option<TestSummary> {
        let mut summary = TestSummary { truncated: output.truncated, ..TestSummary::default() };
        let mut ran = None;
        let mut is_one = false;
        for line in output.text.lines().map(str::trim_end) {
            if CARGO.is_in(line) {
                is_one = true;
                summary.passed += before(line, "passed");
                summary.failed += before(line, "failed");
            } else if PYTEST.is_in(line) {
                is_one = true;
                // The last summary counts: a run may be repeated.
                summary.passed = before(line, "passed");
                summary.failed = before(line, "failed") + before(line, "error") + before(line, "errors");
            } else if RAN.is_in(line) {
                ran = line.split(' ').nth(1).and_then(|number| number.parse::<usize>().ok());
            } else if let Some(all) = ran.filter(|_| UNITTEST.is_in(line)) {
                is_one = true;
                ran = None;
                summary.failed = behind(line, "failures=") + behind(line, "errors=");
                let others = behind(line, "skipped=") + behind(line, "expected failures=");
                summary.passed = all.saturating_sub(summary.failed + others);
            } else if let Some(name) = named(line) {
                summary.named.insert(name.to_owned());
            }
        }
        is_one.then_some(summary)
    }

    /// Whether the output names every test that failed. What is not complete may have named others.
    pub fn is_complete(&self) -> bool {
        !self.truncated && self.named.len() >= self.failed
    }
}

/// The test that a line reports as failed.
fn named(line: &str) -> Option<&str> {
    let marks = ["FAILED ", "FAIL: ", "FAIL ", "ERROR: ", "ERROR "];
    if let Some(rest) = marks.iter().find_map(|mark| line.strip_prefix(mark)) {
        return rest.split(' ').next().filter(|name| !name.is_empty() && !name.starts_with('('));
    }
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

/// The number before a word.
fn before(line: &str, word: &str) -> usize {
    let mut last = 0;
    for piece in line.split([' ', ',', ';', '=']).filter(|piece| !piece.is_empty()) {
        if piece == word {
            return last;
        }
        last = piece.parse().unwrap_or(0);
    }
    0
}

/// The number behind a mark.
fn behind(line: &str, mark: &str) -> usize {
    let Some((_, rest)) = line.split_once(mark) else { return 0 };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

use polc_checker::evidence::Output;
use polc_checker::test_output::TestSummary;
use polc_testkit::shared;
use proptest::prelude::*;

fn read(text: &str, truncated: bool) -> Option<TestSummary> {
    TestSummary::of(&Output { text: text.to_owned(), truncated })
}

/// Failed, passed, named, complete.
fn said(text: &str) -> Option<(usize, usize, usize, bool)> {
    let summary = read(text, false)?;
    Some((summary.failed, summary.passed, summary.named.len(), summary.is_complete()))
}

#[test]
fn a_summary_counts_and_names() {
    let pytest = "FAILED tests/test_lion.py::test_roar - AssertionError\n\
        ERROR tests/test_seal.py\n=== 1 failed, 7 passed, 2 skipped, 1 error in 0.31s ===\n";
    assert_eq!(said(pytest), Some((2, 7, 2, true)));
    assert_eq!(said("..\n2 passed in 0.01s"), Some((0, 2, 0, true)));
    assert_eq!(said("no tests ran in 0.00s"), Some((0, 0, 0, true)));
    let unittest =
        "FAIL: test_roar (lion.Lion)\n---\nRan 5 tests in 0.001s\n\nFAILED (failures=1, skipped=1)\n";
    assert_eq!(said(unittest), Some((1, 3, 1, true)));
    assert_eq!(said("Ran 3 tests in 0.1s\n\nOK\n"), Some((0, 3, 0, true)));
    let cargo = "test roar ... FAILED\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n\
        test result: ok. 4 passed; 0 failed; 0 ignored\n";
    assert_eq!(said(cargo), Some((1, 7, 1, true)));
}

#[test]
fn every_runner_has_its_words() {
    for (text, failed, passed, skipped) in [
        ("== 3 passed, 1 skipped, 2 deselected, 1 xfailed, 4 warnings in 0.1s (0:00:01) ==", 0, 3, 4),
        ("1 failed, 2 passed, 1 rerun in 3s", 1, 2, 0),
        ("5 deselected in 0.02s", 0, 0, 5),
        ("no tests collected in 0.1s", 0, 0, 0),
        ("======= 2 errors in 0.5s =======", 2, 0, 0),
        ("Ran 0 tests in 0.0s\n\nNO TESTS RAN", 0, 0, 0),
        ("Ran 3 tests in 1s\n\nFAILED (failures=1, errors=1, skipped=1)", 2, 0, 1),
        ("Ran 3 tests in 1s\n\nFAILED (unexpected successes=1)", 1, 2, 0),
        ("===== tests finished: 33 passed, 2 skipped, 2 exceptions, in 11.00 seconds =====", 2, 33, 2),
        ("=== tests finished: 4 passed, 1 failed, 1 expected to fail, in 0.10 seconds ===", 1, 4, 1),
        ("Tests:       1 failed, 2 skipped, 5 passed, 8 total", 1, 5, 2),
        ("\u{1b}[1mTests:\u{1b}[22m  \u{1b}[32m5 passed\u{1b}[39m, 5 total", 0, 5, 0),
        ("--- FAIL: TestA (0.00s)\nFAIL\tz/a\t0.01s\nok  \tz/b\t0.02s\nok z/c (cached)", 1, 2, 0),
        ("ok  \tz/b\t0.02s", 0, 1, 0),
        ("test result: ok. 4 passed; 0 failed; 1 ignored; 0 measured", 0, 4, 1),
    ] {
        let summary = read(text, false).unwrap();
        assert_eq!((summary.failed, summary.passed, summary.skipped), (failed, passed, skipped), "{text}");
    }
    let broken = "!!!!!!! Interrupted: 1 error during collection !!!!!!!\n=== 1 error in 0.1s ===";
    assert!(read(broken, false).unwrap().broken);
    assert!(read("!!!! KeyboardInterrupt !!!!\n== 3 passed in 1s ==", false).unwrap().broken);
}

#[test]
fn what_only_speaks_of_tests_is_no_summary() {
    for text in [
        "",
        "OK",
        "bash: pytest: command not found",
        "/usr/bin/python: No module named pytest",
        "We have 3 passed exams and 1 failed one.",
        "3 passed exams are enough",
        "FAILED to connect",
    ] {
        assert_eq!(said(text), None, "{text}");
    }
}

#[test]
fn a_failure_that_is_not_named_leaves_the_output_incomplete() {
    assert_eq!(said("FAILED a.py::b\n2 failed, 1 passed"), Some((2, 1, 1, false)));
    assert!(!read("1 passed", true).unwrap().is_complete(), "the scaffold cut it");
    let Some(case) = shared::case("tr3") else { return };
    let of = |name: &str| read(case["input"][name].as_str().unwrap(), false).unwrap();
    let (a, c) = (of("a"), of("c"));
    let expected = &case["expected"];
    assert_eq!((a.failed, a.named.len()), (6, 2));
    assert_eq!(expected["a"]["failed"].as_u64(), Some(6));
    assert_eq!((a.is_complete(), c.is_complete()), (false, true));
    assert_eq!(expected["c"]["passed"].as_u64(), u64::try_from(c.passed).ok());
}

proptest! {
    #[test]
    fn nothing_makes_it_panic(text in "([0-9]{1,30} )?(failed|passed|FAILED|Ran|OK|errors=|test|result:|[ ,;=.(\n]|\\PC)*") {
        let _read = read(&text, false);
    }
}

//! Reports of functional tests and of linters.

use polc_checker::evidence::{Evaluation, Findings, TestChanges};
use polc_evidence::reports::{Class, Report, Summary, lint_report, report};
use polc_testkit::shared;
use serde_json::{Value, json};

fn flat() -> Value {
    json!({
        "patch_is_None": false, "patch_exists": true, "patch_successfully_applied": true, "resolved": false,
        "tests_status": {
            "FAIL_TO_PASS": {"success": ["feeds"], "failure": ["swims"]},
            "PASS_TO_PASS": {"success": ["sleeps"], "failure": ["barks"]},
            "FAIL_TO_FAIL": {"success": [], "failure": []},
            "PASS_TO_FAIL": {"success": ["expected to break"], "failure": ["not a regression"]},
        },
    })
}

fn of_the_task(text: &str, task: &str) -> Evaluation {
    match report(text, Some(task)).unwrap() {
        Report::OfTheTask(evaluation) => evaluation,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_regression_is_a_test_that_should_go_on_passing_and_fails() {
    let evaluation = of_the_task(&flat().to_string(), "zoo__zoo-1");
    let tests = TestChanges {
        fixed: vec!["feeds".to_owned()],
        not_fixed: vec!["swims".to_owned()],
        kept: vec!["sleeps".to_owned()],
        broken: vec!["barks".to_owned()],
    };
    assert_eq!(evaluation, Evaluation { patch: true, applied: true, resolved: false, tests: Some(tests) });
}

#[test]
fn a_report_is_flat_or_below_the_name_of_its_task() {
    let nested = json!({"zoo__zoo-1": flat()}).to_string();
    assert_eq!(of_the_task(&nested, "zoo__zoo-1"), of_the_task(&flat().to_string(), "zoo__zoo-1"));
    let Report::OfOthers { tasks } = report(&nested, Some("zoo__zoo-2")).unwrap() else {
        panic!("of another")
    };
    assert_eq!(tasks, ["zoo__zoo-1"]);
    let none = json!({"patch_is_None": true, "patch_exists": false, "patch_successfully_applied": false, "resolved": false});
    let evaluation = of_the_task(&json!({"zoo__zoo-1": none}).to_string(), "zoo__zoo-1");
    assert_eq!((evaluation.patch, evaluation.tests), (false, None));
    assert!(report("{}", None).unwrap_err().to_string().contains("no report"));
    assert!(report("{\"a\": 1}", None).unwrap_err().to_string().contains("found: a"));
    assert!(report("[]", None).is_err() && report("{", None).is_err());
}

#[test]
fn a_summary_tells_an_empty_patch_from_a_task_that_was_not_graded() {
    let text = json!({
        "total_instances": 6, "submitted_instances": 5, "completed_instances": 2, "resolved_instances": 1,
        "unresolved_instances": 1, "empty_patch_instances": 1, "error_instances": 1,
        "submitted_ids": ["a", "b", "c", "d", "e"], "resolved_ids": ["a"], "unresolved_ids": ["b"],
        "empty_patch_ids": ["c"], "error_ids": ["d"], "completed_ids": ["a", "b"],
    })
    .to_string();
    let class = |task: &str| match report(&text, Some(task)).unwrap() {
        Report::Summary(class) => class,
        other => panic!("{other:?}"),
    };
    let all = ["a", "b", "c", "d", "e"].map(class);
    assert_eq!(all, [Class::Resolved, Class::Unresolved, Class::EmptyPatch, Class::Error, Class::Incomplete]);
    let verdicts = all.map(|class| class.evaluation().map(|verdict| (verdict.patch, verdict.resolved)));
    assert_eq!(verdicts, [Some((true, true)), Some((true, false)), Some((false, false)), None, None]);
    assert!(matches!(report(&text, Some("f")).unwrap(), Report::OfOthers { tasks } if tasks.len() == 5));
    assert!(matches!(report(&text, None).unwrap(), Report::OfOthers { .. }));
}

/// The hard case tr4: the counts of a summary leave tasks out.
#[test]
fn a_rate_is_over_what_was_planned() {
    let Some(case) = shared::case("tr4") else { return };
    let mut summary: Summary = serde_json::from_value(case["input"]["report"].clone()).unwrap();
    let expected = &case["expected"];
    let rate = |of: usize| summary.resolved as f64 / of as f64;
    assert_eq!(json!(rate(summary.total)), expected["rate_over_total"]);
    assert_eq!(json!(rate(summary.completed)), expected["rate_over_completed"]);
    assert_eq!(json!(summary.not_submitted()), expected["not_submitted"]);
    assert!(summary.adds_up());
    summary.error -= 1;
    assert!(!summary.adds_up());
}

#[test]
fn the_released_reports_read() {
    let Some(folder) = shared::shared("runs/swebench-reports") else { return };
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let counts = |task: &str| {
        let evaluation = of_the_task(&read(&format!("{task}.report.json")), task);
        let tests = evaluation.tests.unwrap();
        let counts = [tests.fixed, tests.not_fixed, tests.kept, tests.broken].map(|tests| tests.len());
        (evaluation.resolved, counts)
    };
    assert_eq!(counts("sympy__sympy-11618"), (true, [1, 0, 4, 0]));
    assert_eq!(counts("sphinx-doc__sphinx-9229"), (false, [0, 1, 12, 1]));
    assert_eq!(counts("django__django-16950"), (false, [1, 0, 0, 3]));
    let summary = read("sb-cli-run.summary.json");
    let class = |task: &str| match report(&summary, Some(task)).unwrap() {
        Report::Summary(class) => Some(class),
        Report::OfOthers { .. } | Report::OfTheTask(_) => None,
    };
    assert_eq!(class("astropy__astropy-12907"), Some(Class::Resolved));
    assert_eq!(class("django__django-16950"), Some(Class::Unresolved));
    assert_eq!(class("zoo__zoo-1"), None);
}

#[test]
fn a_linter_that_was_not_there_found_nothing_and_is_not_clean() {
    let text = json!({"tools": {
        "ruff": {
            "available": true, "note": "", "n_findings_base": 3, "n_findings_head": 4, "files": ["a.py"],
            "new_findings": [{"path": "a.py", "code": "F401", "message": "unused", "line": 3}],
        },
        "flake8": {"available": false, "note": "not installed"},
    }});
    let runs = lint_report(&text.to_string()).unwrap();
    assert_eq!(
        (runs[0].tool.as_str(), &runs[0].findings, runs[0].note.as_str()),
        ("flake8", &None, "not installed")
    );
    let Some(findings @ Findings::New { base: 3, head: 4, .. }) = &runs[1].findings else {
        panic!("{runs:?}")
    };
    assert_eq!(findings.new_ones()[0].code, "F401");
    assert!(lint_report("{}").is_err());
}

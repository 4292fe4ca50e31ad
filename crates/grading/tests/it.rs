//! The verdict on one run: which rules are graded, and what comes first.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails its test")]

use polc_checker::declaration::{Ownership, State};
use polc_checker::evidence::{Absence, Run};
use polc_checker::executable::{CheckerDescription, Description, OutcomeRow};
use polc_checker::outcome::{Fault, Graded, Outcome, Violation};
use polc_checker::target::Place;
use polc_grading::check::{
    BindingRule, Cause, CheckOptions, CheckReport, CheckVerdict, PackOutcomes, report,
};
use polc_grading::metrics::Counts;
use polc_grading::rows::{GradeLine, ListPart, OutcomeName, Row, Rules, Status, Tally};
use polc_records::Digest;
use polc_records::corpus::{Corpus, CorpusRow};
use std::path::Path;

const CSV: &str = "ID,Source,Original text,Atomic rule,Applies to,Category,Requirement level,Evidence Type,In scope,\
    Out-of-scope route,Notes\n";

fn corpus(rules: usize) -> Corpus {
    let rows: String = (1..=rules)
        .map(|number| {
            format!(
                "ZOO-C{number:03},https://zoo.example/{number} | Top,Do {number}.,Do {number}.,code,\
                 Git and commit conventions,must,output,yes,,\"Route: M4 | Modal: must | Quote: \"\"it {number}\"\" | \
                 Context: none | Conclusion: in scope\"\n"
            )
        })
        .collect();
    Corpus::parse(Path::new("rules.csv"), &"zoo".parse().unwrap(), &format!("{CSV}{rows}")).unwrap()
}

fn bound(corpus: &Corpus) -> Vec<BindingRule<'_>> {
    let rule = |row| BindingRule { row, digest: CorpusRow::checker_digest(row).unwrap(), waiver: None };
    corpus.binding().map(rule).collect()
}

fn checker(rule: &BindingRule<'_>) -> CheckerDescription {
    CheckerDescription {
        rule: rule.row.id.to_string(),
        written_for: rule.digest.to_string(),
        file: "git/c001".to_owned(),
        state: State::Written,
        ownership: Ownership::Created,
        reads: Vec::new(),
        exact: true,
        exemption: None,
    }
}

fn row(rule: &str, outcome: Outcome) -> OutcomeRow {
    let violating = usize::from(outcome == Outcome::Violated);
    let violation =
        Violation { place: Place::Contribution, snippet: String::new(), reason: "do it".to_owned() };
    let graded = Graded {
        outcome,
        selected: 1,
        judged: 1,
        violating,
        violations: vec![violation; violating],
        seen: Vec::new(),
    };
    OutcomeRow {
        run: "run".to_owned(),
        rule: rule.to_owned(),
        graded,
        exact: true,
        human_in_the_loop: false,
        corpus: String::new(),
        runtime: String::new(),
    }
}

fn error(kind: Fault) -> Outcome {
    Outcome::Error { kind, message: "oh".to_owned() }
}

/// A check of as many rules as there are outcomes, one each.
fn check(outcomes: &[Outcome], options: CheckOptions) -> CheckReport {
    let corpus = corpus(outcomes.len());
    let rules = bound(&corpus);
    let checkers: Vec<_> = rules.iter().map(checker).collect();
    let rows: Vec<_> = rules
        .iter()
        .zip(outcomes)
        .map(|(rule, outcome)| row(&rule.row.id.to_string(), outcome.clone()))
        .collect();
    report("zoo", &rules, PackOutcomes { checkers: &checkers, rows: &rows }, options)
}

#[test]
fn what_could_not_be_graded_comes_before_what_was_found() {
    let (satisfied, violated) = (Outcome::Satisfied, Outcome::Violated);
    let (stub, panic) = (error(Fault::Unwritten), error(Fault::Panic));
    let strict = CheckOptions::default();
    let lenient = CheckOptions { allow_stubs: true, ..strict };
    for (outcomes, options, verdict) in [
        (vec![], strict, CheckVerdict::Passed),
        (vec![satisfied.clone()], strict, CheckVerdict::Passed),
        (vec![satisfied.clone(), violated.clone()], strict, CheckVerdict::Failed),
        (vec![satisfied.clone(), stub.clone()], strict, CheckVerdict::Incomplete),
        (vec![violated.clone(), stub.clone()], strict, CheckVerdict::Incomplete),
        (vec![satisfied, stub.clone()], lenient, CheckVerdict::Passed),
        (vec![violated.clone(), stub.clone()], lenient, CheckVerdict::Failed),
        (vec![violated, stub, panic], lenient, CheckVerdict::Incomplete),
    ] {
        assert_eq!(check(&outcomes, options).verdict, verdict, "{outcomes:?}");
    }
}

/// Whatever a checker says of a rule that it was not written for, it is an error.
#[test]
fn no_outcome_of_a_checker_for_another_text_is_believed() {
    let corpus = corpus(1);
    let rules = bound(&corpus);
    let other = Digest::of("another text").to_string();
    let checkers = [CheckerDescription { written_for: other.clone(), ..checker(&rules[0]) }];
    for outcome in [Outcome::Satisfied, Outcome::Violated, Outcome::Inapplicable, error(Fault::Panic)] {
        let rows = [row("ZOO-C001", outcome)];
        let pack = PackOutcomes { checkers: &checkers, rows: &rows };
        let report =
            report("zoo", &rules, pack, CheckOptions { allow_stubs: true, ..CheckOptions::default() });
        assert_eq!(report.verdict, CheckVerdict::Incomplete);
        assert_eq!((report.findings.len(), report.counts.errors, report.triggering_rate), (0, 1, None));
        let [ungraded] = report.ungraded.as_slice() else { unreachable!("one rule: {report:?}") };
        assert_eq!(ungraded.cause, Cause::AnotherText);
        assert!(ungraded.message.contains(&other), "{}", ungraded.message);
        assert!(ungraded.message.contains(&rules[0].digest.to_string()), "{}", ungraded.message);
    }
}

#[test]
fn every_binding_rule_and_every_checker_is_in_the_report() {
    let corpus = corpus(3);
    let rules = bound(&corpus);
    let checkers: Vec<_> = rules.iter().map(checker).collect();
    let rows = [row("ZOO-C002", Outcome::Satisfied), row("ZOO-C009", Outcome::Violated)];
    let pack = PackOutcomes { checkers: &checkers, rows: &rows };
    let report = report("zoo", &rules, pack, CheckOptions::default());
    let ungraded: Vec<_> = report.ungraded.iter().map(|rule| (rule.rule.as_str(), rule.cause)).collect();
    assert_eq!(
        ungraded,
        [("ZOO-C001", Cause::NoChecker), ("ZOO-C003", Cause::NoChecker), ("ZOO-C009", Cause::NoRule)]
    );
    assert_eq!((report.counts.satisfied, report.counts.violated, report.counts.errors), (1, 0, 3));
    assert_eq!(report.verdict, CheckVerdict::Incomplete);
}

/// The rows of one run over as many rules as there are outcomes.
fn rows(outcomes: &[Outcome]) -> Vec<Row> {
    let corpus = corpus(outcomes.len());
    let rules = bound(&corpus);
    let description = Description {
        project: "zoo".to_owned(),
        corpus: String::new(),
        runtime: String::new(),
        checkers: rules.iter().map(checker).collect(),
    };
    let rows: Vec<_> = rules
        .iter()
        .zip(outcomes)
        .map(|(rule, outcome)| row(&rule.row.id.to_string(), outcome.clone()))
        .collect();
    Rules::new(&rules, &description, Digest::of("")).rows(1, &Run::new("run", "zoo"), &rows)
}

#[test]
fn every_outcome_and_every_fault_has_a_name_of_its_own() {
    let withheld = |cause| Outcome::Withheld { what: "the pull request".to_owned(), cause };
    let named = [
        (Outcome::Satisfied, OutcomeName::Satisfied, Status::Ok, None),
        (Outcome::Violated, OutcomeName::Violated, Status::Ok, Some("do it")),
        (Outcome::Inapplicable, OutcomeName::Inapplicable, Status::Ok, None),
        (
            withheld(Absence::NotInThisRun),
            OutcomeName::Withheld,
            Status::NotInThisRun,
            Some("the pull request is missing from this run"),
        ),
        (
            withheld(Absence::NotParseable),
            OutcomeName::Withheld,
            Status::NotParseable,
            Some("the pull request is not parseable"),
        ),
        (error(Fault::Unwritten), OutcomeName::Error, Status::Unwritten, Some("oh")),
        (error(Fault::TimedOut), OutcomeName::Error, Status::TimedOut, Some("oh")),
    ];
    let outcomes: Vec<Outcome> = named.iter().map(|(outcome, ..)| outcome.clone()).collect();
    let rows = rows(&outcomes);
    for (row, (outcome, name, status, reason)) in rows.iter().zip(&named) {
        assert_eq!(
            (row.outcome, row.status, row.reason.as_deref()),
            (*name, *status, *reason),
            "{outcome:?}"
        );
        assert_eq!(row.selected, usize::from(*name != OutcomeName::Error), "an error has no targets");
    }
    let mut tally = Tally::default();
    rows.into_iter().map(Box::new).map(GradeLine::Row).for_each(|line| tally.count(&line));
    assert_eq!(tally.counts, Counts { satisfied: 1, violated: 1, inapplicable: 1, withheld: 2, errors: 2 });
}

#[test]
fn rows_are_of_the_rules_that_bind_and_of_checkers_that_have_none() {
    let corpus = corpus(2);
    let rules = bound(&corpus);
    let mut orphan = checker(&rules[0]);
    orphan.rule = "ZOO-C1000".to_owned();
    let other = CheckerDescription { written_for: Digest::of("another").to_string(), ..checker(&rules[0]) };
    let description = Description {
        project: "zoo".to_owned(),
        corpus: String::new(),
        runtime: String::new(),
        checkers: vec![orphan, other],
    };
    let all = Rules::new(&rules, &description, Digest::of(""));
    let outcomes = ["ZOO-C001", "ZOO-C1000"].map(|rule| row(rule, Outcome::Violated));
    let rows = all.rows(1, &Run::new("run", "zoo"), &outcomes);
    let told: Vec<_> = rows.iter().map(|row| (row.rule.as_str(), row.outcome, row.status)).collect();
    let error = OutcomeName::Error;
    assert_eq!(
        told,
        [
            ("ZOO-C001", error, Status::AnotherText),
            ("ZOO-C002", error, Status::NoChecker),
            ("ZOO-C1000", error, Status::NoRule)
        ]
    );
}

#[test]
fn every_run_is_in_one_part() {
    for of in 1..9 {
        for ordinal in 1..50 {
            let parts = (1..=of).filter(|part| ListPart { part: *part, of }.has(ordinal)).count();
            assert_eq!(parts, 1, "run {ordinal} in {of} parts");
        }
    }
}

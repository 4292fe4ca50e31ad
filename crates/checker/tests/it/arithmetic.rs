use polc_checker::cases::{CaseResult, Expected, run};
use polc_checker::evidence::{Absence, Content, Evidence, Part, Run, SCHEMA};
use polc_checker::outcome::{Fault, Graded, Outcome};
use polc_checker::pack::Blunt;
use polc_checker::target::{Line, Whole};
use polc_checker::{
    Checker, Commit, Declaration, Entry, FileChange, Judgement, Ownership, Read, Selection, View,
};

fn evidence() -> Evidence {
    Evidence {
        schema: SCHEMA,
        run: Run { id: "r1".to_owned(), project: "zoo".to_owned(), base: None, head: None },
        files: Part::Recorded(vec![
            FileChange::new(
                "a.txt",
                Content::Text("one\ntwo\n".to_owned()),
                Content::Text("one\nbad\nfine\n".to_owned()),
            ),
            FileChange::new("big.txt", Content::Absent, Content::TooLarge),
        ]),
        commits: Part::Recorded(Vec::new()),
        pull_request: Part::Missing(Absence::NotInThisRun),
    }
}

fn grade<C: Checker>(evidence: &Evidence) -> Graded {
    Entry::of::<C>("git/c001", "").grade(evidence, Blunt::None)
}

const DIGEST: &str = "sha256:0";

/// Written lines that say `bad` break it.
struct NoBad;

impl Checker for NoBad {
    type Target<'e> = Line<'e>;
    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C001", DIGEST, Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Line<'e>> {
        let mut lines = Vec::new();
        for file in view.files()?.iter().filter(|file| file.path == "a.txt") {
            lines.extend(view.authored_lines(file)?);
        }
        Ok(lines)
    }

    fn postcondition<'e>(_: &View<'e>, line: &Line<'e>) -> Judgement {
        Judgement::when(line.text != "bad", || "say something better".to_owned())
    }
}

#[test]
fn any_violated_target_makes_the_rule_violated() {
    let graded = grade::<NoBad>(&evidence());
    assert_eq!(graded.outcome, Outcome::Violated);
    assert_eq!((graded.selected, graded.judged, graded.violating), (2, 2, 1));
    assert_eq!(graded.violations[0].snippet, "bad");
    assert_eq!(graded.violations[0].reason, "say something better");
}

/// Selects every commit; there is none.
struct Commits;

impl Checker for Commits {
    type Target<'e> = &'e Commit;
    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C002", DIGEST, Ownership::Created, &[Read::Commits]);

    fn precondition<'e>(view: &View<'e>) -> Selection<&'e Commit> {
        Ok(view.commits()?.iter().collect())
    }

    fn postcondition<'e>(_: &View<'e>, _: &&'e Commit) -> Judgement {
        Judgement::Violated("never asked".to_owned())
    }
}

#[test]
fn selecting_nothing_is_inapplicable_and_never_a_pass() {
    assert_eq!(grade::<Commits>(&evidence()).outcome, Outcome::Inapplicable);
}

/// Needs the pull request.
struct Disclosed;

impl Checker for Disclosed {
    type Target<'e> = Whole;
    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C003", DIGEST, Ownership::Created, &[Read::PullRequest]);

    fn precondition<'e>(_: &View<'e>) -> Selection<Whole> {
        Ok(vec![Whole])
    }

    fn postcondition<'e>(view: &View<'e>, _: &Whole) -> Judgement {
        match view.pull_request() {
            Ok(request) => Judgement::when(request.body.contains("AI"), || "say so".to_owned()),
            Err(missing) => Judgement::Undetermined(missing),
        }
    }
}

#[test]
fn what_is_missing_withholds_and_what_is_empty_does_not() {
    let mut evidence = evidence();
    let withheld = Outcome::Withheld { what: "pull-request".to_owned(), cause: Absence::NotInThisRun };
    assert_eq!(grade::<Disclosed>(&evidence).outcome, withheld);
    let empty = polc_checker::PullRequest { title: String::new(), body: String::new() };
    evidence.pull_request = Part::Recorded(empty);
    assert_eq!(grade::<Disclosed>(&evidence).outcome, Outcome::Violated);
}

/// Judges one line and cannot read the other file.
struct Half;

impl Checker for Half {
    type Target<'e> = &'e FileChange;
    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C004", DIGEST, Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<&'e FileChange> {
        Ok(view.files()?.iter().collect())
    }

    fn postcondition<'e>(view: &View<'e>, file: &&'e FileChange) -> Judgement {
        match view.head_text(file) {
            Ok(_) => Judgement::Satisfied,
            Err(missing) => Judgement::Undetermined(missing),
        }
    }
}

#[test]
fn one_satisfied_target_is_enough_and_the_undetermined_are_counted() {
    let graded = grade::<Half>(&evidence());
    assert_eq!(graded.outcome, Outcome::Satisfied);
    assert_eq!((graded.selected, graded.judged), (2, 1));
}

/// Panics.
struct Panics;

impl Checker for Panics {
    type Target<'e> = Whole;
    const DECLARATION: Declaration = Declaration::exact("ZOO-C005", DIGEST, Ownership::Created, &[]);

    fn precondition<'e>(_: &View<'e>) -> Selection<Whole> {
        Ok(vec![Whole])
    }

    fn postcondition<'e>(_: &View<'e>, _: &Whole) -> Judgement {
        let empty: Vec<String> = Vec::new();
        Judgement::Violated(empty[0].clone())
    }
}

/// Reads commits and does not say so.
struct Sneaky;

impl Checker for Sneaky {
    type Target<'e> = Whole;
    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C006", DIGEST, Ownership::Created, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Whole> {
        view.commits()?;
        Ok(Vec::new())
    }

    fn postcondition<'e>(_: &View<'e>, _: &Whole) -> Judgement {
        Judgement::Satisfied
    }
}

/// Selects a line that was there before.
struct Grabs;

impl Checker for Grabs {
    type Target<'e> = Line<'e>;
    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C007", DIGEST, Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Line<'e>> {
        Ok(view.files()?.iter().take(1).map(|file| Line { file, number: 1, text: "one" }).collect())
    }

    fn postcondition<'e>(_: &View<'e>, _: &Line<'e>) -> Judgement {
        Judgement::Satisfied
    }
}

#[test]
fn faults_of_a_checker_are_errors_and_contained() {
    let kind = |graded: Graded| match graded.outcome {
        Outcome::Error { kind, .. } => Some(kind),
        _ => None,
    };
    assert_eq!(kind(grade::<Panics>(&evidence())), Some(Fault::Panic));
    assert_eq!(kind(grade::<Sneaky>(&evidence())), Some(Fault::UndeclaredRead));
    assert_eq!(kind(grade::<Grabs>(&evidence())), Some(Fault::NotOwned));
    assert_eq!(grade::<NoBad>(&evidence()).outcome, Outcome::Violated, "the others go on");
}

const CASES: &str = r#"
schema = 1
rule = "ZOO-C001"

[[case]]
name = "a fine line"
expect = "satisfied"
[[case.file]]
path = "a.txt"
base = ""
head = "fine\n"

[[case]]
name = "a bad line"
expect = "violated"
[[case.file]]
path = "a.txt"
head = "bad\n"

[[case]]
name = "another file"
expect = "inapplicable"
[[case.file]]
path = "b.txt"
head = "bad\n"
"#;

#[test]
fn cases_pass_and_each_blunt_fails_them() {
    let entry = Entry::of::<NoBad>("git/c001", CASES);
    let report = run("zoo", &entry, Blunt::None);
    assert!(report.passed(), "{report:?}");
    for blunt in [Blunt::Satisfied, Blunt::Violated, Blunt::Nothing] {
        let report = run("zoo", &entry, blunt);
        assert!(report.has_contrary(blunt) && report.failed_case().is_some(), "{blunt:?} {report:?}");
    }
}

#[test]
fn a_case_file_is_held_to_its_rule_and_its_types() {
    let entry = Entry::of::<NoBad>("git/c001", "schema = 1\nrule = \"ZOO-C009\"\n");
    let faults = run("zoo", &entry, Blunt::None).faults;
    assert_eq!(faults.len(), 4, "{faults:?}");
    let broken = run("zoo", &Entry::of::<NoBad>("git/c001", "schema = 1\nrule = 3\n"), Blunt::None);
    assert!(broken.faults[0].contains("does not parse"), "{broken:?}");
    let skeleton = CASES.replace("name = \"a bad line\"", "name = \"a bad line\"\nunwritten = true");
    let report =
        run("zoo", &Entry::of::<NoBad>("git/c001", Box::leak(skeleton.into_boxed_str())), Blunt::None);
    assert_eq!(report.cases[1].result, CaseResult::Unwritten);
    assert!(!report.passed());
    assert_eq!(report.cases[0].expect, Expected::Satisfied);
}

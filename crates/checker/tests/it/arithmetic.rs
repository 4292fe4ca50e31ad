use polc_checker::cases::{CaseResult, Expected, run};
use polc_checker::evidence::{Absence, Content, Evidence, Part, Run, Step};
use polc_checker::outcome::{Fault, Graded, Outcome};
use polc_checker::pack::Blunt;
use polc_checker::target::{Line, Whole};
use polc_checker::{
    Checker, Commit, Declaration, Entry, FileChange, Judgement, Ownership, Read, Selection, View,
};

fn evidence() -> Evidence {
    Evidence {
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
        ..Evidence::of_nothing(Run::new("r1", "zoo"))
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
        Declaration::exact("ZOO-C004", DIGEST, Ownership::Enclosing, &[Read::Files]);

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

/// Selects a whole file, under the ownership of its parameter.
struct WholeFiles<const OWNERSHIP: u8>;

impl<const OWNERSHIP: u8> Checker for WholeFiles<OWNERSHIP> {
    type Target<'e> = &'e FileChange;
    const DECLARATION: Declaration = Declaration::exact(
        "ZOO-C008",
        DIGEST,
        [Ownership::Created, Ownership::Touched, Ownership::Enclosing][OWNERSHIP as usize],
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<&'e FileChange> {
        Ok(view.files()?.iter().collect())
    }

    fn postcondition<'e>(_: &View<'e>, _: &&'e FileChange) -> Judgement {
        Judgement::Satisfied
    }
}

fn file_evidence(file: FileChange) -> Evidence {
    Evidence { files: Part::Recorded(vec![file]), ..evidence() }
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

#[test]
fn a_whole_file_that_was_there_before_is_owned_only_by_what_encloses() {
    let changed = FileChange::new("a", text("one\n"), text("one\ntwo\n"));
    let mut renamed = FileChange::new("b", text("one\n"), text("one\n"));
    renamed.old_path = Some("a".to_owned());
    for (file, owned) in [
        (FileChange::new("a", Content::Absent, text("one\n")), [true, true, true]),
        (renamed, [true, true, true]),
        (changed, [false, false, true]),
        (FileChange::new("a", text("one\n"), Content::Absent), [false, false, true]),
    ] {
        let evidence = file_evidence(file);
        let outcomes = [
            grade::<WholeFiles<0>>(&evidence),
            grade::<WholeFiles<1>>(&evidence),
            grade::<WholeFiles<2>>(&evidence),
        ];
        assert_eq!(outcomes.map(|graded| graded.outcome == Outcome::Satisfied), owned, "{evidence:?}");
    }
}

/// Written lines of any file that say `bad` break it.
struct NoBadAnywhere;

impl Checker for NoBadAnywhere {
    type Target<'e> = Line<'e>;
    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C009", DIGEST, Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Line<'e>> {
        view.lines_written(|_| true)
    }

    fn postcondition<'e>(view: &View<'e>, line: &Line<'e>) -> Judgement {
        NoBad::postcondition(view, line)
    }
}

#[test]
fn a_text_that_is_withheld_on_either_side_is_undetermined_and_writes_no_line() {
    for (content, cause) in
        [(Content::TooLarge, Absence::NotInThisRun), (Content::NotUtf8, Absence::NotParseable)]
    {
        for (base, head) in
            [(content.clone(), text("bad\n")), (text("bad\n"), content.clone()), (content.clone(), content)]
        {
            let file = FileChange::new("b.txt", base, head);
            assert!(file.diff().is_none());
            let mut evidence = file_evidence(file);
            let graded = grade::<NoBadAnywhere>(&evidence);
            assert_eq!(graded.outcome, Outcome::Withheld { what: "b.txt".to_owned(), cause });
            if let Part::Recorded(files) = &mut evidence.files {
                files.push(FileChange::new("c.txt", Content::Absent, text("bad\n")));
            }
            let graded = grade::<NoBadAnywhere>(&evidence);
            assert_eq!(graded.outcome, Outcome::Violated, "the other files are judged all the same");
            assert_eq!((graded.selected, graded.judged), (2, 1));
        }
    }
}

#[test]
fn what_is_no_text_has_no_lines_and_withholds_nothing() {
    for content in [
        Content::Absent,
        Content::Binary,
        Content::Link("bad".to_owned()),
        Content::Submodule("0".to_owned()),
    ] {
        let evidence = file_evidence(FileChange::new("b", text("bad\n"), content));
        assert_eq!(grade::<NoBadAnywhere>(&evidence).outcome, Outcome::Inapplicable);
    }
}

#[test]
fn a_patch_tells_the_lines_that_were_written_without_the_text_around_them() {
    let whole = FileChange::new("a", text("1\n2\n3\n4\n5\n"), text("1\n2\nbad\n4\n5\n"));
    let mut alone = FileChange::new("a", Content::NotRecorded, Content::NotRecorded);
    let withheld = grade::<NoBadAnywhere>(&file_evidence(alone.clone()));
    assert!(matches!(withheld.outcome, Outcome::Withheld { .. }), "{withheld:?}");
    alone.patch = whole.diff().map(|diff| diff.hunks().to_vec());
    let evidence = file_evidence(alone);
    let graded = grade::<NoBadAnywhere>(&evidence);
    assert_eq!(graded, grade::<NoBadAnywhere>(&file_evidence(whole)));
    assert_eq!(graded.outcome, Outcome::Violated);
    let json = serde_json::to_string(&evidence).unwrap();
    assert_eq!(serde_json::from_str::<Evidence>(&json).unwrap(), evidence);
}

/// Commands that push with force break it.
struct NoForce;

impl Checker for NoForce {
    type Target<'e> = Whole;
    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C010", DIGEST, Ownership::Created, &[Read::Steps]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Whole> {
        let pushes = view.steps()?.iter().filter_map(Step::command).any(|line| line.contains("git push"));
        Ok(if pushes { vec![Whole] } else { Vec::new() })
    }

    fn postcondition<'e>(view: &View<'e>, _whole: &Whole) -> Judgement {
        let kept = view
            .steps()
            .map(|steps| !steps.iter().filter_map(Step::command).any(|line| line.contains("--force")));
        Judgement::when_known(kept, || "push without force".to_owned())
    }
}

#[test]
fn a_case_carries_what_an_agent_did_and_what_the_run_lost() {
    const CASES: &str = r#"
schema = 2
rule = "ZOO-C010"

[[case]]
name = "a push"
expect = "satisfied"
[[case.step]]
action.shell.command = "git push"
output = "done"
exit = 0

[[case]]
name = "a forced push"
expect = "violated"
[[case.step]]
action.shell.command = "git push --force"

[[case]]
name = "an agent that only read"
expect = "inapplicable"
[[case.step]]
action.read.path = "a.txt"

[[case]]
name = "nothing is known of an agent"
expect = "withheld"

[[case]]
name = "the steps are lost"
expect = "withheld"
missing = ["steps"]
[[case.step]]
action.shell.command = "git push"
"#;
    let report = run("zoo", &Entry::of::<NoForce>("git/c010", CASES), Blunt::None);
    assert!(report.passed(), "{report:#?}");
    for (old, new) in [("schema = 2", "schema = 3"), ("exit = 0", "ended = 0")] {
        let cases: &'static str = CASES.replace(old, new).leak();
        assert!(!run("zoo", &Entry::of::<NoForce>("git/c010", cases), Blunt::None).passed(), "{new}");
    }
}

//! Checkers that try to see, blame or withhold more than they may.

use polc_checker::cases::run;
use polc_checker::evidence::{Absence, Content, Evidence, Part, Run};
use polc_checker::outcome::{Fault, Graded, Outcome};
use polc_checker::pack::Blunt;
use polc_checker::target::{Line, Whole};
use polc_checker::{
    Checker, Commit, Declaration, Entry, FileChange, Judgement, Missing, Ownership, PullRequest, Read,
    Selection, Span, View,
};
use std::cell::RefCell;

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn evidence() -> Evidence {
    let request = PullRequest { title: "Secret".to_owned(), body: "plan".to_owned() };
    let files = || {
        vec![
            FileChange::new("a", text("one\ntwo\n"), text("one\nnew\n")),
            FileChange::new("b", Content::Absent, text("bad\n")),
            FileChange::new("c", Content::Absent, Content::TooLarge),
        ]
    };
    Evidence {
        files: Part::Recorded(files()),
        worktree: Part::Recorded(files()),
        commits: Part::Recorded(Vec::new()),
        pull_request: Part::Recorded(request),
        ..Evidence::of_nothing(Run::new("r1", "zoo"))
    }
}

/// A checker of these functions.
macro_rules! checker {
    ($name:ident, $target:ty, $ownership:ident, $reads:expr, $select:expr, $judge:expr) => {
        struct $name;

        impl Checker for $name {
            type Target<'e> = $target;
            const DECLARATION: Declaration =
                Declaration::exact("ZOO-C001", "sha256:0", Ownership::$ownership, $reads);

            fn precondition<'e>(view: &View<'e>) -> Selection<$target> {
                let select: for<'v> fn(&'v View<'e>) -> Selection<$target> = $select;
                select(view)
            }

            fn postcondition<'e>(view: &View<'e>, target: &$target) -> Judgement {
                let judge: for<'v> fn(&'v View<'e>, &'v $target) -> Judgement = $judge;
                judge(view, target)
            }
        }
    };
}

fn grade<C: Checker>() -> Graded {
    Entry::of::<C>("git/c001", "").grade(&evidence(), Blunt::None)
}

#[track_caller]
fn is_fault<C: Checker>(kind: Fault, says: &str) {
    let graded = grade::<C>();
    let Outcome::Error { kind: found, message } = &graded.outcome else {
        assert!(matches!(graded.outcome, Outcome::Error { .. }), "{graded:?}");
        return;
    };
    assert_eq!(*found, kind, "{message}");
    assert!(message.contains(says), "{message}");
}

thread_local! {
    static SEEN: RefCell<String> = const { RefCell::new(String::new()) };
    static KEPT: RefCell<Option<Missing>> = const { RefCell::new(None) };
}

checker!(ReadsInJudgement, Whole, Created, &[Read::Files], |_| Ok(vec![Whole]), |view, _| {
    let seen = view.pull_request().map_or_else(|_| "nothing".to_owned(), |request| request.title.clone());
    SEEN.set(seen);
    Judgement::Satisfied
});

#[test]
fn a_post_condition_reads_nothing_undeclared_and_is_shown_nothing() {
    is_fault::<ReadsInJudgement>(Fault::UndeclaredRead, "pull-request");
    assert_eq!(SEEN.take(), "nothing");
}

checker!(
    ReadsAndPanics,
    Whole,
    Created,
    &[Read::Files],
    |view| {
        assert!(view.status().is_ok(), "no lion");
        Ok(Vec::new())
    },
    |_, _| Judgement::Satisfied
);

#[test]
fn a_panic_hides_no_undeclared_read() {
    is_fault::<ReadsAndPanics>(Fault::UndeclaredRead, "status; then it panicked: no lion");
}

checker!(ByBranch, Whole, Created, &[Read::Files], |view| view.branch().map(|_| vec![Whole]), |_, _| {
    Judgement::Satisfied
});
checker!(ByProposal, &'e PullRequest, Created, &[Read::PullRequest], |view| view.proposal(), |_, _| {
    Judgement::Satisfied
});
checker!(
    ByWorktree,
    &'e FileChange,
    Enclosing,
    &[Read::Files],
    |view| Ok(view.worktree()?.iter().collect()),
    |_, _| { Judgement::Satisfied }
);

#[test]
fn no_way_round_leads_to_another_part() {
    is_fault::<ByBranch>(Fault::UndeclaredRead, "commits");
    is_fault::<ByProposal>(Fault::UndeclaredRead, "commits");
    is_fault::<ByWorktree>(Fault::UndeclaredRead, "worktree");
}

checker!(
    Prints,
    Whole,
    Created,
    &[Read::Files],
    |view| {
        SEEN.set(format!("{view:?}"));
        Ok(Vec::new())
    },
    |_, _| Judgement::Satisfied
);

#[test]
fn a_view_that_is_printed_shows_nothing() {
    assert_eq!(grade::<Prints>().outcome, Outcome::Inapplicable);
    let seen = SEEN.take();
    assert!(seen.contains("View") && !seen.contains("Secret") && !seen.contains("one"), "{seen}");
}

/// A file that no run holds, and that lives as long as is asked for.
fn forged(head: Content) -> &'static FileChange {
    Box::leak(Box::new(FileChange::new("a", Content::Absent, head)))
}

checker!(
    ForgesLine,
    Line<'e>,
    Created,
    &[Read::Files],
    |_| Ok(vec![Line { file: forged(text("one\n")), number: 1, text: "one" }]),
    |_, _| Judgement::Satisfied
);
checker!(
    ForgesFile,
    &'e FileChange,
    Created,
    &[Read::Files],
    |view| {
        let mut copy = view.files()?[0].clone();
        copy.base = Content::Absent;
        Ok(vec![&*Box::leak(Box::new(copy))])
    },
    |_, _| Judgement::Satisfied
);
checker!(
    ForgesRequest,
    &'e PullRequest,
    Created,
    &[Read::PullRequest],
    |view| Ok(vec![&*Box::leak(Box::new(view.pull_request()?.clone()))]),
    |_, _| Judgement::Satisfied
);
checker!(
    ForgesAbsence,
    Whole,
    Created,
    &[Read::Files],
    |_| Ok(vec![Whole]),
    |view, _| Judgement::when_known(view.head_text(forged(Content::TooLarge)).map(|_| true), String::new)
);

#[test]
fn nothing_counts_that_is_not_of_the_run() {
    is_fault::<ForgesLine>(Fault::Forged, "not in the evidence");
    is_fault::<ForgesFile>(Fault::Forged, "not in the evidence");
    is_fault::<ForgesRequest>(Fault::Forged, "not in the evidence");
    is_fault::<ForgesAbsence>(Fault::Forged, "not in the evidence");
}

checker!(
    OtherText,
    Line<'e>,
    Touched,
    &[Read::Files],
    |view| {
        let files = view.files()?;
        let text = files[1].head_text().unwrap_or_default();
        Ok(vec![Line { file: &files[0], number: 2, text: text.trim_end() }])
    },
    |_, line| Judgement::when(line.text != "bad", || "bad".to_owned())
);

#[test]
fn a_line_of_one_file_carries_no_text_of_another() {
    is_fault::<OtherText>(Fault::Forged, "another text");
}

checker!(
    KeepsAbsence,
    &'e FileChange,
    Enclosing,
    &[Read::Files],
    |view| {
        let files = view.files()?;
        KEPT.set(view.head_text(&files[2]).err());
        Ok(files.iter().take(1).collect())
    },
    |_, _| KEPT.take().map_or(Judgement::Satisfied, Judgement::Undetermined)
);
checker!(
    KeepsForOther,
    &'e FileChange,
    Enclosing,
    &[Read::Files],
    |view| Ok(view.files()?.iter().rev().collect()),
    |view, file| {
        match view.head_text(file) {
            Err(missing) => {
                KEPT.set(Some(missing.clone()));
                Judgement::Undetermined(missing)
            }
            Ok(_) => KEPT.take().map_or(Judgement::Satisfied, Judgement::Undetermined),
        }
    }
);

#[test]
fn what_was_missing_for_one_is_not_missing_for_another() {
    is_fault::<KeepsAbsence>(Fault::Forged, "c is missing from this run");
    is_fault::<KeepsForOther>(Fault::Forged, "c is missing from this run");
}

checker!(
    EmptySpan,
    Span<'e>,
    Created,
    &[Read::Files],
    |view| {
        let lines = std::ops::RangeInclusive::new(2, 1);
        Ok(view
            .files()?
            .iter()
            .take(1)
            .map(|file| Span { file, lines: lines.clone(), text: String::new() })
            .collect())
    },
    |_, _| Judgement::Satisfied
);
checker!(
    OldLine,
    Span<'e>,
    Touched,
    &[Read::Files],
    |view| Ok(view
        .files()?
        .iter()
        .take(1)
        .map(|file| Span { file, lines: 1..=1, text: String::new() })
        .collect()),
    |_, _| Judgement::Satisfied
);
checker!(
    HalfNew,
    Span<'e>,
    Created,
    &[Read::Files],
    |view| Ok(view
        .files()?
        .iter()
        .take(1)
        .map(|file| Span { file, lines: 1..=2, text: String::new() })
        .collect()),
    |_, _| Judgement::Satisfied
);
checker!(
    OldFile,
    &'e FileChange,
    Created,
    &[Read::Files],
    |view| Ok(view.files()?.iter().take(1).collect()),
    |_, _| Judgement::Satisfied
);
checker!(
    FarLine,
    Span<'e>,
    Touched,
    &[Read::Files],
    |view| Ok(view
        .files()?
        .iter()
        .take(1)
        .map(|file| Span { file, lines: 3..=usize::MAX, text: String::new() })
        .collect()),
    |_, _| Judgement::Satisfied
);

#[test]
fn what_was_there_before_or_is_nowhere_is_owned_by_nobody() {
    is_fault::<EmptySpan>(Fault::NotOwned, "does not own");
    is_fault::<OldLine>(Fault::NotOwned, "does not own");
    is_fault::<HalfNew>(Fault::NotOwned, "does not own");
    is_fault::<OldFile>(Fault::NotOwned, "does not own");
    is_fault::<FarLine>(Fault::NotOwned, "does not own");
}

checker!(
    Withholds,
    Whole,
    Created,
    &[Read::PullRequest, Read::Commits],
    |view| {
        view.commits()?;
        Ok(vec![Whole])
    },
    |view, _| Judgement::when_known(view.pull_request().map(|_| true), String::new)
);

#[test]
fn a_checker_withholds_by_what_it_declares_and_the_run_lacks_and_by_nothing_else() {
    let entry = Entry::of::<Withholds>("git/c001", "");
    assert_eq!(entry.grade(&evidence(), Blunt::None).outcome, Outcome::Satisfied);
    for lost in [Read::PullRequest, Read::Commits] {
        let mut evidence = evidence();
        evidence.forget(lost);
        let withheld = Outcome::Withheld { what: lost.as_str().to_owned(), cause: Absence::NotInThisRun };
        assert_eq!(entry.grade(&evidence, Blunt::None).outcome, withheld);
    }
    for other in [Read::Files, Read::Worktree, Read::Status, Read::Steps] {
        let mut evidence = evidence();
        evidence.forget(other);
        assert_eq!(entry.grade(&evidence, Blunt::None).outcome, Outcome::Satisfied, "{other:?}");
    }
}

checker!(
    Greedy,
    &'e Commit,
    Created,
    &[Read::Commits, Read::Probe],
    |view| Ok(view.commits()?.iter().collect()),
    |view, commit| {
        if commit.message.raw() == "peek" {
            let _seen = view.steps();
        }
        Judgement::when(commit.message.raw() != "bad", || "bad".to_owned())
    }
);

#[test]
fn cases_show_what_is_read_undeclared_and_what_is_declared_unread() {
    let case = |name: &str, expect: &str, message: &str| {
        let commit = if message.is_empty() {
            String::new()
        } else {
            format!("[[case.commit]]\nmessage = \"{message}\"\n")
        };
        format!("[[case]]\nname = \"{name}\"\nexpect = \"{expect}\"\n{commit}")
    };
    let cases = |satisfied: &str| -> &'static str {
        let all = [
            case("one", "satisfied", satisfied),
            case("two", "violated", "bad"),
            case("three", "inapplicable", ""),
        ];
        format!("schema = 2\nrule = \"ZOO-C001\"\n{}", all.concat()).leak()
    };
    let report = run("zoo", &Entry::of::<Greedy>("git/c001", cases("fine")), Blunt::None);
    assert!(report.passed(), "{report:?}");
    assert_eq!(report.unread, [Read::Probe]);
    let report = run("zoo", &Entry::of::<Greedy>("git/c001", cases("peek")), Blunt::None);
    assert!(!report.passed(), "{report:?}");
    let failed = serde_json::to_string(report.failed_case().unwrap()).unwrap();
    assert!(failed.contains("does not declare: steps"), "{failed}");
}

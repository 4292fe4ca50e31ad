//! Rules on commits and branches.

use polc_checker::issue::IssueReference;
use polc_checker::message::{Prefix, VerbForm};
use polc_checker::{
    Checker, Commit, Declaration, Direction, InCommit, Judgement, Layer, Ownership, Read, Selection, Trace,
    View, Whole,
};

/// KILN-C011: Say in the past tense what a commit did, behind the ticket where there is one.
///
/// *Precondition:* selects every commit that is no merge.
///
/// *Post-condition:* its first word, or the one behind the ticket, is a past form.
///
/// *Approximate:* The form of one word stands for the tense of the line (errs by missing).
pub struct C011;

impl Checker for C011 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C011", "sha256:11", Ownership::Created, &[Read::Commits]).approximate(&[
            Trace {
                layer: Layer::Postcondition,
                trace: "the form of one word stands for the tense of the line",
                errs: Direction::Misses,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().filter(|commit| !commit.is_merge()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let subject = target.message.subject_line();
        let past = matches!(subject.verb_form(&[Prefix::Issue]), VerbForm::Past | VerbForm::Unknown);
        Judgement::when(past, || "say what was done: `Added`, not `Add`".to_owned())
    }
}

/// KILN-C012: Leave nothing uncommitted behind.
///
/// *Precondition:* selects a contribution with a commit.
///
/// *Post-condition:* git has nothing to say of the tree at the end.
pub struct C012;

impl Checker for C012 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C012", "sha256:12", Ownership::Created, &[Read::Commits, Read::Status]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.first().map(|_| Whole).into_iter().collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        let clean = view.status().map(<[_]>::is_empty);
        Judgement::when_known(clean, || "commit what is left in the tree, or take it away".to_owned())
    }
}

/// KILN-C013: Wrap the body of a message at 75 columns; what is quoted may be longer.
///
/// *Precondition:* selects every commit with a body.
///
/// *Post-condition:* no line of prose is wider.
pub struct C013;

impl Checker for C013 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C013", "sha256:13", Ownership::Created, &[Read::Commits]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().filter(|commit| !commit.message.body_lines().is_empty()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        match target.message.overlong(75).first() {
            None => Judgement::Satisfied,
            Some(line) => Judgement::Violated(format!("wrap line {} at 75 columns", line.line)),
        }
    }
}

/// KILN-C014: A commit that names an issue says that it closes it.
///
/// *Precondition:* selects every issue that a message refers to.
///
/// *Post-condition:* a word that closes stands before it.
///
/// *Approximate:* Any reference stands for the issue that was worked on (errs by alarm).
pub struct C014;

impl Checker for C014 {
    type Target<'e> = InCommit<'e, IssueReference>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C014", "sha256:14", Ownership::Created, &[Read::Commits]).approximate(&[
            Trace {
                layer: Layer::Precondition,
                trace: "any reference stands for the issue that was worked on",
                errs: Direction::Alarms,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let commits = view.commits()?.iter();
        let found = commits
            .flat_map(|commit| commit.message.issues().into_iter().map(|found| InCommit { commit, found }));
        Ok(found.collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.found.closes(), || format!("write `Closes {}`", target.found.text))
    }
}

/// KILN-C015: Work on a branch of its own, never on `main`.
///
/// *Precondition:* selects a contribution with a commit.
///
/// *Post-condition:* the branch is not `main`.
pub struct C015;

impl Checker for C015 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C015", "sha256:15", Ownership::Created, &[Read::Commits]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.first().map(|_| Whole).into_iter().collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        Judgement::when_known(view.branch().map(|branch| branch != "main"), || {
            "make a branch for this, and leave `main` alone".to_owned()
        })
    }
}

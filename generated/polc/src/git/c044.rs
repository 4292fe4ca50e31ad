use polc_checker::message::ISSUE;
use polc_checker::{Checker, Commit, Declaration, Judgement, Ownership, Read, Selection, View};

/// POLC-C044: Do not put an issue number in the first line of a commit message.
///
/// > Do not put an issue number in the first line.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/commits.md#the-first-line>, The first line
///
/// Evidence type: output.
///
/// *Precondition:* selects every commit that is no merge.
///
/// *Post-condition:* the first line holds no reference to an issue: a number sign and digits, with a repository before it or without, or the address of an issue.
pub struct C044;

impl Checker for C044 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C044",
        "sha256:05d064666a658e1c49e16854c935ac3319bc9812571049dc6695ad657bf76d78",
        Ownership::Created,
        &[Read::Commits],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().filter(|commit| !commit.is_merge()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        match ISSUE.first(target.message.first_line()) {
            None => Judgement::Satisfied,
            Some(issue) => Judgement::Violated(format!(
                "move `{issue}` out of the first line, into a `Refs:` or `Fixes:` trailer"
            )),
        }
    }
}

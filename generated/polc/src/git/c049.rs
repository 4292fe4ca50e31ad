use polc_checker::{Checker, Commit, Declaration, Judgement, Ownership, Read, Selection, View};

/// POLC-C049: Squash `fixup!` and `squash!` commits before you ask for a review.
///
/// > Squash `fixup!` and `squash!` commits before you ask for a review.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/commits.md#the-branch>, The branch
///
/// Evidence type: trajectory.
///
/// *Precondition:* selects every commit.
///
/// *Post-condition:* its first line does not begin with the mark of a commit that is meant to be squashed.
pub struct C049;

impl Checker for C049 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C049",
        "sha256:b3ffd5ad5ed6a6663b2a886d8db9b12fe3f239a12b5869bc05563f60b517b580",
        Ownership::Created,
        &[Read::Commits],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let subject = target.message.first_line();
        let mark = ["fixup!", "squash!", "amend!"].into_iter().find(|mark| subject.starts_with(mark));
        match mark {
            None => Judgement::Satisfied,
            Some(mark) => {
                Judgement::Violated(format!("squash the `{mark}` commit into the one that it mends"))
            }
        }
    }
}

use polc_checker::{Checker, Commit, Declaration, Judgement, Ownership, Read, Selection, View};

/// POLC-C048: Do not put merge commits on your branch.
///
/// > Do not put merge commits on your branch: rebase it instead.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/commits.md#the-branch>, The branch
///
/// Evidence type: trajectory.
///
/// *Precondition:* selects every commit.
///
/// *Post-condition:* it has one parent at the most.
pub struct C048;

impl Checker for C048 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C048",
        "sha256:fbe41db3cadb433e624d6c3cf973d99ce018cd010992c124735d1fb90888e43f",
        Ownership::Created,
        &[Read::Commits],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!target.is_merge(), || "rebase the branch instead of merging into it".to_owned())
    }
}

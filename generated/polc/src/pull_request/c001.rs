use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, PullRequest, Read, Selection, Trace, View,
};

/// POLC-C001: Tick the box which says that you have read the pages that `CONTRIBUTING.md` links to.
///
/// > I have read the pages that `CONTRIBUTING.md` links to.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/.github/PULL_REQUEST_TEMPLATE.md#checklist>, Checklist
///
/// Evidence type: trajectory.
///
/// *Precondition:* selects the pull request that has a commit.
///
/// *Post-condition:* the check box of the checklist that speaks of the pages is ticked.
///
/// *Approximate:* A ticked box is a claim, and stands for that the pages were read (errs by missing).
pub struct C001;

impl Checker for C001 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C001",
        "sha256:97376fe740afc2e78eeb8b9127fd3b04483c9241d0fb5eb1105e14fac2539ec8",
        Ownership::Created,
        &[Read::Commits, Read::PullRequest],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "a ticked box is a claim, and stands for that the pages were read",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.proposal()
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(Markdown::new(&target.body).is_ticked("read the pages"), || {
            "read the pages that `CONTRIBUTING.md` links to, then tick the box".to_owned()
        })
    }
}

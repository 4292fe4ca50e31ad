use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, PullRequest, Read, Selection, Trace, View,
};

/// POLC-C075: Say in the section `How it was tested` of the pull request what you ran and what came of it.
///
/// > Say in the section `How it was tested` what you ran and what came of it.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/pull-requests.md#title-and-description>, Title and description
///
/// Evidence type: output.
///
/// *Precondition:* selects the pull request that has a commit.
///
/// *Post-condition:* below the heading `How it was tested` stands a word that is no comment.
///
/// *Approximate:* Any word in the section stands for what was run and what came of it (errs by missing).
pub struct C075;

impl Checker for C075 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C075",
        "sha256:28467aecb0a3012e02c4eafd67054bbb2df64a1a436b945cedce3887acd92780",
        Ownership::Created,
        &[Read::Commits, Read::PullRequest],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "any word in the section stands for what was run and what came of it",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.proposal()
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(Markdown::new(&target.body).is_filled("How it was tested"), || {
            "say in the section `How it was tested` what you ran and what it printed".to_owned()
        })
    }
}

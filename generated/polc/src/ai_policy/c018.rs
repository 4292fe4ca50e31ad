use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, PullRequest, Read, Selection, Trace, View,
};

/// POLC-C018: Say in the section `AI assistance` of the pull request which tools helped, or that none did.
///
/// > Say in the section `AI assistance` of the pull request which tools helped, or that none did.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/ai.md#disclosure>, Disclosure
///
/// Evidence type: output.
///
/// *Precondition:* selects the pull request that has a commit.
///
/// *Post-condition:* below the heading `AI assistance` stands a word that is no comment.
///
/// *Approximate:* Any word in the section stands for the names of the tools (errs by missing).
pub struct C018;

impl Checker for C018 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C018",
        "sha256:062d01a056f0c03b8747e8d74f2fc0b755b9d1148276723b17163eff5a378557",
        Ownership::Created,
        &[Read::Commits, Read::PullRequest],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "any word in the section stands for the names of the tools",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.proposal()
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(Markdown::new(&target.body).is_filled("AI assistance"), || {
            "say in the section `AI assistance` which tools helped, or write `none`".to_owned()
        })
    }
}

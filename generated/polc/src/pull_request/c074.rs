use polc_checker::markdown::Markdown;
use polc_checker::{Checker, Declaration, Judgement, Ownership, PullRequest, Read, Selection, View};

/// POLC-C074: Fill in the section `Why` of the pull request template.
///
/// > Fill in the section `Why` of the template.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/pull-requests.md#title-and-description>, Title and description
///
/// Evidence type: output.
///
/// *Precondition:* selects the pull request that has a commit.
///
/// *Post-condition:* below the heading `Why` stands a word that is no comment.
pub struct C074;

impl Checker for C074 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C074",
        "sha256:8c0bedceb198312553b85bee3f4369cbad679e040e711d5746dc55659b234a74",
        Ownership::Created,
        &[Read::Commits, Read::PullRequest],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.proposal()
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(Markdown::new(&target.body).is_filled("Why"), || {
            "fill in the section `Why`: what is better afterwards, and for whom".to_owned()
        })
    }
}

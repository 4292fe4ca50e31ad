use polc_checker::markdown::Markdown;
use polc_checker::{Checker, Declaration, Judgement, Ownership, PullRequest, Read, Selection, View};

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
pub struct C018;

impl Checker for C018 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C018",
        "sha256:062d01a056f0c03b8747e8d74f2fc0b755b9d1148276723b17163eff5a378557",
        Ownership::Created,
        &[Read::Commits, Read::PullRequest],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let proposed = !view.commits()?.is_empty();
        let request = view.pull_request()?;
        Ok(proposed.then_some(request).into_iter().collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let body = Markdown::new(&target.body);
        let filled = body
            .section("AI assistance")
            .is_some_and(|lines| lines.iter().any(|line| line.contains(char::is_alphanumeric)));
        Judgement::when(filled, || {
            "say in the section `AI assistance` which tools helped, or write `none`".to_owned()
        })
    }
}

use polc_checker::message::{ISSUE, not_imperative};
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, PullRequest, Read, Selection, Trace, View,
};

/// POLC-C073: Make sure that the title of the pull request follows the rules for the first line of a commit message.
///
/// > The title must follow the rules for the first line of a commit message.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/pull-requests.md#title-and-description>, Title and description
///
/// Evidence type: output.
///
/// *Precondition:* selects the pull request that has a commit.
///
/// *Post-condition:* the title keeps to 72 characters, begins with a capital letter, ends without a full stop, holds no issue number, and its first word has none of the endings of a past tense, a participle or a third person.
///
/// *Approximate:* The ending of the first word stands for the mood of the title (errs either way).
pub struct C073;

impl Checker for C073 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C073",
        "sha256:c6ff902fe580187bf8a7d4ed78dadf6d609692441d3c3129efdcabc882eb6224",
        Ownership::Created,
        &[Read::Commits, Read::PullRequest],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "the ending of the first word stands for the mood of the title",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.proposal()
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let title = target.title.as_str();
        let faults: Vec<&str> = [
            (title.chars().count() > 72, "it is longer than 72 characters"),
            (!title.starts_with(char::is_uppercase), "it does not begin with a capital letter"),
            (title.ends_with('.'), "it ends with a full stop"),
            (ISSUE.is_in(title), "it holds an issue number"),
            (not_imperative(title).is_some(), "it does not begin with an imperative"),
        ]
        .into_iter()
        .filter_map(|(broken, fault)| broken.then_some(fault))
        .collect();
        Judgement::when(faults.is_empty(), || format!("mend the title: {}", faults.join(", ")))
    }
}

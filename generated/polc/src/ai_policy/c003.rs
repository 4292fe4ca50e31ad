use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Exemption, Judgement, Ownership, PullRequest, Read, Selection, View,
};

/// POLC-C003: Read every line that you submit until you can explain it, and tick the box which says so.
///
/// > I have read every line that I submit and can explain it.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/.github/PULL_REQUEST_TEMPLATE.md#checklist>, Checklist
///
/// Evidence type: output.
///
/// *Precondition:* selects the pull request that has a commit.
///
/// *Post-condition:* nothing satisfies it: that a person has read and can explain every line shows in no text, and a box that is not ticked does not even say so.
pub struct C003;

impl Checker for C003 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C003",
        "sha256:dc5221ef6e37c09d381eb9906d0364f738e858fccb944b70d0af7079431c6d99",
        Ownership::Created,
        &[Read::Commits, Read::PullRequest],
    )
    .exempt(Exemption::HumanInTheLoop);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.proposal()
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let claimed = Markdown::new(&target.body).is_ticked("read every line");
        Judgement::Violated(if claimed {
            "a person has to confirm this: the ticked box is a claim".to_owned()
        } else {
            "read every line that you submit until you can explain it, then tick the box".to_owned()
        })
    }
}

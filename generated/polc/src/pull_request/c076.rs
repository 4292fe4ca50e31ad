use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, Pattern, PullRequest, Read, Selection,
    Trace, View,
};

static CLOSING: Pattern =
    Pattern::new(r"(?i)\b(close[sd]?|fix(e[sd])?|resolve[sd]?):?\s+(#\d+|\S+/issues/\d+)");
static FORM: Pattern = Pattern::new(r"\bCloses #\d+\b");

/// POLC-C076: If the pull request closes an issue, link it as `Closes #12` in the description.
///
/// > If the pull request closes an issue, link it as `Closes #12` in the description.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/pull-requests.md#title-and-description>, Title and description
///
/// Evidence type: output.
///
/// *Precondition:* selects the pull request whose description says that it closes, fixes or resolves an issue.
///
/// *Post-condition:* the description says so as `Closes`, a number sign and a number.
///
/// *Approximate:* A closing word before a reference stands for that the pull request closes an issue (errs by missing).
pub struct C076;

impl Checker for C076 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C076",
        "sha256:cd2dd761543f4833381aeddcc85da858a61ef25c8b87ba10a8a2648461106004",
        Ownership::Created,
        &[Read::PullRequest],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a closing word before a reference stands for that the pull request closes an issue",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let request = view.pull_request()?;
        let closes = CLOSING.is_in(&request.body);
        Ok(closes.then_some(request).into_iter().collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(FORM.is_in(&target.body), || {
            "link the issue as `Closes #12`, with its number".to_owned()
        })
    }
}

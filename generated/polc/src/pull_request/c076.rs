use polc_checker::markdown::{Markdown, without_code};
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, Pattern, PullRequest, Read, Selection,
    Trace, View,
};

static CLOSING: Pattern =
    Pattern::new(r"(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:#\d+\b|GH-\d+\b|\S+/issues/\d+)");
static FORM: Pattern = Pattern::new(r"^Closes #\d+$");

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
/// *Post-condition:* each of those words is `Closes`, with a number sign and a number behind it.
///
/// *Approximate:* A closing word before a reference, outside of code, stands for that the pull request closes an issue (errs either way).
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
        trace: "a closing word before a reference, outside of code, stands for that the pull request closes an issue",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let request = view.pull_request()?;
        let closes = CLOSING.is_in(&prose(request));
        Ok(closes.then_some(request).into_iter().collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        match CLOSING.all(&prose(target)).into_iter().find(|link| !FORM.is_in(link)) {
            None => Judgement::Satisfied,
            Some(link) => {
                Judgement::Violated(format!("write `{link}` as `Closes #12`, with the number of the issue"))
            }
        }
    }
}

fn prose(request: &PullRequest) -> String {
    let body = Markdown::new(&request.body);
    body.prose().map(|(_, line)| without_code(line)).collect::<Vec<_>>().join("\n")
}

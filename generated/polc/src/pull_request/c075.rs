use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, Pattern, PullRequest, Read, Selection,
    Trace, View,
};

const SECTION: &str = "How it was tested";

static RAN: Pattern =
    Pattern::new(r"(?i)`|\$ |\b(ran|runs?|running|test\w*|suite|tried|built|benchmark\w*)\b");
static OUTCOME: Pattern = Pattern::new(
    r"(?i)\b(pass\w*|fail\w*|green|red|ok|fine|works?|worked|print\w*|prints?|shows?|showed|same|exit\w*|errors?|warnings?|nothing|no|none|found|faster|slower|as expected)\b",
);

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
/// *Post-condition:* below the heading `How it was tested` stand words that go with running something, or code, and words that go with an outcome.
///
/// *Approximate:* A word for running or code, and a word for an outcome, stand for what was run and what came of it (errs either way).
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
        trace: "a word for running or code, and a word for an outcome, stand for what was run and what came of it",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.proposal()
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let told = told(&Markdown::new(&target.body));
        Judgement::when(RAN.is_in(&told) && OUTCOME.is_in(&told), || {
            "say in the section `How it was tested` what you ran and what it printed".to_owned()
        })
    }
}

/// What stands in the section, code included.
fn told(body: &Markdown) -> String {
    let is_section = |text: &str| text.eq_ignore_ascii_case(SECTION);
    let mut below = body.headings().iter().skip_while(|heading| !is_section(&heading.text));
    let Some(start) = below.next() else { return String::new() };
    let end = below.find(|next| next.level <= start.level).map_or(usize::MAX, |next| next.line);
    let fences = body.fences().iter().filter(|fence| (start.line..end).contains(&fence.line));
    let code = fences.flat_map(|fence| fence.body.iter().map(String::as_str));
    body.section(SECTION).unwrap_or_default().into_iter().chain(code).collect::<Vec<_>>().join("\n")
}

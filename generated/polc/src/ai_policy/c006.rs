use polc_checker::message::AI_TOOL;
use polc_checker::{
    Checker, Commit, Declaration, Direction, Judgement, Layer, Ownership, Pattern, Read, Selection, Trace,
    View,
};

static BEHIND: Pattern =
    Pattern::new(r"(?i)\b(?:by|from|through|using|with)\s+(?:the\s+)?(?:help\s+of\s+)?([\w-]+)");

/// POLC-C006: Put the name of the AI tool into an `Assisted-by:` trailer of the commit.
///
/// > Put the name of your tool into an `Assisted-by:` trailer.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/AGENTS.md#do>, Do
///
/// Evidence type: trajectory.
///
/// *Precondition:* selects every commit whose message says that a known AI tool was used, or has an `Assisted-by` trailer.
///
/// *Post-condition:* the message has an `Assisted-by` trailer with a value.
///
/// *Approximate:* A known tool behind a word like `with`, or the trailer itself, stands for the use of a tool (errs either way).
pub struct C006;

impl Checker for C006 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C006",
        "sha256:76e52f1015754ac9a08c89c735c93f80cd15bf9debb4fe837273547819a9680f",
        Ownership::Created,
        &[Read::Commits],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a known tool behind a word like `with`, or the trailer itself, stands for the use of a tool",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let used = |commit: &&'e Commit| {
            BEHIND.groups(commit.message.raw()).into_iter().any(|word| AI_TOOL.is_in(word))
                || !commit.message.trailer("Assisted-by").is_empty()
        };
        Ok(view.commits()?.iter().filter(used).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let assisted = target.message.trailer("Assisted-by");
        Judgement::when(assisted.iter().any(|tool| !tool.is_empty()), || {
            "name the tool in an `Assisted-by:` trailer at the end of the message".to_owned()
        })
    }
}

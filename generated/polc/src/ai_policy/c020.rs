use polc_checker::message::AI_TOOL;
use polc_checker::{
    Checker, Commit, Declaration, Direction, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

/// POLC-C020: Do not list an AI tool in a `Co-authored-by` trailer.
///
/// > Do not list a tool in a `Co-authored-by` trailer.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/ai.md#disclosure>, Disclosure
///
/// Evidence type: trajectory.
///
/// *Precondition:* selects every commit with a `Co-authored-by` trailer.
///
/// *Post-condition:* no such trailer holds the name of an AI tool.
///
/// *Approximate:* The name of a known tool stands for a tool, and any other name for a person (errs either way).
pub struct C020;

impl Checker for C020 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C020",
        "sha256:2559e9413394f55dd222811af6f6baa3964ab66fc0df0a53ac17ebd64569aed6",
        Ownership::Created,
        &[Read::Commits],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "the name of a known tool stands for a tool, and any other name for a person",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let shared = |commit: &&'e Commit| !commit.message.trailer("Co-authored-by").is_empty();
        Ok(view.commits()?.iter().filter(shared).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let authors = target.message.trailer("Co-authored-by");
        match authors.iter().find(|author| AI_TOOL.is_in(author)) {
            None => Judgement::Satisfied,
            Some(author) => Judgement::Violated(format!(
                "`{author}` is a tool: name it in an `Assisted-by:` trailer instead"
            )),
        }
    }
}

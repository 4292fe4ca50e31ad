use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Missing, Ownership, Read, Selection,
    Trace, View,
};

/// POLC-C070: Make sure that a frozen `extraction.csv` does not change without a new line in `decisions.jsonl`.
///
/// > A frozen `extraction.csv` must not change without a new line in `decisions.jsonl`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/formats.md#corpora>, Corpora
///
/// Evidence type: differential.
///
/// *Precondition:* selects every extraction that was there before and was changed.
///
/// *Post-condition:* the decisions beside it have more lines than before.
///
/// *Approximate:* An extraction that was there before stands for a frozen one (errs by false alarms).
pub struct C070;

impl Checker for C070 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C070",
        "sha256:5811a155447b6aa9d96185f669d23995c39afc04273601abdfe03c27d8771949",
        Ownership::Enclosing,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "an extraction that was there before stands for a frozen one",
        errs: Direction::Alarms,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let changed = |file: &&'e FileChange| {
            file.is_below("corpora")
                && file.name() == "extraction.csv"
                && !file.is_new()
                && !file.is_deleted()
        };
        Ok(view.files()?.iter().filter(changed).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let decisions = target.path.replace("extraction.csv", "decisions.jsonl");
        Judgement::when_known(gained_a_line(view, &decisions), || {
            format!("freeze the extraction with `polc freeze`: `{decisions}` has no new line")
        })
    }
}

fn gained_a_line(view: &View<'_>, path: &str) -> Result<bool, Missing> {
    let Some(file) = view.file(path)? else { return Ok(false) };
    let diff = view.diff(file)?;
    Ok(diff.authored().len() > diff.removed().count())
}

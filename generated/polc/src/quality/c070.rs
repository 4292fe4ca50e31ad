use polc_checker::{Checker, Declaration, FileChange, Judgement, Ownership, Read, Selection, View};

/// POLC-C070: Make sure that a frozen `extraction.csv` does not change without a new line in `decisions.jsonl`.
///
/// > A frozen `extraction.csv` must not change without a new line in `decisions.jsonl`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/formats.md#corpora>, Corpora
///
/// Evidence type: differential.
///
/// *Precondition:* selects every frozen extraction that was changed.
///
/// *Post-condition:* the decisions beside it were changed too, and gained a line.
pub struct C070;

impl Checker for C070 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C070",
        "sha256:5811a155447b6aa9d96185f669d23995c39afc04273601abdfe03c27d8771949",
        Ownership::Touched,
        &[Read::Files],
    );

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
        let files = match view.files() {
            Ok(files) => files,
            Err(missing) => return Judgement::Undetermined(missing),
        };
        let decided = files.iter().any(|file| file.path == decisions && !file.diff().authored().is_empty());
        Judgement::when(decided, || {
            format!("freeze the extraction with `polc freeze`: `{decisions}` has no new line")
        })
    }
}

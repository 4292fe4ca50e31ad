use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static SLEEP: Pattern = Pattern::new(r"\bsleep\(");

/// POLC-C087: Never call `sleep` in a test.
///
/// > Never call `sleep` in a test.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/tests.md#how-tests-are-written>, How tests are written
///
/// Evidence type: output.
///
/// *Precondition:* selects every line of code that was written in a test.
///
/// *Post-condition:* it does not call a function named `sleep`.
///
/// *Approximate:* The name of the function stands for waiting (errs by missing).
pub struct C087;

impl Checker for C087 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C087",
        "sha256:9477c1f43eae0a6f03dfb1d626b26d96f16d89639809fe202256aed7b367b413",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "the name of the function stands for waiting",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs"))?;
        Ok(lines.into_iter().filter(|line| line.is_code(true)).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!SLEEP.is_in(target.code()), || "wait for the thing itself, with a limit".to_owned())
    }
}

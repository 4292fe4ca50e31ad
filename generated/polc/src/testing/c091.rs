use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static TIMED: Pattern = Pattern::new(r"\bassert\w*!.*\belapsed\b|\belapsed\(\)\s*[<>]");

/// POLC-C091: Do not assert on elapsed time in a test.
///
/// > Speed belongs in the benchmarks: do not assert on elapsed time in a test.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/tests.md#how-tests-are-written>, How tests are written
///
/// Evidence type: output.
///
/// *Precondition:* selects every line of code that was written in a test.
///
/// *Post-condition:* it does not compare or assert on an elapsed time.
///
/// *Approximate:* An assertion with the word elapsed on one line stands for any (errs by missing).
pub struct C091;

impl Checker for C091 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C091",
        "sha256:f8eda139fa525a97d21f7fbb2f594a88b57c8b4f79aa4c1436b41c58510ce826",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "an assertion with the word elapsed on one line stands for any",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs"))?;
        Ok(lines.into_iter().filter(|line| line.is_code(true)).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!TIMED.is_in(target.code()), || "measure speed in a benchmark".to_owned())
    }
}

use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static ATTRIBUTE: Pattern = Pattern::new(r"#\s*\[");
static TEST: Pattern = Pattern::new(r"#\s*\[\s*(\w+::)*test\b");
static IGNORE: Pattern = Pattern::new(r"#\s*\[\s*(cfg_attr\s*\(.*,\s*)?ignore\b");

/// POLC-C086: Do not mark a test with `#\[ignore\]`.
///
/// > Do not mark a test with `#\[ignore\]`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/tests.md#how-tests-are-written>, How tests are written
///
/// Evidence type: output.
///
/// *Precondition:* selects every line that was written with an attribute of a test.
///
/// *Post-condition:* it does not ignore the test.
///
/// *Approximate:* An attribute beside one that ends in `test` stands for an attribute of a test (errs by missing).
pub struct C086;

impl Checker for C086 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C086",
        "sha256:13c896a8599ed65b9fdfd4a48812b14b08aa49761880da7d1381cba04485e638",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "an attribute beside one that ends in `test` stands for an attribute of a test",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs"))?;
        let marks = |line: &Line<'e>| {
            ATTRIBUTE.is_in(line.code())
                && line.file.rust().attributes_with(line.number).any(|code| TEST.is_in(code))
        };
        Ok(lines.into_iter().filter(marks).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!IGNORE.is_in(target.code()), || "run the test, or take it away".to_owned())
    }
}

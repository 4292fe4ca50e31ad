use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Line, Ownership, Pattern, Read, Selection,
    Trace, View,
};

static CALL: Pattern = Pattern::new(r"\.unwrap\(\)|\.expect\(|\bpanic!");

static EXPECTED: Pattern = Pattern::new(r"^#!?\[expect\(.*\bclippy::(unwrap_used|expect_used|panic)\b");

/// POLC-C026: Do not call `unwrap`, `expect` or `panic!` outside of tests.
///
/// > Do not call `unwrap`, `expect` or `panic!` outside of tests.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/code.md#errors-and-panics>, Errors and panics
///
/// Evidence type: output.
///
/// *Precondition:* selects every line of Rust code below `crates` that was written outside of tests.
///
/// *Post-condition:* the line does not call one of the three, unless an `expect` attribute of their lints holds there.
///
/// *Approximate:* The name of the call stands for the call, and an `expect` attribute of any of the three lints for a reason (errs either way).
pub struct C026;

impl Checker for C026 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C026",
        "sha256:2a1e0b71e2db0a58dfe6114121c9981ed52616da9ebc256cd60bf409b29eab0d",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "the name of the call stands for the call, and an `expect` attribute of any of the three lints for a reason",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let own = |file: &FileChange| file.ends_in("rs") && file.is_below("crates");
        let lines = view.lines_written(own)?;
        Ok(lines.into_iter().filter(|line| line.is_code(false)).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let Some(call) = CALL.first(target.code()) else { return Judgement::Satisfied };
        let attributes = target.file.rust().attributes_over(target.number);
        Judgement::when(attributes.iter().any(|attribute| EXPECTED.is_in(attribute)), || {
            format!(
                "`{}` stops the program on what a user, a file or a server can cause: return an error",
                call.trim_start_matches('.')
            )
        })
    }
}

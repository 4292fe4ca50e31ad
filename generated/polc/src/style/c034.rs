use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Line, Ownership, Pattern, Read, Selection,
    Trace, View,
};

static PRINT: Pattern = Pattern::new(r"\b(e?print(ln)?|dbg)!");

/// POLC-C034: Print only in `crates/cli`.
///
/// > Print only in `crates/cli`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/code.md#structure>, Structure
///
/// Evidence type: output.
///
/// *Precondition:* selects every line of Rust code that was written below `crates`, outside of `crates/cli` and of tests.
///
/// *Post-condition:* the line calls no macro that prints.
///
/// *Approximate:* The macros of the standard library stand for printing (errs by missing).
pub struct C034;

impl Checker for C034 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C034",
        "sha256:cf2defcb736028a28b2014955b6b3663dcc3662586199a1059d9c65c61c30b4b",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "the macros of the standard library stand for printing",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let own =
            |file: &FileChange| file.ends_in("rs") && file.is_below("crates") && !file.is_below("crates/cli");
        let lines = view.lines_written(own)?;
        Ok(lines.into_iter().filter(|line| line.is_code(false)).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        match PRINT.first(target.code()) {
            None => Judgement::Satisfied,
            Some(call) => Judgement::Violated(format!(
                "return what `{call}` would print, and let `crates/cli` print it"
            )),
        }
    }
}

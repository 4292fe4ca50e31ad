use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static UNSAFE: Pattern = Pattern::new(r"\bunsafe\b");

/// POLC-C030: Do not use `unsafe` code in any crate.
///
/// > `unsafe` code is forbidden in every crate.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/code.md#lints>, Lints
///
/// Evidence type: output.
///
/// *Precondition:* selects every line of Rust code that was written.
///
/// *Post-condition:* the keyword `unsafe` is not in it.
///
/// *Approximate:* The keyword outside of literals and comments, as a scanner tells them apart, stands for `unsafe` code (errs either way).
pub struct C030;

impl Checker for C030 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C030",
        "sha256:78320d3551fa077576dd1a149db1d422d6e540303d2f87d57dee245c837a4f3e",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "the keyword outside of literals and comments, as a scanner tells them apart, stands for `unsafe` code",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs"))?;
        Ok(lines.into_iter().filter(|line| !line.code().trim().is_empty()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!UNSAFE.is_in(target.code()), || "write it without `unsafe`".to_owned())
    }
}

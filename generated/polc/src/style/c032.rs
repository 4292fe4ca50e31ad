use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

/// POLC-C032: Make sure that a source file does not grow beyond 1,000 lines.
///
/// > A source file must not grow beyond 1,000 lines.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/code.md#structure>, Structure
///
/// Evidence type: output.
///
/// *Precondition:* selects every file of Rust below `crates` that grew.
///
/// *Post-condition:* it has 1,000 lines at the most.
///
/// *Approximate:* A file of Rust below `crates` stands for a source file (errs by missing).
pub struct C032;

impl Checker for C032 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C032",
        "sha256:abcffba15dab86d74b55f29e275b7b39c73afdfe0a10a44b48b368678ab4a2ff",
        Ownership::Enclosing,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a file of Rust below `crates` stands for a source file",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let texts = view.texts(|file| file.ends_in("rs") && file.is_below("crates"))?.into_iter();
        let grew = texts.filter(|text| text.diff.authored().len() > text.diff.removed().count());
        Ok(grew.map(|text| text.file).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let lines = target.rust().lines().len();
        Judgement::when(lines <= 1000, || {
            format!("the file has {lines} lines: see what it does twice, and part it")
        })
    }
}

use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Line, Ownership, Pattern, Read, Selection,
    Trace, View,
};

static TEXT: Pattern = Pattern::new(r##"^\s*#\[error\("(.)"##);

/// POLC-C027: Make sure that the text of an `#\[error\]` attribute does not begin with a capital letter.
///
/// > The text of an `#\[error\]` attribute must not begin with a capital letter.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/code.md#errors-and-panics>, Errors and panics
///
/// Evidence type: output.
///
/// *Precondition:* selects every line that was written with an `error` attribute and its text.
///
/// *Post-condition:* the first letter of the text is no capital.
///
/// *Approximate:* An attribute whose text begins on its own line stands for all of them (errs by missing).
pub struct C027;

impl Checker for C027 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C027",
        "sha256:72b8d7e403495d400b2f883df1dccc319e3bdd2686901b5a4110985cc8c1af1c",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "an attribute whose text begins on its own line stands for all of them",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let own = |file: &FileChange| file.ends_in("rs") && file.is_below("crates");
        let lines = view.lines_written(own)?;
        Ok(lines.into_iter().filter(|line| !TEXT.groups(line.text).is_empty()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let capital = TEXT.groups(target.text).iter().any(|first| first.starts_with(char::is_uppercase));
        Judgement::when(!capital, || "begin the text of the error with a lower-case letter".to_owned())
    }
}

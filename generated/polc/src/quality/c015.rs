use polc_checker::{Checker, Declaration, Judgement, Line, Ownership, Read, Selection, View};

/// POLC-C015: End the lines of a file with a line feed alone.
///
/// > The lines of a file end with a line feed alone, because half of this program compares bytes.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/CONTRIBUTING.md#what-every-file-has-in-common>, What every file has in common
///
/// Evidence type: output.
///
/// *Precondition:* selects every line that was written.
///
/// *Post-condition:* it does not end with a carriage return before its line feed.
pub struct C015;

impl Checker for C015 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C015",
        "sha256:18b52afa9a53eeaa5da256b383160f637e7dcc9edf22a00655df5771c4fbea22",
        Ownership::Touched,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.lines_written(|_| true)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!target.text.ends_with('\r'), || "end the line with a line feed alone".to_owned())
    }
}

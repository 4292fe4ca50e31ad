use polc_checker::{Checker, Declaration, Judgement, Line, Ownership, Read, Selection, View};

/// POLC-C014: Do not leave white space at the end of a line.
///
/// > Do not leave white space at the end of a line.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/CONTRIBUTING.md#what-every-file-has-in-common>, What every file has in common
///
/// Evidence type: output.
///
/// *Precondition:* selects every line that was written.
///
/// *Post-condition:* it does not end with a blank or a tab.
pub struct C014;

impl Checker for C014 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C014",
        "sha256:7621d7b1cc484de2c3d1a9895cba570dc2f14658a6cc04527bb63a434b79b5a5",
        Ownership::Touched,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.lines_written(|_| true)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let line = target.text.trim_end_matches('\r');
        Judgement::when(!line.ends_with([' ', '\t']), || {
            "take the white space at the end of the line away".to_owned()
        })
    }
}

use polc_checker::diff::Diff;
use polc_checker::{Checker, Declaration, Judgement, Line, Ownership, Read, Selection, Text, View};

/// POLC-C013: End every text file with a newline.
///
/// > End every text file with a newline.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/CONTRIBUTING.md#what-every-file-has-in-common>, What every file has in common
///
/// Evidence type: output.
///
/// *Precondition:* selects the last line of every changed text where it was written.
///
/// *Post-condition:* it ends with a newline.
pub struct C013;

impl Checker for C013 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C013",
        "sha256:6f75bfdd23c1633737f6ce81990e98123cc28d01deb1100c098fbcf998b38482",
        Ownership::Touched,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.texts(|_| true)?.iter().filter_map(Text::last_written).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.file.diff().is_some_and(Diff::ends_with_newline), || {
            "end the last line of the file with a newline".to_owned()
        })
    }
}

use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Missing, Ownership, Read, Selection, Trace, View,
};

/// POLC-C069: When you add a route to a rubric table, add a case to the tests of classification.
///
/// > When you add a route to a rubric table, add a case to the tests of classification.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/formats.md#rubrics-and-cues>, Rubrics and cues
///
/// Trigger: when you add a route to a rubric table
///
/// Evidence type: output.
///
/// *Precondition:* selects every line that was written below `rubrics` and begins a route.
///
/// *Post-condition:* the contribution changes the tests of classification.
///
/// *Approximate:* That a test of extraction was changed stands for a case of the route (errs by missing).
pub struct C069;

impl Checker for C069 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C069",
        "sha256:3f6104bb871d793920bbd3387851dd31ea127be6c12dc47e4dfa3f50e1a26db3",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "that a test of extraction was changed stands for a case of the route",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines =
            view.lines_written(|file| file.is_below("rubrics") && file.ends_in("toml") && !file.is_new())?;
        Ok(lines.into_iter().filter(|line| line.text.trim() == "[[route]]").collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        Judgement::when_known(changes_a_test(view), || {
            "add a case for the route to the tests of classification".to_owned()
        })
    }
}

fn changes_a_test(view: &View<'_>) -> Result<bool, Missing> {
    for file in view.files()?.iter().filter(|file| file.is_below("crates/extraction/tests")) {
        if !view.authored_lines(file)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

use polc_checker::diff::Diff;
use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Line, Ownership, Pattern, Read, Selection,
    Trace, View,
};

static NUMBER: Pattern = Pattern::new(r"\bSCHEMA: u32 = \d+");

/// POLC-C068: When you raise a schema number, add a test that reads the old form.
///
/// > When you raise a schema number, add a test that reads the old form.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/formats.md#file-formats>, File formats
///
/// Evidence type: output.
///
/// *Precondition:* selects every line that was written with a schema number where another one stood before.
///
/// *Post-condition:* the contribution changes a test.
///
/// *Approximate:* That any test was changed stands for a test that reads the old form (errs by missing).
pub struct C068;

impl Checker for C068 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C068",
        "sha256:d68048c302aaf810f5fa34da8d02f2c38fc07efa2543ea935f46741137c421af",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "that any test was changed stands for a test that reads the old form",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs") && !file.is_new())?;
        let raised = |line: &Line<'e>| {
            let mut removed = line.file.diff().into_iter().flat_map(Diff::removed);
            NUMBER.is_in(line.text) && removed.any(|old| NUMBER.is_in(old) && old != line.text)
        };
        Ok(lines.into_iter().filter(raised).collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        let test = |file: &FileChange| file.path.contains("/tests/") && !file.is_deleted();
        Judgement::when_known(view.files().map(|files| files.iter().any(test)), || {
            "add a test that reads the old form".to_owned()
        })
    }
}

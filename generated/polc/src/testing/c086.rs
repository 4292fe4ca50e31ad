use polc_checker::{Checker, Declaration, Judgement, Line, Ownership, Read, Selection, View};

/// POLC-C086: Do not mark a test with `#\[ignore\]`.
///
/// > Do not mark a test with `#\[ignore\]`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/tests.md#how-tests-are-written>, How tests are written
///
/// Evidence type: output.
///
/// *Precondition:* selects every attribute that was written in Rust.
///
/// *Post-condition:* it does not ignore a test.
pub struct C086;

impl Checker for C086 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C086",
        "sha256:13c896a8599ed65b9fdfd4a48812b14b08aa49761880da7d1381cba04485e638",
        Ownership::Touched,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs"))?;
        let attribute = |line: &Line<'e>| {
            line.file.rust().line(line.number).is_some_and(|line| line.code.trim_start().starts_with("#["))
        };
        Ok(lines.into_iter().filter(attribute).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let code = target.file.rust().line(target.number).map_or("", |line| line.code.trim_start());
        let ignores = code.starts_with("#[ignore");
        Judgement::when(!ignores, || "run the test, or take it away".to_owned())
    }
}

use polc_checker::markdown::without_code;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static MARK: Pattern = Pattern::new(r"\b(TODO|FIXME)\b");

/// POLC-C038: Do not leave `TODO` or `FIXME` in the code.
///
/// > Do not leave `TODO` or `FIXME` in the code.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/code.md#names-and-comments>, Names and comments
///
/// Evidence type: output.
///
/// *Precondition:* selects every comment that was written in Rust.
///
/// *Post-condition:* it holds neither word outside of a code span.
///
/// *Approximate:* A comment of Rust stands for code, and a word in it for a task that is left (errs either way).
pub struct C038;

impl Checker for C038 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C038",
        "sha256:22b0a7d767b3e4e6163b4514b44314deecec28add42f69ea97625bec7987a30a",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a comment of Rust stands for code, and a word in it for a task that is left",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs"))?;
        let comment = |line: &Line<'e>| line.rust().is_some_and(|line| !line.comment.is_empty());
        Ok(lines.into_iter().filter(comment).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let comment = target.rust().map_or("", |line| line.comment.as_str());
        match MARK.first(&without_code(comment)) {
            None => Judgement::Satisfied,
            Some(_) => {
                Judgement::Violated("do it now, or open an issue where somebody will see it".to_owned())
            }
        }
    }
}

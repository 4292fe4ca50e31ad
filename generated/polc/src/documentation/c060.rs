use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Read, Selection, Trace, View,
};

/// POLC-C060: Give every code block a language.
///
/// > Give every code block a language.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/documentation.md#pages>, Pages
///
/// Evidence type: output.
///
/// *Precondition:* selects every fenced block of code whose opening line was written in a page.
///
/// *Post-condition:* a language stands behind the marks.
///
/// *Approximate:* A block between marks stands for every block of code; an indented one is not seen (errs by missing).
pub struct C060;

impl Checker for C060 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C060",
        "sha256:ec650f5d94d2c71eda51d3add80fdacf371621b5201f28dfc37dbfdd8947df90",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a block between marks stands for every block of code; an indented one is not seen",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.is_page("docs"))?.into_iter();
        Ok(lines.filter(|line| line.file.markdown().fence_at(line.number).is_some()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let fence = target.file.markdown().fence_at(target.number);
        Judgement::when(fence.is_some_and(|fence| !fence.info.is_empty()), || {
            "name the language behind the marks; `text` where there is none".to_owned()
        })
    }
}

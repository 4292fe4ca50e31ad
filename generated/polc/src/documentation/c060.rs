use polc_checker::markdown::Markdown;
use polc_checker::{Checker, Declaration, FileChange, Judgement, Line, Ownership, Read, Selection, View};

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
pub struct C060;

impl Checker for C060 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C060",
        "sha256:ec650f5d94d2c71eda51d3add80fdacf371621b5201f28dfc37dbfdd8947df90",
        Ownership::Touched,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let page =
            |file: &FileChange| file.ends_in("md") && (file.is_below("docs") || !file.path.contains('/'));
        let mut selected = Vec::new();
        for line in view.lines_written(page)? {
            let text = line.file.head_text().unwrap_or_default();
            if Markdown::new(text).fences().iter().any(|fence| fence.line == line.number) {
                selected.push(line);
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let language = target.text.trim_start().trim_start_matches(['`', '~']).trim();
        Judgement::when(!language.is_empty(), || {
            "name the language behind the marks; `text` where there is none".to_owned()
        })
    }
}

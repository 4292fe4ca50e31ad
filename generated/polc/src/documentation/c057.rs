use polc_checker::markdown::Markdown;
use polc_checker::{Checker, Declaration, Judgement, Line, Ownership, Read, Selection, Target, View};

/// POLC-C057: Begin every page with one heading of the first level.
///
/// > Begin every page with one heading of the first level.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/documentation.md#pages>, Pages
///
/// Evidence type: output.
///
/// *Precondition:* selects the beginning of every changed page (Markdown below `docs` and at the top) and its headings of the first level, where they were written.
///
/// *Post-condition:* it is the first line of the page, is a heading of the first level, and the page got no second one.
pub struct C057;

impl Checker for C057 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C057",
        "sha256:3e7a971d5579b1c365bbd03018dc758bd02ba15f432acaeef48d10d8c67fd2b3",
        Ownership::Touched,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.texts(|file| file.is_page("docs"))?.into_iter().flat_map(|page| page.touched());
        let title = |line: &Line<'e>| level(line) == Some(1) && line.is_owned(Ownership::Created);
        Ok(lines.filter(|line| is_beginning(line) || title(line)).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let titles =
            |markdown: &Markdown| markdown.headings().iter().filter(|heading| heading.level == 1).count();
        let before = titles(&Markdown::new(target.file.base_text().unwrap_or_default()));
        let is_one = titles(target.file.markdown()) <= before.max(1);
        Judgement::when(is_one && is_beginning(target) && level(target) == Some(1), || {
            "begin the page with its one heading of the first level".to_owned()
        })
    }
}

fn is_beginning(line: &Line<'_>) -> bool {
    line.file.markdown().first_line() == Some(line.number)
}

fn level(line: &Line<'_>) -> Option<usize> {
    line.file.markdown().heading_at(line.number).map(|heading| heading.level)
}

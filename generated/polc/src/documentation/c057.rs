use polc_checker::markdown::Markdown;
use polc_checker::{Checker, Declaration, FileChange, Judgement, Ownership, Read, Selection, View};

/// POLC-C057: Begin every page with one heading of the first level.
///
/// > Begin every page with one heading of the first level.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/documentation.md#pages>, Pages
///
/// Evidence type: output.
///
/// *Precondition:* selects every changed page: Markdown below `docs` and at the top.
///
/// *Post-condition:* it has one heading of the first level, before all others.
pub struct C057;

impl Checker for C057 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C057",
        "sha256:3e7a971d5579b1c365bbd03018dc758bd02ba15f432acaeef48d10d8c67fd2b3",
        Ownership::Touched,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let page =
            |file: &&'e FileChange| file.ends_in("md") && (file.is_below("docs") || !file.path.contains('/'));
        Ok(view.files()?.iter().filter(page).filter(|file| !file.is_deleted()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let headings = Markdown::new(target.head_text().unwrap_or_default()).headings();
        let first = headings.first().is_some_and(|heading| heading.level == 1);
        let others = headings.iter().skip(1).any(|heading| heading.level == 1);
        Judgement::when(first && !others, || {
            "begin the page with its one heading of the first level".to_owned()
        })
    }
}

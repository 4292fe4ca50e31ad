use polc_checker::{Checker, Declaration, FileChange, Judgement, Ownership, Read, Selection, View};

/// POLC-C059: Add a new page to the list in `docs/README.md`.
///
/// > Add a new page to the list in `docs/README.md`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/documentation.md#pages>, Pages
///
/// Evidence type: differential.
///
/// *Precondition:* selects every new page below `docs`.
///
/// *Post-condition:* the list in `docs/README.md` was changed and names it.
pub struct C059;

impl Checker for C059 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C059",
        "sha256:ac2913d0525f5390e14125c26b3d836c37913f3cae0ccf993e7903058f805647",
        Ownership::Created,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let page = |file: &&'e FileChange| {
            file.is_new() && file.is_below("docs") && file.ends_in("md") && file.path != "docs/README.md"
        };
        Ok(view.files()?.iter().filter(page).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let files = match view.files() {
            Ok(files) => files,
            Err(missing) => return Judgement::Undetermined(missing),
        };
        let name = target.path.trim_start_matches("docs/");
        let listed = files.iter().any(|file| {
            file.path == "docs/README.md" && file.head_text().is_some_and(|text| text.contains(name))
        });
        Judgement::when(listed, || format!("add `{name}` to the list in `docs/README.md`"))
    }
}

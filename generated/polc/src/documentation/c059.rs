use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Missing, Ownership, Read, Selection,
    Trace, View,
};

const LIST: &str = "docs/README.md";

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
/// *Post-condition:* `docs/README.md` was changed and links to it.
///
/// *Approximate:* A link anywhere in `docs/README.md` stands for a place in its list (errs by missing).
pub struct C059;

impl Checker for C059 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C059",
        "sha256:ac2913d0525f5390e14125c26b3d836c37913f3cae0ccf993e7903058f805647",
        Ownership::Created,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "a link anywhere in `docs/README.md` stands for a place in its list",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let page = |file: &&'e FileChange| {
            file.is_new() && file.is_below("docs") && file.ends_in("md") && file.path != LIST
        };
        Ok(view.files()?.iter().filter(page).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let name = target.path.trim_start_matches("docs/");
        Judgement::when_known(is_linked(view, name), || format!("add `{name}` to the list in `{LIST}`"))
    }
}

fn is_linked(view: &View<'_>, name: &str) -> Result<bool, Missing> {
    let Some(list) = view.file(LIST)? else { return Ok(false) };
    view.head_text(list)?;
    Ok(list.markdown().links().iter().any(|link| link.trim_start_matches("./") == name))
}

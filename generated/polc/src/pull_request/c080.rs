use polc_checker::{Checker, Declaration, FileChange, Judgement, Ownership, Pattern, Read, Selection, View};

static VERSION: Pattern =
    Pattern::new(r"(?m)^\[(?:workspace\.)?package\]\n(?:[^\[\n].*\n|\n)*?version\s*=\s*(.*)$");

/// POLC-C080: Never change the `version` in `Cargo.toml`.
///
/// > Never change the `version` in `Cargo.toml`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/pull-requests.md#the-changelog>, The changelog
///
/// Evidence type: differential.
///
/// *Precondition:* selects the manifests with a version where they were changed: that of the root, and that of `crates/checker`, which inherits none.
///
/// *Post-condition:* the version of its package, or of the packages that inherit it, is what it was.
pub struct C080;

impl Checker for C080 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C080",
        "sha256:3955bb2988d75b5d3c9db558a34af548eb208a7d34f326d5b5a78e8fb6286f5a",
        Ownership::Enclosing,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let changed = |file: &&'e FileChange| {
            matches!(file.path.as_str(), "Cargo.toml" | "crates/checker/Cargo.toml")
                && !file.is_new()
                && !file.is_deleted()
        };
        Ok(view.files()?.iter().filter(changed).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let same = view.diff(target).map(|_| {
            let version = |text: Option<&'e str>| VERSION.groups(text.unwrap_or_default());
            version(target.base_text()) == version(target.head_text())
        });
        Judgement::when_known(same, || "leave `version` as it is: releases change it".to_owned())
    }
}

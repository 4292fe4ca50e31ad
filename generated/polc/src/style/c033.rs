use polc_checker::{Checker, Declaration, FileChange, Judgement, Ownership, Read, Selection, View};

/// POLC-C033: Do not add a file named `mod.rs`.
///
/// > Do not add a file named `mod.rs`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/code.md#structure>, Structure
///
/// Evidence type: output.
///
/// *Precondition:* selects every file of Rust with a new name.
///
/// *Post-condition:* it is not named `mod.rs`.
pub struct C033;

impl Checker for C033 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C033",
        "sha256:503e2210be4a61ff015651f54e2f0370d46e012948f464d189ff9f04fb6b343f",
        Ownership::Created,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let same = |old: &str, file: &FileChange| old.rsplit('/').next() == Some(file.name());
        let new = |file: &&'e FileChange| {
            let moved = file.old_path.as_deref().is_some_and(|old| !same(old, file));
            file.ends_in("rs") && (file.is_new() || moved)
        };
        Ok(view.files()?.iter().filter(new).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.name() != "mod.rs", || {
            "name the file after the module, beside a folder of that name".to_owned()
        })
    }
}

use polc_checker::cargo::dependencies;
use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};
use std::collections::BTreeSet;

/// POLC-C056: Commit `Cargo.lock` together with the manifest that changes it.
///
/// > Commit `Cargo.lock` together with the manifest that changes it.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/dependencies.md#locks>, Locks
///
/// Evidence type: output.
///
/// *Precondition:* selects every manifest that names other dependencies, or other versions and places of them, than before.
///
/// *Post-condition:* the lock of its workspace was changed too.
///
/// *Approximate:* Another dependency, version or place of one stands for a change of the lock; features do not (errs either way).
pub struct C056;

impl Checker for C056 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C056",
        "sha256:a8f4f79e1cd8063669caa84bc7c9b998019755b5b719380242eda1e15ab1c0f3",
        Ownership::Enclosing,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "another dependency, version or place of one stands for a change of the lock; features do not",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let manifest = |file: &&'e FileChange| file.name() == "Cargo.toml" && !file.is_deleted();
        let mut selected = Vec::new();
        for file in view.files()?.iter().filter(manifest) {
            view.diff(file)?;
            if locked(file.base_text()) != locked(file.head_text()) {
                selected.push(file);
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let lock = if target.is_below("generated") { "generated/Cargo.lock" } else { "Cargo.lock" };
        Judgement::when_known(view.file(lock).map(|lock| lock.is_some()), || {
            format!("commit `{lock}` together with the manifest")
        })
    }
}

/// What of a manifest goes into the lock, in whatever order and table it stands.
fn locked(manifest: Option<&str>) -> BTreeSet<(String, Vec<String>)> {
    let found = dependencies(manifest.unwrap_or_default()).into_iter();
    found
        .map(|found| (found.name.to_owned(), found.sources().into_iter().map(str::to_owned).collect()))
        .collect()
}

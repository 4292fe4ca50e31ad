use polc_checker::cargo::dependencies;
use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

/// POLC-C056: Commit `Cargo.lock` together with the manifest that changes it.
///
/// > Commit `Cargo.lock` together with the manifest that changes it.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/dependencies.md#locks>, Locks
///
/// Evidence type: output.
///
/// *Precondition:* selects every manifest whose dependencies were changed.
///
/// *Post-condition:* the lock of its workspace was changed too.
///
/// *Approximate:* Any other text of a dependency stands for a change of the lock (errs by false alarms).
pub struct C056;

impl Checker for C056 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C056",
        "sha256:a8f4f79e1cd8063669caa84bc7c9b998019755b5b719380242eda1e15ab1c0f3",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "any other text of a dependency stands for a change of the lock",
        errs: Direction::Alarms,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let manifest = |file: &&'e FileChange| file.name() == "Cargo.toml" && !file.is_deleted();
        let named = |text: Option<&'e str>| -> Vec<(&'e str, &'e str)> {
            dependencies(text.unwrap_or_default())
                .into_iter()
                .map(|found| (found.name, found.value))
                .collect()
        };
        let changed = |file: &&'e FileChange| named(file.base_text()) != named(file.head_text());
        Ok(view.files()?.iter().filter(manifest).filter(changed).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let lock = if target.is_below("generated") { "generated/Cargo.lock" } else { "Cargo.lock" };
        match view.files() {
            Ok(files) => Judgement::when(files.iter().any(|file| file.path == lock), || {
                format!("commit `{lock}` together with the manifest")
            }),
            Err(missing) => Judgement::Undetermined(missing),
        }
    }
}

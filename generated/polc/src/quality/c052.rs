use polc_checker::cargo::dependencies;
use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Ownership, Read, Selection, Span, Trace,
    View,
};

/// POLC-C052: Declare every dependency of a crate, except those of `crates/checker`, in the `\[workspace.dependencies\]` table of the root manifest.
///
/// > Declare every dependency, except those of `crates/checker`, in the `\[workspace.dependencies\]` table of the root manifest, and inherit it in the crate with `workspace = true`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/dependencies.md#adding-one>, Adding one
///
/// Evidence type: output.
///
/// *Precondition:* selects every dependency that was written into the manifest of a crate other than `checker`.
///
/// *Post-condition:* it is inherited from the workspace.
///
/// *Approximate:* A key that is not indented, below the header of a table, stands for a dependency (errs by missing).
pub struct C052;

impl Checker for C052 {
    type Target<'e> = Span<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C052",
        "sha256:cd8898ed9869e3b077987b24441ee41e1e3af3dbcfbb46577f00a6a7f1ff0103",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a key that is not indented, below the header of a table, stands for a dependency",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let manifest = |file: &FileChange| {
            file.is_below("crates") && file.name() == "Cargo.toml" && !file.is_below("crates/checker")
        };
        let mut selected = Vec::new();
        for text in view.texts(manifest)? {
            for found in dependencies(text.text).into_iter().filter(|found| text.diff.touches(&found.lines)) {
                selected.push(Span { file: text.file, lines: found.lines, text: found.name.to_owned() });
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let found = dependencies(target.file.head_text().unwrap_or_default());
        let inherited = found.iter().any(|found| found.lines == target.lines && found.is_inherited());
        Judgement::when(inherited, || {
            "declare it in `[workspace.dependencies]` of the root manifest, and write `workspace = true` here"
                .to_owned()
        })
    }
}

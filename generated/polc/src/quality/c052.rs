use polc_checker::cargo::dependencies;
use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Line, Ownership, Pattern, Read, Selection,
    Trace, View,
};

static INHERITED: Pattern = Pattern::new(r"\bworkspace\s*=\s*true\b");

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
/// *Approximate:* A dependency that is a table of its own is not seen (errs by missing).
pub struct C052;

impl Checker for C052 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C052",
        "sha256:cd8898ed9869e3b077987b24441ee41e1e3af3dbcfbb46577f00a6a7f1ff0103",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a dependency that is a table of its own is not seen",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let manifest = |file: &FileChange| {
            let member = file.is_below("crates") || file.is_below("xtask");
            member && file.name() == "Cargo.toml" && file.path != "crates/checker/Cargo.toml"
        };
        let lines = view.lines_written(manifest)?;
        let declares = |line: &Line<'e>| {
            dependencies(line.file.head_text().unwrap_or_default())
                .iter()
                .any(|found| found.line == line.number)
        };
        Ok(lines.into_iter().filter(declares).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(INHERITED.is_in(target.text), || {
            "declare it in `[workspace.dependencies]` of the root manifest, and write `workspace = true` here"
                .to_owned()
        })
    }
}

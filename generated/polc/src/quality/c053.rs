use polc_checker::cargo::dependencies;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, Read, Selection, Span, Trace, View,
};

/// POLC-C053: Keep the dependencies of a manifest in alphabetical order.
///
/// > Keep the dependencies of a manifest in alphabetical order.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/dependencies.md#adding-one>, Adding one
///
/// Evidence type: output.
///
/// *Precondition:* selects every table of dependencies that was changed in a manifest.
///
/// *Post-condition:* the names in it are in alphabetical order.
///
/// *Approximate:* A key that is not indented, below the header of a table, stands for a dependency (errs by missing).
pub struct C053;

impl Checker for C053 {
    type Target<'e> = Span<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C053",
        "sha256:f2b05e347bcc07581c8fed1da4ad9b0459a82b4f3803ca6dfe7d5d2bc846338c",
        Ownership::Enclosing,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a key that is not indented, below the header of a table, stands for a dependency",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut selected = Vec::new();
        for manifest in view.texts(|file| file.name() == "Cargo.toml")? {
            for table in dependencies(manifest.text).chunk_by(|a, b| a.table == b.table) {
                let (Some(first), Some(last)) = (table.first(), table.last()) else { continue };
                let lines = *first.lines.start()..=*last.lines.end();
                if manifest.diff.touches(&lines) {
                    selected.push(Span { file: manifest.file, lines, text: format!("[{}]", first.table) });
                }
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let found = dependencies(target.file.head_text().unwrap_or_default());
        let inside = found.iter().filter(|found| target.lines.contains(found.lines.start()));
        let names: Vec<&str> = inside.map(|found| found.name).collect();
        match names.windows(2).find(|pair| pair[0] > pair[1]) {
            None => Judgement::Satisfied,
            Some(pair) => Judgement::Violated(format!("`{}` belongs before `{}`", pair[1], pair[0])),
        }
    }
}

use polc_checker::python::{Code, Definition};
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

const REFERENCE: &str = "docs/reference.rst";

/// ZOO-C004: Add new public classes to `docs/reference.rst`.
///
/// *Precondition:* selects every public class that the file did not have before.
///
/// *Post-condition:* a line written in `docs/reference.rst` has its name.
///
/// *Approximate:* The name in a written line stands for an entry of the reference (errs by missing).
pub struct C004;

impl Checker for C004 {
    type Target<'e> = Code<'e, Definition<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C004", "sha256:0", Ownership::Created, &[Read::Files]).approximate(&[
            Trace {
                layer: Layer::Postcondition,
                trace: "the name in a written line stands for an entry of the reference",
                errs: Direction::Misses,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|file| file.is_below("zoo"))? {
            let classes = change.head.classes().into_iter().filter(|class| class.is_public());
            found.extend(change.owned(Ownership::Created, classes));
        }
        Ok(found)
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let name = target.item.name();
        let written = view.lines_written(|file| file.path == REFERENCE);
        let is_named =
            |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        let named = written.map(|lines| lines.iter().any(|line| is_named(line.text)));
        Judgement::when_known(named, || format!("add `{name}` to {REFERENCE}"))
    }
}

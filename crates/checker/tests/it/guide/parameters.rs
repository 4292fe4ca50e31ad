use polc_checker::docstring::Docstring;
use polc_checker::python::{Code, Definition};
use polc_checker::{Checker, Declaration, Judgement, Ownership, Read, Selection, View};

/// ZOO-C002: The docstring of a public function describes each of its parameters.
///
/// *Precondition:* selects every public function with a docstring that the change touches.
///
/// *Post-condition:* no parameter of its signature is missing from the docstring.
pub struct C002;

impl Checker for C002 {
    type Target<'e> = Code<'e, Definition<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C002", "sha256:0", Ownership::Enclosing, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|file| file.is_below("zoo"))? {
            let documented = change.head.functions().into_iter();
            let documented =
                documented.filter(|function| function.is_public() && function.docstring().is_some());
            found.extend(change.owned(Ownership::Enclosing, documented));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let docstring = target.item.docstring();
        let missing = docstring.map(Docstring::undocumented_parameters).unwrap_or_default();
        Judgement::when(missing.is_empty(), || {
            format!("describe `{}` in the docstring of `{}`", missing.join("`, `"), target.item.name())
        })
    }
}

use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Missing, Ownership, Read, Selection,
    Trace, View,
};

/// POLC-C071: Make sure that every written checker has a satisfying, a violating and an inapplicable case, unless it declares an exemption.
///
/// > Every written checker must have a satisfying, a violating and an inapplicable case, unless it declares an exemption.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/formats.md#checkers>, Checkers
///
/// Evidence type: output.
///
/// *Precondition:* selects every changed file of cases of a written checker that is new, had all three types before, or was changed with its checker.
///
/// *Post-condition:* it has a satisfying, a violating and an inapplicable case, or the checker beside it declares an exemption.
///
/// *Approximate:* A file that had all three types stands for a checker without an exemption; one that had not is not seen without its checker (errs by missing).
pub struct C071;

impl Checker for C071 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C071",
        "sha256:ba16a43822b7d87d43fb5014f4bbb37ee5a90cd7bd726ea6427892e215644d05",
        Ownership::Enclosing,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a file that had all three types stands for a checker without an exemption; one that had not is not seen without its checker",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let cases = |file: &FileChange| {
            file.is_below("generated") && file.path.contains("/cases/") && file.ends_in("toml")
        };
        let mut selected = Vec::new();
        for cases in view.texts(cases)? {
            let had_all = lacking(cases.file.base_text().unwrap_or_default()).is_none();
            let known = cases.file.is_new() || had_all || view.file(&checker_of(cases.file))?.is_some();
            if known && !cases.text.contains("unwritten = true") {
                selected.push(cases.file);
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        match lacking(target.head_text().unwrap_or_default()) {
            None => Judgement::Satisfied,
            Some(expect) => Judgement::when_known(is_exempt(view, &checker_of(target)), || {
                format!("write a case that is {expect}")
            }),
        }
    }
}

fn checker_of(cases: &FileChange) -> String {
    cases.path.replace("/cases/", "/src/").replace(".toml", ".rs")
}

fn is_exempt(view: &View<'_>, checker: &str) -> Result<bool, Missing> {
    let Some(checker) = view.file(checker)? else { return Ok(false) };
    Ok(view.head_text(checker)?.is_some_and(|text| text.contains("Exemption::")))
}

fn lacking(cases: &str) -> Option<&'static str> {
    let mut types = ["satisfied", "violated", "inapplicable"].into_iter();
    types.find(|expect| !cases.contains(&format!("expect = \"{expect}\"")))
}

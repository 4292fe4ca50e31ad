use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

/// POLC-C071: Make sure that every written checker has a satisfying, a violating and an inapplicable case, unless it declares an exemption.
///
/// > Every written checker must have a satisfying, a violating and an inapplicable case, unless it declares an exemption.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/formats.md#checkers>, Checkers
///
/// Evidence type: output.
///
/// *Precondition:* selects every changed file of cases of a written checker.
///
/// *Post-condition:* it has a satisfying, a violating and an inapplicable case, or the checker beside it declares an exemption.
///
/// *Approximate:* An exemption is only seen where the checker was changed with its cases (errs by false alarms).
pub struct C071;

impl Checker for C071 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C071",
        "sha256:ba16a43822b7d87d43fb5014f4bbb37ee5a90cd7bd726ea6427892e215644d05",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "an exemption is only seen where the checker was changed with its cases",
        errs: Direction::Alarms,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let cases = |file: &&'e FileChange| {
            file.is_below("generated")
                && file.path.contains("/cases/")
                && file.ends_in("toml")
                && !file.is_deleted()
        };
        let written =
            |file: &&'e FileChange| !file.head_text().unwrap_or_default().contains("unwritten = true");
        Ok(view.files()?.iter().filter(cases).filter(written).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let checker = target.path.replace("/cases/", "/src/").replace(".toml", ".rs");
        let files = match view.files() {
            Ok(files) => files,
            Err(missing) => return Judgement::Undetermined(missing),
        };
        let exempt = files.iter().any(|file| {
            file.path == checker && file.head_text().is_some_and(|text| text.contains("Exemption::"))
        });
        let text = target.head_text().unwrap_or_default();
        let lacking = ["satisfied", "violated", "inapplicable"]
            .into_iter()
            .find(|expect| !text.contains(&format!("expect = \"{expect}\"")));
        match lacking {
            Some(expect) if !exempt => Judgement::Violated(format!("write a case that is {expect}")),
            _ => Judgement::Satisfied,
        }
    }
}

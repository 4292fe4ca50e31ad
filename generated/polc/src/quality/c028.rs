use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static ATTRIBUTE: Pattern = Pattern::new(r"#!?\s*\[");
static ALLOW: Pattern = Pattern::new(r"#!?\s*\[\s*(cfg_attr\s*\(.*,\s*)?allow\s*\(");

/// POLC-C028: Never write `#\[allow\]`.
///
/// > Never write `#\[allow\]`: use `#\[expect\]` with a reason.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/code.md#lints>, Lints
///
/// Evidence type: output.
///
/// *Precondition:* selects every line of Rust that was written with the beginning of an attribute.
///
/// *Post-condition:* it is no `allow`.
///
/// *Approximate:* An `allow` on the line on which the attribute begins stands for every one (errs by missing).
pub struct C028;

impl Checker for C028 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C028",
        "sha256:39faa33dccdc43ab6335b348b9b5adbb8d12c9ca7f3376238125912fbc5ddec6",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "an `allow` on the line on which the attribute begins stands for every one",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs"))?;
        Ok(lines.into_iter().filter(|line| ATTRIBUTE.is_in(line.code())).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!ALLOW.is_in(target.code()), || {
            "use `#[expect(…, reason = \"…\")]`: it tells when it is no longer needed".to_owned()
        })
    }
}

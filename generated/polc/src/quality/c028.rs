use polc_checker::{Checker, Declaration, Judgement, Line, Ownership, Read, Selection, View};

/// POLC-C028: Never write `#\[allow\]`.
///
/// > Never write `#\[allow\]`: use `#\[expect\]` with a reason.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/code.md#lints>, Lints
///
/// Evidence type: output.
///
/// *Precondition:* selects every attribute that was written in Rust.
///
/// *Post-condition:* it is no `allow`.
pub struct C028;

impl Checker for C028 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C028",
        "sha256:39faa33dccdc43ab6335b348b9b5adbb8d12c9ca7f3376238125912fbc5ddec6",
        Ownership::Touched,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs"))?;
        let attribute = |line: &Line<'e>| {
            line.file.rust().line(line.number).is_some_and(|line| line.code.trim_start().starts_with(['#']))
        };
        Ok(lines.into_iter().filter(attribute).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let code = target.file.rust().line(target.number).map_or("", |line| line.code.trim_start());
        let allows = code.starts_with("#[allow(") || code.starts_with("#![allow(");
        Judgement::when(!allows, || {
            "use `#[expect(…, reason = \"…\")]`: it tells when it is no longer needed".to_owned()
        })
    }
}

use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static KEY: Pattern = Pattern::new(r#"^[\s"']*-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY( BLOCK)?-----"#);

/// POLC-C017: Never commit a private key, not even a revoked one.
///
/// > Never commit a private key, not even a revoked one.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/CONTRIBUTING.md#what-every-file-has-in-common>, What every file has in common
///
/// Evidence type: output.
///
/// *Precondition:* selects every line that was written.
///
/// *Post-condition:* it does not begin like a private key in its usual armour.
///
/// *Approximate:* The armour of a key at the start of a line that head still has stands for a key (errs either way).
pub struct C017;

impl Checker for C017 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C017",
        "sha256:df79b55cbdcb3d04ba96f60d486b1181831359506a98d5322605ed5d70578547",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "the armour of a key at the start of a line that head still has stands for a key",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.lines_written(|_| true)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!KEY.is_in(target.text), || {
            "this looks like a private key: take it out of the history and revoke it".to_owned()
        })
    }
}

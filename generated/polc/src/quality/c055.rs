use polc_checker::{Checker, Declaration, Judgement, Selection, View, Whole};

/// POLC-C055: Never add a dependency whose licence is not in `deny.toml`.
///
/// > Never add a dependency whose licence is not in `deny.toml`.
///
/// Source: <https://code.example/polc/polc/blob/da236f5c9eebb6a9ae7b3499da0aebe6b98fd967/docs/contributing/dependencies.md#adding-one>, Adding one
///
/// Evidence type: output.
///
/// *Precondition:* not written yet: select what the rule applies to, by the situation that it names.
///
/// *Post-condition:* not written yet: judge one target, with a reason for the contributor.
pub struct C055;

impl Checker for C055 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration = Declaration::unwritten(
        "POLC-C055",
        "sha256:c96c6077890bea1aa33f721a238ce2b19de6db71ced367783673575bb3e427a0",
    );

    fn precondition<'e>(_view: &View<'e>) -> Selection<Whole> {
        Ok(Vec::new())
    }

    fn postcondition<'e>(_view: &View<'e>, _target: &Whole) -> Judgement {
        Judgement::Satisfied
    }
}

// polc renders this file anew as long as the lines above have the digest sha256:8dcc81a3a54ea7fec36148d7ace9ef7204679173e77d9bc027e676bf431a6d82

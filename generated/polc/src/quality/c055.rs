use polc_checker::{Checker, Declaration, Judgement, Selection, View, Whole};

/// POLC-C055: Never add a dependency whose licence is not in `deny.toml`.
///
/// > Never add a dependency whose licence is not in `deny.toml`.
///
/// Source: <https://code.example/polc/polc/blob/8331356a641c60b0400417a7e8ee2f22509ee3b2/docs/contributing/dependencies.md#adding-one>, Adding one
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

// polc renders this file anew as long as the lines above have the digest sha256:f4f33cb8b7c8b644a1d84dca59a41793d0651f56867ff670b279074e75e3f5d0

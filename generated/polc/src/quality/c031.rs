use polc_checker::{Checker, Declaration, Judgement, Selection, View, Whole};

/// POLC-C031: Make sure that code is formatted with `cargo fmt`.
///
/// > Code must be formatted with `cargo fmt`.
///
/// Source: <https://code.example/polc/polc/blob/da236f5c9eebb6a9ae7b3499da0aebe6b98fd967/docs/contributing/code.md#lints>, Lints
///
/// Evidence type: output.
///
/// *Precondition:* not written yet: select what the rule applies to, by the situation that it names.
///
/// *Post-condition:* not written yet: judge one target, with a reason for the contributor.
pub struct C031;

impl Checker for C031 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration = Declaration::unwritten(
        "POLC-C031",
        "sha256:c69bed8b9472fb4fdeeda81fd1442b163771107efed835a4486d38b297f4d775",
    );

    fn precondition<'e>(_view: &View<'e>) -> Selection<Whole> {
        Ok(Vec::new())
    }

    fn postcondition<'e>(_view: &View<'e>, _target: &Whole) -> Judgement {
        Judgement::Satisfied
    }
}

// polc renders this file anew as long as the lines above have the digest sha256:8849ef1f699836e29dd5118d1f93ee72e37aea70d65eda35bbd88e63173b4e52

use polc_checker::{Checker, Declaration, Judgement, Selection, View, Whole};

/// POLC-C031: Make sure that code is formatted with `cargo fmt`.
///
/// > Code must be formatted with `cargo fmt`.
///
/// Source: <https://code.example/polc/polc/blob/8331356a641c60b0400417a7e8ee2f22509ee3b2/docs/contributing/code.md#lints>, Lints
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

// polc renders this file anew as long as the lines above have the digest sha256:3b4a753ef2706d6fe049294144817cab085b9a8cd47b6022f9c6be8968a8d49a

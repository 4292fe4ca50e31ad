use polc_checker::{Checker, Declaration, Judgement, Selection, View, Whole};

/// POLC-C088: Print `SKIP` in a test that needs data from outside the repository, where the data is not there.
///
/// > Tests that need data from outside the repository print `SKIP` where it is not there, past the harness that swallows what a passing test prints.
///
/// Source: <https://code.example/polc/polc/blob/da236f5c9eebb6a9ae7b3499da0aebe6b98fd967/docs/contributing/tests.md#how-tests-are-written>, How tests are written
///
/// Evidence type: output.
///
/// *Precondition:* not written yet: select what the rule applies to, by the situation that it names.
///
/// *Post-condition:* not written yet: judge one target, with a reason for the contributor.
pub struct C088;

impl Checker for C088 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration = Declaration::unwritten(
        "POLC-C088",
        "sha256:9df5474f24aaa770287c725803cd57ec060fc47a82800e68a8e477df4d21cc05",
    );

    fn precondition<'e>(_view: &View<'e>) -> Selection<Whole> {
        Ok(Vec::new())
    }

    fn postcondition<'e>(_view: &View<'e>, _target: &Whole) -> Judgement {
        Judgement::Satisfied
    }
}

// polc renders this file anew as long as the lines above have the digest sha256:0a58a0562e98058f1c4138ae328e23baee8275e178833a35b40fcb609f9beba4

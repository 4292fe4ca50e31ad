use polc_checker::message::not_imperative;
use polc_checker::{
    Checker, Commit, Declaration, Direction, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

/// POLC-C043: Write the first line of a commit message in the imperative mood: `Add`, not `Added` or `Adds`.
///
/// > Write it in the imperative mood: `Add`, not `Added` or `Adds`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/commits.md#the-first-line>, The first line
///
/// Evidence type: output.
///
/// *Precondition:* selects every commit that is no merge.
///
/// *Post-condition:* the first word of the first line has none of the endings of a past tense, a participle or a third person.
///
/// *Approximate:* The ending of the first word stands for its mood (errs either way).
pub struct C043;

impl Checker for C043 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C043",
        "sha256:7ff4abb22218479530c3d6691e8dbf3e4736c925ca425ace4adb83b807db28fe",
        Ownership::Created,
        &[Read::Commits],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "the ending of the first word stands for its mood",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().filter(|commit| !commit.is_merge()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        match not_imperative(target.message.first_line()) {
            None => Judgement::Satisfied,
            Some(word) => Judgement::Violated(format!(
                "`{word}` does not look like an imperative: write what the commit does to the project, as in `Add`"
            )),
        }
    }
}

use polc_checker::{Checker, Commit, Declaration, Judgement, Ownership, Read, Selection, View};

/// POLC-C045: Leave a blank line between the first line and the body of a commit message.
///
/// > Leave a blank line between the first line and the body.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/commits.md#the-body>, The body
///
/// Evidence type: output.
///
/// *Precondition:* selects every commit whose message has more than one line.
///
/// *Post-condition:* the second line is blank.
pub struct C045;

impl Checker for C045 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C045",
        "sha256:6fbd751ddb117328898b1c2c4d91875fd9e98d1f868a83a911550b1085c5381e",
        Ownership::Created,
        &[Read::Commits],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let longer = |commit: &&'e Commit| commit.message.raw().trim().contains('\n');
        Ok(view.commits()?.iter().filter(longer).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.message.is_parted_from_its_body(), || {
            "leave a blank line between the first line and the body".to_owned()
        })
    }
}

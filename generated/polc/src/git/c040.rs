use polc_checker::{Checker, Commit, Declaration, Judgement, Ownership, Read, Selection, View};

/// POLC-C040: Keep the first line of a commit message to 72 characters or fewer.
///
/// > Keep the first line of a commit message to 72 characters or fewer.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/commits.md#the-first-line>, The first line
///
/// Evidence type: output.
///
/// *Precondition:* selects every commit that is no merge.
///
/// *Post-condition:* the first line has at most 72 characters.
pub struct C040;

impl Checker for C040 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C040",
        "sha256:1158f0f26d6e16c28f131a5f359e1db998d0f03e79aa3bcdabb3c3471eebdf1c",
        Ownership::Created,
        &[Read::Commits],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().filter(|commit| !commit.is_merge()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let length = target.message.first_line().chars().count();
        Judgement::when(length <= 72, || {
            format!("the first line has {length} characters: keep it to 72 and move the rest into the body")
        })
    }
}

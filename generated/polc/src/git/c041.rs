use polc_checker::{Checker, Commit, Declaration, Judgement, Ownership, Read, Selection, View};

/// POLC-C041: Begin the first line of a commit message with a capital letter.
///
/// > Begin it with a capital letter.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/commits.md#the-first-line>, The first line
///
/// Evidence type: output.
///
/// *Precondition:* selects every commit that is no merge.
///
/// *Post-condition:* the first line begins with a capital letter.
pub struct C041;

impl Checker for C041 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C041",
        "sha256:55cc8cfd186cdb28ff4c22688c6aed2bb76930a0ed0350447efc5754c3262971",
        Ownership::Created,
        &[Read::Commits],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().filter(|commit| !commit.is_merge()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let first = target.message.first_line().chars().next();
        Judgement::when(first.is_some_and(char::is_uppercase), || {
            "begin the first line with a capital letter".to_owned()
        })
    }
}

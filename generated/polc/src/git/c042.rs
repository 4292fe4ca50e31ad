use polc_checker::{Checker, Commit, Declaration, Judgement, Ownership, Read, Selection, View};

/// POLC-C042: Do not end the first line of a commit message with a full stop.
///
/// > Do not end it with a full stop.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/commits.md#the-first-line>, The first line
///
/// Evidence type: output.
///
/// *Precondition:* selects every commit that is no merge.
///
/// *Post-condition:* the first line does not end with a full stop.
pub struct C042;

impl Checker for C042 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C042",
        "sha256:7454a2dd81e1cc64637368226a02e81454f5b5959d76097fc1963335c553c4cd",
        Ownership::Created,
        &[Read::Commits],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().filter(|commit| !commit.is_merge()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let ends = target.message.first_line().ends_with('.');
        Judgement::when(!ends, || "take the full stop at the end of the first line away".to_owned())
    }
}

use polc_checker::{
    Checker, Commit, Declaration, Direction, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

/// POLC-C047: Say why in the body of a commit message, if the commit changes anything below `crates`.
///
/// > A commit that changes anything below `crates` must say why in its body.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/commits.md#the-body>, The body
///
/// Trigger: the commit changes anything below `crates`
///
/// Evidence type: output.
///
/// *Precondition:* selects every commit that changes a path below `crates`.
///
/// *Post-condition:* the message has a body beside its trailers.
///
/// *Approximate:* That there is a body stands for that it says why (errs by missing).
pub struct C047;

impl Checker for C047 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C047",
        "sha256:b56875095725e00783b603c64ee4d5b137208a61a5f95aa9bba2f6ca98bf2f55",
        Ownership::Created,
        &[Read::Commits],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "that there is a body stands for that it says why",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut selected = Vec::new();
        for commit in view.commits()?.iter().filter(|commit| !commit.is_merge()) {
            if view.paths(commit)?.iter().any(|path| path.starts_with("crates/")) {
                selected.push(commit);
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!target.message.body().is_empty(), || {
            "say in the body why this is done: what is done can be seen in the difference".to_owned()
        })
    }
}

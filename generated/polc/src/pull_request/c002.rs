use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Ownership, PullRequest, Read, Selection,
    Trace, View,
};

/// POLC-C002: Tick the box which says that `CHANGELOG.md` has a line, if users will notice the change.
///
/// > `CHANGELOG.md` has a line, if users will notice the change.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/.github/PULL_REQUEST_TEMPLATE.md#checklist>, Checklist
///
/// Evidence type: differential.
///
/// *Precondition:* selects the pull request of a change to the command line or to a type of a file.
///
/// *Post-condition:* the check box of the checklist that speaks of the changelog is ticked.
///
/// *Approximate:* The files of the command line and of the file types stand for what users notice (errs either way).
pub struct C002;

impl Checker for C002 {
    type Target<'e> = &'e PullRequest;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C002",
        "sha256:996dd98138ff26bf4ff3a989154b2399b3d1a3332bcec63c82441aa2bed28c71",
        Ownership::Created,
        &[Read::Files, Read::PullRequest],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "the files of the command line and of the file types stand for what users notice",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let noticed = |file: &FileChange| {
            file.path == "crates/cli/src/arguments.rs" || file.is_below("crates/records/src")
        };
        if !view.files()?.iter().any(noticed) {
            return Ok(Vec::new());
        }
        Ok(vec![view.pull_request()?])
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let ticked = Markdown::new(&target.body).is_ticked("`CHANGELOG.md`");
        Judgement::when(ticked, || "give `CHANGELOG.md` a line, then tick the box".to_owned())
    }
}

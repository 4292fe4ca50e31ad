use polc_checker::activity::{Commit, Event, Root, Tested};
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

/// ZOO-C006: Run the tests after your last edit, and do not commit before they pass.
///
/// *Precondition:* selects every `git commit` that follows an edit of code.
///
/// *Post-condition:* between the last edit of code before it and the commit, tests were run and passed.
///
/// *Approximate:* A command that is known to run tests stands for the tests (errs either way).
pub struct C006;

impl Checker for C006 {
    type Target<'e> = Event<'e, Commit>;

    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C006", "sha256:0", Ownership::Created, &[Read::Steps]).approximate(&[
            Trace {
                layer: Layer::Postcondition,
                trace: "a command that is known to run tests stands for the tests",
                errs: Direction::Both,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let work = view.work(Root::Guessed)?;
        let edits = work.edits_of(is_code);
        let follows = |commit: &Event<'e, Commit>| edits.iter().any(|edit| edit.at < commit.at);
        Ok(work.commits().into_iter().filter(follows).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let tested = view.work(Root::Guessed).map(|work| work.tested_since_edit(is_code, Some(target.at)));
        // What came of a run that is cut short is not known, and nobody is blamed for it.
        let kept = tested.map(|tested| matches!(tested, Some(Tested::Passed(_) | Tested::Unknown(_))));
        Judgement::when_known(kept, || {
            "run the tests after the last edit, and commit when they pass".to_owned()
        })
    }
}

fn is_code(path: &str) -> bool {
    path.ends_with(".py")
}

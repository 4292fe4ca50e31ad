use polc_checker::{
    Checker, Commit, Declaration, Direction, Judgement, Layer, Ownership, Pattern, Read, Selection, Trace,
    View,
};

static MENDS: Pattern = Pattern::new(r"(?i)^(fix|mend|repair|correct)\b");

/// POLC-C083: Make sure that every fix comes with a test that fails without it.
///
/// > Every fix must come with a test that fails without it.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/tests.md#what-needs-a-test>, What needs a test
///
/// Evidence type: differential.
///
/// *Precondition:* selects every commit whose first line begins with a word for mending.
///
/// *Post-condition:* the contribution changes a test.
///
/// *Approximate:* The first word of the first line stands for a fix (errs either way). That any test was changed stands for a test that fails without the fix (errs by missing).
pub struct C083;

impl Checker for C083 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C083",
        "sha256:fb8fffa5adfaffb96d7f963aeef6ed3e1723ab72d7945d934c769dff034bec3b",
        Ownership::Created,
        &[Read::Commits, Read::Files],
    )
    .approximate(&[
        Trace {
            layer: Layer::Precondition,
            trace: "the first word of the first line stands for a fix",
            errs: Direction::Both,
        },
        Trace {
            layer: Layer::Postcondition,
            trace: "that any test was changed stands for a test that fails without the fix",
            errs: Direction::Misses,
        },
    ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mends = |commit: &&'e Commit| MENDS.is_in(commit.message.first_line());
        Ok(view.commits()?.iter().filter(mends).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let files = match view.files() {
            Ok(files) => files,
            Err(missing) => return Judgement::Undetermined(missing),
        };
        let tests = |file: &polc_checker::FileChange| {
            let in_folder = file.path.contains("/tests/")
                || file.path.starts_with("tests/")
                || file.path.contains("/cases/");
            let line = |number: &usize| file.rust().line(*number).is_some_and(|line| line.in_test);
            !file.is_deleted()
                && (in_folder || (file.ends_in("rs") && file.diff().authored().iter().any(line)))
        };
        Judgement::when(files.iter().any(tests), || {
            format!("add the test that fails without `{}`", target.message.first_line())
        })
    }
}

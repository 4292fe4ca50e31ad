use polc_checker::{
    Checker, Commit, Declaration, Direction, Judgement, Layer, Missing, Ownership, Pattern, Read, Selection,
    Trace, View,
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
        Judgement::when_known(changes_a_test(view), || {
            format!("add the test that fails without `{}`", target.message.first_line())
        })
    }
}

fn changes_a_test(view: &View<'_>) -> Result<bool, Missing> {
    let is_test =
        |path: &str| path.contains("/tests/") || path.starts_with("tests/") || path.contains("/cases/");
    for file in view.files()?.iter().filter(|file| !file.is_deleted()) {
        if is_test(&file.path)
            || file.ends_in("rs") && view.authored_lines(file)?.iter().any(|line| line.is_code(true))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

use polc_checker::{
    Checker, Commit, Declaration, Direction, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

/// Imperatives with the ending of another form.
const IMPERATIVES: &[&str] = &[
    "bring", "canvas", "embed", "exceed", "feed", "heed", "need", "ping", "proceed", "seed", "shed", "speed",
    "spring", "string", "succeed", "swing", "weed",
];

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
        let subject = target.message.first_line();
        let word =
            subject.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default();
        let lower = word.to_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
        let past = ends(&["ed", "ing"]) && !IMPERATIVES.contains(&lower.as_str());
        let third_person =
            lower.ends_with('s') && !ends(&["ss", "us", "is"]) && !IMPERATIVES.contains(&lower.as_str());
        Judgement::when(!past && !third_person, || {
            format!(
                "`{word}` does not look like an imperative: write what the commit does to the project, as in `Add`"
            )
        })
    }
}

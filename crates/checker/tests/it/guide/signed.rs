use polc_checker::{
    Checker, Commit, Declaration, Direction, Exemption, Judgement, Layer, Ownership, Read, Selection, Trace,
    View,
};

/// ZOO-C005: A person reads what a tool wrote before it is committed, and signs for it with `Read-by:`.
///
/// *Precondition:* selects every commit with an `Assisted-by:` trailer.
///
/// *Post-condition:* it has a `Read-by:` trailer with a name.
///
/// *Approximate:* The trailer stands for the person who read (errs by missing).
pub struct C005;

impl Checker for C005 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C005", "sha256:0", Ownership::Created, &[Read::Commits])
            .exempt(Exemption::HumanInTheLoop)
            .approximate(&[Trace {
                layer: Layer::Postcondition,
                trace: "the trailer stands for the person who read",
                errs: Direction::Misses,
            }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let assisted = |commit: &&Commit| !commit.message.trailer("Assisted-by").is_empty();
        Ok(view.commits()?.iter().filter(assisted).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let signed = target.message.trailer("Read-by").iter().any(|name| !name.trim().is_empty());
        Judgement::when(signed, || "let a person read this, who signs with `Read-by:`".to_owned())
    }
}

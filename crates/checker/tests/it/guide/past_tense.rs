use polc_checker::message::VerbForm;
use polc_checker::{
    Checker, Commit, Declaration, Direction, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

/// ZOO-C001: Write the first line of a commit in the past tense, and end it with a full stop.
///
/// *Precondition:* selects every commit.
///
/// *Post-condition:* its first word is a past form, and its last character a full stop.
///
/// *Approximate:* The form of the first word stands for the tense of the line (errs by missing).
pub struct C001;

impl Checker for C001 {
    type Target<'e> = &'e Commit;

    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C001", "sha256:0", Ownership::Created, &[Read::Commits]).approximate(&[
            Trace {
                layer: Layer::Postcondition,
                trace: "the form of the first word stands for the tense of the line",
                errs: Direction::Misses,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.iter().collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let line = target.message.subject_line();
        match line.verb_form(&[]) {
            // `Set`, `Put`, `Read`: nobody can tell, so nobody is blamed.
            VerbForm::Past | VerbForm::Unknown => {
                Judgement::when(line.text.ends_with('.'), || "end the first line with a full stop".to_owned())
            }
            VerbForm::Imperative | VerbForm::ThirdPerson | VerbForm::Gerund => Judgement::Violated(
                "begin the first line with a verb in the past tense: `Added`, not `Add`".to_owned(),
            ),
        }
    }
}

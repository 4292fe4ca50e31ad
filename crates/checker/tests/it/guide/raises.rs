use polc_checker::python::{Code, Raise};
use polc_checker::{Checker, Declaration, Judgement, Ownership, Read, Selection, View};

/// ZOO-C003: Below `zoo/config/`, do not raise `ValueError`: raise `ConfigError`.
///
/// *Precondition:* selects every exception raised by a line that was written below `zoo/config/`.
///
/// *Post-condition:* it is not `ValueError`.
pub struct C003;

impl Checker for C003 {
    type Target<'e> = Code<'e, Raise<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C003", "sha256:0", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|file| file.is_below("zoo/config"))? {
            found.extend(change.owned(Ownership::Touched, change.head.raises()));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let raised = target.item.resolve();
        Judgement::when(raised.as_deref() != Some("ValueError"), || {
            "raise `ConfigError` instead of `ValueError`".to_owned()
        })
    }
}

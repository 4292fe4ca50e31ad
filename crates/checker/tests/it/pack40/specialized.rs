//! Rules on licences, deprecations, the environment.

use polc_checker::python::{Code, Decorator, Definition};
use polc_checker::{
    Checker, Declaration, Direction, Exemption, FileChange, Judgement, Layer, Ownership, Read, Selection,
    Trace, View, Whole,
};

/// KILN-C026: Foreign code carries its licence.
///
/// *Precondition:* selects every new file below `vendor`.
///
/// *Post-condition:* it has a licence tag.
///
/// *Approximate:* A new file below `vendor` stands for foreign code; the tag stands for the licence (errs by missing).
pub struct C026;

impl Checker for C026 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C026", "sha256:26", Ownership::Created, &[Read::Files]).approximate(&[
            Trace {
                layer: Layer::Precondition,
                trace: "a new file below `vendor` stands for foreign code",
                errs: Direction::Misses,
            },
            Trace {
                layer: Layer::Postcondition,
                trace: "the tag stands for the licence",
                errs: Direction::Misses,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.files()?.iter().filter(|file| file.is_new() && file.is_below("vendor")).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let text = view.head_text(target);
        let tagged = text.map(|text| text.is_none_or(|text| text.contains("SPDX-License-Identifier:")));
        Judgement::when_known(tagged, || format!("say at the top of {} which licence it has", target.path))
    }
}

/// KILN-C027: What is deprecated is listed in `docs/deprecations.rst`.
///
/// *Precondition:* selects every `@deprecated` that was written.
///
/// *Post-condition:* a line of that page was written.
///
/// *Approximate:* Any line written there stands for an entry with this name (errs by missing).
pub struct C027;

impl Checker for C027 {
    type Target<'e> = Code<'e, Decorator<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C027", "sha256:27", Ownership::Created, &[Read::Files]).approximate(&[
            Trace {
                layer: Layer::Postcondition,
                trace: "any line written there stands for an entry with this name",
                errs: Direction::Misses,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|file| file.is_below("kiln"))? {
            let decorators = change.head.definitions().into_iter().flat_map(Definition::decorators);
            let ours = decorators.filter(|found| found.is_any(&["kiln.utils.deprecated", "deprecated"]));
            found.extend(change.owned(Ownership::Created, ours));
        }
        Ok(found)
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        let listed = view.lines_written(|file| file.path == "docs/deprecations.rst");
        Judgement::when_known(listed.map(|lines| !lines.is_empty()), || {
            "list this in docs/deprecations.rst".to_owned()
        })
    }
}

/// KILN-C028: Changes to the compiled parts are made with Python 3.11.
///
/// *Precondition:* selects a contribution that changes a `.pyx` file.
///
/// *Post-condition:* the environment had Python 3.11.
pub struct C028;

impl Checker for C028 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C028", "sha256:28", Ownership::Created, &[Read::Files, Read::Probe]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.files()?.iter().any(|file| file.ends_in("pyx")).then_some(Whole).into_iter().collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        let version = view.probe().map(|probe| probe.get("python").unwrap_or("unknown"));
        let fits = version.map(|version| version == "3.11" || version.starts_with("3.11."));
        Judgement::when_known(fits, || "build the compiled parts with Python 3.11".to_owned())
    }
}

/// KILN-C029: Compiled files stay out of the tree.
///
/// *Precondition:* selects every compiled file that is new in the tree.
///
/// *Post-condition:* none is allowed.
pub struct C029;

impl Checker for C029 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C029", "sha256:29", Ownership::Created, &[Read::Worktree])
            .exempt(Exemption::SelectsOnlyViolations);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let compiled = |file: &&FileChange| file.is_new() && (file.ends_in("so") || file.ends_in("pyc"));
        Ok(view.worktree()?.iter().filter(compiled).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::Violated(format!("take {} away", target.path))
    }
}

/// KILN-C030: A fix breaks no test that passed.
///
/// *Precondition:* selects a contribution with a commit.
///
/// *Post-condition:* no test that passed before fails.
pub struct C030;

impl Checker for C030 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C030", "sha256:30", Ownership::Created, &[Read::Commits, Read::Evaluation]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.commits()?.first().map(|_| Whole).into_iter().collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        match view.tests() {
            Err(missing) => Judgement::Undetermined(missing),
            Ok(tests) => Judgement::when(tests.broken.is_empty(), || {
                format!("these passed and fail now: {}", tests.broken.join(", "))
            }),
        }
    }
}

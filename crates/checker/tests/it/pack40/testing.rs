//! Rules on tests.

use polc_checker::docstring::{Docstring, Example};
use polc_checker::evidence::{Action, Step};
use polc_checker::python::{Call, Code, Definition, Kind, TestNames};
use polc_checker::shell::Script;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, Read, Selection, Trace, View, Whole,
};

/// KILN-C036: A change of the package comes with a change of its tests.
///
/// *Precondition:* selects a contribution that changes Python below `kiln`.
///
/// *Post-condition:* it changes a file below `tests`.
///
/// *Approximate:* Any file below `tests` stands for a test of this change (errs by missing).
pub struct C036;

impl Checker for C036 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C036", "sha256:36", Ownership::Created, &[Read::Files]).approximate(&[
            Trace {
                layer: Layer::Postcondition,
                trace: "any file below `tests` stands for a test of this change",
                errs: Direction::Misses,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let changed = view.files()?.iter().any(|file| file.is_below("kiln") && file.ends_in("py"));
        Ok(changed.then_some(Whole).into_iter().collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        let tested = view.files().map(|files| files.iter().any(|file| file.is_below("tests")));
        Judgement::when_known(tested, || "add a test of this below `tests`".to_owned())
    }
}

/// KILN-C037: Every test asserts something.
///
/// *Precondition:* selects every new test function.
///
/// *Post-condition:* its body has an `assert` or a call of `pytest.raises`.
///
/// *Approximate:* An `assert` stands for an assertion that can fail (errs either way).
pub struct C037;

impl Checker for C037 {
    type Target<'e> = Code<'e, Definition<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C037", "sha256:37", Ownership::Created, &[Read::Files]).approximate(&[
            Trace {
                layer: Layer::Postcondition,
                trace: "an `assert` stands for an assertion that can fail",
                errs: Direction::Both,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|file| file.is_below("tests"))? {
            let tests = change.head.functions().into_iter();
            let tests = tests.filter(|function| function.is_test(&TestNames::default()));
            found.extend(change.owned(Ownership::Created, tests));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let asserts = target.item.node().descendants().any(|node| {
            node.kind() == Kind::Assert || node.as_call().is_some_and(|call| call.is_any(&["pytest.raises"]))
        });
        Judgement::when(asserts, || format!("assert something in `{}`", target.item.name()))
    }
}

/// KILN-C038: Run the tests after the last edit.
///
/// *Precondition:* selects the contribution, where a file was edited by a tool.
///
/// *Post-condition:* a later command calls `pytest`.
///
/// *Approximate:* Edits by a tool stand for all edits, and the name of the command for a run of the tests (errs either way).
pub struct C038;

impl Checker for C038 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C038", "sha256:38", Ownership::Created, &[Read::Steps]).approximate(&[
            Trace {
                layer: Layer::Precondition,
                trace: "an edit by a tool stands for any edit",
                errs: Direction::Misses,
            },
            Trace {
                layer: Layer::Postcondition,
                trace: "the name of the command stands for a run of the tests",
                errs: Direction::Both,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.steps()?.iter().any(is_edit).then_some(Whole).into_iter().collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        let later = view.steps().map(|steps| steps.iter().rev().take_while(|step| !is_edit(step)));
        let tested = later.map(|mut steps| steps.any(runs_tests));
        Judgement::when_known(tested, || "run the tests once more before this is handed in".to_owned())
    }
}

fn is_edit(step: &Step) -> bool {
    matches!(step.action, Action::Edit { .. })
}

fn runs_tests(step: &Step) -> bool {
    let script = step.command().map(Script::parse);
    let commands = script.iter().flat_map(Script::commands);
    let mut words = commands.filter_map(|command| command.name().map(|name| (name, command.arguments())));
    words.any(|(name, arguments)| {
        name == "pytest"
            || name.starts_with("python") && arguments.iter().any(|word| word.text() == Some("pytest"))
    })
}

/// KILN-C039: `pytest.raises` says which message is expected.
///
/// *Precondition:* selects every call of `pytest.raises` on a written line.
///
/// *Post-condition:* it has `match`.
pub struct C039;

impl Checker for C039 {
    type Target<'e> = Code<'e, Call<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C039", "sha256:39", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|file| file.is_below("tests"))? {
            let raises = change.head.calls().into_iter().filter(|call| call.is_any(&["pytest.raises"]));
            found.extend(change.owned(Ownership::Touched, raises));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.item.keyword("match").is_some(), || "add `match=` to this".to_owned())
    }
}

/// KILN-C040: Examples in a docstring are run, not skipped.
///
/// *Precondition:* selects every function with examples in its docstring that the change touches.
///
/// *Post-condition:* none of them is skipped.
pub struct C040;

impl Checker for C040 {
    type Target<'e> = Code<'e, Definition<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C040", "sha256:40", Ownership::Enclosing, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|file| file.is_below("kiln"))? {
            let shown = change.head.functions().into_iter().filter(|function| {
                function.docstring().is_some_and(|docstring| !docstring.read().examples().is_empty())
            });
            found.extend(change.owned(Ownership::Enclosing, shown));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let told = target.item.docstring().map(Docstring::read);
        let skipped = told.iter().flat_map(|told| told.examples()).any(Example::is_skipped);
        Judgement::when(!skipped, || format!("run the examples of `{}`", target.item.name()))
    }
}

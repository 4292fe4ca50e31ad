//! Rules on code.

use polc_checker::python::{Call, Code, Definition, Handler, Import, Raise, Try};
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

/// KILN-C021: Every oven derives from `BaseOven`.
///
/// *Precondition:* selects every new class with a method `fire`.
///
/// *Post-condition:* `BaseOven` is among its bases.
///
/// *Approximate:* A method `fire` stands for an oven (errs either way).
pub struct C021;

impl Checker for C021 {
    type Target<'e> = Code<'e, Definition<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C021", "sha256:21", Ownership::Created, &[Read::Files]).approximate(&[
            Trace {
                layer: Layer::Precondition,
                trace: "a method `fire` stands for an oven",
                errs: Direction::Both,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let fires = |class: &Definition<'_>| {
            class.body().any(|inner| inner.as_definition().is_some_and(|found| found.name() == "fire"))
        };
        let mut found = Vec::new();
        for change in view.pythons(|file| file.is_below("kiln"))? {
            found.extend(change.owned(Ownership::Created, change.head.classes().into_iter().filter(fires)));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let derives = target.item.derives_from(&["kiln.base.BaseOven", "BaseOven"]);
        Judgement::when(derives, || format!("let `{}` derive from `BaseOven`", target.item.name()))
    }
}

/// KILN-C022: Raise an exception that says what went wrong, not `Exception`.
///
/// *Precondition:* selects every exception that a written line of the package raises.
///
/// *Post-condition:* it is neither `Exception` nor `BaseException`.
pub struct C022;

impl Checker for C022 {
    type Target<'e> = Code<'e, Raise<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C022", "sha256:22", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|file| file.is_below("kiln"))? {
            found.extend(change.owned(Ownership::Touched, change.head.raises()));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let broad = matches!(target.item.resolve().as_deref(), Some("Exception" | "BaseException"));
        Judgement::when(!broad, || "raise an exception of the package instead".to_owned())
    }
}

/// KILN-C023: The package does not print.
///
/// *Precondition:* selects every call on a written line of the package.
///
/// *Post-condition:* it is not `print`.
pub struct C023;

impl Checker for C023 {
    type Target<'e> = Code<'e, Call<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C023", "sha256:23", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|file| file.is_below("kiln"))? {
            found.extend(change.owned(Ownership::Touched, change.head.calls()));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!target.item.is_any(&["print"]), || "log this instead of printing it".to_owned())
    }
}

/// KILN-C024: Import names one by one.
///
/// *Precondition:* selects every `from … import` on a written line.
///
/// *Post-condition:* it has no star.
pub struct C024;

impl Checker for C024 {
    type Target<'e> = Code<'e, Import<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C024", "sha256:24", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|_| true)? {
            let from = change.head.imports().into_iter().filter(|import| import.is_from());
            found.extend(change.owned(Ownership::Touched, from));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!target.item.is_star(), || "import the names that are used".to_owned())
    }
}

/// KILN-C025: Say which exceptions are caught.
///
/// *Precondition:* selects every handler that the change touches.
///
/// *Post-condition:* it names an exception.
pub struct C025;

impl Checker for C025 {
    type Target<'e> = Code<'e, Handler<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C025", "sha256:25", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|_| true)? {
            let tries = change.head.tries().into_iter();
            found.extend(change.owned(Ownership::Touched, tries.flat_map(Try::handlers)));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(!target.item.is_bare(), || "name the exceptions behind `except`".to_owned())
    }
}

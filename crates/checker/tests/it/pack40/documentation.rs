//! Rules on documentation.

use polc_checker::docstring::Docstring;
use polc_checker::fragment::Scheme;
use polc_checker::python::{Code, Definition, Raise};
use polc_checker::rst::{Directive, Heading, Role, Rst};
use polc_checker::{
    Checker, Declaration, Direction, FileChange, InFile, Judgement, Layer, Ownership, Read, Selection,
    Target, Trace, View,
};

const CHANGES: Scheme<'static> =
    Scheme::Typed { folder: "changes", types: &["feature", "bugfix", "removal"] };

/// KILN-C006: The docstring of a public function lists what the function raises.
///
/// *Precondition:* selects every public function with a docstring that the change touches and that raises a name.
///
/// *Post-condition:* every name raised stands under `Raises`.
///
/// *Approximate:* An exception raised in the body stands for one that leaves the function (errs by alarm).
pub struct C006;

impl Checker for C006 {
    type Target<'e> = Code<'e, Definition<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C006", "sha256:6", Ownership::Enclosing, &[Read::Files]).approximate(&[
            Trace {
                layer: Layer::Postcondition,
                trace: "an exception raised in the body stands for one that leaves the function",
                errs: Direction::Alarms,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|file| file.is_below("kiln"))? {
            let raising = change.head.functions().into_iter().filter(|function| {
                function.is_public() && function.docstring().is_some() && !raised(*function).is_empty()
            });
            found.extend(change.owned(Ownership::Enclosing, raising));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let told = target.item.docstring().map(Docstring::read);
        let section = told.as_ref().and_then(|told| told.section("Raises"));
        let entries = section.map(|section| section.entries.as_slice()).unwrap_or_default();
        let is_told = |name: &String| entries.iter().any(|entry| entry.names.contains(name));
        match raised(target.item).into_iter().find(|name| !is_told(name)) {
            None => Judgement::Satisfied,
            Some(name) => Judgement::Violated(format!("list `{name}` under `Raises`")),
        }
    }
}

fn raised(function: Definition<'_>) -> Vec<String> {
    let raises = function.node().file().raises().into_iter();
    let own = raises.filter(|raise| raise.node().enclosing_function() == Some(function));
    own.filter_map(Raise::resolve).collect()
}

/// KILN-C007: Adornments of a heading are as long as its text.
///
/// *Precondition:* selects every heading of the documentation that the change touches.
///
/// *Post-condition:* its adornment is exactly as long as its text.
pub struct C007;

impl Checker for C007 {
    type Target<'e> = InFile<'e, Heading>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C007", "sha256:7", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut headings = view.in_rst(|file| file.ends_in("rst"), Rst::headings)?;
        headings.retain(|heading| heading.is_owned(Ownership::Touched));
        Ok(headings)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.found.is_adorned_exactly(), || {
            format!("make the line below `{}` as long as the heading", target.found.text)
        })
    }
}

/// KILN-C008: `versionadded` and `versionchanged` name the version.
///
/// *Precondition:* selects every such directive that the change touches.
///
/// *Post-condition:* its argument begins with a digit.
pub struct C008;

impl Checker for C008 {
    type Target<'e> = InFile<'e, Directive>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C008", "sha256:8", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut directives = view.in_rst(|file| file.ends_in("rst"), Rst::directives)?;
        directives.retain(|directive| {
            ["versionadded", "versionchanged"].contains(&directive.found.name.as_str())
                && directive.is_owned(Ownership::Touched)
        });
        Ok(directives)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.found.argument.starts_with(|c: char| c.is_ascii_digit()), || {
            format!("name the version behind `{}::`", target.found.name)
        })
    }
}

/// KILN-C009: Say which role a text in backticks has.
///
/// *Precondition:* selects every interpreted text on a line that was written.
///
/// *Post-condition:* it names a role.
pub struct C009;

impl Checker for C009 {
    type Target<'e> = InFile<'e, Role>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C009", "sha256:9", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut roles = view.in_rst(|file| file.ends_in("rst"), Rst::roles)?;
        roles.retain(|role| role.is_owned(Ownership::Touched));
        Ok(roles)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.found.name.is_some(), || {
            format!("give `{}` a role, or two backticks on each side", target.found.text)
        })
    }
}

/// KILN-C010: A note in `changes` is named by its issue and its type.
///
/// *Precondition:* selects every new file below `changes`.
///
/// *Post-condition:* its name has the number of an issue and one of the types.
pub struct C010;

impl Checker for C010 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C010", "sha256:10", Ownership::Created, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.files()?.iter().filter(|file| file.is_new() && file.is_below("changes")).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let numbered = CHANGES.fragment(&target.path).is_some_and(|fragment| !fragment.issues.is_empty());
        Judgement::when(numbered, || format!("rename {} to `ISSUE.feature.rst` or the like", target.path))
    }
}

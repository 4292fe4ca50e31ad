//! Rules on form.

use polc_checker::docstring::Docstring;
use polc_checker::markdown::Fence;
use polc_checker::python::{Code, Comment};
use polc_checker::{
    Checker, Declaration, Direction, InFile, Judgement, Layer, Line, Ownership, Pattern, Read, Selection,
    Target, Trace, View, Whole,
};

static NAME: Pattern = Pattern::new(r"(?i)\bkiln\b");
static SANCTIONED: Pattern = Pattern::new(r"\bKiln\b|``kiln``|`kiln`|kiln[./]|[./]kiln\b");
static TODO: Pattern = Pattern::new(r"\b(TODO|FIXME|XXX)\b");

/// KILN-C016: Write `Kiln` for the project, and ``kiln`` in backticks for the package.
///
/// *Precondition:* selects every written line of the documentation that has the name.
///
/// *Post-condition:* every mention is one of the two.
///
/// *Approximate:* The spelling stands for the meaning (errs by missing).
pub struct C016;

impl Checker for C016 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C016", "sha256:16", Ownership::Touched, &[Read::Files]).approximate(&[
            Trace {
                layer: Layer::Postcondition,
                trace: "the spelling stands for the meaning",
                errs: Direction::Misses,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut lines = view.lines_written(|file| file.ends_in("rst") || file.ends_in("md"))?;
        lines.retain(|line| NAME.is_in(line.text));
        Ok(lines)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let (all, right) = (NAME.all(target.text).len(), SANCTIONED.all(target.text).len());
        Judgement::when(right >= all, || "write `Kiln`, or ``kiln`` in backticks for the package".to_owned())
    }
}

/// KILN-C031: A change brings no new finding of `flake8`.
///
/// *Precondition:* selects a contribution that changes Python.
///
/// *Post-condition:* the tool finds nothing on head that it did not find on base.
pub struct C031;

impl Checker for C031 {
    type Target<'e> = Whole;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C031", "sha256:31", Ownership::Created, &[Read::Files, Read::ToolRuns]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        Ok(view.files()?.iter().any(|file| file.ends_in("py")).then_some(Whole).into_iter().collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        match view.findings("flake8").map(|findings| findings.new_ones().first().copied()) {
            Ok(None) => Judgement::Satisfied,
            Ok(Some(new)) => Judgement::Violated(format!("{}: {} {}", new.path, new.code, new.message)),
            Err(missing) => Judgement::Undetermined(missing),
        }
    }
}

/// KILN-C032: A line of Python has at most 88 characters.
///
/// *Precondition:* selects every written line of Python.
///
/// *Post-condition:* it has at most 88 characters.
pub struct C032;

impl Checker for C032 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C032", "sha256:32", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        view.lines_written(|file| file.ends_in("py"))
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.text.chars().count() <= 88, || "break this line at 88 characters".to_owned())
    }
}

/// KILN-C033: A block of code in a page says its language.
///
/// *Precondition:* selects every fence of a Markdown page that the change touches.
///
/// *Post-condition:* it names a language.
pub struct C033;

impl Checker for C033 {
    type Target<'e> = InFile<'e, Fence>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C033", "sha256:33", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let pages = view.texts(|file| file.ends_in("md"))?.into_iter();
        let fences = pages.flat_map(|page| InFile::all(page.file, page.file.markdown().fences()));
        Ok(fences.filter(|fence| fence.is_owned(Ownership::Touched)).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.found.language().is_some(), || "name the language of this block".to_owned())
    }
}

/// KILN-C034: Docstrings stand in three double quotes.
///
/// *Precondition:* selects every docstring that the change touches.
///
/// *Post-condition:* its quotes are `"""`.
pub struct C034;

impl Checker for C034 {
    type Target<'e> = Code<'e, Docstring<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C034", "sha256:34", Ownership::Touched, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|_| true)? {
            found.extend(change.owned(Ownership::Touched, change.head.docstrings()));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.item.quote() == "\"\"\"", || "put this in three double quotes".to_owned())
    }
}

/// KILN-C035: A note for later names an issue.
///
/// *Precondition:* selects every written comment with `TODO`, `FIXME` or `XXX`.
///
/// *Post-condition:* it has the number of an issue.
///
/// *Approximate:* A number sign with digits stands for an issue (errs by missing).
pub struct C035;

impl Checker for C035 {
    type Target<'e> = Code<'e, Comment<'e>>;

    const DECLARATION: Declaration =
        Declaration::exact("KILN-C035", "sha256:35", Ownership::Touched, &[Read::Files]).approximate(&[
            Trace {
                layer: Layer::Postcondition,
                trace: "a number sign with digits stands for an issue",
                errs: Direction::Misses,
            },
        ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut found = Vec::new();
        for change in view.pythons(|_| true)? {
            let notes = change.head.comments().filter(|comment| TODO.is_in(comment.text()));
            found.extend(change.owned(Ownership::Touched, notes));
        }
        Ok(found)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let issues = polc_checker::issue::in_line(target.item.words(), 1);
        Judgement::when(!issues.is_empty(), || "open an issue and name it here: `TODO #12`".to_owned())
    }
}

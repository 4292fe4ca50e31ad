use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Missing, Ownership, Read, Selection, Trace, View,
};

/// POLC-C062: Do not name a path that does not exist.
///
/// > Do not name a path that does not exist.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/documentation.md#pages>, Pages
///
/// Evidence type: output.
///
/// *Precondition:* selects every line of prose that was written in a page and names a path with a folder, in a code span or a link.
///
/// *Post-condition:* none of its paths is one that the contribution deletes or renames.
///
/// *Approximate:* Paths that this contribution takes away stand for all that do not exist (errs by missing).
pub struct C062;

impl Checker for C062 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C062",
        "sha256:b4da8c42b4c0a53959424c0fa86243a5c4265914513cd045af7a8253b39cd3f5",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "paths that this contribution takes away stand for all that do not exist",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.is_page("docs"))?.into_iter();
        let prose = lines.filter(|line| line.file.markdown().is_prose(line.number));
        Ok(prose.filter(|line| !paths(line.text).is_empty()).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        match first_gone(view, target.text) {
            Ok(None) => Judgement::Satisfied,
            Ok(Some(path)) => Judgement::Violated(format!("`{path}` does not exist any more")),
            Err(missing) => Judgement::Undetermined(missing),
        }
    }
}

/// The paths with a folder in the code spans and links of a line, without the way up from the page.
fn paths(line: &str) -> Vec<String> {
    let markdown = Markdown::new(line);
    let spans = line.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
    let named = spans.chain(markdown.links()).filter(|path| !path.contains("://"));
    let paths = named.map(|path| path.trim_start_matches(['.', '/']).trim_end_matches('/'));
    paths.filter(|path| path.contains('/')).map(str::to_owned).collect()
}

fn first_gone<'e>(view: &View<'e>, line: &str) -> Result<Option<&'e str>, Missing> {
    let mut gone = view.files()?.iter().filter_map(|file| {
        if file.is_deleted() { Some(file.path.as_str()) } else { file.old_path.as_deref() }
    });
    Ok(gone.find(|gone| paths(line).iter().any(|path| path == gone)))
}

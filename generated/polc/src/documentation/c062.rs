use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Line, Ownership, Read, Selection, Trace,
    View,
};

/// POLC-C062: Do not name a path that does not exist.
///
/// > Do not name a path that does not exist.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/documentation.md#pages>, Pages
///
/// Evidence type: output.
///
/// *Precondition:* selects every line of prose that was written in a page.
///
/// *Post-condition:* it names no path that the contribution deletes or renames.
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
        let page =
            |file: &FileChange| file.ends_in("md") && (file.is_below("docs") || !file.path.contains('/'));
        let lines = view.lines_written(page)?;
        let prose =
            |line: &Line<'e>| Markdown::new(line.file.head_text().unwrap_or_default()).is_prose(line.number);
        Ok(lines.into_iter().filter(|line| !line.text.trim().is_empty()).filter(prose).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let files = match view.files() {
            Ok(files) => files,
            Err(missing) => return Judgement::Undetermined(missing),
        };
        let gone = files.iter().filter_map(|file| {
            if file.is_deleted() { Some(file.path.as_str()) } else { file.old_path.as_deref() }
        });
        match gone.into_iter().find(|path| path.contains('/') && target.text.contains(path)) {
            None => Judgement::Satisfied,
            Some(path) => Judgement::Violated(format!("`{path}` does not exist any more")),
        }
    }
}

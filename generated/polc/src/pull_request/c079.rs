use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Ownership, Read, Selection, Trace, View,
};

/// POLC-C079: When you change the command line or a file format, add a line to `CHANGELOG.md` below `Unreleased`.
///
/// > When you change the command line or a file format, add a line to `CHANGELOG.md` below `Unreleased`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/pull-requests.md#the-changelog>, The changelog
///
/// Trigger: when you change the command line or a file format
///
/// Evidence type: differential.
///
/// *Precondition:* selects every changed file of the command line's arguments or of the file types.
///
/// *Post-condition:* a line was written in `CHANGELOG.md` below `Unreleased`.
///
/// *Approximate:* The files of the command line and of the file types stand for what users notice (errs either way).
pub struct C079;

impl Checker for C079 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C079",
        "sha256:8e01b483aa1a99a57ee37a82ca53257f4bc0a6c61472951ddafd9f9cd9557197",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "the files of the command line and of the file types stand for what users notice",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let noticed = |file: &&'e FileChange| {
            (file.path == "crates/cli/src/arguments.rs" || file.is_below("crates/records/src"))
                && !file.diff().authored().is_empty()
        };
        Ok(view.files()?.iter().filter(noticed).collect())
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        let files = match view.files() {
            Ok(files) => files,
            Err(missing) => return Judgement::Undetermined(missing),
        };
        let Some(log) = files.iter().find(|file| file.path == "CHANGELOG.md") else {
            return Judgement::Violated("add a line to `CHANGELOG.md` below `Unreleased`".to_owned());
        };
        let headings = Markdown::new(log.head_text().unwrap_or_default()).headings();
        let start = headings
            .iter()
            .find(|heading| heading.text == "Unreleased")
            .map_or(usize::MAX, |heading| heading.line);
        let end = headings
            .iter()
            .find(|heading| heading.line > start && heading.level <= 2)
            .map_or(usize::MAX, |next| next.line);
        let written = log.diff().authored().iter().any(|line| *line > start && *line < end);
        Judgement::when(written, || "put the line of `CHANGELOG.md` below `Unreleased`".to_owned())
    }
}

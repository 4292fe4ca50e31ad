use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Missing, Ownership, Read, Selection,
    Trace, View,
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
        Ownership::Enclosing,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "the files of the command line and of the file types stand for what users notice",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut selected = Vec::new();
        for file in view.files()?.iter().filter(|file| is_noticed(file)) {
            if !view.diff(file)?.authored().is_empty() {
                selected.push(file);
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(view: &View<'e>, _target: &Self::Target<'e>) -> Judgement {
        Judgement::when_known(has_new_line(view), || {
            "add a line to `CHANGELOG.md` below `Unreleased`".to_owned()
        })
    }
}

/// Whether users notice a change of the file: it holds the arguments or the file types.
fn is_noticed(file: &FileChange) -> bool {
    file.path == "crates/cli/src/arguments.rs" || file.is_below("crates/records/src")
}

fn has_new_line(view: &View<'_>) -> Result<bool, Missing> {
    let Some(log) = view.file("CHANGELOG.md")? else { return Ok(false) };
    let written = view.diff(log)?.authored();
    let mut below = log.markdown().headings().iter().skip_while(|heading| heading.text != "Unreleased");
    let Some(start) = below.next() else { return Ok(false) };
    let end = below.find(|next| next.level <= start.level).map_or(usize::MAX, |next| next.line);
    Ok(written.range(start.line + 1..end).next().is_some())
}

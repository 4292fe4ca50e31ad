use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Ownership, Pattern, Read, Selection,
    Trace, View,
};

static FIELD: Pattern = Pattern::new(r"^\s+pub \w+: ");

/// POLC-C067: When you change the fields of a file format, raise its schema number.
///
/// > When you change the fields of a file format, raise its schema number.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/formats.md#file-formats>, File formats
///
/// Trigger: when you change the fields of a file format
///
/// Evidence type: differential.
///
/// *Precondition:* selects every file of `crates/records` that was there before and in which a public field was written or taken out.
///
/// *Post-condition:* a schema number was written in it.
///
/// *Approximate:* A public field of the crate of file types stands for a field of a file format (errs either way).
pub struct C067;

impl Checker for C067 {
    type Target<'e> = &'e FileChange;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C067",
        "sha256:97d8412570bf80222ebf639d7f57c6c6ae6fd43cff5445fac016b554d8cf8e39",
        Ownership::Enclosing,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a public field of the crate of file types stands for a field of a file format",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let own = |file: &&'e FileChange| {
            file.is_below("crates/records/src") && file.ends_in("rs") && !file.is_new() && !file.is_deleted()
        };
        let mut selected = Vec::new();
        for file in view.files()?.iter().filter(own) {
            let written = view.authored_lines(file)?;
            let field = written.iter().any(|line| FIELD.is_in(line.text))
                || view.diff(file)?.removed().any(|line| FIELD.is_in(line));
            if field {
                selected.push(file);
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let written = view.authored_lines(target);
        let raised = written.map(|lines| lines.iter().any(|line| line.text.contains("SCHEMA: u32 =")));
        Judgement::when_known(raised, || "raise the schema number of the file format".to_owned())
    }
}

use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Line, Ownership, Pattern, Read, Selection,
    Trace, View,
};

static ITEM: Pattern =
    Pattern::new(r"^\s*pub (const |async |unsafe )*(fn|struct|enum|trait|type|union|static|const) ?\w");

/// POLC-C066: Make sure that every public item has a doc comment.
///
/// > Every public item must have a doc comment.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/documentation.md#words>, Words
///
/// Evidence type: output.
///
/// *Precondition:* selects every line that was written below `crates` in a library and begins a public item.
///
/// *Post-condition:* a doc comment, or an attribute of one, stands among the attributes and comments above it.
///
/// *Approximate:* The words at the start of a line stand for a public item, in whatever module it is; fields, macros and modules are not seen (errs either way).
pub struct C066;

impl Checker for C066 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C066",
        "sha256:ec99fb7f46e91b21e82ae978d979e910bce2d0edfee328c1fc9f631d649b2827",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "the words at the start of a line stand for a public item, in whatever module it is; fields, macros and modules are not seen",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let own =
            |file: &FileChange| file.ends_in("rs") && file.is_below("crates") && file.path.contains("/src/");
        let lines = view.lines_written(own)?;
        let item = |line: &Line<'e>| line.is_code(false) && ITEM.is_in(line.code());
        Ok(lines.into_iter().filter(item).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let rust = target.file.rust();
        let documented = (rust.head_of(target.number)..target.number).any(|number| {
            rust.line(number).is_some_and(|line| {
                line.comment.starts_with("///")
                    || line.comment.starts_with("/**")
                    || line.code.trim_start().starts_with("#[doc")
            })
        });
        Judgement::when(documented, || {
            "say in a doc comment what goes in, what comes out and which errors there are".to_owned()
        })
    }
}

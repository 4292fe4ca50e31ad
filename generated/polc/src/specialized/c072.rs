use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static VARIANT: Pattern = Pattern::new(r"^    ([A-Z][a-z]+)(\(|,| \{)");

/// POLC-C072: When you add a subcommand, describe it in `docs/commands.md`.
///
/// > When you add a subcommand, describe it in `docs/commands.md`.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/formats.md#subcommands>, Subcommands
///
/// Trigger: when you add a subcommand
///
/// Evidence type: output.
///
/// *Precondition:* selects every line that was written in the table of arguments and names a subcommand.
///
/// *Post-condition:* `docs/commands.md` was changed and holds its name.
///
/// *Approximate:* A variant of the enum of commands on one line stands for a subcommand (errs by missing).
pub struct C072;

impl Checker for C072 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C072",
        "sha256:7dc5debe3202dce9c8e923fba2b020b5b63fdb6dd8f795a592206e35904bf476",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a variant of the enum of commands on one line stands for a subcommand",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.path == "crates/cli/src/arguments.rs")?;
        let mut selected = Vec::new();
        for line in lines {
            let text = line.file.head_text().unwrap_or_default();
            let above = text.lines().take(line.number).collect::<Vec<_>>().join("\n");
            // The last enum above the line is the table of commands.
            let in_table = above
                .rsplit("enum ")
                .next()
                .is_some_and(|rest| rest.starts_with("Command ") && !rest.contains("\n}"));
            if in_table && VARIANT.is_in(line.text) {
                selected.push(line);
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let files = match view.files() {
            Ok(files) => files,
            Err(missing) => return Judgement::Undetermined(missing),
        };
        let name = VARIANT.groups(target.text).first().map_or(String::new(), |name| name.to_lowercase());
        let described = files.iter().any(|file| {
            file.path == "docs/commands.md"
                && file.head_text().is_some_and(|text| text.contains(&format!("polc {name}")))
        });
        Judgement::when(described, || format!("describe `polc {name}` in `docs/commands.md`"))
    }
}

use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Missing, Ownership, Pattern, Read, Selection,
    Trace, View,
};

static TABLE: Pattern = Pattern::new(r"(?ms)^(?:pub\S* )?enum Command \{(.*?)^\}");
static VARIANT: Pattern = Pattern::new(r"(?m)^    ([A-Z]\w*)(?:\(|,| \{)");

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
/// *Precondition:* selects every line that was written in the table of commands and names a subcommand which was not there before.
///
/// *Post-condition:* `docs/commands.md` was changed and holds its name behind `polc`.
///
/// *Approximate:* A variant of the enum of commands that begins its line stands for a subcommand; a page that was changed before is not seen (errs either way).
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
        trace: "a variant of the enum of commands that begins its line stands for a subcommand; a page that was changed before is not seen",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.path == "crates/cli/src/arguments.rs")?.into_iter();
        let added = |line: &Line<'e>| {
            let name = VARIANT.groups(line.text);
            !name.is_empty()
                && variants(line.file.head_text()).contains(&name[0])
                && !variants(line.file.base_text()).contains(&name[0])
        };
        Ok(lines.filter(added).collect())
    }

    fn postcondition<'e>(view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let command = format!("polc {}", kebab_case(VARIANT.groups(target.text).first().unwrap_or(&"")));
        Judgement::when_known(is_described(view, &command), || {
            format!("describe `{command}` in `docs/commands.md`")
        })
    }
}

fn variants(arguments: Option<&str>) -> Vec<&str> {
    let tables = TABLE.groups(arguments.unwrap_or_default());
    tables.into_iter().flat_map(|table| VARIANT.groups(table)).collect()
}

fn kebab_case(name: &str) -> String {
    let mut kebab = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.extend(c.to_lowercase());
    }
    kebab
}

fn is_described(view: &View<'_>, command: &str) -> Result<bool, Missing> {
    let Some(page) = view.file("docs/commands.md")? else { return Ok(false) };
    let text = view.head_text(page)?.unwrap_or_default();
    let mut behind = text.split(command).skip(1);
    Ok(behind.any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-')))
}

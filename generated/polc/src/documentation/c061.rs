use polc_checker::markdown::Markdown;
use polc_checker::{
    Checker, Declaration, Direction, FileChange, Judgement, Layer, Ownership, Read, Selection, Span, Trace,
    View,
};

/// POLC-C061: Make sure that commands for the reader stand behind a dollar sign in a block of the language `console`.
///
/// > Commands for the reader stand behind a dollar sign in a block of the language `console`, because a test runs those blocks.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/documentation.md#pages>, Pages
///
/// Evidence type: output.
///
/// *Precondition:* selects every block of the language `console` that was changed in a page.
///
/// *Post-condition:* its first line, and each line behind a blank one, begins with a dollar sign.
///
/// *Approximate:* A block of this language stands for commands; commands in other blocks are not seen (errs by missing).
pub struct C061;

impl Checker for C061 {
    type Target<'e> = Span<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C061",
        "sha256:2f8084301d169cc8ec4cb7ccbdbc250979c0d8324ae960f2a38ee830d15296a0",
        Ownership::Enclosing,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "a block of this language stands for commands; commands in other blocks are not seen",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let page = |file: &&'e FileChange| {
            (file.ends_in("md") && (file.is_below("docs") || !file.path.contains('/'))) && !file.is_deleted()
        };
        let mut selected = Vec::new();
        for file in view.files()?.iter().filter(page) {
            for fence in Markdown::new(view.head_text(file)?.unwrap_or_default()).fences() {
                let lines = fence.line..=fence.line + fence.body.len();
                if fence.info == "console" && file.diff().touches(&lines) {
                    selected.push(Span { file, lines, text: fence.body.join("\n") });
                }
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let starts: Vec<&str> = target.text.split("\n\n").filter_map(|part| part.lines().next()).collect();
        let shown = !starts.is_empty() && starts.iter().all(|line| line.starts_with("$ "));
        Judgement::when(shown, || "begin each command with a dollar sign and a blank".to_owned())
    }
}

use polc_checker::markdown::Fence;
use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, Read, Selection, Span, Trace, View,
};

/// POLC-C061: Make sure that commands for the reader stand behind a dollar sign in a block of the language `console`.
///
/// > Commands for the reader stand behind a dollar sign in a block of the language `console`, because a test runs those blocks.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/documentation.md#pages>, Pages
///
/// Evidence type: output.
///
/// *Precondition:* selects every block that was changed in a page, is not empty and is of the language `console` or begins with a dollar sign and a blank.
///
/// *Post-condition:* its language is `console`, its first line begins with a dollar sign, and so does each line behind a blank one that begins with a program which stands behind a dollar sign elsewhere in the block.
///
/// *Approximate:* A block of this language, or one that begins with a dollar sign, stands for commands, and a known program behind a blank line for a command among the output (errs either way).
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
        layer: Layer::Postcondition,
        trace: "a block of this language, or one that begins with a dollar sign, stands for commands, and a known program behind a blank line for a command among the output",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut selected = Vec::new();
        for page in view.texts(|file| file.is_page("docs"))? {
            for fence in page.file.markdown().fences() {
                let lines = fence.line..=fence.line + fence.body.len();
                let shown = fence.body.first().is_some_and(|line| line.starts_with("$ "));
                let commands = shown || is_console(fence) && !fence.body.is_empty();
                if commands && page.diff.touches(&lines) {
                    selected.push(Span { file: page.file, lines, text: fence.body.join("\n") });
                }
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let program = |line: &'_ str| line.split_whitespace().next().map(str::to_owned);
        let shown: Vec<_> =
            target.text.lines().filter_map(|line| line.strip_prefix("$ ")).filter_map(program).collect();
        let bare = |line: &str| program(line).is_some_and(|program| shown.contains(&program));
        let mut starts = target.text.split("\n\n").filter_map(|part| part.lines().next());
        let first = starts.next().is_some_and(|line| line.starts_with("$ "));
        if !target.file.markdown().fence_at(*target.lines.start()).is_some_and(is_console) {
            return Judgement::Violated("give the block with commands the language `console`".to_owned());
        }
        Judgement::when(first && !starts.any(bare), || {
            "begin each command with a dollar sign and a blank".to_owned()
        })
    }
}

fn is_console(fence: &Fence) -> bool {
    fence.info.split_whitespace().next() == Some("console")
}

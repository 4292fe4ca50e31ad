use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Ownership, Pattern, Read, Selection, Span, Trace, View,
};

static EXPECT: Pattern = Pattern::new(r"^\s*#!?\s*\[\s*(cfg_attr\s*\(.*,\s*)?expect\s*\(");
static REASON: Pattern = Pattern::new(r#"reason\s*=\s*r?#*"[^"]"#);

/// POLC-C029: Use `#\[expect\]` with a reason.
///
/// > Never write `#\[allow\]`: use `#\[expect\]` with a reason.
///
/// Source: <https://code.example/polc/polc/blob/4c1ac920625122b6e2ff605fe5cb0a3f7bdd7eb2/docs/contributing/code.md#lints>, Lints
///
/// Evidence type: output.
///
/// *Precondition:* selects every `expect` attribute that was written.
///
/// *Post-condition:* it gives a reason before it closes.
///
/// *Approximate:* An attribute that begins its line, which was written, stands for every one (errs by missing).
pub struct C029;

impl Checker for C029 {
    type Target<'e> = Span<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C029",
        "sha256:b1a0267c28c51662e7d2f60518dfe6127ec27162e5f80808f98ccb22f2dd7465",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Precondition,
        trace: "an attribute that begins its line, which was written, stands for every one",
        errs: Direction::Misses,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut selected = Vec::new();
        for text in view.texts(|file| file.ends_in("rs"))? {
            let all: Vec<&str> = text.text.split('\n').collect();
            for line in text.authored().iter().filter(|line| EXPECT.is_in(line.code())) {
                let last = text.file.rust().closing_line(line.number, '[', ']');
                let attribute = all[line.number - 1..last].join("\n");
                selected.push(Span { file: text.file, lines: line.number..=last, text: attribute });
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let reasoned = REASON.is_in(&target.text);
        Judgement::when(reasoned, || "give the reason: `#[expect(…, reason = \"…\")]`".to_owned())
    }
}

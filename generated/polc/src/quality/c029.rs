use polc_checker::{Checker, Declaration, Judgement, Ownership, Pattern, Read, Selection, Span, View};

static REASON: Pattern = Pattern::new(r#"reason\s*=\s*"[^"]"#);

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
pub struct C029;

impl Checker for C029 {
    type Target<'e> = Span<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C029",
        "sha256:b1a0267c28c51662e7d2f60518dfe6127ec27162e5f80808f98ccb22f2dd7465",
        Ownership::Touched,
        &[Read::Files],
    );

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs"))?;
        let mut selected = Vec::new();
        for line in lines {
            let rust = line.file.rust();
            let code = rust.line(line.number).map_or("", |line| line.code.trim_start());
            if code.starts_with("#[expect(") || code.starts_with("#![expect(") {
                let last = rust.closing_line(line.number, '[', ']');
                let text: Vec<&str> = line
                    .file
                    .head_text()
                    .unwrap_or_default()
                    .lines()
                    .skip(line.number - 1)
                    .take(last + 1 - line.number)
                    .collect();
                selected.push(Span { file: line.file, lines: line.number..=last, text: text.join("\n") });
            }
        }
        Ok(selected)
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let reasoned = REASON.is_in(&target.text);
        Judgement::when(reasoned, || "give the reason: `#[expect(…, reason = \"…\")]`".to_owned())
    }
}

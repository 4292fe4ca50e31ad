use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static TIGHT: Pattern = Pattern::new(r",[\w&*]|\w(?:=|->|=>)\w|\)\{|\b(?:if|match|while)\(|[\w)\]] ;");
static UNPARSED: Pattern = Pattern::new(r"\$|!\s*[(\[{]");

/// POLC-C031: Make sure that code is formatted with `cargo fmt`.
///
/// > Code must be formatted with `cargo fmt`.
///
/// Source: <https://code.example/polc/polc/blob/da236f5c9eebb6a9ae7b3499da0aebe6b98fd967/docs/contributing/code.md#lints>, Lints
///
/// Evidence type: output.
///
/// *Precondition:* selects every line of Rust code that was written.
///
/// *Post-condition:* its code has no tab, no blank at its end, an indent of a multiple of four, and the blanks that belong around a comma, a semicolon, a brace, a keyword and an equals sign.
///
/// *Approximate:* White space within one line stands for the form that `cargo fmt` gives; the width and the order of lines are not looked at, and a macro may keep a form of its own (errs either way).
pub struct C031;

impl Checker for C031 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C031",
        "sha256:c69bed8b9472fb4fdeeda81fd1442b163771107efed835a4486d38b297f4d775",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[Trace {
        layer: Layer::Postcondition,
        trace: "white space within one line stands for the form that `cargo fmt` gives; the width and the order of lines are not looked at, and a macro may keep a form of its own",
        errs: Direction::Both,
    }]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs"))?;
        Ok(lines.into_iter().filter(|line| !line.code().trim().is_empty()).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        match fault(target) {
            None => Judgement::Satisfied,
            Some(fault) => Judgement::Violated(format!("run `cargo fmt`: {fault}")),
        }
    }
}

/// What `cargo fmt` would not leave in a line.
fn fault(line: &Line<'_>) -> Option<&'static str> {
    let (code, text) = (line.code(), line.text.trim_end_matches('\r'));
    let indent = |text: &str| text.len() - text.trim_start().len();
    // What begins or ends inside of a literal or a comment has other blanks in the code than in the text.
    let begins_as_code = indent(code) == indent(text);
    let ends_as_code = code.trim_end().chars().count() == text.trim_end().chars().count();
    let parsed = !UNPARSED.is_in(code);
    let faults = [
        (code.contains('\t'), "it holds a tab"),
        (ends_as_code && text.ends_with(' '), "it ends with a blank"),
        (begins_as_code && !indent(code).is_multiple_of(4), "its indent is no multiple of four"),
        (parsed && TIGHT.is_in(code), "a blank is missing, or stands where none belongs"),
    ];
    faults.into_iter().find_map(|(broken, fault)| broken.then_some(fault))
}

use polc_checker::{
    Checker, Declaration, Direction, Judgement, Layer, Line, Ownership, Pattern, Read, Selection, Trace, View,
};

static HELPER: Pattern = Pattern::new(r"\bshared::(?:shared|case)\(");
static VARIABLE: Pattern = Pattern::new(r#"\benv::var(?:_os)?\("(\w+)""#);
static OUTSIDE: Pattern =
    Pattern::new(r#"\b(?:read\w*|open|canonicalize|Path::new|PathBuf::from)\("(?:~?/\w|(?:\.\./){3})"#);
static FUNCTION: Pattern = Pattern::new(r"\bfn \w+");
static SKIP: Pattern = Pattern::new(r#""[^"]*\bSKIP\b"#);
static STREAM: Pattern = Pattern::new(r"\bstd(?:err|out)\(\)");

/// POLC-C088: Print `SKIP` in a test that needs data from outside the repository, where the data is not there.
///
/// > Tests that need data from outside the repository print `SKIP` where it is not there, past the harness that swallows what a passing test prints.
///
/// Source: <https://code.example/polc/polc/blob/da236f5c9eebb6a9ae7b3499da0aebe6b98fd967/docs/contributing/tests.md#how-tests-are-written>, How tests are written
///
/// Evidence type: output.
///
/// *Precondition:* selects every line of code that was written in a test or in `crates/testkit` and asks for data from outside: through `shared` or `case` of the testkit, by an environment variable that is none of the system's or cargo's, or by a path that leaves the repository.
///
/// *Post-condition:* it asks through the testkit, which prints `SKIP`, or the function around it has the word in a text and writes to a standard stream itself, since the harness swallows what the macros print.
///
/// *Approximate:* A variable or a path that leaves the repository stands for data (errs either way). The word and the stream within one function stand for that it is printed there where the data is lacking (errs by missing).
pub struct C088;

impl Checker for C088 {
    type Target<'e> = Line<'e>;

    const DECLARATION: Declaration = Declaration::exact(
        "POLC-C088",
        "sha256:9df5474f24aaa770287c725803cd57ec060fc47a82800e68a8e477df4d21cc05",
        Ownership::Touched,
        &[Read::Files],
    )
    .approximate(&[
        Trace {
            layer: Layer::Precondition,
            trace: "a variable or a path that leaves the repository stands for data",
            errs: Direction::Both,
        },
        Trace {
            layer: Layer::Postcondition,
            trace: "the word and the stream within one function stand for that it is printed there where the data is lacking",
            errs: Direction::Misses,
        },
    ]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let lines = view.lines_written(|file| file.ends_in("rs"))?.into_iter();
        let in_test = |line: &Line<'e>| {
            line.is_code(true) || line.is_code(false) && line.file.is_below("crates/testkit")
        };
        Ok(lines.filter(|line| in_test(line) && (HELPER.is_in(line.code()) || leaves(line))).collect())
    }

    fn postcondition<'e>(_view: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        let skips = HELPER.is_in(target.code()) || has_skip(target);
        Judgement::when(skips, || {
            "where the data is not there, write `SKIP` to `std::io::stderr()`: the harness swallows what `eprintln!` prints"
                .to_owned()
        })
    }
}

/// Whether a line reads a variable, or names a path, that leads out of the repository.
fn leaves(line: &Line<'_>) -> bool {
    let of_data = |name: &&str| !matches!(*name, "HOME" | "PATH") && !name.starts_with("CARGO");
    let is_code = |pattern: &str| line.code().contains(pattern);
    is_code("env::var") && VARIABLE.groups(line.text).iter().any(of_data)
        || is_code("(") && OUTSIDE.is_in(line.text)
}

/// Whether the function around a line has `SKIP` in a text and writes to a standard stream.
fn has_skip(line: &Line<'_>) -> bool {
    let rust = line.file.rust();
    let text: Vec<&str> = line.file.head_text().unwrap_or_default().split('\n').collect();
    let code = |number: usize| rust.line(number).map_or("", |line| line.code.as_str());
    let around = (1..=line.number).rev().filter(|first| FUNCTION.is_in(code(*first))).find_map(|first| {
        let body = (first..=line.number).find(|number| code(*number).contains('{'))?;
        let last = rust.closing_line(body, '{', '}');
        (last >= line.number).then_some(first..=last)
    });
    let Some(around) = around else { return false };
    let streams = around.clone().any(|number| STREAM.is_in(code(number)));
    let mut live = around.filter(|number| !code(*number).trim().is_empty());
    streams && live.any(|number| SKIP.is_in(text[number - 1]))
}

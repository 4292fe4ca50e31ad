//! Texts that nobody would write, and texts that somebody almost wrote.

use crate::python_trees::touch_all;
use polc_checker::docstring::{Doc, examples};
use polc_checker::python::Source;
use proptest::prelude::*;

const STACK: usize = 2 << 20;

/// Reads a text on the stack that a thread has, walks all of it, copies it, drops it.
fn survives(text: String) -> Result<usize, String> {
    let read = move || {
        let source = Source::new("a.py", text);
        let seen = match source.read() {
            Ok(python) => Ok(touch_all(python)),
            Err(fault) => Err(fault.message.clone()),
        };
        drop(source.clone());
        seen
    };
    std::thread::Builder::new().stack_size(STACK).spawn(read).unwrap().join().unwrap()
}

#[test]
fn deep_texts_are_refused_and_never_overflow_a_stack() {
    let many = 100_000;
    let deep = [
        "(".repeat(many),
        "[".repeat(10_000) + &"]".repeat(10_000),
        "{".repeat(many) + &"}".repeat(many),
        "f(".repeat(many) + &")".repeat(many),
        "x = ".to_owned() + &["1"; 100_000].join(" + "),
        "a".to_owned() + &".b".repeat(many),
        "a".to_owned() + &"()".repeat(many),
        "a".to_owned() + &"[0]".repeat(many),
        "not ".repeat(many) + "a",
        "-".repeat(many) + "a",
        "await ".repeat(many) + "a",
        "lambda: ".repeat(many) + "a",
        "lambda a, b: ".repeat(many) + "a",
        "a if b else ".repeat(many) + "c",
        ["a"; 100_000].join("**"),
        "f'{".repeat(9_000) + "a" + &"}'".repeat(9_000),
        "f'{a:".to_owned() + &"{a:".repeat(9_000) + &"}".repeat(9_000) + "}'",
        "if a: ".repeat(many) + "b",
        "@".repeat(many),
        "'".to_owned() + &"(".repeat(many),
        "# )\n(".repeat(many),
        "\"\"\"".to_owned() + &"(\\\n".repeat(many),
        "match a:\n case ".to_owned() + &"[".repeat(many) + &"]".repeat(many) + ": pass\n",
        "def f".to_owned() + &"[T: ".repeat(many),
        "a[".repeat(many) + "b" + "] = 1",
        "*".repeat(many) + "a = b",
    ];
    for text in deep {
        let start: String = text.chars().take(20).collect();
        let seen = survives(text);
        assert!(seen.is_err(), "{start}: {seen:?}");
    }
}

/// As deep as is let through: the stack holds it.
#[test]
fn what_is_let_through_fits_a_stack() {
    let many = 790;
    for text in [
        "(".repeat(90) + &")".repeat(90),
        "[".repeat(many / 2) + &"]".repeat(many / 2),
        "{1:".repeat(many / 3) + "1" + &"}".repeat(many / 3),
        "f(".repeat(many / 3) + &")".repeat(many / 3),
        vec!["1"; many].join(" + "),
        "a".to_owned() + &".b".repeat(many),
        "a".to_owned() + &"()".repeat(many),
        "not ".repeat(many) + "a",
        "lambda: ".repeat(many / 2) + "a",
        "a if b else ".repeat(many) + "c",
        vec!["a"; many / 2].join("**"),
        (0..500).map(|depth| " ".repeat(depth) + "if a:\n").collect::<String>() + &" ".repeat(1_000) + "b\n",
    ] {
        let start: String = text.chars().take(20).collect();
        assert!(survives(text).is_ok(), "{start}");
    }
    // Deeper than any stack of a thread would hold is read on one of its own, and dropped there.
    for text in
        [vec!["1"; 9_000].join(" + "), "not ".repeat(9_000) + "a", "[".repeat(4_500) + &"]".repeat(4_500)]
    {
        let read = move || Source::new("a.py", text).read().map(|python| python.nodes().count()).is_ok();
        assert!(std::thread::Builder::new().stack_size(STACK).spawn(read).unwrap().join().unwrap());
    }
    // Long is not deep.
    let rows: String = (0..5_000).map(|row| format!("    f(-{row}, a.b + 1, lambda x: x),\n")).collect();
    assert!(survives(format!("a = [\n{rows}]\n")).is_ok());
}

#[test]
fn odd_bytes_are_read_or_refused() {
    for (text, is_read) in [
        ("\u{feff}a = 1\n", true),
        ("a = 1\r\nb = 2\r\n", true),
        ("a = 1\rdef f():\r\tpass\r", true),
        ("\x0c\na = 1\x0c\n", true),
        ("# coding: latin-1\na = 'é'\n", true),
        ("if a:\n\tb\n        c\n", false),
        ("a = 1\0\n", false),
        ("'\0'\n", false),
        ("a = \u{2028}1\n", false),
        ("", true),
        ("\\", false),
        ("a\\\n", false),
        ("a\\\n\n", true),
        ("'''", false),
        ("x = 0xdif\n", false),
    ] {
        assert_eq!(survives(text.to_owned()).is_ok(), is_read, "{text:?}: {:?}", survives(text.to_owned()));
    }
    let lone = Source::new("a.py", "a = 1\r\rdef f(): pass\r");
    let python = lone.read().unwrap();
    assert_eq!((python.functions()[0].node().line(), python.python_lines()), (1, 3));
    assert_eq!(python.python_line_at(python.functions()[0].node().bytes().start), 3);
}

fn pieces() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "def f(",
        "):",
        "\n",
        "    ",
        "\t",
        "\x0c",
        "\r",
        "class A",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        "'",
        "\"",
        "\"\"\"",
        "'''",
        "f'",
        "f\"\"\"",
        "rf'",
        "t'",
        "b'",
        "\\",
        "\\\n",
        "{{",
        "}}",
        "!r",
        ":=",
        "lambda ",
        "if ",
        "else ",
        "not ",
        "await ",
        "async ",
        "for x in ",
        "import a.b as c",
        "from . import *",
        "raise ",
        " from ",
        "try:",
        "except",
        "# noqa\n",
        "@",
        "=",
        "+",
        "**",
        "*",
        ".",
        "x",
        "1",
        "1if",
        "0x",
        "é",
        "\u{2028}",
        "match x:\n case ",
        "type A = ",
        "\0",
        "with a as b:",
        "global x, y\n",
        "__all__ += ['a']\n",
        "return",
        "yield ",
        "\\N{DASH}",
        "N{",
        "...",
        ";",
    ]);
    prop::collection::vec(words, 0..60).prop_map(|words| words.concat())
}

fn docs() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "Parameters",
        "\n----------",
        "\n===",
        "\n",
        "\n    ",
        "\n  ",
        "\t",
        ">>> ",
        "... ",
        ">>>",
        "x : int",
        ":param x: y",
        ":type x:",
        "Args:",
        "Returns:",
        "a (b): c",
        "**k: d",
        ".. note:: a",
        "`",
        "*",
        "é",
        "\u{2003}",
        "\x1c",
        "# doctest: +SKIP",
        "\\n",
        "\r",
        "word ",
        ", ",
        ":",
        "::",
        "(",
        ")",
        "-",
        "---",
        "\u{feff}",
        "\u{85}",
    ]);
    prop::collection::vec(words, 0..40).prop_map(|words| words.concat())
}

fn look(doc: &Doc, value: &str) {
    assert!(doc.lines().windows(2).all(|two| two[0].number < two[1].number));
    let last = value.split('\n').count();
    for section in doc.sections() {
        assert!(*section.lines.start() >= 1 && *section.lines.end() <= last && !section.lines.is_empty());
    }
    for example in examples(value) {
        assert!(*example.lines.end() < last);
    }
    assert!(doc.parameters().iter().all(|entry| entry.line <= last));
    assert!(doc.summary().len() <= value.len() * 8);
}

const SEED: &str = include_str!("python_facts.py");

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _seen = survives(text);
    }

    #[test]
    fn any_words_of_python_are_read_or_refused(text in pieces()) {
        let _seen = survives(text);
    }

    #[test]
    fn any_mutation_of_python_is_read_or_refused(
        cuts in prop::collection::vec((0..SEED.len(), 0..40_usize, pieces()), 1..4)
    ) {
        let mut text = SEED.to_owned();
        for (at, length, put) in cuts {
            let at = at.min(text.len());
            text.replace_range(at..(at + length).min(text.len()), &put[..put.char_indices().nth(12).map_or(put.len(), |(end, _)| end)]);
            if !text.is_ascii() {
                break;
            }
        }
        let _seen = survives(text);
    }

    #[test]
    fn any_docstring_is_laid_out(value in docs()) {
        look(&Doc::new(&value), &value);
    }

    #[test]
    fn any_text_is_a_docstring(value in any::<String>()) {
        look(&Doc::new(&value), &value);
    }

    /// A docstring in a file has its lines within its string, whatever its escapes.
    #[test]
    fn lines_of_a_docstring_lie_in_its_string(value in docs(), prefix in prop::sample::select(vec!["", "r", "u"])) {
        let _seen = survives(format!("def f(x):\n    {prefix}'''{value}'''\n"));
    }
}

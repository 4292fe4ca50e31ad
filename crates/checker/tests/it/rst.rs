use crate::oracle::{ask, assert_same, files_that_end_in};
use polc_checker::rst::{BlockKind, Destination, Dialect, ListKind, Rst, UNARGUED, VERBATIM};
use proptest::prelude::*;
use serde_json::{Value, json};

fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect()
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

fn facts(text: &str) -> Value {
    let rst = Rst::new(text);
    let items = |kind: ListKind| rst.items().iter().filter(|item| item.kind == kind).count();
    let blocks = |kind: BlockKind| rst.blocks_of(kind).count();
    let marked =
        |found: &[polc_checker::rst::Marked]| sorted(found.iter().map(|found| clean(&found.text)).collect());
    let top = rst.headings().iter().filter(|heading| heading.depth == 0);
    let mut directives: Vec<_> =
        rst.directives().iter().map(|found| (found.line, found.name.clone())).collect();
    directives.sort();
    json!({
        "headings": top.map(|heading| json!([heading.level, clean(&heading.text)])).collect::<Vec<_>>(),
        "directives": directives,
        "roles": sorted(rst.roles().iter().map(|role| role.name.clone().unwrap_or_default()).collect()),
        "literals": marked(rst.literals()),
        "emphasis": marked(rst.emphasis()),
        "strong": marked(rst.strong()),
        "substitutions": marked(rst.substitutions()),
        "links": sorted(rst.links().iter().map(|link| clean(&link.text)).collect()),
        "references": rst.references().len(),
        "notes": rst.notes().len(),
        "targets": rst.targets().iter().filter(|target| target.name.is_none() || target.to != Destination::Here || target.lines.start() == target.lines.end()).count(),
        "bullet": items(ListKind::Bullet),
        "enumerated": items(ListKind::Enumerated),
        "definition": items(ListKind::Definition),
        "field": items(ListKind::Field),
        "option": items(ListKind::Option),
        "literal": blocks(BlockKind::Literal),
        "doctest": blocks(BlockKind::Doctest),
        "table": blocks(BlockKind::Table),
        "comment": blocks(BlockKind::Comment),
        "transition": blocks(BlockKind::Transition),
        "quote": blocks(BlockKind::Quote),
    })
}

/// docutils is asked about every source of the sites.
#[test]
fn facts_are_those_of_docutils() {
    let paths = files_that_end_in(&[".rst", ".rst.txt"]);
    let lists = [("VERBATIM", VERBATIM.join(" ")), ("UNARGUED", UNARGUED.join(" "))];
    let Some(theirs) = ask("docutils_facts.py", "docutils", &paths, &lists) else { return };
    assert_same(&paths, &theirs, facts);
}

#[test]
fn a_dialect_names_directives_of_a_project() {
    let text = ".. listing:: a\n\n   .. note:: x\n";
    assert_eq!(Rst::new(text).directives().len(), 2);
    let dialect = Dialect { verbatim: &["listing"], ..Dialect::default() };
    assert_eq!(Rst::with(text, &dialect).directives().len(), 1);
}

#[test]
fn headings_say_their_adornment() {
    let text = "=====\nTitle\n=====\n\nPart\n----\n\n漢字\n---\n\nShort one\n----\n\n.. note::\n\n   Inner\n   -----\n\nOther\n=====\n";
    let rst = Rst::new(text);
    let found: Vec<_> = rst
        .headings()
        .iter()
        .map(|found| {
            (found.text.as_str(), found.level, found.line, found.lines.clone(), found.is_adorned_in_full())
        })
        .collect();
    assert_eq!(
        found,
        [
            ("Title", 1, 2, 1..=3, true),
            ("Part", 2, 5, 5..=6, true),
            ("Short one", 2, 11, 11..=12, false),
            ("Inner", 2, 16, 16..=17, true),
            ("Other", 3, 19, 19..=20, true),
        ],
        "three marks below four columns are no underline"
    );
    assert_eq!(
        (rst.headings()[0].adornment, rst.headings()[0].overline, rst.headings()[1].overline),
        ('=', Some(5), None)
    );
    assert_eq!(rst.section("part"), Some(7..=10));
    assert_eq!(rst.heading_over(13).unwrap().text, "Short one");
    let uneven = Rst::new("=====\nAbc\n====\n");
    assert!(!uneven.headings()[0].is_adorned_in_full() && uneven.headings()[0].underline == 4);
    assert!(rst.headings()[3].depth == 1 && rst.headings()[1].is_adorned_exactly());
}

#[test]
fn directives_say_their_parts() {
    let text = ".. py:function:: f(x,\n                 y)\n   :async:\n   :module: m.\n      n\n\n   Body.\n\n   .. note:: Inner.\n\n.. |x| image:: x.png\n.. code-block:: python\n\n   .. note:: no\n.. versionadded:: 1.2\n";
    let rst = Rst::new(text);
    let names: Vec<_> = rst
        .directives()
        .iter()
        .map(|found| (found.name.as_str(), found.lines.clone(), found.depth))
        .collect();
    assert_eq!(
        names,
        [
            ("py:function", 1..=9, 0),
            ("note", 9..=9, 1),
            ("image", 11..=11, 0),
            ("code-block", 12..=14, 0),
            ("versionadded", 15..=15, 0)
        ]
    );
    let function = &rst.directives()[0];
    assert_eq!((function.argument.as_str(), function.bare_name()), ("f(x, y)", "function"));
    assert_eq!(
        (function.option("async"), function.option("module"), function.option("x")),
        (Some(""), Some("m. n"), None)
    );
    assert_eq!((function.body.clone(), function.text.as_str()), (Some(7..=9), "Body.\n\n.. note:: Inner."));
    assert_eq!(rst.directives()[1].text, "Inner.");
    assert_eq!(rst.directives()[2].substitutes.as_deref(), Some("x"));
    assert_eq!(rst.directives_named("function").count(), 1);
    assert_eq!(rst.directive_around(9).unwrap().name, "note");
    assert_eq!(rst.directives()[4].argument, "1.2");
    assert_eq!(rst.prose().collect::<Vec<_>>(), [(7, "Body."), (9, "Inner.")]);
}

#[test]
fn marks_within_lines() {
    let text = "A :py:func:`text <a.b>` and `plain` and `suffix`:role: and ``lit``\nwith *em*, **strong**, |sub|, [1]_, name_, anon__,\n`a\nb <https://a.example/c>`_, _`here`, https://b.example/d_e. 2 * 3 * 4, \\*no*, \"*\", x*y*z\n";
    let rst = Rst::new(text);
    let roles: Vec<_> = rst
        .roles()
        .iter()
        .map(|role| (role.name.as_deref(), role.text.as_str(), role.target.as_deref(), role.line))
        .collect();
    assert_eq!(
        roles,
        [
            (Some("py:func"), "text", Some("a.b"), 1),
            (None, "plain", None, 1),
            (Some("role"), "suffix", None, 1)
        ]
    );
    assert_eq!(rst.roles()[0].bare_name(), Some("func"));
    let address = |text: &str| Destination::Address(text.to_owned());
    let links: Vec<_> =
        rst.links().iter().map(|link| (link.text.as_str(), link.to.clone(), link.line)).collect();
    assert_eq!(
        links,
        [
            ("name", Destination::Name("name".to_owned()), 2),
            ("anon", Destination::Here, 2),
            ("a b", address("https://a.example/c"), 3),
            ("https://b.example/d_e", address("https://b.example/d_e"), 4),
        ]
    );
    let one = |found: &[polc_checker::rst::Marked]| {
        found.iter().map(|found| (found.text.clone(), found.line)).collect::<Vec<_>>()
    };
    assert_eq!(one(rst.literals()), [("lit".to_owned(), 1)]);
    assert_eq!(
        (one(rst.emphasis()), one(rst.strong())),
        (vec![("em".to_owned(), 2)], vec![("strong".to_owned(), 2)])
    );
    assert_eq!(
        (one(rst.substitutions()), one(rst.references())),
        (vec![("sub".to_owned(), 2)], vec![("1".to_owned(), 2)])
    );
    assert_eq!(rst.targets()[0].name.as_deref(), Some("here"));
}

#[test]
fn blocks_are_told_apart() {
    let text = "Text::\n\n    literal\n\n>>> 1\n1\n\n.. a comment\n   goes on\n\n.. _name: https://a.example\n.. _label:\n.. [Cit] A\n.. [#f] B\n\n| line\n\nterm\n    definition\n\n-o FILE  what\n\n:field: value\n\n1. one\n2. two\n\n   inner\n\n=====  =====\na      b\n=====  =====\n1      :r:`2`\n=====  =====\n\n----\n\n    quoted\n";
    let rst = Rst::new(text);
    use BlockKind::{Comment, Doctest, Line, Literal, Quote, Table, Transition};
    for (kind, lines) in [
        (Literal, 3..=3),
        (Doctest, 5..=6),
        (Comment, 8..=9),
        (Line, 16..=16),
        (Table, 30..=34),
        (Transition, 36..=36),
        (Quote, 38..=38),
    ] {
        assert_eq!(
            rst.blocks_of(kind).map(|block| block.lines.clone()).collect::<Vec<_>>(),
            [lines],
            "{kind:?}"
        );
    }
    let items: Vec<_> =
        rst.items().iter().map(|item| (item.kind, item.marker.as_str(), item.lines.clone())).collect();
    use ListKind::{Definition, Enumerated, Field, Option};
    assert_eq!(
        items,
        [
            (Definition, "term", 18..=19),
            (Option, "-o FILE", 21..=21),
            (Field, "field", 23..=23),
            (Enumerated, "1.", 25..=25),
            (Enumerated, "2.", 26..=28)
        ]
    );
    assert_eq!(
        rst.notes().iter().map(polc_checker::rst::Note::is_footnote).collect::<Vec<_>>(),
        [false, true]
    );
    assert_eq!(rst.targets().iter().map(|target| *target.lines.start()).collect::<Vec<_>>(), [11, 12]);
    assert_eq!(rst.roles()[0].line, 33);
    assert!(!rst.is_prose(33) && rst.is_prose(28) && rst.is_prose(1) && !rst.is_prose(3));
}

#[test]
fn a_docstring_reads_at_its_place() {
    let text = "Summary.\n\n    .. deprecated:: 1.0\n        Use :func:`x`.\n\n    Parameters\n    ----------\n    a : int\n        What.\n    ";
    let rst = Rst::of_docstring(text, 10, &Dialect::default());
    assert_eq!(rst.directives()[0].lines, 12..=13);
    assert_eq!(rst.headings()[0].line, 15);
    assert_eq!((rst.items()[0].marker.as_str(), rst.items()[0].lines.clone()), ("a : int", 17..=18));
    assert!(rst.is_prose(10));
}

/// What holds of any text.
fn holds(text: &str) {
    let rst = Rst::new(text);
    let count = polc_checker::diff::lines(text).len();
    let spans =
        rst.blocks().iter().map(|found| &found.lines).chain(rst.headings().iter().map(|found| &found.lines));
    let spans = spans
        .chain(rst.directives().iter().map(|found| &found.lines))
        .chain(rst.items().iter().map(|found| &found.lines));
    let mut spans = spans
        .chain(rst.targets().iter().map(|found| &found.lines))
        .chain(rst.notes().iter().map(|found| &found.lines));
    assert!(
        spans.all(|lines| *lines.start() >= 1 && lines.start() <= lines.end() && *lines.end() <= count),
        "{text:?} {rst:#?}"
    );
    let lines = rst.roles().iter().map(|found| found.line).chain(rst.links().iter().map(|found| found.line));
    let mut lines =
        lines.chain(rst.literals().iter().map(|found| found.line)).chain(rst.prose().map(|(line, _)| line));
    assert!(lines.all(|line| (1..=count).contains(&line)));
    for directive in rst.directives() {
        if let Some(body) = &directive.body {
            assert!(
                directive.lines.contains(body.start()) && directive.lines.contains(body.end()),
                "{text:?} {directive:?}"
            );
        }
    }
    let shifted = Rst::of_docstring(text, 7, &Dialect::default());
    assert!(shifted.prose().all(|(line, _)| (7..count + 7).contains(&line)));
}

const LINES: &[&str] = &[
    "",
    "",
    "Text",
    "Title",
    "=====",
    "-----",
    "---",
    "====  ====",
    "a     b",
    "+---+---+",
    "| a | b |",
    "| b",
    ".. note:: x",
    ".. name::",
    "   :option: v",
    "   text",
    "  - item",
    "- item",
    "-",
    "1. one",
    "(a) x",
    "#. y",
    ":field: v",
    "term",
    "    definition",
    "Text::",
    "::",
    "> quoted",
    ">>> 1",
    "..",
    ".. comment",
    ".. [1] note",
    ".. _t: x",
    "__ x",
    ".. |s| image:: y",
    "*a* **b** ``c`` `d`_ :r:`e`",
    "`open",
    "|x|_ y__ [1]_",
    "\tTab",
    "漢字",
    "``",
    "\u{c}",
    "\\*",
    "--opt  x",
    "https://a.example/b",
];

proptest! {
    #[test]
    fn any_text_reads(text in "\\PC*|[-=:>.`|*_+#a-z1 \\\\\n\t]{0,300}") {
        holds(&text);
    }

    #[test]
    fn any_lines_read(lines in proptest::collection::vec((0..4_usize, proptest::sample::select(LINES)), 0..30)) {
        holds(&lines.iter().map(|(indent, line)| format!("{}{line}\n", "   ".repeat(*indent))).collect::<String>());
    }
}

/// Real texts, with lines and pieces taken out and put in elsewhere.
#[test]
fn mutated_sources_read() {
    for (index, path) in files_that_end_in(&[".rst", ".rst.txt"]).into_iter().enumerate() {
        let text = std::fs::read_to_string(&path).unwrap();
        let chars: Vec<char> = text.chars().collect();
        for round in 0..4 {
            let at = |salt: usize| (index * 7919 + round * 104_729 + salt * 1_299_709) % chars.len().max(1);
            let (from, to) = (at(1).min(at(2)), at(1).max(at(2)));
            let (kept, moved) = (chars[..from].iter().chain(&chars[to..]), &chars[from..to.min(from + 400)]);
            let mut mutated: Vec<char> = kept.copied().collect();
            let place = at(3) % (mutated.len() + 1);
            mutated.splice(place..place, moved.iter().copied());
            holds(&mutated.into_iter().collect::<String>());
        }
    }
}

#[test]
fn texts_that_nest_deeply_are_not_read_to_the_end() {
    let deep: String = (0..200).map(|depth| format!("{}- a\n\n", "  ".repeat(depth))).collect();
    assert!(Rst::new(&deep).too_deep().is_some());
    assert_eq!(Rst::new("- a\n\n  - b\n").too_deep(), None);
    for text in [
        "- ", ".. a:: ", "*a ", "`a ", ":a:`", "a-", "[a", "``a` ", "== ", "|a ", "> ", "_`a ", "a_b ", "(",
        "1. ", ": ", "::\n", "a@", "http://", "- a\n ", "= =\n",
    ] {
        holds(&text.repeat(20_000));
    }
}

/// The hard case py4, its part on text: underlined output of a doctest is no heading.
#[test]
fn output_of_a_doctest_is_no_heading() {
    let Some(case) = polc_testkit::shared::case("py4") else { return };
    let source = case["input"]["source"].as_str().unwrap();
    let docstring = source.split("\"\"\"").nth(1).unwrap();
    for text in [docstring.to_owned(), docstring.replacen('\n', "\n\n", 1)] {
        let rst = Rst::of_docstring(&text, 2, &Dialect::default());
        assert!(rst.headings().is_empty(), "{rst:#?}");
        assert!(rst.is_prose(2));
    }
    let parted = Rst::of_docstring(&docstring.replacen('\n', "\n\n", 1), 2, &Dialect::default());
    assert_eq!(parted.blocks_of(BlockKind::Doctest).count(), 1);
    assert!(!parted.is_prose(4));
}

/// The hard case gd2, its part on text: a line ends at a line feed alone.
#[test]
fn lines_end_at_line_feeds_alone() {
    let text = "One\u{2028}two\rthree\u{85}four\u{b}five\r\n\u{c}\n.. note:: x\r\n\r\n   y\r\n";
    let rst = Rst::new(text);
    assert_eq!(rst.directives()[0].lines, 3..=5);
    assert_eq!(rst.directives()[0].text, "x\n\ny");
    assert_eq!(rst.prose().map(|(line, _)| line).collect::<Vec<_>>(), [1, 3, 5]);
    assert_eq!(polc_checker::markdown::Markdown::new("a\u{2028}b\r\n# C\r\n").headings()[0].line, 2);
}

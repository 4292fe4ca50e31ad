use polc_checker::docstring::{Doc, Style, cleandoc};
use polc_checker::python::Source;
use polc_testkit::shared;

/// The hard case py4: examples are neither prose nor sections.
#[test]
fn examples_are_no_prose_and_no_sections() {
    let Some(case) = shared::case("py4") else { return };
    let source = Source::new("a.py", case["input"]["source"].as_str().unwrap());
    let doc = source.read().unwrap().docstrings()[0].read();
    let expected = &case["expected"];
    assert_eq!(doc.summary(), expected["summary"].as_str().unwrap());
    assert_eq!(doc.sections().len(), expected["sections"].as_array().unwrap().len());
    assert_eq!(doc.examples().len() as u64, expected["doctest_examples"].as_u64().unwrap());
    assert_eq!(doc.summary().ends_with('.'), expected["ends_with_period"]);
    assert_eq!(doc.examples()[1].want, "Notes\n-----\n");
    assert_eq!((doc.examples()[0].lines.clone(), doc.examples()[1].lines.clone()), (3..=4, 5..=7));
    assert_eq!(doc.prose().count(), 1);
}

const NUMPY: &str = "Weigh the lions.

    Twice.

    Parameters
    ----------
    lion, cub : Lion, optional
        The ones to weigh.

        In order.
    *scales
        All of them.

    Returns
    -------
    float
        The weight.

    Examples
    --------
    >>> weigh(1)  # doctest: +SKIP
    2
    ";

#[test]
fn underlined_sections() {
    let doc = Doc::new(NUMPY);
    let titles: Vec<_> =
        doc.sections().iter().map(|found| (found.title.as_str(), found.lines.clone())).collect();
    assert_eq!(titles, [("Parameters", 5..=12), ("Returns", 14..=17), ("Examples", 19..=22)]);
    assert!(
        doc.sections()
            .iter()
            .all(|found| found.style == Style::Underlined && found.is_underlined_to_measure())
    );
    assert_eq!(doc.parameter_names(), ["lion", "cub", "scales"]);
    let entry = &doc.parameters()[0];
    assert_eq!(
        (entry.annotation.as_deref(), entry.text.as_str()),
        (Some("Lion, optional"), "The ones to weigh. In order.")
    );
    assert_eq!(doc.section("returns").unwrap().entries[0].names, ["float"]);
    assert!(doc.examples()[0].is_skipped() && doc.summary_stands_apart());
    assert!(!Doc::new("A.\n\nNotes\n---\nx").sections()[0].is_underlined_to_measure());
}

#[test]
fn sections_that_end_in_a_colon() {
    let doc = Doc::new(
        "Weigh.\n\n    Note: not a section.\n\n    Args:\n        lion (Lion, optional): One.\n            More.\n        **more: Rest.\n\n    \
         Returns:\n        dict[str, int]: The weights.\n\n    Behind.\n    ",
    );
    let titles: Vec<_> =
        doc.sections().iter().map(|found| (found.title.as_str(), found.lines.clone())).collect();
    assert_eq!(titles, [("Args", 5..=8), ("Returns", 10..=11)]);
    assert_eq!(doc.parameter_names(), ["lion", "more"]);
    let entry = &doc.parameters()[0];
    assert_eq!((entry.annotation.as_deref(), entry.text.as_str()), (Some("Lion, optional"), "One. More."));
    assert_eq!(doc.section("Returns").unwrap().entries[0].text, "The weights.");
}

#[test]
fn fields_and_directives() {
    let doc = Doc::new(
        "Weigh.\n\n    :param int lion: One,\n        or two.\n    :param cub: a :class:`Cub`\n    :type cub: Cub\n    :returns: a weight\n    \
         :raises ValueError: if none\n\n    .. versionadded:: 1.0\n    .. note::\n       x\n    ",
    );
    let fields: Vec<_> =
        doc.fields().iter().map(|field| (field.name.as_str(), field.argument.as_str(), field.line)).collect();
    let expected = [
        ("param", "int lion", 3),
        ("param", "cub", 5),
        ("type", "cub", 6),
        ("returns", "", 7),
        ("raises", "ValueError", 8),
    ];
    assert_eq!(fields, expected);
    let typed: Vec<_> =
        doc.parameters().into_iter().map(|entry| (entry.names[0].clone(), entry.annotation)).collect();
    assert_eq!(
        typed,
        [("lion".to_owned(), Some("int".to_owned())), ("cub".to_owned(), Some("Cub".to_owned()))]
    );
    assert_eq!(doc.fields()[0].text, "One, or two.");
    let directives: Vec<_> =
        doc.directives().iter().map(|found| (found.name.as_str(), found.argument.as_str())).collect();
    assert_eq!(directives, [("versionadded", "1.0"), ("note", "")]);
}

#[test]
fn a_docstring_knows_its_place_and_its_quotes() {
    let text = "r'''One.'''\nclass A:\n    \"\"\"\\\n    Two\n    words.\n\n    Notes\n    -----\n    x\\n    y\n    \"\"\"\n    def f(self, a, b, *c):\n        '''Do.\n\n        \
                :param a: x\n        :param z: y\n        '''\ndef g():\n    f'no {doc}'\ndef h():\n    b'nor this'\n";
    let source = Source::new("m.py", text);
    let found = source.read().unwrap().docstrings();
    let shown: Vec<_> = found.iter().map(|doc| (doc.lines(), doc.prefix(), doc.quote())).collect();
    assert_eq!(shown, [(1..=1, "r", "'''"), (3..=10, "", "\"\"\""), (12..=16, "", "'''")]);
    assert_eq!(found[1].text(), "Two\nwords.\n\nNotes\n-----\nx\ny");
    let doc = found[1].read();
    assert_eq!(doc.lines()[0].number, 4, "a line that goes on is no line of the text");
    assert_eq!(doc.section("Notes").unwrap().lines, 7..=9);
    assert_eq!(found[2].undocumented_parameters(), ["b", "c"]);
    assert_eq!(found[2].unknown_parameters(), ["z"]);
    assert_eq!(found[2].definition().unwrap().name(), "f");
}

#[test]
fn texts_are_cleaned_as_python_cleans_them() {
    for (value, expected) in [
        ("", ""),
        ("  a  ", "a  "),
        ("\n\n  a\n    b\n  \n   \n", "a\n  b\n\n "),
        ("a\n\tb\n        c", "a\nb\nc"),
        ("\n a\n  b\n\n", "a\n b"),
    ] {
        assert_eq!(cleandoc(value), expected, "{value:?}");
    }
}

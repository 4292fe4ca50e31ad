use polc_checker::cargo::dependencies;
use polc_checker::markdown::Markdown;
use polc_checker::rust::Rust;
use polc_testkit::shared;

#[test]
fn rust_code_is_told_from_literals_and_comments() {
    let text = "fn a<'x>(c: &'x str) { // unwrap()\n    let s = \"x.unwrap() \\\" y\"; b('\"', '\\'');\n    let r = r#\"panic!(\n\
                unwrap\"#; c.unwrap() /* expect( */\n}\n\n#[cfg(test)]\nmod tests {\n    fn h() {}\n}\nfn z() {}\n";
    let rust = Rust::new("src/a.rs", text);
    let code = |line: usize| rust.line(line).unwrap().code.contains("unwrap");
    assert!(!code(1) && !code(2) && !code(3) && code(4), "{rust:#?}");
    assert_eq!(rust.line(1).unwrap().comment, "// unwrap()");
    assert!(!rust.line(4).unwrap().code.contains("expect"));
    let tests: Vec<bool> = rust.lines().iter().map(|line| line.in_test).collect();
    assert_eq!(tests, [false, false, false, false, false, false, true, true, true, true, false]);
    assert!(Rust::new("crates/x/tests/it.rs", "fn a() {}\n").line(1).unwrap().in_test);
    assert!(rust.line(0).is_none() && rust.line(99).is_none());
}

#[test]
fn an_attribute_ends_where_its_bracket_closes() {
    let rust = Rust::new("a.rs", "#[expect(\n    x,\n    reason = \"]\",\n)]\nfn a() {}\n");
    assert_eq!(rust.closing_line(1, '[', ']'), 4);
    assert_eq!(rust.closing_line(5, '{', '}'), 5);
}

#[test]
fn attributes_belong_to_the_item_below_them() {
    let text = "#![expect(f)]\nfn z() {}\n\n/// Doc, with a comma,\n#[derive(\n    A,\n    B,\n)]\n// why\n#[expect(g)]\nfn a() {\n    \
                b();\n}\nfn c() {}\n#[ignore]\n#[test]\nfn d() {}\n";
    let rust = Rust::new("src/a.rs", text);
    assert_eq!([2, 11, 14, 17].map(|line| rust.head_of(line)), [2, 4, 14, 15]);
    assert_eq!(rust.head_of(1), 1);
    assert_eq!(rust.attributes_over(12), ["#![expect(f)]", "#[derive(A,B,)]", "#[expect(g)]"]);
    assert_eq!(rust.attributes_over(14), ["#![expect(f)]"]);
    let with = |line: usize| rust.attributes_with(line).map(str::trim).collect::<Vec<_>>();
    assert_eq!(with(15), ["#[ignore]", "#[test]"]);
    assert_eq!(with(16), ["#[ignore]", "#[test]"]);
}

/// Every Rust file of this repository reads, with as many lines as it has.
#[test]
fn rust_of_our_own_reads() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut read = 0;
    for path in shared::files_below(&crates)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
    {
        let text = std::fs::read_to_string(&path).unwrap();
        let rust = Rust::new("src/x.rs", &text);
        assert_eq!(rust.lines().len(), text.lines().count(), "{}", path.display());
        let open = rust.lines().iter().map(|line| line.code.matches('{').count()).sum::<usize>();
        let close = rust.lines().iter().map(|line| line.code.matches('}').count()).sum::<usize>();
        assert_eq!(open, close, "{}", path.display());
        read += 1;
    }
    assert!(read > 50);
}

#[test]
fn dependencies_of_a_manifest() {
    let manifest = "[package]\nname = \"a\"\n\n[dependencies]\nserde.workspace = true\nserde.features = [\"rc\"]\n\
                    b = { version = \"1\", features = [\n    \"x\",\n], path = \"../b\" }\n# c = 1\n\n\
                    [workspace.dependencies]\nd = \"1\"\n\n[target.'cfg(unix)'.dependencies.e]\nversion = \"2\"\n\n\
                    [features]\nf = []\n";
    let found = dependencies(manifest);
    let places: Vec<_> =
        found.iter().map(|found| (found.table, found.name, found.lines.clone(), found.sources())).collect();
    assert_eq!(
        places,
        [
            ("dependencies", "serde", 5..=6, vec![]),
            ("dependencies", "b", 7..=9, vec!["1", "../b"]),
            ("workspace.dependencies", "d", 13..=13, vec!["1"]),
            ("target.'cfg(unix)'.dependencies", "e", 15..=16, vec!["2"]),
        ]
    );
    let kinds: Vec<_> = found.iter().map(|found| (found.is_inherited(), found.is_local())).collect();
    assert_eq!(kinds, [(true, false), (false, true), (false, false), (false, false)]);
}

#[test]
fn markdown_without_its_comments_and_code() {
    let text = "# Title #\n\n<!-- hidden\n## not a heading\n-->\n## Why\n\nBecause.\n\n```sh\n# not a heading\n```\n\n### More\n\
                - [x] done\n- [ ] open\n  for a reason\n## Next\n~~~\nx\n~~~\n";
    let markdown = Markdown::new(text);
    let headings: Vec<_> =
        markdown.headings().iter().map(|heading| (heading.level, heading.text.as_str())).collect();
    assert_eq!(headings, [(1, "Title"), (2, "Why"), (3, "More"), (2, "Next")]);
    let section = markdown.section("why").unwrap();
    assert!(
        section.contains(&"Because.") && section.contains(&"- [x] done") && !section.contains(&"## Next")
    );
    let boxes: Vec<_> = markdown.check_boxes().into_iter().map(|found| (found.text, found.ticked)).collect();
    assert_eq!(boxes, [("done".to_owned(), true), ("open".to_owned(), false)]);
    assert!(markdown.is_ticked("done") && !markdown.is_ticked("open"));
    let fences: Vec<_> = markdown
        .fences()
        .iter()
        .map(|fence| (fence.info.as_str(), fence.line, fence.body.join("\n")))
        .collect();
    assert_eq!(fences, [("sh", 10, "# not a heading".to_owned()), ("", 19, "x".to_owned())]);
    assert!(markdown.section("absent").is_none());
    assert!(markdown.is_filled("why") && !markdown.is_filled("next") && !markdown.is_filled("absent"));
    assert_eq!(markdown.heading_at(6).unwrap().text, "Why");
    assert!(markdown.heading_at(3).is_none() && markdown.fence_at(19).is_some());
}

/// What is in a block is not prose, and the other way round.
#[test]
fn a_fence_is_closed_by_its_own_mark_as_often_or_more() {
    for (text, body, prose) in [
        ("```\na\n```\nb\n", vec!["a"], vec!["b"]),
        ("```\na\n`````\nb\n", vec!["a"], vec!["b"]),
        ("````\n```\n````\nb\n", vec!["```"], vec!["b"]),
        ("```\n~~~\n``` x\n```\nb\n", vec!["~~~", "``` x"], vec!["b"]),
        ("- item\n  ~~~ sh\n  a\n  ~~~ \nb\n", vec!["  a"], vec!["- item", "b"]),
        ("```\nnever closed\n", vec!["never closed"], vec![]),
    ] {
        let markdown = Markdown::new(text);
        assert_eq!(markdown.fences().len(), 1, "{text}");
        assert_eq!(markdown.fences()[0].body, body, "{text}");
        assert_eq!(markdown.prose().map(|(_, line)| line).collect::<Vec<_>>(), prose, "{text}");
    }
    assert!(Markdown::new("``` in `code` ```\n").fences().is_empty(), "a span of code is no fence");
}

#[test]
fn headings_are_underlined_too_and_front_matter_is_none() {
    let text = "---\ntitle: x\n---\n\nTitle\n=====\n\nPart\n---\n\n- item\n---\n\n---\n";
    let markdown = Markdown::new(text);
    let headings: Vec<_> = markdown
        .headings()
        .iter()
        .map(|heading| (heading.level, heading.text.as_str(), heading.line))
        .collect();
    assert_eq!(headings, [(1, "Title", 5), (2, "Part", 8)]);
    assert_eq!(markdown.first_line(), Some(5));
    assert_eq!(Markdown::new("---\nA rule without an end.\n").first_line(), Some(1));
    assert_eq!(Markdown::new("<!-- a -->\n\n```\nx\n```\n# A\n").first_line(), Some(3));
    assert_eq!(Markdown::new("\n").first_line(), None);
}

#[test]
fn links_of_prose() {
    let text = "See [a](a.md), [b](<./b.md#part>) and [c].\n\n[c]: ../c.md\n\n```\n[d](d.md)\n```\n";
    assert_eq!(Markdown::new(text).links(), ["a.md", "./b.md", "../c.md"]);
}

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
    let manifest = "[package]\nname = \"a\"\n\n[dependencies]\nserde.workspace = true\nb = { version = \"1\", features = [\n    \
                    \"x\",\n] }\n# c = 1\n\n[workspace.dependencies]\nd = \"1\"\n\n[features]\ne = []\n";
    let found: Vec<_> =
        dependencies(manifest).into_iter().map(|found| (found.table, found.name, found.line)).collect();
    assert_eq!(
        found,
        [("dependencies", "serde", 5), ("dependencies", "b", 6), ("workspace.dependencies", "d", 12)]
    );
}

#[test]
fn markdown_without_its_comments_and_code() {
    let text = "# Title #\n\n<!-- hidden\n## not a heading\n-->\n## Why\n\nBecause.\n\n```sh\n# not a heading\n```\n\n### More\n\
                - [x] done\n- [ ] open\n  for a reason\n## Next\n~~~\nx\n~~~\n";
    let markdown = Markdown::new(text);
    let headings: Vec<_> =
        markdown.headings().into_iter().map(|heading| (heading.level, heading.text)).collect();
    assert_eq!(headings, [(1, "Title"), (2, "Why"), (3, "More"), (2, "Next")]);
    let section = markdown.section("why").unwrap();
    assert!(
        section.contains(&"Because.") && section.contains(&"- [x] done") && !section.contains(&"## Next")
    );
    let boxes: Vec<_> = markdown.check_boxes().into_iter().map(|found| (found.text, found.ticked)).collect();
    assert_eq!(boxes, [("done", true), ("open", false)]);
    let fences: Vec<_> =
        markdown.fences().into_iter().map(|fence| (fence.info, fence.line, fence.body)).collect();
    assert_eq!(fences, [("sh", 10, vec!["# not a heading"]), ("", 19, vec!["x"])]);
    assert!(markdown.section("absent").is_none());
}

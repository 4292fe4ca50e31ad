use polc_testkit::shared;
use polc_text::sentence::sentences;
use polc_text::{BlockKind, Document, Format};
use std::fmt::Write;

/// The tree of a document, one block a line, as a reader would check it.
fn outline(text: &str, format: Format) -> String {
    let document = Document::derive(text.as_bytes(), format).unwrap();
    let mut outline = String::new();
    for (id, block) in document.blocks.iter().enumerate() {
        let depth = document.ancestors(id).count();
        let hidden = if block.hidden && block.kind != BlockKind::Comment { " (hidden)" } else { "" };
        write!(outline, "{}{:?}{hidden}", "  ".repeat(depth), block.kind).unwrap();
        if !block.prose.plain.is_empty() {
            let words: Vec<String> =
                sentences(&block.prose).into_iter().map(|range| block.prose.quote(text, &range)).collect();
            write!(outline, " {words:?}").unwrap();
        }
        writeln!(outline, " @ {}", document.section_of(block).path).unwrap();
    }
    outline
}

fn snapshot(name: &str, outline: &str) {
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(name, outline) });
}

#[test]
fn markdown() {
    snapshot(
        "markdown",
        &outline(
            "---\ntitle: x\n---\n# Guide\n\nHello **you**, see [the `docs`](d.md).\nSecond line &amp; more.\n\n\
         <!-- Write *why*.\n\n- Never push\n  twice.\n-->\n\n## Pull requests\n\nBefore you push:\n\n1. run `make test`;\n\
         2. add a note:\n   - one\n   - two <!-- inline: keep it -->\n\n- [ ] I read it.\n\n> [!WARNING]\n> No force.\n\n\
         | Check | Rule |\n|---|---|\n| a | use `x \\| y` |\n\n```sh\nmake\n```\n\n\
         <details><summary>More</summary>\n\nInside.\n\n</details>\n",
            Format::Markdown,
        ),
    );
}

/// A line of dashes is a rule across the page wherever it does not begin the file.
#[test]
fn dashes_begin_metadata_at_the_start_alone() {
    let kinds = |text: &str| {
        let document = Document::derive(text.as_bytes(), Format::Markdown).unwrap();
        let blocks = document.blocks.iter().filter(|block| !block.prose.plain.trim().is_empty());
        blocks.map(|block| (block.kind.clone(), block.prose.plain.trim().to_owned())).collect::<Vec<_>>()
    };
    let paragraph = |text: &str| (BlockKind::Paragraph, text.to_owned());
    let quoted = "> Be kind.\n>\n> ---\n>\n> You promise:\n>\n> - to come\n> - to stay\n\nThe end.\n";
    let all = ["Be kind.", "You promise:", "to come", "to stay", "The end."].map(paragraph);
    assert_eq!(kinds(quoted), all);
    assert_eq!(kinds("---\n\nOne.\n\n---\n\nTwo.\n"), ["One.", "Two."].map(paragraph));
    let front = (BlockKind::Field { key: "front matter".to_owned() }, "é: x".to_owned());
    assert_eq!(
        kinds("---\né: x\n---\nOne.\n\n---\na: b\n\n---\n"),
        [front, paragraph("One."), paragraph("a: b")]
    );
}

#[test]
fn restructured_text() {
    snapshot(
        "restructured_text",
        &outline(
            "=====\nGuide\n=====\n\nUse ``tox -e lint`` and :func:`~a.b.run`, see `the docs <d.html>`_ or issues_.\n\
         Keep snake_case and **kwargs.\n\n.. Reviewers: this is a comment.\n   Never merge it.\n\n.. _target:\n\nCommits\n\
         -------\n\nBefore you push:\n\n* run it::\n\n      make test\n\n* add a note\n  on two lines\n\n#. one\n#. two\n\n\
         .. note::\n   Be kind.\n\n.. code-block:: sh\n   :linenos:\n\n   make\n\nTerm\n    What it means. Always.\n\n\
         :Author: nobody\n\n=====  ======\nCheck  Rule\n=====  ======\na      use x\n       now\n=====  ======\n\n\
         +---+-----+\n| a | b c |\n+===+=====+\n| d | e   |\n+---+-----+\n\n.. [1] A note.\n",
            Format::RestructuredText,
        ),
    );
}

#[test]
fn yaml() {
    snapshot(
        "yaml",
        &outline(
            "# Read this first.\nname: Bug\nbody:\n  - type: markdown\n    attributes:\n      value: |\n        Please search first.\n\n\
        \x20       # not a comment\n        Add a log.\n  - type: input # inline\nlabels: [\"a\", b]\n",
            Format::Yaml,
        ),
    );
}

#[test]
fn what_does_not_parse_is_still_text() {
    let outline = outline("a: [b\n{{ name }}: c\n", Format::Yaml);
    assert!(outline.starts_with("Code"), "{outline}");
    assert_eq!(Document::derive(b"ok \xff", Format::Markdown).unwrap_err().offset, 3);
}

/// Obligations that stand only in comments, in real templates.
#[test]
fn comments_of_templates_are_read() {
    let Some(folder) = shared::shared("sites/offnav") else {
        return;
    };
    for (file, sentence) in [
        ("flask/.github/pull_request_template.md", "Tests should fail without the change."),
        ("pytest/.github/PULL_REQUEST_TEMPLATE.md", "Include documentation when adding new features."),
    ] {
        let document =
            Document::derive(&std::fs::read(folder.join(file)).unwrap(), Format::Markdown).unwrap();
        let found = document.blocks.iter().any(|block| {
            block.hidden
                && sentences(&block.prose)
                    .into_iter()
                    .any(|range| polc_text::document::fold_space(&block.prose.plain[range]) == sentence)
        });
        assert!(found, "{file}");
    }
}

/// No real file makes a parser panic or lose a word of it.
#[test]
fn every_block_lies_in_its_text() {
    let Some(folder) = shared::shared("sites") else {
        return;
    };
    let mut read = 0;
    for path in shared::files_below(&folder) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        for format in [Format::Markdown, Format::RestructuredText, Format::Yaml] {
            if path.extension().is_some_and(|extension| extension == "html" || extension == "tsv") {
                continue;
            }
            let Ok(document) = Document::derive(&bytes, format) else {
                continue;
            };
            read += 1;
            for block in &document.blocks {
                let mut last = 0;
                for run in &block.prose.runs {
                    assert!(run.plain.start >= last && run.plain.end <= block.prose.plain.len());
                    assert!(document.text.get(run.source.clone()).is_some(), "{} {run:?}", path.display());
                    assert!(document.text.get(run.outer.clone()).is_some(), "{} {run:?}", path.display());
                    last = run.plain.end;
                }
            }
        }
    }
    assert!(read > 100, "only {read} files were read");
}

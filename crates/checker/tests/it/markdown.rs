use crate::oracle::{ask, assert_same, files_that_end_in};
use polc_checker::markdown::{BlockKind, LinkKind, Markdown};
use proptest::prelude::*;
use serde_json::{Value, json};

fn facts(text: &str) -> Value {
    let markdown = Markdown::new(text);
    let links =
        |kinds: &[LinkKind]| markdown.all_links().iter().filter(|link| kinds.contains(&link.kind)).count();
    let blocks = |kind| markdown.blocks_of(kind).map(|block| *block.lines.start()).collect::<Vec<_>>();
    let mut codes: Vec<String> =
        markdown.codes().iter().map(|code| code.text.split_whitespace().collect()).collect();
    codes.sort();
    json!({
        "headings": markdown.headings().iter().map(|heading| (heading.level, heading.line)).collect::<Vec<_>>(),
        "fences": markdown.fences().iter().map(|fence| (fence.line, fence.info.clone())).collect::<Vec<_>>(),
        "indented": blocks(BlockKind::IndentedCode),
        "items": markdown.items().iter().map(|item| *item.lines.start()).collect::<Vec<_>>(),
        "tables": blocks(BlockKind::Table),
        "codes": codes,
        "links": links(&[LinkKind::Inline, LinkKind::Reference, LinkKind::Autolink]),
        "images": links(&[LinkKind::Image]),
    })
}

/// Pages with admonitions are left out: what stands in one is no code to us.
#[test]
fn facts_are_those_of_another_parser() {
    let mut paths = files_that_end_in(&[".md", ".md.txt"]);
    paths.retain(|path| Markdown::new(&std::fs::read_to_string(path).unwrap()).admonitions().is_empty());
    let Some(theirs) = ask("markdown_facts.py", "markdown_it", &paths, &[]) else { return };
    assert_same(&paths, &theirs, facts);
}

#[test]
fn lists_links_tables_and_code() {
    let text = "---\na: b\n---\nTitle\nof two lines\n===\n\n1. one\n   - inner `code`\n2. two\n\n    still two\n\ntext\n\n    indented\n\n\
                | a | b |\n|---|---|\n| [x][y] | <https://a.example> |\n\n[y]: z.md\n\n![i](i.png) at https://b.example/c_d?e=f.\n\
                C#\n\n## C# ##\n";
    let markdown = Markdown::new(text);
    let headings: Vec<_> =
        markdown.headings().iter().map(|found| (found.text.as_str(), found.line)).collect();
    assert_eq!(headings, [("Title of two lines", 5), ("C#", 27)]);
    let items: Vec<_> =
        markdown.items().iter().map(|item| (item.number, item.lines.clone(), item.depth)).collect();
    assert_eq!(items, [(Some(1), 8..=9, 0), (None, 9..=9, 1), (Some(2), 10..=12, 0)]);
    assert_eq!(
        markdown.blocks_of(BlockKind::IndentedCode).map(|block| block.lines.clone()).collect::<Vec<_>>(),
        [16..=16]
    );
    assert_eq!(
        markdown.blocks_of(BlockKind::Table).map(|block| block.lines.clone()).collect::<Vec<_>>(),
        [18..=20]
    );
    let links: Vec<_> =
        markdown.all_links().iter().map(|link| (link.kind, link.to.as_str(), link.line)).collect();
    use LinkKind::{Autolink, Bare, Definition, Image, Reference};
    assert_eq!(
        links,
        [
            (Reference, "z.md", 20),
            (Autolink, "https://a.example", 20),
            (Definition, "z.md", 22),
            (Image, "i.png", 24),
            (Bare, "https://b.example/c_d?e=f", 24),
        ]
    );
    assert!(!markdown.is_prose(1) && !markdown.is_prose(16) && markdown.is_prose(18));
}

#[test]
fn comments_are_cut_out_of_lines() {
    let markdown =
        Markdown::new("a <!-- b --> c <!-- d\ne --> f\n\n<!-- g -->\n<!-- h --> i\n\n`<!-- j -->`\n");
    let prose: Vec<_> = markdown.prose().filter(|(_, line)| !line.trim().is_empty()).collect();
    assert_eq!(prose, [(1, "a  c "), (2, " f"), (5, " i"), (7, "`<!-- j -->`")]);
    let comments: Vec<_> =
        markdown.comments().iter().map(|found| (found.text.as_str(), found.lines.clone())).collect();
    assert_eq!(comments, [("b", 1..=1), ("d\ne", 1..=2), ("g", 4..=4), ("h", 5..=5)]);
}

#[test]
fn admonitions_hold_prose() {
    let text = "!!! note \"Mind\"\n    Text.\n\n    ## Part\n\n    !!! tip\n        Deep.\n\nOut.\n\n:::{warning}\nX\n:::\n\n```\n!!! no\n```\n";
    let markdown = Markdown::new(text);
    let found: Vec<_> = markdown
        .admonitions()
        .iter()
        .map(|found| (found.kind.as_str(), found.title.as_deref(), found.lines.clone()))
        .collect();
    assert_eq!(found, [("note", Some("Mind"), 1..=7), ("tip", None, 6..=7), ("warning", None, 11..=13)]);
    assert_eq!(markdown.heading_at(4).unwrap().text, "Part");
    assert!(markdown.is_prose(7) && markdown.blocks_of(BlockKind::IndentedCode).next().is_none());
    let fence = Markdown::new("```{note} T\n```\n\n```python title=x\n```\n");
    assert_eq!(fence.fences()[0].directive(), Some("note"));
    assert_eq!(fence.fences()[1].language(), Some("python"));
}

/// What holds of any page.
pub(crate) fn holds(text: &str) {
    let markdown = Markdown::new(text);
    let count = polc_checker::diff::lines(text).len();
    let numbers = markdown.prose().map(|(number, _)| number).collect::<Vec<_>>();
    assert!(numbers.is_sorted() && numbers.iter().all(|number| (1..=count).contains(number)));
    for heading in markdown.headings() {
        assert!((1..=count).contains(&heading.line));
        assert_eq!(markdown.heading_at(heading.line).map(|found| found.line), Some(heading.line));
    }
    let spans = markdown.items().iter().map(|item| &item.lines);
    let spans = spans.chain(markdown.blocks().iter().map(|block| &block.lines));
    let mut spans = spans.chain(markdown.admonitions().iter().map(|found| &found.lines));
    assert!(spans.all(|lines| *lines.start() >= 1 && lines.start() <= lines.end() && *lines.end() <= count));
    assert!(markdown.all_links().iter().all(|link| (1..=count).contains(&link.line)));
    assert!(markdown.fences().iter().all(|fence| fence.line + fence.body.len() <= count));
}

proptest! {
    #[test]
    fn any_page_reads(text in "\\PC*|[-#=:>!\\[\\]()<a-z1.0 |`~*+_&;\\n\\t\\r]{0,300}") {
        holds(&text);
    }
}

#[test]
fn pages_that_nest_deeply_read() {
    for text in ["> ", "- ", "[", "![", "<!--", "*a ", "`", "    ", "1. ", "**", "!!! a\n    ", ":::a\n"] {
        holds(&text.repeat(20_000));
    }
}

/// The hard case ll6, its part on pages: what is hidden is kept, apart from what is shown.
#[test]
fn hidden_text_is_told_from_what_is_shown() {
    let Some(case) = polc_testkit::shared::case("ll6") else { return };
    let markdown = Markdown::new(case["input"]["a"].as_str().unwrap());
    assert_eq!(markdown.comments().len(), 1);
    assert_eq!(markdown.comments()[0].lines, 1..=1);
    assert_eq!(markdown.prose().map(|(line, _)| line).collect::<Vec<_>>(), [2]);
    let rule = case["expected"]["a"]["rule"].as_str().unwrap();
    assert!(markdown.prose().any(|(_, line)| line.contains(rule)));
}

use polc_text::dom::Page;
use polc_text::dom::Selector;

const PAGE: &str = r#"<main id=m class="bd wide"><DIV id=d><p id=p role=note lang="en-GB">one<p id=q class=bd
title="a ] b">two</div></main>"#;

fn found(selector: &str) -> Vec<String> {
    let page = Page::parse(PAGE);
    let selector: Selector = selector.parse().unwrap();
    let found = page.elements().filter(|element| selector.matches(*element));
    found.filter_map(|element| element.attribute("id").map(str::to_owned)).collect()
}

#[test]
fn elements_are_found_by_name_class_attribute_and_what_they_stand_below() {
    for (selector, expected) in [
        ("p", vec!["p", "q"]),
        (".bd", vec!["m", "q"]),
        ("main.bd.wide", vec!["m"]),
        ("#d p.bd", vec!["q"]),
        ("main p", vec!["p", "q"]),
        ("html main  div p[role]", vec!["p"]),
        ("main main", vec![]),
        ("div main", vec![]),
        (r#"p[role="note"]"#, vec!["p"]),
        (r#"[lang^="en"]"#, vec!["p"]),
        (r#"[lang$="GB"]"#, vec!["p"]),
        (r#"[lang*="-"]"#, vec!["p"]),
        (r#"[class~="wide"] [id="q"]"#, vec!["q"]),
        (r#"[class="bd wide"]"#, vec!["m"]),
    ] {
        assert_eq!(found(selector), expected, "{selector}");
    }
}

#[test]
fn what_is_no_selector_is_refused_with_what_is_expected() {
    for text in ["", " ", "main >", "[x!=\"y\"]", "a,", "."] {
        let error = text.parse::<Selector>().unwrap_err().to_string();
        assert!(error.contains(&format!("`{text}`")) && error.contains("style sheets"), "{error}");
    }
}

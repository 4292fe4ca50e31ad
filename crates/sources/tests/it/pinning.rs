//! Which version a page and what is published beside it come to.

use crate::url;
use polc_records::pin::{Claim, Generator};
use polc_sources::pin::site::{Decision, Entry, Findings, Got, decide, examine, wanted};
use polc_testkit::shared::case;
use serde_json::Value;

/// What a page says, given the files of its site.
fn found(page: &str, address: &str, requested: &str, files: &[(&str, &str)]) -> Findings {
    let entry = Entry::new(page, url(address), url(requested));
    let mut got = Got::default();
    for wanted in wanted(&entry) {
        if let Some((_, text)) = files.iter().find(|(address, _)| *address == wanted.as_str()) {
            got.add(wanted, text.as_bytes().to_vec());
        }
    }
    examine(&entry, &got, "Zoo")
}

fn said(claims: &[Claim]) -> Vec<(String, &str)> {
    claims.iter().map(|claim| (claim.by.to_string(), claim.value.as_str())).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn case_dv1_the_script_is_asked_with_its_query_and_disagreement_is_no_pick() {
    let Some(case) = case("dv1") else { return };
    let (input, expected) = (&case["input"], &case["expected"]);
    let files: Vec<(&str, &str)> = input["files"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(address, file)| (address.as_str(), text(file)))
        .collect();
    let address = text(&input["page_url"]);
    let found = |page: &str| found(text(&input[page]), address, address, &files);
    let a = found("a_html");
    assert!(matches!(decide(&a.claims), Decision::Version { value, .. } if value == text(&expected["a"])));
    assert_eq!((a.generator, a.root.as_str()), (Generator::Sphinx, "https://d.example/en/stable/"));
    assert_eq!(a.alias.as_deref(), Some("stable"));
    let b = found("b_html");
    let mut values: Vec<&str> = b.claims.iter().map(|claim| claim.value.as_str()).collect();
    values.sort_unstable();
    assert_eq!(serde_json::json!(values), expected["b"]["conflict"]);
    assert_eq!(decide(&b.claims), Decision::Conflict);
    let c = found("c_html");
    assert_eq!((decide(&c.claims), c.claims.len()), (Decision::Silent, 0));
}

#[test]
fn case_dv3_the_list_of_versions_says_what_an_alias_stands_for() {
    let Some(case) = case("dv3") else { return };
    let (input, expected) = (&case["input"], &case["expected"]);
    let requested = text(&input["requested"]);
    let list = input["versions_json"].to_string();
    let files = [("https://d.example/versions.json", list.as_str())];
    let moved = polc_sources::refresh::refresh(text(&input["body"]), &url(requested)).unwrap();
    let resolved = moved.from(&url(requested));
    assert_eq!(resolved.as_str(), text(&expected["resolved"]));
    let page = "<meta name=generator content='mkdocs-1.6.1, mkdocs-material-9.8.2'><title>Guide</title>";
    let found = found(page, resolved.as_str(), requested, &files);
    assert!(
        matches!(decide(&found.claims), Decision::Version { value, .. } if value == text(&expected["version"]))
    );
    let listed = found.listed.unwrap();
    assert_eq!(listed.title.as_deref(), expected["title"].as_str());
    assert_eq!(found.alias.as_deref(), expected["alias"].as_str());
    assert!(found.warnings.iter().any(|warning| warning.contains("`0.10-dev`")), "{:?}", found.warnings);
}

#[test]
fn an_alias_that_led_to_another_version_than_the_list_says_is_a_conflict() {
    let list = r#"[{"version": "0.10", "aliases": ["latest"]}, {"version": "0.9"}]"#;
    let files = [("https://d.example/versions.json", list)];
    let found = found("<p>x", "https://d.example/0.9/guide/", "https://d.example/latest/guide/", &files);
    assert_eq!(decide(&found.claims), Decision::Conflict, "{:?}", found.claims);
}

#[test]
fn options_are_read_as_a_script_is_written() {
    let address = "https://d.example/en/1.x/a/b.html";
    for (script, expected) in [
        ("const DOCUMENTATION_OPTIONS = {\n  VERSION: '1.2',\n};", Some("1.2")),
        ("var DOCUMENTATION_OPTIONS={VERSION:\"1.2\"}", Some("1.2")),
        ("let DOCUMENTATION_OPTIONS = { 'VERSION': '1.2' }", Some("1.2")),
        (
            "window.DOCUMENTATION_OPTIONS = {/* VERSION: '9' */ LANGUAGE: 'a VERSION: \\'9\\'', VERSION : '1.2'}",
            Some("1.2"),
        ),
        ("if (DOCUMENTATION_OPTIONS) {} // none yet\nDOCUMENTATION_OPTIONS = {VERSION: '1.2'}", Some("1.2")),
        (
            "var DOCUMENTATION_OPTIONS = {URL_ROOT: document.getElementById('a').x('b'), VERSION: '1.2'}",
            Some("1.2"),
        ),
        ("var DOCUMENTATION_OPTIONS = {theme: {VERSION: '9'}, VERSION: '1.2'}", Some("1.2")),
        ("var DOCUMENTATION_OPTIONS = {theme_VERSION: '9', VERSION: ' 1.2 '}", Some("1.2")),
        ("var DOCUMENTATION_OPTIONS = {VERSION: ''}", None),
        ("var DOCUMENTATION_OPTIONS = {VERSION: release}", None),
        ("var DOCUMENTATION_OPTIONS = {VERSION: '1.2", None),
        ("var DOCUMENTATION_OPTIONS = {}; var x = {VERSION: '9'}", None),
        ("<html>VERSION: '9'</html>", None),
        ("", None),
    ] {
        let files = [("https://d.example/en/1.x/_static/documentation_options.js?v=7", script)];
        let page = "<script data-url_root='../' id=documentation_options src='../_static/documentation_options.js?v=7'></script>";
        let outside = found(page, address, address, &files);
        let value = outside.claims.first().map(|claim| claim.value.as_str());
        assert_eq!(value, expected, "{script}");
        let inside =
            found(&format!("<html data-content_root='../'><script>{script}</script>"), address, address, &[]);
        assert_eq!(inside.claims.first().map(|claim| claim.value.as_str()), expected, "{script} in the page");
    }
}

#[test]
fn where_the_pages_begin_is_what_the_page_says_in_each_generation_of_sphinx() {
    let script = "<script id=documentation_options";
    for page in [
        "<html data-content_root='../../'><p>x".to_owned(),
        format!("{script} data-url_root='../../' src='../../_static/documentation_options.js'></script>"),
        format!("{script} src='../../_static/documentation_options.js?v=1'></script>"),
        "<script>var DOCUMENTATION_OPTIONS = {URL_ROOT: '../../', VERSION: '1'}</script>".to_owned(),
        "<base href='/v/'><html data-content_root='./'><p>x".to_owned(),
    ] {
        let address = "https://d.example/v/a/b/c.html";
        let found = found(
            &page,
            address,
            address,
            &[(
                "https://d.example/v/objects.inv",
                "# Sphinx inventory version 2\n# Project: Zoo\n# Version: 1\n",
            )],
        );
        assert_eq!(found.root.as_str(), "https://d.example/v/", "{page}");
        assert!(said(&found.claims).contains(&("inventory".to_owned(), "1")), "{page}");
    }
}

#[test]
fn an_inventory_without_a_version_and_a_page_in_its_place_state_nothing() {
    for inventory in
        ["# Sphinx inventory version 2\n# Project: Zoo\n# Version: \n", "<!doctype html># Version: 9", ""]
    {
        let address = "https://d.example/a.html";
        let files = [("https://d.example/objects.inv", inventory)];
        let found = found("<html data-content_root='./'><p>x", address, address, &files);
        assert!(found.claims.is_empty(), "{inventory}");
    }
}

#[test]
fn a_title_counts_where_a_version_follows_the_name_of_the_project() {
    for (title, expected) in [
        ("Guide — Zoo 1.2 documentation", Some("1.2")),
        ("Guide — Zoo v1.2.dev3+g1f", Some("1.2.dev3+g1f")),
        ("Guide — zoo Documentation (1.2.x)", Some("1.2.x")),
        ("Zoo 1.2: what is new in Zoo 1.3", Some("1.3")),
        ("Moving to Zoo from Ark 2.0", None),
        ("Ark 2.0 and Zoo", None),
        ("Zoo 7 ways", None),
        ("Zookeeper 1.2", None),
        ("Zoo documentation", None),
        ("1.2", None),
        ("", None),
    ] {
        let address = "https://d.example/a.html";
        let page = format!("<title>{title}</title><svg><title>Zoo 9.9</title></svg>");
        let found = found(&page, address, address, &[]);
        assert_eq!(found.claims.first().map(|claim| claim.value.as_str()), expected, "{title}");
    }
}

#[test]
fn meta_tags_count_and_the_generators_own_version_does_not() {
    let address = "https://d.example/docs/a";
    let page = "<meta name=generator content='Docusaurus v3.9.1'><meta name=docusaurus_version content=2.4.1>\
                <meta name='docsearch:version' content='2.4'><meta name=version content=''>";
    let tags = found(page, address, address, &[]);
    assert_eq!(tags.generator, Generator::Docusaurus);
    assert_eq!(said(&tags.claims), [("meta tag".to_owned(), "2.4"), ("meta tag".to_owned(), "2.4.1")]);
    let next = found("<meta name=docusaurus_version content=current>", address, address, &[]);
    assert_eq!((next.claims.len(), next.alias.as_deref()), (0, Some("current")));
}

#[test]
fn docusaurus_lists_names_and_mike_lists_more() {
    let address = "https://d.example/docs/2.4/a";
    let found =
        found("<p>x", address, address, &[("https://d.example/docs/versions.json", r#"["3.0", "2.4"]"#)]);
    assert_eq!(said(&found.claims), [("list of versions".to_owned(), "2.4")]);
    assert_eq!(found.listed.unwrap().version, "2.4");
}

#[test]
fn read_the_docs_says_what_stable_stands_for() {
    let address = "https://d.example/en/stable/a.html";
    let answer = r#"{"versions": {"current": {"slug": "stable", "verbose_name": "stable", "ref": "v1.2.3", "aliases": [{"slug": "v1.2.3"}]}}}"#;
    let files = [("https://d.example/_/addons/?api-version=1&project-slug=zoo&version-slug=stable", answer)];
    let page =
        "<meta name=readthedocs-project-slug content=zoo><meta name=readthedocs-version-slug content=stable>";
    let new = found(page, address, address, &files);
    assert_eq!(said(&new.claims), [("Read the Docs".to_owned(), "v1.2.3")]);
    assert_eq!(new.listed.unwrap().aliases, ["v1.2.3"]);
    let page = r#"<script id=READTHEDOCS_DATA type="application/json">{"project": "zoo", "version": "v1.2", "language": "en"}</script>"#;
    let old = found(page, address, address, &[]);
    assert_eq!(said(&old.claims), [("Read the Docs".to_owned(), "v1.2")]);
}

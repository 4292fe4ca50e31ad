//! Pages that send their reader elsewhere.

use crate::url;
use polc_sources::refresh::refresh;
use polc_testkit::shared::case;

/// Where a page at `https://d.example/a/b.html` leads that has this `content`.
fn leads(content: &str) -> Option<String> {
    let quoted = content.replace('&', "&amp;").replace('"', "&quot;");
    let page = format!("<title>x</title><meta http-equiv=refresh content=\"{quoted}\">");
    refresh(&page, &url("https://d.example/a/b.html")).map(|refresh| refresh.url.to_string())
}

#[test]
fn case_cr3_a_refresh_is_read_from_the_page_and_a_timer_is_none() {
    let Some(case) = case("cr3") else { return };
    let from = url(case["input"]["url"].as_str().unwrap());
    for (name, page) in case["input"]["pages"].as_object().unwrap() {
        let found = refresh(page.as_str().unwrap(), &from).map(|refresh| refresh.url.to_string());
        assert_eq!(found.as_deref(), case["expected"][name].as_str(), "{name}");
    }
}

#[test]
fn the_value_is_split_as_the_standard_does() {
    for (content, expected) in [
        ("0;url=c.html", Some("https://d.example/a/c.html")),
        ("0; URL = c.html", Some("https://d.example/a/c.html")),
        ("0,url='c.html'", Some("https://d.example/a/c.html")),
        ("0 url=\"c.html\"rest", Some("https://d.example/a/c.html")),
        ("0;'c.html'", Some("https://d.example/a/c.html")),
        ("0;url='c.html", Some("https://d.example/a/c.html")),
        ("\t0 ; c.html", Some("https://d.example/a/c.html")),
        ("0;urlc.html", Some("https://d.example/a/urlc.html")),
        ("0;url", Some("https://d.example/a/url")),
        (".5;url=/c", Some("https://d.example/c")),
        ("1.5.5;url=/c#d", Some("https://d.example/c#d")),
        ("99999999999999999999999;url=/c", Some("https://d.example/c")),
        ("0;url=//e.example/", Some("https://e.example/")),
        ("0;url=?x=1&y=2", Some("https://d.example/a/b.html?x=1&y=2")),
        ("0;url=é", Some("https://d.example/a/%C3%A9")),
        ("0;é", Some("https://d.example/a/%C3%A9")),
        ("", None),
        ("0", None),
        ("0;", None),
        ("0;url=", None),
        ("0;url=''", None),
        ("0;url=#there", None),
        ("0;url=b.html", None),
        ("0x;url=c.html", None),
        ("soon;url=c.html", None),
        ("-1;url=c.html", None),
        ("0;url=javascript:alert(1)", None),
        ("0;url=http://[", None),
    ] {
        assert_eq!(leads(content).as_deref(), expected, "{content}");
    }
}

#[test]
fn only_what_is_an_element_of_the_page_counts_and_the_first_of_them() {
    let meta = "<meta http-equiv=\"Refresh\" content=\"0;url=/c\">";
    for (page, expected) in [
        (format!("<!-- {meta} -->"), false),
        (format!("<template>{meta}</template>"), false),
        (format!("<textarea>{meta}</textarea>"), false),
        (format!("<script>'{meta}'</script>"), false),
        (format!("<title>{meta}</title>"), false),
        (format!("<noscript>{meta}</noscript>"), true),
        (format!("<body><p>x<noscript><p>{meta}</noscript>"), true),
        (format!("<meta http-equiv=refresh content=soon>{meta}"), true),
        (format!("<meta http-equiv=refresh content=300>{meta}"), false),
        ("<meta name=refresh content='0;url=/c'>".to_owned(), false),
        (String::new(), false),
    ] {
        let found = refresh(&page, &url("https://d.example/a/b.html"));
        assert_eq!(found.is_some(), expected, "{page}");
    }
}

#[test]
fn addresses_are_relative_to_the_base_of_the_page() {
    let page = "<base target=_blank><base href='/v2/'><meta http-equiv=refresh content='3;url=c.html'>";
    let found = refresh(page, &url("https://d.example/a/b.html")).unwrap();
    assert_eq!(found.url.as_str(), "https://d.example/v2/c.html");
    assert_eq!(found.delay.as_secs(), 3);
    assert!(found.is_redirect());
}

#[test]
fn the_place_in_the_page_that_was_asked_for_survives_unless_the_page_names_another() {
    let from = |target: &str, requested: &str| {
        let page = format!("<meta http-equiv=refresh content='0;url={target}'>");
        refresh(&page, &url("https://d.example/a")).unwrap().from(&url(requested)).to_string()
    };
    assert_eq!(from("/b", "https://d.example/a#style"), "https://d.example/b#style");
    assert_eq!(from("/b#top", "https://d.example/a#style"), "https://d.example/b#top");
    assert_eq!(from("/b", "https://d.example/a"), "https://d.example/b");
}

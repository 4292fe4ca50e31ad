use crate::url;
use polc_net::{Answer, Declared, Kept, Text};

fn text(content_type: Option<&str>, body: &[u8]) -> Text {
    let page = url("https://example.org/");
    let headers = Kept { content_type: content_type.map(str::to_owned), ..Kept::default() };
    Answer {
        requested: page.clone(),
        hops: vec![],
        url: page,
        status: 200,
        headers,
        body: body.to_vec(),
        attempts: 1,
    }
    .text()
}

/// The text of a whole page, the encoding and who declared it.
fn read(content_type: &str, body: &[u8]) -> (String, &'static str, Declared) {
    let text = text(Some(content_type), body);
    assert_eq!(text.replaced, 0, "{text:?}");
    (text.text, text.encoding, text.declared)
}

fn of_page(body: &[u8]) -> (&'static str, Declared) {
    let (_, encoding, declared) = read("text/html", body);
    (encoding, declared)
}

#[test]
fn a_mark_comes_before_the_header_before_the_page() {
    let marked = [b"\xEF\xBB\xBF".as_slice(), "é".as_bytes()].concat();
    assert_eq!(read("text/plain; charset=latin1", &marked), ("é".to_owned(), "UTF-8", Declared::ByMark));
    let wide = [0xFF, 0xFE, 0xE9, 0x00];
    assert_eq!(read("text/html", &wide), ("é".to_owned(), "UTF-16LE", Declared::ByMark));
    let body = b"<meta charset=koi8-r>\xC1";
    assert_eq!(read("text/html; Charset=\"windows-1251\"", body).1, "windows-1251");
    assert_eq!(of_page(body), ("KOI8-R", Declared::ByPage));
}

#[test]
fn a_header_that_lies_gives_way_to_a_page_that_does_not() {
    let body = b"<meta charset=windows-1252><p>caf\xE9";
    let (text, encoding, declared) = read("text/html; charset=utf-8", body);
    assert!(text.ends_with("café"), "{text}");
    assert_eq!((encoding, declared), ("windows-1252", Declared::ByPage));
    let body = "<meta charset=utf-8><p>café".as_bytes();
    let (text, encoding, declared) = read("text/html; charset=iso-8859-1", body);
    assert!(text.ends_with("café"), "{text}");
    assert_eq!((encoding, declared), ("UTF-8", Declared::ByPage));
}

#[test]
fn where_nobody_says_anything_it_is_what_browsers_take_it_for() {
    assert_eq!(read("text/plain", "é".as_bytes()), ("é".to_owned(), "UTF-8", Declared::ByNobody));
    assert_eq!(read("text/plain", b"\xE9"), ("é".to_owned(), "windows-1252", Declared::ByNobody));
    assert_eq!(read("text/html; charset=nonsense", b"\xE9").2, Declared::ByNobody);
    assert_eq!(text(None, b"<meta charset=koi8-r>").encoding, "KOI8-R");
    let plain = read("text/plain", b"<meta charset=koi8-r>");
    assert_eq!((plain.1, plain.2), ("UTF-8", Declared::ByNobody), "a text declares nothing");
}

#[test]
fn what_cannot_be_read_is_counted() {
    let damaged = text(Some("text/html; charset=utf-8"), b"a\xFFb\xFFc");
    assert_eq!((damaged.text.as_str(), damaged.replaced), ("a\u{FFFD}b\u{FFFD}c", 2));
    let whole = text(Some("text/html; charset=utf-8"), "a\u{FFFD}b".as_bytes());
    assert_eq!(whole.replaced, 0, "a page may hold the character itself");
}

#[test]
fn a_page_is_searched_as_the_standard_says() {
    let found = [
        "<meta charset=koi8-r>",
        "<META  CHARSET = 'KOI8-R' >",
        "<meta/charset=\"koi8-r\"/>",
        "<!-- <meta charset=utf-8> --><meta charset=koi8-r>",
        "<!--><meta charset=koi8-r>",
        "<a title='<meta charset=utf-8>'><meta charset=koi8-r>",
        "<?xml?><!doctype html></p><meta name=x><meta charset=koi8-r>",
        "<meta http-equiv=content-type content='text/html; charset=koi8-r'>",
        "<meta content='text/html; charset = \"koi8-r\" ' http-equiv=Content-Type>",
        "<meta charset=nonsense><meta charset=koi8-r>",
        "<meta charset=koi8-r charset=utf-8>",
        "a < b <meta charset=koi8-r>",
    ];
    for page in found {
        assert_eq!(of_page(page.as_bytes()), ("KOI8-R", Declared::ByPage), "{page}");
    }
    let far = format!("{}<meta charset=koi8-r>", " ".repeat(1024));
    let missed = [
        "<metadata charset=koi8-r>",
        "<meta content='text/html; charset=koi8-r'>",
        "<meta http-equiv=content-type content='text/html; charset=\"koi8-r'>",
        "<!-- <meta charset=koi8-r>",
        "<a title='<meta charset=koi8-r>'>",
        "<meta charset=koi8-r",
        "<meta",
        "<",
        &far,
    ];
    for page in missed {
        assert_eq!(of_page(page.as_bytes()), ("UTF-8", Declared::ByNobody), "{page}");
    }
    assert_eq!(of_page(b"<meta charset=utf-16>"), ("UTF-8", Declared::ByPage));
    assert_eq!(of_page(b"<meta charset=x-user-defined>"), ("windows-1252", Declared::ByPage));
}

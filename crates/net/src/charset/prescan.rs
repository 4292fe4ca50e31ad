//! The encoding that a page declares in its first bytes, by the prescan of the HTML standard.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// How far a declaration is looked for.
const MOST_BYTES: usize = 1024;

/// The encoding that the first `<meta>` with one declares, outside of comments.
pub(super) fn prescan(body: &[u8]) -> Option<&'static Encoding> {
    let mut rest = body.get(..MOST_BYTES).unwrap_or(body);
    while let Some(start) = rest.iter().position(|byte| *byte == b'<') {
        rest = &rest[start..];
        if let Some(comment) = rest.strip_prefix(b"<!--") {
            // `<!-->` is a whole comment, so the end may overlap the beginning.
            let end = rest[2..].windows(3).position(|window| window == b"-->")?;
            rest = comment.get((end + 1)..).unwrap_or_default();
        } else if let Some(attributes) = meta(rest) {
            let (declared, after) = declaration(attributes);
            if declared.is_some() {
                return declared;
            }
            rest = after;
        } else if let Some(tag) = tag(rest) {
            rest = skip_attributes(tag);
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            let end = rest.iter().position(|byte| *byte == b'>')?;
            rest = &rest[end..];
        } else {
            rest = &rest[1..];
        }
    }
    None
}

/// What follows `<meta`, where the bytes begin with that.
fn meta(bytes: &[u8]) -> Option<&[u8]> {
    let (name, rest) = bytes.split_at_checked(5)?;
    let ends = rest.first().is_some_and(|byte| is_space(*byte) || *byte == b'/');
    (name.eq_ignore_ascii_case(b"<meta") && ends).then_some(rest)
}

/// What follows the name of a tag, where the bytes begin with a tag.
fn tag(bytes: &[u8]) -> Option<&[u8]> {
    let name = bytes.strip_prefix(b"</").or_else(|| bytes.strip_prefix(b"<"))?;
    if !name.first()?.is_ascii_alphabetic() {
        return None;
    }
    let end = name.iter().position(|byte| is_space(*byte) || *byte == b'>').unwrap_or(name.len());
    Some(&name[end..])
}

fn skip_attributes(mut bytes: &[u8]) -> &[u8] {
    while let Some((_, rest)) = attribute(bytes) {
        bytes = rest;
    }
    bytes
}

/// What the attributes of a `<meta>` declare, and what follows them.
fn declaration(mut bytes: &[u8]) -> (Option<&'static Encoding>, &[u8]) {
    let mut seen = Vec::new();
    while let Some((attribute, rest)) = attribute(bytes) {
        bytes = rest;
        seen.push(attribute);
    }
    // Of two attributes with one name the first counts.
    let value = |name: &str| {
        seen.iter().find(|attribute| attribute.name == name.as_bytes()).map(|found| &found.value[..])
    };
    let is_pragma = value("http-equiv").is_some_and(|value| value == b"content-type");
    let label = match (value("charset"), value("content")) {
        (Some(charset), _) => Some(charset),
        (None, Some(content)) if is_pragma => charset_of(content),
        (None, _) => None,
    };
    (label.and_then(Encoding::for_label).map(as_declared), bytes)
}

/// A page whose declaration can be read byte by byte is not in UTF-16, whatever it says.
fn as_declared(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// The label in `text/html; charset=…`, which is in lower case.
fn charset_of(mut content: &[u8]) -> Option<&[u8]> {
    loop {
        let at = content.windows(7).position(|window| window == b"charset")?;
        content = content[at + 7..].trim_ascii_start();
        let Some(value) = content.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        return match value.first()? {
            quote @ (b'"' | b'\'') => value[1..].split(|byte| byte == quote).next().filter(|inner| {
                // A quote that is never closed is no value.
                inner.len() + 1 < value.len()
            }),
            _ => value.split(|byte| is_space(*byte) || *byte == b';').next(),
        };
    }
}

/// One attribute, both parts in lower case.
struct Attribute {
    name: Vec<u8>,
    value: Vec<u8>,
}

/// The next attribute of a tag and what follows it; none at the end of the tag.
fn attribute(bytes: &[u8]) -> Option<(Attribute, &[u8])> {
    let start = bytes.iter().position(|byte| !is_space(*byte) && *byte != b'/')?;
    let bytes = &bytes[start..];
    if bytes[0] == b'>' {
        return None;
    }
    // An equals sign at the beginning is part of the name.
    let ends = |byte: &u8| is_space(*byte) || matches!(byte, b'=' | b'/' | b'>');
    let length = 1 + bytes[1..].iter().position(ends).unwrap_or(bytes.len() - 1);
    let (name, rest) = bytes.split_at(length);
    let attribute =
        |value: &[u8]| Attribute { name: name.to_ascii_lowercase(), value: value.to_ascii_lowercase() };
    let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else { return Some((attribute(b""), rest)) };
    let value = value.trim_ascii_start();
    match value.first()? {
        quote @ (b'"' | b'\'') => {
            let end = value[1..].iter().position(|byte| byte == quote)? + 1;
            Some((attribute(&value[1..end]), &value[end + 1..]))
        }
        _ => {
            let end = value.iter().position(|byte| is_space(*byte) || *byte == b'>')?;
            Some((attribute(&value[..end]), &value[end..]))
        }
    }
}

/// White space as HTML has it, which is ASCII white space without the vertical tab.
fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

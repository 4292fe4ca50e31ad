//! The HTML that stands in Markdown: tags, comments and text told apart.

use std::ops::Range;

/// A piece of an HTML fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// Text between tags.
    Text(Range<usize>),
    /// A tag, by its name as written.
    Tag(&'t str),
    /// A comment: the range of what stands inside it, and of the whole.
    Comment {
        /// Between the marks.
        inner: Range<usize>,
        /// With them.
        outer: Range<usize>,
    },
}

/// Tags at which a run of text ends.
pub(crate) const BLOCK_TAGS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];

/// Takes a fragment apart. Offsets are those of `text`; a comment without an end runs to the end.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some(body) = rest.strip_prefix("<!--") {
            let inner = at + 4;
            let (inner_end, end) = match body.find("-->") {
                Some(length) => (inner + length, inner + length + 3),
                None => (text.len(), text.len()),
            };
            pieces.push(Piece::Comment { inner: inner..inner_end, outer: at..end });
            at = end;
        } else if let Some((name, length)) = tag(rest) {
            pieces.push(Piece::Tag(name));
            at += length;
        } else {
            let next = rest.char_indices().skip(1).find(|(_, c)| *c == '<');
            let length = next.map_or(rest.len(), |(index, _)| index);
            match pieces.last_mut() {
                Some(Piece::Text(range)) if range.end == at => range.end += length,
                _ => pieces.push(Piece::Text(at..at + length)),
            }
            at += length;
        }
    }
    pieces
}

/// The name and length of the tag that the text starts with.
fn tag(text: &str) -> Option<(&str, usize)> {
    let body = text.strip_prefix('<')?;
    let name = body.strip_prefix(['/', '!', '?']).unwrap_or(body);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let name_length = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(name.len());
    let mut quote = None;
    for (index, c) in text.char_indices() {
        match (quote, c) {
            (None, '>') => return Some((&name[..name_length], index + 1)),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    #[test]
    fn comments_tags_and_text() {
        let text = "a <b title='x > y'>c</b> <!-- d <e> --> 1 < 2 <!-- open";
        assert_eq!(
            pieces(text),
            [
                Piece::Text(0..2),
                Piece::Tag("b"),
                Piece::Text(19..20),
                Piece::Tag("b"),
                Piece::Text(24..25),
                Piece::Comment { inner: 29..36, outer: 25..39 },
                Piece::Text(39..46),
                Piece::Comment { inner: 50..55, outer: 46..55 },
            ]
        );
    }
}

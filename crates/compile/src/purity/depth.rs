//! How deep a source is nested, before anything walks over it.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// How deep brackets may stand in brackets.
const MOST_DEEP: usize = 100;

/// How many words and signs may stand between two that divide: each of them may nest what follows.
const MOST_LONG: usize = 2000;

/// Where a source is nested so deeply that a walk over it would take more stack than there is.
pub(super) fn too_deep(tokens: TokenStream) -> Option<Span> {
    let mut open = vec![(tokens, 0)];
    while let Some((tokens, depth)) = open.pop() {
        let (mut long, mut angles) = (0, 0_usize);
        for token in tokens {
            let divides = match &token {
                TokenTree::Punct(sign) => matches!(sign.as_char(), ',' | ';'),
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Ident(_) | TokenTree::Literal(_) => false,
            };
            long = if divides { 0 } else { long + 1 };
            angles = match &token {
                TokenTree::Punct(sign) if sign.as_char() == '<' => angles + 1,
                TokenTree::Punct(sign) if sign.as_char() == '>' => angles.saturating_sub(1),
                TokenTree::Punct(sign) if sign.as_char() == ';' => 0,
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => 0,
                _ => angles,
            };
            if depth + angles > MOST_DEEP || long > MOST_LONG {
                return Some(token.span());
            }
            if let TokenTree::Group(group) = token {
                open.push((group.stream(), depth + 1));
            }
        }
    }
    None
}

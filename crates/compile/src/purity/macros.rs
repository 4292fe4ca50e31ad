//! What stands between the brackets of a macro.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, Pat, Token};

/// The arguments of an allowed macro.
pub(super) struct Arguments {
    pub(super) values: Vec<Expr>,
    pub(super) pattern: Option<Pat>,
}

/// `format!(…)` and those like it: values with commas between them.
pub(super) struct Values(pub(super) Arguments);

/// `vec![value; count]`, or values.
pub(super) struct Elements(pub(super) Arguments);

/// `matches!(value, pattern if guard)`.
pub(super) struct Matched(pub(super) Arguments);

impl Parse for Values {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let values = Punctuated::<Expr, Token![,]>::parse_terminated(input)?.into_iter().collect();
        Ok(Values(Arguments { values, pattern: None }))
    }
}

impl Parse for Elements {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.is_empty() {
            return Ok(Elements(Arguments { values: Vec::new(), pattern: None }));
        }
        let mut values = vec![input.parse()?];
        let repeats = input.peek(Token![;]);
        if repeats {
            input.parse::<Token![;]>()?;
            values.push(input.parse()?);
        }
        while !repeats && !input.is_empty() {
            input.parse::<Token![,]>()?;
            if !input.is_empty() {
                values.push(input.parse()?);
            }
        }
        Ok(Elements(Arguments { values, pattern: None }))
    }
}

impl Parse for Matched {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut values = vec![input.parse()?];
        input.parse::<Token![,]>()?;
        let pattern = Some(Pat::parse_multi_with_leading_vert(input)?);
        if input.peek(Token![if]) {
            input.parse::<Token![if]>()?;
            values.push(input.parse()?);
        }
        input.parse::<Option<Token![,]>>()?;
        Ok(Matched(Arguments { values, pattern }))
    }
}

/// What a text that is formatted shows beside what values say of themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    /// Where a value lies in memory.
    Addresses,
    /// A value as its programmer sees it.
    Insides,
}

/// What the text of a macro shows, where one of its values is a text.
pub(super) fn shows(value: &Expr) -> Option<Shows> {
    let Expr::Lit(literal) = value else { return None };
    let Lit::Str(text) = &literal.lit else { return None };
    let text = text.value().replace("{{", "");
    text.split('{').skip(1).find_map(|rest| {
        let (_, how) = rest.split('}').next()?.split_once(':')?;
        match how.trim_end().chars().last() {
            Some('p') => Some(Shows::Addresses),
            Some('?') => Some(Shows::Insides),
            _ => None,
        }
    })
}

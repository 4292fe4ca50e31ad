//! Text of other people in files of ours: what cannot be seen, or changes how the rest is seen, is
//! spelled out.

/// The text with control characters, those that turn the direction of text, and those that spell something that
/// nobody sees, as `\u{…}`. White space stays as it is.
pub fn visible(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    for c in text.chars() {
        let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        let hides =
            matches!(c, '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e01ef}');
        if turns || hides || (c.is_control() && !c.is_whitespace()) {
            seen.extend(c.escape_unicode());
        } else {
            seen.push(c);
        }
    }
    seen
}

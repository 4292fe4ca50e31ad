//! What a model reads in a text and no person sees.

/// The text as a model may read it: letters that nobody sees are spelled out, and what only parts letters is left out.
pub(super) fn spelled_out(text: &str) -> String {
    text.chars().filter(|c| !parts_letters(*c)).map(|c| tag(c).unwrap_or(c)).collect()
}

/// Whether a text says something that nobody sees, or shows it in another order than it says it.
pub(super) fn says_unseen(text: &str) -> bool {
    /// The letters of the longest flag, and what ends them.
    const LONGEST_FLAG: usize = 7;
    let mut flag = 0;
    let mut selected = false;
    for c in text.chars() {
        let is_tag = matches!(c, '\u{e0000}'..='\u{e007f}');
        if is_tag && flag == 0 || turns_by_force(c) || selected && selects_a_form(c) {
            return true;
        }
        selected = selects_a_form(c);
        flag = match c {
            '\u{1f3f4}' => LONGEST_FLAG,
            _ if is_tag => flag - 1,
            _ => 0,
        };
    }
    false
}

/// The letter of an invisible tag.
fn tag(c: char) -> Option<char> {
    let letter = u32::from(c).checked_sub(0xe0000).filter(|letter| (0x20..0x7f).contains(letter))?;
    char::from_u32(letter)
}

fn parts_letters(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
    )
}

fn turns_by_force(c: char) -> bool {
    matches!(c, '\u{202d}' | '\u{202e}')
}

/// One chooses the form of the character before it; several in a row have nothing to choose, and spell bytes.
fn selects_a_form(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

//! What marks an item of a list.

use super::ListKind;
use crate::pattern::Pattern;

static FIELD: Pattern = Pattern::new(r"^:([^: ](?:[^:\\]|\\.|:[^ `])*):(?: +|$)");
static OPTIONS: Pattern = Pattern::new(concat!(
    r"^((?:(?:-|\+)[a-zA-Z0-9](?: ?(?:[a-zA-Z][a-zA-Z0-9_-]*|<[^<>]+>))?|(?:--|/)[a-zA-Z0-9][a-zA-Z0-9_-]*(?:[ =](?:[a-zA-Z][a-zA-Z0-9_-]*|<[^<>]+>))?)",
    r"(?:, (?:(?:-|\+)[a-zA-Z0-9](?: ?(?:[a-zA-Z][a-zA-Z0-9_-]*|<[^<>]+>))?|(?:--|/)[a-zA-Z0-9][a-zA-Z0-9_-]*(?:[ =](?:[a-zA-Z][a-zA-Z0-9_-]*|<[^<>]+>))?))*)(?:  +| ?$)",
));

/// The kind of item that a line begins, its marker, and how many bytes there are before its text.
pub(super) fn marker<'t>(line: &'t str, below: Option<&str>) -> Option<(ListKind, &'t str, usize)> {
    match line.chars().next()? {
        bullet @ ('-' | '+' | '*' | '\u{2022}' | '\u{2023}' | '\u{2043}') => {
            let rest = &line[bullet.len_utf8()..];
            if rest.is_empty() || rest.starts_with(' ') {
                let blanks = rest.len() - rest.trim_start_matches(' ').len();
                let marker = &line[..bullet.len_utf8()];
                return Some((ListKind::Bullet, marker, bullet.len_utf8() + blanks));
            }
            options(line)
        }
        '/' => options(line),
        ':' => field(line).map(|(name, bytes)| (ListKind::Field, name, bytes)),
        _ => enumerator(line, below),
    }
}

fn options(line: &str) -> Option<(ListKind, &str, usize)> {
    let marker = *OPTIONS.groups(line).first()?;
    Some((ListKind::Option, marker, after(line, marker.len())))
}

/// The name of a field, and how many bytes there are before its value.
pub(super) fn field(line: &str) -> Option<(&str, usize)> {
    if !line.starts_with(':') {
        return None;
    }
    let name = FIELD.groups(line).into_iter().next().filter(|name| !name.ends_with(' '))?;
    Some((name, after(line, name.len() + 2)))
}

/// How many bytes there are before the text that follows `from` and blanks.
fn after(line: &str, from: usize) -> usize {
    let rest = line.get(from..).unwrap_or_default();
    line.len().min(from) + rest.len() - rest.trim_start_matches(' ').len()
}

/// A number, a letter or a Roman numeral, with a full stop or a bracket. The line below must be blank,
/// indented, or the next item, as a sentence may begin with a number.
fn enumerator<'t>(line: &'t str, below: Option<&str>) -> Option<(ListKind, &'t str, usize)> {
    let (marker, ordinal) = enumerated(line)?;
    let bytes = after(line, marker.len());
    let follows = below.is_none_or(|below| {
        below.is_empty()
            || below.starts_with(' ')
            || enumerated(below).is_some_and(|(next, number)| {
                let same = next.ends_with(')') == marker.ends_with(')')
                    && next.starts_with('(') == marker.starts_with('(');
                same && number.continues(ordinal)
            })
    });
    follows.then_some((ListKind::Enumerated, marker, bytes))
}

/// What an enumerator stands for: some read in more than one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ordinal {
    arabic: Option<u64>,
    letter: Option<u64>,
    roman: Option<u64>,
    is_upper: bool,
}

impl Ordinal {
    fn continues(self, before: Ordinal) -> bool {
        let one_more = |this: Option<u64>, that: Option<u64>| {
            this.zip(that).is_some_and(|(a, b)| Some(a) == b.checked_add(1))
        };
        let is_auto = self.arabic.is_none() && self.letter.is_none() && self.roman.is_none();
        is_auto
            || one_more(self.arabic, before.arabic)
            || self.is_upper == before.is_upper
                && (one_more(self.letter, before.letter) || one_more(self.roman, before.roman))
    }
}

fn enumerated(line: &str) -> Option<(&str, Ordinal)> {
    let bare = line.strip_prefix('(');
    let text = bare.unwrap_or(line);
    let length = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let length = if text.starts_with('#') { 1 } else { length };
    let end =
        text.get(length..)?.chars().next().filter(|end| *end == ')' || (*end == '.' && bare.is_none()))?;
    let marker = &line[..line.len() - text.len() + length + end.len_utf8()];
    let rest = &line[marker.len()..];
    if length == 0 || !(rest.is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let number = &text[..length];
    let is_upper = number.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_lower = number.bytes().all(|byte| byte.is_ascii_lowercase());
    let letter = number.bytes().next().filter(|_| length == 1 && (is_upper || is_lower));
    let ordinal = Ordinal {
        arabic: number.parse().ok(),
        letter: letter.map(|letter| u64::from(letter.to_ascii_lowercase() - b'a') + 1),
        roman: if is_upper || is_lower { roman(&number.to_ascii_uppercase()) } else { None },
        is_upper,
    };
    let is_known =
        number == "#" || ordinal.arabic.is_some() || ordinal.letter.is_some() || ordinal.roman.is_some();
    is_known.then_some((marker, ordinal))
}

/// The number that a Roman numeral writes, where it is one.
fn roman(text: &str) -> Option<u64> {
    const PARTS: [(&str, u64); 13] = [
        ("M", 1000),
        ("CM", 900),
        ("D", 500),
        ("CD", 400),
        ("C", 100),
        ("XC", 90),
        ("L", 50),
        ("XL", 40),
        ("X", 10),
        ("IX", 9),
        ("V", 5),
        ("IV", 4),
        ("I", 1),
    ];
    let (mut rest, mut number) = (text, 0);
    for (index, (part, value)) in PARTS.iter().enumerate() {
        // Four of the greatest, three of the other powers of ten, one of the rest.
        let most = match index {
            0 => 4,
            _ if index % 4 == 0 => 3,
            _ => 1,
        };
        for _ in 0..most {
            let Some(behind) = rest.strip_prefix(part) else { break };
            rest = behind;
            number += value;
        }
    }
    (rest.is_empty() && number > 0).then_some(number)
}

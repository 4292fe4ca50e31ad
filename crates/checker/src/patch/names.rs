//! The names in the headers of a diff.

/// The name of no file.
pub(super) const NULL: &str = "/dev/null";

/// What git puts before a name, by its configuration, with a `/`: never the same before both.
const PREFIXES: &str = "abciow12";

/// The two names of a `diff --git` line, without prefixes, where they are the same: only then can
/// names with blanks be told apart. Others stand in lines of their own below it.
pub(super) fn of_header(text: &str) -> Option<(String, String)> {
    let pair = if text.starts_with('"') {
        let (old, rest) = quoted(text)?;
        (old, one(rest.strip_prefix(' ')?)?)
    } else if let Some(at) = text.find(" \"").filter(|_| text.ends_with('"')) {
        (text[..at].to_owned(), one(&text[at + 1..])?)
    } else {
        return text
            .match_indices(' ')
            .map(|(at, _)| (text[..at].to_owned(), text[at + 1..].to_owned()))
            .find_map(same);
    };
    same(pair)
}

/// Two names without their prefixes, where what is left is the same.
fn same((old, new): (String, String)) -> Option<(String, String)> {
    if old == new {
        return Some((old, new));
    }
    stripped(&old, &new).filter(|(old, new)| old == new)
}

/// The names above hunks, without their prefixes.
pub(super) fn without_prefixes((old, new): (String, String)) -> (String, String) {
    let bare = |name: &str, prefix: &str| name.strip_prefix(prefix).unwrap_or(name).to_owned();
    if old == NULL || new == NULL {
        return (bare(&old, "a/"), bare(&new, "b/"));
    }
    stripped(&old, &new).unwrap_or((old, new))
}

fn stripped(old: &str, new: &str) -> Option<(String, String)> {
    let rest = |name: &str| {
        let (prefix, rest) = name.split_once('/')?;
        (prefix.len() == 1 && PREFIXES.contains(prefix)).then(|| rest.to_owned())
    };
    if old.get(..1) == new.get(..1) { None } else { rest(old).zip(rest(new)) }
}

/// One name, quoted or not. What stands behind a tab is a time.
pub(super) fn one(text: &str) -> Option<String> {
    if text.starts_with('"') {
        let (name, rest) = quoted(text)?;
        return (rest.is_empty() || rest.starts_with('\t')).then_some(name);
    }
    Some(text.split('\t').next().unwrap_or(text).to_owned())
}

/// A name in quotation marks, as git and C write one, and what follows it. None where it does not
/// end or has an escape that neither knows. Bytes that are no UTF-8 are replaced.
pub fn quoted(text: &str) -> Option<(String, &str)> {
    let mut bytes = Vec::new();
    let mut rest = text.strip_prefix('"')?;
    loop {
        let at = rest.find(['"', '\\'])?;
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        if rest[at..].starts_with('"') {
            return Some((String::from_utf8_lossy(&bytes).into_owned(), &rest[at + 1..]));
        }
        let escape = &rest[at + 1..];
        let octal = escape.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
        let length = if octal > 0 { octal } else { 1 };
        bytes.push(match escape.bytes().next()? {
            _ if octal > 0 => u8::from_str_radix(escape.get(..octal)?, 8).ok()?,
            b'a' => 0x07,
            b'b' => 0x08,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 0x0b,
            b'f' => 0x0c,
            b'r' => b'\r',
            other @ (b'"' | b'\\') => other,
            _ => return None,
        });
        rest = escape.get(length..)?;
    }
}

//! Marks of outputs that were cut.

use polc_checker::evidence::Output;

const CLIPPED: &str = "<response clipped>";

/// How the notes begin that stand amid a text, where its middle was cut out.
const NOTES_AMID: [&str; 2] =
    ["Due to the max output limit, only part of ", "To save on context only part of "];

/// An output of an editor or a shell that marks what it clipped: at the end, or amid the text, with one of the notes that
/// belong there. The mark is taken out. A text that speaks of clipping is not cut.
pub(crate) fn clipped(text: &str) -> Output {
    let above = above_mark(text);
    let mut parts = above.unwrap_or(text).split(CLIPPED);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    let mut truncated = above.is_some();
    for part in parts {
        let below = part.strip_prefix("<NOTE>").and_then(|part| part.split_once("</NOTE>"));
        match below.filter(|(note, _)| NOTES_AMID.iter().any(|begin| note.starts_with(begin))) {
            Some((_, below)) => {
                truncated = true;
                kept.push('\n');
                kept.push_str(below);
            }
            None => kept.extend([CLIPPED, part]),
        }
    }
    Output { text: kept, truncated }
}

/// What stands above a mark at the end of a text, with a note or without one.
fn above_mark(text: &str) -> Option<&str> {
    let (above, note) = text.trim_end().rsplit_once(CLIPPED)?;
    let note = note.trim_start();
    let within = note.strip_prefix("<NOTE>").and_then(|note| note.strip_suffix("</NOTE>"));
    (note.is_empty() || within.is_some_and(|note| !note.contains("</NOTE>"))).then_some(above)
}

/// An output without the lines that stand where something was cut out; none if there are no such lines.
pub(crate) fn without_lines(text: &str, is_mark: impl Fn(&str) -> bool) -> Option<Output> {
    let kept: Vec<&str> = text.split('\n').filter(|line| !is_mark(line)).collect();
    let text = (kept.len() < text.split('\n').count()).then(|| kept.join("\n"))?;
    Some(Output { text, truncated: true })
}

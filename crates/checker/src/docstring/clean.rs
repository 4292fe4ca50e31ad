//! The text of a docstring without its indentation, as `inspect.cleandoc` gives it.

/// What Python counts as white space.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\x1c'..='\x1f')
}

/// Tabs as blanks up to the next eighth column.
pub(super) fn expand_tabs(text: &str) -> String {
    if !text.contains('\t') {
        return text.to_owned();
    }
    let mut expanded = String::with_capacity(text.len());
    let mut column = 0;
    for c in text.chars() {
        match c {
            '\t' => {
                let blanks = 8 - column % 8;
                expanded.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
            }
            '\n' | '\r' => {
                expanded.push(c);
                column = 0;
            }
            _ => {
                expanded.push(c);
                column += 1;
            }
        }
    }
    expanded
}

/// The lines, and how many were taken off at the top.
pub(super) fn clean(value: &str) -> (usize, Vec<String>) {
    let expanded = expand_tabs(value);
    let all: Vec<&str> = expanded.split('\n').collect();
    let indent = |line: &&str| {
        let content = line.trim_start_matches(is_space);
        (!content.is_empty()).then(|| line[..line.len() - content.len()].chars().count())
    };
    let margin = all.iter().skip(1).filter_map(indent).min().unwrap_or(0);
    let cut = |line: &str| line.char_indices().nth(margin).map_or("", |(at, _)| &line[at..]).to_owned();
    let mut lines: Vec<String> = Vec::with_capacity(all.len());
    lines.extend(all.first().map(|first| first.trim_start_matches(is_space).to_owned()));
    lines.extend(all.iter().skip(1).map(|line| if margin == 0 { (*line).to_owned() } else { cut(line) }));
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let skipped = lines.iter().take_while(|line| line.is_empty()).count();
    lines.drain(..skipped);
    (skipped, lines)
}

/// The text of a docstring as Python's `inspect.cleandoc` gives it.
pub fn cleandoc(value: &str) -> String {
    clean(value).1.join("\n")
}

/// For each line of a string's value, how many lines below its first it stands in the source: a backslash
/// at the end of a line joins two, and `\n` parts what stands on one.
pub(super) fn source_lines(written: &str, is_raw: bool) -> Vec<usize> {
    let mut lines = vec![0];
    let mut below = 0;
    let mut is_empty = true;
    let mut chars = written.chars().peekable();
    while let Some(c) = chars.next() {
        let mut ends = false;
        match c {
            '\n' => {
                below += 1;
                ends = true;
            }
            // A lone one ends a line for Python, and none of a difference.
            '\r' => ends = chars.peek() != Some(&'\n'),
            '\\' if !is_raw => match chars.next() {
                Some('\n') => below += 1,
                Some('\r') => below += usize::from(chars.next_if_eq(&'\n').is_some()),
                Some('n') => ends = true,
                _ => is_empty = false,
            },
            _ => is_empty = false,
        }
        if ends {
            lines.push(below);
            is_empty = true;
        } else if is_empty && let Some(last) = lines.last_mut() {
            // A line that begins with a joined one stands where its text does.
            *last = below;
        }
    }
    lines
}

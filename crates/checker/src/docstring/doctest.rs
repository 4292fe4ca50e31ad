//! Examples as Python's `doctest` finds them.

use super::clean::expand_tabs;
use std::ops::RangeInclusive;

/// An example: code behind prompts, and the output that is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Its code, without prompts.
    pub source: String,
    /// The output that is expected, with its line ends; empty where there is none.
    pub want: String,
    /// The options that it sets: `+SKIP`, `-ELLIPSIS`.
    pub options: Vec<String>,
    /// Its lines, output included; numbered as in the file where it is read from one.
    pub lines: RangeInclusive<usize>,
    /// Blanks before its prompt.
    pub indent: usize,
    /// Why `doctest` refuses the whole text on account of it.
    pub fault: Option<&'static str>,
}

impl Example {
    /// Whether an option turns it off.
    pub fn is_skipped(&self) -> bool {
        self.options.iter().any(|option| option == "+SKIP")
    }
}

fn blanks(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn behind<'t>(line: &'t str, mark: &str) -> Option<&'t str> {
    line.trim_start_matches(' ').strip_prefix(mark)
}

/// The examples of a docstring's value; lines count from 0. Code that is nothing but a comment is none, as
/// for `doctest`.
pub fn examples(value: &str) -> Vec<Example> {
    if !value.contains(">>>") {
        return Vec::new();
    }
    let expanded = expand_tabs(value);
    let lines: Vec<&str> = expanded.split('\n').collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if behind(lines[at], ">>>").is_none() {
            at += 1;
            continue;
        }
        let goes_on = lines[at + 1..].iter().take_while(|line| behind(line, "...").is_some()).count();
        let output = at + 1 + goes_on;
        let is_output =
            |line: &&&str| !line.trim_start_matches(' ').is_empty() && behind(line, ">>>").is_none();
        let end = output + lines[output..].iter().take_while(is_output).count();
        let example = read(&lines[at..output], &lines[output..end], at..=end - 1);
        let code = example.source.strip_suffix('\n').unwrap_or_default().trim_start_matches(' ');
        let is_empty = !code.contains('\n') && (code.is_empty() || code.starts_with('#'));
        if !is_empty || example.fault.is_some() {
            found.push(example);
        }
        at = end;
    }
    found
}

fn read(code: &[&str], output: &[&str], lines: RangeInclusive<usize>) -> Example {
    let indent = code.first().map_or(0, |first| blanks(first));
    let mut fault = None;
    let mut source: Vec<&str> = Vec::new();
    for line in code {
        let own = blanks(line);
        if own < indent {
            fault = Some("a line of code is indented less than its prompt");
        }
        // What stands behind the column of the prompt and a blank.
        let rest = line.get(indent + 3..).unwrap_or_default();
        if rest.chars().next().is_some_and(|next| next != ' ') {
            fault = Some("no blank stands behind a prompt");
        }
        source.push(rest.get(1..).unwrap_or_default());
    }
    let mut want = String::new();
    for line in output {
        if blanks(line) < indent {
            fault = Some("a line of output is indented less than its prompt");
        }
        want.push_str(line.get(indent..).unwrap_or_default());
        want.push('\n');
    }
    let options = source.iter().flat_map(|line| options(line)).collect();
    let mut source = source.join("\n");
    if !source.ends_with('\n') {
        source.push('\n');
    }
    Example { source, want, options, lines, indent, fault }
}

/// The options behind `# doctest:` on a line.
fn options(line: &str) -> Vec<String> {
    let directive = line.match_indices('#').find_map(|(at, _)| {
        let rest = line[at + 1..].trim_start().strip_prefix("doctest:")?;
        (!rest.contains(['\'', '"'])).then_some(rest)
    });
    let words = directive.unwrap_or_default().split([',', ' ', '\t']);
    words.filter(|word| word.starts_with(['+', '-'])).map(str::to_owned).collect()
}

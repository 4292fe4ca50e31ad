//! References to issues, in the forms that GitHub links: `#12`, `GH-12`, `zoo/ark#12` and full addresses, with
//! the keyword that closes one.

use crate::markdown::Markdown;
use crate::pattern::Pattern;
use std::fmt;

static REFERENCE: Pattern = Pattern::new(concat!(
    r"(?i)(?:\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?[ \t]+)?",
    r"(https?://[^\s/]+/([\w.-]+/[\w.-]+)/(?:-/)?(?:issues|pulls?|merge_requests|discussions)/(\d+)",
    r"|([\w.-]+/[\w.-]+)#(\d+)|GH-(\d+)|#(\d+))",
));

/// What a reference is, in the order of the groups of the pattern.
const NUMBERS: [usize; 4] = [4, 6, 7, 8];

/// A reference to an issue or a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssueReference {
    /// The repository, `zoo/ark`, where one is named.
    pub repository: Option<String>,
    /// Its number.
    pub number: u64,
    /// The word before it that closes the issue, as it is written: `Fixes`.
    pub keyword: Option<String>,
    /// The reference, without the keyword.
    pub text: String,
    /// The number of its line, from 1.
    pub line: usize,
}

impl IssueReference {
    /// Whether merging closes the issue.
    pub fn closes(&self) -> bool {
        self.keyword.is_some()
    }
}

impl fmt::Display for IssueReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.keyword {
            Some(keyword) => write!(f, "{keyword} {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// The references in one line. Spans of code hold none, nor do words (`C#1`) and entities (`&#39;`).
pub fn in_line(text: &str, line: usize) -> Vec<IssueReference> {
    if !may_refer(text) {
        return Vec::new();
    }
    let text = without_spans(text);
    let mut found = Vec::new();
    for groups in REFERENCE.regex().captures_iter(&text) {
        let Some(whole) = groups.get(2) else { continue };
        let before = text[..whole.start()].chars().next_back();
        let after = text[whole.end()..].chars().next();
        let begins = before
            .is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '&' | '#' | '/' | '.' | '@' | '='));
        let ends = after.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_'));
        let number = NUMBERS
            .iter()
            .find_map(|group| groups.get(*group))
            .and_then(|number| number.as_str().parse().ok());
        let (true, true, Some(number)) = (begins, ends, number) else { continue };
        found.push(IssueReference {
            repository: groups.get(3).or(groups.get(5)).map(|name| name.as_str().to_owned()),
            number,
            keyword: groups.get(1).map(|word| word.as_str().to_owned()),
            text: whole.as_str().to_owned(),
            line,
        });
    }
    found
}

/// Every form has one of these. Most lines have none, and need no pattern.
fn may_refer(text: &str) -> bool {
    let is_mark = |mark: &[u8]| mark.eq_ignore_ascii_case(b"GH-");
    text.contains('#') || text.contains("://") || text.as_bytes().windows(3).any(is_mark)
}

/// The references in a text that is no markup, blocks of code between fences left out.
pub fn in_text(text: &str) -> Vec<IssueReference> {
    let mut is_code = false;
    let mut found = Vec::new();
    for (line, number) in text.split('\n').zip(1..) {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            found.extend(in_line(line, number));
        }
    }
    found
}

/// The references in the prose of a page, comments and code left out.
pub fn in_markdown(markdown: &Markdown) -> Vec<IssueReference> {
    markdown.prose().flat_map(|(number, line)| in_line(line, number)).collect()
}

/// A line with blanks in place of its spans of code: a span closes with as many backquotes as it opens with.
fn without_spans(line: &str) -> String {
    if !line.contains('`') {
        return line.to_owned();
    }
    // Runs of backquotes, as place and length; the last run of each length closes the ones before.
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in line.match_indices('`') {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == at => *length += 1,
            _ => runs.push((at, 1)),
        }
    }
    let mut last = std::collections::BTreeMap::new();
    for (index, (_, length)) in runs.iter().enumerate() {
        last.insert(*length, index);
    }
    let (mut out, mut from, mut index) = (String::with_capacity(line.len()), 0, 0);
    while let Some((start, length)) = runs.get(index).copied() {
        let is_closed = last.get(&length).is_some_and(|last| *last > index);
        let close = is_closed.then(|| (index + 1..runs.len()).find(|at| runs[*at].1 == length)).flatten();
        let Some(close) = close else {
            index += 1;
            continue;
        };
        out.push_str(&line[from..start]);
        out.push_str("` `");
        from = runs[close].0 + length;
        index = close + 1;
    }
    out.push_str(&line[from..]);
    out
}

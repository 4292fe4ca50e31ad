//! Commit messages, read as git reads them.

use crate::pattern::Pattern;
use serde::{Deserialize, Serialize};

/// A reference to an issue: `#12`, `GH-12`, `zoo/ark#12` or its address.
pub static ISSUE: Pattern = Pattern::new(r"\B#\d+\b|\bGH-\d+\b|\b[\w.-]+/[\w.-]+#\d+\b|\S+/issues/\d+\b");

/// The name of a known AI tool.
pub static AI_TOOL: Pattern =
    Pattern::new(r"(?i)\b(claude|copilot|chatgpt|codex|gemini|cursor|devin|gpt-\d\w*)\b");

/// Imperatives with the ending of another form.
const IMPERATIVES: [&str; 17] = [
    "bring", "canvas", "embed", "exceed", "feed", "heed", "need", "ping", "proceed", "seed", "shed", "speed",
    "spring", "string", "succeed", "swing", "weed",
];

/// The first word of a line, where it has the ending of a past tense, a participle or a third person.
pub fn not_imperative(line: &str) -> Option<&str> {
    let word = line.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty())?;
    let lower = word.to_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
    let past = ends(&["ed", "ing"]);
    let third_person = lower.ends_with('s') && !ends(&["ss", "us", "is"]);
    ((past || third_person) && !IMPERATIVES.contains(&lower.as_str())).then_some(word)
}

/// A commit message, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Message(String);

/// A trailer: the last paragraph of a message may hold some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trailer {
    /// The name before the separator.
    pub name: String,
    /// The value, folded lines joined.
    pub value: String,
}

/// Lines that git writes itself: with one of them a paragraph may hold other lines too.
const GIT_WRITES: [&str; 2] = ["Signed-off-by: ", "(cherry picked from commit "];

impl Message {
    /// A message.
    pub fn new(raw: impl Into<String>) -> Self {
        Message(raw.into())
    }

    /// As it is stored.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// The first line that is not blank: what a log of one line a commit begins with.
    pub fn first_line(&self) -> &str {
        self.0.lines().map(str::trim_end).find(|line| !line.is_empty()).unwrap_or_default()
    }

    /// The first paragraph as one line, as `git log --format=%s` shows it.
    pub fn subject(&self) -> String {
        let lines = self.lines();
        let title = lines.iter().skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
        title.copied().collect::<Vec<_>>().join(" ")
    }

    /// The lines after the first one, without the blank lines at either end and without trailers.
    /// A body that no blank line parts from the subject is a body all the same.
    pub fn body(&self) -> Vec<&str> {
        let lines = self.lines();
        let end = self.trailers_start(&lines);
        let start = lines.iter().position(|line| !line.is_empty()).map_or(end, |first| first + 1).min(end);
        let body = &lines[start..end];
        let first = body.iter().position(|line| !line.is_empty()).unwrap_or(body.len());
        let last = body.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
        body[first..last].to_vec()
    }

    /// The paragraphs of the body.
    pub fn body_paragraphs(&self) -> Vec<String> {
        let body = self.body();
        body.split(|line| line.is_empty())
            .filter(|paragraph| !paragraph.is_empty())
            .map(|paragraph| paragraph.join("\n"))
            .collect()
    }

    /// Whether a blank line, or nothing, follows the first line.
    pub fn is_parted_from_its_body(&self) -> bool {
        let lines = self.lines();
        let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
        lines.get(first + 1).is_none_or(|line| line.is_empty())
    }

    /// The trailers, as `git interpret-trailers --parse` lists them.
    pub fn trailers(&self) -> Vec<Trailer> {
        let lines = self.lines();
        let mut trailers: Vec<Trailer> = Vec::new();
        let mut open = false;
        for line in &lines[self.trailers_start(&lines)..] {
            if line.starts_with([' ', '\t']) {
                if let (true, Some(last)) = (open, trailers.last_mut()) {
                    last.value = format!("{} {}", last.value, line.trim()).trim().to_owned();
                }
                continue;
            }
            open = false;
            if let Some(at) = separator(line) {
                let name = line[..at].trim_end().to_owned();
                trailers.push(Trailer { name, value: line[at + 1..].trim().to_owned() });
                open = true;
            }
        }
        trailers
    }

    /// The values of the trailers with a name, in whatever case it is written.
    pub fn trailer(&self, name: &str) -> Vec<String> {
        self.trailers()
            .into_iter()
            .filter(|trailer| trailer.name.eq_ignore_ascii_case(name))
            .map(|trailer| trailer.value)
            .collect()
    }

    fn lines(&self) -> Vec<&str> {
        self.0.split('\n').map(str::trim_end).collect()
    }

    /// The line at which the trailers start, or the number of lines where there are none. Follows
    /// git: the last paragraph, if all of it is trailers, or if git wrote one of its lines and at
    /// least a quarter are trailers. The first paragraph never is.
    fn trailers_start(&self, lines: &[&str]) -> usize {
        // Blank means white space alone; a line that only starts with a blank goes on with the one above.
        let title_end = lines.iter().position(|line| line.is_empty()).unwrap_or(lines.len());
        // Blank lines and comments at the end are not of the message.
        let end = lines
            .iter()
            .rposition(|line| !line.is_empty() && !line.starts_with('#'))
            .map_or(0, |last| last + 1);
        let (mut trailers, mut others, mut continuations) = (0_usize, 0_usize, 0_usize);
        let mut git_wrote = false;
        for index in (title_end..end).rev() {
            let line = lines[index];
            if line.is_empty() {
                others += continuations;
                let is_block = (git_wrote && trailers * 3 >= others) || (trailers > 0 && others == 0);
                return if is_block { index + 1 } else { lines.len() };
            }
            if line.starts_with('#') {
                // A comment, to git.
                others += continuations;
                continuations = 0;
            } else if GIT_WRITES.iter().any(|prefix| line.starts_with(prefix)) {
                trailers += 1;
                continuations = 0;
                git_wrote = true;
            } else if line.starts_with([' ', '\t']) {
                continuations += 1;
            } else if separator(line).is_some() {
                trailers += 1;
                continuations = 0;
            } else {
                others += 1 + continuations;
                continuations = 0;
            }
        }
        lines.len()
    }
}

/// The colon that ends a trailer's name: letters, digits and hyphens before it, then blanks.
fn separator(line: &str) -> Option<usize> {
    let mut blank = false;
    for (index, c) in line.char_indices() {
        match c {
            ':' => return (index > 0).then_some(index),
            _ if !blank && (c.is_ascii_alphanumeric() || c == '-') => {}
            ' ' | '\t' if index > 0 => blank = true,
            _ => return None,
        }
    }
    None
}

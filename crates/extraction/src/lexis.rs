//! Words: a text as tokens, and phrases found in it.

use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A word or a number; inner hyphens, dots, slashes and apostrophes belong to it.
    Word,
    /// A code span with its marks.
    Code,
    /// One punctuation mark.
    Mark,
}

/// A token of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// In lower case, curly apostrophes straight; for a code span, what stands between its marks.
    pub lower: String,
    /// What it is.
    pub kind: TokenKind,
}

/// Takes a quoted text apart.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (length, kind, lower) = if let Some((length, inner)) = code_span(rest) {
            (length, TokenKind::Code, inner.to_lowercase())
        } else if c.is_alphanumeric() || (c == '-' && starts_option(rest)) {
            let length = word_length(rest);
            (length, TokenKind::Word, rest[..length].to_lowercase().replace('’', "'"))
        } else {
            (c.len_utf8(), TokenKind::Mark, c.to_string())
        };
        found.push(Token { range: at..at + length, lower, kind });
        at += length;
    }
    found
}

fn starts_option(text: &str) -> bool {
    text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_alphabetic())
}

fn word_length(text: &str) -> usize {
    let joins = |c: char| matches!(c, '\'' | '’' | '-' | '_' | '.' | '/' | '@' | '+' | '#' | '%');
    let mut length = 0;
    for (index, c) in text.char_indices() {
        if c.is_alphanumeric() || c == '_' {
            length = index + c.len_utf8();
        } else if !joins(c) {
            break;
        }
    }
    length
}

/// The length of the code span that the text starts with, and what stands between its marks.
fn code_span(text: &str) -> Option<(usize, &str)> {
    let role = text.strip_prefix(':').and_then(|rest| {
        let end = rest.find(":`")?;
        let named =
            end > 0 && rest[..end].chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_'));
        named.then_some(end + 2)
    });
    let start = role.unwrap_or(0);
    let marks = text[start..].bytes().take_while(|byte| *byte == b'`').count();
    if marks == 0 {
        return None;
    }
    let mark = &text[start..start + marks];
    let inner = &text[start + marks..];
    let end = inner.find(mark)?;
    Some((start + marks + end + marks, inner[..end].trim()))
}

/// One word of a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    Whole(String),
    Stem(String),
}

impl Pattern {
    fn matches(&self, word: &str) -> bool {
        match self {
            Pattern::Whole(whole) => whole == word,
            Pattern::Stem(stem) => word.starts_with(stem.as_str()),
        }
    }
}

/// A list of phrases, made for looking them up.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub struct Phrases {
    phrases: Vec<Vec<Pattern>>,
    /// By the first word, where it is whole.
    whole: HashMap<String, Vec<usize>>,
    /// Those whose first word is a stem.
    stems: Vec<usize>,
}

impl From<Vec<String>> for Phrases {
    fn from(texts: Vec<String>) -> Self {
        let mut phrases = Phrases::default();
        phrases.extend(&texts);
        phrases
    }
}

impl Phrases {
    /// Adds phrases.
    pub fn extend(&mut self, texts: &[String]) {
        for text in texts {
            let words: Vec<Pattern> = tokens(text)
                .into_iter()
                .fold(Vec::<(Range<usize>, String)>::new(), |mut words, token| {
                    match words.last_mut() {
                        Some((range, word)) if token.lower == "*" && range.end == token.range.start => {
                            word.push('*')
                        }
                        _ => words.push((token.range, token.lower)),
                    }
                    words
                })
                .into_iter()
                .map(|(_, word)| match word.strip_suffix('*') {
                    Some(stem) if !stem.is_empty() => Pattern::Stem(stem.to_owned()),
                    _ => Pattern::Whole(word),
                })
                .collect();
            let index = self.phrases.len();
            match words.first() {
                Some(Pattern::Whole(first)) => self.whole.entry(first.clone()).or_default().push(index),
                Some(Pattern::Stem(_)) => self.stems.push(index),
                None => continue,
            }
            self.phrases.push(words);
        }
    }

    /// The number of tokens of the longest phrase that begins at a token. The words of a code span
    /// are no words of the sentence.
    pub fn at(&self, tokens: &[Token], index: usize) -> Option<usize> {
        let first = tokens.get(index).filter(|token| token.kind != TokenKind::Code)?;
        let whole = self.whole.get(&first.lower).into_iter().flatten();
        whole
            .chain(&self.stems)
            .filter(|phrase| {
                let phrase = &self.phrases[**phrase];
                tokens.len() >= index + phrase.len()
                    && phrase
                        .iter()
                        .zip(&tokens[index..])
                        .all(|(pattern, token)| pattern.matches(&token.lower))
            })
            .map(|phrase| self.phrases[*phrase].len())
            .max()
    }

    /// The first phrase in a list of tokens, as a range of them.
    pub fn find(&self, tokens: &[Token]) -> Option<Range<usize>> {
        (0..tokens.len()).find_map(|index| Some(index..index + self.at(tokens, index)?))
    }

    /// Whether any phrase stands in a list of tokens.
    pub fn any(&self, tokens: &[Token]) -> bool {
        self.find(tokens).is_some()
    }

    /// How many phrases stand in a list of tokens, not overlapping.
    pub fn count(&self, tokens: &[Token]) -> usize {
        let mut index = 0;
        let mut count = 0;
        while index < tokens.len() {
            match self.at(tokens, index) {
                Some(length) => {
                    count += 1;
                    index += length;
                }
                None => index += 1,
            }
        }
        count
    }

    /// Whether a word is one of the phrases.
    pub fn is_word(&self, word: &str) -> bool {
        let matches = |index: &usize| {
            let phrase = &self.phrases[*index];
            phrase.len() == 1 && phrase[0].matches(word)
        };
        self.whole.get(word).into_iter().flatten().chain(&self.stems).any(matches)
    }
}

/// The text that a range of tokens covers.
pub fn covered<'t>(text: &'t str, tokens: &[Token], range: Range<usize>) -> &'t str {
    match tokens.get(range) {
        Some([first, .., last]) => &text[first.range.start..last.range.end],
        Some([only]) => &text[only.range.clone()],
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|token| token.lower).collect()
    }

    #[test]
    fn words_code_and_marks() {
        assert_eq!(
            words("Don’t run `cargo  test`, use ``x y``: --no-verify isn't first-time e.g. upstream/main."),
            [
                "don't",
                "run",
                "cargo  test",
                ",",
                "use",
                "x y",
                ":",
                "--no-verify",
                "isn't",
                "first-time",
                "e.g",
                ".",
                "upstream/main",
                "."
            ]
        );
        assert_eq!(words(":func:`run` and a ` alone"), ["run", "and", "a", "`", "alone"]);
    }

    #[test]
    fn the_longest_phrase_wins_and_stems_match() {
        let phrases = Phrases::from(vec![
            "must".to_owned(),
            "must not".to_owned(),
            "chang*".to_owned(),
            "no *".to_owned(),
        ]);
        let text = tokens("It must not be changed `must`");
        assert_eq!(phrases.find(&text), Some(1..3));
        assert_eq!(phrases.count(&text), 2);
        assert!(phrases.is_word("changes") && !phrases.is_word("not"));
    }
}

//! A frozen row as it is shown to a model, and whether words stand in what was shown.

use crate::classify::facts::is_name;
use crate::lexis::{TokenKind, tokens};
use crate::prompts::{Block, Words};
use polc_records::extraction::{ExtractionRow, SectionContext, compose_applies_to};
use polc_text::document::fold_space;

/// A row as it is shown.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    /// The block that shows it.
    pub(super) block: Block,
    /// Its line in the index.
    pub(super) line: String,
    /// What stands in it, folded.
    all: Vec<String>,
    /// What of that the section says around the rule, folded.
    context: Vec<String>,
}

impl Shown {
    /// Shows a row.
    pub(super) fn new(row: &ExtractionRow) -> Self {
        let mut fields: Vec<(String, String)> = vec![
            ("rule".to_owned(), row.rule.clone()),
            ("quote".to_owned(), row.original.clone()),
            ("section".to_owned(), row.source.section.to_string()),
            ("form".to_owned(), row.notes.form.to_string()),
            ("modal".to_owned(), row.modal.to_string()),
            ("applies to".to_owned(), compose_applies_to(&row.applies_to)),
        ];
        let notes = [
            ("condition", &row.notes.condition),
            ("trigger", &row.notes.trigger),
            ("clause before the quote", &row.notes.preceding),
        ];
        let stated = notes.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text.clone()?)));
        fields.extend(stated);
        let context: Vec<(String, String)> = match &row.context {
            SectionContext::Quotes(quotes) => {
                quotes.iter().map(|quote| (format!("context, {}", quote.kind), quote.quote.clone())).collect()
            }
            SectionContext::Prose(prose) => vec![("context, in somebody's words".to_owned(), prose.clone())],
        };
        let in_context = context.iter().flat_map(|(_, text)| folds(text)).collect();
        fields.extend(context);
        let lines: Vec<String> =
            fields.iter().map(|(name, text)| format!("{name}: {}", one_line(text))).collect();
        Shown {
            block: Block::new(row.id.to_string(), lines.join("\n")),
            line: format!("{}: {}", row.id, one_line(&row.rule)),
            all: fields.iter().flat_map(|(_, text)| folds(text)).collect(),
            context: in_context,
        }
    }

    /// Whether words stand in the row.
    pub(super) fn has(&self, words: &str) -> bool {
        stands(words, &self.all)
    }

    /// The names in it, folded.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().flat_map(|text| names(text))
    }

    /// Whether words stand in what the section says around the rule.
    pub(super) fn has_around(&self, words: &str) -> bool {
        stands(words, &self.context)
    }
}

/// The names in a text: code, and words that have a spelling of their own.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_coded =
        |word: &str| word.contains(|c: char| c.is_ascii_digit()) && word.contains(char::is_alphabetic);
    tokens(text).into_iter().filter_map(move |token| {
        let word = &text[token.range];
        let named = match token.kind {
            TokenKind::Code => true,
            TokenKind::Word => is_name(word) || is_coded(word),
            TokenKind::Mark => false,
        };
        named.then(|| word.trim_matches('`')).filter(|word| word.chars().any(char::is_alphanumeric))
    })
}

/// A text that cannot leave its line. Broken lines are no part of what it says.
fn one_line(text: &str) -> Words {
    Words(fold_space(text))
}

/// A text as it is compared: as it is, and as it was shown.
fn folds(text: &str) -> [String; 2] {
    [fold(text), fold(&one_line(text).to_string())]
}

/// White space, case, the shape of quotation marks and their escapes do not tell words apart.
pub(super) fn fold(text: &str) -> String {
    let plain = text.replace("\\\"", "\"").replace(['“', '”'], "\"").replace(['‘', '’'], "'");
    fold_space(&plain).to_lowercase()
}

fn stands(words: &str, texts: &[String]) -> bool {
    let words = fold(words);
    let has_words = words.chars().any(char::is_alphanumeric);
    has_words && texts.iter().any(|text| text.contains(&words))
}

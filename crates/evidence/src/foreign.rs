//! What the formats of scaffolds share: JSON as they write it, calls that wait for their results, marks of cut outputs.

use crate::transcript::TranscriptError;
use polc_checker::evidence::{Action, Output, Step};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

/// How many values are looked at for the keys that a message names.
const MOST_VALUES: usize = 8;

/// How many keys a message names at most.
const MOST_KEYS: usize = 24;

/// The values of a file: the elements of a list, or one value after another, as in JSON lines.
///
/// # Errors
/// Where it is no JSON.
pub(crate) fn values(text: &str) -> Result<Vec<Value>, TranscriptError> {
    let text = mended(text.trim_start_matches('\u{feff}'));
    let read = serde_json::Deserializer::from_str(&text).into_iter().collect::<Result<Vec<Value>, _>>();
    Ok(elements(read.map_err(|error| TranscriptError::Syntax {
        line: error.line(),
        column: error.column(),
        message: without_place(&error),
    })?))
}

fn elements(mut values: Vec<Value>) -> Vec<Value> {
    match values.as_mut_slice() {
        [Value::Array(list)] => std::mem::take(list),
        _ => values,
    }
}

/// Half a surrogate pair, as an escape that JSON forbids and Python and JavaScript write where they cut a text, becomes
/// the replacement character. Nothing moves.
fn mended(text: &str) -> Cow<'_, str> {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Cow::Borrowed(text);
    }
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut mended = String::with_capacity(text.len());
    let mut rest = 0;
    while let Some(found) = text[rest..].find('\\') {
        let at = rest + found;
        mended.push_str(&text[rest..at]);
        let length = match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                mended.push_str("\\ufffd");
                rest = at + 6;
                continue;
            }
            _ => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
        mended.push_str(&text[at..at + length]);
        rest = at + length;
    }
    mended.push_str(&text[rest..]);
    Cow::Owned(mended)
}

fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.rfind(" at line ").map_or(message.clone(), |at| message[..at].to_owned())
}

/// The error for values that are something else than was looked for.
pub(crate) fn another(message: impl Into<String>, values: &[Value]) -> TranscriptError {
    let mut found = BTreeSet::new();
    for value in values.iter().take(MOST_VALUES) {
        match value {
            Value::Object(map) => found.extend(map.keys().cloned()),
            Value::Array(_) => drop(found.insert("a list".to_owned())),
            Value::String(_) => drop(found.insert("a text".to_owned())),
            Value::Null | Value::Bool(_) | Value::Number(_) => drop(found.insert(value.to_string())),
        }
    }
    let mut found: Vec<String> = found.into_iter().take(MOST_KEYS).collect();
    if found.is_empty() {
        found.push("nothing".to_owned());
    }
    TranscriptError::Another { message: message.into(), found }
}

/// A value as a part of a format.
///
/// # Errors
/// Where something is missing or of another type; the keys are named.
pub(crate) fn typed<T: DeserializeOwned>(what: &str, value: &Value) -> Result<T, TranscriptError> {
    T::deserialize(value)
        .map_err(|error| another(format!("{what} cannot be read: {error}"), std::slice::from_ref(value)))
}

/// For what is good to know and needed by nobody: another type is as good as nothing.
///
/// # Errors
/// Where the value itself cannot be read.
pub(crate) fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    from: D,
) -> Result<Option<T>, D::Error> {
    Ok(T::deserialize(Value::deserialize(from)?).ok())
}

/// The text of a key, if it is one.
pub(crate) fn text_of<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

/// A text, or blocks of which some are texts.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Content {
    /// One text.
    Text(String),
    /// Several blocks.
    Blocks(Vec<Block>),
}

/// A block of a message.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Block {
    /// The text; none of an image.
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) text: Option<String>,
}

impl Content {
    /// The texts, one below another.
    pub(crate) fn joined(&self) -> String {
        match self {
            Content::Text(text) => text.clone(),
            Content::Blocks(blocks) => {
                let texts: Vec<&str> = blocks.iter().filter_map(|block| block.text.as_deref()).collect();
                texts.join("\n")
            }
        }
    }
}

/// Adds what an agent said, unless it is blank.
pub(crate) fn say(said: &mut Vec<String>, text: &str) {
    if !text.trim().is_empty() {
        said.push(text.to_owned());
    }
}

/// Numbers of turns: whatever comes from one answer of the model is one turn.
#[derive(Debug, Default)]
pub(crate) struct Turns(HashMap<String, u32>, u32);

impl Turns {
    /// The number of the turn with an id, from 1.
    pub(crate) fn of(&mut self, id: Option<&str>) -> Option<u32> {
        let id = id?;
        if let Some(number) = self.0.get(id) {
            return Some(*number);
        }
        self.1 += 1;
        self.0.insert(id.to_owned(), self.1);
        Some(self.1)
    }
}

/// Calls in order, and which of them an id names.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    steps: Vec<Step>,
    named: HashMap<String, usize>,
}

impl Calls {
    /// Adds a call. One whose id is known already was copied, as from a session that was taken up again.
    pub(crate) fn add(&mut self, id: Option<&str>, step: Step) {
        if let Some(id) = id {
            if self.named.contains_key(id) {
                return;
            }
            self.named.insert(id.to_owned(), self.steps.len());
        }
        self.steps.push(step);
    }

    /// Lets an id name the call that another names.
    pub(crate) fn alias(&mut self, id: &str, other: &str) {
        if let Some(at) = self.named.get(other) {
            self.named.insert(id.to_owned(), *at);
        }
    }

    /// The call with an id.
    pub(crate) fn named(&mut self, id: &str) -> Option<&mut Step> {
        self.steps.get_mut(*self.named.get(id)?)
    }

    /// The last call.
    pub(crate) fn last(&mut self) -> Option<&mut Step> {
        self.steps.last_mut()
    }

    /// All of them.
    pub(crate) fn into_steps(self) -> Vec<Step> {
        self.steps
    }
}

/// What asks for an address: a page, or a file that a browser is pointed at.
pub(crate) fn fetch(url: &str) -> Action {
    match url.strip_prefix("file://") {
        Some(path) => Action::Read { path: path.to_owned(), lines: None },
        None => Action::Fetch { url: url.to_owned() },
    }
}

/// A tool that has no kind of its own.
pub(crate) fn tool(name: &str, input: &Value) -> Action {
    let input = input.as_str().map_or_else(|| input.to_string(), str::to_owned);
    Action::Tool { name: name.to_owned(), input }
}

/// A call that somebody turned down: it stays a call, and nothing was run, read, written or fetched.
pub(crate) fn not_done(action: &Action) -> Action {
    let (name, input) = match action {
        Action::Shell { command, .. } => ("shell", command.clone()),
        Action::Read { path, .. } => ("read", path.clone()),
        Action::Edit { paths, .. } => ("edit", paths.join("\n")),
        Action::Fetch { url } => ("fetch", url.clone()),
        Action::Tool { .. } => return action.clone(),
    };
    Action::Tool { name: name.to_owned(), input }
}

/// Some lines of a file, or none where all of it was asked for. A negative end is that of the file.
pub(crate) fn lines(from: i64, to: i64) -> Option<(usize, usize)> {
    let from = usize::try_from(from).unwrap_or(1).max(1);
    match usize::try_from(to) {
        Ok(to) => Some((from, to)),
        Err(_) if from == 1 => None,
        Err(_) => Some((from, usize::MAX)),
    }
}

const CLIPPED: &str = "<response clipped>";

/// How the notes begin that stand amid a text, where its middle was cut out.
const NOTES_AMID: [&str; 2] =
    ["Due to the max output limit, only part of ", "To save on context only part of "];

/// An output of an editor or a shell that marks what it clipped: at the end, or amid the text, with one of the notes that
/// belong there. The mark is taken out. A text that speaks of clipping is not cut.
pub(crate) fn clipped(text: &str) -> Output {
    if let Some((kept, note)) = text.trim_end().rsplit_once(CLIPPED) {
        let note = note.trim_start();
        let is_note = note.strip_prefix("<NOTE>").and_then(|note| note.strip_suffix("</NOTE>"));
        if note.is_empty() || is_note.is_some_and(|note| !note.contains("</NOTE>")) {
            return Output { text: kept.to_owned(), truncated: true };
        }
    }
    let mut parts = text.split(CLIPPED);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    let mut truncated = false;
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

/// An output without the lines that stand where something was cut out; none if there are no such lines.
pub(crate) fn without_lines(text: &str, is_mark: impl Fn(&str) -> bool) -> Option<Output> {
    let kept: Vec<&str> = text.split('\n').filter(|line| !is_mark(line)).collect();
    let text = (kept.len() < text.split('\n').count()).then(|| kept.join("\n"))?;
    Some(Output { text, truncated: true })
}

/// The words of a command, if it is a single one: quotes are taken off, nothing is expanded.
pub(crate) fn words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        other => word.push(other),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => match characters.next()? {
                            '\n' => {}
                            escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        other => word.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next()?),
            '\n' | '|' | '&' | ';' | '<' | '>' | '(' | ')' | '`' => return None,
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

/// What a program is called with, as one command: the script alone where a shell was called for it.
pub(crate) fn command_of(arguments: &[String]) -> String {
    if let [shell, flag, script] = arguments {
        let name = shell.rsplit('/').next().unwrap_or(shell);
        if matches!(name, "bash" | "sh" | "zsh" | "dash") && matches!(flag.as_str(), "-lc" | "-c" | "-ic") {
            return script.clone();
        }
    }
    let plain = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./=:,@%+".contains(&byte))
    };
    let quoted: Vec<String> = arguments
        .iter()
        .map(|word| if plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', "'\\''")) })
        .collect();
    quoted.join(" ")
}

/// The files that a patch in the words of `apply_patch` names.
pub(crate) fn patched(patch: &str) -> Vec<String> {
    const HEADS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
    let named =
        |line: &str| HEADS.iter().find_map(|head| line.strip_prefix(head)).map(|path| path.trim().to_owned());
    patch.lines().filter_map(named).collect()
}

//! What a harness adds to the prompt of a task, and what it takes out of a scaffold's own.

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use polc_records::Problem;
use polc_records::ids::{Repository, Slug};
use polc_records::layout::Root;
use polc_records::store::TomlFile;
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Which way an agent gets at the rules (3.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Provision {
    /// It is told where they are published.
    Native {
        /// The addresses.
        places: Vec<String>,
    },
    /// They are in one file of its environment.
    Consolidated {
        /// Its path there.
        rules_file: String,
    },
}

/// A task as benchmarks write them. What else is in the file is for others.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Task {
    /// What names it: `org__repo-number`.
    #[serde(rename = "instance_id", alias = "id")]
    pub id: String,
    /// The repository that it is about.
    pub repo: Option<Repository>,
    /// What is to be done.
    pub problem_statement: Option<String>,
}

impl Task {
    /// A task of which only the name is known.
    pub fn named(id: &str) -> Task {
        Task { id: id.to_owned(), repo: None, problem_statement: None }
    }

    /// Reads a file with tasks: one as JSON, a list of them, or one on each line.
    ///
    /// # Errors
    /// Where it cannot be read or holds something else.
    pub fn read_all(path: &Path) -> Result<Vec<Task>, Problem> {
        let help = "write JSON, or JSON lines, with `instance_id`, `repo` and `problem_statement`";
        let text = std::fs::read_to_string(path)
            .map_err(|error| Problem::new(path, format!("cannot read it: {error}"), help))?;
        if let Ok(task) = serde_json::from_str(&text) {
            return Ok(vec![task]);
        }
        if text.trim_start().starts_with('[') {
            return serde_json::from_str(&text)
                .map_err(|error| Problem::new(path, error.to_string(), help).at(error.line(), None));
        }
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        lines
            .map(|(line, number)| {
                serde_json::from_str(line)
                    .map_err(|error| Problem::new(path, error.to_string(), help).at(number, None))
            })
            .collect()
    }

    /// The repository: as the file has it, else as the name does.
    pub fn repository(&self) -> Option<Repository> {
        let (org, rest) = self.id.split_once("__")?;
        let named = || format!("{org}/{}", rest.rsplit_once('-')?.0).parse().ok();
        self.repo.clone().or_else(named)
    }

    /// The slugs that the project of the task may have, the likelier one first.
    pub fn slugs(&self) -> Vec<Slug> {
        let repository = self.repository();
        let slugs = repository.iter().flat_map(|of| [of.instance_prefix(), of.joined_slug()]);
        slugs.filter_map(Result::ok).collect()
    }
}

/// The parts of the text, in order.
const SCOPE: (&str, &str) = ("stages/task/scope.j2", include_str!("../../../stages/task/scope.j2"));
const NATIVE: (&str, &str) = ("stages/task/native.j2", include_str!("../../../stages/task/native.j2"));
const CONSOLIDATED: (&str, &str) =
    ("stages/task/consolidated.j2", include_str!("../../../stages/task/consolidated.j2"));
const SUBMISSION: (&str, &str) =
    ("stages/task/submission.j2", include_str!("../../../stages/task/submission.j2"));
const CONFLICTS: (&str, &str) =
    ("stages/task/conflicts.toml", include_str!("../../../stages/task/conflicts.toml"));

#[derive(Serialize)]
struct Values<'v> {
    repository: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<&'v [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules_file: Option<&'v str>,
    submit: &'v str,
}

/// The text that is added to a task: scope, rules, submission.
///
/// # Errors
/// Where a template of the root cannot be read or filled.
pub fn render(
    root: &Root,
    repository: &Repository,
    provision: &Provision,
    submit: &str,
) -> Result<String, Problem> {
    let (rules, places, rules_file) = match provision {
        Provision::Native { places } => (NATIVE, Some(places.as_slice()), None),
        Provision::Consolidated { rules_file } => (CONSOLIDATED, None, Some(rules_file.as_str())),
    };
    let values = Values { repository: repository.to_string(), places, rules_file, submit };
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut sections = Vec::new();
    for (path, built_in) in [SCOPE, rules, SUBMISSION] {
        let data = root.data(path, built_in)?;
        let filled = environment.render_str(&data.text, Value::from(Serde(&values))).map_err(|error| {
            let help = "correct the template; remove the file to go by the one that is built in";
            Problem::new(&data.path, error.to_string(), help).at(error.line().unwrap_or(1), None)
        })?;
        sections.push(format!("{}\n", filled.trim()));
    }
    Ok(sections.join("\n"))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Conflicts {
    #[serde(rename = "schema")]
    _schema: u32,
    conflict: Vec<Conflict>,
}

impl TomlFile for Conflicts {
    const SCHEMA: u32 = 1;
    const WHAT: &'static str = "list of conflicts";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Conflict {
    pattern: String,
    why: String,
}

/// A sentence that was taken out of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stripped {
    /// The line that it began on, from 1.
    pub line: usize,
    /// The sentence, on one line.
    pub text: String,
    /// What it contradicts.
    pub why: String,
}

/// Takes out of a prompt what contradicts the text that is added.
///
/// # Errors
/// Where the list of patterns cannot be read, or a pattern of it is none.
pub fn strip(root: &Root, prompt: &str) -> Result<(String, Vec<Stripped>), Problem> {
    let data = root.data(CONFLICTS.0, CONFLICTS.1)?;
    let conflicts: Conflicts = data.parse()?;
    let mut patterns: Vec<(Regex, String)> = Vec::new();
    for conflict in conflicts.conflict {
        let pattern =
            RegexBuilder::new(&conflict.pattern).case_insensitive(true).build().map_err(|error| {
                Problem::new(&data.path, error.to_string(), "write a regular expression without look-around")
            })?;
        patterns.push((pattern, conflict.why));
    }
    let (mut kept, mut stripped) = (String::new(), Vec::new());
    for (start, passage) in passages(prompt) {
        let (mut left, mut taken) = (String::new(), false);
        for (at, sentence) in sentences(passage) {
            let folded = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
            match patterns.iter().find(|(pattern, _)| pattern.is_match(&folded)) {
                Some((_, why)) => {
                    taken = true;
                    let begins = start + at + sentence.len() - sentence.trim_start().len();
                    let line = prompt[..begins].matches('\n').count() + 1;
                    stripped.push(Stripped { line, text: folded, why: why.clone() });
                }
                None => left.push_str(sentence),
            }
        }
        let is_empty =
            left.trim_matches(|c: char| c.is_whitespace() || "-*0123456789.".contains(c)).is_empty();
        if taken && is_empty {
            continue;
        }
        // Where a whole list is gone, one of the blank lines around it is too.
        let blank = passage.chars().take_while(|c| *c == '\n').count();
        let doubled = usize::from(blank > 0 && kept.ends_with("\n\n") && !stripped.is_empty());
        kept.push_str(&"\n".repeat(blank - doubled));
        if taken {
            kept.push_str(left.trim_start_matches('\n').trim_end());
            kept.push('\n');
        } else {
            kept.push_str(&passage[blank..]);
        }
    }
    Ok((kept, stripped))
}

/// Paragraphs and items of lists, each with the blank lines in front of it and the place where it begins.
fn passages(text: &str) -> Vec<(usize, &str)> {
    let (mut passages, mut start, mut at) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let digits = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_item = trimmed.starts_with("- ") || trimmed.starts_with("* ");
        let is_numbered = digits.len() < trimmed.len() && digits.starts_with(['.', ')']);
        let begins = trimmed.is_empty() || is_item || is_numbered || trimmed.starts_with(['#', '<', '`']);
        if begins && at > start {
            passages.push((start, &text[start..at]));
            start = at;
        }
        at += line.len();
    }
    passages.push((start, &text[start..]));
    passages
}

/// The sentences of a passage, each with the white space behind it.
fn sentences(passage: &str) -> Vec<(usize, &str)> {
    let (mut sentences, mut start) = (Vec::new(), 0);
    let mut before = ' ';
    for (at, c) in passage.char_indices() {
        if c.is_whitespace() && matches!(before, '.' | '!' | '?') && passage[start..at].trim().len() > 3 {
            let end = at + c.len_utf8();
            sentences.push((start, &passage[start..end]));
            start = end;
        }
        before = c;
    }
    sentences.push((start, &passage[start..]));
    sentences
}

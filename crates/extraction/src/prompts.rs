//! The prompts: `stages/*.j2`, read at run time, and how other people's text gets into them.
//!
//! A prompt is filled with values that code made. What a document, a model or a person wrote goes in as a
//! [`Block`] or as [`Words`]: neither can be written into a prompt in a way that it could end.

use crate::classify::endpoint::FactValues;
use crate::endpoint::{PageValues, PassageValues};
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use polc_records::facts::DataVersion;
use polc_records::layout::{DataFile, Root};
use polc_records::visible::visible;
use polc_records::{Digest, Problem};
use serde::{Serialize, Serializer};
use std::fmt;
use std::path::{Path, PathBuf};

/// Text that is not ours, as a block of a prompt.
///
/// Its mark comes from what it holds: to end it from inside, a text would have to hold its own digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    label: Words,
    text: String,
}

impl Block {
    /// A block, with a label that says what it is.
    pub fn new(label: impl Into<String>, text: impl Into<String>) -> Self {
        Block { label: Words(label.into()), text: text.into() }
    }

    /// What it holds.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Faults of an answer, one a line: they repeat what the answer or a document says.
    pub fn faults(faults: &[String]) -> Self {
        let lines: Vec<String> =
            faults.iter().map(|fault| format!("- {}", visible(fault).replace('\n', " "))).collect();
        Block::new("faults", lines.join("\n"))
    }

    /// The word that stands at its beginning and at its end.
    pub fn mark(&self) -> String {
        Digest::of(&self.text).short()
    }
}

impl fmt::Display for Block {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mark, text) = (self.mark(), self.text.trim_end_matches('\n'));
        write!(out, "<<<block {mark} {}\n{text}\nblock {mark}>>>", self.label)
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A few words that are not ours, inside a line of a prompt: a key, a heading, a name. They stand in quotation
/// marks and cannot leave their line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words(pub String);

impl fmt::Display for Words {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = serde_json::Value::String(self.0.clone()).to_string();
        let lines = |c: char| matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}');
        visible(&quoted).chars().try_for_each(|c| match c {
            c if lines(c) => write!(out, "{}", c.escape_unicode()),
            c => write!(out, "{c}"),
        })
    }
}

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A text in a block that does not leave its line, wherever a reader may see a line end.
pub(crate) fn in_one_line(text: &str) -> String {
    text.replace(
        |c| {
            matches!(
                c,
                '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
            )
        },
        " ",
    )
}

/// A question that a model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Prompt {
    /// What every question begins with.
    Launcher,
    /// What is said of an answer that cannot be used.
    Repair,
    /// Which sections of a page are in scope.
    Manifest,
    /// The rules of a passage.
    Extraction,
    /// The facts of rules.
    Classification,
    /// The review of a checker.
    Review,
}

impl Prompt {
    const ALL: [Prompt; 6] = [
        Prompt::Launcher,
        Prompt::Repair,
        Prompt::Manifest,
        Prompt::Extraction,
        Prompt::Classification,
        Prompt::Review,
    ];

    const fn path(self) -> &'static str {
        match self {
            Prompt::Launcher => "stages/launcher.j2",
            Prompt::Repair => "stages/repair.j2",
            Prompt::Manifest => "stages/manifest.j2",
            Prompt::Extraction => "stages/extraction.j2",
            Prompt::Classification => "stages/classification.j2",
            Prompt::Review => "stages/review.j2",
        }
    }

    const fn built_in(self) -> &'static str {
        match self {
            Prompt::Launcher => include_str!("../../../stages/launcher.j2"),
            Prompt::Repair => include_str!("../../../stages/repair.j2"),
            Prompt::Manifest => include_str!("../../../stages/manifest.j2"),
            Prompt::Extraction => include_str!("../../../stages/extraction.j2"),
            Prompt::Classification => include_str!("../../../stages/classification.j2"),
            Prompt::Review => include_str!("../../../stages/review.j2"),
        }
    }
}

#[derive(Serialize)]
struct Nothing {}

/// What the prompt of a review is filled with.
#[derive(Serialize)]
pub struct ReviewValues {
    /// The guidelines that raters go by: text of ours.
    pub criteria: String,
    /// The rule, with its sentence and context.
    pub rule: Block,
    /// The code.
    pub code: Block,
    /// The cases, with their outcomes.
    pub cases: Block,
}

#[derive(Serialize)]
struct Faults {
    faults: Block,
}

impl Faults {
    fn new(faults: &[String]) -> Self {
        Faults { faults: Block::faults(faults) }
    }
}

/// All prompts of a root.
#[derive(Debug)]
pub struct Prompts {
    environment: Environment<'static>,
    files: Vec<(Prompt, PathBuf)>,
    /// The files, each with the version that it gives itself.
    pub versions: Vec<DataVersion>,
}

impl Prompts {
    /// Reads the root's copies, or those built in.
    ///
    /// # Errors
    /// A file that cannot be read, gives no version or is no template; a launcher or a repair that asks for a value
    /// that it is not given.
    pub fn load(root: &Root) -> Result<Self, Problem> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let mut prompts = Prompts { environment, files: Vec::new(), versions: Vec::new() };
        for prompt in Prompt::ALL {
            let data = root.data(prompt.path(), prompt.built_in())?;
            prompts.versions.push(DataVersion::of(&data, version(&data)?));
            let added = prompts.environment.add_template_owned(prompt.path(), data.text);
            added.map_err(|error| problem(&data.path, &error))?;
            prompts.files.push((prompt, data.path));
        }
        prompts.launcher()?;
        prompts.fill(Prompt::Repair, &Faults::new(&["a fault".to_owned()]))?;
        prompts.manifest(&PageValues::example())?;
        prompts.extraction(&PassageValues::example())?;
        let example = Block::new("an example", "");
        prompts.classification(&FactValues::example(&example))?;
        prompts.review(&ReviewValues {
            criteria: String::new(),
            rule: example.clone(),
            code: example.clone(),
            cases: example,
        })?;
        Ok(prompts)
    }

    /// What a model is told before every question.
    ///
    /// # Errors
    /// Where the template cannot be filled.
    pub fn launcher(&self) -> Result<String, Problem> {
        self.fill(Prompt::Launcher, &Nothing {})
    }

    /// What a model is told of an answer that cannot be used.
    ///
    /// A template that fails on these faults and not on others gives way to the bare list.
    pub fn repair(&self, faults: &[String]) -> String {
        let faults = Faults::new(faults);
        self.fill(Prompt::Repair, &faults).unwrap_or_else(|_| faults.faults.to_string())
    }

    /// The question which sections of a page are in scope.
    ///
    /// # Errors
    /// Where the template cannot be filled.
    pub(crate) fn manifest(&self, values: &PageValues) -> Result<String, Problem> {
        self.fill(Prompt::Manifest, values)
    }

    /// The question for the rules of a passage.
    ///
    /// # Errors
    /// Where the template cannot be filled.
    pub(crate) fn extraction(&self, values: &PassageValues) -> Result<String, Problem> {
        self.fill(Prompt::Extraction, values)
    }

    /// The question for the facts of rules.
    ///
    /// # Errors
    /// Where the template cannot be filled.
    pub(crate) fn classification(&self, values: &FactValues<'_>) -> Result<String, Problem> {
        self.fill(Prompt::Classification, values)
    }

    /// The question for the review of a checker.
    ///
    /// # Errors
    /// Where the template cannot be filled.
    pub fn review(&self, values: &ReviewValues) -> Result<String, Problem> {
        self.fill(Prompt::Review, values)
    }

    /// The versions of the prompts behind automated reviews.
    pub fn for_review(&self) -> Vec<DataVersion> {
        self.versions_with(Prompt::Review)
    }

    /// The versions of the prompts behind an assessment of pages.
    pub(crate) fn for_manifest(&self) -> Vec<DataVersion> {
        self.versions_with(Prompt::Manifest)
    }

    /// The versions of the prompts behind rules that a model drew.
    pub(crate) fn for_extraction(&self) -> Vec<DataVersion> {
        self.versions_with(Prompt::Extraction)
    }

    /// The versions of the prompts behind facts that a model reported.
    pub(crate) fn for_classification(&self) -> Vec<DataVersion> {
        self.versions_with(Prompt::Classification)
    }

    /// The versions of a prompt and of those that go with each.
    fn versions_with(&self, prompt: Prompt) -> Vec<DataVersion> {
        let used = |of: &Prompt| [Prompt::Launcher, Prompt::Repair, prompt].contains(of);
        let versions = Prompt::ALL.iter().zip(&self.versions).filter(|(of, _)| used(of));
        versions.map(|(_, version)| version.clone()).collect()
    }

    fn fill(&self, prompt: Prompt, values: &impl Serialize) -> Result<String, Problem> {
        let filled = self
            .environment
            .get_template(prompt.path())
            .and_then(|template| template.render(Value::from(Serde(values))));
        filled.map_err(|error| {
            let file = self.files.iter().find(|(of, _)| *of == prompt);
            problem(file.map_or(Path::new(prompt.path()), |(_, path)| path), &error)
        })
    }
}

/// The version that a template gives itself in its first line.
fn version(data: &DataFile) -> Result<&str, Problem> {
    let first = data.text.lines().next().unwrap_or_default();
    let named = first.strip_prefix("{#- version ").and_then(|rest| rest.strip_suffix(" -#}"));
    named.map(str::trim).filter(|version| !version.is_empty()).ok_or_else(|| {
        let help = "begin the template with `{#- version 1 -#}`, and count up whenever you change it";
        Problem::new(&data.path, "it does not say its version", help).at(1, None)
    })
}

fn problem(path: &Path, error: &minijinja::Error) -> Problem {
    let help = "correct the template; remove the file to go by the one that is built in";
    let problem = Problem::new(path, error.to_string(), help);
    match error.line() {
        Some(line) => problem.at(line, None),
        None => problem,
    }
}

//! SWE-agent: a `.traj` file of version 0 or 1. Its tools are called as commands of a shell; results have no ids and stand
//! in the step itself.

use crate::foreign::{Content, another, clipped, fetch, lenient, mended, say, text_of, typed, values, words};
use crate::sample::Sample;
use crate::transcript::{Transcript, TranscriptError};
use polc_checker::evidence::{Action, Output, Step};
use serde::Deserialize;
use serde_json::Value;

/// What is looked for.
const LOOKED_FOR: &str = "no trajectory of SWE-agent: neither `trajectory` with `info`, nor `attempts`";

/// The exit status of a patch that the scaffold took after it had stopped the agent begins with this.
const TAKEN: &str = "submitted (";

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    trajectory: Option<Vec<TrajectoryStep>>,
    #[serde(default, deserialize_with = "lenient")]
    history: Option<Vec<Item>>,
    #[serde(default)]
    info: Option<Info>,
    #[serde(default, deserialize_with = "lenient")]
    replay_config: Option<Replay>,
    /// Several attempts at one task. The one that counts is repeated at the top, once it was chosen.
    #[serde(default)]
    attempts: Vec<File>,
}

#[derive(Deserialize)]
struct TrajectoryStep {
    action: String,
    #[serde(default)]
    observation: Option<String>,
    #[serde(default)]
    thought: Option<String>,
    #[serde(default)]
    state: Value,
}

/// A message as the model saw it.
#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    content: Option<Content>,
    #[serde(default, deserialize_with = "lenient")]
    action: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    is_demo: Option<bool>,
}

#[derive(Default, Deserialize)]
struct Info {
    /// Outer none: not written. Inner none: written as null, the run was cut off.
    #[serde(default, deserialize_with = "written")]
    exit_status: Option<Option<String>>,
    #[serde(default, deserialize_with = "lenient")]
    submission: Option<String>,
}

/// How the run can be done again. Some versions write it as text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Replay {
    Written(String),
    Read(Configuration),
}

#[derive(Deserialize)]
struct Configuration {
    #[serde(default, deserialize_with = "lenient")]
    agent: Option<AgentSettings>,
    #[serde(default, deserialize_with = "lenient")]
    problem_statement: Option<Problem>,
    #[serde(default, deserialize_with = "lenient")]
    env: Option<Environment>,
}

#[derive(Deserialize)]
struct AgentSettings {
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    name: String,
}

#[derive(Deserialize)]
struct Problem {
    id: String,
}

#[derive(Deserialize)]
struct Environment {
    repo: CheckedOut,
}

#[derive(Deserialize)]
struct CheckedOut {
    base_commit: String,
}

fn written<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

pub(crate) fn recognises(sample: &Sample) -> bool {
    sample.has(&["trajectory", "info"]) || sample.has(&["attempts"])
}

fn is_run(value: &Value) -> bool {
    let is_list = |key| value.get(key).is_some_and(Value::is_array);
    is_list("attempts") || (is_list("trajectory") && value.get("info").is_some_and(Value::is_object))
}

/// Reads one run.
///
/// # Errors
/// Where it is another format.
pub(crate) fn read(text: &str) -> Result<Transcript, TranscriptError> {
    let values = values(text)?;
    let value = match values.as_slice() {
        [value] if is_run(value) => value,
        _ => return Err(another(LOOKED_FOR, &values)),
    };
    let mut file: File = typed("the trajectory", value)?;
    if file.trajectory.is_none() {
        // Nothing was chosen yet: what the last attempt left is what there is.
        file = match file.attempts.pop() {
            Some(attempt) => attempt,
            None => return Ok(Transcript { ending: Some(String::new()), ..Transcript::default() }),
        };
    }
    let mut transcript = of_attempt(file.trajectory.unwrap_or_default(), &file.history.unwrap_or_default());
    let info = file.info.unwrap_or_default();
    transcript.ending = info.exit_status.map(Option::unwrap_or_default);
    let submission = info.submission.map(|patch| unwound(&patch));
    if transcript.ending.as_deref().is_some_and(|ending| ending.starts_with(TAKEN)) {
        transcript.patch = submission;
    } else {
        transcript.submission = submission;
    }
    let configuration = match file.replay_config {
        Some(Replay::Written(text)) => serde_json::from_str::<Configuration>(&text).ok(),
        Some(Replay::Read(configuration)) => Some(configuration),
        None => None,
    };
    if let Some(Configuration { agent, problem_statement, env }) = configuration {
        transcript.model = agent.map(|agent| agent.model.name);
        transcript.instance = problem_statement.map(|problem| problem.id);
        let base = env.map(|env| env.repo.base_commit);
        transcript.base =
            base.filter(|base| base.len() == 40 && base.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
    Ok(transcript)
}

fn of_attempt(trajectory: Vec<TrajectoryStep>, history: &[Item]) -> Transcript {
    let mut transcript = Transcript::default();
    let shown = shown(&trajectory, history);
    for ((at, step), shown) in (1..).zip(trajectory).zip(shown) {
        let command = step.action.trim_end();
        // Without an action nothing was done, and what stands for a thought is the scaffold's.
        if command.trim().is_empty() {
            continue;
        }
        say(&mut transcript.said, step.thought.as_deref().unwrap_or_default());
        let observation = step.observation.map(|text| text.replace("\r\n", "\n"));
        let action = action(command, &State::of(&step.state), observation.as_deref());
        let output = observation.map(|text| seen(text, shown.as_deref()));
        transcript.steps.push(Step { output, turn: Some(at), ..Step::of(action) });
    }
    transcript
}

/// What the model saw of each step, where the history can be laid beside the steps.
fn shown(trajectory: &[TrajectoryStep], history: &[Item]) -> Vec<Option<String>> {
    let own: Vec<&Item> = history.iter().filter(|item| item.is_demo != Some(true)).collect();
    let answered: Vec<(&str, Option<String>)> = own
        .iter()
        .enumerate()
        .filter_map(|(at, item)| {
            let next = own.get(at + 1).filter(|next| next.action.is_none());
            let text = next.and_then(|next| next.content.as_ref()).map(Content::joined);
            Some((item.action.as_deref()?, text))
        })
        .collect();
    let fits = answered.iter().zip(trajectory).all(|((action, _), step)| action.trim() == step.action.trim());
    let mut shown: Vec<Option<String>> =
        if fits { answered.into_iter().map(|(_, text)| text).collect() } else { Vec::new() };
    shown.resize(trajectory.len(), None);
    shown
}

/// An observation as the model saw it: the step has all of it, the message may say that it was cut.
fn seen(observation: String, shown: Option<&str>) -> Output {
    const NOTE: &str = "<response clipped><NOTE>Observations should not exceeded ";
    let most = shown.and_then(|shown| {
        let (number, rest) = shown.rsplit_once(NOTE)?.1.split_once(' ')?;
        rest.starts_with("characters. ").then(|| number.parse::<usize>().ok())?
    });
    match most {
        Some(most) if observation.chars().count() > most => {
            Output { text: observation.chars().take(most).collect(), truncated: true }
        }
        Some(_) => Output { text: observation, truncated: true },
        None => clipped(&observation),
    }
}

/// What the tools' shell knew after a step.
struct State {
    open_file: Option<String>,
}

impl State {
    /// Version 0 writes it as text.
    fn of(value: &Value) -> Self {
        let written = value.as_str().and_then(|text| serde_json::from_str::<Value>(&mended(text)).ok());
        let file = text_of(written.as_ref().unwrap_or(value), "open_file")
            .filter(|file| *file != "n/a" && !file.is_empty());
        State { open_file: file.map(str::to_owned) }
    }
}

/// What a command does: a tool of the scaffold, if it is nothing but a call of one; else it is one for the shell.
fn action(command: &str, state: &State, observation: Option<&str>) -> Action {
    let shell = || Action::Shell { command: command.to_owned(), folder: None };
    if let Some(edit) = window_edit(command, state) {
        return edit;
    }
    let Some(words) = words(command) else { return shell() };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((name, arguments)) = words.split_first() else { return shell() };
    let opened =
        |path: &str| Action::Read { path: path.to_owned(), lines: window(observation.unwrap_or_default()) };
    let edit = |path: &str, text: &str| Action::Edit { paths: vec![path.to_owned()], text: text.to_owned() };
    let other = || {
        let input = command.trim_start().strip_prefix(name).unwrap_or(command).trim().to_owned();
        Action::Tool { name: (*name).to_owned(), input }
    };
    match (*name, arguments) {
        ("open", [path, ..]) => opened(path),
        ("goto" | "scroll_down" | "scroll_up", _) => state.open_file.as_deref().map_or_else(other, opened),
        ("create", [path]) => edit(path, ""),
        ("edit", [_, text, ..]) => state.open_file.as_deref().map_or_else(other, |path| edit(path, text)),
        ("insert", [text, ..]) => state.open_file.as_deref().map_or_else(other, |path| edit(path, text)),
        ("str_replace_editor", [subcommand, path, options @ ..]) => editor(subcommand, path, options),
        ("open_site", [url]) => fetch(url),
        (
            "submit" | "exit_forfeit" | "exit_cost" | "find_file" | "search_file" | "search_dir" | "edit"
            | "insert" | "str_replace_editor" | "view_image" | "filemap",
            _,
        ) => other(),
        _ => shell(),
    }
}

/// `edit 4:7`, the lines below it, and `end_of_edit`: version 0 writes into the file that is open.
fn window_edit(command: &str, state: &State) -> Option<Action> {
    let (first, below) = command.split_once('\n')?;
    let (from, to) = first.strip_prefix("edit ")?.trim().split_once(':')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = below.strip_suffix("end_of_edit")?;
    let path = state.open_file.clone().filter(|_| is_number(from) && is_number(to))?;
    Some(Action::Edit { paths: vec![path], text: text.strip_suffix('\n').unwrap_or(text).to_owned() })
}

/// `str_replace_editor`, with its options as a shell has them.
fn editor(subcommand: &str, path: &str, options: &[&str]) -> Action {
    let option = |name: &str| {
        let at = options.iter().position(|option| *option == name)?;
        options.get(at + 1..)
    };
    let text = |name| option(name).and_then(|rest| rest.first().copied()).unwrap_or_default().to_owned();
    let number =
        |word: Option<&&str>, otherwise| word.and_then(|word| word.parse().ok()).unwrap_or(otherwise);
    let text = match subcommand {
        "view" => {
            let range = option("--view_range");
            let lines = range
                .and_then(|range| crate::foreign::lines(number(range.first(), 1), number(range.get(1), -1)));
            return Action::Read { path: path.to_owned(), lines };
        }
        "create" => text("--file_text"),
        _ => text("--new_str"),
    };
    Action::Edit { paths: vec![path.to_owned()], text }
}

/// The lines that a window onto a file shows: between `(4 more lines above)` and `(9 more lines below)`, where it has them.
fn window(observation: &str) -> Option<(usize, usize)> {
    let head = observation.lines().find(|line| line.starts_with("[File: "))?;
    let total: usize = head.strip_suffix(" lines total)]")?.rsplit_once('(')?.1.parse().ok()?;
    let left_out = |end: &str| {
        let line = observation.lines().find_map(|line| line.strip_prefix('(')?.strip_suffix(end))?;
        line.parse::<usize>().ok()
    };
    let (above, below) = (left_out(" more lines above)"), left_out(" more lines below)"));
    above.or(below)?;
    Some((above.unwrap_or(0) + 1, total.checked_sub(below.unwrap_or(0))?))
}

/// A patch as git wrote it: the terminal that it went through ends every line in its own way.
fn unwound(patch: &str) -> String {
    let from_terminal = patch.split('\n').any(|line| line.starts_with("diff --git ") && line.ends_with('\r'));
    let patch = if from_terminal { patch.replace("\r\n", "\n") } else { patch.to_owned() };
    patch.trim_start_matches(['\r', '\n']).to_owned()
}

//! Calls that wait for their results, and what a call does.

use polc_checker::evidence::{Action, Step};
use serde_json::Value;
use std::collections::HashMap;

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

    /// Lets ids name nothing: another process counts its own from the beginning.
    pub(crate) fn forget_names(&mut self) {
        self.named.clear();
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

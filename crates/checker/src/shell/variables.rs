//! Variables of a script, as far as it says their values for certain.

use super::Word;
use std::collections::{BTreeMap, BTreeSet};

/// How many variables are followed at once: each function makes all of them unknown and known again.
const MOST: usize = 128;

/// The variables at a place in a script. What a subshell sets is taken back when it ends.
#[derive(Debug, Default)]
pub(super) struct Variables {
    known: BTreeMap<String, String>,
    /// Those that a body sets which is run at another time.
    elsewhere: BTreeSet<String>,
    /// What was there before each change.
    journal: Vec<(String, Option<String>)>,
    /// How many more bytes values may fill in: a value can hold another twice, and that one another.
    left: usize,
}

impl Variables {
    pub(super) fn of_text(text: &str) -> Variables {
        Variables { left: 4096 + 8 * text.len(), ..Variables::default() }
    }

    /// A word with what is known filled in.
    pub(super) fn resolve(&mut self, word: &Word, folder: Option<&str>) -> Word {
        let before = word.source().len();
        let left = self.left;
        let resolved = word.resolved(|name| {
            let value = if name == "PWD" { folder } else { self.known.get(name).map(String::as_str) };
            value.filter(|value| value.len() <= left)
        });
        let more = resolved.text().map_or(0, |text| text.len().saturating_sub(before));
        match self.left.checked_sub(more) {
            Some(left) => self.left = left,
            None => return word.clone(),
        }
        resolved
    }

    /// Sets a variable, to a value or to something that is not known.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) {
        let is_followed = self.known.len() < MOST && !self.elsewhere.contains(name);
        let value = value.filter(|_| is_followed).map(str::to_owned);
        let before = match value {
            Some(value) => self.known.insert(name.to_owned(), value),
            None => self.known.remove(name),
        };
        self.journal.push((name.to_owned(), before));
    }

    /// A variable that may be set at any time.
    pub(super) fn set_elsewhere(&mut self, name: &str) {
        self.elsewhere.insert(name.to_owned());
        self.set(name, None);
    }

    /// Nothing is known any more.
    pub(super) fn forget(&mut self) {
        for (name, value) in std::mem::take(&mut self.known) {
            self.journal.push((name, Some(value)));
        }
    }

    /// This place in the history, to come back to.
    pub(super) fn mark(&self) -> usize {
        self.journal.len()
    }

    /// Takes back everything since a place.
    pub(super) fn back_to(&mut self, mark: usize) {
        while self.journal.len() > mark {
            let Some((name, before)) = self.journal.pop() else { return };
            match before.filter(|_| !self.elsewhere.contains(&name)) {
                Some(value) => self.known.insert(name, value),
                None => self.known.remove(&name),
            };
        }
    }
}

//! From what a script is made of to its commands, in order, each in its folder.

use super::parse::parse;
use super::tree::{Document, Item, Link, Node, Sequence, Simple, Target};
use super::word::{Value, Word};
use super::{Command, Folder, Redirection};

/// How deep scripts stand in words of scripts.
const DEEPEST: usize = 4;

/// The commands of a text, and whether it was read to its end.
pub(super) fn commands(text: &str, folder: &Folder) -> (Vec<Command>, bool) {
    let mut walk = Walk { commands: Vec::new(), whole: true, scripts: 0, again: false };
    walk.script(text, folder);
    (walk.commands, walk.whole)
}

/// Where the shell is after a statement: where it succeeds, and where it fails. None where that does not happen.
#[derive(Debug, Clone)]
struct After {
    succeeded: Option<Folder>,
    failed: Option<Folder>,
}

impl After {
    fn at(folder: &Folder) -> After {
        After { succeeded: Some(folder.clone()), failed: Some(folder.clone()) }
    }

    /// Wherever it is, if it goes on at all.
    fn either(&self) -> Option<Folder> {
        join(self.succeeded.clone(), self.failed.clone())
    }

    fn wherever(end: Option<Folder>) -> After {
        After { succeeded: end.clone(), failed: end }
    }
}

fn join(one: Option<Folder>, other: Option<Folder>) -> Option<Folder> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if one == other { one } else { Folder::Unknown }),
        (one, other) => one.or(other),
    }
}

/// A folder that may not be reached. What is there is read all the same.
fn reached(folder: Option<Folder>) -> Folder {
    folder.unwrap_or(Folder::Unknown)
}

struct Walk {
    commands: Vec<Command>,
    whole: bool,
    scripts: usize,
    /// Whether a loop is read for another round.
    again: bool,
}

type Documents = [Option<Document>];

impl Walk {
    fn script(&mut self, text: &str, folder: &Folder) -> After {
        let (sequence, documents, whole) = parse(text);
        self.whole &= whole;
        let after = self.sequence(&sequence, &documents, folder);
        if whole { after } else { After::at(&Folder::Unknown) }
    }

    /// A script that is a word of this one.
    fn inner(&mut self, text: &str, folder: &Folder) -> After {
        if self.scripts >= DEEPEST {
            self.whole = false;
            return After::at(&Folder::Unknown);
        }
        self.scripts += 1;
        let after = self.script(text, folder);
        self.scripts -= 1;
        after
    }

    fn sequence(&mut self, items: &[Item], documents: &Documents, folder: &Folder) -> After {
        let mut after = After { succeeded: Some(folder.clone()), failed: None };
        for item in items {
            let start = reached(after.either());
            let done = self.node(&item.node, documents, &start);
            after = if item.in_background { After::at(&start) } else { done };
        }
        after
    }

    /// What words run: each in a shell of its own.
    fn runs(&mut self, runs: &[Sequence], documents: &Documents, folder: &Folder) {
        for sequence in runs {
            self.sequence(sequence, documents, folder);
        }
    }

    fn node(&mut self, node: &Node, documents: &Documents, folder: &Folder) -> After {
        match node {
            Node::Simple(simple) => self.simple(simple, documents, folder).1,
            Node::Pipeline(stages) => {
                self.pipeline(stages, documents, folder);
                After::at(folder)
            }
            Node::Not(node) => {
                let after = self.node(node, documents, folder);
                After { succeeded: after.failed, failed: after.succeeded }
            }
            Node::List(first, others) => {
                let mut after = self.node(first, documents, folder);
                for (link, node) in others {
                    after = self.next(after, *link, node, documents);
                }
                after
            }
            Node::Subshell(sequence) => {
                self.sequence(sequence, documents, folder);
                After::at(folder)
            }
            Node::Group(sequence) => self.sequence(sequence, documents, folder),
            Node::If { branches, other } => self.branches(branches, other.as_ref(), documents, folder),
            Node::Loop { once, round } => self.repeated(once, round, documents, folder),
            Node::Case { once, choices } => {
                self.runs(once, documents, folder);
                let ends = choices.iter().map(|choice| self.sequence(choice, documents, folder).either());
                After::wherever(ends.fold(Some(folder.clone()), join))
            }
            Node::Function(body) => {
                // Whoever calls it may be anywhere.
                self.node(body, documents, &Folder::Unknown);
                After::at(folder)
            }
            Node::Redirected { runs, documents: held, node } => {
                self.runs(runs, documents, folder);
                self.documents(held, documents, folder);
                self.node(node, documents, folder)
            }
            Node::Words(runs) => {
                self.runs(runs, documents, folder);
                After::at(folder)
            }
        }
    }

    fn documents(&mut self, held: &[usize], documents: &Documents, folder: &Folder) {
        for document in held.iter().filter_map(|number| documents.get(*number)?.as_ref()) {
            self.runs(&document.runs, documents, folder);
        }
    }

    fn next(&mut self, before: After, link: Link, node: &Node, documents: &Documents) -> After {
        let (from, kept) = match link {
            Link::And => (before.succeeded, After { succeeded: None, failed: before.failed }),
            Link::Or => (before.failed, After { succeeded: before.succeeded, failed: None }),
        };
        let is_reached = from.is_some();
        let after = self.node(node, documents, &reached(from));
        // It may be run only where something fails that is taken to succeed.
        if !is_reached {
            return kept;
        }
        After { succeeded: join(kept.succeeded, after.succeeded), failed: join(kept.failed, after.failed) }
    }

    fn branches(
        &mut self,
        branches: &[(Sequence, Sequence)],
        other: Option<&Sequence>,
        documents: &Documents,
        folder: &Folder,
    ) -> After {
        let mut untaken = Some(folder.clone());
        let mut end = None;
        for (condition, body) in branches {
            let tested = self.sequence(condition, documents, &reached(untaken));
            end = join(end, self.sequence(body, documents, &reached(tested.succeeded)).either());
            untaken = tested.failed;
        }
        let last = match other {
            Some(other) => self.sequence(other, documents, &reached(untaken)).either(),
            None => untaken,
        };
        After::wherever(join(end, last))
    }

    /// A loop. Where a round ends elsewhere than it starts, the next one starts there.
    fn repeated(
        &mut self,
        once: &[Sequence],
        round: &Sequence,
        documents: &Documents,
        folder: &Folder,
    ) -> After {
        self.runs(once, documents, folder);
        let first = self.commands.len();
        if !self.again {
            let end = self.sequence(round, documents, folder).either();
            if end.is_none_or(|end| end == *folder) {
                return After::at(folder);
            }
            self.commands.truncate(first);
        }
        let before = std::mem::replace(&mut self.again, true);
        self.sequence(round, documents, &Folder::Unknown);
        self.again = before;
        After::at(&Folder::Unknown)
    }

    /// Every stage runs in a shell of its own.
    fn pipeline(&mut self, stages: &[Node], documents: &Documents, folder: &Folder) {
        let mut before = None;
        for (at, stage) in stages.iter().enumerate() {
            let first = self.commands.len();
            let number = match stage {
                Node::Simple(simple) => Some(self.simple(simple, documents, folder).0),
                other => {
                    self.node(other, documents, folder);
                    None
                }
            };
            if at + 1 < stages.len() {
                self.commands.iter_mut().skip(first).for_each(|command| command.is_piped = true);
            }
            if let Some(command) = number.and_then(|number| self.commands.get_mut(number)) {
                command.reads_from = before;
            }
            before = number;
        }
    }

    /// A simple command: what its words run first, then itself, then the script that it is handed. Gives its
    /// number.
    fn simple(&mut self, simple: &Simple, documents: &Documents, folder: &Folder) -> (usize, After) {
        self.runs(&simple.runs, documents, folder);
        let mut redirections = Vec::new();
        for (kind, descriptor, target) in &simple.redirections {
            let target = match target {
                Target::Word(word) => word.clone(),
                Target::Document(number) => {
                    self.documents(&[*number], documents, folder);
                    let held = documents.get(*number).and_then(Option::as_ref);
                    held.map_or_else(|| Word::new("", Value::Unknown), |held| held.word.clone())
                }
            };
            redirections.push(Redirection { kind: *kind, descriptor: *descriptor, target });
        }
        let (assignments, words) = (simple.assignments.clone(), simple.words.clone());
        let command = Command::new(assignments, words, redirections, folder.clone());
        self.commands.push(command.clone());
        (self.commands.len() - 1, self.effect(&command, folder))
    }

    /// What a command does to the shell, and the script that it runs.
    fn effect(&mut self, command: &Command, folder: &Folder) -> After {
        let arguments = command.arguments();
        let first = command.words.first().and_then(Word::text);
        let is_wrapped = command.argv().len() < command.words.len();
        let in_this_shell = !is_wrapped || first.is_some_and(|word| matches!(word, "builtin" | "command"));
        match command.name() {
            Some("cd" | "pushd") if in_this_shell => {
                let is_option = |word: &&Word| matches!(word.text(), Some("--" | "-P" | "-L" | "-e"));
                let to: Vec<_> = arguments.iter().filter(|word| !is_option(word)).map(Word::text).collect();
                let entered = match to[..] {
                    [Some("-")] => Folder::Unknown,
                    [Some(path)] => folder.enter(path),
                    _ => Folder::Unknown,
                };
                After { succeeded: Some(entered), failed: None }
            }
            Some("popd") if in_this_shell => After::at(&Folder::Unknown),
            Some("exit" | "return" | "break" | "continue") if in_this_shell => After::wherever(None),
            Some("eval") if in_this_shell => {
                let texts: Option<Vec<&str>> = arguments.iter().map(Word::text).collect();
                match texts {
                    Some(texts) => self.inner(&texts.join(" "), folder),
                    None => After::at(&Folder::Unknown),
                }
            }
            Some("bash" | "sh" | "dash" | "zsh" | "ksh") => {
                if let Some(script) = script(arguments) {
                    self.inner(script, &command.folder);
                }
                After::at(folder)
            }
            _ => After::at(folder),
        }
    }
}

/// The script that a shell is handed as a word.
fn script(arguments: &[Word]) -> Option<&str> {
    let mut rest = arguments.iter();
    let mut is_script = false;
    while let Some(word) = rest.next() {
        match word.text()? {
            "--" => {}
            "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file" => {
                rest.next();
            }
            option if option.starts_with("--") || option.starts_with('+') => {}
            option if option.len() > 1 && option.starts_with('-') => is_script |= option.contains('c'),
            text => return is_script.then_some(text),
        }
    }
    None
}

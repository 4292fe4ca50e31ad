//! From what a script is made of to its commands, in order, each in its folder.

use super::command::Bearing;
use super::parse::parse;
use super::tree::{Document, Item, Link, Node, Sequence, Simple, Target};
use super::variables::Variables;
use super::word::{Value, Word};
use super::{Assignment, Command, Folder, Reach, Redirection, Script};

/// How deep scripts stand in words of scripts.
const DEEPEST: usize = 4;

/// Programs that do not fail where anything that follows them could succeed.
const HARMLESS: [&str; 9] = ["cd", "echo", "export", "mkdir", "pushd", "set", "source", "true", "."];

/// Programs that set the variables which they are handed.
const SETTERS: [&str; 7] = ["read", "unset", "mapfile", "readarray", "getopts", "let", "printf"];

/// Programs of which every argument is like an assignment.
const DECLARERS: [&str; 5] = ["export", "declare", "local", "readonly", "typeset"];

/// A text, read from a folder on.
pub(super) fn script(text: &str, folder: &Folder) -> Script {
    let mut walk = Walk {
        commands: Vec::new(),
        whole: true,
        scripts: 0,
        again: false,
        reach: Reach::Always,
        bearing: Bearing { ends_well: true, ends_badly: true },
        variables: Variables::of_text(text),
        in_function: false,
        modes: Modes::default(),
    };
    let end = reached(walk.script(text, folder).either());
    Script { commands: walk.commands, whole: walk.whole, end }
}

/// What `set` and `exit` do to codes.
#[derive(Debug, Clone, Copy, Default)]
struct Modes {
    /// `set -e`.
    stops_on_failure: bool,
    /// `set -o pipefail`.
    pipes_fail: bool,
    /// A command may have ended the shell.
    may_be_over: bool,
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
    /// Whether the script comes here, and what its code says of what is here.
    reach: Reach,
    bearing: Bearing,
    variables: Variables,
    in_function: bool,
    modes: Modes,
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

    /// Reads something that the script comes to in a way of its own.
    fn within<T>(&mut self, reach: Reach, bearing: Bearing, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.reach, self.bearing);
        (self.reach, self.bearing) = (self.reach.max(reach), bearing);
        let done = read(self);
        (self.reach, self.bearing) = before;
        done
    }

    /// Reads something that runs in a shell of its own.
    fn apart<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let (mark, modes) = (self.variables.mark(), self.modes);
        let done = read(self);
        self.variables.back_to(mark);
        self.modes = modes;
        done
    }

    /// Reads something that may be run or not.
    fn perhaps<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.within(Reach::Perhaps, Bearing::NONE, read)
    }

    fn sequence(&mut self, items: &[Item], documents: &Documents, folder: &Folder) -> After {
        let mut after = After { succeeded: Some(folder.clone()), failed: None };
        let all = self.bearing;
        for (at, item) in items.iter().enumerate() {
            let start = reached(after.either());
            let is_last = at + 1 == items.len();
            let stops =
                matches!(item.node, Node::Simple(_) | Node::Pipeline(_)) && self.modes.stops_on_failure;
            let bearing = match (item.in_background, is_last) {
                (true, _) => Bearing::NONE,
                (false, true) => all,
                (false, false) => Bearing { ends_well: stops && all.ends_well, ends_badly: false },
            };
            let done = self.within(self.reach, bearing, |walk| walk.node(&item.node, documents, &start));
            after = if item.in_background { After::at(&start) } else { done };
        }
        after
    }

    /// What words run: each in a shell of its own.
    fn runs(&mut self, runs: &[Sequence], documents: &Documents, folder: &Folder) {
        for sequence in runs {
            self.within(self.reach, Bearing::NONE, |walk| {
                walk.apart(|walk| walk.sequence(sequence, documents, folder));
            });
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
                let after = self.within(self.reach, Bearing::NONE, |walk| walk.node(node, documents, folder));
                After { succeeded: after.failed, failed: after.succeeded }
            }
            Node::List(first, others) => self.list(first, others, documents, folder),
            Node::Subshell(sequence) => {
                self.apart(|walk| walk.sequence(sequence, documents, folder));
                After::at(folder)
            }
            Node::Group(sequence) => self.sequence(sequence, documents, folder),
            Node::If { branches, other } => self.branches(branches, other.as_ref(), documents, folder),
            Node::Loop { sets, once, round } => {
                self.runs(once, documents, folder);
                sets.iter().for_each(|name| self.variables.set(name, None));
                self.perhaps(|walk| walk.repeated(round, documents, folder))
            }
            Node::Case { once, choices } => {
                self.runs(once, documents, folder);
                let ends = self.perhaps(|walk| {
                    let ends = choices.iter().map(|choice| walk.sequence(choice, documents, folder).either());
                    ends.fold(Some(folder.clone()), join)
                });
                After::wherever(ends)
            }
            Node::Function(body) => {
                // Whoever calls it may be anywhere, with any values.
                let (mark, before) = (self.variables.mark(), std::mem::replace(&mut self.in_function, true));
                self.variables.forget();
                let modes = self.modes;
                self.perhaps(|walk| walk.node(body, documents, &Folder::Unknown));
                self.modes = modes;
                self.in_function = before;
                self.variables.back_to(mark);
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

    /// Statements in a row, each after what the one before came to.
    fn list(
        &mut self,
        first: &Node,
        others: &[(Link, Node)],
        documents: &Documents,
        folder: &Folder,
    ) -> After {
        let all = self.bearing;
        let nodes = || std::iter::once(first).chain(others.iter().map(|(_, node)| node));
        let only = |link| others.iter().all(|(other, _)| *other == link);
        let (only_and, only_or) = (only(Link::And), only(Link::Or));
        let risky = nodes().filter(|node| !is_harmless(node)).count();
        let bearing = |node: &Node| {
            let alone = risky == 0 || risky == 1 && !is_harmless(node);
            Bearing {
                ends_well: only_and && all.ends_well,
                ends_badly: all.ends_badly && (only_or || only_and && alone),
            }
        };
        let mut after = self.within(self.reach, bearing(first), |walk| walk.node(first, documents, folder));
        let mut before = is_harmless(first);
        let mut reach = Reach::Always;
        for (link, node) in others {
            let next = match link {
                Link::Or => Reach::Perhaps,
                Link::And if before => Reach::Always,
                Link::And => Reach::AfterSuccess,
            };
            reach = reach.max(next);
            before &= is_harmless(node);
            let next = |walk: &mut Walk| walk.next(after, *link, node, documents);
            after = self.within(reach, bearing(node), next);
        }
        after
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
            let tested = self.within(self.reach, Bearing::NONE, |walk| {
                walk.sequence(condition, documents, &reached(untaken))
            });
            let taken = reached(tested.succeeded);
            end = join(end, self.perhaps(|walk| walk.sequence(body, documents, &taken)).either());
            untaken = tested.failed;
        }
        let last = match other {
            Some(other) => {
                let start = reached(untaken);
                self.perhaps(|walk| walk.sequence(other, documents, &start)).either()
            }
            None => untaken,
        };
        After::wherever(join(end, last))
    }

    /// A loop. Where a round ends elsewhere than it starts, or sets variables, the next one starts with that.
    fn repeated(&mut self, round: &Sequence, documents: &Documents, folder: &Folder) -> After {
        let (first, mark) = (self.commands.len(), self.variables.mark());
        let mut start = folder.clone();
        if !self.again {
            let end = self.sequence(round, documents, folder).either();
            let stays = end.is_none_or(|end| end == *folder);
            if stays && self.variables.mark() == mark {
                return After::at(folder);
            }
            self.commands.truncate(first);
            if !stays {
                start = Folder::Unknown;
            }
        } else {
            start = Folder::Unknown;
        }
        self.variables.forget();
        let before = std::mem::replace(&mut self.again, true);
        self.sequence(round, documents, &start);
        self.again = before;
        After::at(&start)
    }

    /// Every stage runs in a shell of its own.
    fn pipeline(&mut self, stages: &[Node], documents: &Documents, folder: &Folder) {
        let mut before = None;
        let all = self.bearing;
        for (at, stage) in stages.iter().enumerate() {
            let first = self.commands.len();
            let bearing = match at + 1 == stages.len() {
                true if self.modes.pipes_fail => Bearing { ends_badly: false, ..all },
                true => all,
                false => Bearing { ends_well: all.ends_well && self.modes.pipes_fail, ends_badly: false },
            };
            let number = self.within(self.reach, bearing, |walk| {
                walk.apart(|walk| match stage {
                    Node::Simple(simple) => Some(walk.simple(simple, documents, folder).0),
                    other => {
                        walk.node(other, documents, folder);
                        None
                    }
                })
            });
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
                Target::Word(word) => self.resolve(word, folder),
                Target::Document(number) => {
                    self.documents(&[*number], documents, folder);
                    let held = documents.get(*number).and_then(Option::as_ref);
                    held.map_or_else(
                        || Word::new("", Value::Unknown),
                        |held| self.resolve(&held.word, folder),
                    )
                }
            };
            redirections.push(Redirection { kind: *kind, descriptor: *descriptor, target });
        }
        let words: Vec<Word> = simple.words.iter().map(|word| self.resolve(word, folder)).collect();
        let assignments = simple
            .assignments
            .iter()
            .map(|set| Assignment { name: set.name.clone(), value: self.resolve(&set.value, folder) });
        let assignments: Vec<Assignment> = assignments.collect();
        if words.is_empty() {
            assignments.iter().for_each(|set| self.set(&set.name, set.value.text()));
        }
        let mut command = Command::new(assignments, words, redirections, folder.clone());
        command.reach = if self.modes.may_be_over { self.reach.max(Reach::AfterSuccess) } else { self.reach };
        let stops = self.modes.stops_on_failure || self.modes.may_be_over;
        command.bearing = Bearing {
            ends_well: self.bearing.ends_well && !self.modes.may_be_over,
            ends_badly: self.bearing.ends_badly && !stops,
        };
        self.commands.push(command.clone());
        (self.commands.len() - 1, self.effect(&command, folder))
    }

    fn resolve(&mut self, word: &Word, folder: &Folder) -> Word {
        self.variables.resolve(word, folder.path())
    }

    /// Sets a variable, where it is certain that this is run.
    fn set(&mut self, name: &str, value: Option<&str>) {
        match self.in_function {
            true => self.variables.set_elsewhere(name),
            false => self.variables.set(name, value.filter(|_| self.reach != Reach::Perhaps)),
        }
    }

    /// What a command does to the variables and modes of the shell.
    fn changes(&mut self, command: &Command) {
        let arguments = command.arguments();
        match command.name() {
            Some(name) if DECLARERS.contains(&name) => {
                for set in arguments.iter().filter_map(Word::assigns) {
                    self.set(&set.name, set.value.text());
                }
            }
            Some(name) if SETTERS.contains(&name) => {
                for word in arguments {
                    self.set(word.source(), None);
                }
            }
            Some("source" | ".") => self.variables.forget(),
            Some("exit" | "return") => self.modes.may_be_over = true,
            Some("set") => {
                for text in arguments.iter().filter_map(Word::text) {
                    let is_short = text.starts_with('-');
                    self.modes.stops_on_failure |= is_short && text.contains('e') || text == "errexit";
                    self.modes.pipes_fail |= text == "pipefail";
                }
            }
            _ => {}
        }
    }

    /// What a command does to the shell, and the script that it runs.
    fn effect(&mut self, command: &Command, folder: &Folder) -> After {
        let arguments = command.arguments();
        let first = command.words.first().and_then(Word::text);
        let is_wrapped = command.argv().len() < command.words.len();
        let in_this_shell = !is_wrapped || first.is_some_and(|word| matches!(word, "builtin" | "command"));
        if in_this_shell {
            self.changes(command);
        }
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
                    None => {
                        self.variables.forget();
                        After::at(&Folder::Unknown)
                    }
                }
            }
            Some("bash" | "sh" | "dash" | "zsh" | "ksh") => {
                if let Some(text) = text_for_shell(arguments) {
                    self.apart(|walk| {
                        walk.modes = Modes::default();
                        walk.variables.forget();
                        walk.inner(text, &command.folder)
                    });
                }
                After::at(folder)
            }
            _ => After::at(folder),
        }
    }
}

/// The script that a shell is handed as a word.
fn text_for_shell(arguments: &[Word]) -> Option<&str> {
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

fn is_harmless(node: &Node) -> bool {
    let Node::Simple(simple) = node else { return false };
    let Some(name) = simple.words.first() else { return simple.runs.is_empty() };
    name.text().is_some_and(|name| HARMLESS.contains(&name))
}

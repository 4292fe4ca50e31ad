//! A simple command.

use super::{Folder, Word};

/// A variable that is set for a command, or, without words, for what follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Word,
}

/// What a redirection does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectionKind {
    /// `<`: a file is read.
    Read,
    /// `>`, `>|`, `&>`: a file is written anew.
    Write,
    /// `>>`, `&>>`: a file is gone on with.
    Append,
    /// `<>`: a file is opened for both.
    ReadWrite,
    /// `>&`, `<&`: one stream becomes another.
    Duplicate,
    /// `<<`, `<<-`: the text that follows is read.
    HereDocument,
    /// `<<<`: a word is read.
    HereString,
}

/// Where a stream of a command goes or comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirection {
    /// What it does.
    pub kind: RedirectionKind,
    /// The stream, where one is named.
    pub descriptor: Option<u32>,
    /// The file, the stream or the text.
    pub target: Word,
}

/// Programs that run another command, with the short options of theirs that take a value in a word of its own.
const WRAPPERS: [(&str, &str); 11] = [
    ("builtin", ""),
    ("command", ""),
    ("env", "uCS"),
    ("exec", "a"),
    ("nice", "n"),
    ("nohup", ""),
    ("setsid", ""),
    ("stdbuf", "ioe"),
    ("sudo", "ugpCDhRrtTU"),
    ("time", "fo"),
    ("timeout", "ks"),
];

/// Whether a script comes to a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// It does.
    Always,
    /// It does where what stands before succeeds, as in `cd x && make`.
    AfterSuccess,
    /// It may: the command is in a branch, a loop, a function or behind `||`.
    Perhaps,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With 0.
    Well,
    /// With another code.
    Badly,
    /// It was stopped from outside, by a time limit or a signal.
    Stopped,
}

/// What the code that a script ends with says of a command in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bearing {
    /// That it ended well, where the script does.
    pub(super) ends_well: bool,
    /// That it ended badly, where the script does.
    pub(super) ends_badly: bool,
}

impl Bearing {
    pub(super) const NONE: Bearing = Bearing { ends_well: false, ends_badly: false };
}

/// A simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Variables that are set for it, in order, those that `env` sets too.
    pub assignments: Vec<Assignment>,
    /// Its words as written, the name first.
    pub words: Vec<Word>,
    /// Its redirections, in order.
    pub redirections: Vec<Redirection>,
    /// The folder that it runs in.
    pub folder: Folder,
    /// The command of the script whose output it reads, by number, where that is one simple command.
    pub reads_from: Option<usize>,
    /// Whether its output goes into another command.
    pub is_piped: bool,
    /// Whether the script comes to it.
    pub reach: Reach,
    pub(super) bearing: Bearing,
    /// How many of the words belong to programs that only run another command, such as `env`.
    wrapped: usize,
}

impl Command {
    pub(super) fn new(
        assignments: Vec<Assignment>,
        words: Vec<Word>,
        redirections: Vec<Redirection>,
        folder: Folder,
    ) -> Command {
        let mut command = Command {
            assignments,
            words,
            redirections,
            folder,
            reads_from: None,
            is_piped: false,
            reach: Reach::Always,
            bearing: Bearing::NONE,
            wrapped: 0,
        };
        while command.unwrap_once() {}
        command
    }

    /// The words of the command that is run in the end: without `env`, `timeout`, `sudo` and their like.
    pub fn argv(&self) -> &[Word] {
        self.words.get(self.wrapped..).unwrap_or_default()
    }

    /// The name of the program, without its folder.
    pub fn name(&self) -> Option<&str> {
        name(self.argv())
    }

    /// Everything after the name.
    pub fn arguments(&self) -> &[Word] {
        self.argv().get(1..).unwrap_or_default()
    }

    /// The text that it reads, where the script holds it.
    pub fn input(&self) -> Option<&Word> {
        let inputs = self.redirections.iter().filter(|to| to.descriptor.is_none_or(|stream| stream == 0));
        let mut inputs = inputs.filter_map(|to| match to.kind {
            RedirectionKind::HereDocument | RedirectionKind::HereString => Some(Some(&to.target)),
            RedirectionKind::Read | RedirectionKind::ReadWrite => Some(None),
            RedirectionKind::Write | RedirectionKind::Append | RedirectionKind::Duplicate => None,
        });
        inputs.next_back().flatten()
    }

    /// How it ended, where the code that the script ended with says that: not before `| tail`, `|| true` or `;`,
    /// and not in the background.
    pub fn ended(&self, exit: i32) -> Option<Ended> {
        match exit {
            0 => self.bearing.ends_well.then_some(Ended::Well),
            // A time limit, or a signal.
            124 | 128.. => self.bearing.ends_badly.then_some(Ended::Stopped),
            _ => self.bearing.ends_badly.then_some(Ended::Badly),
        }
    }

    /// Takes off one program that runs another command. False where there is none, or where what it runs cannot
    /// be told from its options.
    fn unwrap_once(&mut self) -> bool {
        let argv = self.argv();
        let Some((wrapper, valued)) =
            name(argv).and_then(|name| WRAPPERS.iter().find(|(wrapper, _)| *wrapper == name))
        else {
            return false;
        };
        let (mut at, mut set, mut folder) = (1, Vec::new(), self.folder.clone());
        let mut positional = usize::from(*wrapper == "timeout");
        loop {
            let Some(word) = argv.get(at) else { return false };
            let text = word.text();
            match text {
                Some("--") => at += 1,
                Some("-v" | "-V") if *wrapper == "command" => return false,
                Some(option) if set.is_empty() && option.len() > 1 && option.starts_with('-') => {
                    let takes = option.len() == 2 && valued.contains(&option[1..]);
                    if *wrapper == "env" && option.starts_with("-S") {
                        return false;
                    }
                    if takes && *wrapper == "env" && option == "-C" {
                        let to = argv.get(at + 1).and_then(Word::text);
                        folder = to.map_or(Folder::Unknown, |to| folder.enter(to));
                    }
                    at += if takes { 2 } else { 1 };
                }
                _ if *wrapper == "env" && word.assigns().is_some() => {
                    set.extend(word.assigns());
                    at += 1;
                }
                Some(_) if positional > 0 => {
                    positional -= 1;
                    at += 1;
                }
                _ => break,
            }
        }
        self.wrapped += at;
        self.assignments.extend(set);
        self.folder = folder;
        true
    }
}

/// The name of the program that words begin with.
fn name(words: &[Word]) -> Option<&str> {
    let whole = words.first()?.text()?;
    whole.rsplit('/').next()
}

//! The program that a command comes to, behind programs that only run another one.

use crate::shell::{Command, Word};

/// A program with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call<'s> {
    /// The program as it was called: a path, a name, or a module of Python.
    pub program: &'s str,
    /// Its arguments.
    pub arguments: &'s [Word],
    /// Whether it is a module of Python, as behind `python -m`.
    pub is_module: bool,
    /// Whether it is handed more that the command does not say, as by `xargs`.
    pub is_handed_more: bool,
}

/// A program that runs another one.
struct Wrapper {
    program: &'static str,
    /// The word that has to follow, if any.
    subcommand: Option<&'static str>,
    /// Options that take a value in a word of its own.
    valued: &'static [&'static str],
    is_handed_more: bool,
}

const fn runs(program: &'static str, valued: &'static [&'static str]) -> Wrapper {
    Wrapper { program, subcommand: Some("run"), valued, is_handed_more: false }
}

const fn execs(program: &'static str, subcommand: Option<&'static str>) -> Wrapper {
    Wrapper { program, subcommand, valued: &[], is_handed_more: false }
}

const ENVIRONMENT: &[&str] = &["-n", "--name", "-p", "--prefix", "-e", "--environment"];

const UV: &[&str] = &[
    "--with",
    "--with-requirements",
    "--with-editable",
    "--python",
    "-p",
    "--extra",
    "--group",
    "--only-group",
    "--no-group",
    "--package",
    "--directory",
    "--project",
    "--env-file",
    "--index-url",
];

const WRAPPERS: &[Wrapper] = &[
    runs("uv", UV),
    runs("poetry", &["-C", "--directory", "-P", "--project"]),
    runs("pipenv", &[]),
    runs("pdm", &["-p", "--project"]),
    runs("rye", &[]),
    runs("pixi", ENVIRONMENT),
    runs("conda", ENVIRONMENT),
    runs("mamba", ENVIRONMENT),
    runs("micromamba", ENVIRONMENT),
    execs("uvx", None),
    execs("pipx", Some("run")),
    execs("npx", None),
    execs("bunx", None),
    execs("pnpm", Some("exec")),
    execs("yarn", Some("exec")),
    execs("npm", Some("exec")),
    execs("bundle", Some("exec")),
    execs("pyenv", Some("exec")),
    execs("xvfb-run", None),
    execs("unbuffer", None),
    execs("ionice", None),
    Wrapper {
        program: "xargs",
        subcommand: None,
        valued: &["-n", "-P", "-I", "-L", "-d", "-a", "-E", "-s", "--max-args", "--max-procs", "--delimiter"],
        is_handed_more: true,
    },
];

/// Options of Python that take a value in a word of its own.
const PYTHON: &[&str] = &["-W", "-X", "--check-hash-based-pycs"];

const COVERAGE: &[&str] =
    &["--source", "--rcfile", "--omit", "--include", "--data-file", "--concurrency", "--context"];

/// How many programs stand before the one that counts. More than these nobody writes.
const MOST: usize = 8;

impl<'s> Call<'s> {
    /// The program that a command comes to. None where its name cannot be known.
    pub fn of(command: &'s Command) -> Option<Call<'s>> {
        let mut call = Call::of_words(command.argv())?;
        for _ in 0..MOST {
            match call.inner() {
                Some(inner) => call = inner,
                None => break,
            }
        }
        Some(call)
    }

    fn of_words(words: &'s [Word]) -> Option<Call<'s>> {
        let program = words.first()?.text()?;
        Some(Call { program, arguments: &words[1..], is_module: false, is_handed_more: false })
    }

    /// The name of the program, without its folder.
    pub fn name(&self) -> &'s str {
        self.program.rsplit('/').next().unwrap_or(self.program)
    }

    /// Whether this is Python itself, of whatever version.
    pub fn is_python(&self) -> bool {
        let rest = self.name().strip_prefix("python").or(self.name().strip_prefix("pypy"));
        !self.is_module && rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
    }

    /// An argument by its place, where it can be known.
    pub fn argument(&self, at: usize) -> Option<&'s str> {
        self.arguments.get(at).and_then(Word::text)
    }

    /// Whether one of these words is among the arguments, before any `--`.
    pub fn has(&self, options: &[&str]) -> bool {
        let own = self.arguments.iter().map(Word::text).take_while(|text| *text != Some("--"));
        own.flatten().any(|text| options.contains(&text))
    }

    fn from(&self, at: usize) -> Option<Call<'s>> {
        let call = Call::of_words(self.arguments.get(at..)?)?;
        Some(Call { is_handed_more: self.is_handed_more, ..call })
    }

    /// The place behind options.
    fn behind(&self, mut at: usize, valued: &[&str]) -> usize {
        while let Some(text) = self.argument(at) {
            match text {
                "--" => return at + 1,
                _ if valued.contains(&text) => at += 2,
                _ if text.len() > 1 && text.starts_with('-') => at += 1,
                _ => break,
            }
        }
        at
    }

    fn inner(&self) -> Option<Call<'s>> {
        if self.is_python() {
            return self.python();
        }
        match self.name() {
            "find" => return self.find(),
            "coverage" if self.argument(0) == Some("run") => return self.python_of(1, COVERAGE),
            _ => {}
        }
        let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.program == self.name())?;
        let mut at = self.behind(0, wrapper.valued);
        if let Some(subcommand) = wrapper.subcommand {
            if self.argument(at) != Some(subcommand) {
                return None;
            }
            at = self.behind(at + 1, wrapper.valued);
        }
        let call = self.from(at)?;
        Some(Call { is_handed_more: self.is_handed_more || wrapper.is_handed_more, ..call })
    }

    fn python(&self) -> Option<Call<'s>> {
        self.python_of(0, PYTHON)
    }

    /// A module or a script behind options of Python or of what runs it.
    fn python_of(&self, mut at: usize, valued: &[&str]) -> Option<Call<'s>> {
        loop {
            match self.argument(at)? {
                "-m" => return Some(Call { is_module: true, ..self.from(at + 1)? }),
                "-c" | "-" => return None,
                option if valued.contains(&option) => at += 2,
                option if option.starts_with('-') => at += 1,
                _ => return self.from(at),
            }
        }
    }

    /// What `find` runs on what it finds.
    fn find(&self) -> Option<Call<'s>> {
        let is_exec = |word: &Word| matches!(word.text(), Some("-exec" | "-execdir" | "-ok"));
        let at = self.arguments.iter().position(is_exec)? + 1;
        let rest = self.arguments.get(at..)?;
        let end = rest.iter().position(|word| matches!(word.text(), Some(";" | "+")))?;
        Some(Call { is_handed_more: true, ..Call::of_words(&rest[..end])? })
    }
}

/// The text of a program in Python that a command holds: behind `-c`, or in a document that it reads.
pub fn python_text(command: &Command) -> Option<&str> {
    let call = Call::of(command).filter(Call::is_python)?;
    let mut at = 0;
    loop {
        match call.argument(at) {
            Some("-c") => return call.argument(at + 1),
            Some(option) if PYTHON.contains(&option) => at += 2,
            Some(option) if option.len() > 1 && option.starts_with('-') => at += 1,
            Some("-") | None => return command.input()?.text(),
            Some(_) => return None,
        }
    }
}

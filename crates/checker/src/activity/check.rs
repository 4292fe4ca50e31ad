//! Runs of linters, formatters and type checkers.

use super::{Doing, FilePath};
use crate::shell::{Ended, Options, Takes};

/// A tool that looks at code without running it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// `ruff check`.
    Ruff,
    /// `ruff format`.
    RuffFormat,
    /// flake8.
    Flake8,
    /// black.
    Black,
    /// isort.
    Isort,
    /// mypy.
    Mypy,
    /// pyright.
    Pyright,
    /// pylint.
    Pylint,
    /// pycodestyle, once pep8.
    Pycodestyle,
    /// pydocstyle.
    Pydocstyle,
    /// pyflakes.
    Pyflakes,
    /// bandit.
    Bandit,
    /// autopep8, yapf and their like.
    OtherFormatter,
    /// codespell.
    Codespell,
    /// pre-commit, with whatever it runs.
    PreCommit,
    /// The compiler of Python, as in `python -m py_compile`.
    Compiles,
    /// Sphinx, or a target of make that builds documentation with it.
    Sphinx,
    /// `cargo clippy`.
    Clippy,
    /// `cargo fmt`, rustfmt.
    Rustfmt,
    /// ESLint.
    Eslint,
    /// Prettier.
    Prettier,
    /// A target or script that is named for linting.
    LintTarget,
}

/// A run of such a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Which.
    pub tool: Tool,
    /// The files and folders that it was pointed at; none where it finds its own.
    pub paths: Vec<FilePath>,
    /// Whether it changes files and does not only look.
    pub writes: bool,
    /// How it ended, where that is known. Most end badly where they find something.
    pub ended: Option<Ended>,
}

/// When a tool changes files.
#[derive(Clone, Copy)]
enum Writes {
    Never,
    /// Where one of these options is there.
    With(&'static [&'static str]),
    /// Where none of these is there.
    Without(&'static [&'static str]),
}

const FORMATS: Writes = Writes::Without(&["check", "check-only", "diff", "list-different", "version"]);

/// Programs, the word that has to follow, and when they change files.
const TOOLS: &[(&str, &[&str], Tool, Writes)] = &[
    ("ruff", &["format"], Tool::RuffFormat, FORMATS),
    ("ruff", &["check", "."], Tool::Ruff, Writes::With(&["fix", "fix-only"])),
    ("flake8", &[], Tool::Flake8, Writes::Never),
    ("black", &[], Tool::Black, FORMATS),
    ("isort", &[], Tool::Isort, FORMATS),
    ("mypy", &[], Tool::Mypy, Writes::Never),
    ("dmypy", &[], Tool::Mypy, Writes::Never),
    ("pyright", &[], Tool::Pyright, Writes::Never),
    ("basedpyright", &[], Tool::Pyright, Writes::Never),
    ("pylint", &[], Tool::Pylint, Writes::Never),
    ("pycodestyle", &[], Tool::Pycodestyle, Writes::Never),
    ("pep8", &[], Tool::Pycodestyle, Writes::Never),
    ("pydocstyle", &[], Tool::Pydocstyle, Writes::Never),
    ("pyflakes", &[], Tool::Pyflakes, Writes::Never),
    ("bandit", &[], Tool::Bandit, Writes::Never),
    ("autopep8", &[], Tool::OtherFormatter, Writes::With(&["in-place", "i"])),
    ("yapf", &[], Tool::OtherFormatter, Writes::With(&["in-place", "i"])),
    ("autoflake", &[], Tool::OtherFormatter, Writes::With(&["in-place", "i"])),
    ("pyupgrade", &[], Tool::OtherFormatter, Writes::Without(&[])),
    ("codespell", &[], Tool::Codespell, Writes::With(&["write-changes", "w"])),
    ("pre-commit", &["run"], Tool::PreCommit, Writes::Without(&[])),
    ("prek", &["run"], Tool::PreCommit, Writes::Without(&[])),
    ("py_compile", &[], Tool::Compiles, Writes::Never),
    ("compileall", &[], Tool::Compiles, Writes::Never),
    ("sphinx-build", &[], Tool::Sphinx, Writes::Never),
    ("sphinx", &[], Tool::Sphinx, Writes::Never),
    ("make", &["html", "docs", "doc", "htmldocs", "linkcheck"], Tool::Sphinx, Writes::Never),
    ("make", &["lint", "format", "fmt", "style", "typecheck", "mypy"], Tool::LintTarget, Writes::Never),
    ("cargo", &["clippy"], Tool::Clippy, Writes::With(&["fix"])),
    ("cargo", &["fmt"], Tool::Rustfmt, FORMATS),
    ("rustfmt", &[], Tool::Rustfmt, FORMATS),
    ("eslint", &[], Tool::Eslint, Writes::With(&["fix"])),
    ("prettier", &[], Tool::Prettier, Writes::With(&["write", "w"])),
    ("npm", &["lint"], Tool::LintTarget, Writes::Never),
    ("yarn", &["lint"], Tool::LintTarget, Writes::Never),
];

const TAKES: Takes = Takes::new(
    "clBb",
    &[
        "--config",
        "--line-length",
        "--select",
        "--ignore",
        "--extend-ignore",
        "--max-line-length",
        "--target-version",
    ],
);

/// The run of such a tool that a command is.
pub(super) fn of(doing: &Doing<'_>) -> Option<Check> {
    let call = &doing.call;
    // `python -m sphinx` is the tool; a program of that name is not.
    let is_it = |(program, words, tool, _): &&(&str, &[&str], Tool, Writes)| {
        *program == call.name()
            && (*program != "sphinx" || call.is_module)
            && (words.is_empty() || words_of(call, *tool).is_some_and(|word| words.contains(&word)))
    };
    let (_, words, tool, writes) = TOOLS.iter().find(is_it)?;
    let options = Options::of(call.arguments, &TAKES);
    if options.has("version", None) || options.has("help", None) {
        return None;
    }
    let has = |names: &[&str]| {
        names.iter().any(|name| options.has(name, name.chars().next().filter(|_| name.len() == 1)))
    };
    let others = options.others.iter().filter(|word| !word.text().is_some_and(|text| words.contains(&text)));
    Some(Check {
        tool: *tool,
        paths: others.map(|word| FilePath::of_word(word, doing.command)).collect(),
        writes: match writes {
            Writes::Never => false,
            Writes::With(names) => has(names),
            Writes::Without(names) => !has(names),
        },
        ended: doing.ended(),
    })
}

/// The word that says what a program of many uses does.
fn words_of<'s>(call: &super::Call<'s>, tool: Tool) -> Option<&'s str> {
    let mut words = call.arguments.iter().filter_map(crate::shell::Word::text);
    let is_option = |word: &&str| word.starts_with(['-', '+']) || *word == "run" && tool == Tool::LintTarget;
    words.find(|word| !is_option(word))
}

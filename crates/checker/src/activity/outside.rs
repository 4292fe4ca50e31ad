//! What came from elsewhere or went there: pages, packages, pull requests.

use super::{Deed, Doing};
use crate::shell::{Options, Takes, Word};

/// By what means something was fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Means {
    /// By a tool of the agent.
    Tool,
    /// By a program such as curl.
    Program,
    /// By git: a clone, a fetch, a pull.
    Git,
}

/// Something that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    /// By what means.
    pub means: Means,
    /// Addresses, as written; none where no address can be told.
    pub addresses: Vec<String>,
}

impl Fetch {
    pub(super) fn of_url(url: &str) -> Fetch {
        Fetch { means: Means::Tool, addresses: vec![url.to_owned()] }
    }

    /// The hosts that were asked, in lower case.
    pub fn hosts(&self) -> Vec<String> {
        self.addresses.iter().filter_map(|address| host(address)).collect()
    }
}

/// The host of an address, without a user and a port.
fn host(address: &str) -> Option<String> {
    let host =
        match address.split_once("://") {
            Some((_, rest)) => rest.split(['/', '?', '#']).next()?,
            // git@example.org:path
            None => address.split_once(':').map(|(host, _)| host).filter(|host| host.contains('@')).or_else(
                || address.split('/').next().filter(|host| host.contains('.') && !host.starts_with('.')),
            )?,
        };
    let host = host.rsplit('@').next().unwrap_or(host);
    let host = host.split(':').next().unwrap_or(host);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

/// Packages that were installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Install {
    /// The program that installed them.
    pub program: String,
    /// What was named: packages, paths, files of requirements. None where a file of the project says it.
    pub packages: Vec<String>,
    /// Whether the project itself is among them, as by `pip install -e .`.
    pub is_project: bool,
}

/// A pull request that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its title, where it is known.
    pub title: Option<String>,
    /// Its text, where it is known.
    pub body: Option<String>,
    /// Whether it is a draft.
    pub is_draft: bool,
    /// Whether title and text come from the commits: `--fill`.
    pub is_filled: bool,
    /// The branch that it is to go into, where it is named.
    pub base: Option<String>,
}

/// What a program does with the world outside.
pub(super) fn of(doing: &Doing<'_>) -> Option<Deed> {
    let call = &doing.call;
    match call.name() {
        "curl" | "wget" | "http" | "https" | "aria2c" | "lynx" | "w3m" => Some(Deed::Fetch(fetched(doing))),
        "gh" if call.argument(0) == Some("pr") && matches!(call.argument(1), Some("create" | "new")) => {
            Some(Deed::Propose(proposal(doing)))
        }
        _ => install(doing).map(Deed::Install),
    }
}

const CURL: Takes = Takes::new(
    "ouHdXAeTFbcmKUOP",
    &[
        "--output",
        "--header",
        "--data",
        "--request",
        "--user-agent",
        "--max-time",
        "--user",
        "--retry",
        "--timeout",
    ],
);

fn fetched(doing: &Doing<'_>) -> Fetch {
    // `-O` of curl takes nothing.
    let short = if doing.call.name() == "curl" { "ouHdXAeTFbcmKUP" } else { CURL.short };
    let options = Options::of(doing.call.arguments, &Takes { short, ..CURL });
    let is_address = |text: &&str| host(text).is_some();
    let addresses = options.others.iter().filter_map(|word| word.pattern().or(Some(word.source())));
    Fetch { means: Means::Program, addresses: addresses.filter(is_address).map(str::to_owned).collect() }
}

/// Programs that install, with the word for it.
const INSTALLERS: [(&str, &[&str]); 20] = [
    ("pip", &["install"]),
    ("pip3", &["install"]),
    ("pipx", &["install"]),
    ("uv", &["sync", "add"]),
    ("poetry", &["install", "add"]),
    ("pdm", &["install", "add"]),
    ("conda", &["install", "create"]),
    ("mamba", &["install", "create"]),
    ("micromamba", &["install", "create"]),
    ("apt", &["install"]),
    ("apt-get", &["install"]),
    ("apk", &["add"]),
    ("dnf", &["install"]),
    ("yum", &["install"]),
    ("brew", &["install"]),
    ("npm", &["install", "i", "ci", "add"]),
    ("pnpm", &["install", "i", "add"]),
    ("yarn", &["install", "add"]),
    ("cargo", &["install", "add"]),
    ("gem", &["install"]),
];

/// What stands behind `-e` and `-r` is installed too.
const INSTALL: Takes =
    Takes::new("cifnpt", &["--constraint", "--index-url", "--extra-index-url", "--find-links", "--target"]);

fn install(doing: &Doing<'_>) -> Option<Install> {
    let call = &doing.call;
    let (name, arguments) = match (call.name(), call.argument(0)) {
        // `uv pip install`
        ("uv", Some("pip")) => ("pip", call.arguments.get(1..)?),
        ("setup.py", Some("install" | "develop")) => {
            return Some(Install { program: "setup.py".to_owned(), packages: Vec::new(), is_project: true });
        }
        (name, _) => (name, call.arguments),
    };
    let (program, words) = INSTALLERS.iter().find(|(program, _)| *program == name)?;
    // Options of the program itself may stand before the word.
    let at = arguments.iter().position(|word| !word.text().is_some_and(|text| text.starts_with('-')))?;
    arguments.get(at)?.text().filter(|word| words.contains(word))?;
    let options = Options::of(arguments.get(at + 1..)?, &INSTALL);
    if options.has("dry-run", None) {
        return None;
    }
    let packages: Vec<String> =
        options.others.iter().map(|word| word.pattern().unwrap_or(word.source()).to_owned()).collect();
    let is_pip = program.starts_with("pip");
    let is_project = |name: &String| name == "." || name.starts_with(".[") || name.starts_with("./");
    let is_project = packages.iter().any(is_project) || packages.is_empty() && !is_pip;
    Some(Install { program: (*program).to_owned(), packages, is_project })
}

const PULL: Takes = Takes::new(
    "tbBHrlaFmpRT",
    &[
        "--title",
        "--body",
        "--body-file",
        "--base",
        "--head",
        "--reviewer",
        "--label",
        "--assignee",
        "--repo",
        "--milestone",
        "--project",
        "--template",
    ],
);

fn proposal(doing: &Doing<'_>) -> Proposal {
    let options = Options::of(doing.call.arguments.get(2..).unwrap_or_default(), &PULL);
    let value = |long, short| options.values(long, short).flatten().next().map(str::to_owned);
    let file = value("body-file", 'F');
    let body = match file.as_deref() {
        None => value("body", 'b'),
        Some("-") => doing.script.read_by(doing.command),
        Some(file) => doing.script.written_to(file, doing.at, &doing.command.folder),
    };
    Proposal {
        title: value("title", 't'),
        body,
        is_draft: options.has("draft", Some('d')),
        is_filled: ["fill", "fill-first", "fill-verbose"].iter().any(|name| options.has(name, None))
            || options.has("", Some('f')),
        base: value("base", 'B'),
    }
}

/// What git fetches, beside what else it does.
pub(super) fn by_git(subcommand: &str, arguments: &[Word]) -> Option<Fetch> {
    if !matches!(subcommand, "clone" | "fetch" | "pull" | "ls-remote") {
        return None;
    }
    let options = Options::of(arguments, &Takes::new("bco", &["--branch", "--depth", "--config"]));
    let addresses = options
        .others
        .iter()
        .filter_map(|word| word.text())
        .filter(|text| host(text).is_some() && text.contains(':'));
    Some(Fetch { means: Means::Git, addresses: addresses.map(str::to_owned).collect() })
}
